//! A page is looked at while the effects of an act settle: that look counts if nothing has changed since, and only then.

use std::sync::Mutex;

use super::*;

/// Presses a control and looks meanwhile: that look, and whether it is said to hold.
async fn press_and_look(stage: &Stage, name: &str) -> (Option<Capture>, Option<Epoch>, Done) {
    let looked = looked(stage).await;
    let deed = Deed::Click(Click::default());
    let permit = looked.permit(Intent::OnElement { target: looked.number(name), deed });
    let seen = Mutex::new(None);
    let look = Box::pin(async {
        let tab = stage.tab().await;
        *seen.lock().unwrap() = tab.capture(&CaptureOptions::default(), &soon()).await.ok();
    });
    let done = stage.context.act_and_look(permit, &looked.aims(), Some(look), &soon()).await;
    let done = done.unwrap_or_else(|not| panic!("{name}: {not:?}"));
    (seen.into_inner().unwrap(), done.look.clone(), done)
}

async fn goes_on(stage: &Stage) {
    let far = stage.site.other_url("/pages/act_goes_on_far.html");
    opened(stage, &format!("act_goes_on.html?far={far}")).await;
}

#[tokio::test]
async fn a_look_at_a_page_that_does_nothing_more_holds() {
    let stage = Stage::new().await;
    goes_on(&stage).await;
    for name in ["Nothing", "At once"] {
        // On a busy machine effects may have settled before the look is taken.
        until("a look holds", async || {
            let (seen, held, done) = press_and_look(&stage, name).await;
            let (Some(seen), Some(held)) = (seen, held) else { return false };
            assert_eq!(held, seen.epoch, "{name}: {done:?}");
            let texts: Vec<&str> =
                seen.page.frames[0].look.texts.iter().map(|text| text.untrusted()).collect();
            assert_eq!(texts.contains(&"at once"), name == "At once", "{texts:?}");
            true
        })
        .await;
    }
    stage.end().await;
}

#[tokio::test]
async fn a_look_does_not_hold_once_anything_is_otherwise() {
    let stage = Stage::new().await;
    for name in [
        "Document",
        "Value",
        "Tick",
        "Entry",
        "Words",
        "Focus",
        "Scroll",
        "Address",
        "Shadow",
        "Root",
        "Popover",
        "Rule",
        "Several",
        "Neither",
        "Fade",
        "New frame",
        "Frame",
    ] {
        goes_on(&stage).await;
        let (_, held, done) = press_and_look(&stage, name).await;
        assert_eq!(held, None, "{name}: {done:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_look_that_holds_shows_what_has_moved_as_it_is_in_the_end() {
    let stage = Stage::new().await;
    goes_on(&stage).await;
    let (seen, held, done) = press_and_look(&stage, "Brief").await;
    let is_there = |seen: &Capture| {
        seen.page.frames[0].look.controls.iter().any(|control| control.name.untrusted() == "Going")
    };
    // Where the movement was over before the look, that one may hold.
    assert!(held.is_none() || seen.is_some_and(|seen| !is_there(&seen)), "{done:?}");
    until("it is gone", async || !is_there(&capture::capture(&stage.tab().await).await)).await;
    stage.end().await;
}
