//! The digest of a look: the same while the page is, another one when anything that a caller is told has changed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "common/random.rs"]
mod random;

use std::{fs, path::PathBuf};

use common::*;
use legwork_observe::{
    Look, PageCapture, Scene,
    capture::{ControlState, Flag, GroupKind, Rect, Switch, TabFacts},
};
use legwork_types::{
    FrameId, PageText, TabId, Timestamp,
    contract::{Dialog, ObservationId, SessionId},
};
use proptest::prelude::*;
use random::a_capture;

fn digest(capture: &PageCapture) -> u64 {
    look(capture).digest()
}

/// The same page, looked at by somebody else at another time, in another process and with other numbers.
fn looked_at_again(capture: &PageCapture) -> u64 {
    let mut capture = capture.clone();
    let renamed = |id: &FrameId| FrameId::new(format!("again-{id}"));
    for frame in &mut capture.frames {
        frame.facts.id = renamed(&frame.facts.id);
        frame.facts.parent = frame.facts.parent.as_ref().map(renamed);
        frame.facts.loader.push_str("-again");
        for control in &mut frame.look.controls {
            control.index = control.index.wrapping_add(7);
        }
    }
    let (id, session) = (ObservationId("o977".into()), SessionId("s977".into()));
    let time = Timestamp::of(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000));
    Look::numbered_from(4_000, Scene::of(&capture), id, session, time).digest()
}

fn fixtures() -> Vec<(String, PageCapture)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    files.map(|path| (path.display().to_string(), read(path))).collect()
}

#[test]
fn recorded_pages_have_digests_of_their_own() {
    let mut digests: Vec<u64> = Vec::new();
    for (name, capture) in fixtures() {
        let one = digest(&capture);
        assert_eq!(one, digest(&capture), "{name}");
        assert_eq!(one, looked_at_again(&capture), "{name}");
        assert!(!digests.contains(&one), "{name}");
        digests.push(one);
    }
    assert!(digests.len() >= 9, "the fixtures were not found");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn any_page_has_the_digest_that_it_had(capture in a_capture()) {
        prop_assert_eq!(digest(&capture), digest(&capture));
        prop_assert_eq!(digest(&capture), looked_at_again(&capture));
    }
}

/// A page with a bit of everything.
fn shop() -> PageCapture {
    let mut capture = page(vec![
        heading(1, "Basket"),
        text("Two things"),
        group(GroupKind::Alert, vec![text("Saved")]),
        group(GroupKind::Region, vec![link("Help")]).named("Aid"),
        field("Town").value("Bonn").form(0),
        password("Password").form(0),
        control("checkbox", "Gift").state(with(SEEN, Switch::Checked, 1)),
        control("button", "Menu").state(with(SEEN, Switch::Expanded, 1)),
        submit("Order", 0),
    ])
    .form("post", "/order")
    .capture();
    let tab = |n, title: &str| TabFacts {
        id: TabId::nth(n),
        url: "https://shop.example/".into(),
        title: title.into(),
        active: n == 1,
    };
    capture.tabs = vec![tab(1, "Shop"), tab(2, "Terms")];
    capture
}

/// A state with a switch set: 1 for off, 2 for on.
fn with(state: ControlState, switch: Switch, value: u32) -> ControlState {
    ControlState(state.0 & !(3 << switch as u32) | value << switch as u32)
}

