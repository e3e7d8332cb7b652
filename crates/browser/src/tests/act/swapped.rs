//! What is put in the place of an element between the look and the press is never pressed.

use legwork_testkit::sampled;

use super::*;

/// Whatever the page does: `pay` gets nothing of a press. What came of the act on "Save".
async fn swapped(stage: &Stage, how: &str, when: &str) -> (Result<Done, NotDone>, Vec<String>) {
    let tab = opened(stage, &format!("act_swapped.html?how={how}&when={when}")).await;
    let looked = looked(stage).await;
    if when == "now" {
        let _: bool = read(&tab, "document.dispatchEvent(new Event('swap'))").await;
    }
    let limit = Limit::within(Duration::from_secs(8));
    let outcome = looked.act_within(stage, "Save", Deed::Click(Click::default()), &limit).await;
    let all = presses(&tab, "act_swapped").await;
    let pay: Vec<&String> = all.iter().filter(|entry| entry.contains(":pay")).collect();
    assert!(pay.is_empty(), "{how} on {when}: {all:?} {outcome:?}");
    assert_eq!(presses(&tab, "?strange").await, [""; 0], "{how} on {when}");
    (outcome, all)
}

#[tokio::test]
async fn what_was_swapped_before_the_act_is_refused() {
    let stage = Stage::new().await;
    for how in ["replace", "relabel", "retarget", "cover", "frame", "strange"] {
        let (outcome, all) = swapped(&stage, how, "now").await;
        let not = outcome.expect_err(how);
        assert!(not.permit.is_some() && !not.receipt.dispatched && all.is_empty(), "{how}: {not:?} {all:?}");
        let is_told = match how {
            "replace" => matches!(not.why, Blocked::Gone),
            "cover" | "frame" | "strange" => matches!(not.why, Blocked::Obscured { .. }),
            _ => matches!(not.why, Blocked::Changed),
        };
        assert!(is_told, "{how}: {not:?}");
    }
    let (outcome, all) = swapped(&stage, "move", "now").await;
    outcome.expect("it is pressed where it is now");
    assert_eq!(all, whole_press("save"));
    stage.end().await;
}

#[tokio::test]
async fn what_is_swapped_when_the_mouse_comes_is_stopped() {
    let stage = Stage::new().await;
    let hows = ["replace", "relabel", "retarget", "cover", "move", "frame", "strange"];
    let all =
        ["pointermove", "mousemove", "mouseover"].into_iter().flat_map(|when| hows.map(|how| (how, when)));
    for (how, when) in sampled(all, 2) {
        let (outcome, all) = swapped(&stage, how, when).await;
        let not = outcome.expect_err(how);
        assert!(not.permit.is_some() && !not.receipt.dispatched, "{how} on {when}: {not:?}");
        assert!(matches!(not.why, Blocked::Changed | Blocked::Obscured { .. }), "{how} on {when}: {not:?}");
        assert!(all.is_empty(), "{how} on {when}: {all:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn what_comes_up_under_the_press_itself_gets_none_of_it() {
    let stage = Stage::new().await;
    for when in ["pointerdown", "mousedown"] {
        for how in ["replace", "cover", "move", "frame", "strange"] {
            let (outcome, all) = swapped(&stage, how, when).await;
            assert!(outcome.is_ok_and(|done| done.receipt.dispatched), "{how} on {when}");
            assert!(all.contains(&"pointerdown:save".to_owned()), "{how} on {when}: {all:?}");
        }
    }
    stage.end().await;
}

#[tokio::test]
async fn the_guard_is_in_the_world_that_looks_are_taken_in_and_comes_first() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_basic.html").await;
    for frame in tab.frames().await.unwrap() {
        let kinds = "`${typeof legworkGuard} ${window.legworkGuard === globalThis.legworkGuard}`";
        let told: String = tab.value(&frame.id, kinds, &soon()).await.unwrap();
        assert_eq!(told, "object true", "{}", frame.url);
    }
    let in_page: String = capture::in_the_page(&tab, "typeof legworkGuard").await;
    assert_eq!(in_page, "undefined");
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_writes_itself_anew_is_guarded_too() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_rewritten.html").await;
    until("the page is written anew", async || {
        read(&tab, "document.title === 'Anew' && document.getElementById('save') !== null").await
    })
    .await;
    let not = click(&stage, "Save").await.expect_err("it is covered when the mouse comes");
    assert!(matches!(not.why, Blocked::Obscured { .. }) && not.permit.is_some(), "{not:?}");
    let done: String = read(&tab, "document.documentElement.dataset.done ?? ''").await;
    assert_eq!(done, "");
    stage.end().await;
}
