//! Where each badge goes: beside its element, in the picture, and on no other badge where there is a place. Pure.

use super::{area::Area, canvas::side, font, pixels::Pixels};

/// From the element's top left corner to its badge's.
const OFFSET: (i32, i32) = (-2, -14);
/// Red around the digits.
pub(super) const PADDING: (i32, i32) = (3, 2);
/// An element up to this width and height is a line of words, a field or an icon, which a badge could make unreadable;
/// a larger one holds others.
const LINE: (i32, i32) = (600, 48);
/// So many rows of a badge may lie on such elements: less than their padding.
const ROWS: i32 = 4;
/// So many pixels of the page's ink may be hidden by a badge: the tail of a letter, the corner of a line.
const SPECKS: usize = 24;
/// How many badges' widths a badge may slide along its element to find a place.
const SLIDES: i32 = 8;

/// A badge in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Badge {
    pub(super) label: u32,
    pub(super) area: Area,
    /// Whether it covers no badge that came before it.
    pub(super) free: bool,
}

/// Places a badge for each labelled element, on a page whose words are `ink`. Those that come first choose first; each
/// looks at a fixed number of places.
///
/// The first place that hides nothing is taken, and the usual one is looked at first: a label often stands right above its
/// field. Where all hide something, the usual one if it hides no control; else the first that hides no control; else the
/// first that hides no other badge.
pub(super) fn place(picture: Area, ink: &Pixels, elements: &[(u32, Area)]) -> Vec<Badge> {
    let mut badges = Pixels::of(picture);
    let mut controls = Pixels::of(picture);
    for (_, element) in elements {
        if element.right - element.left <= LINE.0 && element.bottom - element.top <= LINE.1 {
            controls.take(*element);
        }
    }
    let place_one = |&(label, element): &(u32, Area)| {
        let size = size(label);
        let element = element.within(picture.grown(1));
        let usual = pushed_into(picture, usual(element, size));
        let places = || places(element, size).map(|place| pushed_into(picture, place));
        let is_free = |place: &Area| badges.is_clear_of(*place);
        let is_kind = |place: &Area| is_free(place) && controls.count(*place) <= side(ROWS * size.0);
        let is_blank = |place: &Area| is_kind(place) && ink.count(*place) <= SPECKS;
        let found = places()
            .find(is_blank)
            .or_else(|| Some(usual).filter(is_kind))
            .or_else(|| places().find(is_kind))
            .or_else(|| places().find(is_free));
        let area = found.unwrap_or(usual);
        badges.take(area);
        Badge { label, area, free: found.is_some() }
    };
    elements.iter().map(place_one).collect()
}

/// Width and height of the badge with this label.
fn size(label: u32) -> (i32, i32) {
    let digits = i32::try_from(font::digits(label).count()).unwrap_or(1);
    (digits * font::ADVANCE - 1 + 2 * PADDING.0, font::HEIGHT + 2 * PADDING.1)
}

fn at(left: i32, top: i32, (width, height): (i32, i32)) -> Area {
    Area { left, top, right: left + width, bottom: top + height }
}

/// The place that every badge would like.
fn usual(element: Area, size: (i32, i32)) -> Area {
    at(element.left + OFFSET.0, element.top + OFFSET.1, size)
}

/// Where the badge of an element may go, best first: its usual place, beside it, above it, below it, last onto it.
fn places(element: Area, size: (i32, i32)) -> impl Iterator<Item = Area> {
    let (width, height) = size;
    let Area { left, top, right, bottom } = element;
    let (above, below) = (top + OFFSET.1, bottom + 1);
    // Only the usual place juts out. Neighbours may share a pixel, so that the last place ends one before the edge.
    let (first, last) = (left, right - width - 1);
    let middle = top + (bottom - top - height) / 2;
    let slides = move |y: i32| {
        let steps = (1..=SLIDES).map(move |step| first + step * (width + 1));
        steps.take_while(move |x| *x < last).map(move |x| (x, y))
    };
    let corners = [(left + OFFSET.0, above), (left - width - 1, middle), (right + 1, middle), (last, above)];
    let inner =
        [(right - width, top), (right - width, bottom - height), (left, bottom - height), (left, top)];
    corners
        .into_iter()
        .chain(slides(above))
        .chain([(first, below), (last, below)])
        .chain(slides(below))
        .chain(inner)
        .map(move |(x, y)| at(x, y, size))
}

