//! What can go wrong with a browser server of somebody else's. That a tool failed is no error: it is an answer.

use std::time::Duration;

use legwork_runtime::on_one_line;
use legwork_types::{Code, Problem};
use thiserror::Error;

use super::NodeError;

/// Why a toolbox can't be used.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum ToolboxError {
    /// The command line makes no sense.
    #[error("the command line of the toolbox makes no sense: {0}")]
    Command(&'static str),
    /// There is no such program.
    #[error("there is no program {0:?} to start the toolbox with")]
    NoProgram(String),
    /// It runs on Node.js, and there is none that does.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// It did not come up.
    #[error("the toolbox did not come up: {why}")]
    NotUp {
        /// Why, as far as it is known.
        why: String,
        /// The last that it said.
        last_words: String,
    },
    /// It is gone. What was under way may have been done or not.
    #[error("the toolbox is gone: {why}")]
    Lost {
        /// What is known of it.
        why: String,
        /// The last that it said.
        last_words: String,
    },
    /// It took too long. What was under way may have been done or not.
    #[error("the toolbox did not answer to {what} within {limit:?}")]
    TimedOut {
        /// What it was asked.
        what: String,
        /// How long it had.
        limit: Duration,
    },
    /// It said more at once than any answer may be, which may have been the answer. What was under way may have been done or not.
    #[error("the toolbox answered {what} with more than {most} bytes")]
    TooLarge {
        /// What it was asked.
        what: String,
        /// How much it may answer.
        most: usize,
    },
    /// It answered with something else than was asked.
    #[error("the toolbox does not speak the protocol: {0}")]
    Protocol(String),
    /// It was connected anew once before: that is as often as it is done.
    #[error("the toolbox was started anew once already")]
    NoMoreStarts,
    /// It was closed.
    #[error("the toolbox was closed")]
    Closed,
}

impl ToolboxError {
    /// Whether the server is gone, and may be started anew.
    pub fn is_loss(&self) -> bool {
        matches!(self, Self::Lost { .. })
    }

    /// The same as every surface shows it.
    pub fn problem(&self) -> Problem {
        let told = |words: &str| match words.is_empty() {
            true => "it said nothing".to_owned(),
            false => format!("the last that it said: {}", on_one_line(words, MOST_TOLD)),
        };
        let problem = |code, hint: &str| Problem::new(code, self.to_string(), hint);
        match self {
            Self::Command(_) => problem(
                Code::Usage,
                "give a program and its arguments as on a command line, without a shell: --toolbox \"npx @playwright/mcp --headless\"",
            ),
            Self::NoProgram(_) => {
                problem(Code::ToolboxFailed, "check its name, or give its whole path; the toolbox is started without a shell")
            }
            Self::Node(node) => problem(Code::ToolboxNodeMissing, node.hint()),
            Self::NotUp { last_words, .. } => problem(
                Code::ToolboxFailed,
                "start the same command by hand: it has to wait for the Model Context Protocol on its standard input",
            )
            .because(told(last_words)),
            Self::Lost { last_words, .. } => problem(
                Code::BrowserDisconnected,
                "see at the site what has been done before it is done again; nothing is repeated by itself",
            )
            .because(told(last_words)),
            Self::TimedOut { .. } => {
                problem(Code::Timeout, "see at the site what has been done; the page or the toolbox may be slow")
            }
            Self::TooLarge { .. } => problem(Code::ToolboxFailed, "ask for less: a part of the page, a smaller picture"),
            Self::Protocol(_) => problem(
                Code::ToolboxFailed,
                "use a server that speaks the Model Context Protocol, such as @playwright/mcp",
            ),
            Self::NoMoreStarts => problem(
                Code::BrowserDisconnected,
                "find out why it ends; an errand starts its toolbox anew once and no more",
            ),
            Self::Closed => problem(Code::InternalError, "this is a defect of Legwork: please report it"),
        }
    }
}

/// How much of its last words a person is told.
const MOST_TOLD: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_told_with_the_last_words_on_one_line() {
        let lost = ToolboxError::Lost { why: "it ended".into(), last_words: "one\n\u{1b}[31mtwo".into() };
        let problem = lost.problem();
        assert!(lost.is_loss() && !ToolboxError::NoMoreStarts.is_loss());
        assert_eq!(problem.code, Code::BrowserDisconnected);
        let cause = problem.cause.unwrap_or_default();
        assert!(cause.contains("one") && cause.contains("two"), "{cause}");
        assert!(!cause.contains('\n') && !cause.contains('\u{1b}'), "{cause:?}");
    }
}
