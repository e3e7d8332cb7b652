//! A box of whole pixels, and how a box of the page becomes one.

use super::Rect;

/// From its left and top edge up to, and without, its right and bottom edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

/// Far outside every picture, and far from where whole numbers end.
const FAR: f32 = 1_000_000.0;

impl Area {
    /// Every pixel that a box of the page touches. None where a number of the box is none, or infinite.
    pub(super) fn of(rect: &Rect) -> Option<Self> {
        let Rect { x, y, width, height } = *rect;
        if ![x, y, width, height].iter().all(|number| number.is_finite()) {
            return None;
        }
        // Cut before they are added: a sum of huge numbers has no small digits.
        let pixel = |number: f32| number.clamp(-FAR, FAR) as i32;
        let span = |start: f32, length: f32| {
            let end = start + length;
            (pixel(start.min(end).floor()), pixel(start.max(end).ceil()))
        };
        let ((left, right), (top, bottom)) = (span(x, width), span(y, height));
        Some(Self { left, top, right, bottom })
    }

    /// The part of it that lies in `other`.
    pub(super) fn within(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The same with so many pixels more on each side.
    pub(super) fn grown(self, by: i32) -> Self {
        Self { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    /// Whether there is no pixel in it.
    pub(super) fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(x: f32, y: f32, width: f32, height: f32) -> Option<[i32; 4]> {
        let area = Area::of(&Rect { x, y, width, height })?;
        Some([area.left, area.top, area.right, area.bottom])
    }

    #[test]
    fn a_box_takes_every_pixel_that_it_touches() {
        assert_eq!(of(10.0, 20.0, 30.0, 5.0), Some([10, 20, 40, 25]));
        assert_eq!(of(10.6, 20.4, 30.0, 5.0), Some([10, 20, 41, 26]));
        assert_eq!(of(-3.5, 0.0, 4.0, 1.0), Some([-4, 0, 1, 1]));
    }

    #[test]
    fn strange_boxes_have_an_area_or_none() {
        assert_eq!(of(f32::NAN, 0.0, 1.0, 1.0), None);
        assert_eq!(of(0.0, f32::NEG_INFINITY, 1.0, 1.0), None);
        assert_eq!(of(0.0, 0.0, 1.0, f32::INFINITY), None);
        assert_eq!(of(20.0, 20.0, -10.0, -5.0), Some([10, 15, 20, 20]));
        assert_eq!(
            of(f32::MAX, f32::MIN, f32::MAX, f32::MIN),
            Some([1_000_000, -1_000_000, 1_000_000, -1_000_000])
        );
        assert_eq!(of(5.0, 5.0, 1e30, 1e30), Some([5, 5, 1_000_000, 1_000_000]));
    }
}
