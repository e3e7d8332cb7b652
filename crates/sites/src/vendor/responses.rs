//! The wire of OpenAI's Responses, from the vendor's side.

use serde_json::{Value, json};

use super::{
    Asked, Billed, Exchange, Spoken, VendorWire,
    asked::{list, signature, text},
    openai,
    reply::pieces,
};

/// Reads a request, as strictly as the real one.
pub(super) fn read(body: &Value) -> Result<Asked, String> {
    if body["stream"] != true {
        return Err("this vendor answers as a stream alone".into());
    }
    if body["store"] != false {
        return Err("this vendor keeps nothing: 'store' must be false".into());
    }
    refuses(body)?;
    let (mut turns, mut pictures) = (vec![], 0);
    let mut open: Vec<&str> = vec![];
    let input = list(body, "/input");
    for (at, item) in input.iter().enumerate() {
        let next = input.get(at + 1).map(|next| (text(next, "/type"), text(next, "/role")));
        match (text(item, "/type"), text(item, "/role")) {
            ("message" | "", "user") => {
                unanswered(&open)?;
                turns.push(Exchange::Told(told(&item["content"], &mut pictures, at)?));
            }
            ("message" | "", "assistant") => {
                unanswered(&open)?;
                say(&mut turns, &words(&item["content"]), None);
            }
            // What was thought comes back exactly as it was given away, and before what followed it.
            ("reasoning", _) => {
                if text(item, "/encrypted_content") != sealed(item) {
                    return Err(format!(
                        "The encrypted content for item {} could not be verified.",
                        text(item, "/id")
                    ));
                }
                if !matches!(next, Some(("function_call", _) | ("message", "assistant"))) {
                    return Err(format!(
                        "Item '{}' of type 'reasoning' was provided without its required following item.",
                        text(item, "/id")
                    ));
                }
                unanswered(&open)?;
            }
            ("function_call", _) => {
                let id = text(item, "/call_id");
                if id.is_empty() || text(item, "/name").is_empty() {
                    return Err(format!("Missing required parameter: 'input[{at}].call_id' or 'name'."));
                }
                let called = serde_json::from_str(text(item, "/arguments"));
                let called = called.map_err(|_| format!("input[{at}].arguments: not JSON"))?;
                open.push(id);
                say(&mut turns, "", Some((text(item, "/name").to_owned(), called)));
            }
            ("function_call_output", _) => {
                let id = text(item, "/call_id");
                let Some(place) = open.iter().position(|open| *open == id) else {
                    return Err(format!("No tool call found for function call output with call_id {id}."));
                };
                open.remove(place);
                turns.push(Exchange::Told(told(&item["output"], &mut pictures, at)?));
            }
            (kind, role) => return Err(format!("Invalid value: input[{at}] is a {kind:?} of {role:?}")),
        }
    }
    unanswered(&open)?;
    let must_call = match &body["tool_choice"] {
        Value::String(word) if word == "required" => Some("any".to_owned()),
        Value::Object(_) => Some(text(body, "/tool_choice/name").to_owned()),
        _ => None,
    };
    Ok(Asked {
        wire: VendorWire::Responses,
        model: text(body, "/model").to_owned(),
        system: text(body, "/instructions").to_owned(),
        tools: list(body, "/tools").iter().map(|tool| text(tool, "/name").to_owned()).collect(),
        must_call,
        turns,
        pictures,
        body: body.clone(),
    })
}

/// What it does not take.
fn refuses(body: &Value) -> Result<(), String> {
    if body["max_output_tokens"].as_u64().is_none_or(|most| most < 16) {
        return Err("Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16".into());
    }
    for unknown in ["messages", "max_tokens", "max_completion_tokens", "stream_options"] {
        if !body[unknown].is_null() {
            return Err(format!("Unknown parameter: '{unknown}'."));
        }
    }
    let wants_thoughts = list(body, "/include").contains(&json!("reasoning.encrypted_content"));
    if text(body, "/model").starts_with("gpt-4") && wants_thoughts {
        return Err("Encrypted content is not supported with this model.".into());
    }
    let is_function = |tool: &Value| tool["type"] == "function" && tool["parameters"].is_object();
    match list(body, "/tools").iter().all(is_function) {
        true => Ok(()),
        false => Err("Invalid value: 'tools'".into()),
    }
}

fn unanswered(open: &[&str]) -> Result<(), String> {
    match open.first() {
        Some(id) => Err(format!("No tool output found for function call {id}.")),
        None => Ok(()),
    }
}

/// Adds to what the model said in the turn that is under way.
fn say(turns: &mut Vec<Exchange>, words: &str, call: Option<(String, Value)>) {
    match turns.last_mut() {
        Some(Exchange::Said(said, calls)) => {
            said.push_str(words);
            calls.extend(call);
        }
        Some(Exchange::Told(_)) | None => {
            turns.push(Exchange::Said(words.to_owned(), call.into_iter().collect()));
        }
    }
}

