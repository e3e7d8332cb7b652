//! What can't be acted on yet is waited for; what never can be is refused with the reason.

use super::{fields_kit::*, *};

/// Time enough for a page to make up its mind; what never comes costs no more.
fn patience() -> Limit {
    Limit::within(Duration::from_secs(8))
}

async fn refused(stage: &Stage, name: &str) -> Blocked {
    let deed = Deed::Click(Click::default());
    let not =
        looked(stage).await.act_within(stage, name, deed, &patience()).await.expect_err("it is refused");
    assert!(not.permit.is_some() && !not.receipt.dispatched, "{not:?}");
    not.why
}

#[tokio::test]
async fn what_is_covered_is_refused_by_the_name_of_its_cover() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_covered.html").await;
    let why = refused(&stage, "Later").await;
    assert!(matches!(&why, Blocked::Obscured { by } if by.untrusted() == "dialog \"Cookies\""), "{why:?}");
    assert_eq!(presses(&tab, "act_covered").await, [""; 0]);
    stage.end().await;
}

#[tokio::test]
async fn what_is_covered_for_a_while_is_waited_for() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_covered.html?freed").await;
    click(&stage, "Later").await.expect("it becomes free");
    assert_eq!(presses(&tab, "act_covered").await, whole_press("later"));
    stage.end().await;
}

#[tokio::test]
async fn what_moves_is_waited_for_and_refused_if_it_never_stops() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_moving.html?stops").await;
    click(&stage, "Runner").await.expect("it stops");
    assert_eq!(presses(&tab, "act_moving").await, whole_press("runner"));
    let tab = opened(&stage, "act_moving.html").await;
    let why = refused(&stage, "Runner").await;
    assert!(matches!(why, Blocked::Moving), "{why:?}");
    assert_eq!(presses(&tab, "act_moving").await, [""; 0]);
    stage.end().await;
}

#[tokio::test]
async fn what_is_switched_off_is_waited_for_and_refused_if_it_stays_so() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_late.html").await;
    click(&stage, "Send").await.expect("it is switched on");
    assert_eq!(presses(&tab, "act_late").await, whole_press("send"));
    let why = refused(&stage, "Never").await;
    assert!(matches!(why, Blocked::Disabled), "{why:?}");
    stage.end().await;
}

/// A page that hides its controls in this way, once it was looked at.
async fn hidden(stage: &Stage, how: &str) -> (Tab, Looked) {
    let tab = opened(stage, &format!("act_hidden.html?how={how}")).await;
    let looked = looked(stage).await;
    let _: bool = read(&tab, "document.dispatchEvent(new Event('hide'))").await;
    (tab, looked)
}

/// Whether it was told that nobody sees it, and nothing else was done.
fn is_unseen(outcome: &Result<Done, NotDone>) -> bool {
    outcome.as_ref().is_err_and(|not| {
        matches!(not.why, Blocked::NotVisible) && not.permit.is_some() && !not.receipt.dispatched
    })
}

#[tokio::test]
async fn what_was_hidden_since_it_was_seen_is_refused() {
    let stage = Stage::new().await;
    let press = || Deed::Click(Click::default());
    for (how, name, deed) in [
        ("display", "Save", press()),
        ("visibility", "Save", press()),
        ("size", "Save", press()),
        ("display", "Word", fill("new")),
        ("visibility", "Word", type_in("new")),
        ("size", "Word", Deed::Clear),
        ("display", "Save", Deed::PressKey(chord("Enter"))),
        ("visibility", "Save", Deed::Hover),
        ("size", "Word", Deed::Focus),
    ] {
        let (tab, looked) = hidden(&stage, how).await;
        let outcome = looked.act_within(&stage, name, deed.clone(), &patience()).await;
        assert!(is_unseen(&outcome), "{how} {deed:?}: {outcome:?}");
        assert_eq!(record(&tab, "act_hidden").await, [""; 0], "{how} {deed:?}");
        assert_eq!(held(&tab, "word").await, "old", "{how} {deed:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn what_is_hidden_for_a_while_is_waited_for() {
    let stage = Stage::new().await;
    for how in ["display&back", "visibility&back", "size&back"] {
        let (tab, looked) = hidden(&stage, how).await;
        let done = looked.act(&stage, "Save", Deed::Click(Click::default())).await;
        done.unwrap_or_else(|not| panic!("{how}: {not:?}"));
        assert_eq!(presses(&tab, "act_hidden").await, whole_press("save"), "{how}");
    }
    stage.end().await;
}

#[tokio::test]
async fn what_is_listed_though_nobody_sees_it_is_refused() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_hidden.html").await;
    let capture = capture::capture_with_hidden(&tab).await;
    let look = capture::understood(&capture);
    let looked = Looked { capture, look };
    for deed in [Deed::Click(Click::default()), Deed::PressKey(chord("Enter"))] {
        let outcome = looked.act_within(&stage, "Never", deed.clone(), &patience()).await;
        assert!(is_unseen(&outcome), "{deed:?}: {outcome:?}");
        assert_eq!(record(&tab, "act_hidden").await, [""; 0], "{deed:?}");
    }
    // What can be seen is acted on by the number that it has in such a list.
    looked.act(&stage, "Save", Deed::Click(Click::default())).await.expect("it is seen");
    assert_eq!(presses(&tab, "act_hidden").await, whole_press("save"));
    stage.end().await;
}

#[tokio::test]
async fn what_is_rendered_anew_with_each_frame_can_be_pressed() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_rerendered.html").await;
    click(&stage, "Again").await.expect("its successor is pressed");
    let all = presses(&tab, "act_rerendered").await;
    assert_eq!(all.first().map(String::as_str), Some("pointerdown:again"), "{all:?}");
    stage.end().await;
}

#[tokio::test]
async fn of_two_successors_none_is_pressed() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_rerendered.html?twins").await;
    let looked = looked(&stage).await;
    let target = (1..)
        .map(ActionId)
        .find(|number| looked.look.affordance(*number).expect("it is there").name.untrusted() == "Again");
    let deed = Deed::Click(Click::default());
    let permit = looked.permit(Intent::OnElement { target: target.unwrap(), deed });
    let not = stage.context.act(permit, &looked.aims(), &patience()).await.expect_err("it is refused");
    assert!(matches!(not.why, Blocked::Gone) && not.permit.is_some(), "{not:?}");
    assert_eq!(presses(&tab, "act_rerendered").await, [""; 0]);
    stage.end().await;
}

#[tokio::test]
async fn a_wait_can_be_called_off() {
    let stage = Stage::new().await;
    opened(&stage, "act_covered.html").await;
    let looked = looked(&stage).await;
    let cancel = tokio_util::sync::CancellationToken::new();
    let limit = soon().cancelled_by(cancel.clone());
    let begun = Instant::now();
    let acting = looked.act_within(&stage, "Later", Deed::Click(Click::default()), &limit);
    let (not, ()) = tokio::join!(acting, async { cancel.cancel() });
    let not = not.expect_err("it is called off");
    assert!(matches!(not.why, Blocked::Browser(BrowserError::Cancelled { .. })), "{not:?}");
    assert!(begun.elapsed() < Duration::from_secs(5));
    stage.still_works().await;
    stage.end().await;
}
