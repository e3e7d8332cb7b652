//! Frames that are busy, come late or go under the hand, and pages that do: what was meant for something else comes to nobody, and
//! what came of a press is told.

use legwork_types::Presses;

use super::*;

fn press() -> Deed {
    Deed::Click(Click::default())
}

#[tokio::test]
async fn a_frame_that_could_not_be_guarded_takes_in_nothing() {
    let stage = Stage::new().await;
    for (case, frame) in [("busy", "?stranger"), ("busy&newcomer", "?newcomer")] {
        let tab = opened(&stage, &format!("act_strangers.html?case={case}")).await;
        let looked = looked(&stage).await;
        let _: bool = read(&tab, "document.dispatchEvent(new Event('swap'))").await;
        until("the frame is busy", async || noted_in(&tab, "act_strangers", "busy").await == "yes").await;
        let outcome = looked.act(&stage, "Next", press()).await;
        until("the busy frame is free", async || noted_in(&tab, "?stranger", "free").await == "yes").await;
        assert_eq!(presses(&tab, frame).await, [""; 0], "{case}: {outcome:?}");
        let not = outcome.expect_err(case);
        assert!(matches!(not.why, Blocked::Obscured { .. }), "{case}: {not:?}");
        assert_eq!(presses(&tab, "act_strangers").await, [""; 0], "{case}");
    }
    let tab = opened(&stage, "act_strangers.html?case=busy&still").await;
    let looked = looked(&stage).await;
    looked.act(&stage, "Next", press()).await.expect("nothing is over it");
    assert_eq!(presses(&tab, "act_strangers").await, whole_press("next"));
    looked.act(&stage, "Buy", press()).await.expect("it is meant");
    assert_eq!(presses(&tab, "?stranger").await, whole_press("pay"));
    stage.end().await;
}

#[tokio::test]
async fn what_came_to_a_frame_that_went_under_the_press_is_told_and_not_done_again() {
    let stage = Stage::new().await;
    let twice = || Deed::Click(Click { count: Presses::Two, ..Click::default() });
    for (on, deed) in [("pointerdown", press()), ("click", twice()), ("click", press())] {
        for again in ["", "&again"] {
            let tab = opened(&stage, &format!("act_strangers.html?case=goes&on={on}{again}")).await;
            let looked = looked(&stage).await;
            let outcome = looked.act(&stage, "Part", deed.clone()).await;
            assert_eq!(noted_in(&tab, "act_strangers", "done").await, "1", "{on}{again}");
            let (permit, receipt) = match outcome {
                Ok(done) => (None, done.receipt),
                Err(not) => (not.permit, not.receipt),
            };
            assert!(permit.is_none() && receipt.dispatched, "{on}{again}: {receipt:?}");
            assert!(receipt.effects.dom_changed, "{on}{again}: {receipt:?}");
        }
    }
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_is_on_its_way_is_not_called_back() {
    let site = Site::builder().page("/leave.html", "<a href=/no-answer>Leave</a>").start().await;
    let stage = Stage::on(site).await;
    let tab = stage.at("/leave.html").await;
    let looked = looked(&stage).await;
    let limit = Limit::within(Duration::from_secs(9));
    let done = looked.act_within(&stage, "Leave", press(), &limit).await.expect("it is pressed");
    assert_eq!(done.after, After::Leaving);
    assert_eq!(stage.site.hits_of("/no-answer").len(), 1);
    assert!(tab.news().borrow().under_way.is_some(), "it still waits for the server");
    stage.end().await;
}

#[tokio::test]
async fn what_a_drop_makes_of_its_place_does_not_undo_it() {
    let stage = Stage::new().await;
    for (how, last) in [("html5", "drop"), ("mouse", "pointerup")] {
        let tab = opened(&stage, &format!("act_dropped.html?{how}")).await;
        let looked = looked(&stage).await;
        let to = Deed::DragTo(looked.number("Room (3)"));
        looked.act(&stage, "Card", to).await.unwrap_or_else(|not| panic!("{how}: {not:?}"));
        assert!(record(&tab, "act_dropped").await.contains(&format!("{last}:room")), "{how}");
        assert_eq!(read::<String>(&tab, "card.parentElement.id").await, "room", "{how}");
    }
    stage.end().await;
}
