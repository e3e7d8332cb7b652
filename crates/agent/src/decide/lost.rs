//! What an errand makes of a page or a browser that is gone.

use legwork_types::Code;

use crate::{
    errand::{Errand, LookFor, Phase},
    event::{Event, Trouble},
    outcome::{OutcomeKind, Reason},
};

/// How often a page may fail to be looked at in a row.
const MOST_LOOK_FAILURES: u32 = 3;

impl Errand {
    pub(super) fn look_failed(&self, trouble: Trouble) -> Vec<Event> {
        // Where the user's own address is forbidden, it stays so.
        let is_forbidden = trouble.code == Code::NavigationBlocked.as_str()
            && self.phase == Phase::Looking(LookFor::First)
            && self.spec.start_url.is_some();
        let is_over = trouble.is_loss || is_forbidden || self.counts.look_failures + 1 >= MOST_LOOK_FAILURES;
        let reason = if trouble.is_loss { Reason::BrowserError } else { Reason::PageError };
        let ended = is_over.then(|| self.ends(OutcomeKind::Stopped, reason, &trouble.words));
        [Some(Event::LookFailed { trouble }), ended].into_iter().flatten().collect()
    }
}
