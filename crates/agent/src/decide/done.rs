//! Whether what a model says to be done is: what the page shows of it, and what a judge says.

use legwork_types::model::TurnEnd;

use super::HeardCall;
use crate::{
    errand::{Errand, LookFor},
    event::{Event, Heard, PageNote, Purpose},
    outcome::{Declarer, OutcomeKind, Reason},
    proof::{self, Sign, Verdict},
    spec::Mode,
};

/// How often what is said to be done is looked at.
const MOST_CLAIMS: u32 = 3;
/// How often a judge is asked about the same.
const MOST_JUDGED: u32 = 3;

impl Errand {
    pub(super) fn looked_at(&self, why: &LookFor, page: Box<PageNote>) -> Vec<Event> {
        let sign = (*why == LookFor::Proof).then(|| self.sign(&page));
        let mut events = vec![Event::Looked { page }];
        let Some(sign) = sign else { return events };
        if !self.can_be_proved() {
            let words = "nothing is done for real in this mode, so nothing of it is done";
            events.push(self.claimed(OutcomeKind::Stopped, Reason::DryRun, words, None));
            return events;
        }
        match sign {
            Sign::Success(sign) => {
                let words = "the page shows what proves it";
                events.push(self.claimed(OutcomeKind::Verified, Reason::Completed, words, Some(sign)));
            }
            Sign::Failure(sign) => events.push(self.fails(&format!("the page shows a failure: {sign}"))),
            Sign::Missing => events.push(self.rejects("the page does not show what would prove it")),
            Sign::Unreadable => {
                events.push(self.rejects("the page can't be read as it is now, so it proves nothing"));
            }
            Sign::NothingToLookFor => {}
        }
        events
    }

    /// Whether what is said to be done can be: nothing is, where nothing is done for real. What was only read and found out can be.
    pub(super) fn can_be_proved(&self) -> bool {
        let has_answer = self.work.claim.as_ref().is_some_and(|claim| claim.answer.is_some());
        match self.spec.mode {
            Mode::Live => true,
            Mode::ReadOnly => has_answer,
            Mode::DryRun | Mode::PlanOnly => false,
        }
    }

    /// What is said to be done is not taken for done; after the last time it is told as that.
    pub(super) fn rejects(&self, why: &str) -> Event {
        match self.counts.rejected + 1 >= MOST_CLAIMS {
            false => Event::Rejected { why: why.to_owned() },
            true => self.claimed(OutcomeKind::Unverified, Reason::VerificationFailed, why, None),
        }
    }

    /// The same where the page shows that it failed: after the last time it has.
    pub(super) fn fails(&self, why: &str) -> Event {
        match self.rejects(why) {
            Event::Ended { mut outcome } => {
                outcome.kind = OutcomeKind::Failed;
                outcome.failure_declared_by = Some(Declarer::Page);
                Event::Ended { outcome }
            }
            again => again,
        }
    }

    pub(super) fn heard_judge(&self, heard: Heard, calls: &[HeardCall]) -> Vec<Event> {
        let verdict = proof::read_verdict(calls);
        let is_declined = heard.end == TurnEnd::Declined;
        let mut events = vec![Event::Answered { purpose: Purpose::Judge, heard }];
        match verdict {
            Verdict::Done(assessment) => {
                let sign = Some(format!("judged: {assessment}"));
                let words = "an independent look at the page and at what was sent confirms it";
                events.push(self.claimed(OutcomeKind::Verified, Reason::Completed, words, sign));
            }
            Verdict::NotDone(why) => events.push(self.rejects(&why)),
            // That nobody can tell is no word against it: the judge is asked again.
            Verdict::Unknown if !is_declined && self.counts.judged + 1 < MOST_JUDGED => {}
            Verdict::Unknown => {
                let (reason, words) = (Reason::VerificationFailed, "whether it is done could not be told");
                events.push(self.claimed(OutcomeKind::Unverified, reason, words, None));
            }
        }
        events
    }

    /// The end of an errand that the model says is done.
    pub(super) fn claimed(
        &self,
        kind: OutcomeKind,
        reason: Reason,
        words: &str,
        sign: Option<String>,
    ) -> Event {
        let mut outcome = self.outcome_of(kind, reason, words);
        if let Some(claim) = &self.work.claim {
            outcome.answer.clone_from(&claim.answer);
            if !kind.is_verified() {
                outcome.words = format!("{words}. The model says: {}", claim.reason);
            }
        }
        outcome.evidence.extend(sign);
        Event::Ended { outcome: Box::new(outcome) }
    }
}
