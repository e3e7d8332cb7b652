//! Answers as vendors document them, and whole requests.

use legwork_types::model::{ModelTurn, TurnEnd, Usage};
use serde_json::{Value, json};

use super::*;
use crate::{
    error::{BadAnswer, Retry, VendorError},
    samples::{self, PICTURE},
    stream::Events,
};

const THINKS: &str = include_str!("../../samples/anthropic_thinks_and_calls.sse");
const OVERLOADED: &str = include_str!("../../samples/anthropic_overloaded.sse");

fn read(sample: &str) -> Result<ModelTurn, VendorError> {
    let mut assembly = Assembly::default();
    for data in Events::default().feed(sample.as_bytes()).unwrap() {
        assembly.feed(&data)?;
    }
    assembly.finish()
}

#[test]
fn an_answer_is_put_together_from_its_events() {
    let turn = read(THINKS).unwrap();
    assert_eq!(turn.text, "I open the coffee.");
    assert_eq!(turn.thought, "The basket is empty, so \"Harbour Light\" first — naïvely.");
    assert_eq!(turn.end, TurnEnd::Complete);
    assert_eq!(turn.model, "claude-opus-4-6");
    assert_eq!(turn.usage, Usage { input: 812, cache_write: 0, cache_read: 1894, output: 89 });
    let [call] = &turn.calls[..] else { panic!("{:?}", turn.calls) };
    assert_eq!((call.name.as_str(), call.id.as_str()), ("act", "toolu_01T1x1fJ34qAmk2tNTrN7Up6"));
    assert_eq!(call.input.as_ref().unwrap().get(), r#"{"type": "click", "element":  12}"#);
}

#[test]
fn what_was_said_goes_back_to_the_byte() {
    let said = read(THINKS).unwrap().said;
    let expected = concat!(
        r#"[{"type":"thinking","thinking":"The basket is empty, so \"Harbour Light\" first — naïvely.","signature":"EqoBCkYIARgCIkAKHgoQ+/8=="},"#,
        r#"{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix/LafPsn4a"},"#,
        r#"{"type":"text","text":"I open the coffee."},"#,
        r#"{"type":"tool_use","id":"toolu_01T1x1fJ34qAmk2tNTrN7Up6","name":"act","input":{"type": "click", "element":  12}}]"#,
    );
    assert_eq!(said.json(), expected);
    let body = String::from_utf8(body("claude-opus-4-6", &samples::conversation(said)).unwrap()).unwrap();
    assert!(body.contains(expected), "{body}");
}

#[test]
fn a_vendor_that_breaks_off_is_asked_again() {
    let error = read(OVERLOADED).unwrap_err();
    assert_eq!(error, VendorError::Failed { kind: "overloaded_error".into(), message: "Overloaded".into() });
    assert_eq!(error.retry(), Retry::After(None));
}

#[test]
fn an_answer_that_was_cut_anywhere_is_none() {
    let events = Events::default().feed(THINKS.as_bytes()).unwrap();
    for kept in 0..events.len() - 1 {
        let mut assembly = Assembly::default();
        for data in &events[..kept] {
            assembly.feed(data).unwrap();
        }
        assert_eq!(assembly.finish().unwrap_err(), BadAnswer::Cut.into(), "{kept}");
    }
}

#[test]
fn odd_events_are_refused_and_unknown_ones_are_let_be() {
    let mut assembly = Assembly::default();
    assembly.feed(r#"{"type":"something_new","x":1}"#).unwrap();
    assert!(
        assembly
            .feed(r#"{"type":"content_block_delta","index":9,"delta":{"type":"text_delta","text":"x"}}"#)
            .is_err()
    );
    assert!(assembly.feed("{").is_err());
    assert!(assembly.feed("[]").is_err());
}

#[test]
fn a_call_with_no_json_goes_back_without_it() {
    let mut assembly = Assembly::default();
    for data in [
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"act","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"type\":"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}"#,
        r#"{"type":"message_stop"}"#,
    ] {
        assembly.feed(data).unwrap();
    }
    let turn = assembly.finish().unwrap();
    assert_eq!(turn.end, TurnEnd::CutShort);
    assert_eq!(turn.calls[0].input.as_ref().unwrap_err(), "{\"type\":");
    assert_eq!(turn.said.json(), r#"[{"type":"tool_use","id":"t","name":"act","input":{}}]"#);
}

/// An answer of these blocks, which ended for this reason.
fn ended(blocks: &[&str], reason: &str) -> ModelTurn {
    let mut assembly = Assembly::default();
    for (index, block) in blocks.iter().enumerate() {
        let start = format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#);
        assembly.feed(&start).unwrap();
    }
    assembly.feed(&format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}"}}}}"#)).unwrap();
    assembly.feed(r#"{"type":"message_stop"}"#).unwrap();
    assembly.finish().unwrap()
}

#[test]
fn every_end_has_its_meaning() {
    let words = r#"{"type":"text","text":"I can't help with that."}"#;
    for (reason, end) in [
        ("end_turn", TurnEnd::Complete),
        ("tool_use", TurnEnd::Complete),
        ("something_new", TurnEnd::Complete),
        ("max_tokens", TurnEnd::CutShort),
        ("model_context_window_exceeded", TurnEnd::CutShort),
        ("refusal", TurnEnd::Declined),
    ] {
        let turn = ended(&[words], reason);
        assert_eq!((turn.end, turn.text.as_str()), (end, "I can't help with that."), "{reason}");
        assert!(turn.calls.is_empty());
    }
    // Whoever declines need not say a word.
    let turn = ended(&[], "refusal");
    assert_eq!((turn.end, turn.text.as_str(), turn.said.json()), (TurnEnd::Declined, "", "[]"));
}

#[test]
fn a_call_that_is_opened_with_what_nobody_can_read_goes_back_without_it() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for input in [format!(r#"{{"a":{deep}}}"#), r#"{"a":"\ud83d"}"#.to_owned()] {
        let call = format!(r#"{{"type":"tool_use","id":"t","name":"act","input":{input}}}"#);
        let turn = ended(&[&call], "tool_use");
        assert!(turn.calls[0].input.as_ref().is_err_and(|text| *text == input));
        assert_eq!(turn.said.json(), r#"[{"type":"tool_use","id":"t","name":"act","input":{}}]"#);
    }
}

#[test]
fn a_whole_request() {
    let said = read(THINKS).unwrap().said;
    let body: Value =
        serde_json::from_slice(&body("claude-opus-4-6", &samples::conversation(said.clone())).unwrap())
            .unwrap();
    let said: Value = serde_json::from_str(said.json()).unwrap();
    let expected = json!({
        "model": "claude-opus-4-6",
        "max_tokens": 2000,
        "stream": true,
        "system": [{"type": "text", "text": "You run errands.", "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": "act", "description": "Does something.", "input_schema": samples::schema()}],
        "tool_choice": {"type": "any", "disable_parallel_tool_use": true},
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "Order coffee.", "cache_control": {"type": "ephemeral"}},
                {"type": "text", "text": "The page."},
                {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": PICTURE}},
            ]},
            {"role": "assistant", "content": said},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_01T1x1fJ34qAmk2tNTrN7Up6", "is_error": true, "content": [
                    {"type": "text", "text": "It is covered."},
                    {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": PICTURE}},
                ]},
                {"type": "text", "text": "Go on."},
            ]},
        ],
    });
    assert_eq!(body, expected);
}