fn told(content: &Value, pictures: &mut usize, at: usize) -> Result<String, String> {
    let Value::Array(parts) = content else { return Ok(words(content)) };
    for part in parts {
        match text(part, "/type") {
            "input_text" => {}
            "input_image" if text(part, "/image_url").starts_with("data:image/") => *pictures += 1,
            other => return Err(format!("Invalid value: {other:?} in input[{at}]")),
        }
    }
    Ok(words(content))
}

fn words(content: &Value) -> String {
    match content {
        Value::String(words) => words.clone(),
        Value::Array(parts) => {
            let words: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            words.join("\n")
        }
        _ => String::new(),
    }
}

/// What proves that a thought is ours, with its name and all its words.
fn sealed(item: &Value) -> String {
    signature(&format!("{} {}", text(item, "/id"), item["summary"]))
}

/// The events of an answer.
pub(super) fn events(model: &str, spoken: &Spoken, billed: &Billed, number: u64) -> Vec<String> {
    let mut answer = Answer { events: vec![], output: vec![] };
    let response = |status: &str, output: &[Value], usage: Value| {
        json!({"id": format!("resp_{number:06}"), "object": "response", "created_at": 1, "status": status, "model": model,
            "error": null, "incomplete_details": null, "output": output, "store": false, "usage": usage})
    };
    answer.push("response.created", json!({"response": response("in_progress", &[], Value::Null)}));
    if let Some(thought) = &spoken.thought {
        let mut item = json!({"id": format!("rs_{number:06}"), "type": "reasoning",
            "summary": [{"type": "summary_text", "text": thought}]});
        item["encrypted_content"] = sealed(&item).into();
        let deltas =
            pieces(thought).map(|piece| ("response.reasoning_summary_text.delta", json!({"delta": piece})));
        answer.item(&item, deltas.collect());
    }
    if !spoken.text.is_empty() {
        let part = json!({"type": "output_text", "annotations": [], "logprobs": [], "text": spoken.text});
        let item = json!({"id": format!("msg_{number:06}"), "type": "message", "status": "completed",
            "role": "assistant", "content": [part]});
        let mut deltas: Vec<(&str, Value)> = pieces(&spoken.text)
            .map(|piece| ("response.output_text.delta", json!({"delta": piece, "logprobs": []})))
            .collect();
        deltas.push(("response.output_text.done", json!({"text": spoken.text})));
        answer.item(&item, deltas);
    }
    for (at, (name, input)) in spoken.calls.iter().enumerate() {
        let item = json!({"id": format!("fc_{number:06}_{at}"), "type": "function_call", "status": "completed",
            "arguments": input, "call_id": format!("call_{number:06}_{at}"), "name": name});
        let deltas =
            pieces(input).map(|piece| ("response.function_call_arguments.delta", json!({"delta": piece})));
        answer.item(&item, deltas.collect());
    }
    let read = billed.input + billed.cache_write + billed.cache_read;
    let usage = json!({"input_tokens": read, "output_tokens": billed.output, "total_tokens": read + billed.output,
        "input_tokens_details": {"cached_tokens": billed.cache_read, "cache_write_tokens": billed.cache_write},
        "output_tokens_details": {"reasoning_tokens": 0}});
    let response = response("completed", &answer.output, usage);
    answer.push("response.completed", json!({"response": response}));
    answer.events
}

struct Answer {
    events: Vec<String>,
    output: Vec<Value>,
}

impl Answer {
    fn push(&mut self, kind: &str, mut event: Value) {
        event["type"] = kind.into();
        event["sequence_number"] = self.events.len().into();
        self.events.push(format!("event: {kind}\ndata: {event}\n\n"));
    }

    fn item(&mut self, item: &Value, deltas: Vec<(&str, Value)>) {
        let index = self.output.len();
        let opened = json!({"id": item["id"], "type": item["type"]});
        self.push("response.output_item.added", json!({"output_index": index, "item": opened}));
        for (kind, mut delta) in deltas {
            delta["output_index"] = index.into();
            delta["item_id"] = item["id"].clone();
            self.push(kind, delta);
        }
        self.push("response.output_item.done", json!({"output_index": index, "item": item}));
        self.output.push(item.clone());
    }
}

/// What breaks off an answer.
pub(super) fn broken_off(status: u16, message: &str) -> String {
    let code = openai::refusal(status, message)["error"]["code"].clone();
    let event =
        json!({"type": "error", "sequence_number": 9, "code": code, "message": message, "param": null});
    format!("event: error\ndata: {event}\n\n")
}
