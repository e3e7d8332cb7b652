//! What happens to a task: the lines of its log. Everything else follows from these.

use legwork_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Json,
    approval::{ApprovalId, Asking, Verdict},
    blob::Blob,
    intent::{Fate, IntentId},
    task::{End, Fence, Owner, Submission, TaskId, Used},
};

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Fact {
    /// It was handed in.
    Submitted {
        /// What it is.
        submission: Submission,
    },
    /// Somebody began to do it.
    Claimed {
        /// Who.
        owner: Owner,
    },
    /// A line of the errand's own log.
    Entry {
        /// The line.
        entry: Json,
        /// What was done, where that line is about something that was done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<Step>,
        /// What it took of a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        used: Option<Used>,
    },
    /// A person is asked something.
    Asked {
        /// What.
        asking: Asking,
    },
    /// It waits for the answer, and takes nobody's time meanwhile.
    Parked {
        /// To which question.
        approval: ApprovalId,
    },
    /// It goes on where it waited.
    Woken,
    /// Somebody answered.
    Answered {
        /// Which question.
        approval: ApprovalId,
        /// What.
        verdict: Verdict,
    },
    /// It is too late for an answer, or for what was said yes to.
    Expired {
        /// Which question.
        approval: ApprovalId,
    },
    /// A question is of no interest any more.
    Withdrawn {
        /// Which.
        approval: ApprovalId,
    },
    /// Something irreversible is about to be sent. A yes is used up by that.
    Committing {
        /// The name of the intent.
        intent: IntentId,
        /// The yes.
        approval: Option<ApprovalId>,
        /// What is sent.
        what: String,
    },
    /// What became of that.
    Committed {
        /// Which.
        intent: IntentId,
        /// What.
        fate: Fate,
    },
    /// It waits for its turn again.
    Requeued {
        /// Why.
        why: String,
    },
    /// It waits on, and nobody holds its page for it any more.
    Released {
        /// Why.
        why: String,
    },
    /// Somebody wants it to rest.
    PauseWanted,
    /// It rests.
    Paused,
    /// Somebody wants it to go on.
    Resumed,
    /// Somebody wants it to end.
    CancelWanted {
        /// Who.
        by: String,
    },
    /// It was called off.
    Cancelled,
    /// It ended.
    Ended {
        /// How.
        end: End,
    },
    /// Something was kept beside it.
    Kept {
        /// What.
        blob: Blob,
    },
    /// Something that was kept is gone.
    Dropped {
        /// Its name.
        name: String,
    },
}

/// Who may say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// Whoever does the task now, and nobody else.
    Doer,
    /// Anybody whom the surfaces let in.
    Anybody,
}

impl Fact {
    /// Who may say so.
    pub fn voice(&self) -> Voice {
        match self {
            Self::Entry { .. }
            | Self::Asked { .. }
            | Self::Parked { .. }
            | Self::Woken
            | Self::Committing { .. }
            | Self::Committed { .. }
            | Self::Paused
            | Self::Cancelled
            | Self::Ended { .. }
            | Self::Kept { .. } => Voice::Doer,
            Self::Submitted { .. }
            | Self::Claimed { .. }
            | Self::Answered { .. }
            | Self::Expired { .. }
            | Self::Withdrawn { .. }
            | Self::Requeued { .. }
            | Self::Released { .. }
            | Self::PauseWanted
            | Self::Resumed
            | Self::CancelWanted { .. }
            | Self::Dropped { .. } => Voice::Anybody,
        }
    }

    /// Whether it has to outlast a loss of power the moment that it is told: a decision, or what must not happen twice. All else
    /// outlasts the end of the process, and a loss of power from the next decision on.
    pub fn is_decision(&self) -> bool {
        !matches!(self, Self::Entry { .. } | Self::Kept { .. } | Self::Dropped { .. } | Self::Woken)
    }
}

/// One thing that was done, in few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Its number in the errand.
    pub number: u32,
    /// What, on what.
    pub deed: String,
    /// Whether it went well.
    pub is_ok: bool,
    /// What came of it.
    pub brief: String,
    /// The name of the picture of the page afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// A line of the log as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its place in the log of everything.
    pub seq: u64,
    /// Whose it is.
    pub task: TaskId,
    /// Its place in the log of its task, from 1.
    pub number: u64,
    /// When.
    pub at: Timestamp,
    /// What happened.
    pub fact: Fact,
}

/// What is to be written about a task, all of it or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Writing {
    /// Which task.
    pub task: TaskId,
    /// When.
    pub at: Timestamp,
    /// By what right; none for what anybody may say.
    pub fence: Option<Fence>,
    /// What happened, in order.
    pub facts: Vec<Fact>,
}
