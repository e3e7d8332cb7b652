//! What is to be done next: follows from the state alone, so that an errand goes on wherever its log ends.

use legwork_types::contract::ActionId;

use crate::{
    budget::Left,
    call::{Act, Look},
    errand::{Errand, LookFor, Phase},
    event::{Commit, Purpose, Question, Thrift},
    outcome::Outcome,
    spec::{Someone, Vision},
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
        /// In which manner.
        manner: Manner,
    },
    /// Loads a page again that crashed, and looks at it.
    Reload {
        /// Where it was.
        url: &'a str,
        /// What is not sent again.
        commits: &'a [Commit],
        /// Whether a picture is wanted.
        picture: Picture,
    },
    /// Gets another browser, opens the page there where the errand began, and looks at it.
    Reconnect {
        /// Where it began.
        url: Option<&'a str>,
        /// What is not sent again.
        commits: &'a [Commit],
        /// How it saves memory.
        thrift: Thrift,
        /// Whether a picture is wanted.
        picture: Picture,
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
    /// It is where words may not be enough: something is drawn, the place was not seen before, or something went wrong there.
    IfNeeded,
    /// It is not.
    No,
}

/// In which manner the page is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// As it is now.
    AtOnce,
    /// After a second: it may change.
    AfterASecond,
    /// As it is now, with all its words: a sign may stand where the model is not shown it.
    WithAllWords,
}

impl Errand {
    /// What is to be done next.
    pub fn next(&self) -> Effect<'_> {
        if let Some(outcome) = &self.outcome {
            return Effect::Nothing(outcome);
        }
        // A question is taken back, and whatever was answered by then is told.
        let is_under_way = matches!(self.phase, Phase::Acting(..) | Phase::AwaitingRuling { .. });
        if self.is_interrupted && !is_under_way {
            return Effect::Stop;
        }
        let ask = |purpose| match self.reserved {
            Some((reserved, _)) if reserved == purpose => Effect::Ask(purpose),
            _ => Effect::Reserve(purpose),
        };
        let look = |part, manner| Effect::Look { part, picture: self.picture(), manner };
        match &self.phase {
            Phase::Planning => ask(Purpose::Plan),
            Phase::Thinking => ask(Purpose::Turn),
            Phase::Judging => ask(Purpose::Judge),
            Phase::Looking(LookFor::First) => {
                Effect::Open { url: self.starting_url(), picture: self.picture() }
            }
            Phase::Looking(LookFor::Again(url)) => {
                Effect::Reload { url, commits: &self.work.commits, picture: self.picture() }
            }
            Phase::Reconnecting => Effect::Reconnect {
                url: self.starting_url(),
                commits: &self.work.commits,
                thrift: self.thrift,
                picture: self.picture(),
            },
            Phase::Looking(LookFor::Change) => look(Look::default(), Manner::AfterASecond),
            Phase::Looking(LookFor::Part(part)) => look(part.clone(), Manner::AtOnce),
            Phase::Looking(LookFor::Fresh) => look(Look::default(), Manner::AtOnce),
            Phase::Looking(LookFor::Proof) => look(Look::default(), Manner::WithAllWords),
            Phase::Acting(number, act) => Effect::Act { number: *number, act, picture: self.picture() },
            Phase::Reading { within } => Effect::Read { within: *within },
            Phase::AwaitingRuling { approval } => Effect::AwaitRuling { approval },
            Phase::AskingPerson { question, .. } => Effect::AskPerson(question),
            // An end without an outcome can't be: its event has one.
            Phase::Ended => Effect::Stop,
        }
    }

    /// The act that waits for somebody's answer: its number, and whether a picture of the page afterwards is wanted.
    pub(crate) fn waiting_act(&self) -> Option<(u32, &Act, Picture)> {
        match &self.phase {
            Phase::AskingPerson { then, .. } => match &**then {
                Phase::Acting(number, act) => Some((*number, act, self.picture())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where the errand begins: where the user said, or where the plan says.
    pub(crate) fn starting_url(&self) -> Option<&str> {
        // A planner has seen no page: where its address leads nowhere, the model finds its own way.
        let planned = self.plan.as_ref().and_then(|plan| plan.url.as_deref());
        let planned = planned.filter(|_| self.counts.look_failures == 0 || self.spent.turns > 0);
        self.spec.start_url.as_deref().or(planned)
    }

    /// Whether this is the last turn that there may be: then all that is left is to say how it went.
    pub(crate) fn is_last_turn(&self) -> bool {
        let after_approval = self.counts.since_approval.map(|turns| turns + 1);
        // Where somebody is there, as many again may be had.
        let is_last =
            self.spec.someone == Someone::Absent && self.spent.iterations() + 1 >= self.limits.turns;
        is_last || after_approval.is_some_and(|turns| turns >= self.limits.turns_after_approval)
    }

    /// Whether the model needs to see the page: words may not be enough after something went wrong.
    fn picture(&self) -> Picture {
        match self.spec.vision {
            Vision::Always => Picture::Wanted,
            Vision::Never => Picture::No,
            Vision::Auto if self.counts.troubles_in_a_row > 0 => Picture::Wanted,
            Vision::Auto => Picture::IfNeeded,
        }
    }

    /// What it may still take at this time.
    pub(crate) fn left(&self, at: u64) -> Left {
        Left::of(&self.limits, &self.spent, at)
    }

    /// Whether the model was shown a page of this address before.
    pub fn has_seen(&self, place: &str) -> bool {
        self.talk.visited.iter().any(|seen| seen == place)
    }
}
