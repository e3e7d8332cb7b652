//! What is said on the desk socket.

use legwork_runtime::{Answer, ApprovalId, Approvals, NotDecided};
use serde::{Deserialize, Serialize};

use crate::Shown;

/// The longest request, in bytes.
pub(super) const LONGEST_ASKED: u64 = 4_096;
/// The longest answer, in bytes.
pub(super) const LONGEST_TOLD: u64 = 64 * 1024 * 1024;

/// What a terminal asks.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
pub(super) enum Asked {
    /// What waits.
    List,
    /// One question, whether it waits or not.
    Show {
        /// Its name.
        id: String,
    },
    /// An answer to it.
    Answer {
        /// Its name.
        id: String,
        /// The answer.
        answer: Word,
    },
}

/// An answer in a word. Nothing stands for it, and nothing is taken for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Word {
    Yes,
    Errand,
    No,
}

/// What the desk answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase")]
pub(super) enum Told {
    /// What waits.
    List { questions: Vec<Shown> },
    /// One question.
    Question { question: Box<Shown> },
    /// The answer counts.
    Taken,
    /// It was decided before.
    Decided { standing: String },
    /// There is no such question.
    Unknown,
    /// This was not understood.
    Unreadable,
}

impl Told {
    /// What the desk answers to a line.
    pub(super) fn to(line: &str, desk: &Approvals) -> Self {
        use legwork_runtime::Standing;
        let Ok(asked) = serde_json::from_str::<Asked>(line) else { return Self::Unreadable };
        match asked {
            Asked::List => {
                let waiting = desk.waiting();
                Self::List {
                    questions: waiting.iter().map(|one| Shown::of(one, Standing::Waiting)).collect(),
                }
            }
            Asked::Show { id } => match desk.find(&ApprovalId(id)) {
                Some((approval, standing)) => {
                    Self::Question { question: Box::new(Shown::of(&approval, standing)) }
                }
                None => Self::Unknown,
            },
            Asked::Answer { id, answer } => {
                let answer = match answer {
                    Word::Yes => Answer::Yes,
                    Word::Errand => Answer::YesForErrand,
                    Word::No => Answer::No,
                };
                match desk.answer(&ApprovalId(id), answer) {
                    Ok(()) => Self::Taken,
                    Err(NotDecided::Already(standing)) => {
                        Self::Decided { standing: standing.word().to_owned() }
                    }
                    Err(NotDecided::NotOffered) => Self::Unreadable,
                    Err(NotDecided::Unknown) => Self::Unknown,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use legwork_runtime::USUAL_LIFE;

    use super::*;

    #[test]
    fn only_what_is_understood_is_done() {
        let desk = Approvals::new(USUAL_LIFE);
        for unreadable in [
            "",
            "{}",
            "[]",
            r#"{"do":"answer","id":"a1"}"#,
            r#"{"do":"answer","id":"a1","answer":true}"#,
            r#"{"do":"answer","id":"a1","answer":"Yes"}"#,
            r#"{"do":"answer","id":"a1","answer":"y"}"#,
            r#"{"do":"approve","id":"a1"}"#,
        ] {
            assert!(matches!(Told::to(unreadable, &desk), Told::Unreadable), "{unreadable}");
        }
        assert!(
            matches!(Told::to(r#"{"do":"list"}"#, &desk), Told::List { questions } if questions.is_empty())
        );
        assert!(matches!(Told::to(r#"{"do":"answer","id":"a1","answer":"yes"}"#, &desk), Told::Unknown));
    }
}
