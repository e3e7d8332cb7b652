//! Frames put together: places, sight, order, origins.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;

use common::*;
use legwork_observe::{
    Line, PageCapture, Scene,
    capture::{FrameFacts, GroupKind},
};
use legwork_types::{
    FrameId,
    contract::{
        ElementRect, FrameNumber, Landmark, ObserveOptions,
        RiskLevel::{Caution, Danger, Safe},
    },
};

fn rect(scene: &Scene, name: &str) -> (i32, i32, i32, i32) {
    let ElementRect { x, y, width, height } = item(scene, name).affordance.rect.expect("always there");
    (x, y, width, height)
}

fn framed(quad: [f32; 8], size: [f32; 2], child: Vec<El>) -> Scene {
    let inner = page(child).url("https://pay.example/card");
    page(vec![
        button("before"),
        El::Frame(Box::new(owner("https://pay.example/card", quad, size)), Box::new(inner)),
        button("after"),
    ])
    .scene()
}

#[test]
fn a_frame_stands_where_its_owner_stands() {
    let scene = framed(upright(100.0, 200.0, 400.0, 300.0), [400.0, 300.0], vec![button("in")]);
    assert_eq!(names(&scene), ["before", "in", "after"]);
    assert_eq!(rect(&scene, "in"), (110, 210, 100, 20));
    let inside = &item(&scene, "in").affordance;
    assert!(inside.in_viewport && inside.visible);
    assert_eq!(inside.frame_id, Some(FrameNumber(1)));
    assert_eq!(item(&scene, "before").affordance.frame_id, None);
    let element = item(&scene, "in").element.clone().expect("an element");
    assert_eq!((element.frame, &*element.loader, element.index), (FrameId::new("F1"), "L1", 0));
}

#[test]
fn scale_and_rotation_of_the_owner_count() {
    let scene = framed(upright(100.0, 200.0, 200.0, 150.0), [400.0, 300.0], vec![button("in")]);
    assert_eq!(rect(&scene, "in"), (105, 205, 50, 10));
    // A quarter turn clockwise: the child's x runs down the page, its y to the left.
    let quad = [500.0, 100.0, 500.0, 500.0, 200.0, 500.0, 200.0, 100.0];
    let scene = framed(quad, [400.0, 300.0], vec![button("in")]);
    assert_eq!(rect(&scene, "in"), (470, 110, 20, 100));
}

#[test]
fn what_a_frame_cuts_off_is_not_in_view() {
    let body =
        || vec![button("cut").at(350.0, 10.0, 100.0, 20.0), button("below").at(10.0, 400.0, 100.0, 20.0)];
    let scene = framed(upright(100.0, 200.0, 400.0, 300.0), [400.0, 300.0], body());
    assert_eq!(rect(&scene, "cut"), (450, 210, 50, 20));
    assert!(item(&scene, "cut").affordance.in_viewport);
    assert!(!item(&scene, "below").affordance.in_viewport);
    // The whole frame is below what is in sight of the tab.
    let scene = framed(upright(100.0, 900.0, 400.0, 300.0), [400.0, 300.0], body());
    assert!(
        scene.items.iter().filter(|i| i.affordance.frame_id.is_some()).all(|i| !i.affordance.in_viewport)
    );
    assert_eq!(rect(&scene, "cut"), (450, 910, 50, 20));
}

#[test]
fn frames_in_frames_go_through_every_owner() {
    let innermost = page(vec![button("deep")]).url("about:srcdoc");
    let middle = page(vec![El::Frame(
        Box::new(owner("", upright(50.0, 60.0, 100.0, 100.0), [200.0, 200.0])),
        Box::new(innermost),
    )])
    .url("https://other.example/");
    let scene = page(vec![El::Frame(
        Box::new(owner("", upright(100.0, 100.0, 400.0, 400.0), [400.0, 400.0])),
        Box::new(middle),
    )])
    .scene();
    assert_eq!(rect(&scene, "deep"), (155, 165, 50, 10));
    let foreign: Vec<_> = scene.page.frames.iter().map(|frame| frame.cross_origin).collect();
    assert_eq!(foreign, [false, true, false]);
}

