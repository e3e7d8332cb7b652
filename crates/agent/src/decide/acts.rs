//! What an errand makes of what came of an act, of a question about one, and of what people say.

use legwork_types::Code;

use super::{CALLED_OFF, limit_words};
use crate::{
    budget::extended,
    call::Act,
    errand::Errand,
    event::{ActNote, Answer, Caught, Event, Fate, Question, Ruling},
    outcome::{OutcomeKind, Reason},
    trouble::{Trouble, TroubleKind},
};

/// How much may go wrong in a row, and in all.
const MOST_TROUBLES: (u32, u32) = (3, 15);
/// How often the same may be tried in vain.
const MOST_REPEATS: u32 = 3;

impl Errand {
    pub(super) fn came_of_act(&self, number: u32, act: &Act, done: Box<ActNote>) -> Vec<Event> {
        let acted = Event::Acted { number, done };
        // What the act itself sent is part of what there is to tell in the end.
        let after = self.after(&acted);
        let Event::Acted { done, .. } = &acted else { return vec![] };
        let stop = |caught: &Caught, reason, words: &str| {
            let words = format!("{words}: {}", caught.request);
            Some(after.ends(OutcomeKind::Stopped, reason, &words))
        };
        let is_broken_off =
            |trouble: &Trouble| self.is_interrupted && trouble.code == Code::UnknownOutcome.as_str();
        // Whoever calls an errand off does not answer its questions any more.
        let is_unanswered =
            |trouble: &Trouble| self.is_interrupted && trouble.code == Code::ApprovalDenied.as_str();
        if let Some(trouble) = &done.trouble
            && !is_broken_off(trouble)
            && let Some(events) = self.lost(&acted, trouble)
        {
            return events;
        }
        let ended = match (&done.caught, &done.trouble) {
            (Some(caught @ Caught { fate: Fate::DryRun, .. }), _) => {
                stop(caught, Reason::DryRun, "a dry run stops here, this was not sent")
            }
            (Some(caught @ Caught { fate: Fate::NobodyToAsk, .. }), _) => {
                stop(caught, Reason::NobodyAnswered, "nobody can be asked, this was not sent")
            }
            // Whoever broke it off knows why it ended; what came of it may not be known.
            (_, Some(trouble)) if is_broken_off(trouble) || is_unanswered(trouble) => {
                let words = format!("{CALLED_OFF}. {}", trouble.words);
                Some(after.ends(OutcomeKind::Stopped, Reason::Interrupted, &words))
            }
            (_, Some(trouble)) if trouble.code == Code::ApprovalDenied.as_str() => {
                Some(after.ends(OutcomeKind::Denied, Reason::HumanRejected, &trouble.words))
            }
            (_, Some(trouble)) if trouble.kind == TroubleKind::Network => {
                Some(after.ends(OutcomeKind::Stopped, Reason::PageError, &trouble.words))
            }
            (Some(Caught { fate: Fate::Held(_) | Fate::ToBeRepeated(_), .. }), _) => None,
            (_, Some(_)) => self.too_much_trouble().then(|| after.stuck("too much went wrong")),
            (_, None) => None,
        };
        let is_repeated = ended.is_none() && self.same_again(act, done) >= MOST_REPEATS;
        let stuck =
            is_repeated.then(|| after.stuck("the same was tried again and again, and nothing came of it"));
        [Some(acted), ended, stuck].into_iter().flatten().collect()
    }

    pub(super) fn stuck(&self, words: &str) -> Event {
        self.ends(OutcomeKind::Stopped, Reason::Stuck, words)
    }

    /// Whether one more trouble is too much.
    pub(super) fn too_much_trouble(&self) -> bool {
        let (in_a_row, in_all) = MOST_TROUBLES;
        self.counts.troubles_in_a_row + 1 >= in_a_row || self.counts.troubles + 1 >= in_all
    }

    /// Whether as much went wrong in all as may.
    pub(super) fn has_troubled_enough(&self) -> bool {
        self.counts.troubles >= MOST_TROUBLES.1
    }

    pub(super) fn came_of_question(&self, ruling: Ruling) -> Vec<Event> {
        let request = self.work.caught.as_ref().map(|caught| caught.request.as_str()).unwrap_or_default();
        let ended = match ruling {
            Ruling::LetGo
            | Ruling::ToBeRepeated
            | Ruling::ToBeReached
            | Ruling::NotSent
            | Ruling::Unknown => None,
            Ruling::Denied => {
                let words = format!("somebody said no, this was not sent: {request}");
                Some(self.ends(OutcomeKind::Denied, Reason::HumanRejected, &words))
            }
            Ruling::Expired => {
                let words = format!("nobody answered in time, this was not sent: {request}");
                Some(self.ends(OutcomeKind::Stopped, Reason::NobodyAnswered, &words))
            }
            // What was asked about is gone with its browser, and was not sent.
            Ruling::Withdrawn => {
                let words = format!("the browser is gone, this was not sent: {request}");
                let code = Code::BrowserDisconnected.as_str().to_owned();
                let kind = TroubleKind::Disconnect;
                Some(self.disconnected(self, &Trouble { code, words, kind, ..Trouble::default() }))
            }
        };
        [Some(Event::Ruled { ruling }), ended].into_iter().flatten().collect()
    }

    pub(super) fn heard_person(&self, question: &Question, answer: Answer) -> Vec<Event> {
        let said = Event::PersonSaid { answer: answer.clone() };
        match (question, answer) {
            (Question::Extend { out_of }, Answer::Yes) => {
                let limits = extended(&self.limits, &self.spec.limits, *out_of);
                vec![said, Event::Extended { limits }]
            }
            (Question::Extend { out_of }, _) => {
                vec![said, self.ends_at_limit(*out_of, limit_words(*out_of))]
            }
            (Question::Approve { action, .. }, Answer::No) => {
                let words = format!("somebody said no to: {action}");
                vec![said, self.ends(OutcomeKind::Denied, Reason::HumanRejected, &words)]
            }
            (Question::Approve { action, .. }, Answer::Nothing) => {
                let words = format!("nobody answered: {action}");
                vec![said, self.ends(OutcomeKind::Stopped, Reason::NobodyAnswered, &words)]
            }
            (Question::Approve { .. } | Question::Tell { .. }, _) => vec![said],
            (Question::Checkpoint { .. } | Question::TakeOver { .. }, answer) => {
                let ended = self.heard_about_service(question, &answer);
                [Some(said), ended].into_iter().flatten().collect()
            }
        }
    }
}
