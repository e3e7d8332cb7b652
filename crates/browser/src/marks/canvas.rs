//! Pixels in memory, and the few shapes that are drawn onto them. Nothing outside the picture is ever touched.

use super::{area::Area, font};

/// A colour: red, green, blue.
pub(super) type Colour = [u8; 3];

/// A picture of three bytes per pixel, row by row.
pub(super) struct Canvas {
    pub(super) pixels: Vec<u8>,
    pub(super) width: i32,
    pub(super) height: i32,
}

impl Canvas {
    /// The whole picture.
    pub(super) fn area(&self) -> Area {
        Area { left: 0, top: 0, right: self.width, bottom: self.height }
    }

    /// Fills an area.
    pub(super) fn fill(&mut self, area: Area, colour: Colour) {
        let area = area.within(self.area());
        for y in area.top..area.bottom {
            self.row(y, area.left, area.right).for_each(|pixel| pixel.copy_from_slice(&colour));
        }
    }

    /// Fills the union of many areas in one go: its cost is that of the picture, however many there are.
    pub(super) fn fill_all(&mut self, areas: &[Area], colour: Colour) {
        let (wide, high) = (side(self.width) + 1, side(self.height) + 1);
        // How many areas begin less how many end, to the right of and below each corner.
        let mut steps = vec![0_i32; wide * high];
        for area in areas.iter().map(|area| area.within(self.area())).filter(|area| !area.is_empty()) {
            let mut step = |x: i32, y: i32, by: i32| steps[side(y) * wide + side(x)] += by;
            step(area.left, area.top, 1);
            step(area.right, area.top, -1);
            step(area.left, area.bottom, -1);
            step(area.right, area.bottom, 1);
        }
        let mut depths = vec![0_i32; wide];
        for (row, steps) in self.pixels.chunks_exact_mut(3 * (wide - 1)).zip(steps.chunks_exact(wide)) {
            let mut along = 0;
            for ((pixel, depth), step) in row.chunks_exact_mut(3).zip(&mut depths).zip(steps) {
                along += step;
                *depth += along;
                if *depth > 0 {
                    pixel.copy_from_slice(&colour);
                }
            }
        }
    }

    /// A frame of one pixel around an area, on its outer side where the picture has room.
    pub(super) fn outline(&mut self, area: Area, colour: Colour) {
        let Area { left, top, right, bottom } = area.grown(1).within(self.area());
        self.fill(Area { left, top, right, bottom: top + 1 }, colour);
        self.fill(Area { left, top: bottom - 1, right, bottom }, colour);
        self.fill(Area { left, top, right: left + 1, bottom }, colour);
        self.fill(Area { left: right - 1, top, right, bottom }, colour);
    }

    /// An area with its four corners taken off.
    pub(super) fn rounded(&mut self, area: Area, colour: Colour) {
        let Area { left, top, right, bottom } = area;
        self.fill(Area { left: left + 1, right: right - 1, top, bottom }, colour);
        self.fill(Area { left, right, top: top + 1, bottom: bottom - 1 }, colour);
    }

    /// A number, from its top left corner.
    pub(super) fn number(&mut self, number: u32, left: i32, top: i32, colour: Colour) {
        for (place, digit) in (0..).zip(font::digits(number)) {
            for (x, y) in font::pixels(digit) {
                let (x, y) = (left + place * font::ADVANCE + x, top + y);
                self.fill(Area { left: x, top: y, right: x + 1, bottom: y + 1 }, colour);
            }
        }
    }

    /// A part of one row. The caller has cut it to the picture.
    fn row(&mut self, y: i32, left: i32, right: i32) -> impl Iterator<Item = &mut [u8]> {
        let at = |x: i32| 3 * (side(y) * side(self.width) + side(x));
        let (from, to) = (at(left), at(right.max(left)));
        self.pixels.get_mut(from..to).unwrap_or_default().chunks_exact_mut(3)
    }
}

/// A length or a place within a picture as an index.
pub(super) fn side(length: i32) -> usize {
    usize::try_from(length).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INK: Colour = [1, 2, 3];

    fn canvas(width: i32, height: i32) -> Canvas {
        Canvas { pixels: vec![0; side(width) * side(height) * 3], width, height }
    }

    fn drawing(canvas: &Canvas) -> Vec<String> {
        let rows = canvas.pixels.chunks(3 * side(canvas.width));
        rows.map(|row| row.chunks(3).map(|pixel| if pixel == INK { '#' } else { '.' }).collect()).collect()
    }

    #[test]
    fn shapes_are_what_they_are_called() {
        let area = Area { left: 1, top: 1, right: 6, bottom: 4 };
        let mut rounded = canvas(7, 5);
        rounded.rounded(area, INK);
        assert_eq!(drawing(&rounded), [".......", "..###..", ".#####.", "..###..", "......."]);
        let mut outline = canvas(7, 5);
        outline.outline(area, INK);
        assert_eq!(drawing(&outline), ["#######", "#.....#", "#.....#", "#.....#", "#######"]);
        let mut number = canvas(15, 10);
        number.number(14, 1, 1, INK);
        let expected = [
            "...............",
            "...##......##..",
            "..###.....###..",
            ".####....####..",
            "...##...##.##..",
            "...##...##.##..",
            "...##...######.",
            "...##......##..",
            "...##......##..",
            ".######....##..",
        ];
        assert_eq!(drawing(&number), expected);
    }

    proptest! {
        #[test]
        fn many_areas_at_once_are_the_same_as_one_by_one(
            corners in prop::collection::vec((-5..20, -5..20, -5..20, -5..20), 0..20),
        ) {
            let areas: Vec<Area> = corners
                .into_iter()
                .map(|(left, top, right, bottom)| Area { left, top, right, bottom })
                .collect();
            let (mut at_once, mut one_by_one) = (canvas(13, 9), canvas(13, 9));
            at_once.fill_all(&areas, INK);
            areas.iter().for_each(|area| one_by_one.fill(*area, INK));
            prop_assert_eq!(drawing(&at_once), drawing(&one_by_one));
        }
    }
}
