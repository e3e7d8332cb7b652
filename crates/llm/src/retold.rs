//! What a model said on one wire, told on another: words and calls, without thoughts, which only their own vendor can read. Where a
//! second model takes over, it reads what the first one said. Pure.

use std::{borrow::Cow, collections::HashSet};

use legwork_types::model::{Message, ModelRequest, Said, ToolResult};
use serde_json::{Value, json};

use crate::{choice::Wire, gemini};

/// What Gemini takes in the place of a signature where another model made the call.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// What was said, in words that no vendor owns.
#[derive(Debug, Default)]
struct Spoken {
    text: String,
    calls: Vec<Call>,
}

#[derive(Debug)]
struct Call {
    id: Option<String>,
    name: String,
    input: Value,
}

/// The same request for this wire: whatever was said on another one is retold, and whatever was said on this one is left untouched.
pub(crate) fn request(request: &ModelRequest, wire: Wire) -> Cow<'_, ModelRequest> {
    let is_foreign = |message: &Message| match message {
        Message::Assistant(said) => wire_of(said, wire).is_some_and(|(of, _)| of != wire),
        Message::User(_) | Message::Results(_) => false,
    };
    if !request.messages.iter().any(is_foreign) {
        return Cow::Borrowed(request);
    }
    let mut retold = request.clone();
    let mut taken = ids_of(request, wire);
    let mut messages = retold.messages.iter_mut().peekable();
    while let Some(message) = messages.next() {
        let Message::Assistant(said) = message else { continue };
        let Some((of, value)) = wire_of(said, wire).filter(|(of, _)| *of != wire) else { continue };
        let mut spoken = read(of, &value);
        let mut none = vec![];
        let results = match messages.peek_mut() {
            Some(Message::Results(results)) => results,
            Some(Message::User(_) | Message::Assistant(_)) | None => &mut none,
        };
        name_calls(&mut spoken.calls, results);
        if wire == Wire::Anthropic {
            fit_ids(&mut spoken.calls, results, &mut taken);
        }
        if let Some(again) = Said::of_json(written(&spoken, wire).to_string()) {
            *said = again;
        }
    }
    Cow::Owned(retold)
}

/// The ids of calls that were made on this wire: they stay as they are.
fn ids_of(request: &ModelRequest, wire: Wire) -> HashSet<String> {
    let said = request.messages.iter().filter_map(|message| match message {
        Message::Assistant(said) => wire_of(said, wire).filter(|(of, _)| *of == wire),
        Message::User(_) | Message::Results(_) => None,
    });
    said.flat_map(|(of, value)| read(of, &value).calls).filter_map(|call| call.id).collect()
}

/// The same without thoughts, on the wire on which it was said: for another model of that wire, which may not be able to read them.
/// Whoever lets a second model take over does this once to what the first one said.
#[must_use]
pub fn without_thoughts(said: &Said) -> Said {
    let bare = wire_of(said, Wire::Responses).map(|(wire, value)| written(&read(wire, &value), wire));
    bare.and_then(|bare| Said::of_json(bare.to_string())).unwrap_or_else(|| said.clone())
}

/// The wire on which something was said: each has a form of its own. Two have the same form for nothing; then it is the one that is
/// spoken now, if it is one of them.
fn wire_of(said: &Said, now: Wire) -> Option<(Wire, Value)> {
    let value: Value = serde_json::from_str(said.json()).ok()?;
    let wire = match &value {
        Value::Array(items) => match items.first().map(|item| item["type"].as_str().unwrap_or_default()) {
            None if now == Wire::Responses => Wire::Responses,
            Some("message" | "reasoning" | "function_call") => Wire::Responses,
            None | Some(_) => Wire::Anthropic,
        },
        Value::Object(message) if message.contains_key("parts") => Wire::Gemini,
        Value::Object(_) => Wire::OpenAi,
        _ => return None,
    };
    Some((wire, value))
}

fn read(wire: Wire, value: &Value) -> Spoken {
    let mut spoken = Spoken::default();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parsed = |arguments: &Value| serde_json::from_str(&word(arguments)).unwrap_or_else(|_| json!({}));
    let mut call = |id: &Value, name: &Value, input: Value| {
        let input = if input.is_object() { input } else { json!({}) };
        let id = id.as_str().map(str::to_owned);
        spoken.calls.push(Call { id, name: word(name), input });
    };
    match wire {
        Wire::Anthropic => {
            for block in list(value) {
                match block["type"].as_str() {
                    Some("text") => spoken.text.push_str(&word(&block["text"])),
                    Some("tool_use") => call(&block["id"], &block["name"], block["input"].clone()),
                    _ => {}
                }
            }
        }
        Wire::OpenAi => {
            spoken.text = word(&value["content"]);
            for made in list(&value["tool_calls"]) {
                let function = &made["function"];
                call(&made["id"], &function["name"], parsed(&function["arguments"]));
            }
        }
        Wire::Responses => {
            for item in list(value) {
                match item["type"].as_str() {
                    Some("message") => {
                        let parts = list(&item["content"]);
                        spoken.text.push_str(&word(&item["content"]));
                        parts.iter().for_each(|part| spoken.text.push_str(&word(&part["text"])));
                    }
                    Some("function_call") => {
                        call(&item["call_id"], &item["name"], parsed(&item["arguments"]))
                    }
                    _ => {}
                }
            }
        }
        Wire::Gemini => {
            for part in list(&value["parts"]) {
                if let Some(made) = part.get("functionCall") {
                    call(&made["id"], &made["name"], made["args"].clone());
                } else if part["thought"] != true {
                    spoken.text.push_str(&word(&part["text"]));
                }
            }
        }
    }
    spoken
}

