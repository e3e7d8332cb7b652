//! Choosing from the browser's own lists: the page hears of the choice once, and of nothing on the way.

use legwork_types::Choice;

use super::{fields_kit::*, *};

fn by_value(value: &str) -> Deed {
    Deed::Select(Choice::Value(value.to_owned()))
}

const CHANGES: &[&str] = &["input", "change"];

#[tokio::test]
async fn a_choice_is_heard_of_once() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_lists.html").await;
    for (deed, chosen) in [
        (label("Cat"), "c"),
        (label("hen HOUSE"), "h"),
        (by_value("a"), "a"),
        (Deed::Select(Choice::Index(6)), "g"),
        (Deed::Select(Choice::LabelOrValue("c".to_owned())), "c"),
    ] {
        let before = told(&tab, "field_lists", CHANGES).await.len();
        assert!(done(&stage, "Animal", deed.clone()).await, "{deed:?}");
        let heard = told(&tab, "field_lists", CHANGES).await.split_off(before);
        assert_eq!(heard, [format!("input:animal={chosen}"), format!("change:animal={chosen}")], "{deed:?}");
    }
    assert!(!done(&stage, "Animal", label("Cat")).await, "nothing is sent where it is so already");
    assert_eq!(value(&tab, "document.querySelector(':open') === null").await, "true");
    stage.end().await;
}

#[tokio::test]
async fn an_option_far_down_a_long_list_is_chosen() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_lists.html").await;
    assert!(done(&stage, "Endless", label("1500")).await, "too far for keys");
    assert_eq!(held(&tab, "endless").await, "1500");
    for (wanted, chosen) in [("Number 120", "v120"), ("Number 249", "v249"), ("Number 0", "v0")] {
        let before = told(&tab, "field_lists", CHANGES).await.len();
        assert!(done(&stage, "Number", label(wanted)).await, "{wanted}");
        let heard = told(&tab, "field_lists", CHANGES).await.split_off(before);
        assert_eq!(heard, [format!("input:number={chosen}"), format!("change:number={chosen}")]);
    }
    stage.end().await;
}

#[tokio::test]
async fn lists_drawn_by_the_page_s_own_style_are_chosen_from() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_lists.html").await;
    assert!(done(&stage, "Custom", label("Dog")).await);
    assert_eq!(told(&tab, "field_lists", CHANGES).await, ["input:custom=d", "change:custom=d"]);
    assert_eq!(value(&tab, "document.querySelector(':open') === null").await, "true");
    stage.end().await;
}

#[tokio::test]
async fn options_that_are_missing_or_off_are_refused_and_nothing_stays_open() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_lists.html").await;
    let (not, sent) = refused(&stage, "Animal", label("Yeti")).await;
    assert!(!sent && why(&not).contains("\"Ant\"") && why(&not).contains("\"Cat\""), "{not:?}");
    let (not, _) = refused(&stage, "Number", label("Yeti")).await;
    assert!(why(&not).contains("\"Number 9\" and 240 more"), "{not:?}");
    for off in ["Bee", "Dog", "Fox"] {
        let (not, sent) = refused(&stage, "Animal", label(off)).await;
        assert!(!sent && why(&not).contains("switched off"), "{off}: {not:?}");
    }
    let (not, sent) = refused(&stage, "Own", label("Two")).await;
    assert!(sent && why(&not).contains("does not let the list be opened"), "{not:?}");
    assert_eq!(told(&tab, "field_lists", CHANGES).await, [""; 0]);
    assert_eq!(value(&tab, "document.querySelector(':open') === null").await, "true");
    stage.end().await;
}

#[tokio::test]
async fn a_list_that_is_filled_when_it_gets_the_keys_is_read_again() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_lists.html").await;
    assert!(done(&stage, "Late", label("Zebra")).await);
    assert_eq!(held(&tab, "late").await, "Zebra");
    stage.end().await;
}

#[tokio::test]
async fn lists_that_show_their_options_are_pressed() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_lists.html").await;
    let chosen = "Array.from(document.getElementById('several').selectedOptions, (one) => one.value).join()";
    assert!(done(&stage, "Several", label("Fox")).await);
    assert_eq!(value(&tab, chosen).await, "Bee,Fox");
    assert!(!done(&stage, "Several", label("Fox")).await, "another press would take it away");
    assert!(done(&stage, "Several", label("Ant")).await);
    assert_eq!(value(&tab, chosen).await, "Ant,Bee,Fox");
    assert!(done(&stage, "Open", label("Emu")).await);
    assert_eq!(held(&tab, "open").await, "Emu");
    let heard = told(&tab, "field_lists", &["change"]).await;
    assert!(heard.len() == 3 && heard.iter().all(|one| !one.ends_with('!')), "{heard:?}");
    stage.end().await;
}

#[tokio::test]
async fn a_suggestion_of_the_browser_is_written() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_lists.html").await;
    assert!(done(&stage, "Town", label("Munich")).await);
    assert_eq!(held(&tab, "town").await, "MUC");
    let (not, _) = refused(&stage, "Town", label("Paris")).await;
    assert!(why(&not).contains("\"Berlin\", \"Munich\""), "{not:?}");
    stage.end().await;
}

#[tokio::test]
async fn lists_in_frames_and_shadow_roots_are_chosen_from() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    for (name, frame, id) in [
        ("List in open", "field_texts", "open-list"),
        ("List in closed", "field_texts", "closed-list"),
        ("List in near", "field_inner.html?near", "list"),
        ("List in far", "field_inner.html?far", "list"),
    ] {
        let before = told(&tab, frame, CHANGES).await.len();
        assert!(done(&stage, name, label("Three")).await, "{name}");
        let heard = told(&tab, frame, CHANGES).await.split_off(before);
        let inputs: Vec<_> = heard.iter().filter(|one| one.starts_with(&format!("input:{id}="))).collect();
        assert_eq!(inputs, [&format!("input:{id}=Three")], "{name}: {heard:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_list_that_is_open_already_is_chosen_from() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_lists.html").await;
    click(&stage, "Animal").await.expect("it opens");
    assert_eq!(value(&tab, "document.querySelector(':open') !== null").await, "true");
    assert!(done(&stage, "Animal", label("Cat")).await);
    assert_eq!(told(&tab, "field_lists", CHANGES).await, ["input:animal=c", "change:animal=c"]);
    assert_eq!(value(&tab, "document.querySelector(':open') === null").await, "true");
    stage.end().await;
}
