//! Frames: presses reach them through everything around them, and never through what covers them.

use super::*;

#[tokio::test]
async fn a_frame_of_another_site_is_never_pressed_through_a_cover() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_frame_covered.html").await;
    let limit = Limit::within(Duration::from_secs(8));
    let deed = Deed::Click(Click::default());
    let not = looked(&stage).await.act_within(&stage, "In far", deed, &limit).await.expect_err("refused");
    assert!(
        matches!(&not.why, Blocked::Obscured { by } if by.untrusted() == "dialog \"Offer\"")
            && not.permit.is_some(),
        "{not:?}"
    );
    for frame in ["act_frame_covered", "act_inner"] {
        assert_eq!(presses(&tab, frame).await, [""; 0]);
    }
    stage.end().await;
}

#[tokio::test]
async fn a_frame_whose_cover_goes_is_waited_for() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_frame_covered.html?freed").await;
    click(&stage, "In far").await.expect("it becomes free");
    assert_eq!(presses(&tab, "act_inner").await, whole_press("inner"));
    stage.end().await;
}

#[tokio::test]
async fn frames_in_frames_in_shadow_roots_are_scrolled_to() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_frames_deep.html").await;
    until("the innermost frame is there", async || {
        let frames = tab.frames().await.unwrap();
        frames.iter().any(|frame| frame.url.contains("?deep"))
    })
    .await;
    assert!(tab.loaded(&soon()).await);
    click(&stage, "In deep").await.expect("it can be pressed");
    assert_eq!(presses(&tab, "act_inner").await, whole_press("inner"));
    stage.end().await;
}