/// Calls without names get those by which their results are told: these end with the place of the call.
fn name_calls(calls: &mut [Call], results: &[ToolResult]) {
    for (at, call) in calls.iter_mut().enumerate() {
        let place = gemini::named("", at).trim_start_matches("call").to_owned();
        let told = results.iter().map(|result| &result.call).find(|id| id.ends_with(&place));
        call.id.get_or_insert_with(|| told.cloned().unwrap_or_else(|| gemini::named("", at)));
    }
}

/// Ids as Anthropic takes them: of letters, digits, `_` and `-`, and each of them once. Others are less strict, such as Kimi, whose ids are
/// like `functions.act:0` and may be the same at every turn. What is fine stays as it is.
fn fit_ids(calls: &mut [Call], results: &mut [ToolResult], taken: &mut HashSet<String>) {
    let mut waiting: Vec<&mut ToolResult> = results.iter_mut().collect();
    for call in calls {
        let before = call.id.take().unwrap_or_default();
        let is_fine = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let fine: String = before.chars().map(|letter| if is_fine(letter) { letter } else { '_' }).collect();
        let fine = if fine.is_empty() { "call".to_owned() } else { fine };
        let more = (2_u32..).map(|number| format!("{fine}_{number}"));
        let id = std::iter::once(fine.clone()).chain(more).find(|id| taken.insert(id.clone()));
        // Its result is the first one that names it: results come in the order of calls.
        if let (Some(id), Some(at)) = (&id, waiting.iter().position(|result| result.call == before)) {
            waiting.remove(at).call.clone_from(id);
        }
        call.id = id;
    }
}

