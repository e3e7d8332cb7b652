//! What a model answers, in words that no vendor owns.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Said;

/// One answer of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelTurn {
    /// Who answered, by the name that the vendor tells: not always the one that was asked. Nothing where it is not told.
    pub model: String,
    /// What it says.
    pub text: String,
    /// What it thought, as far as its vendor tells.
    pub thought: String,
    /// What it calls, in its order.
    pub calls: Vec<ToolCall>,
    /// Why it ended.
    pub end: TurnEnd,
    /// All of it as its vendor wrote it, to be sent back in the next call.
    pub said: Said,
    /// What it took.
    pub usage: Usage,
}

/// Something that a model calls.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// Its vendor's name for this call.
    pub id: String,
    /// What it calls.
    pub name: String,
    /// What with: JSON, or what should have been.
    pub input: Result<Box<RawValue>, String>,
}

impl PartialEq for ToolCall {
    fn eq(&self, other: &Self) -> bool {
        let text = |call: &Self| call.input.as_ref().map(|raw| raw.get().to_owned()).map_err(Clone::clone);
        self.id == other.id && self.name == other.name && text(self) == text(other)
    }
}

impl Eq for ToolCall {}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnEnd {
    /// Everything was said.
    #[default]
    Complete,
    /// It would have been longer than was allowed.
    CutShort,
    /// The vendor does not want to answer this.
    Declined,
}

/// What a call took, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// What was read for the first time.
    pub input: u64,
    /// What was read and kept by the vendor.
    pub cache_write: u64,
    /// What the vendor had kept.
    pub cache_read: u64,
    /// What was written.
    pub output: u64,
}

impl Usage {
    /// All that was read.
    pub fn all_input(&self) -> u64 {
        self.input.saturating_add(self.cache_write).saturating_add(self.cache_read)
    }

    /// The two together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            output: self.output.saturating_add(other.output),
        }
    }
}