#[test]
fn an_invisible_frame_shows_nothing() {
    let mut place = owner("", upright(0.0, 0.0, 400.0, 300.0), [400.0, 300.0]);
    place.visible = false;
    let innermost = page(vec![text("Deeper words")]);
    let inside = page(vec![
        heading(1, "Unseen heading"),
        group(GroupKind::Heading, vec![]).named("Unseen name"),
        group(GroupKind::Heading, vec![link("Unseen link")]),
        group(GroupKind::Modal, vec![text("Unseen words"), button("in")]),
        group(GroupKind::Alert, vec![text("Unseen alert")]),
        El::Frame(Box::new(owner("", upright(0.0, 0.0, 9.0, 9.0), [9.0, 9.0])), Box::new(innermost)),
    ]);
    let scene = page(vec![El::Frame(Box::new(place), Box::new(inside)), text("Seen"), button("out")]).scene();
    assert_eq!(names(&scene), ["Unseen link", "in", "out"]);
    for name in ["Unseen link", "in"] {
        let inside = &item(&scene, name).affordance;
        assert!(!inside.visible && !inside.in_viewport && inside.near_text.is_none(), "{inside:?}");
    }
    let read: Vec<_> = scene.outline.iter().filter(|line| !matches!(line.line, Line::Control(_))).collect();
    assert!(matches!(&read[..], [line] if line.line == Line::Text("Seen".into())), "{read:?}");
    assert_eq!(scene.omitted.hidden_text, 5);
    assert_eq!((scene.page.primary_heading, scene.page.banners, scene.page.modals), (None, vec![], vec![]));
    assert!(!scene.page.blocking_overlay.present);
}

#[test]
fn nothing_is_seen_through_a_pinhole() {
    for (size, seen) in [([1.0, 1.0], false), ([400.0, 1.0], false), ([400.0, 2.0], true)] {
        let [width, height] = size;
        let place = owner("", upright(0.0, 0.0, width, height), size);
        let inside = page(vec![text("Words"), button("in")]);
        let scene = page(vec![El::Frame(Box::new(place), Box::new(inside))]).scene();
        assert_eq!(item(&scene, "in").affordance.visible, seen, "{size:?}");
        assert_eq!(scene.omitted.hidden_text, u32::from(!seen), "{size:?}");
    }
}

#[test]
fn frames_without_a_place_come_last_and_unreachable_ones_are_listed() {
    let mut capture: PageCapture = page(vec![
        El::Frame(
            Box::new(owner("", upright(0.0, 0.0, 400.0, 300.0), [400.0, 300.0])),
            Box::new(page(vec![button("lost")])),
        ),
        button("own"),
    ])
    .capture();
    capture.frames[1].owner = None;
    capture.unreachable.push(FrameFacts {
        id: FrameId::new("X"),
        parent: None,
        loader: String::new(),
        url: "https://ads.example/".into(),
        name: Some("ad".into()),
    });
    let scene = Scene::of(&capture);
    assert_eq!(names(&scene), ["own", "lost"]);
    assert!(!item(&scene, "lost").affordance.in_viewport);
    let last = scene.page.frames.last().expect("three frames");
    assert_eq!((last.frame_id, last.cross_origin, last.omitted), (FrameNumber(2), true, true));
    assert_eq!(scene.omitted.unreachable_frames, 1);
}

#[test]
fn a_frame_takes_the_landmark_of_its_place() {
    let inner = page(vec![button("in")]);
    let scene = page(vec![
        group(
            GroupKind::Main,
            vec![El::Frame(
                Box::new(owner("", upright(0.0, 0.0, 10.0, 10.0), [10.0, 10.0])),
                Box::new(inner),
            )],
        ),
        button("out"),
    ])
    .scene();
    assert_eq!(item(&scene, "in").affordance.landmark, Landmark::Main);
    assert_eq!(item(&scene, "out").affordance.landmark, Landmark::Unknown);
}

