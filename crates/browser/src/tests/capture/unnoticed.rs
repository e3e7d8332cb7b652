//! A look leaves nothing that a page could notice.

use serde::de::IgnoredAny;

use super::*;

#[tokio::test]
async fn a_page_that_watches_everything_notices_nothing() {
    let stage = Stage::new().await;
    let tab = loaded(&stage, "look_watched.html").await;
    until("the page watches", async || in_the_page(&tab, "window.isWatching === true").await).await;
    let before: String = in_the_page(&tab, "state()").await;
    assert!(before.starts_with("[[],0,300,40,\"field\",2,6,"), "{before}");
    for _ in 0..3 {
        let look = capture(&tab).await;
        listing(&tab, &look).await;
        capture_with_hidden(&tab).await;
    }
    // Events and observers are told after the script that caused them, and with the next frames at the latest.
    in_the_page::<IgnoredAny>(
        &tab,
        "requestAnimationFrame(() => requestAnimationFrame(() => { window.isLater = true; }))",
    )
    .await;
    until("two frames later", async || in_the_page(&tab, "window.isLater === true").await).await;
    in_the_page::<bool>(&tab, "delete window.isLater").await;
    assert_eq!(in_the_page::<String>(&tab, "state()").await, before);
    assert!(!in_the_page::<bool>(&tab, "'legwork' in window").await, "our own world stays ours");
    stage.end().await;
}

#[tokio::test]
async fn the_accessibility_tree_is_read_unnoticed_too() {
    let stage = Stage::new().await;
    let tab = loaded(&stage, "look_watched.html").await;
    until("the page watches", async || in_the_page(&tab, "window.isWatching === true").await).await;
    let before: String = in_the_page(&tab, "state()").await;
    let options = CaptureOptions { source: Source::AccessibilityTree, ..CaptureOptions::default() };
    tab.capture(&options, &soon()).await.unwrap();
    assert_eq!(in_the_page::<String>(&tab, "state()").await, before);
    stage.end().await;
}
