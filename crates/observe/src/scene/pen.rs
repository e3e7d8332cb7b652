//! The one way for a page's words into a scene: white space made plain, secrets masked, length bounded.

use std::{borrow::Cow, sync::Arc};

use legwork_types::PageText;

use super::mask::Mask;
use crate::veil::Veil;

/// Writes down the words of a page, without the secrets that it knows.
#[derive(Debug, Default)]
pub(super) struct Pen {
    mask: Mask,
    veil: Option<Arc<dyn Veil>>,
}

impl Pen {
    /// A pen that never writes one of these values, nor their usual disguises.
    pub(super) fn hiding<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        Self { mask: Mask::of(values), veil: None }
    }

    /// The same, which writes nothing that the veil hides either.
    pub(super) fn behind(self, veil: Option<Arc<dyn Veil>>) -> Self {
        Self { veil, ..self }
    }

    /// What is hidden besides the secrets of the page itself.
    pub(super) fn veil(&self) -> Option<&dyn Veil> {
        self.veil.as_deref()
    }

    /// The same, to be kept.
    pub(super) fn shared_veil(&self) -> Option<Arc<dyn Veil>> {
        self.veil.clone()
    }

    fn hides_nothing(&self) -> bool {
        self.mask.is_empty() && self.veil.is_none()
    }

    /// Writes at most this many characters.
    pub(super) fn write(&self, text: &str, limit: usize) -> PageText {
        self.write_plain(collapsed(text), limit)
    }

    /// Writes what has its white space made plain already.
    pub(super) fn write_plain(&self, text: Cow<'_, str>, limit: usize) -> PageText {
        if self.hides_nothing() {
            return clip(text, limit);
        }
        clip(self.masked(text.into_owned()).into(), limit)
    }

    /// The same as [`Pen::write`], if there is anything to write.
    pub(super) fn write_some(&self, text: &str, limit: usize) -> Option<PageText> {
        Some(self.write(text, limit)).filter(|written| !written.is_blank())
    }

    /// Writes what may have lines of its own, such as a value: white space stays as it is.
    pub(super) fn copy(&self, text: &str, limit: usize) -> PageText {
        if self.hides_nothing() {
            return PageText::from(text).clipped(limit);
        }
        let plain = collapsed(text).into_owned();
        match self.masked(plain.clone()) {
            masked if masked == plain => PageText::new(self.masked(text.to_owned())).clipped(limit),
            masked => PageText::new(masked).clipped(limit),
        }
    }

    fn masked(&self, text: String) -> String {
        let text = match self.veil.as_ref().map(|veil| veil.over(&text)) {
            Some(Cow::Owned(veiled)) => veiled,
            _ => text,
        };
        if self.mask.is_empty() { text } else { self.mask.laid_on(text) }
    }
}

/// What is longer is cut before it is copied.
fn clip(text: Cow<'_, str>, limit: usize) -> PageText {
    match text.len() > limit && text.chars().nth(limit).is_some() {
        true => PageText::from(&*text).clipped(limit),
        false => PageText::new(text.into_owned()),
    }
}

/// One space for each run of white space and control characters, none at the ends.
pub(super) fn collapsed(text: &str) -> Cow<'_, str> {
    if is_collapsed(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            if !plain.is_empty() && !plain.ends_with(' ') {
                plain.push(' ');
            }
        } else {
            plain.push(c);
        }
    }
    if plain.ends_with(' ') {
        plain.pop();
    }
    Cow::Owned(plain)
}

/// The everyday case, told quickly: printable ASCII with single spaces between.
fn is_collapsed(text: &[u8]) -> bool {
    // Whole passes without a way out are done many bytes at a time.
    let is_printable = text.iter().fold(true, |so_far, byte| so_far & (b' '..=b'~').contains(byte));
    let follows = text.iter().zip(text.iter().skip(1));
    let has_gap = follows.fold(false, |so_far, (&one, &next)| so_far | (one == b' ') & (next == b' '));
    let has_edge = text.first() == Some(&b' ') || text.last() == Some(&b' ');
    is_printable && !has_gap && !has_edge
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_made_plain() {
        for (text, expected) in [
            ("", ""),
            (" ", ""),
            ("a b", "a b"),
            (" a b", "a b"),
            ("a b ", "a b"),
            ("a  b", "a b"),
            ("a\tb\u{7f}c", "a b c"),
            ("für\u{a0}zwei", "für zwei"),
        ] {
            assert_eq!(collapsed(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_secret_is_masked_in_its_usual_disguises() {
        let pen = Pen::hiding(["s3cret pass/word", "4111 1111 1111 1111", "ab"].into_iter());
        for (text, expected) in [
            ("your s3cret pass/word!", "your •••!"),
            ("S3CRET  PASS/WORD", "•••"),
            ("?p=s3cret+pass%2Fword&x", "?p=•••&x"),
            ("?p=s3cret%20pass%2fword", "?p=•••"),
            ("?p=s3cret%20pass/word", "?p=•••"),
            ("card 4111111111111111", "card •••"),
            ("ab stays", "ab stays"),
            ("\u{0}  two \n words ", "two words"),
        ] {
            assert_eq!(pen.write(text, 200).untrusted(), expected);
        }
        assert_eq!(pen.copy("a\nb", 9).untrusted(), "a\nb");
        assert_eq!(pen.copy("a\ns3cret \n pass/word", 99).untrusted(), "a •••");
        assert_eq!(pen.write("x 4111 1111 1111 1111", 6).untrusted(), "x •••");
    }
}
