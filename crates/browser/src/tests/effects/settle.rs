//! How long effects are waited for: no longer than they take, and never for ever.

use tokio_util::sync::CancellationToken;

use super::*;

#[tokio::test]
async fn what_an_answer_brings_is_waited_for() {
    let stage = Stage::alone().await;
    let tab = stage.at(BUTTONS).await;
    let slow = press(&stage, "slow").await;
    assert_eq!(slow.sent(), [("GET", "/slow", Some(200))]);
    assert!(slow.took >= Duration::from_millis(1100) && slow.quiet().dom_changed);
    assert_eq!(read::<String>(&tab, "list.textContent").await, "come");
    stage.end().await;
}

#[tokio::test]
async fn what_never_ends_is_not_waited_for_longer_than_it_may() {
    let stage = Stage::alone().await;
    stage.at(BUTTONS).await;
    for (id, most) in [("nothing", 1), ("beacon", 2), ("stream", 2), ("poll", 7)] {
        let pressed = press(&stage, id).await;
        assert!(pressed.took < Duration::from_secs(most), "{id}: {pressed:?}");
    }
    // One that waits already, and asks again, is one that waits for news.
    let again = press(&stage, "poll").await;
    assert!(again.took < Duration::from_secs(3), "{again:?}");
    assert_eq!(again.sent(), [("GET", "/no-answer", None)]);
    stage.at("/pages/effect_animated.html").await;
    let animated = press(&stage, "nothing").await;
    assert!(animated.took < Duration::from_secs(3), "{animated:?}");
    stage.end().await;
}

#[tokio::test]
async fn a_slow_server_is_waited_for_until_its_page_is_there() {
    let stage = Stage::alone().await;
    stage.at(BUTTONS).await;
    let slowly = press(&stage, "slowly").await;
    assert!(slowly.took >= Duration::from_millis(1300), "{slowly:?}");
    assert!(slowly.quiet().navigated.unwrap().to.untrusted().ends_with("/slow?ms=1500"));
    assert_eq!(read::<String>(&stage.tab().await, "document.title").await, "Slow");
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_never_answers_leaves_the_page_on_its_way_in_time() {
    let stage = Stage::alone().await;
    stage.at(BUTTONS).await;
    let limit = Duration::from_secs(5);
    let begun = Instant::now();
    let never = press_within(&stage, "never", &Limit::within(limit)).await;
    assert!(begun.elapsed() < limit + Duration::from_millis(300), "{:?}", begun.elapsed());
    assert!(matches!(never.after, Ok(After::Leaving)), "{never:?}");
    assert_eq!(never.sent(), [("GET", "/no-answer", None)]);
    assert!(never.effects.navigated.is_none());
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn who_waits_for_effects_can_be_called_off() {
    let stage = Stage::alone().await;
    stage.at(BUTTONS).await;
    let cancel = CancellationToken::new();
    let limit = Limit::within(Duration::from_secs(60)).cancelled_by(cancel.clone());
    let called_off = async {
        until("the server is asked", async || !stage.site.hits_of("/no-answer").is_empty()).await;
        cancel.cancel();
    };
    let (pressed, ()) = tokio::join!(press_within(&stage, "never", &limit), called_off);
    assert!(matches!(pressed.after, Err(BrowserError::Cancelled { .. })), "{pressed:?}");
    assert_eq!(pressed.sent(), [("GET", "/no-answer", None)], "what was seen is told all the same");
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_hangs_is_not_harmed_by_being_waited_for() {
    let stage = Stage::alone().await;
    let tab = stage.at(BUTTONS).await;
    let hung = press(&stage, "hang").await;
    assert!(hung.took < Duration::from_secs(7), "{hung:?}");
    assert!(tab.gone().is_none(), "whether it is hung is for others to find out");
    let found_out = tab.check(&soon()).await;
    assert!(
        matches!(found_out, Err(BrowserError::TabGone { gone: Gone::Unresponsive, .. })),
        "{found_out:?}"
    );
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn crashes_and_lost_browsers_are_told_as_what_they_are() {
    let stage = Stage::alone().await;
    let tab = stage.at(BUTTONS).await;
    let crash = async || {
        #[derive(serde::Serialize)]
        struct Crash {}
        impl legwork_cdp::Command for Crash {
            const METHOD: &'static str = "Page.crash";
        }
        let _ = tab.link.post(Some(&tab.session()), &Crash {});
    };
    let crashed = watched(&stage, &tab, None, &soon(), crash).await;
    assert!(matches!(crashed.after, Err(BrowserError::TabGone { gone: Gone::GaveUp, .. })), "{crashed:?}");
    let tab = stage.at(BUTTONS).await;
    let pid = stage.browser.pid().unwrap();
    let kill = async || signal(pid, Signal::KILL);
    let lost = watched(&stage, &tab, None, &soon(), kill).await;
    assert!(matches!(lost.after, Err(BrowserError::Lost { .. })), "{lost:?}");
}
