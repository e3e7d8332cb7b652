//! What an errand makes of what it hears. Pure: a state and an input give events.

mod acts;
mod done;
mod lost;
mod model;
mod resumed;
mod service;

use crate::{
    budget::Reserve,
    drive::{AskFailure, Happened},
    errand::{Errand, Phase},
    event::{ActNote, Answer, Event, Heard, PageNote, Purpose, Ruling},
    outcome::{Checkpoint, Outcome, OutcomeKind, Reason},
    trouble::Trouble,
};

pub use resumed::{Answered, Resuming};

/// How often a page is looked at that does not change before the model is asked all the same.
pub(crate) const MOST_QUIET: u32 = 5;

const CALLED_OFF: &str = "somebody called the errand off";

/// What an errand hears.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// What the next call may take.
    Estimated(Reserve),
    /// A model answered.
    Heard(Heard, Vec<HeardCall>),
    /// A model could not be asked.
    AskFailed(AskFailure),
    /// The page was looked at.
    Looked(Box<PageNote>),
    /// The page could not be looked at.
    LookFailed(Trouble),
    /// The words of the page.
    Words(String),
    /// An act was tried.
    Acted(Box<ActNote>),
    /// Something happened that was not asked for.
    Besides(Happened),
    /// A question on the wire was answered, or will not be.
    Ruled(Ruling),
    /// Somebody answered.
    Said(Answer),
    /// Somebody wants the errand to stop after this step.
    Interrupted,
    /// It is time to stop.
    Stop,
    /// Another process goes on with it.
    Resumed(Resuming),
}

/// Something that a model called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardCall {
    /// The vendor's name for it.
    pub id: String,
    /// What it called.
    pub tool: String,
    /// What with: JSON, or what should have been.
    pub input: String,
}

impl Errand {
    /// What follows from an input at this time.
    pub fn decide(&self, at: u64, input: Input) -> Vec<Event> {
        self.serves(self.follow(at, input))
    }

    fn follow(&self, at: u64, input: Input) -> Vec<Event> {
        match (&self.phase, input) {
            (Phase::Ended, _) => vec![],
            (_, Input::Interrupted) => vec![Event::Interrupted],
            (_, Input::Besides(Happened { lines, again, commits })) => {
                vec![Event::Besides { happened: lines, again, commits }]
            }
            (_, Input::Resumed(resuming)) => self.resumed(resuming),
            (_, Input::Stop) => vec![self.called_off()],
            // Whoever calls an errand off does not answer its questions any more.
            (
                Phase::AwaitingRuling { .. },
                Input::Ruled(ruling @ (Ruling::Denied | Ruling::Expired | Ruling::Withdrawn)),
            ) if self.is_interrupted => vec![Event::Ruled { ruling }, self.called_off()],
            (Phase::AskingPerson { .. }, Input::Said(Answer::Nothing)) if self.is_interrupted => {
                vec![Event::PersonSaid { answer: Answer::Nothing }, self.called_off()]
            }
            (Phase::Planning | Phase::Thinking | Phase::Judging, Input::Estimated(reserve)) => {
                self.estimated(at, reserve)
            }
            (Phase::Planning, Input::Heard(heard, calls)) => self.knowing(&heard).heard_plan(heard, &calls),
            (Phase::Thinking, Input::Heard(heard, calls)) => self.knowing(&heard).heard_turn(heard, calls),
            (Phase::Judging, Input::Heard(heard, calls)) => self.knowing(&heard).heard_judge(heard, &calls),
            (_, Input::AskFailed(failure)) => self.ask_failed(failure),
            (Phase::Looking(why), Input::Looked(page)) => self.looked_at(why, page),
            (Phase::Reconnecting, Input::Looked(page)) => self.reconnected_at(page),
            (Phase::Looking(_) | Phase::Reading { .. } | Phase::Reconnecting, Input::LookFailed(trouble)) => {
                self.look_failed(trouble)
            }
            (Phase::Reading { .. }, Input::Words(words)) => vec![Event::Told { words }],
            (Phase::Acting(number, act), Input::Acted(done)) => self.came_of_act(*number, act, done),
            // Nobody was asked about what is not done whatever they say.
            (Phase::AskingPerson { .. }, Input::Acted(done)) if !done.dispatched => self
                .waiting_act()
                .map_or_else(Vec::new, |(number, act, _)| self.came_of_act(number, act, done)),
            (Phase::AwaitingRuling { .. }, Input::Ruled(ruling)) => self.came_of_question(ruling),
            (Phase::AskingPerson { question, .. }, Input::Said(answer)) => {
                self.heard_person(question, answer)
            }
            // What nobody waits for changes nothing.
            _ => vec![],
        }
    }

