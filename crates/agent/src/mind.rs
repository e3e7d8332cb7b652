//! Which of two models is asked: the first, or the one that goes on in its place.

use serde::{Deserialize, Serialize};

/// Which of the models of an errand is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mind {
    /// The first.
    First,
    /// The one that went on in its place.
    Second {
        /// How much of what was said since the page was shown, from its beginning, was said by the first.
        of_first: usize,
    },
}

/// One model in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handover {
    /// The name of the one that can't be asked any more.
    pub from: String,
    /// The name of the one that goes on.
    pub to: String,
}
