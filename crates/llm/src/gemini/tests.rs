//! Answers as the vendor documents them, and whole requests.

use legwork_types::model::{
    Message, ModelTurn, Part, ResultKind, Said, ToolChoice, ToolResult, TurnEnd, Usage,
};
use serde_json::{Value, json};

use super::*;
use crate::{
    error::{BadAnswer, Retry, VendorError},
    samples::{self, PICTURE},
    stream::Events,
};

const THINKS: &str = include_str!("../../samples/gemini_thinks_and_calls.sse");

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

fn ended(reason: &str) -> Result<ModelTurn, VendorError> {
    read(&[&format!(r#"{{"candidates":[{{"finishReason":"{reason}","finishMessage":"Malformed: x("}}]}}"#)])
}

#[test]
fn an_answer_is_put_together_from_its_pieces() {
    let turn = sample(THINKS);
    assert_eq!((turn.text.as_str(), turn.end), ("I open the coffee.", TurnEnd::Complete));
    assert_eq!(turn.thought, "**Looking** for the \"basket\"");
    assert_eq!(turn.model, "gemini-3-pro-preview");
    assert_eq!(turn.usage, Usage { input: 786, cache_write: 0, cache_read: 1920, output: 153 });
    let [call] = &turn.calls[..] else { panic!("{:?}", turn.calls) };
    assert_eq!((call.name.as_str(), call.id.as_str()), ("act", "Il0taoSYJ5Cez7IPw_-x_0"));
    assert_eq!(call.input.as_ref().unwrap().get(), r#"{"type": "click", "element":  12}"#);
}

#[test]
fn what_was_said_goes_back_to_the_byte() {
    let said = sample(THINKS).said;
    let expected = concat!(
        r#"{"role":"model","parts":[{"text": "**Looking** for the \"basket\"","thought": true},"#,
        r#"{"text": "I open "},{"text": "the coffee."},"#,
        r#"{"functionCall": {"name": "act","args": {"type": "click", "element":  12}},"thoughtSignature": "EjQKMgEMOdbH/8=="}]}"#,
    );
    assert_eq!(said.json(), expected);
    let body = String::from_utf8(body(&samples::conversation(said)).unwrap()).unwrap();
    assert!(body.contains(expected), "{body}");
}

#[test]
fn an_answer_that_was_cut_anywhere_is_none() {
    let events = Events::default().feed(THINKS.as_bytes()).unwrap();
    for kept in 0..events.len() {
        let kept: Vec<&str> = events[..kept].iter().map(String::as_str).collect();
        assert_eq!(read(&kept).unwrap_err(), BadAnswer::Cut.into(), "{kept:?}");
    }
}

#[test]
fn every_end_has_its_meaning() {
    assert_eq!(ended("STOP").unwrap().end, TurnEnd::Complete);
    assert_eq!(ended("SOMETHING_NEW").unwrap().end, TurnEnd::Complete);
    assert_eq!(ended("MAX_TOKENS").unwrap().end, TurnEnd::CutShort);
    for declined in ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"] {
        assert_eq!(ended(declined).unwrap().end, TurnEnd::Declined, "{declined}");
    }
    let error = ended("MALFORMED_FUNCTION_CALL").unwrap_err();
    assert_eq!(error, BadAnswer::Shape("MALFORMED_FUNCTION_CALL Malformed: x(".into()).into());
    assert_eq!(error.retry(), Retry::After(None));
    let blocked =
        r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}}"#;
    let turn = read(&[blocked]).unwrap();
    assert_eq!((turn.end, turn.usage.input), (TurnEnd::Declined, 9));
}

#[test]
fn errors_in_the_stream_are_told_by_their_names() {
    let begun = r#"{"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}"#;
    let error = r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#;
    let told = VendorError::Failed { kind: "UNAVAILABLE".into(), message: "The model is overloaded.".into() };
    assert_eq!(read(&[begun, error]).unwrap_err(), told);
    assert_eq!(told.retry(), Retry::After(None));
    for last in ["UNAUTHENTICATED", "INVALID_ARGUMENT", "PERMISSION_DENIED", "NOT_FOUND"] {
        assert_eq!(VendorError::told(last, String::new()).retry(), Retry::Never, "{last}");
    }
    assert!(read(&["{"]).is_err());
    assert!(read(&[r#"{"candidates":[{"content":{"parts":[7]}}]}"#]).is_err());
}

#[test]
fn a_call_with_what_nobody_can_read_goes_back_without_it() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for args in [format!(r#"{{"a":{deep}}}"#), r#"{"a":"\ud83d"}"#.to_owned(), "7".to_owned()] {
        let part =
            format!(r#"{{"thoughtSignature":"s","functionCall":{{"name":"act","id":"c","args":{args}}}}}"#);
        let chunk = format!(r#"{{"candidates":[{{"content":{{"parts":[{part}]}},"finishReason":"STOP"}}]}}"#);
        let turn = read(&[&chunk]).unwrap();
        let text = turn.calls[0].input.as_ref().map_or_else(String::clone, |raw| raw.get().to_owned());
        assert_eq!((text == args, turn.calls[0].input.is_ok()), (true, args == "7"));
        let said: Value = serde_json::from_str(turn.said.json()).unwrap();
        let call = json!({"functionCall": {"name": "act", "id": "c", "args": {}}, "thoughtSignature": "s"});
        assert_eq!(said, json!({"role": "model", "parts": [call]}));
    }
}

#[test]
fn a_whole_request() {
    let id = "toolu_01T1x1fJ34qAmk2tNTrN7Up6";
    let said = json!({"role": "model", "parts": [{"functionCall": {"id": id, "name": "act", "args": {}}}]});
    let mut request = samples::conversation(Said::of_json(said.to_string()).unwrap());
    let parsed: Value = serde_json::from_slice(&body(&request).unwrap()).unwrap();
    let picture = json!({"inlineData": {"mimeType": "image/jpeg", "data": PICTURE}});
    let expected = json!({
        "systemInstruction": {"parts": [{"text": "You run errands."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Order coffee."}, {"text": "The page."}, picture]},
            said,
            {"role": "user", "parts": [
                {"functionResponse": {"id": id, "name": "act", "response": {"error": "It is covered."}}}]},
            {"role": "user", "parts": [picture, {"text": "Go on."}]},
        ],
        "tools": [{"functionDeclarations": [
            {"name": "act", "description": "Does something.", "parametersJsonSchema": samples::schema()}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        "generationConfig": {"maxOutputTokens": 2000},
    });
    assert_eq!(parsed, expected);
    request.choice = ToolChoice::Only("act".into());
    let parsed: Value = serde_json::from_slice(&body(&request).unwrap()).unwrap();
    let calling = json!({"mode": "ANY", "allowedFunctionNames": ["act"]});
    assert_eq!(parsed["toolConfig"]["functionCallingConfig"], calling);
}

#[test]
fn results_are_in_the_order_of_calls_that_have_no_names() {
    let calls = r#"{"responseId":"r-1","candidates":[{"content":{"parts":[
        {"functionCall":{"name":"look","args":{}}},{"functionCall":{"name":"act"}}]},"finishReason":"STOP"}]}"#;
    let turn = read(&[calls]).unwrap();
    let ids: Vec<&str> = turn.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["r-1_0", "r-1_1"]);
    assert_eq!(turn.calls[1].input.as_ref().unwrap().get(), "{}");
    let result = |call: &str, words: &str| ToolResult {
        call: call.into(),
        parts: vec![Part::Text(words.into())],
        outcome: ResultKind::Done,
    };
    let mut request = samples::conversation(turn.said);
    request.messages.truncate(2);
    request.messages.push(Message::Results(vec![result("r-1_1", "second"), result("r-1_0", "first")]));
    let parsed: Value = serde_json::from_slice(&body(&request).unwrap()).unwrap();
    let expected = json!([
        {"functionResponse": {"name": "look", "response": {"output": "first"}}},
        {"functionResponse": {"name": "act", "response": {"output": "second"}}},
    ]);
    assert_eq!(parsed["contents"][2]["parts"], expected);
}
