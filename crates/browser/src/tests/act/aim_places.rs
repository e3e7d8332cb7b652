//! Wherever an element is on the page, it is brought into sight and pressed.

use super::*;

async fn pressed(stage: &Stage, page: &str, name: &str, id: &str) {
    let tab = opened(stage, page).await;
    click(stage, name).await.unwrap_or_else(|not| panic!("{page} {name}: {not:?}"));
    assert_eq!(presses(&tab, page).await, whole_press(id), "{page} {name}");
}

#[tokio::test]
async fn bars_that_stay_at_an_edge_are_scrolled_away_from() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_sticky.html").await;
    click(&stage, "Between").await.expect("from above");
    let _: bool = read(&tab, "(scrollTo(0, 9999), true)").await;
    click(&stage, "Between").await.expect("from below");
    assert_eq!(presses(&tab, "act_sticky").await, [whole_press("between"), whole_press("between")].concat());
    stage.end().await;
}

#[tokio::test]
async fn containers_in_containers_are_all_scrolled() {
    let stage = Stage::new().await;
    pressed(&stage, "act_nested_scroll.html", "Deep", "deep").await;
    pressed(&stage, "act_rtl.html", "Last", "last").await;
    pressed(&stage, "act_rtl.html", "First", "first").await;
    pressed(&stage, "act_rtl.html", "a link of several short lines", "lines").await;
    stage.end().await;
}

#[tokio::test]
async fn zoomed_and_turned_elements_are_hit() {
    let stage = Stage::new().await;
    pressed(&stage, "act_transformed.html", "Zoomed", "zoomed").await;
    pressed(&stage, "act_transformed.html", "Turned", "turned").await;
    for frame in ["turned", "zoomed"] {
        let tab = stage.tab().await;
        click(&stage, &format!("In {frame}")).await.unwrap_or_else(|not| panic!("{frame}: {not:?}"));
        let part = format!("act_inner.html?{frame}");
        assert_eq!(presses(&tab, &part).await, whole_press("inner"), "{frame}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_list_that_renders_only_what_is_seen_is_scrolled_and_used() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_virtual_list.html").await;
    let down = Scroll { direction: Direction::Down, pixels: 4000 };
    act_on(&stage, "Rows", Deed::Scroll(down)).await.expect("it can be scrolled");
    until("the rows are there", async || read(&tab, "document.getElementById('row101') !== null").await)
        .await;
    click(&stage, "Row 101").await.expect("it can be pressed");
    assert_eq!(presses(&tab, "act_virtual").await.last().map(String::as_str), Some("click:row101"));
    stage.end().await;
}

#[tokio::test]
async fn controls_in_controls_get_only_what_is_meant_for_them() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_nested_controls.html").await;
    let looked = looked(&stage).await;
    let click = || Deed::Click(Click::default());
    // The box is pressed on its label, beside the link in it; the card beside the button in it; the cell on what fills it.
    for (name, is_wanted) in [("Terms Agree", "checkbox"), ("15", "cell")] {
        let mut all = (1..).map(ActionId).take(looked.look.scene().items.len());
        let number = all.find(|number| {
            let affordance = looked.look.affordance(*number).expect("it is there");
            affordance.name.untrusted() == name && affordance.role.ends_with(is_wanted)
        });
        let target = number.unwrap_or_else(|| panic!("{name} is in {:?}", looked.look.scene().items));
        let permit = looked.permit(Intent::OnElement { target, deed: click() });
        stage
            .context
            .act(permit, &looked.aims(), &soon())
            .await
            .unwrap_or_else(|not| panic!("{name}: {not:?}"));
    }
    assert!(read::<bool>(&tab, "document.getElementById('box').checked && location.hash === ''").await);
    looked.act(&stage, "Card", click()).await.expect("the card is pressed");
    looked.act(&stage, "Save", click()).await.expect("what its style adds meanwhile does not matter");
    for name in ["Ripple", "Spot"] {
        looked.act(&stage, name, click()).await.unwrap_or_else(|not| panic!("{name}: {not:?}"));
    }
    looked.act(&stage, "Away", click()).await.expect("the label is pressed");
    assert!(read::<bool>(&tab, "document.getElementById('away').checked && location.hash === '#spot'").await);
    let all = presses(&tab, "act_nested").await;
    assert!(all.contains(&"click:card".to_owned()) && all.contains(&"click:save".to_owned()), "{all:?}");
    assert!(!all.iter().any(|entry| entry.ends_with(":remove") || entry.ends_with(":terms")), "{all:?}");
    stage.end().await;
}
