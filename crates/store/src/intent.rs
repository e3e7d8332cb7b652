//! That something irreversible is about to be sent: written down before, and closed after.

use legwork_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{TaskId, approval::ApprovalId, moment};

/// The name of an intent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IntentId(pub String);

/// What became of an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It is being sent, or whoever sent it is gone without a word.
    Open,
    /// It left.
    Sent,
    /// It did not leave, and will not.
    NotSent,
    /// Nobody knows whether it left: it is never sent again by itself.
    Unknown,
}

impl Fate {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Sent, Self::NotSent, Self::Unknown];

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Sent => "sent",
            Self::NotSent => "not-sent",
            Self::Unknown => "unknown",
        }
    }
}

/// Something irreversible that was about to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Intent {
    /// Its name.
    pub id: IntentId,
    /// Whose it is.
    pub task: TaskId,
    /// The yes that it uses up.
    pub approval: Option<ApprovalId>,
    /// What: `POST https://shop.example/order`.
    pub what: String,
    /// What became of it.
    pub fate: Fate,
    /// When it was written down.
    #[serde(with = "moment")]
    pub opened: Timestamp,
}
