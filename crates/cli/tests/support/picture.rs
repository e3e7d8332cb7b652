//! The pixels of a picture that the binary saved.

/// A picture's pixels.
pub(crate) struct Picture {
    pixels: Vec<u8>,
}

impl Picture {
    pub(crate) fn read(jpeg: &[u8]) -> Self {
        let cursor = zune_jpeg::zune_core::bytestream::ZCursor::new(jpeg);
        let pixels = zune_jpeg::JpegDecoder::new(cursor).decode().unwrap();
        assert_eq!(pixels.len(), 1280 * 720 * 3);
        Self { pixels }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * 1280 + x) * 3;
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }

    /// How many pixels of an area are red.
    pub(crate) fn reds(&self, left: usize, top: usize, width: usize, height: usize) -> usize {
        let area = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        area.filter(|(x, y)| matches!(self.at(*x, *y), [160..=255, 0..=70, 0..=80])).count()
    }

    /// How many pixels of an area differ clearly from their right neighbours: letters and dots have many.
    pub(crate) fn inks(&self, x: usize, y: usize, width: usize, height: usize) -> usize {
        let differs = |x: usize, y: usize| self.at(x, y)[1].abs_diff(self.at(x + 1, y)[1]) > 60;
        (y..y + height).map(|y| (x..x + width).filter(|&x| differs(x, y)).count()).sum()
    }
}
