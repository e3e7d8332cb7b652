//! What an errand has taken and what the next call may take. Every call is reserved before it is made.

use legwork_types::model::{MicroUsd, Usage};
use serde::{Deserialize, Serialize};

use crate::{event::Purpose, outcome::Reason, spec::Limits};

/// What a call may take at most, as far as it can be told before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reserve {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money.
    pub money: MicroUsd,
}

/// What an errand may still take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money.
    pub money: MicroUsd,
    /// Milliseconds.
    pub millis: u64,
}

impl Left {
    /// What is left of these limits.
    pub(crate) fn of(limits: &Limits, spent: &Spent, at: u64) -> Self {
        Self {
            tokens: limits.tokens.saturating_sub(spent.tokens()),
            money: MicroUsd(limits.money.0.saturating_sub(spent.money.0)),
            millis: limits.millis.saturating_sub(at),
        }
    }

    /// Whether this much fits.
    pub fn holds(&self, reserve: &Reserve) -> bool {
        reserve.tokens <= self.tokens && reserve.money <= self.money
    }
}

/// What an errand has taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spent {
    /// Turns of the model.
    pub turns: u32,
    /// Browsers that took the place of one that was lost.
    #[serde(default)]
    pub reconnects: u32,
    /// Calls of models, for whatever purpose.
    pub calls: u32,
    /// What they read and wrote.
    pub usage: Usage,
    /// What they cost.
    pub money: MicroUsd,
}

impl Spent {
    /// How often it went round. To get another browser counts as well, so that losing them comes to an end.
    pub fn iterations(&self) -> u32 {
        self.turns.saturating_add(self.reconnects)
    }

    /// Tokens, read and written.
    pub fn tokens(&self) -> u64 {
        self.usage.all_input().saturating_add(self.usage.output)
    }
}

/// Whether one more call fits. Only turns are counted as turns: a judge may always look at the last one.
pub fn fits(
    limits: &Limits,
    spent: &Spent,
    purpose: Purpose,
    reserve: &Reserve,
    at: u64,
) -> Result<(), Reason> {
    if purpose == Purpose::Turn && spent.iterations() >= limits.turns {
        return Err(Reason::MaxTurnsExceeded);
    }
    if at >= limits.millis {
        return Err(Reason::TimeExceeded);
    }
    if spent.tokens().saturating_add(reserve.tokens) > limits.tokens {
        return Err(Reason::MaxTokensExceeded);
    }
    if spent.money.plus(reserve.money) > limits.money {
        return Err(Reason::BudgetExceeded);
    }
    Ok(())
}

/// The limits after somebody allowed as much again of what has run out.
#[must_use]
pub fn extended(limits: &Limits, first: &Limits, out_of: Reason) -> Limits {
    let mut more = *limits;
    match out_of {
        Reason::MaxTurnsExceeded => more.turns = more.turns.saturating_add(first.turns),
        Reason::TimeExceeded => more.millis = more.millis.saturating_add(first.millis),
        Reason::MaxTokensExceeded => more.tokens = more.tokens.saturating_add(first.tokens),
        Reason::BudgetExceeded => more.money = more.money.plus(first.money),
        _ => {}
    }
    more
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::spec::Preset;

    #[test]
    fn each_limit_ends_an_errand_by_its_own_name() {
        let limits = Preset::Extraction.limits();
        assert_eq!((limits.turns, limits.money), (30, MicroUsd(2_000_000)));
        let none = Spent::default();
        let call = Reserve { tokens: 3_000, money: MicroUsd(90_000) };
        let turn = Purpose::Turn;
        assert_eq!(fits(&limits, &none, turn, &call, 0), Ok(()));
        let cases = [
            (Spent { turns: 30, ..none }, 0, Reason::MaxTurnsExceeded),
            (none, limits.millis, Reason::TimeExceeded),
            (Spent { money: MicroUsd(1_910_001), ..none }, 0, Reason::BudgetExceeded),
            (
                Spent { usage: Usage { input: 497_001, ..Usage::default() }, ..none },
                0,
                Reason::MaxTokensExceeded,
            ),
        ];
        for (spent, at, reason) in cases {
            assert_eq!(fits(&limits, &spent, turn, &call, at), Err(reason));
            let is_of_turns = reason == Reason::MaxTurnsExceeded;
            assert_eq!(fits(&limits, &spent, Purpose::Judge, &call, at).is_ok(), is_of_turns, "{reason:?}");
            let more = extended(&limits, &limits, reason);
            assert_eq!(fits(&more, &spent, turn, &call, at), Ok(()), "{reason:?}");
        }
    }

    proptest! {
        #[test]
        fn what_fits_never_exceeds_a_limit(money in 0_u64..12_000_000, tokens in 0_u64..600_000, call in 0_u64..100_000) {
            let limits = Limits::GENERAL;
            let usage = Usage { output: tokens, ..Usage::default() };
            let spent = Spent { money: MicroUsd(money), usage, ..Spent::default() };
            let reserve = Reserve { tokens: call, money: MicroUsd(call) };
            if fits(&limits, &spent, Purpose::Turn, &reserve, 0).is_ok() {
                prop_assert!(spent.money.plus(reserve.money) <= limits.money);
                prop_assert!(spent.tokens() + reserve.tokens <= limits.tokens);
            }
        }
    }
}
