//! What an errand makes of a page or a browser that is gone. Neither is anybody's failure: they count in no limit of failures.

use legwork_types::Code;

use crate::{
    errand::{Errand, LookFor, Phase},
    event::{Event, PageNote},
    outcome::{OutcomeKind, Reason},
    trouble::{Trouble, TroubleKind},
};

/// How often a page may fail to be looked at in a row.
const MOST_LOOK_FAILURES: u32 = 3;
/// How many browsers may be lost one after the other before a model was asked again.
const MOST_LOSSES: u32 = 4;

impl Errand {
    pub(super) fn look_failed(&self, trouble: Trouble) -> Vec<Event> {
        let failed = Event::LookFailed { trouble: trouble.clone() };
        if let Some(events) = self.lost(&failed, &trouble) {
            return events;
        }
        let is_first = matches!(self.phase, Phase::Looking(LookFor::First) | Phase::Reconnecting);
        // Where the user's own address is forbidden, it stays so.
        let is_forbidden =
            trouble.code == Code::NavigationBlocked.as_str() && is_first && self.spec.start_url.is_some();
        // A planner has seen no page: where its address leads nowhere, the model finds its own way.
        let is_guess = is_first && self.spec.start_url.is_none();
        let is_refused = trouble.kind == TroubleKind::Network && !is_guess;
        // A page that crashes before anything of it was seen is opened once more as well, and no more.
        let has_crashed_again = trouble.kind == TroubleKind::PageCrash && self.has_crashed_before(&trouble);
        let is_over = is_forbidden
            || is_refused
            || has_crashed_again
            || self.counts.look_failures + 1 >= MOST_LOOK_FAILURES;
        let after = self.after(&failed);
        let ended = if is_over {
            Some(after.ends(OutcomeKind::Stopped, Reason::PageError, &trouble.words))
        } else {
            after.has_troubled_enough().then(|| after.stuck("too much went wrong"))
        };
        [Some(failed), ended].into_iter().flatten().collect()
    }

    /// What follows from this where the page or the browser is gone; none where it is neither.
    pub(super) fn lost(&self, happened: &Event, trouble: &Trouble) -> Option<Vec<Event>> {
        let after = self.after(happened);
        let next = match trouble.kind {
            TroubleKind::Told | TroubleKind::PageClosed | TroubleKind::Network => return None,
            TroubleKind::PageGaveUp if self.has_crashed_before(trouble) => self.disconnected(&after, trouble),
            // There is no page yet that could be loaded again: it is opened once more.
            TroubleKind::PageCrash | TroubleKind::PageGaveUp
                if matches!(self.phase, Phase::Looking(LookFor::First) | Phase::Reconnecting) =>
            {
                return None;
            }
            TroubleKind::NoBrowser => after.ends(OutcomeKind::Stopped, Reason::BrowserError, &trouble.words),
            TroubleKind::PageCrash | TroubleKind::PageGaveUp => self.crashed(&after, trouble),
            TroubleKind::Disconnect
            | TroubleKind::DisconnectWhilePainting
            | TroubleKind::OutOfMemory
            | TroubleKind::PageOutOfMemory => self.disconnected(&after, trouble),
        };
        Some(vec![happened.clone(), next])
    }

    /// Whatever crashes is given a second chance: the page that one was on is loaded again. Whoever crashes twice would crash again, unless
    /// it is memory that it lacks: then another session saves some.
    fn crashed(&self, after: &Self, trouble: &Trouble) -> Event {
        match self.address_under_way().filter(|_| !self.has_crashed_before(trouble)) {
            Some(url) => Event::PageLost { url: url.to_owned() },
            None => after.ends(OutcomeKind::Stopped, Reason::PageError, &trouble.words),
        }
    }

    /// What follows where the browser is gone, or took more memory than there is.
    pub(super) fn disconnected(&self, after: &Self, trouble: &Trouble) -> Event {
        if self.is_interrupted {
            return after.called_off();
        }
        let painting = match trouble.kind {
            TroubleKind::Disconnect => None,
            _ => self.blamed(trouble).first().copied(),
        };
        // Whoever is killed once may be killed by anything. Whoever dies of the same page twice has not enough memory for it.
        let is_short = matches!(
            trouble.kind,
            TroubleKind::OutOfMemory | TroubleKind::PageGaveUp | TroubleKind::PageOutOfMemory
        ) || painting.is_some_and(|url| self.was_lost_painting(url));
        let thrift = if is_short { self.thrift.next() } else { Some(self.thrift) };
        let why = trouble.words.clone();
        match thrift {
            Some(_) if self.counts.losses >= MOST_LOSSES => {
                after.ends(OutcomeKind::Stopped, Reason::BrowserError, &trouble.words)
            }
            Some(thrift) => Event::Disconnected { why, painting: painting.map(str::to_owned), thrift },
            None => {
                let words = format!("{why}. It saved as much memory as it can, and was lost all the same");
                after.ends(OutcomeKind::Stopped, Reason::ResourceExhaustion, &words)
            }
        }
    }

    pub(super) fn reconnected_at(&self, page: Box<PageNote>) -> Vec<Event> {
        let logged_out = self.work.logins.would_be_lost_at(&page);
        let starting_url = self.starting_url().map(str::to_owned);
        vec![Event::Reconnected { starting_url, logged_out, page }]
    }

    /// The state after one more event.
    pub(super) fn after(&self, event: &Event) -> Self {
        let mut after = self.clone();
        after.apply(event);
        after
    }
}
