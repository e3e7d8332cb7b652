//! What an errand makes of having been left by the process that did it: another one goes on, without its browser and its page.

use super::Input;
use crate::{
    errand::{Errand, LookFor, Phase},
    event::{Answer, Commit, Event, Ruling},
};

/// How an errand is gone on with by another process.
#[derive(Debug, Clone, PartialEq)]
pub struct Resuming {
    /// Why the one before does not do it any more.
    pub why: String,
    /// What left after a yes, or may have, and is not in the log.
    pub commits: Vec<Commit>,
    /// What was answered to what it waited for; none where nobody has answered.
    pub answer: Option<Answered>,
}

/// An answer to what an errand waited for.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// Yes to what would have left.
    Approved,
    /// No to it.
    Denied,
    /// Nobody said anything in time.
    Expired,
    /// What somebody said.
    Said(Answer),
}

impl Errand {
    pub(super) fn resumed(&self, resuming: Resuming) -> Vec<Event> {
        let Resuming { why, commits, answer } = resuming;
        let resumed = Event::Resumed { why: why.clone(), commits };
        let after = self.after(&resumed);
        let next = match (&self.phase, answer) {
            // Nothing was open yet.
            (Phase::Planning | Phase::Looking(LookFor::First), _) => vec![],
            (Phase::AwaitingRuling { .. }, Some(Answered::Approved)) => {
                vec![Event::Ruled { ruling: Ruling::ToBeReached }]
            }
            (Phase::AwaitingRuling { .. }, Some(Answered::Denied)) => after.came_of_question(Ruling::Denied),
            (Phase::AwaitingRuling { .. }, Some(Answered::Expired)) => {
                after.came_of_question(Ruling::Expired)
            }
            // What is asked about is gone; whoever is asked anew gets to see what is there then.
            (Phase::AwaitingRuling { .. }, _) => after.came_of_question(Ruling::Withdrawn),
            (Phase::AskingPerson { .. }, Some(Answered::Said(answer))) => {
                after.follow(0, Input::Said(answer))
            }
            (Phase::AskingPerson { .. }, Some(Answered::Expired)) => {
                after.follow(0, Input::Said(Answer::Nothing))
            }
            // It is asked again.
            (Phase::AskingPerson { .. } | Phase::Reconnecting, _) => vec![],
            _ => vec![Event::Disconnected { why, painting: None, thrift: self.thrift }],
        };
        [resumed].into_iter().chain(next).collect()
    }
}
