//! The size of pages.

use std::{fmt, str::FromStr};

/// The size of every page, in CSS pixels: not smaller than pages are made where memory is short, and not larger than a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    width: u32,
    height: u32,
}

/// A size that pages can't have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewportError;

impl Viewport {
    /// Where memory is short.
    pub(crate) const SMALL: Self = Self { width: 800, height: 600 };
    /// Unless somebody says otherwise.
    pub const USUAL: Self = Self { width: 1280, height: 720 };
    const LARGEST: Self = Self { width: 1920, height: 1080 };

    /// From left to right.
    pub fn width(self) -> u32 {
        self.width
    }

    /// From top to bottom.
    pub fn height(self) -> u32 {
        self.height
    }
}

impl Default for Viewport {
    fn default() -> Self {
        Self::USUAL
    }
}

impl fmt::Display for Viewport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Viewport {
    type Err = ViewportError;

    fn from_str(text: &str) -> Result<Self, ViewportError> {
        let side = |digits: &str, from: u32, to: u32| {
            let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|side| is_plain && (from..=to).contains(side)).ok_or(ViewportError)
        };
        let (width, height) = text.split_once('x').ok_or(ViewportError)?;
        Ok(Self {
            width: side(width, Self::SMALL.width, Self::LARGEST.width)?,
            height: side(height, Self::SMALL.height, Self::LARGEST.height)?,
        })
    }
}

impl fmt::Display for ViewportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "write WIDTHxHEIGHT, from {} to {}, for example 1024x768",
            Viewport::SMALL,
            Viewport::LARGEST
        )
    }
}

impl std::error::Error for ViewportError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for text in ["800x600", "1024x768", "1280x720", "1920x1080", "800x1080"] {
            assert_eq!(text.parse::<Viewport>().map(|size| size.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "x",
            "1024",
            "1024x",
            "x768",
            "1024X768",
            "1024x768x2",
            "799x600",
            "800x599",
            "1921x1080",
            "1920x1081",
            "+900x700",
            " 900x700",
            "99999999999x700",
        ] {
            assert_eq!(text.parse::<Viewport>(), Err(ViewportError), "{text}");
        }
        assert_eq!(Viewport::default().to_string(), "1280x720");
    }
}
