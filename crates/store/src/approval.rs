//! A question to a person that outlives the process that asked it.

use std::fmt;

use legwork_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Json, TaskId, moment};

/// The name of a question.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ApprovalId(pub String);

impl fmt::Display for ApprovalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Nobody has answered.
    Waiting,
    /// Somebody said yes, and nothing was done by that yet.
    Approved,
    /// Somebody said yes, and it was used: it is good for nothing more.
    Used,
    /// Somebody said no.
    Denied,
    /// Nobody answered in time, or nothing was done by a yes in time.
    Expired,
    /// What was asked about is no more.
    Withdrawn,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Waiting, Self::Approved, Self::Used, Self::Denied, Self::Expired, Self::Withdrawn];

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Approved => "approved",
            Self::Used => "used",
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A question, as it is asked. What is in `question` is for whoever shows it and acts upon it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asking {
    /// Its name.
    pub id: ApprovalId,
    /// When it is too late for a yes.
    #[serde(with = "moment")]
    pub expires: Timestamp,
    /// What is asked.
    pub question: Json,
}

/// What somebody answered, who, and on which way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The answer.
    pub says: Says,
    /// Who.
    pub by: String,
    /// On which way: `dashboard`, `telegram`, `terminal`, …
    pub way: String,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    /// Yes, this once.
    Yes,
    /// Yes, for whatever else of the kind goes to the same place in this task.
    YesForErrand,
    /// No.
    No,
    /// These words, where words were wanted.
    Words(String),
}

/// A question of a task, and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Whose question it is.
    pub task: TaskId,
    /// What is asked.
    pub asking: Asking,
    /// When it was asked.
    #[serde(with = "moment")]
    pub asked: Timestamp,
    /// Where it stands.
    pub standing: Standing,
    /// What was answered, if anything was.
    pub verdict: Option<Verdict>,
}
