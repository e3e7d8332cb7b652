//! Pages that want to be too much, from the capture to what callers get: bounded, and what is missing is counted.

#![allow(clippy::expect_used, clippy::panic)]

mod common;

use common::*;
use legwork_observe::{
    PageCapture,
    capture::{Control, FrameLook, GroupCapture, GroupKind, LeftOut, NodeRef, Rect},
    tokens,
};
use legwork_types::contract::{Include, ObserveOptions};

const CONTROLS: usize = 20_000;
const TEXTS: usize = 30_000;
/// The longest name or text, and how many have one: the rest is short, so that the test is.
const LONG: usize = 300;
const LONG_ONES: usize = 20;

/// How the groups of a page are nested.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// Every group in the one before.
    Deep,
    /// Cards side by side.
    Wide,
}

fn a_control(nth: usize, words: &str) -> Control {
    let El::Control(mut control, _) = (match nth % 5 {
        0 => field(words).value(words),
        1 => link(words).set(|a| a.href = Some(format!("/{words}/{nth}").into())),
        2 => control("combobox", words).set(|a| {
            a.options = vec![words.into(); 3];
            a.option_count = Some(u32::MAX);
        }),
        3 => field("Card number").value(&format!("4111 1111 {:04} {:04}", nth / 10_000, nth % 10_000)),
        _ => button(words),
    }) else {
        panic!("a control")
    };
    control.index = nth as u32;
    control.attributes.id = Some(format!("{words}{nth}").into());
    *control
}

fn a_group(nth: usize, words: &str, children: Vec<NodeRef>) -> GroupCapture {
    use GroupKind::*;
    let kinds = [Generic, Item, Row, List, Region, Form, Dialog, Alert, Heading, Fieldset, Nav, Main];
    GroupCapture {
        kind: kinds[nth % kinds.len()],
        level: 2,
        name: words.into(),
        fixed: nth.is_multiple_of(7),
        rect: Rect { x: 0.0, y: 0.0, width: 900.0, height: 700.0 },
        attributes: Box::default(),
        children,
    }
}

/// A page as large as the walker lets it be, with these words everywhere.
fn huge(words: &str, shape: Shape) -> PageCapture {
    let long: String = words.chars().cycle().take(LONG).collect();
    let short: String = long.chars().take(20).collect();
    let words = |nth: usize| if nth.is_multiple_of(LONG_ONES) { &long } else { &short };
    let mut capture = page(vec![]).capture();
    capture.frames[0].look.document.title = long.repeat(10).into();
    let look: &mut FrameLook = &mut capture.frames[0].look;
    look.controls = (0..CONTROLS).map(|nth| a_control(nth, words(nth))).collect();
    look.texts = (0..TEXTS).map(|nth| format!("{nth} {} 4111111100000003", words(nth)).into()).collect();
    look.left_out = LeftOut { hidden: 11, over_budget: 12, hidden_texts: 13, ..LeftOut::default() };
    let groups = CONTROLS / 4;
    for nth in 0..groups {
        let mut children: Vec<NodeRef> = (0..4).map(|n| NodeRef::Control((4 * nth + n) as u32)).collect();
        children.extend((0..6).map(|n| NodeRef::Text((6 * nth + n) as u32)));
        if matches!(shape, Shape::Deep) && nth > 0 {
            children.push(NodeRef::Group(nth as u32 - 1));
        }
        look.groups.push(a_group(nth, words(nth), children));
    }
    look.roots = match shape {
        Shape::Deep => vec![NodeRef::Group(groups as u32 - 1)],
        Shape::Wide => (0..groups as u32).map(NodeRef::Group).collect(),
    };
    capture
}

fn check(words: &str, shape: Shape) {
    let capture = huge(words, shape);
    let look = look(&capture);
    let mut options = ObserveOptions { include: vec![Include::Boxes], ..ObserveOptions::default() };
    let mut told = 0;
    for part in 0..2 {
        let reading = read(&look, &options);
        let observation = &reading.observation;
        let cost = tokens::estimate(&reading.text);
        assert!(cost <= 2_000, "{words} {shape:?}: {cost} tokens\n{}", reading.text);
        let json = serde_json::to_string(observation).expect("an observation");
        assert!(json.len() <= 100_000, "{words} {shape:?}: {} bytes", json.len());
        let listed = observation.affordances.len();
        told += listed;
        assert!(listed > 0 && observation.has_more && observation.next_cursor.is_some());
        let omitted = observation.omitted;
        assert_eq!(listed + omitted.paged as usize + omitted.disabled as usize, CONTROLS);
        assert_eq!((omitted.hidden, omitted.hidden_text), (11, 13));
        assert!(omitted.over_budget >= 12, "{omitted:?}");
        let more = format!("{} more", CONTROLS - told);
        let says_more = |line: &str| line.starts_with(&more) && line.contains(": cursor ");
        assert!(reading.text.lines().any(says_more), "part {part} lacks {more}\n{}", reading.text);
        // The rest is said once, in the first part.
        let rest = "11 hidden, 12 over limits, 13 hidden texts";
        assert_eq!(reading.text.contains(rest), part == 0, "{}", reading.text);
        assert!(!reading.text.contains("00000003") && !json.contains("00000003"));
        options.cursor.clone_from(&observation.next_cursor);
    }
}

#[test]
fn a_deep_page_of_plain_words() {
    check("Proceed to the checkout now ", Shape::Deep);
}

#[test]
fn a_wide_page_of_dear_letters() {
    check("漢字\u{202e}\"\\😀ᏣᎳᎩ", Shape::Wide);
}