/// The same place moved by as little as brings it into the picture.
fn pushed_into(picture: Area, place: Area) -> Area {
    let (width, height) = (place.right - place.left, place.bottom - place.top);
    let left = place.left.min(picture.right - width).max(picture.left);
    let top = place.top.min(picture.bottom - height).max(picture.top);
    at(left, top, (width, height))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PICTURE: Area = Area { left: 0, top: 0, right: 1280, bottom: 720 };

    fn element(left: i32, top: i32, width: i32, height: i32) -> Area {
        at(left, top, (width, height))
    }

    fn place_one(element: Area) -> (i32, i32) {
        let badge = place(PICTURE, &Pixels::of(PICTURE), &[(12, element)])[0];
        (badge.area.left, badge.area.top)
    }

    fn overlap(one: Area, other: Area) -> bool {
        !one.within(other).is_empty()
    }

    #[test]
    fn a_badge_sits_above_the_top_left_corner() {
        let badges = place(
            PICTURE,
            &Pixels::of(PICTURE),
            &[(7, element(100, 200, 80, 30)), (42, element(300, 200, 80, 30))],
        );
        assert_eq!(badges[0], Badge { label: 7, area: element(98, 186, 12, 13), free: true });
        assert_eq!(badges[1].area, element(298, 186, 19, 13));
    }

    #[test]
    fn at_the_edges_it_stays_in_the_picture() {
        for (shape, expected) in [
            (element(0, 10, 50, 20), (0, 0)),
            (element(1270, 300, 10, 10), (1261, 286)),
            (element(-40, 14, 60, 20), (0, 0)),
            (element(200, 719, 60, 20), (198, 705)),
            (element(0, 0, 1280, 720), (0, 0)),
        ] {
            assert_eq!(place_one(shape), expected, "{shape:?}");
        }
    }

    #[test]
    fn an_element_at_the_top_keeps_its_words() {
        assert_eq!(place_one(element(100, 0, 50, 21)), (80, 4));
        assert_eq!(place_one(element(0, 0, 50, 21)), (51, 4));
    }

    #[test]
    fn a_list_of_links_keeps_its_words() {
        let links: Vec<(u32, Area)> =
            (0..20).map(|row| (10 + row as u32, element(60, 100 + 18 * row, 90, 18))).collect();
        let badges = place(PICTURE, &Pixels::of(PICTURE), &links);
        assert_eq!(badges[0].area, element(58, 86, 19, 13));
        assert_eq!(badges[1].area, element(40, 120, 19, 13));
        assert!(badges.iter().all(|badge| links.iter().all(|(_, link)| !overlap(badge.area, *link))));
    }

    #[test]
    fn a_label_beside_an_element_is_not_hidden() {
        let fields = [(1, element(60, 100, 90, 18)), (2, element(60, 118, 90, 18))];
        let mut ink = Pixels::of(PICTURE);
        ink.take(element(20, 100, 38, 36));
        let badges = place(PICTURE, &ink, &fields);
        assert_eq!(badges[1].area, element(151, 120, 12, 13));
    }

    #[test]
    fn a_label_above_a_field_is_not_hidden_if_there_is_room_beside_it() {
        let field = element(100, 200, 180, 30);
        let words = |areas: &[Area]| {
            let mut ink = Pixels::of(PICTURE);
            areas.iter().for_each(|area| ink.take(*area));
            ink
        };
        let above = element(100, 182, 90, 14);
        let beside = [element(70, 205, 28, 14), element(282, 205, 28, 14)];
        for (ink, expected) in [
            (words(&[]), (98, 186)),
            (words(&[element(100, 182, 90, 5)]), (98, 186)),
            (words(&[above]), (87, 208)),
            (words(&[above, beside[0]]), (281, 208)),
            (words(&[above, beside[0], beside[1]]), (267, 186)),
            (words(&[element(0, 0, 1280, 720)]), (98, 186)),
        ] {
            let badge = place(PICTURE, &ink, &[(7, field)])[0];
            assert_eq!((badge.area.left, badge.area.top), expected);
        }
    }

    #[test]
    fn elements_in_one_place_have_badges_side_by_side() {
        let same = element(100, 200, 200, 30);
        let badges =
            place(PICTURE, &Pixels::of(PICTURE), &(10..22).map(|label| (label, same)).collect::<Vec<_>>());
        assert!(badges.iter().all(|badge| badge.free), "{badges:?}");
        for (index, badge) in badges.iter().enumerate() {
            assert!(badges[..index].iter().all(|other| !overlap(badge.area, other.area)), "{badges:?}");
        }
    }

    #[test]
    fn a_column_of_tick_boxes_stays_visible() {
        let boxes: Vec<(u32, Area)> =
            (0..10).map(|row| (10 + row as u32, element(60, 200 + 21 * row, 13, 13))).collect();
        for badge in &place(PICTURE, &Pixels::of(PICTURE), &boxes)[1..] {
            assert!(boxes.iter().all(|(_, tick)| !overlap(badge.area, *tick)), "{badge:?}");
        }
    }

    #[test]
    fn where_there_is_no_place_it_takes_the_usual_one_and_says_so() {
        let same = element(100, 200, 10, 10);
        let badges =
            place(PICTURE, &Pixels::of(PICTURE), &(0..40).map(|label| (label, same)).collect::<Vec<_>>());
        let crowded = badges.iter().filter(|badge| !badge.free).collect::<Vec<_>>();
        assert!(!crowded.is_empty());
        assert!(crowded.iter().all(|badge| (badge.area.left, badge.area.top) == (98, 186)));
    }

    proptest! {
        #[test]
        fn every_badge_is_whole_in_the_picture_and_free_ones_touch_none_before(
            shapes in prop::collection::vec((any::<u32>(), -100..1300, -100..800, 0..400, 0..200), 0..80),
        ) {
            let elements: Vec<(u32, Area)> = shapes
                .into_iter()
                .map(|(label, left, top, width, height)| (label, element(left, top, width, height)))
                .collect();
            let badges = place(PICTURE, &Pixels::of(PICTURE), &elements);
            prop_assert_eq!(badges.len(), elements.len());
            for (index, badge) in badges.iter().enumerate() {
                prop_assert_eq!(badge.area.within(PICTURE), badge.area);
                let clear = badges[..index].iter().all(|other| !overlap(badge.area, other.area));
                prop_assert!(clear || !badge.free);
            }
        }
    }
}
