//! Frames put together: places, sight, order, origins.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;

use common::*;
use legwork_observe::{PageCapture, Scene, capture::FrameFacts};
use legwork_types::{
    FrameId,
    contract::{ElementRect, FrameNumber, Landmark},
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
    let scene = page(vec![El::Frame(Box::new(place), Box::new(page(vec![button("in")])))]).scene();
    let inside = &item(&scene, "in").affordance;
    assert!(!inside.visible && !inside.in_viewport);
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
            legwork_observe::capture::GroupKind::Main,
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
