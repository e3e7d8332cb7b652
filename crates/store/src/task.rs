//! Something to do, as it was handed in, and where it stands.

use std::fmt;

use legwork_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Json, approval::ApprovalId, moment};

/// The name of a task.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(pub String);

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whoever runs tasks: one process of one machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Owner(pub String);

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskState {
    /// It waits for its turn.
    Queued,
    /// It is being done.
    Running,
    /// It waits for a person.
    Waiting,
    /// Somebody wants it to rest.
    Paused,
    /// It came to an end, whichever.
    Ended,
    /// Somebody called it off.
    Cancelled,
}

impl TaskState {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Waiting, Self::Paused, Self::Ended, Self::Cancelled];

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Paused => "paused",
            Self::Ended => "ended",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more can happen to it.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Ended | Self::Cancelled)
    }
}

/// Something to do, as it was handed in. What is in `order` is for whoever does it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// What is to be done, in the user's words.
    pub goal: String,
    /// Who handed it in.
    pub caller: String,
    /// By what the same caller means the same task, however often it is handed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// All the rest.
    pub order: Json,
    /// The task that is tried again by this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<TaskId>,
}

/// What somebody wants of a task that is being done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    /// Nothing.
    #[default]
    None,
    /// That it rests after this step.
    Pause,
    /// That it ends after this step.
    Cancel,
}

/// How a task ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct End {
    /// In a word, such as `verified`.
    pub kind: String,
    /// In a sentence.
    pub words: String,
    /// All of it.
    pub outcome: Json,
}

/// What a task has taken of models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Used {
    /// How often one was asked.
    pub calls: u64,
    /// Tokens that were read.
    pub input: u64,
    /// How many of these were known to the vendor already.
    pub cached: u64,
    /// Tokens that were written.
    pub output: u64,
    /// What it cost, in millionths of a US dollar.
    pub micro_usd: u64,
}

impl Used {
    /// All of both.
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(more.calls),
            input: self.input.saturating_add(more.input),
            cached: self.cached.saturating_add(more.cached),
            output: self.output.saturating_add(more.output),
            micro_usd: self.micro_usd.saturating_add(more.micro_usd),
        }
    }
}

/// A task, as its log leaves it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Its name.
    pub id: TaskId,
    /// Where it stands.
    pub state: TaskState,
    /// How many lines its log has.
    pub events: u64,
    /// What it is.
    pub submission: Submission,
    /// When it was handed in.
    #[serde(with = "moment")]
    pub created: Timestamp,
    /// When something last happened to it.
    #[serde(with = "moment")]
    pub updated: Timestamp,
    /// Who does it, or holds what it needs to go on.
    pub owner: Option<Owner>,
    /// How often somebody began to do it. Whoever comes later has the higher number, and is the only one who may write.
    pub epoch: u64,
    /// What somebody wants of it.
    pub wish: Wish,
    /// What it waits for.
    pub waits_for: Option<ApprovalId>,
    /// Why it went back into the queue last.
    pub requeued: Option<String>,
    /// How it ended.
    pub end: Option<End>,
    /// What it has taken.
    pub used: Used,
}

impl Task {
    /// Who may write about it now.
    pub fn fence(&self) -> Option<Fence> {
        self.owner.clone().map(|owner| Fence { owner, epoch: self.epoch })
    }
}

/// The right to write about a task that one does: it is lost when somebody else begins to do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// Who does it.
    pub owner: Owner,
    /// Since which beginning.
    pub epoch: u64,
}
