//! A set of a picture's pixels: what is taken already, and where there is ink.

use std::ops::Range;

use super::{
    area::Area,
    canvas::{Canvas, side},
};

/// Two neighbouring pixels that differ in brightness by more than this are the edge of a letter or a line.
const EDGE: u16 = 48;

/// Some of a picture's pixels.
pub(super) struct Pixels {
    inside: Vec<bool>,
    picture: Area,
}

impl Pixels {
    /// None of the pixels of this picture.
    pub(super) fn of(picture: Area) -> Self {
        Self { inside: vec![false; side(picture.right) * side(picture.bottom)], picture }
    }

    /// The pixels at the edges of whatever stands out from its ground: words, above all.
    pub(super) fn ink(canvas: &Canvas) -> Self {
        let mut ink = Self::of(canvas.area());
        let wide = side(canvas.width);
        let brightness: Vec<u16> = canvas
            .pixels
            .chunks_exact(3)
            .map(|pixel| (2 * u16::from(pixel[0]) + 5 * u16::from(pixel[1]) + u16::from(pixel[2])) / 8)
            .collect();
        for (at, here) in brightness.iter().enumerate() {
            let right = brightness.get(at + 1).filter(|_| (at + 1) % wide != 0);
            let neighbours = [right, brightness.get(at + wide)];
            ink.inside[at] = neighbours.into_iter().flatten().any(|there| here.abs_diff(*there) > EDGE);
        }
        ink
    }

    /// How many of the area's pixels are among them.
    pub(super) fn count(&self, area: Area) -> usize {
        let rows = self.rows(area).filter_map(|row| self.inside.get(row));
        rows.map(|row| row.iter().filter(|inside| **inside).count()).sum()
    }

    /// Whether none of the area's pixels is among them.
    pub(super) fn is_clear_of(&self, area: Area) -> bool {
        self.rows(area).filter_map(|row| self.inside.get(row)).all(|row| !row.contains(&true))
    }

    /// Adds the area's pixels.
    pub(super) fn take(&mut self, area: Area) {
        for row in self.rows(area) {
            self.inside.get_mut(row).unwrap_or_default().fill(true);
        }
    }

    fn rows(&self, area: Area) -> impl Iterator<Item = Range<usize>> + use<> {
        let area = area.within(self.picture);
        let wide = side(self.picture.right);
        let at = move |x: i32, y: i32| side(y) * wide + side(x);
        (area.top..area.bottom).map(move |y| at(area.left, y)..at(area.right.max(area.left), y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_counted_within_the_picture() {
        let mut pixels = Pixels::of(Area { left: 0, top: 0, right: 10, bottom: 10 });
        pixels.take(Area { left: -5, top: -5, right: 3, bottom: 2 });
        assert_eq!(pixels.count(Area { left: 1, top: 1, right: 100, bottom: 100 }), 2);
        assert_eq!(pixels.count(Area { left: 9, top: 9, right: 2, bottom: 2 }), 0);
        assert!(!pixels.is_clear_of(Area { left: 2, top: 1, right: 5, bottom: 5 }));
        assert!(pixels.is_clear_of(Area { left: 3, top: 1, right: 5, bottom: 5 }));
    }

    #[test]
    fn ink_is_at_the_edges_of_a_letter_and_not_on_plain_ground() {
        let mut canvas = Canvas { pixels: vec![250; 20 * 10 * 3], width: 20, height: 10 };
        canvas.fill(Area { left: 10, top: 0, right: 20, bottom: 10 }, [230, 230, 240]);
        assert_eq!(Pixels::ink(&canvas).count(canvas.area()), 0);
        canvas.number(1, 5, 0, [20, 20, 20]);
        assert!(Pixels::ink(&canvas).count(canvas.area()) > 20);
    }
}
