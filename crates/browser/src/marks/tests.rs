//! Marked pictures, read again: what is where.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

/// A picture with a soft slope of colours: every pixel is known, and a JPEG keeps it.
fn picture(width: u16, height: u16) -> Vec<u8> {
    let mut pixels = Vec::new();
    for y in 0..u32::from(height) {
        for x in 0..u32::from(width) {
            pixels.extend([200 - (x / 16) as u8, 220 - (y / 8) as u8, 180]);
        }
    }
    let mut jpeg = Vec::new();
    Encoder::new(&mut jpeg, 95).encode(&pixels, width, height, ColorType::Rgb).unwrap();
    jpeg
}

fn at(canvas: &Canvas, x: i32, y: i32) -> Colour {
    let start = 3 * usize::try_from(y * canvas.width + x).unwrap();
    canvas.pixels[start..start + 3].try_into().unwrap()
}

fn marked(marks: &[Mark], covers: &[Rect]) -> Canvas {
    read(&mark(&picture(1280, 720), marks, covers).unwrap()).unwrap()
}

fn is_near(one: Colour, other: Colour, by: u8) -> bool {
    one.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= by)
}

fn some(label: u32, x: f32, y: f32, width: f32, height: f32) -> Mark {
    Mark { label, x, y, width, height }
}

#[test]
fn a_picture_without_marks_stays_as_it_is() {
    let (before, after) = (read(&picture(1280, 720)).unwrap(), marked(&[], &[]));
    assert_eq!((before.width, before.height), (after.width, after.height));
    let worst = before.pixels.iter().zip(&after.pixels).map(|(one, other)| one.abs_diff(*other)).max();
    assert!(worst <= Some(12), "{worst:?}");
}

#[test]
fn the_badge_is_red_and_white_above_the_corner_and_the_rest_is_untouched() {
    let (before, after) =
        (read(&picture(1280, 720)).unwrap(), marked(&[some(111, 400.0, 300.0, 120.0, 40.0)], &[]));
    // The badge: 26×13 at (398, 286). The first digit's foot begins at (401, 295).
    for (x, y) in [(399, 291), (406, 291), (422, 291)] {
        assert!(is_near(at(&after, x, y), RED, 60), "({x}, {y}) is {:?}", at(&after, x, y));
    }
    for x in [403, 410, 417] {
        let stem = at(&after, x, 296);
        assert!(stem.iter().all(|colour| *colour > 190), "the foot at {x} is {stem:?}");
    }
    // The outline: one pixel outside the box, on all sides.
    for (x, y) in [(460, 299), (460, 340), (399, 320), (520, 320)] {
        let [red, green, _] = at(&after, x, y);
        assert!(red > green + 50, "({x}, {y}) is {:?}", at(&after, x, y));
    }
    // Inside the box, and away from it.
    for (x, y) in [(460, 320), (360, 320), (600, 320), (460, 260), (460, 380)] {
        assert!(is_near(at(&before, x, y), at(&after, x, y), 12), "({x}, {y})");
    }
}

#[test]
fn a_cover_hides_every_pixel_that_it_touches_and_badges_stay_on_top() {
    let secret = Rect { x: 100.4, y: 100.4, width: 200.0, height: 30.0 };
    let after = marked(&[some(5, 100.0, 114.0, 200.0, 30.0)], &[secret]);
    for y in 116..130 {
        for x in [101, 150, 299] {
            assert!(is_near(at(&after, x, y), GREY, 60), "({x}, {y}) is {:?}", at(&after, x, y));
        }
    }
    let [red, green, _] = at(&after, 99, 104);
    assert!(red > green + 80, "the badge lies over the cover");
}

