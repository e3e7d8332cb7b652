//! What a service changes in an errand: what is done before the model is asked, and what people are asked because of it.

use super::{Errand, LookFor, Phase};
use crate::{
    call::Act,
    event::{Answer, Question},
    service::Asked,
};

impl Errand {
    /// The number of the next act.
    pub(super) fn next_number(&self) -> u32 {
        u32::try_from(self.work.steps.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Something small is done before the model is asked.
    pub(super) fn prepares(&mut self, rule: usize, act: &Act) {
        let place = self.page().map(|page| page.place().to_owned()).unwrap_or_default();
        self.work.readied.push((rule, place));
        self.counts.readied += 1;
        self.phase = Phase::Acting(self.next_number(), act.clone());
    }

    /// Why somebody is to be asked about an act at this point, if the service says so.
    fn asks(&self, act: &Act, when: Asked) -> Option<String> {
        let rules = self.spec.service.as_ref().filter(|rules| rules.asked == when)?;
        rules.checkpoint_of(act, self.page().and_then(|page| page.signs.as_ref()))
    }

    /// Why an act is to be taken for dangerous whatever it seems, if so.
    pub(crate) fn caution(&self, act: &Act) -> Option<String> {
        /// The most characters of it that are told.
        const LONGEST: usize = 200;
        let why: String = self.asks(act, Asked::AtTheWire)?.chars().take(LONGEST).collect();
        let service = self.spec.service.as_ref().map(|rules| rules.service.as_str()).unwrap_or_default();
        Some(format!("is to be asked about, says the service {service}: {why}"))
    }

    /// What somebody is asked before an act, where nobody guards the wire.
    pub(crate) fn checkpoint_before(&self, act: &Act) -> Option<Question> {
        let why = self.asks(act, Asked::BeforeTheAct)?;
        let url = self.page().map(|page| page.url.clone()).unwrap_or_default();
        Some(Question::Checkpoint { action: crate::words::deed(act, self.page()), why, url })
    }

    /// An act that is asked about first is not begun before, wherever the log ends.
    pub(super) fn guarded(&self, acting: Phase) -> Phase {
        match &acting {
            Phase::Acting(_, act) => match self.checkpoint_before(act) {
                Some(question) => Phase::AskingPerson { question, then: Box::new(acting) },
                None => acting,
            },
            _ => acting,
        }
    }

    pub(super) fn asked_about_service(&mut self, question: &Question) {
        let then = match (question, &self.phase) {
            (Question::TakeOver { .. }, _) => {
                let place = self.page().map(|page| page.place().to_owned()).unwrap_or_default();
                self.work.taken_over.push(place);
                Phase::Looking(LookFor::Fresh)
            }
            (_, Phase::AskingPerson { then, .. }) => (**then).clone(),
            (_, phase) => phase.clone(),
        };
        self.phase = Phase::AskingPerson { question: question.clone(), then: Box::new(then) };
    }

    pub(super) fn said_about_service(&mut self, question: &Question, answer: &Answer, then: Phase) {
        self.phase = match (question, answer) {
            (Question::TakeOver { wants, .. }, Answer::Yes) => {
                let wants = wants.words();
                self.talk.notices.push(format!("the page wanted {wants}, and a person saw to it: go on"));
                then
            }
            (Question::Checkpoint { action, url, .. }, Answer::Yes) => {
                self.work.receipts.note(&format!("a person said yes at {url}: {action}"));
                then
            }
            // An end follows.
            _ => Phase::Thinking,
        };
    }
}
