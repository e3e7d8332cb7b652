//! Permits in the log of an errand: what is done on a page was written down before.

use legwork_agent::{Entry, Event};

use super::Journal;
use crate::{Clerk, Noting, Permit};

/// Writes permits into the log of an errand.
pub(super) struct LogClerk<'a, J> {
    pub(super) journal: &'a mut J,
    pub(super) at: u64,
    pub(super) number: u32,
    pub(super) written: Vec<Entry>,
}

impl<J: Journal> Clerk for LogClerk<'_, J> {
    fn note<'a>(&'a mut self, permit: &'a Permit) -> Noting<'a> {
        let event = Event::Permitted {
            number: self.number,
            observation: permit.observation().0.clone(),
            verb: permit.intent().verb().to_owned(),
        };
        let entry = Entry { at: self.at, event };
        Box::pin(async move {
            self.journal.record(std::slice::from_ref(&entry)).await?;
            self.written.push(entry);
            Ok(())
        })
    }
}
