//! Asking the model: what a call may take, what it took, and what was heard.

use legwork_agent::{AskFailure, Heard, HeardCall, Left, Reserve, tokens_of};
use legwork_llm::{Answered, LlmError};
use legwork_observe::tokens::estimate;
use legwork_types::{
    Problem,
    model::{ModelRequest, ModelTurn, Price, ToolCall, Usage},
};

use super::trouble::trouble;

/// What a call may take at most.
pub(super) fn reserve(request: &ModelRequest, price: &Price) -> Reserve {
    let (input, output) = (tokens_of(request), u64::from(request.most_output));
    // Some vendors take more for what they keep.
    let read = price.of(&Usage { input, output, ..Usage::default() });
    let kept = price.of(&Usage { cache_write: input, output, ..Usage::default() });
    Reserve { tokens: input.saturating_add(output), money: read.max(kept) }
}

/// Whether one more attempt fits after what the ones before took.
pub(super) fn fits_again(
    request: &ModelRequest,
    price: &Price,
    left: &Left,
    wasted: &Usage,
    untold: u32,
) -> bool {
    let took = wasted.plus(assumed(request, untold));
    let next = reserve(request, price);
    let tokens = took.all_input().saturating_add(took.output).saturating_add(next.tokens);
    left.holds(&Reserve { tokens, money: price.of(&took).plus(next.money) })
}

/// What attempts may have taken at most that told nothing.
fn assumed(request: &ModelRequest, untold: u32) -> Usage {
    let untold = u64::from(untold);
    Usage {
        input: tokens_of(request).saturating_mul(untold),
        output: u64::from(request.most_output).saturating_mul(untold),
        ..Usage::default()
    }
}

/// What was heard of a model.
pub(super) fn heard(
    request: &ModelRequest,
    answered: Answered,
    price: &Price,
    millis: u64,
) -> (Heard, Vec<HeardCall>) {
    let Answered { turn, attempts, wasted, untold } = answered;
    let usage = told_or_estimated(request, &turn).plus(wasted).plus(assumed(request, untold));
    let heard = Heard {
        said: turn.said.json().to_owned(),
        end: turn.end,
        usage,
        money: price.of(&usage),
        attempts,
        millis,
        text: turn.text,
    };
    (heard, turn.calls.into_iter().map(call).collect())
}

/// What went wrong with asking a model, and what it took all the same.
pub(super) fn failure(request: &ModelRequest, error: &LlmError, price: &Price) -> AskFailure {
    let usage = error.usage.plus(assumed(request, error.untold));
    AskFailure { trouble: trouble(&Problem::from(error)), usage, money: price.of(&usage) }
}

/// Some vendors do not tell what a call took: a budget must hold there too.
fn told_or_estimated(request: &ModelRequest, turn: &ModelTurn) -> Usage {
    if turn.usage != Usage::default() {
        return turn.usage;
    }
    let output = u64::from(estimate(turn.said.json()));
    Usage { input: tokens_of(request), output, ..Usage::default() }
}

fn call(call: ToolCall) -> HeardCall {
    let input = match call.input {
        Ok(json) => json.get().to_owned(),
        Err(text) => text,
    };
    HeardCall { id: call.id, tool: call.name, input }
}