    fn called_off(&self) -> Event {
        let mut words = CALLED_OFF.to_owned();
        if let (Phase::AwaitingRuling { .. }, Some(caught)) = (&self.phase, &self.work.caught) {
            words.push_str(&format!("; this was not sent: {}", caught.request));
        }
        self.ends(OutcomeKind::Stopped, Reason::Interrupted, &words)
    }

    fn purpose(&self) -> Option<Purpose> {
        match self.phase {
            Phase::Planning => Some(Purpose::Plan),
            Phase::Thinking => Some(Purpose::Turn),
            Phase::Judging => Some(Purpose::Judge),
            _ => None,
        }
    }

    /// The end at a limit. What was said to be done and not taken for done is told as that.
    fn ends_at_limit(&self, out_of: Reason, words: &str) -> Event {
        match &self.work.claim {
            Some(_) => self.claimed(OutcomeKind::Unverified, out_of, words, None),
            None => self.ends(OutcomeKind::Stopped, out_of, words),
        }
    }

    fn ends(&self, kind: OutcomeKind, reason: Reason, words: &str) -> Event {
        Event::Ended { outcome: Box::new(self.outcome_of(kind, reason, words)) }
    }

    fn outcome_of(&self, kind: OutcomeKind, reason: Reason, words: &str) -> Outcome {
        Outcome {
            kind,
            reason,
            words: words.to_owned(),
            evidence: self.evidence(kind),
            answer: None,
            failure_declared_by: None,
            checkpoint: (kind == OutcomeKind::Stopped).then(|| self.checkpoint()),
        }
    }

    /// What really left, what nobody knows of it, and what its models can't do.
    fn evidence(&self, kind: OutcomeKind) -> Vec<String> {
        let unknown = self.sent_before().filter(|_| !kind.is_verified());
        let unknown = unknown.map(|sent| format!("whether this was taken is not known: {sent}"));
        self.work
            .receipts
            .lines()
            .iter()
            .cloned()
            .chain(unknown)
            .chain(self.work.lacks.iter().cloned())
            .collect()
    }

    /// How far it has come.
    fn checkpoint(&self) -> Checkpoint {
        /// So many of the last steps are told.
        const STEPS: usize = 5;
        let steps = &self.work.steps;
        let last = steps.get(steps.len().saturating_sub(STEPS)..).unwrap_or_default();
        let (code, trouble) = self.work.last_trouble.clone().unzip();
        Checkpoint {
            url: self.page().map(|page| page.url.clone()),
            turns: self.spent.turns,
            steps: last
                .iter()
                .map(|step| format!("{} {}: {}", step.number, step.deed, step.came_of_it))
                .collect(),
            code,
            trouble,
        }
    }
}

fn limit_words(out_of: Reason) -> &'static str {
    match out_of {
        Reason::MaxTurnsExceeded => "the errand took as many turns as it may",
        Reason::MaxTokensExceeded => "the errand took as many tokens as it may",
        Reason::BudgetExceeded => "the next call might cost more than is left of the budget",
        Reason::TimeExceeded => "the errand took as long as it may",
        _ => "the errand has come to a limit",
    }
}
