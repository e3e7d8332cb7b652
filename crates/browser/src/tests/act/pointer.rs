//! Each deed of the mouse in the page, in frames of both kinds and in shadow roots of both kinds.

use legwork_types::{
    Presses,
    contract::{Modifier, MouseButton},
};

use super::*;

#[tokio::test]
async fn a_press_arrives_in_every_kind_of_place() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_basic.html").await;
    for (name, frame, id) in [
        ("Go", "act_basic", "go"),
        ("In open", "act_basic", "open"),
        ("In near", "act_inner.html?near", "inner"),
        ("In far", "act_inner.html?far", "inner"),
    ] {
        let before = presses(&tab, frame).await.len();
        let done = click(&stage, name).await.unwrap_or_else(|not| panic!("{name}: {not:?}"));
        assert!(done.receipt.dispatched, "{name}");
        assert_eq!(presses(&tab, frame).await[before..], whole_press(id), "{name}");
    }
    let before = presses(&tab, "act_basic").await.len();
    click(&stage, "In closed").await.expect("it can be pressed");
    let all = presses(&tab, "act_basic").await;
    assert!(whole_press("shut").iter().all(|kind| all[before..].contains(kind)), "{all:?}");
    stage.end().await;
}

#[tokio::test]
async fn buttons_counts_and_modifiers_arrive_as_asked() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_basic.html").await;
    let deed = |button, count, modifiers| Deed::Click(Click { button, count, modifiers });
    act_on(&stage, "Go", deed(MouseButton::Right, Presses::One, vec![])).await.expect("a right press");
    let all = presses(&tab, "act_basic").await;
    assert!(all.contains(&"contextmenu:go".to_owned()), "{all:?}");
    act_on(&stage, "Go", deed(MouseButton::Middle, Presses::One, vec![])).await.expect("a middle press");
    assert!(presses(&tab, "act_basic").await.contains(&"auxclick:go".to_owned()));
    act_on(&stage, "Go", deed(MouseButton::Left, Presses::Two, vec![])).await.expect("a double press");
    let all = presses(&tab, "act_basic").await;
    assert_eq!(all.last().map(String::as_str), Some("dblclick:go"), "{all:?}");
    let held = vec![Modifier::Control, Modifier::Shift];
    act_on(&stage, "Other", deed(MouseButton::Left, Presses::One, held)).await.expect("a press with keys");
    let all = presses(&tab, "act_basic").await;
    assert_eq!(all.last().map(String::as_str), Some("click:other+ctrlKey+shiftKey"), "{all:?}");
    stage.end().await;
}

#[tokio::test]
async fn a_hidden_box_is_pressed_by_its_label() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_basic.html").await;
    click(&stage, "Agree").await.expect("it can be pressed");
    let ticked: bool = read(&tab, "document.getElementById('box').checked").await;
    assert!(ticked, "{:?}", presses(&tab, "act_basic").await);
    stage.end().await;
}
