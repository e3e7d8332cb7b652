//! Answers as the vendor documents them, and whole requests.

use legwork_types::model::{ModelTurn, Said, ToolChoice, TurnEnd, Usage};
use serde_json::{Value, json};

use super::*;
use crate::{
    error::{BadAnswer, Retry, VendorError},
    samples::{self, PICTURE},
    stream::Events,
};

const THINKS: &str = include_str!("../../samples/responses_thinks_and_calls.sse");
const FAILED: &str = include_str!("../../samples/responses_failed.sse");

fn read(data: &[&str]) -> Result<ModelTurn, VendorError> {
    let mut assembly = Assembly::default();
    for data in data {
        assembly.feed(data)?;
    }
    assembly.finish()
}

fn sample(text: &str) -> Result<ModelTurn, VendorError> {
    let events = Events::default().feed(text.as_bytes()).unwrap();
    read(&events.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The last event of an answer that has these items, and this reason to be no longer.
fn ended(output: &str, reason: &str) -> String {
    format!(
        r#"{{"type":"response.incomplete","response":{{"status":"incomplete","error":null,"output":[{output}],"incomplete_details":{reason}}}}}"#
    )
}

#[test]
fn an_answer_is_put_together_from_its_events() {
    let turn = sample(THINKS).unwrap();
    assert_eq!((turn.text.as_str(), turn.end), ("I open the coffee.", TurnEnd::Complete));
    assert_eq!(turn.thought, "**Looking** for the \"basket\"");
    assert_eq!(turn.model, "gpt-5-2025-08-07");
    assert_eq!(turn.usage, Usage { input: 786, cache_write: 0, cache_read: 1920, output: 153 });
    let [call] = &turn.calls[..] else { panic!("{:?}", turn.calls) };
    assert_eq!((call.name.as_str(), call.id.as_str()), ("act", "call_DdmO9pD3xa9XTPNJ32zg2hcA"));
    assert_eq!(call.input.as_ref().unwrap().get(), r#"{"type": "click", "element":  12}"#);
}

#[test]
fn what_was_said_goes_back_to_the_byte() {
    let said = sample(THINKS).unwrap().said;
    let items = [
        r#"{"id":"rs_68af4030","type":"reasoning","encrypted_content":"gAAAAABoISQ24OyVRYbkYfukdJoqdzWT-3uiErK_vcZ==","summary":[{"type":"summary_text","text":"**Looking** for the \"basket\""}]}"#,
        r#"{"id":"msg_67c9","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"I open the coffee."}],"role":"assistant"}"#,
        r#"{"id":"fc_67ca","type":"function_call","status":"completed","arguments":"{\"type\": \"click\", \"element\":  12}","call_id":"call_DdmO9pD3xa9XTPNJ32zg2hcA","name":"act"}"#,
    ];
    let expected = items.join(",");
    assert_eq!(said.json(), format!("[{expected}]"));
    let body = String::from_utf8(body("gpt-5", &samples::conversation(said)).unwrap()).unwrap();
    assert!(body.contains(&expected), "{body}");
}

#[test]
fn an_answer_that_was_cut_anywhere_is_none() {
    let events = Events::default().feed(THINKS.as_bytes()).unwrap();
    for kept in 0..events.len() - 1 {
        let kept: Vec<&str> = events[..kept].iter().map(String::as_str).collect();
        assert_eq!(read(&kept).unwrap_err(), BadAnswer::Cut.into(), "{kept:?}");
    }
}

#[test]
fn errors_in_the_stream_are_told_by_their_names() {
    let error = sample(FAILED).unwrap_err();
    let message = "The model failed to generate a response.".to_owned();
    assert_eq!(error, VendorError::Failed { kind: "server_error".into(), message });
    assert_eq!(error.retry(), Retry::After(None));
    let flat = r#"{"type":"error","code":"rate_limit_exceeded","message":"slower","param":null}"#;
    let told = |kind: &str, message: &str| VendorError::Failed { kind: kind.into(), message: message.into() };
    assert_eq!(read(&[flat]).unwrap_err(), told("rate_limit_exceeded", "slower"));
    let nested = r#"{"type":"error","error":{"type":"invalid_request_error","code":null,"message":"no"}}"#;
    assert_eq!(read(&[nested]).unwrap_err(), told("invalid_request_error", "no"));
    assert_eq!(read(&[nested]).unwrap_err().retry(), Retry::Never);
    let bare = r#"{"type":"response.failed","response":{"error":null,"output":[]}}"#;
    assert_eq!(read(&[bare]).unwrap_err(), told("response.failed", ""));
}

#[test]
fn what_is_not_whole_says_why() {
    let call = r#"{"type":"function_call","id":"fc","call_id":"c","name":"act","arguments":"{\"a\"","status":"incomplete"}"#;
    let turn = read(&[&ended(call, r#"{"reason":"max_output_tokens"}"#)]).unwrap();
    assert_eq!(turn.end, TurnEnd::CutShort);
    assert_eq!(turn.calls[0].input.as_ref().unwrap_err(), "{\"a\"");
    let said: Value = serde_json::from_str(turn.said.json()).unwrap();
    assert_eq!((&said[0]["arguments"], &said[0]["call_id"]), (&json!("{}"), &json!("c")));
    // A thought that nothing follows does not go back.
    let thought = r#"{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"x"}"#;
    let turn = read(&[&ended(thought, r#"{"reason":"max_output_tokens"}"#)]).unwrap();
    assert_eq!((turn.end, turn.said.json()), (TurnEnd::CutShort, "[]"));
    let turn = read(&[&ended("", r#"{"reason":"content_filter"}"#)]).unwrap();
    assert_eq!(turn.end, TurnEnd::Declined);
    let refusal = r#"{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"No."}]}"#;
    let turn = read(&[&ended(refusal, "null")]).unwrap();
    assert_eq!((turn.end, turn.text.as_str()), (TurnEnd::Declined, "No."));
}

#[test]
fn an_answer_in_one_piece_is_read_too_and_odd_events_are_refused() {
    let whole = r#"{"id":"r","object":"response","status":"completed","error":null,"output":[
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}]}"#;
    assert_eq!(read(&[whole]).unwrap().text, "Yes.");
    assert!(read(&["{"]).is_err());
    assert!(read(&[r#"{"x":1}"#]).is_err());
    assert_eq!(read(&[r#"{"type":"response.new","x":1}"#]).unwrap_err(), BadAnswer::Cut.into());
}

#[test]
fn a_whole_request() {
    let said = Said::of_json(r#"[{"type":"message","role":"assistant","content":"x"}]"#.into()).unwrap();
    let request = samples::conversation(said);
    let parsed: Value = serde_json::from_slice(&body("gpt-5", &request).unwrap()).unwrap();
    let picture = json!({"type": "input_image", "image_url": format!("data:image/jpeg;base64,{PICTURE}"), "detail": "auto"});
    let expected = json!({
        "model": "gpt-5",
        "instructions": "You run errands.",
        "input": [
            {"type": "message", "role": "user", "content": [
                {"type": "input_text", "text": "Order coffee."}, {"type": "input_text", "text": "The page."}, picture]},
            {"type": "message", "role": "assistant", "content": "x"},
            {"type": "function_call_output", "call_id": "toolu_01T1x1fJ34qAmk2tNTrN7Up6", "output": [
                {"type": "input_text", "text": "ERROR:"}, {"type": "input_text", "text": "It is covered."}, picture]},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go on."}]},
        ],
        "tools": [{"type": "function", "name": "act", "description": "Does something.",
            "parameters": samples::schema(), "strict": false}],
        "tool_choice": "required",
        "parallel_tool_calls": false,
        "max_output_tokens": 2000,
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "stream": true,
    });
    assert_eq!(parsed, expected);
    // In words alone, for a model that does not think.
    let mut request = request.without_pictures();
    request.choice = ToolChoice::Only("act".into());
    request.most_output = 1;
    let parsed: Value = serde_json::from_slice(&body("gpt-4.1-mini", &request).unwrap()).unwrap();
    assert_eq!(parsed["input"][2]["output"], "ERROR: It is covered.");
    assert_eq!(parsed["tool_choice"], json!({"type": "function", "name": "act"}));
    assert_eq!((parsed.get("include"), &parsed["max_output_tokens"]), (None, &json!(16)));
}
