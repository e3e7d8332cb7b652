//! What can go wrong with a browser of somebody else's, and what the loop makes of it.

use legwork_agent::{Trouble, TroubleKind};
use legwork_types::{Code, PageText, Problem};
use thiserror::Error;

use super::super::trouble::trouble;

/// Why somebody else's browser did not do it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ForeignError {
    /// It is gone. What was under way may have been done or not.
    #[error("the toolbox is gone: {0}")]
    Lost(String),
    /// It is gone, and there will be no other.
    #[error("there is no toolbox any more: {0}")]
    Gone(String),
    /// It did not answer. What was under way may have been done or not.
    #[error("the toolbox did not answer in time: {0}")]
    TimedOut(String),
    /// What it answered could not be read. What was under way may have been done or not.
    #[error("what the toolbox answered could not be read: {0}")]
    Unheard(String),
    /// It says that it did not do it. A page may have written these words.
    #[error("the toolbox could not do it")]
    Failed(PageText),
    /// The page could not be reached. A page may have written these words.
    #[error("the page could not be opened")]
    Unreachable(PageText),
    /// It can't do this at all.
    #[error("the toolbox can't do this: {0}")]
    NotOffered(String),
    /// Somebody broke it off. It may have been done or not.
    #[error("it was broken off")]
    BrokenOff,
}

impl ForeignError {
    /// The same as every surface shows it.
    pub fn problem(&self) -> Problem {
        let problem = |code, hint: &str| Problem::new(code, self.to_string(), hint);
        match self {
            Self::Lost(_) | Self::Gone(_) => problem(
                Code::BrowserDisconnected,
                "see at the site what has been done before it is done again",
            ),
            Self::TimedOut(_) => problem(Code::Timeout, "look at the page before you go on"),
            Self::Unheard(_) => problem(Code::ToolboxFailed, "look at the page before you go on"),
            Self::Failed(words) => problem(Code::ToolboxFailed, "look at the page, and find another way")
                .because(words.untrusted().to_owned()),
            Self::Unreachable(words) => {
                problem(Code::NavigationFailed, "check the address").because(on_one_line(words.untrusted()))
            }
            Self::NotOffered(_) => problem(Code::ActionNotApplicable, "do it in another way"),
            Self::BrokenOff => problem(Code::UnknownOutcome, "see at the site what has been done"),
        }
    }

    /// Whether the browser is gone.
    pub(super) fn is_loss(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::Gone(_))
    }

    /// Whether it is not known if what was asked for was done.
    pub(super) fn is_unknown(&self) -> bool {
        match self {
            Self::Lost(_) | Self::Gone(_) | Self::TimedOut(_) | Self::Unheard(_) | Self::BrokenOff => true,
            Self::Failed(_) | Self::Unreachable(_) | Self::NotOffered(_) => false,
        }
    }

    /// What the loop makes of it while it only looked.
    pub(super) fn trouble(&self) -> Trouble {
        let kind = match self {
            Self::Lost(_) => TroubleKind::Disconnect,
            Self::Gone(_) => TroubleKind::NoBrowser,
            Self::Unreachable(_) => TroubleKind::Network,
            Self::TimedOut(_)
            | Self::Unheard(_)
            | Self::Failed(_)
            | Self::NotOffered(_)
            | Self::BrokenOff => TroubleKind::Told,
        };
        Trouble { kind, ..trouble(&self.problem()) }
    }

    /// The same while it acted: what was under way may have been done.
    pub(super) fn trouble_of_act(&self) -> Trouble {
        if !self.is_unknown() {
            return self.trouble();
        }
        let message = format!("{self}, and whether it was done is not known");
        let hint = "do not do it again: find out on the page whether it was done";
        let told = trouble(&Problem::new(Code::UnknownOutcome, message, hint));
        Trouble { kind: self.trouble().kind, ..told }
    }
}

/// Only the browser's own word for a failure is ours to repeat.
fn on_one_line(words: &str) -> String {
    let word = words.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, ':' | '_')));
    let known = word.into_iter().find(|word| word.starts_with("net::ERR_"));
    known.unwrap_or("the toolbox says no more").chars().take(60).collect()
}
