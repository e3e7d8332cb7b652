//! Choosing from lists that pages draw themselves: opened and pressed by the real mouse, and never left open in vain.

use legwork_types::Choice;

use super::{fields_kit::*, *};

#[tokio::test]
async fn an_option_of_a_list_in_sight_is_pressed() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_comboboxes.html").await;
    assert!(done(&stage, "Shown", label("Green")).await);
    assert_eq!(value(&tab, "document.getElementById('s2').ariaSelected").await, "true");
    assert_eq!(told(&tab, "field_comboboxes", &["click"]).await, ["click:s2=Green"]);
    assert!(!done(&stage, "Shown", label("Green")).await, "nothing is sent where it is so already");
    let (not, sent) = refused(&stage, "Shown", label("Grey")).await;
    assert!(!sent && why(&not).contains("switched off"), "{not:?}");
    let (not, sent) = refused(&stage, "Shown", label("Blue")).await;
    assert!(!sent && why(&not).contains("\"Red\", \"Green\""), "{not:?}");
    stage.end().await;
}

#[tokio::test]
async fn a_list_that_opens_is_opened_and_chosen_from() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_comboboxes.html").await;
    assert!(done(&stage, "Plain", label("Beta")).await);
    assert_eq!(value(&tab, "document.getElementById('plain').textContent").await, "Beta");
    assert!(done(&stage, "Plain", Deed::Select(Choice::Value("x".to_owned()))).await);
    assert_eq!(value(&tab, "document.getElementById('plain').textContent").await, "Alpha");
    assert!(done(&stage, "Plain", Deed::Select(Choice::Index(1))).await);
    assert_eq!(value(&tab, "document.getElementById('plain').textContent").await, "Beta");
    let clicks = told(&tab, "field_comboboxes", &["click"]).await;
    assert!(clicks.iter().all(|click| !click.ends_with('!')), "{clicks:?}");
    stage.end().await;
}

#[tokio::test]
async fn options_that_come_late_and_elsewhere_are_found() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_comboboxes.html").await;
    assert!(done(&stage, "Portal", label("Item 37")).await);
    assert_eq!(value(&tab, "document.getElementById('portal').textContent").await, "Item 37");
    stage.end().await;
}

#[tokio::test]
async fn what_filters_while_one_types_gets_the_words() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_comboboxes.html").await;
    assert!(done(&stage, "Filter", label("Bern")).await);
    assert_eq!(value(&tab, "document.getElementById('filter').dataset.chosen").await, "Bern");
    assert_eq!(held(&tab, "filter").await, "Bern");
    stage.end().await;
}

#[tokio::test]
async fn a_list_that_was_opened_in_vain_is_closed() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_comboboxes.html").await;
    let (not, sent) = refused(&stage, "Plain", label("Gamma")).await;
    assert!(sent && why(&not).contains("\"Alpha\", \"Beta\""), "{not:?}");
    assert_eq!(value(&tab, "document.getElementById('plain-list').hidden").await, "true");
    let (not, sent) = refused(&stage, "Portal", label("Item 99")).await;
    assert!(sent && why(&not).contains("\"Item 9\" and 30 more"), "{not:?}");
    assert_eq!(value(&tab, "document.getElementById('portal-list')").await, "null");
    let (not, _) = refused(&stage, "Filter", label("Bo")).await;
    assert!(why(&not).contains("\"Bonn\""), "{not:?}");
    assert_eq!(value(&tab, "document.getElementById('filter-list').hidden").await, "true");
    stage.end().await;
}

#[tokio::test]
async fn what_does_more_than_choose_is_not_pressed_by_choosing() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_comboboxes.html").await;
    let (not, sent) = refused(&stage, "Menu", label("Delete all")).await;
    assert!(!sent && why(&not).contains("nothing to choose from"), "{not:?}");
    let (not, _) = refused(&stage, "Leading", label("Away")).await;
    assert!(why(&not).contains("leads somewhere"), "{not:?}");
    assert_eq!(value(&tab, "document.documentElement.dataset.deleted").await, "undefined");
    assert!(tab.url().ends_with("field_comboboxes.html"));
    stage.end().await;
}

#[tokio::test]
async fn lists_in_a_frame_of_another_site_are_chosen_from() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_frames.html").await;
    assert!(done(&stage, "Plain", label("Beta")).await);
    assert!(done(&stage, "Portal", label("Item 3")).await);
    assert!(done(&stage, "Filter", label("Bonn")).await);
    let clicks = told(&tab, "field_comboboxes", &["click"]).await;
    for option in ["click:DIV=Beta", "click:DIV=Item 3", "click:DIV=Bonn"] {
        assert!(clicks.contains(&option.to_owned()), "{clicks:?}");
    }
    stage.end().await;
}
