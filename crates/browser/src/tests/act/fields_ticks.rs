//! Boxes and switches: pressed once where they have to be, and not at all where they are so already.

use legwork_types::Tick;

use super::{fields_kit::*, *};

const ON: Deed = Deed::Tick(Tick::On);
const OFF: Deed = Deed::Tick(Tick::Off);

#[tokio::test]
async fn boxes_are_ticked_by_one_press() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_ticks.html").await;
    for (name, deed, id, now) in [
        ("Box", ON, "box", "true"),
        ("Ticked", OFF, "ticked", "false"),
        ("Hidden", ON, "hidden", "true"),
        ("Large", ON, "large", "true"),
        ("Mixed", OFF, "mixed", "false"),
    ] {
        assert!(done(&stage, name, deed).await, "{name}");
        assert_eq!(value(&tab, &format!("document.getElementById('{id}').checked")).await, now, "{name}");
    }
    let changes = told(&tab, "field_ticks", &["change"]).await;
    let once = ["change:box=true", "change:ticked=false", "change:hidden=true", "change:large=true"];
    assert_eq!(changes[..4], once);
    stage.end().await;
}

#[tokio::test]
async fn switches_of_the_page_are_pressed_and_waited_for() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_ticks.html").await;
    assert!(done(&stage, "Aria", ON).await);
    assert_eq!(value(&tab, "document.getElementById('aria').ariaChecked").await, "true");
    assert!(done(&stage, "Switch", OFF).await);
    assert_eq!(value(&tab, "document.getElementById('switch').ariaChecked").await, "false");
    assert!(done(&stage, "Toggle", ON).await);
    assert_eq!(told(&tab, "field_ticks", &["click"]).await.len(), 3);
    stage.end().await;
}

#[tokio::test]
async fn nothing_is_pressed_where_it_is_so_already() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_ticks.html").await;
    for (name, deed) in
        [("Box", OFF), ("Ticked", ON), ("Small", ON), ("Large", OFF), ("Switch", ON), ("Aria", OFF)]
    {
        assert!(!done(&stage, name, deed).await, "{name}");
    }
    assert_eq!(events(&tab, "field_ticks").await, []);
    stage.end().await;
}

#[tokio::test]
async fn what_does_not_change_is_told() {
    let stage = Stage::new().await;
    opened(&stage, "field_ticks.html").await;
    let (not, sent) = refused(&stage, "Stubborn", ON).await;
    assert!(sent && why(&not).contains("left it as it was"), "{not:?}");
    let (not, sent) = refused(&stage, "Small", OFF).await;
    assert!(!sent && why(&not).contains("choosing another"), "{not:?}");
    let (not, sent) = refused(&stage, "Button", ON).await;
    assert!(!sent && why(&not).contains("can't be ticked"), "{not:?}");
    stage.end().await;
}

#[tokio::test]
async fn boxes_in_frames_and_shadow_roots_are_ticked() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    for (name, frame, id) in [
        ("Box in open", "field_texts", "open-box"),
        ("Box in closed", "field_texts", "closed-box"),
        ("Box in near", "field_inner.html?near", "box"),
        ("Box in far", "field_inner.html?far", "box"),
    ] {
        assert!(done(&stage, name, ON).await, "{name}");
        let inputs = told(&tab, frame, &["input"]).await;
        assert_eq!(inputs.last(), Some(&format!("input:{id}=true")), "{name}");
        assert!(!done(&stage, name, ON).await, "{name}");
    }
    stage.end().await;
}
