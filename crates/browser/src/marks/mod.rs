//! Numbered badges and opaque boxes drawn onto a picture, never into the page. Pure.

mod area;
mod canvas;
mod font;
mod pixels;
mod place;

use area::Area;
use canvas::{Canvas, Colour};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use pixels::Pixels;
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

/// As large a picture as is taken, in pixels: sixteen times a viewport of ours.
const MOST_PIXELS: usize = 16 * 1280 * 720;
/// JPEG quality, as that of the picture itself.
const QUALITY: u8 = 80;
const RED: Colour = [208, 0, 18];
const WHITE: Colour = [255, 255, 255];
const GREY: Colour = [48, 48, 48];

/// An element that gets a badge: its number, and its box in CSS pixels of the viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The number on the badge.
    pub label: u32,
    /// The box's left edge.
    pub x: f32,
    /// The box's top edge.
    pub y: f32,
    /// The box's width.
    pub width: f32,
    /// The box's height.
    pub height: f32,
}

/// A box in CSS pixels of the viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Its left edge.
    pub x: f32,
    /// Its top edge.
    pub y: f32,
    /// Its width.
    pub width: f32,
    /// Its height.
    pub height: f32,
}

/// Why a picture could not be marked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MarkError {
    /// It is no whole JPEG.
    #[error("the picture can't be read: {0}")]
    Unreadable(String),
    /// It is larger than any picture of a viewport.
    #[error("the picture is too large to be marked: {width}×{height} pixels")]
    TooLarge {
        /// Pixels across.
        width: usize,
        /// Pixels down.
        height: usize,
    },
    /// The place of something that must be covered is not known: no picture is better than one that shows it.
    #[error("a box that must be covered has no place: {0:?}")]
    CoverWithoutPlace(Rect),
    /// The marked picture can't be written.
    #[error("the marked picture can't be written: {0}")]
    Unwritable(String),
}

/// Draws an outline and a numbered badge for each of `marks` onto a JPEG whose pixels are CSS pixels, and paints over each
/// of `covers`. Badges of elements that come first are placed first; marks outside the picture are left out.
///
/// It takes some 30 ms for a viewport: call it where nothing else waits.
pub fn mark(jpeg: &[u8], marks: &[Mark], covers: &[Rect]) -> Result<Vec<u8>, MarkError> {
    let covers = covers.iter().map(|cover| Area::of(cover).ok_or(MarkError::CoverWithoutPlace(*cover)));
    let covers = covers.collect::<Result<Vec<_>, _>>()?;
    let mut canvas = read(jpeg)?;
    canvas.fill_all(&covers, GREY);
    draw(&mut canvas, marks);
    write(&canvas)
}

fn draw(canvas: &mut Canvas, marks: &[Mark]) {
    let picture = canvas.area();
    let boxes = marks.iter().filter_map(|&Mark { label, x, y, width, height }| {
        Some((label, Area::of(&Rect { x, y, width, height })?))
    });
    // An element without an extent is shown by its badge alone.
    let seen = |area: Area| {
        area.left < picture.right
            && area.top < picture.bottom
            && area.right.max(area.left + 1) > picture.left
            && area.bottom.max(area.top + 1) > picture.top
    };
    let elements = boxes.filter(|(_, area)| seen(*area)).collect::<Vec<_>>();
    let ink = Pixels::ink(canvas);
    for (_, area) in elements.iter().filter(|(_, area)| !area.is_empty()) {
        canvas.outline(*area, RED);
    }
    // Those without a place of their own go below the others.
    let mut badges = place::place(picture, &ink, &elements);
    badges.sort_by_key(|badge| badge.free);
    for badge in badges {
        canvas.rounded(badge.area, RED);
        let (left, top) = (badge.area.left + place::PADDING.0, badge.area.top + place::PADDING.1);
        canvas.number(badge.label, left, top, WHITE);
    }
}

fn read(jpeg: &[u8]) -> Result<Canvas, MarkError> {
    // Strict: half a picture is none. Otherwise what is missing would come out grey.
    let options = DecoderOptions::default().set_strict_mode(true).jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(jpeg), options);
    decoder.decode_headers().map_err(unreadable)?;
    let (width, height) = decoder.dimensions().ok_or_else(|| unreadable("it has no size"))?;
    if width.saturating_mul(height) > MOST_PIXELS {
        return Err(MarkError::TooLarge { width, height });
    }
    let pixels = decoder.decode().map_err(unreadable)?;
    let side = |length: usize| i32::try_from(length).map_err(unreadable);
    let canvas = Canvas { pixels, width: side(width)?, height: side(height)? };
    match canvas.pixels.len() == width * height * 3 {
        true => Ok(canvas),
        false => Err(unreadable("it does not have three colours")),
    }
}

fn unreadable(why: impl ToString) -> MarkError {
    MarkError::Unreadable(why.to_string())
}

fn write(canvas: &Canvas) -> Result<Vec<u8>, MarkError> {
    let unwritable = |why: &dyn ToString| MarkError::Unwritable(why.to_string());
    let side = |length: i32| u16::try_from(length).map_err(|error| unwritable(&error));
    let mut jpeg = Vec::new();
    let mut encoder = Encoder::new(&mut jpeg, QUALITY);
    // Colour in full: at half of it thin red lines turn black, and white digits pink.
    encoder.set_sampling_factor(SamplingFactor::F_1_1);
    // A fifth less to send for a few milliseconds more.
    encoder.set_optimized_huffman_tables(true);
    encoder
        .encode(&canvas.pixels, side(canvas.width)?, side(canvas.height)?, ColorType::Rgb)
        .map_err(|error| unwritable(&error))?;
    Ok(jpeg)
}

#[cfg(test)]
mod tests;
