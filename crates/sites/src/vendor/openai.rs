//! The wire of OpenAI's Chat, from the vendor's side.

use serde_json::{Value, json};

use super::{
    Asked, Billed, Exchange, Spoken, VendorWire,
    asked::{list, text},
    reply::pieces,
    served::PENNILESS,
};

/// Reads a request, as strictly as the real one.
pub(super) fn read(body: &Value) -> Result<Asked, String> {
    if body["stream"] != true {
        return Err("this vendor answers as a stream alone".into());
    }
    refuses(body)?;
    let (mut system, mut turns, mut pictures) = (String::new(), vec![], 0);
    let mut open: Vec<String> = vec![];
    for (at, message) in list(body, "/messages").iter().enumerate() {
        let role = text(message, "/role");
        if role != "tool" && !open.is_empty() {
            return Err(format!(
                "messages.[{at}]: an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': {}",
                open.join(", ")
            ));
        }
        match role {
            "system" => system.push_str(&told(&message["content"], &mut pictures)),
            "user" => turns.push(Exchange::Told(told(&message["content"], &mut pictures))),
            "tool" => {
                let id = text(message, "/tool_call_id");
                let Some(place) = open.iter().position(|open| open == id) else {
                    return Err(format!("messages.[{at}]: 'tool_call_id' {id:?} answers nothing"));
                };
                open.remove(place);
                if !message["content"].is_string() {
                    return Err(format!("messages.[{at}]: content of a tool message must be text"));
                }
                turns.push(Exchange::Told(text(message, "/content").to_owned()));
            }
            "assistant" => {
                if message["content"].is_null() && list(message, "/tool_calls").is_empty() {
                    return Err(format!(
                        "messages.[{at}].content: Invalid type: expected a string, but got null instead."
                    ));
                }
                let mut calls = vec![];
                for call in list(message, "/tool_calls") {
                    open.push(text(call, "/id").to_owned());
                    let input = serde_json::from_str(text(call, "/function/arguments"));
                    let input = input.map_err(|_| format!("messages.[{at}]: arguments are not JSON"))?;
                    calls.push((text(call, "/function/name").to_owned(), input));
                }
                turns.push(Exchange::Said(text(message, "/content").to_owned(), calls));
            }
            other => return Err(format!("messages.[{at}]: unknown role {other:?}")),
        }
    }
    let must_call = match &body["tool_choice"] {
        Value::String(word) if word == "required" => Some("any".to_owned()),
        Value::Object(_) => Some(text(body, "/tool_choice/function/name").to_owned()),
        _ => None,
    };
    Ok(Asked {
        wire: VendorWire::OpenAi,
        model: text(body, "/model").to_owned(),
        system,
        tools: list(body, "/tools").iter().map(|tool| text(tool, "/function/name").to_owned()).collect(),
        must_call,
        turns,
        pictures,
        body: body.clone(),
    })
}

/// What models that reason do not take.
fn refuses(body: &Value) -> Result<(), String> {
    let model = text(body, "/model");
    let is_one_of = |families: &[&str]| families.iter().any(|family| model.starts_with(family));
    let unsupported = |what: &str, instead: &str| {
        Err(format!("Unsupported parameter: '{what}' is not supported with this model.{instead}"))
    };
    if is_one_of(&["o1", "o3", "o4", "gpt-5"]) && !body["max_tokens"].is_null() {
        return unsupported("max_tokens", " Use 'max_completion_tokens' instead.");
    }
    if is_one_of(&["o1", "o3", "o4"]) && !body["parallel_tool_calls"].is_null() {
        return unsupported("parallel_tool_calls", "");
    }
    Ok(())
}

fn told(content: &Value, pictures: &mut usize) -> String {
    match content {
        Value::String(words) => words.clone(),
        Value::Array(parts) => {
            *pictures += parts.iter().filter(|part| part["type"] == "image_url").count();
            parts.iter().map(|part| text(part, "/text")).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The pieces of an answer.
pub(super) fn events(
    asked: &Asked,
    model: &str,
    spoken: &Spoken,
    billed: &Billed,
    number: u64,
) -> Vec<String> {
    let chunk = |choices: Value, usage: Option<Value>| {
        let mut chunk = json!({"id": format!("chatcmpl-{number:06}"), "object": "chat.completion.chunk", "created": 1,
            "model": model, "choices": choices});
        if let Some(usage) = usage {
            chunk["usage"] = usage;
        }
        format!("data: {chunk}\n\n")
    };
    let delta = |delta: Value| chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), None);
    let mut events = vec![delta(json!({"role": "assistant", "content": null}))];
    if let Some(thought) = &spoken.thought {
        events.extend(pieces(thought).map(|piece| delta(json!({"reasoning_content": piece}))));
    }
    events.extend(pieces(&spoken.text).map(|piece| delta(json!({"content": piece}))));
    for (at, (name, input)) in spoken.calls.iter().enumerate() {
        // Not all who speak this wire name calls like OpenAI, and some begin anew in each answer.
        let id = match asked.model.starts_with("kimi") {
            true => format!("functions.{name}:{at}"),
            false => format!("call_{number:06}_{at}"),
        };
        events.push(delta(json!({"tool_calls": [{"index": at, "id": id, "type": "function",
            "function": {"name": name, "arguments": ""}}]})));
        events
            .extend(pieces(input).map(|piece| {
                delta(json!({"tool_calls": [{"index": at, "function": {"arguments": piece}}]}))
            }));
    }
    let why = if spoken.calls.is_empty() { "stop" } else { "tool_calls" };
    events.push(chunk(json!([{"index": 0, "delta": {}, "finish_reason": why}]), None));
    if asked.body["stream_options"]["include_usage"] == true {
        let prompt = billed.input + billed.cache_write + billed.cache_read;
        let usage = json!({"prompt_tokens": prompt, "completion_tokens": billed.output,
            "total_tokens": prompt + billed.output,
            "prompt_tokens_details": {"cached_tokens": billed.cache_read, "cache_write_tokens": billed.cache_write}});
        events.push(chunk(json!([]), Some(usage)));
    }
    events.push("data: [DONE]\n\n".to_owned());
    events
}

/// A refusal.
pub(super) fn refusal(status: u16, message: &str) -> Value {
    let kind = match status {
        _ if message == PENNILESS => "insufficient_quota",
        _ if message.starts_with("The model `") => "model_not_found",
        401 => "authentication_error",
        429 => "rate_limit_exceeded",
        500.. => "server_error",
        _ => "invalid_request_error",
    };
    json!({"error": {"message": message, "type": kind, "param": null, "code": kind}})
}
