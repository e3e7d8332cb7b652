//! What is kept from everybody who reads a page, by whoever knows it.

use std::{borrow::Cow, fmt, ops::Range};

/// Lies over the words of a page: whatever it hides is in no text, no name, no value and no address of a look.
pub trait Veil: fmt::Debug + Send + Sync {
    /// The text as it may be read.
    fn over<'t>(&self, text: &'t str) -> Cow<'t, str>;

    /// Which bytes of a text it hides.
    fn places(&self, text: &str) -> Vec<Range<usize>>;
}
