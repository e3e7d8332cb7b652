//! When a look says that a model should see a picture of the page: words may not be enough to tell what is in sight.

mod common;

use common::*;
use legwork_observe::{
    Look,
    capture::{Flag, GroupKind, Rect},
};
use legwork_types::{
    Timestamp,
    contract::{ObservationId, SessionId},
};

fn is_drawn(body: Vec<El>) -> bool {
    look(&page(body).capture()).is_drawn()
}

/// Whether this page is, with a surface in one of its frames.
fn is_drawn_with(doc: &Doc, frame: usize, x: f32, y: f32, width: f32, height: f32) -> bool {
    let mut capture = doc.capture();
    assert!(!look(&capture).is_drawn(), "without the surface it is not");
    capture.frames[frame].look.surfaces.push(Rect { x, y, width, height });
    look(&capture).is_drawn()
}

#[test]
fn what_script_draws_is_drawn_where_enough_of_it_is_in_sight() {
    let doc = page(vec![heading(1, "Board"), button("New game")]);
    assert!(is_drawn_with(&doc, 0, 0.0, 0.0, 400.0, 300.0));
    assert!(is_drawn_with(&doc, 0, 900.0, 740.0, 100.0, 60.0));
    assert!(!is_drawn_with(&doc, 0, 0.0, 0.0, 99.0, 300.0), "a narrow one is decoration");
    assert!(!is_drawn_with(&doc, 0, 0.0, 0.0, 400.0, 59.0), "so is a low one");
    assert!(!is_drawn_with(&doc, 0, 950.0, 0.0, 400.0, 300.0), "too little of it is in sight");
    assert!(!is_drawn_with(&doc, 0, 0.0, 800.0, 400.0, 300.0), "nothing of it is");
}

#[test]
fn in_a_frame_only_what_the_frame_shows_of_it_counts() {
    let framed = |owner| page(vec![El::Frame(Box::new(owner), Box::new(page(vec![text("x")])))]);
    let shown = owner("/in", upright(100.0, 100.0, 300.0, 200.0), [300.0, 200.0]);
    assert!(is_drawn_with(&framed(shown.clone()), 1, 0.0, 0.0, 300.0, 200.0));
    assert!(!is_drawn_with(&framed(shown.clone()), 1, 250.0, 0.0, 300.0, 200.0), "cut off by the frame");
    let below = owner("/in", upright(100.0, 770.0, 300.0, 200.0), [300.0, 200.0]);
    assert!(!is_drawn_with(&framed(below), 1, 0.0, 0.0, 300.0, 200.0), "the frame is hardly in sight");
    let mut hidden = shown;
    hidden.visible = false;
    assert!(!is_drawn_with(&framed(hidden), 1, 0.0, 0.0, 300.0, 200.0), "nobody sees the frame");
    let small = owner("/in", upright(0.0, 0.0, 75.0, 50.0), [300.0, 200.0]);
    assert!(!is_drawn_with(&framed(small), 1, 0.0, 0.0, 300.0, 200.0), "the frame is drawn small");
}

#[test]
fn a_control_that_nothing_tells_of_is_drawn() {
    assert!(is_drawn(vec![button("")]));
    assert!(is_drawn(vec![field("")]));
    assert!(is_drawn(vec![clickable(vec![])]));
    assert!(is_drawn(vec![button("\u{f1f8}")]), "the letter of an icon font says nothing");
    assert!(!is_drawn(vec![button("×")]), "a sign does");
    assert!(!is_drawn(vec![button("Delete")]));
    assert!(!is_drawn(vec![clickable(vec![text("Delete")])]));
    assert!(!is_drawn(vec![field("").set(|a| a.placeholder = Some("Search".into()))]));
    assert!(!is_drawn(vec![]));
}

#[test]
fn only_what_can_be_used_now_counts() {
    assert!(!is_drawn(vec![button("").flag(Flag::Disabled)]));
    assert!(!is_drawn(vec![button("").flag(Flag::Covered)]));
    assert!(!is_drawn(vec![button("").state(Default::default())]), "nobody sees it");
    assert!(!is_drawn(vec![button("").at(10.0, 2000.0, 20.0, 20.0)]), "it is further down");
}

#[test]
fn what_stands_beside_it_tells_of_a_control() {
    let beside = |words, control| boxed(vec![text(words), control]);
    assert!(!is_drawn(vec![beside("Dark mode", button("")), beside("Other", button("Go"))]));
    assert!(!is_drawn(vec![beside("Your town", field(""))]));
    let tools = boxed(vec![text("Milk"), button(""), button("")]);
    assert!(is_drawn(vec![tools]), "the same words tell none of two");
}

#[test]
fn a_control_within_it_tells_of_a_box_that_can_be_pressed() {
    let pressable = |inside: Vec<El>| clickable(inside).at(0.0, 0.0, 200.0, 50.0);
    assert!(!is_drawn(vec![pressable(vec![link("Basket")])]));
    assert!(is_drawn(vec![pressable(vec![link("Basket").at(300.0, 0.0, 50.0, 20.0)])]), "that is elsewhere");
    assert!(is_drawn(vec![pressable(vec![button("")])]));
}

#[test]
fn a_heading_tells_of_a_field_and_not_of_a_button() {
    assert!(is_drawn(vec![heading(1, "Player"), group(GroupKind::Main, vec![button("")])]));
    assert!(!is_drawn(vec![heading(1, "Search"), group(GroupKind::Main, vec![field("")])]));
}

#[test]
fn an_address_or_choices_tell_what_a_control_is_for() {
    let to = |href: &str| control("link", "").set(|a| a.href = Some(href.into()));
    assert!(!is_drawn(vec![to("/basket")]));
    assert!(!is_drawn(vec![to("#comments")]));
    assert!(is_drawn(vec![to("#")]));
    assert!(is_drawn(vec![to("javascript:void(0)")]));
    assert!(!is_drawn(vec![control("combobox", "").set(|a| a.options = vec!["Red".into(), "Blue".into()])]));
}

#[test]
fn what_could_not_be_looked_at_is_not_drawn() {
    let mut capture = page(vec![button("")]).capture();
    capture.frames[0].look.surfaces.push(Rect { x: 0.0, y: 0.0, width: 500.0, height: 500.0 });
    let seen = look(&capture);
    assert!(seen.is_drawn());
    let (id, session) = (ObservationId("o2".into()), SessionId("s1".into()));
    assert!(!Look::stale(seen.scene(), vec![], id, session, Timestamp::default()).is_drawn());
}