type Change = (&'static str, fn(&mut PageCapture));

fn controls(page: &mut PageCapture) -> &mut Vec<legwork_observe::capture::Control> {
    &mut page.frames[0].look.controls
}

fn state(page: &mut PageCapture, control: usize, change: impl FnOnce(ControlState) -> ControlState) {
    let control = &mut controls(page)[control];
    control.state = change(control.state);
}

/// Controls of the shop by their places.
const TOWN: usize = 1;
const PASSWORD: usize = 2;
const GIFT: usize = 3;
const MENU: usize = 4;
const ORDER: usize = 5;

/// What a caller is told of.
const CHANGES: &[Change] = &[
    ("another address", |p| p.frames[0].look.document.url = "https://shop.example/b".into()),
    ("another title", |p| p.frames[0].look.document.title = "Shop (1)".into()),
    ("still loading", |p| p.idle = false),
    ("a letter typed", |p| controls(p)[TOWN].attributes.value = Some("Bonna".into())),
    ("emptied", |p| controls(p)[TOWN].attributes.value = None),
    ("a secret typed", |p| state(p, PASSWORD, |s| s.with(Flag::Filled))),
    ("ticked", |p| state(p, GIFT, |s| with(s, Switch::Checked, 2))),
    ("half ticked", |p| state(p, GIFT, |s| with(s, Switch::Checked, 3))),
    ("unfolded", |p| state(p, MENU, |s| with(s, Switch::Expanded, 2))),
    ("pressed", |p| state(p, MENU, |s| with(s, Switch::Pressed, 2))),
    ("selected", |p| state(p, MENU, |s| with(s, Switch::Selected, 2))),
    ("switched off", |p| state(p, ORDER, |s| s.with(Flag::Disabled))),
    ("focused", |p| state(p, TOWN, |s| s.with(Flag::Focused))),
    ("refused", |p| state(p, TOWN, |s| s.with(Flag::Invalid))),
    ("required", |p| state(p, TOWN, |s| s.with(Flag::Required))),
    ("covered", |p| state(p, ORDER, |s| s.with(Flag::Covered))),
    ("out of sight", |p| state(p, ORDER, |_| ControlState::default().with(Flag::Visible))),
    ("another role", |p| controls(p)[MENU].role = "link".into()),
    ("another name", |p| controls(p)[MENU].name = "Menu 2".into()),
    ("another target", |p| controls(p)[0].attributes.href = Some("/faq".into())),
    ("other choices", |p| controls(p)[TOWN].attributes.options = vec!["Bonn".into()]),
    ("one control less", |p| {
        p.frames[0].look.roots.pop();
        controls(p).pop();
    }),
    ("another text", |p| p.frames[0].look.texts[1] = "Three things".into()),
    ("another heading", |p| p.frames[0].look.texts[0] = "Order".into()),
    ("another notice", |p| p.frames[0].look.texts[2] = "Not saved".into()),
    ("another label", |p| {
        let region = p.frames[0].look.groups.iter_mut().find(|group| group.kind == GroupKind::Region);
        region.expect("there is one").name = "First aid".into();
    }),
    ("a dialog", |p| {
        let alert = p.frames[0].look.groups.iter_mut().find(|group| group.kind == GroupKind::Alert);
        alert.expect("there is one").kind = GroupKind::Modal;
    }),
    ("a dialog of the browser", |p| p.dialogs.push(Dialog { kind: "alert".into(), message: "Hi".into() })),
    ("another tab", |p| p.tabs[1].title = "Imprint".into()),
    ("a tab less", |p| p.tabs.truncate(1)),
    ("another tab in front", |p| p.tabs.iter_mut().for_each(|tab| tab.active = !tab.active)),
    ("a lost frame", |p| p.unreachable.push(p.frames[0].facts.clone())),
    ("scrolled", |p| p.frames[0].look.document.viewport[3] = 400),
    ("scrolled aside", |p| p.frames[0].look.document.viewport[2] = 400),
    ("another window", |p| p.frames[0].look.document.viewport[0] = 400),
    ("something drawn", |p| {
        p.frames[0].look.surfaces.push(Rect { x: 0.0, y: 0.0, width: 300.0, height: 150.0 });
    }),
];

#[test]
fn whatever_a_caller_is_told_makes_another_digest() {
    let mut seen = vec![("nothing", digest(&shop()))];
    for (what, change) in CHANGES {
        let mut changed = shop();
        change(&mut changed);
        let digest = digest(&changed);
        let like = seen.iter().find(|(_, other)| *other == digest);
        assert!(like.is_none(), "{what} is like {like:?}");
        assert_eq!(digest, looked_at_again(&changed), "{what}");
        seen.push((what, digest));
    }
}

/// What nobody is told, or what shakes while a page stands still.
const NO_CHANGES: &[Change] = &[
    ("nothing", |_| {}),
    ("the address that was asked for", |p| p.requested_url = "https://shop.example/".into()),
    ("another place", |p| controls(p)[ORDER].rect.x += 0.4),
    ("a place further down", |p| controls(p)[ORDER].rect.y += 30.0),
    ("scrolled by a hair", |p| p.frames[0].look.document.viewport[3] = 3),
    ("a longer page", |p| p.frames[0].look.document.viewport[5] += 100),
    ("an id made by a program", |p| controls(p)[ORDER].attributes.id = Some(":r7:".into())),
    ("more left out", |p| p.frames[0].look.left_out.closed_roots_unchecked = 3),
    ("a secret", |p| controls(p)[PASSWORD].attributes.value = Some("hunter22".into())),
];

#[test]
fn what_nobody_is_told_makes_no_other_digest() {
    // A secret field that is filled, so that only what is in it changes.
    let shop = || {
        let mut shop = shop();
        state(&mut shop, PASSWORD, |s| s.with(Flag::Filled));
        shop
    };
    for (what, change) in NO_CHANGES {
        let mut changed = shop();
        change(&mut changed);
        assert_eq!(digest(&changed), digest(&shop()), "{what}");
    }
}

#[test]
fn what_could_not_be_looked_at_is_told_by_its_dialogs() {
    let seen = look(&shop());
    let stale = |message: &str| {
        let (id, session) = (ObservationId("o2".into()), SessionId("s1".into()));
        let dialog = Dialog { kind: "confirm".into(), message: PageText::from(message) };
        Look::stale(seen.scene(), vec![dialog], id, session, Timestamp::default()).digest()
    };
    assert_eq!(stale("Sure?"), stale("Sure?"));
    assert_ne!(stale("Sure?"), stale("Really?"));
    assert_ne!(stale("Sure?"), seen.digest());
}
