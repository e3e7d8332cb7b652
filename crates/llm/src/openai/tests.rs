//! Answers as vendors document them, and whole requests.

use legwork_types::model::{ModelTurn, Said, TurnEnd, Usage};
use serde_json::{Value, json};

use super::*;
use crate::{
    error::{BadAnswer, VendorError},
    samples::{self, PICTURE},
    stream::Events,
};

const CALLS: &str = include_str!("../../samples/openai_calls.sse");
const REASONS: &str = include_str!("../../samples/openrouter_reasons.sse");

fn read(data: &[&str]) -> Result<ModelTurn, VendorError> {
    let mut assembly = Assembly::default();
    for data in data {
        assembly.feed(data)?;
    }
    assembly.finish()
}

fn sample(text: &str) -> ModelTurn {
    let events = Events::default().feed(text.as_bytes()).unwrap();
    read(&events.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
}

#[test]
fn an_answer_is_put_together_from_its_pieces() {
    let turn = sample(CALLS);
    assert_eq!((turn.text.as_str(), turn.end), ("", TurnEnd::Complete));
    assert_eq!(turn.model, "gpt-5-2025-08-07");
    assert_eq!(turn.usage, Usage { input: 786, cache_write: 0, cache_read: 1920, output: 21 });
    assert_eq!(turn.calls.len(), 1);
    assert_eq!(turn.calls[0].id, "call_DdmO9pD3xa9XTPNJ32zg2hcA");
    assert_eq!(turn.calls[0].input.as_ref().unwrap().get(), r#"{"type":"click","element":12}"#);
    let said: Value = serde_json::from_str(turn.said.json()).unwrap();
    let call = json!({"id": "call_DdmO9pD3xa9XTPNJ32zg2hcA", "type": "function",
        "function": {"name": "act", "arguments": r#"{"type":"click","element":12}"#}});
    assert_eq!(said, json!({"role": "assistant", "content": null, "tool_calls": [call]}));
}

#[test]
fn what_a_vendor_wants_to_have_back_goes_back() {
    let turn = sample(REASONS);
    assert_eq!((turn.text.as_str(), turn.thought.as_str()), ("Looking.", "Look first."));
    let said: Value = serde_json::from_str(turn.said.json()).unwrap();
    assert_eq!(said["reasoning"], "Look first.");
    assert_eq!(said["reasoning_details"][1]["signature"], "Eq==");
    assert_eq!(turn.usage.all_input(), 90);
}

#[test]
fn an_answer_in_one_piece_is_read_too() {
    let whole = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[
        {"id":"a","type":"function","function":{"name":"one","arguments":"{}"}},
        {"id":"b","type":"function","function":{"name":"two","arguments":"{\"x\":1}"}}]},"finish_reason":"tool_calls"}],
        "usage":{"prompt_tokens":5,"completion_tokens":6}}"#;
    let turn = read(&[whole]).unwrap();
    let names: Vec<_> = turn.calls.iter().map(|call| (call.id.as_str(), call.name.as_str())).collect();
    assert_eq!(names, [("a", "one"), ("b", "two")]);
}

#[test]
fn calls_without_names_or_numbers_or_json_are_read_as_far_as_possible() {
    let piece = |call: &str| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{call}]}}}}]}}"#);
    let pieces = [
        piece(r#"{"function":{"name":"act","arguments":"{\"a\""}}"#),
        piece(r#"{"function":{"arguments":": 1"}}"#),
        r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#.to_owned(),
    ];
    let turn = read(&pieces.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    assert_eq!(turn.end, TurnEnd::CutShort);
    assert_eq!(turn.calls[0].id, "call_0");
    assert_eq!(turn.calls[0].input.as_ref().unwrap_err(), "{\"a\": 1");
    let said: Value = serde_json::from_str(turn.said.json()).unwrap();
    assert_eq!(said["tool_calls"][0]["function"]["arguments"], "{}");
}

#[test]
fn what_was_cut_and_what_is_an_error_is_no_answer() {
    let begun = r#"{"choices":[{"index":0,"delta":{"content":"Hel"}}]}"#;
    assert_eq!(read(&[begun]).unwrap_err(), BadAnswer::Cut.into());
    assert!(read(&["{"]).is_err());
    let error = r#"{"error":{"message":"try later","type":"server_error","code":500}}"#;
    let told = VendorError::Failed { kind: "server_error".into(), message: "try later".into() };
    assert_eq!(read(&[begun, error]).unwrap_err(), told);
    let declined = r#"{"choices":[{"delta":{"refusal":"No."},"finish_reason":"stop"}]}"#;
    let turn = read(&[declined, "[DONE]"]).unwrap();
    assert_eq!((turn.end, turn.text.as_str()), (TurnEnd::Declined, "No."));
}

#[test]
fn a_whole_request() {
    let said = Said::of_json(r#"{"role":"assistant","content":"x"}"#.into()).unwrap();
    let request = samples::conversation(said);
    let parsed =
        |dialect| -> Value { serde_json::from_slice(&body("m", dialect, &request).unwrap()).unwrap() };
    let url = format!("data:image/jpeg;base64,{PICTURE}");
    let expected = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "You run errands."},
            {"role": "user", "content": [
                {"type": "text", "text": "Order coffee."},
                {"type": "text", "text": "The page."},
                {"type": "image_url", "image_url": {"url": url}},
            ]},
            {"role": "assistant", "content": "x"},
            {"role": "tool", "tool_call_id": "toolu_01T1x1fJ34qAmk2tNTrN7Up6", "content": "ERROR: It is covered."},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]},
            {"role": "user", "content": "Go on."},
        ],
        "tools": [{"type": "function", "function": {
            "name": "act", "description": "Does something.", "parameters": samples::schema()}}],
        "tool_choice": "required",
        "parallel_tool_calls": false,
        "max_tokens": 2000,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    assert_eq!(parsed(Dialect::Other), expected);
    let openai = parsed(Dialect::OpenAi);
    assert_eq!((&openai["max_completion_tokens"], openai.get("max_tokens")), (&json!(2000), None));
}
