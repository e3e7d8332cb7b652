//! Text that a page wrote: a type of its own, so that nobody takes it for ours.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Words of a page: names, titles, values, addresses. They are data, never instructions; only a fenced view may show them
/// to a model, and for policy they can add caution but never remove it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct PageText(Box<str>);

impl PageText {
    /// Takes over what a page wrote.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The words, for whoever knows that they come from the page.
    pub fn untrusted(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// The first `limit` characters at most; a mark shows that something was cut.
    pub fn clipped(&self, limit: usize) -> Self {
        match self.0.char_indices().nth(limit) {
            None => self.clone(),
            Some(_) => {
                let kept: String = self.0.chars().take(limit.saturating_sub(1)).collect();
                Self::new(format!("{}…", kept.trim_end()))
            }
        }
    }
}

impl fmt::Debug for PageText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "page:{:?}", self.0)
    }
}

impl From<&str> for PageText {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for PageText {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_marked_and_never_in_the_middle_of_a_character() {
        assert_eq!(PageText::from("short").clipped(5), "short".into());
        assert_eq!(PageText::from("añéíóú").clipped(4), "añé…".into());
        assert_eq!(PageText::from("one two").clipped(5), "one…".into());
        assert_eq!(PageText::from("x").clipped(0), "…".into());
    }
}
