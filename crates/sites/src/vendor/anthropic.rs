//! The wire of Anthropic's Messages, from the vendor's side.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicU64, Ordering},
};

use serde_json::{Value, json};

use super::{
    Asked, Billed, Exchange, Spoken, VendorWire,
    asked::{list, signature, text},
    reply::pieces,
    served::PENNILESS,
};

/// Reads a request, as strictly as the real one.
pub(super) fn read(body: &Value) -> Result<Asked, String> {
    if body["max_tokens"].as_u64().is_none_or(|most| most == 0) {
        return Err("max_tokens: Field required".into());
    }
    if body["stream"] != true {
        return Err("this vendor answers as a stream alone".into());
    }
    let mut turns = vec![];
    let mut pictures = 0;
    let mut open: Vec<String> = vec![];
    let mut role_before = "";
    let mut ids = HashSet::new();
    for (at, message) in list(body, "/messages").iter().enumerate() {
        let role = text(message, "/role");
        if role == role_before || !matches!(role, "user" | "assistant") {
            return Err(format!("messages.{at}: roles must alternate between \"user\" and \"assistant\""));
        }
        role_before = role;
        let blocks = blocks(&message["content"]);
        if blocks.is_empty() {
            return Err(format!("messages.{at}: all messages must have non-empty content"));
        }
        if role == "assistant" {
            open = blocks
                .iter()
                .filter(|block| block["type"] == "tool_use")
                .map(|block| text(block, "/id").to_owned())
                .collect();
            for id in &open {
                has_shape(id, at)?;
                if !ids.insert(id.clone()) {
                    return Err(format!("messages.{at}: `tool_use` ids must be unique"));
                }
            }
            turns.push(said(&blocks, at)?);
            continue;
        }
        let answered: Vec<&str> = blocks
            .iter()
            .filter(|block| block["type"] == "tool_result")
            .map(|block| text(block, "/tool_use_id"))
            .collect();
        if let Some(id) = open.iter().find(|id| !answered.contains(&id.as_str())) {
            return Err(format!(
                "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {id}"
            ));
        }
        if let Some(id) = answered.iter().find(|id| !open.iter().any(|open| open == *id)) {
            return Err(format!(
                "messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}"
            ));
        }
        open.clear();
        let (words, shown) = told(&blocks, at)?;
        pictures += shown;
        turns.push(Exchange::Told(words));
    }
    if role_before != "user" {
        return Err("messages: the last message must be of the user".into());
    }
    let must_call = match text(body, "/tool_choice/type") {
        "tool" => Some(text(body, "/tool_choice/name").to_owned()),
        "any" => Some("any".to_owned()),
        _ => None,
    };
    Ok(Asked {
        wire: VendorWire::Anthropic,
        model: text(body, "/model").to_owned(),
        system: list(body, "/system").iter().map(|block| text(block, "/text")).collect(),
        tools: list(body, "/tools").iter().map(|tool| text(tool, "/name").to_owned()).collect(),
        must_call,
        turns,
        pictures,
        body: body.clone(),
    })
}

fn has_shape(id: &str, at: usize) -> Result<(), String> {
    let is_fine = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    match !id.is_empty() && id.chars().all(is_fine) {
        true => Ok(()),
        false => Err(format!(
            "messages.{at}.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
        )),
    }
}

fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        Value::Array(blocks) => blocks.clone(),
        _ => vec![],
    }
}

fn told(blocks: &[Value], at: usize) -> Result<(String, usize), String> {
    let (mut words, mut pictures) = (vec![], 0);
    for block in blocks {
        match text(block, "/type") {
            "text" if text(block, "/text").trim().is_empty() => return Err(no_words(at)),
            "text" => words.push(text(block, "/text").to_owned()),
            "image" if text(block, "/source/data").is_empty() => {
                return Err(format!("messages.{at}: image without data"));
            }
            "image" => pictures += 1,
            "tool_result" => {
                let (inner, shown) = told(&self::blocks(&block["content"]), at)?;
                words.push(inner);
                pictures += shown;
            }
            other => return Err(format!("messages.{at}: unexpected block {other:?}")),
        }
    }
    Ok((words.join("\n"), pictures))
}

