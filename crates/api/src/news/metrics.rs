//! What calls of models took, one by one and together.

use legwork_runtime::errands::Purpose;
use legwork_types::model::{MicroUsd, Usage};
use serde_json::{Value, json};

/// What some calls took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Metrics {
    calls: u32,
    failed_calls: u32,
    turns: u32,
    usage: Usage,
    money: MicroUsd,
}

impl Metrics {
    /// What a call took that was answered.
    pub(super) fn of_answer(purpose: Purpose, usage: Usage, money: MicroUsd) -> Self {
        Self { calls: 1, failed_calls: 0, turns: u32::from(purpose == Purpose::Turn), usage, money }
    }

    /// What a call took that was not.
    pub(super) fn of_failure(usage: Usage, money: MicroUsd) -> Self {
        Self { calls: 1, failed_calls: 1, turns: 0, usage, money }
    }

    /// The two together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            failed_calls: self.failed_calls.saturating_add(other.failed_calls),
            turns: self.turns.saturating_add(other.turns),
            usage: self.usage.plus(other.usage),
            money: self.money.plus(other.money),
        }
    }

    /// All of it, for programs.
    pub(super) fn data(&self) -> Value {
        json!({
            "calls": self.calls,
            "failedCalls": self.failed_calls,
            "turns": self.turns,
            "inputTokens": self.usage.input,
            "cacheWriteTokens": self.usage.cache_write,
            "cacheReadTokens": self.usage.cache_read,
            "outputTokens": self.usage.output,
            "usd": dollars(self.money),
            "microUsd": self.money,
        })
    }
}

/// The same in dollars; exact are the millionths.
#[allow(clippy::cast_precision_loss)]
pub(super) fn dollars(money: MicroUsd) -> f64 {
    money.0 as f64 / 1e6
}
