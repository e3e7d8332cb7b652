//! What an act, an answer to a question about one, and the words of people change in an errand.

use super::{Errand, LookFor, Phase, Step};
use crate::{
    call::Act,
    event::{ActNote, Answer, Caught, Fate, Question, Ruling},
};

impl Errand {
    pub(super) fn acted(&mut self, number: u32, done: &ActNote) {
        self.committed(&done.commits);
        // Which addresses are to blame follows from what is under way.
        done.trouble.iter().for_each(|trouble| self.page_gone(trouble));
        let acting = match std::mem::replace(&mut self.phase, Phase::Thinking) {
            // It was refused before anybody was asked.
            Phase::AskingPerson { then, .. } => *then,
            phase => phase,
        };
        let Phase::Acting(_, act) = acting else { return };
        self.counts.same_again = self.same_again(&act, done);
        let deed = crate::words::deed(&act, self.talk.page.as_ref());
        match &done.trouble {
            Some(trouble) => {
                self.work.last_trouble = Some((trouble.code.clone(), trouble.words.clone()));
                if trouble.kind.is_failure() {
                    self.trouble();
                }
                self.talk.notices.push(trouble.for_model());
            }
            None => self.counts.troubles_in_a_row = 0,
        }
        done.sent.iter().for_each(|sent| self.work.receipts.note(&format!("step {number}: {sent}")));
        self.work.steps.push(Step {
            number,
            deed,
            why: act.why.clone(),
            came_of_it: done.brief.clone(),
            is_ok: done.trouble.is_none(),
        });
        self.work.caught.clone_from(&done.caught);
        let before = self.talk.page.as_ref().map(|page| page.digest);
        if !done.nothing && done.trouble.is_none() && done.page.as_ref().map(|page| page.digest) == before {
            self.work.ways.had_an_effect();
        }
        match &done.page {
            Some(page) => {
                let is_same = self.talk.has_shown(page);
                // A failure is news by itself.
                let is_quiet = is_same && done.trouble.is_none() && done.dispatched;
                self.show(page);
                self.counts.quiet = 0;
                if is_quiet {
                    self.phase = Phase::Looking(LookFor::Change);
                }
            }
            None => self.phase = Phase::Looking(LookFor::Fresh),
        }
        if let Some(Caught { fate: Fate::Held(approval) | Fate::ToBeRepeated(approval), .. }) = &done.caught {
            self.phase = Phase::AwaitingRuling { approval: approval.clone() };
        }
    }

    /// How often the same was done in vain, with this time.
    pub(crate) fn same_again(&self, act: &Act, done: &ActNote) -> u32 {
        let deed = crate::words::deed(act, self.talk.page.as_ref());
        let is_repeated = self.work.steps.last().is_some_and(|last| last.deed == deed);
        match is_repeated && (done.trouble.is_some() || done.nothing) {
            true => self.counts.same_again + 1,
            false => 0,
        }
    }

    pub(super) fn ruled(&mut self, ruling: Ruling) {
        if !matches!(self.phase, Phase::AwaitingRuling { .. }) {
            return;
        }
        // That it was asked about is no failure of the model.
        self.counts.troubles = self.counts.troubles.saturating_sub(1);
        self.counts.troubles_in_a_row = 0;
        self.counts.same_again = 0;
        self.phase = Phase::Looking(LookFor::Fresh);
        let prepared = self.work.prepared.take();
        let (request, settles) = match &self.work.caught {
            Some(caught) => (caught.request.clone(), caught.settles),
            None => (String::new(), false),
        };
        let came_of_it = match ruling {
            Ruling::LetGo => "a person said yes, and it was let go",
            Ruling::ToBeRepeated => "a person said yes; it leaves when it is done again",
            Ruling::ToBeReached => "a person said yes; it leaves when it is done again in another browser",
            Ruling::NotSent => "a person said yes, and it could not leave any more",
            Ruling::Unknown => "a person said yes, and whether it left is not known",
            Ruling::Denied | Ruling::Expired | Ruling::Withdrawn => return,
        };
        self.talk.notices.clear();
        if let Some(step) = self.work.steps.last_mut() {
            step.is_ok = matches!(ruling, Ruling::LetGo);
            step.came_of_it = came_of_it.to_owned();
        }
        self.work.receipts.note(&format!("{came_of_it}: {request}"));
        if ruling == Ruling::ToBeReached {
            self.work.approved = Some(request);
            self.phase = Phase::Reconnecting;
            return;
        }
        self.work.approved = None;
        self.talk.notices.push(match ruling {
            Ruling::LetGo => {
                "a person said yes to this and it was sent; look whether it was taken".to_owned()
            }
            Ruling::ToBeRepeated => {
                "a person said yes to this; do the same again now, it will be sent".to_owned()
            }
            _ => format!("{came_of_it}; do not do it again: find out whether it was taken"),
        });
        // What the model announced as the last step is under way: what is left is to see it through.
        if prepared.is_some() && settles {
            self.counts.since_approval = Some(0);
        }
        if ruling == Ruling::LetGo {
            // The page as it was while it was asked about is nothing new: what comes of it is waited for.
            self.talk.shown = self.talk.page.as_ref().map(|page| (page.digest, page.pixels));
            self.counts.quiet = 0;
            self.phase = Phase::Looking(LookFor::Change);
        }
    }

    pub(super) fn person_said(&mut self, answer: &Answer) {
        let Phase::AskingPerson { question, then } = self.phase.clone() else { return };
        let told = match (&question, answer) {
            (Question::Approve { .. }, Answer::Yes) => {
                "yes, you may go on. What can't be undone is still asked about when it is sent.".to_owned()
            }
            (Question::Approve { .. }, _) => "no".to_owned(),
            (Question::Tell { .. }, Answer::Words(words)) => format!("the user says: {words}"),
            (Question::Tell { .. }, Answer::Yes) => "the user says: yes".to_owned(),
            (Question::Tell { .. }, Answer::No) => "the user says: no".to_owned(),
            (Question::Tell { .. }, Answer::Nothing) => "nobody answered".to_owned(),
            (Question::Extend { .. }, _) => return,
            (Question::Checkpoint { .. } | Question::TakeOver { .. }, answer) => {
                return self.said_about_service(&question, answer, *then);
            }
        };
        if let Some(last) = self.talk.tail.last_mut() {
            last.told = told;
        }
        self.phase = *then;
    }
}
