//! Which of two models is asked: the first, or the one that goes on in its place; and what they turn out to be unable to do.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{errand::Errand, event::Heard};

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

impl Errand {
    /// Notes what an answer shows that its model can't do, once for each of them.
    pub(crate) fn lacks(&mut self, heard: &Heard) {
        if !heard.in_words {
            return;
        }
        let line = match &self.handover {
            None => "the model takes no pictures: it went by words alone".to_owned(),
            Some((Handover { from, to }, _)) => {
                format!("{to}, in the place of {from}, takes no pictures: it went by words alone")
            }
        };
        if !self.work.lacks.contains(&line) {
            self.work.lacks.push(line);
        }
    }

    /// The errand that knows this of its model: the same answer may be its end.
    pub(crate) fn knowing(&self, heard: &Heard) -> Cow<'_, Self> {
        if !heard.in_words {
            return Cow::Borrowed(self);
        }
        let mut knowing = self.clone();
        knowing.lacks(heard);
        Cow::Owned(knowing)
    }
}