fn shown(name: &str, body: Vec<El>) -> El {
    let mut place = owner("https://pay.example/card", upright(0.0, 200.0, 400.0, 300.0), [400.0, 300.0]);
    place.name = name.into();
    El::Frame(Box::new(place), Box::new(page(body).url("https://pay.example/card")))
}

#[test]
fn a_heading_outside_of_a_frame_is_not_about_what_is_in_it() {
    let subscribe = |inside: Vec<El>| {
        page(vec![group(
            GroupKind::Main,
            vec![heading(1, "Pay"), text("Total 40 €"), shown("Letter", inside)],
        )])
    };
    let letter = subscribe(vec![field("Email").form(0), submit("Subscribe", 0)]).scene();
    assert_eq!((level(&letter, "Subscribe"), near(&letter, "Subscribe")), (Caution, None));
    let vague = subscribe(vec![text("News once a week"), button("OK")]).scene();
    assert_eq!((level(&vague, "OK"), near(&vague, "OK")), (Safe, Some("News once a week")));
    // The same words in the frame itself count, with a form and without one.
    for name in ["Confirm", "OK"] {
        let own = subscribe(vec![heading(2, "Pay 40 €"), button(name)]).scene();
        assert_eq!((level(&own, name), near(&own, name)), (Danger, Some("Pay 40 €")), "{name}");
    }
    let form = vec![heading(2, "Delete your account"), field("Reason").form(0), submit("OK", 0)];
    let El::Frame(place, mut inner) = shown("Account", form) else { panic!("a frame") };
    *inner = inner.form("post", "/x");
    assert_eq!(level(&page(vec![El::Frame(place, inner)]).scene(), "OK"), Danger);
}

#[test]
fn words_in_a_frame_are_not_about_what_is_around_it() {
    let around = |el: El| {
        let advert = shown("Advert", vec![heading(2, "Delete your account"), text("This cannot be undone.")]);
        page(vec![boxed(vec![heading(2, "Choose a size"), el, advert, button("Next")])]).scene()
    };
    let scene = around(text("Small or large"));
    assert_eq!(level(&scene, "Next"), Safe);
    assert_eq!(near(&scene, "Next"), Some("Choose a size · Small or large"));
    // A heading before a frame still counts behind it.
    let twins = page(vec![
        heading(2, "Mine"),
        shown("Advert", vec![heading(2, "Theirs")]),
        link("More"),
        heading(2, "Yours"),
        link("More"),
    ]);
    let nears: Vec<_> = twins.scene().items.into_iter().map(|item| item.affordance.near_text).collect();
    assert_eq!(nears, [Some("Mine".into()), Some("Yours".into())]);
}

#[test]
fn texts_are_said_to_be_of_their_frame() {
    let doc = page(vec![
        text("Before"),
        shown("Advert", vec![text("Ours is best."), text("Buy it.")]),
        text("After"),
        button("Next"),
        group(GroupKind::Modal, vec![shown("Terms", vec![text("You owe us."), button("Fine")])]),
    ]);
    let text = read(&look(&doc.capture()), &ObserveOptions::default()).text;
    let lines: Vec<_> = text.lines().skip_while(|line| !line.contains("frame")).collect();
    assert_eq!(
        lines[..9],
        [
            "dialog frame f2 \"Terms\"",
            "  \"You owe us.\"",
            "  1 button \"Fine\"",
            "\"Before\"",
            "frame f1 \"Advert\"",
            "  \"Ours is best.\" \"Buy it.\"",
            "\"After\"",
            "2 button \"Next\"",
            lines[8],
        ],
        "{text}"
    );
}
