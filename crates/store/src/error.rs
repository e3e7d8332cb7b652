//! What can go wrong with what is kept.

use std::{io, path::PathBuf};

use crate::{TaskId, approval::Standing, intent::Fate, task::TaskState};

/// Why something can't be written, although the database could.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Nothing of the kind happens to a task that stands like this.
    #[error("the task is {}", .0.word())]
    State(TaskState),
    /// Somebody else does the task now, or nobody.
    #[error("somebody else does the task now, or nobody does")]
    NotTheDoer,
    /// The question was decided before; the first answer counts.
    #[error("the question is {} already", .0.word())]
    Decided(Standing),
    /// It is too late for an answer, or for what was said yes to.
    #[error("it is too late for that")]
    TooLate,
    /// It has not waited for long enough to be over by that.
    #[error("it is too early for that")]
    TooEarly,
    /// There is no such question of this task.
    #[error("there is no such question")]
    NoQuestion,
    /// There is no such intent of this task.
    #[error("there is no such intent")]
    NoIntent,
    /// What became of it is known already, or is no end.
    #[error("the intent is {} already", .0.word())]
    Closed(Fate),
    /// There is one of this name.
    #[error("there is one of this name already")]
    Twice,
    /// A log that does not begin with a task that was handed in.
    #[error("the log does not begin with a task that was handed in")]
    NoBeginning,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// What was to be written does not follow from what is there.
    #[error("{task}: {why}")]
    Illegal {
        /// Which task.
        task: TaskId,
        /// Why.
        why: Illegal,
    },
    /// There is no such task.
    #[error("there is no task {0}")]
    NoTask(TaskId),
    /// There is no such question.
    #[error("there is no question {0}")]
    NoApproval(crate::ApprovalId),
    /// The same key was used for something else.
    #[error("the same key was used for another task, {0}")]
    KeyUsed(TaskId),
    /// There is no room on the disk.
    #[error("there is no room on the disk for {place}")]
    Full {
        /// Where.
        place: PathBuf,
    },
    /// Nothing can be written there.
    #[error("{place} can't be written")]
    ReadOnly {
        /// Where.
        place: PathBuf,
    },
    /// It is not what was written.
    #[error("{place} is damaged: {why}")]
    Damaged {
        /// Where.
        place: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It was there, and is gone.
    #[error("{place} is gone, although there was one")]
    Missing {
        /// Where.
        place: PathBuf,
    },
    /// A later version of the program wrote it.
    #[error("{place} is of a later version ({found}, this one knows {known})")]
    Newer {
        /// Where.
        place: PathBuf,
        /// Which.
        found: i64,
        /// Which one is known.
        known: i64,
    },
    /// Others use it for longer than was waited.
    #[error("{place} is in use by others for too long")]
    Busy {
        /// Where.
        place: PathBuf,
    },
    /// Something else.
    #[error("{place}: {why}")]
    Failed {
        /// Where.
        place: PathBuf,
        /// What.
        why: String,
    },
}

impl StoreError {
    /// Whether something is wrong with where it is kept, and not with what was wanted.
    pub(crate) fn is_of_place(&self) -> bool {
        !matches!(self, Self::Illegal { .. } | Self::NoTask(_) | Self::NoApproval(_) | Self::KeyUsed(_))
    }

    /// What a failed use of a file means.
    pub(crate) fn of_file(place: impl Into<PathBuf>, error: &io::Error) -> Self {
        let place = place.into();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { place },
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Self::ReadOnly { place },
            _ => Self::Failed { place, why: error.to_string() },
        }
    }
}