#[test]
fn marks_outside_the_picture_are_left_out() {
    let outside = [
        some(1, 1280.0, 100.0, 50.0, 20.0),
        some(2, 100.0, 720.0, 50.0, 20.0),
        some(3, -50.0, 100.0, 50.0, 20.0),
        some(4, 100.0, -20.0, 50.0, 20.0),
        some(5, f32::NAN, 100.0, 50.0, 20.0),
        some(6, 100.0, 100.0, f32::INFINITY, 20.0),
        some(7, 1e30, 1e30, 1e30, 1e30),
    ];
    assert_eq!(marked(&outside, &[]).pixels, marked(&[], &[]).pixels);
}

#[test]
fn any_size_of_picture_is_marked() {
    for (width, height) in [(1, 1), (5, 300), (33, 7), (800, 600), (1279, 719)] {
        let jpeg = mark(&picture(width, height), &[some(88, 0.0, 0.0, 9.0, 9.0)], &[]).unwrap();
        let canvas = read(&jpeg).unwrap();
        assert_eq!((canvas.width, canvas.height), (i32::from(width), i32::from(height)));
    }
}

#[test]
fn a_picture_that_is_none_or_not_whole_is_refused() {
    let whole = picture(320, 200);
    let step = (whole.len() / 50).max(1);
    for end in (0..whole.len() - 2).step_by(step) {
        let result = mark(&whole[..end], &[some(1, 10.0, 30.0, 20.0, 20.0)], &[]);
        assert!(matches!(result, Err(MarkError::Unreadable(_))), "the first {end} of {} bytes", whole.len());
    }
    assert!(matches!(mark(b"GIF89a", &[], &[]), Err(MarkError::Unreadable(_))));
}

#[test]
fn a_picture_that_would_fill_the_memory_is_refused_before_it_does() {
    let mut jpeg = picture(16, 16);
    let start = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    jpeg[start + 5..start + 9].copy_from_slice(&[0x3f, 0xff, 0x3f, 0xff]);
    let result = mark(&jpeg, &[], &[]);
    assert!(matches!(result, Err(MarkError::TooLarge { width: 0x3fff, height: 0x3fff })), "{result:?}");
}

#[test]
fn a_secret_without_a_place_costs_the_picture() {
    let nowhere = Rect { x: f32::NAN, y: 0.0, width: 10.0, height: 10.0 };
    let result = mark(&picture(64, 64), &[], &[nowhere]);
    assert!(matches!(result, Err(MarkError::CoverWithoutPlace(_))), "{result:?}");
}

#[test]
fn ten_thousand_marks_and_covers_take_bounded_time() {
    let huge = |label| some(label, -1e9, -1e9, 2e9, 2e9);
    let crowd: Vec<Mark> = (0..10_000)
        .map(|label| match label % 3 {
            0 => huge(label),
            1 => some(u32::MAX - label, 600.0, 300.0, 10.0, 10.0),
            _ => some(label, (label % 1280) as f32, (label % 720) as f32, 40.0, 10.0),
        })
        .collect();
    let covers = vec![Rect { x: -1e9, y: 300.0, width: 2e9, height: 1e9 }; 10_000];
    // A tenth of a second in a release build; a busy machine and a debug build are given more.
    let began = Instant::now();
    mark(&picture(1280, 720), &crowd, &covers).unwrap();
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_box_at_all_makes_it_panic(
        boxes in prop::collection::vec((any::<u32>(), any::<f32>(), any::<f32>(), any::<f32>(), any::<f32>()), 0..40),
        jpeg_bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let marks: Vec<Mark> = boxes.iter().map(|&(label, x, y, width, height)| some(label, x, y, width, height)).collect();
        let covers: Vec<Rect> = boxes.iter().map(|&(_, x, y, width, height)| Rect { x, y, width, height }).collect();
        let small = picture(64, 48);
        prop_assert!(mark(&small, &marks, &[]).is_ok());
        let _ = mark(&small, &[], &covers);
        let _ = mark(&[&[0xff, 0xd8, 0xff], &jpeg_bytes[..]].concat(), &marks, &[]);
    }
}