fn written(spoken: &Spoken, wire: Wire) -> Value {
    let words = spoken.text.trim();
    let text = (!words.is_empty()).then_some(words);
    let calls = spoken.calls.iter();
    match wire {
        Wire::Anthropic => {
            let text = text.map(|text| json!({"type": "text", "text": text}));
            let calls = calls.map(
                |call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.input}),
            );
            text.into_iter().chain(calls).collect()
        }
        Wire::OpenAi => {
            let calls: Vec<Value> = calls
                .map(|call| {
                    let function = json!({"name": call.name, "arguments": call.input.to_string()});
                    json!({"id": call.id, "type": "function", "function": function})
                })
                .collect();
            match calls.is_empty() {
                true => json!({"role": "assistant", "content": words}),
                false => json!({"role": "assistant", "content": text, "tool_calls": calls}),
            }
        }
        Wire::Responses => {
            let text = text.map(|text| json!({"type": "message", "role": "assistant", "content": text}));
            let calls = calls.map(|call| {
                let arguments = call.input.to_string();
                json!({"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments})
            });
            text.into_iter().chain(calls).collect()
        }
        Wire::Gemini => {
            let text = text.map(|text| json!({"text": text}));
            let calls = calls.enumerate().map(|(at, call)| {
                let mut made = json!({"name": call.name, "args": call.input});
                if let Some(id) = &call.id {
                    made["id"] = id.as_str().into();
                }
                match at {
                    0 => json!({"functionCall": made, "thoughtSignature": UNSIGNED}),
                    _ => json!({"functionCall": made}),
                }
            });
            json!({"role": "model", "parts": text.into_iter().chain(calls).collect::<Vec<_>>()})
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use legwork_types::model::{Part, ResultKind, ToolResult};

    use super::*;
    use crate::samples;

    /// The same on all wires: words, and a call whose result follows.
    const SAID: [(Wire, &str); 4] = [
        (
            Wire::Anthropic,
            r#"[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":"I press it."},
                {"type":"tool_use","id":"r_0","name":"act","input":{"element":7}}]"#,
        ),
        (
            Wire::OpenAi,
            r#"{"role":"assistant","content":"I press it.","reasoning":"hm","tool_calls":[
                {"id":"r_0","type":"function","function":{"name":"act","arguments":"{\"element\":7}"}}]}"#,
        ),
        (
            Wire::Responses,
            r#"[{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"x"},
                {"type":"message","role":"assistant","content":[{"type":"output_text","text":"I press it."}]},
                {"type":"function_call","call_id":"r_0","name":"act","arguments":"{\"element\":7}"}]"#,
        ),
        (
            Wire::Gemini,
            r#"{"role":"model","parts":[{"text":"hm","thought":true},{"text":"I press "},{"text":"it."},
                {"functionCall":{"name":"act","args":{"element":7}},"thoughtSignature":"x"}]}"#,
        ),
    ];

    fn conversation(said: &str) -> ModelRequest {
        let mut conversation = samples::conversation(Said::of_json(said.to_owned()).unwrap());
        let parts = vec![Part::Text("Done.".into())];
        let result = ToolResult { call: "r_0".into(), parts, outcome: ResultKind::Done };
        conversation.messages.truncate(2);
        conversation.messages.push(Message::Results(vec![result]));
        conversation
    }

    fn said(request: &ModelRequest) -> &Said {
        let said = request.messages.iter().find_map(|message| match message {
            Message::Assistant(said) => Some(said),
            Message::User(_) | Message::Results(_) => None,
        });
        said.unwrap()
    }

    #[test]
    fn what_was_said_on_one_wire_is_told_on_every_other_and_left_untouched_on_its_own() {
        for (from, text) in SAID {
            let conversation = conversation(text);
            for (to, _) in SAID {
                let retold = request(&conversation, to);
                if from == to {
                    assert_eq!(said(&retold).json(), text);
                    continue;
                }
                let (of, value) = wire_of(said(&retold), to).unwrap();
                assert_eq!(of, to, "{value}");
                let told = read(to, &value);
                assert_eq!(told.text, "I press it.", "{from:?} {to:?}");
                let [call] = &told.calls[..] else { panic!("{told:?}") };
                assert_eq!((call.id.as_deref(), call.name.as_str()), (Some("r_0"), "act"), "{from:?} {to:?}");
                assert_eq!(call.input, json!({"element": 7}));
                assert!(!value.to_string().contains("hm"), "thoughts are not told: {value}");
            }
        }
    }

    /// What Anthropic is told of these answers of Chat: the ids of the calls of each, and those of their results.
    fn ids_told(answers: &[&[&str]]) -> Vec<(Vec<String>, Vec<String>)> {
        let mut asked = conversation("[]");
        asked.messages.truncate(1);
        for ids in answers {
            let calls =
                ids.iter().map(|id| json!({"id": id, "function": {"name": "act", "arguments": "{}"}}));
            let said = json!({"role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>()});
            asked.messages.push(Message::Assistant(Said::of_json(said.to_string()).unwrap()));
            let result = |id: &&str| ToolResult {
                call: (*id).into(),
                parts: vec![Part::Text("Done.".into())],
                outcome: ResultKind::Done,
            };
            asked.messages.push(Message::Results(ids.iter().map(result).collect()));
        }
        let retold = request(&asked, Wire::Anthropic);
        let pairs = retold.messages[1..].chunks(2).map(|pair| match pair {
            [Message::Assistant(said), Message::Results(results)] => {
                let (of, value) = wire_of(said, Wire::Anthropic).unwrap();
                let calls = read(of, &value).calls.into_iter().map(|call| call.id.unwrap());
                (calls.collect(), results.iter().map(|result| result.call.clone()).collect())
            }
            other => panic!("{other:?}"),
        });
        pairs.collect()
    }

    #[test]
    fn ids_that_anthropic_would_refuse_are_made_to_fit_with_their_results_and_meet_no_other() {
        let told = ids_told(&[
            &["functions.act:0", "functions.act:1"],
            &["functions.act:0", "functions_act_0"],
            &["", "ö", "fine-1", "same", "same"],
        ]);
        for (calls, results) in &told {
            assert_eq!(calls, results);
        }
        let all: Vec<&str> = told.iter().flat_map(|(calls, _)| calls).map(String::as_str).collect();
        let expected = [
            "functions_act_0",
            "functions_act_1",
            "functions_act_0_2",
            "functions_act_0_3",
            "call",
            "_",
            "fine-1",
            "same",
            "same_2",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn thoughts_can_be_left_out_on_their_own_wire() {
        for (wire, text) in SAID {
            let bare = without_thoughts(&Said::of_json(text.to_owned()).unwrap());
            let (of, value) = wire_of(&bare, wire).unwrap();
            let told = read(of, &value);
            assert_eq!((of, told.text.as_str(), told.calls.len()), (wire, "I press it.", 1));
            assert!(!bare.json().contains("hm") && !bare.json().contains(r#""x""#), "{}", bare.json());
            assert_eq!(without_thoughts(&bare), bare);
        }
    }

    #[test]
    fn nothing_is_told_as_nothing() {
        let told = |wire: Wire, text: &str| -> Value {
            serde_json::from_str(said(&request(&conversation(text), wire)).json()).unwrap()
        };
        for nothing in ["[]", r#"{"role":"model","parts":[]}"#, r#"{"role":"assistant","content":""}"#] {
            assert_eq!(told(Wire::Anthropic, nothing), json!([]));
            assert_eq!(told(Wire::Responses, nothing), json!([]));
            assert_eq!(told(Wire::OpenAi, nothing), json!({"role": "assistant", "content": ""}));
            assert_eq!(told(Wire::Gemini, nothing), json!({"role": "model", "parts": []}));
        }
    }
}
