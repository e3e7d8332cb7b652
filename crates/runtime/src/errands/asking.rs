//! Asking the model: what a call may take, what it took, and what was heard.

use std::{borrow::Cow, time::Duration};

use legwork_agent::{AskFailure, Handover, Heard, HeardCall, Left, Mind, Reserve, tokens_of};
use legwork_llm::{Answered, LlmError, without_thoughts};
use legwork_observe::tokens::estimate;
use legwork_types::{
    Code, Problem,
    model::{Message, ModelRequest, ModelTurn, Price, ToolCall, Usage},
};
use tokio::time::Instant;

use super::{Asked, World, trouble::trouble};

/// The longest name of a model that is written down, in characters: a vendor may say anything.
const LONGEST_NAME: usize = 100;

/// The model that is asked. Where there is no second one, the first is.
pub(super) fn asked<'a, J, P>(world: &World<'a, J, P>, mind: Mind) -> Asked<'a> {
    let first = Asked { client: world.client, price: world.price };
    match mind {
        Mind::First => first,
        Mind::Second { .. } => world.fallback.unwrap_or(first),
    }
}

/// Asks a model. Further attempts and all its time stay within what is left.
pub(super) async fn ask<J, P>(
    world: &World<'_, J, P>,
    mind: Mind,
    request: &ModelRequest,
    left: Left,
) -> Result<(Heard, Vec<HeardCall>), AskFailure> {
    let Asked { client, price } = asked(world, mind);
    let request = &*for_mind(request, mind);
    let since = Instant::now();
    // Nothing is half done while a model thinks: whoever calls the errand off does not wait for it.
    let over = world.stop.child_token();
    let may_go_on = |wasted: &Usage, untold| fits_again(request, &price, &left, wasted, untold);
    let asked = client.ask_within(request, &over, may_go_on);
    let in_time = async {
        tokio::pin!(asked);
        tokio::select! {
            biased;
            answered = &mut asked => (answered, false),
            () = tokio::time::sleep(Duration::from_millis(left.millis)) => {
                over.cancel();
                (asked.await, true)
            }
        }
    };
    let (answered, is_late) = in_time.await;
    let millis = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
    answered.map(|answered| heard(request, answered, &price, millis)).map_err(|error| {
        let mut failure = failure(request, &error, &price);
        if is_late {
            failure.trouble.code = Code::Timeout.as_str().to_owned();
            failure.trouble.words = "the errand's time was over before the model answered".to_owned();
        } else if mind == Mind::First && error.another_may_answer() {
            let name = |asked: &Asked<'_>| asked.client.model().name.clone();
            let from = client.model().name.clone();
            failure.another = world.fallback.map(|fallback| Handover { from, to: name(&fallback) });
        }
        failure
    })
}

/// The request as this model can read it: what another one thought is for that one alone.
fn for_mind(request: &ModelRequest, mind: Mind) -> Cow<'_, ModelRequest> {
    let Mind::Second { of_first: of_first @ 1.. } = mind else { return Cow::Borrowed(request) };
    let mut request = request.clone();
    let said = request.messages.iter_mut().filter_map(|message| match message {
        Message::Assistant(said) => Some(said),
        Message::User(_) | Message::Results(_) => None,
    });
    said.take(of_first).for_each(|said| *said = without_thoughts(said));
    Cow::Owned(request)
}

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
    let Answered { turn, attempts, wasted, untold, in_words } = answered;
    let usage = told_or_estimated(request, &turn).plus(wasted).plus(assumed(request, untold));
    let heard = Heard {
        model: Some(turn.model.chars().take(LONGEST_NAME).collect()).filter(|name: &String| !name.is_empty()),
        said: turn.said.json().to_owned(),
        end: turn.end,
        in_words,
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
    AskFailure {
        trouble: trouble(&Problem::from(error)),
        usage,
        money: price.of(&usage),
        another: None,
        is_too_long: error.is_too_long(),
    }
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use legwork_llm::{BadAnswer, VendorError};
    use legwork_types::model::{Said, ToolChoice, TurnEnd};

    use super::*;

    const FREE: Price = Price { input: 0.0, output: 0.0, cache_read: None, cache_write: None };

    fn asked_for() -> ModelRequest {
        let (system, messages, tools) = (String::new(), vec![], vec![]);
        ModelRequest { system, messages, tools, choice: ToolChoice::Any, most_output: 1 }
    }

    #[test]
    fn who_answered_is_written_down_as_its_vendor_tells_it_and_at_no_greater_length() {
        let by = |model: &str| {
            let said = Said::of_json("[]".into()).unwrap();
            let (text, thought, calls, end) = (String::new(), String::new(), vec![], TurnEnd::Complete);
            let model = model.to_owned();
            let turn = ModelTurn { model, text, thought, calls, end, said, usage: Usage::default() };
            let answered =
                Answered { turn, attempts: 1, wasted: Usage::default(), untold: 0, in_words: false };
            heard(&asked_for(), answered, &FREE, 1).0.model
        };
        assert_eq!(by("somebody-else-1b").as_deref(), Some("somebody-else-1b"));
        assert_eq!(by(""), None);
        assert_eq!(by(&"ö".repeat(1_000_000)), Some("ö".repeat(LONGEST_NAME)));
    }

    #[test]
    fn only_an_answer_that_is_too_long_is_told_as_that() {
        for (last, is_too_long) in [
            (BadAnswer::TooLarge.into(), true),
            (BadAnswer::NotText.into(), false),
            (BadAnswer::Cut.into(), false),
            (VendorError::Broken("reset".into()), false),
        ] {
            let error = LlmError { last, attempts: 1, usage: Usage::default(), untold: 1 };
            let failure = failure(&asked_for(), &error, &FREE);
            assert_eq!((failure.is_too_long, failure.usage.output), (is_too_long, 1), "{error:?}");
        }
    }

    #[test]
    fn the_second_model_reads_its_own_thoughts_and_not_those_of_the_first() {
        let said = |name: &str| {
            let json = format!(
                r#"[{{"type":"thinking","thinking":"{name} thinks","signature":"s"}},{{"type":"text","text":"{name} says"}}]"#
            );
            Message::Assistant(Said::of_json(json).unwrap())
        };
        let messages = vec![Message::User(vec![]), said("one"), Message::User(vec![]), said("two")];
        let (system, tools, choice, most_output) = (String::new(), vec![], ToolChoice::Any, 1);
        let request = ModelRequest { system, messages, tools, choice, most_output };
        let all = |mind| {
            let request = for_mind(&request, mind);
            let said = request.messages.iter().filter_map(|message| match message {
                Message::Assistant(said) => Some(said.json().to_owned()),
                _ => None,
            });
            said.collect::<String>()
        };
        for (mind, thoughts) in [
            (Mind::First, [true, true]),
            (Mind::Second { of_first: 0 }, [true, true]),
            (Mind::Second { of_first: 1 }, [false, true]),
            (Mind::Second { of_first: 2 }, [false, false]),
        ] {
            let all = all(mind);
            assert_eq!(["one thinks", "two thinks"].map(|thought| all.contains(thought)), thoughts, "{all}");
            assert!(all.contains("one says") && all.contains("two says"), "{all}");
        }
    }
}
