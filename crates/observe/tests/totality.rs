//! Whatever a capture holds, it becomes a scene: no panic, every control once, and in time.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;
#[path = "common/random.rs"]
mod random;

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use common::*;
use legwork_observe::{
    Line, PageCapture, Scene,
    capture::{GroupCapture, GroupKind, NodeRef, Rect},
};
use legwork_types::PageText;
use proptest::prelude::*;
use random::a_capture;

fn check(capture: &PageCapture) {
    let scene = Scene::of(capture);
    let count: usize = capture.frames.iter().map(|frame| frame.look.controls.len()).sum();
    assert_eq!(scene.items.len(), count);
    let mut shown: HashMap<usize, u32> = HashMap::new();
    for line in &scene.outline {
        assert!(line.group < scene.groups.len());
        if let Line::Control(item) = line.line {
            *shown.entry(item).or_default() += 1;
        }
    }
    assert!(shown.len() == count && shown.values().all(|&times| times == 1));
    for (at, group) in scene.groups.iter().enumerate() {
        assert!(group.parent.map_or(at == 0, |parent| parent < at));
        assert!(group.form.is_none_or(|form| form < scene.forms.len()));
    }
    for item in &scene.items {
        assert!(item.group < scene.groups.len() && item.affordance.rect.is_some());
        assert!(item.affordance.name.untrusted().chars().count() <= 200);
        assert!(item.affordance.near_text.as_ref().is_none_or(|near| near.untrusted().chars().count() <= 80));
        assert!(!item.affordance.sensitive || item.affordance.value.is_none());
    }
    let items = scene.blockers.iter().flat_map(|blocker| &blocker.items);
    let items = items.chain(scene.forms.iter().flat_map(|form| form.fields.iter().chain(&form.submit)));
    assert!(items.into_iter().all(|&item| item < count));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_capture_becomes_a_scene(capture in a_capture()) {
        check(&capture);
        let again = format!("{:?}", Scene::of(&capture));
        prop_assert_eq!(again, format!("{:?}", Scene::of(&capture)));
    }
}

#[test]
fn an_empty_capture_is_an_empty_page() {
    check(&PageCapture::default());
    let scene = Scene::of(&PageCapture::default());
    assert!(scene.items.is_empty() && scene.groups.len() == 1 && scene.page.route_key.is_none());
}

#[test]
fn depth_costs_no_stack() {
    let mut capture = page(vec![button("deep")]).capture();
    let look = &mut capture.frames[0].look;
    let mut inner = look.roots.clone();
    for at in 0..100_000 {
        let fixed = at % 2 == 0;
        let kind = if at % 3 == 0 { GroupKind::Dialog } else { GroupKind::Generic };
        let attributes = Box::default();
        let (rect, name) = (Rect { x: 0.0, y: 0.0, width: 900.0, height: 900.0 }, PageText::default());
        look.groups.push(GroupCapture { kind, level: 0, name, fixed, rect, attributes, children: inner });
        inner = vec![NodeRef::Group(at)];
    }
    look.roots = inner;
    check(&capture);
}

/// Cards with four controls each, all of them different.
fn shop(cards: usize) -> PageCapture {
    let card = |n: usize| {
        let name: &'static str = Box::leak(format!("Product number {n}").into_boxed_str());
        group(
            GroupKind::Item,
            vec![
                heading(3, name),
                text("€ 30.00"),
                link(name).set(|a| a.href = Some(format!("/products/{n}?ref=list").into())),
                button("Add to basket").set(|a| a.id = Some(format!("add-{n}").into())),
                field("Quantity").value("1").form(0),
                button("Remove").hint("card-action"),
            ],
        )
        .hint("product-card product-card--wide grid__item")
    };
    page(vec![group(GroupKind::Main, vec![group(GroupKind::List, (0..cards).map(card).collect())])])
        .form("post", "/basket")
        .capture()
}

/// How long this thread has been at work; where nobody can say, how long it has been there.
fn at_work(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next().and_then(|first| first.parse().ok()));
    nanos.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

#[test]
fn the_cost_grows_with_the_page_and_no_faster() {
    let begin = Instant::now();
    let best = |capture: &PageCapture| {
        let runs = (0..5).map(|_| {
            let before = at_work(begin);
            let scene = Scene::of(capture);
            let spent = at_work(begin) - before;
            drop(scene);
            spent
        });
        runs.min().expect("five runs")
    };
    let (small, giant) = (shop(250), shop(2_500));
    check(&giant);
    let (of_small, of_giant) = (best(&small), best(&giant));
    println!("1,000 controls: {of_small:?}, 10,000 controls: {of_giant:?}");
    assert!(of_giant < 30 * of_small, "{of_small:?} {of_giant:?}");
    assert!(cfg!(debug_assertions) || of_giant < Duration::from_millis(150), "{of_giant:?}");
}
