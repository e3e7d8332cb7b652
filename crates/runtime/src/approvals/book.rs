//! Questions and their answers, as values: asked once, decided once, and denied by time. Pure.

use std::{collections::VecDeque, sync::Arc};

use legwork_types::Timestamp;

use super::{Approval, ApprovalId};

/// Questions that are remembered; those that wait before all others.
const KEPT: usize = 500;

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has answered.
    Waiting,
    /// Somebody said yes.
    Approved,
    /// Somebody said no.
    Denied,
    /// Nobody answered in time, which is a no.
    Expired,
    /// What was asked about is no more: its session was closed.
    Withdrawn,
}

impl Standing {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// An answer. Nothing stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Yes, this once.
    Yes,
    /// Yes, and to whatever else of the kind goes to the same place for the rest of the errand; only where the question offers it.
    YesForErrand,
    /// No.
    No,
}

/// Why an answer does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotDecided {
    /// There is no such question.
    Unknown,
    /// It has been decided; the first answer counts.
    Already(Standing),
    /// The question does not offer this answer, and still waits.
    NotOffered,
}

#[derive(Debug, Default)]
pub(super) struct Book {
    rows: VecDeque<Row>,
}

#[derive(Debug)]
pub(super) struct Row {
    pub(super) approval: Arc<Approval>,
    pub(super) standing: Standing,
    /// Whether a yes holds for the rest of the errand.
    pub(super) is_for_errand: bool,
}

impl Book {
    pub(super) fn ask(&mut self, approval: Arc<Approval>) {
        // Only what is decided makes room: whoever asks a lot must not take back what others ask. Each session has few that wait.
        let decided = self.rows.iter().position(|row| row.standing != Standing::Waiting);
        if let Some(oldest) = decided.filter(|_| self.rows.len() >= KEPT) {
            self.rows.remove(oldest);
        }
        self.rows.push_back(Row { approval, standing: Standing::Waiting, is_for_errand: false });
    }

    pub(super) fn row(&self, id: &ApprovalId) -> Option<&Row> {
        self.rows.iter().find(|row| row.approval.id == *id)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    /// The first answer counts, if it comes in time.
    pub(super) fn decide(
        &mut self,
        id: &ApprovalId,
        answer: Answer,
        now: Timestamp,
    ) -> Result<(), NotDecided> {
        self.expire(now);
        let row = self.rows.iter_mut().find(|row| row.approval.id == *id).ok_or(NotDecided::Unknown)?;
        if row.standing != Standing::Waiting {
            return Err(NotDecided::Already(row.standing));
        }
        if answer == Answer::YesForErrand && !row.approval.question.offers_errand {
            return Err(NotDecided::NotOffered);
        }
        row.is_for_errand = answer == Answer::YesForErrand;
        row.standing = match answer {
            Answer::Yes | Answer::YesForErrand => Standing::Approved,
            Answer::No => Standing::Denied,
        };
        Ok(())
    }

    /// Denies what has waited for too long.
    pub(super) fn expire(&mut self, now: Timestamp) {
        for row in self.rows.iter_mut().filter(|row| row.approval.expires <= now) {
            if row.standing == Standing::Waiting {
                row.standing = Standing::Expired;
            }
        }
    }

    /// Takes back what was asked and is of no interest any more.
    pub(super) fn withdraw(&mut self, of: impl Fn(&Approval) -> bool) {
        for row in self.rows.iter_mut().filter(|row| of(&row.approval)) {
            if row.standing == Standing::Waiting {
                row.standing = Standing::Withdrawn;
            }
        }
    }
}