fn no_words(at: usize) -> String {
    format!("messages.{at}: text content blocks must contain non-whitespace text")
}

fn said(blocks: &[Value], at: usize) -> Result<Exchange, String> {
    let (mut words, mut calls) = (String::new(), vec![]);
    for block in blocks {
        match text(block, "/type") {
            "text" if text(block, "/text").trim().is_empty() => return Err(no_words(at)),
            "text" => words.push_str(text(block, "/text")),
            "tool_use" if !block["input"].is_object() => {
                return Err(format!("messages.{at}: tool_use.input: Input should be a valid dictionary"));
            }
            "tool_use" => calls.push((text(block, "/name").to_owned(), block["input"].clone())),
            // What was thought comes back exactly as it was given away, or not at all.
            "thinking" if text(block, "/signature") != signature(text(block, "/thinking")) => {
                return Err(format!("messages.{at}: Invalid `signature` in `thinking` block"));
            }
            "thinking" | "redacted_thinking" => {}
            other => return Err(format!("messages.{at}: unexpected block {other:?}")),
        }
    }
    match blocks.last().map(|last| text(last, "/type")) {
        Some(last @ ("thinking" | "redacted_thinking")) => {
            Err(format!("messages.{at}: The final block in an assistant message cannot be `{last}`."))
        }
        Some(_) | None => Ok(Exchange::Said(words, calls)),
    }
}

/// How many calls were made by all vendors of this program: no two have the same id, whichever of them goes on with an errand.
static MADE: AtomicU64 = AtomicU64::new(1);

/// The events of an answer.
pub(super) fn events(model: &str, spoken: &Spoken, billed: &Billed, number: u64) -> Vec<String> {
    let usage = json!({
        "input_tokens": billed.input, "cache_creation_input_tokens": billed.cache_write,
        "cache_read_input_tokens": billed.cache_read, "output_tokens": 1,
    });
    let mut events = vec![json!({"type": "message_start", "message": {
        "id": format!("msg_{number:06}"), "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    }})];
    let mut index = 0;
    let mut block = |start: Value, deltas: Vec<Value>| {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        events.extend(
            deltas
                .into_iter()
                .map(|delta| json!({"type": "content_block_delta", "index": index, "delta": delta})),
        );
        events.push(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    };
    if let Some(thought) = &spoken.thought {
        let mut deltas: Vec<Value> =
            pieces(thought).map(|piece| json!({"type": "thinking_delta", "thinking": piece})).collect();
        deltas.push(json!({"type": "signature_delta", "signature": signature(thought)}));
        block(json!({"type": "thinking", "thinking": "", "signature": ""}), deltas);
    }
    if !spoken.text.is_empty() {
        let deltas = pieces(&spoken.text).map(|piece| json!({"type": "text_delta", "text": piece}));
        block(json!({"type": "text", "text": ""}), deltas.collect());
    }
    for (at, (name, input)) in spoken.calls.iter().enumerate() {
        let deltas = pieces(input).map(|piece| json!({"type": "input_json_delta", "partial_json": piece}));
        let id = format!("toolu_{:06}_{at}", MADE.fetch_add(1, Ordering::Relaxed));
        block(json!({"type": "tool_use", "id": id, "name": name, "input": {}}), deltas.collect());
    }
    let why = if spoken.calls.is_empty() { "end_turn" } else { "tool_use" };
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": null},
        "usage": {"output_tokens": billed.output}}));
    events.push(json!({"type": "message_stop"}));
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", text(event, "/type"))).collect()
}

/// A refusal.
pub(super) fn refusal(status: u16, message: &str) -> Value {
    let kind = match status {
        _ if message == PENNILESS => "billing_error",
        401 => "authentication_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": message}})
}
