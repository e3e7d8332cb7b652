//! What is to be done next: follows from the state alone, so that an errand goes on wherever its log ends.

use legwork_types::contract::ActionId;

use crate::{
    call::{Act, Look},
    errand::{Errand, LookFor, Phase},
    event::{Purpose, Question},
    outcome::Outcome,
    spec::Vision,
};

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect<'a> {
    /// Says what the next call may take.
    Reserve(Purpose),
    /// Asks a model. It was reserved.
    Ask(Purpose),
    /// Opens the first page, and looks at it.
    Open {
        /// Where; an empty page if nobody said.
        url: Option<&'a str>,
        /// Whether a picture is wanted.
        picture: Picture,
    },
    /// Looks at the page.
    Look {
        /// At this part alone.
        part: Look,
        /// Whether a picture is wanted.
        picture: Picture,
        /// Whether to wait a moment first.
        pause: Pause,
    },
    /// Reads the words of the page.
    Read {
        /// Of this element alone.
        within: Option<ActionId>,
    },
    /// Acts.
    Act {
        /// Its number in the log.
        number: u32,
        /// What.
        act: &'a Act,
        /// Whether a picture of the page afterwards is wanted.
        picture: Picture,
    },
    /// Waits until somebody has answered the question on the wire.
    AwaitRuling {
        /// Its name.
        approval: &'a str,
    },
    /// Asks somebody.
    AskPerson(&'a Question),
    /// It is time to stop.
    Stop,
    /// Nothing more.
    Nothing(&'a Outcome),
}

/// Whether a picture is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// It is.
    Wanted,
    /// It is where words may not be enough: something is drawn, or the place was not seen before.
    IfDrawnOrNew,
    /// It is not.
    No,
}

/// Whether to wait a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// For a second.
    Second,
    /// Not at all.
    No,
}

impl Errand {
    /// What is to be done next.
    pub fn next(&self) -> Effect<'_> {
        if let Some(outcome) = &self.outcome {
            return Effect::Nothing(outcome);
        }
        let is_under_way = matches!(self.phase, Phase::Acting(..));
        if self.is_interrupted && !is_under_way {
            return Effect::Stop;
        }
        let ask = |purpose| match self.reserved {
            Some((reserved, _)) if reserved == purpose => Effect::Ask(purpose),
            _ => Effect::Reserve(purpose),
        };
        let look = |part, pause| Effect::Look { part, picture: self.picture(), pause };
        match &self.phase {
            Phase::Planning => ask(Purpose::Plan),
            Phase::Thinking => ask(Purpose::Turn),
            Phase::Judging => ask(Purpose::Judge),
            Phase::Looking(LookFor::First) => {
                let planned = self.plan.as_ref().and_then(|plan| plan.url.as_deref());
                Effect::Open { url: self.spec.start_url.as_deref().or(planned), picture: self.picture() }
            }
            Phase::Looking(LookFor::Change) => look(Look::default(), Pause::Second),
            Phase::Looking(LookFor::Part(part)) => look(part.clone(), Pause::No),
            Phase::Looking(LookFor::Fresh | LookFor::Proof) => look(Look::default(), Pause::No),
            Phase::Acting(number, act) => Effect::Act { number: *number, act, picture: self.picture() },
            Phase::Reading { within } => Effect::Read { within: *within },
            Phase::AwaitingRuling { approval, .. } => Effect::AwaitRuling { approval },
            Phase::AskingPerson { question, .. } => Effect::AskPerson(question),
            // An end without an outcome can't be: its event has one.
            Phase::Ended => Effect::Stop,
        }
    }

    /// Whether the model needs to see the page: words may not be enough after something went wrong.
    fn picture(&self) -> Picture {
        match self.spec.vision {
            Vision::Always => Picture::Wanted,
            Vision::Never => Picture::No,
            Vision::Auto if self.counts.troubles_in_a_row > 0 => Picture::Wanted,
            Vision::Auto => Picture::IfDrawnOrNew,
        }
    }

    /// Whether the model was shown a page of this address before.
    pub fn has_seen(&self, place: &str) -> bool {
        self.talk.visited.iter().any(|seen| seen == place)
    }
}
