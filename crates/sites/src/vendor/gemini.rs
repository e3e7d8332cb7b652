//! The wire of Gemini, from the vendor's side.

use serde_json::{Value, json};

use super::{
    Asked, Billed, Exchange, Spoken, VendorWire,
    asked::{list, signature, text},
    reply::pieces,
    served::PENNILESS,
};

/// What is taken in the place of a signature, where somebody else made the call.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// Reads a request, as strictly as the real one.
pub(super) fn read(model: &str, body: &Value) -> Result<Asked, String> {
    refuses(body)?;
    let (mut turns, mut pictures) = (vec![], 0);
    let mut open: Vec<(&str, &str)> = vec![];
    let mut role_before = "";
    for (at, content) in list(body, "/contents").iter().enumerate() {
        let (role, parts) = (text(content, "/role"), list(content, "/parts"));
        if parts.is_empty() {
            return Err(format!("contents[{at}].parts must not be empty"));
        }
        let results: Vec<&Value> = parts.iter().filter_map(|part| part.get("functionResponse")).collect();
        if results.len() != open.len() || (!results.is_empty() && results.len() != parts.len()) {
            return Err("Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.".into());
        }
        match role {
            "user" => {
                answered(&results, &open)?;
                open.clear();
                turns.push(Exchange::Told(told(parts, &mut pictures, at)?));
            }
            "model" if role_before != "user" => {
                return Err("Please ensure that function call turn comes immediately after a user turn or after a function response turn.".into());
            }
            "model" => {
                let calls = parts.iter().filter_map(|part| part.get("functionCall"));
                open = calls.map(|call| (text(call, "/id"), text(call, "/name"))).collect();
                turns.push(said(parts, at)?);
            }
            _ => return Err("Please use a valid role: user, model.".into()),
        }
        role_before = role;
    }
    if role_before != "user" || !open.is_empty() {
        return Err("Please ensure that single turn requests end with a user role.".into());
    }
    let calling = &body["toolConfig"]["functionCallingConfig"];
    let only = list(calling, "/allowedFunctionNames").first().and_then(Value::as_str);
    let must_call = (calling["mode"] == "ANY").then(|| only.unwrap_or("any").to_owned());
    let declared = list(body, "/tools/0/functionDeclarations");
    Ok(Asked {
        wire: VendorWire::Gemini,
        model: model.to_owned(),
        system: list(body, "/systemInstruction/parts").iter().map(|part| text(part, "/text")).collect(),
        tools: declared.iter().map(|tool| text(tool, "/name").to_owned()).collect(),
        must_call,
        turns,
        pictures,
        body: body.clone(),
    })
}

/// What it does not take.
fn refuses(body: &Value) -> Result<(), String> {
    let known =
        ["systemInstruction", "contents", "tools", "toolConfig", "generationConfig", "safetySettings"];
    let unknown = body.as_object().and_then(|body| body.keys().find(|name| !known.contains(&name.as_str())));
    if let Some(unknown) = unknown {
        return Err(format!("Invalid JSON payload received. Unknown name \"{unknown}\": Cannot find field."));
    }
    if body["generationConfig"]["maxOutputTokens"].as_u64().is_none_or(|most| most == 0) {
        return Err("max_output_tokens must be positive".into());
    }
    let is_whole = |tool: &Value| tool["parametersJsonSchema"].is_object() && !text(tool, "/name").is_empty();
    match list(body, "/tools/0/functionDeclarations").iter().all(is_whole) {
        true => Ok(()),
        false => Err("tools[0].function_declarations: schema or name is missing".into()),
    }
}

/// Results belong to the calls before them: by name, and by id where there is one.
fn answered(results: &[&Value], open: &[(&str, &str)]) -> Result<(), String> {
    for (at, (result, (id, name))) in results.iter().zip(open).enumerate() {
        if text(result, "/id") != *id || text(result, "/name") != *name || !result["response"].is_object() {
            return Err(format!("function_response[{at}]: answers nothing that was called"));
        }
    }
    Ok(())
}

fn told(parts: &[Value], pictures: &mut usize, at: usize) -> Result<String, String> {
    let mut words = vec![];
    for part in parts {
        if let Some(response) = part.pointer("/functionResponse/response") {
            let outcome = response.get("output").or_else(|| response.get("error"));
            words.push(outcome.and_then(Value::as_str).unwrap_or_default());
        } else if part["inlineData"]["data"].as_str().is_some_and(|data| !data.is_empty()) {
            *pictures += 1;
        } else if !text(part, "/text").is_empty() {
            words.push(text(part, "/text"));
        } else {
            return Err(format!(
                "contents[{at}].parts: required oneof field 'data' must have one initialized field"
            ));
        }
    }
    Ok(words.join("\n"))
}

fn said(parts: &[Value], at: usize) -> Result<Exchange, String> {
    let (mut words, mut calls) = (String::new(), vec![]);
    for part in parts {
        let given = text(part, "/thoughtSignature");
        // What was signed comes back exactly as it was given away.
        if !given.is_empty() && given != UNSIGNED && given != signed(part) {
            return Err(format!("contents[{at}].parts: Corrupted thought signature."));
        }
        if let Some(call) = part.get("functionCall") {
            if calls.is_empty() && given.is_empty() {
                return Err(format!(
                    "Function call `{}` in the {at}. content block is missing a `thought_signature`.",
                    text(call, "/name")
                ));
            }
            if !call["args"].is_object() {
                return Err(format!("contents[{at}].parts.function_call.args: not an object"));
            }
            calls.push((text(call, "/name").to_owned(), call["args"].clone()));
        } else if part["text"].is_null() || (text(part, "/text").is_empty() && given.is_empty()) {
            return Err(format!(
                "contents[{at}].parts: required oneof field 'data' must have one initialized field"
            ));
        } else if part["thought"] != true {
            words.push_str(text(part, "/text"));
        }
    }
    Ok(Exchange::Said(words, calls))
}

/// The signature of a part: of everything in it but itself.
fn signed(part: &Value) -> String {
    let mut bare = part.clone();
    if let Some(bare) = bare.as_object_mut() {
        bare.remove("thoughtSignature");
    }
    // What was called with nothing that it can be called with may come back with nothing.
    if let Some(args) = bare.pointer_mut("/functionCall/args").filter(|args| !args.is_object()) {
        *args = json!({});
    }
    signature(&bare.to_string())
}

/// The pieces of an answer. What is called is written as the script wrote it.
pub(super) fn events(model: &str, spoken: &Spoken, billed: &Billed, number: u64) -> Vec<String> {
    let read = billed.input + billed.cache_write + billed.cache_read;
    let thoughts = spoken.thought.as_ref().map_or(0, |_| 1);
    let chunk = |candidate: Value, written: u64| {
        let usage = json!({"promptTokenCount": read, "cachedContentTokenCount": billed.cache_read,
            "candidatesTokenCount": written - thoughts, "thoughtsTokenCount": thoughts, "totalTokenCount": read + written});
        json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": model,
            "responseId": format!("resp-{number:06}")})
    };
    let piece =
        |part: Value| chunk(json!({"content": {"role": "model", "parts": [part]}, "index": 0}), 1 + thoughts);
    let mut events: Vec<String> = vec![];
    if let Some(thought) = &spoken.thought {
        events
            .extend(pieces(thought).map(|words| piece(json!({"text": words, "thought": true})).to_string()));
    }
    let count = pieces(&spoken.text).count();
    for (at, words) in pieces(&spoken.text).enumerate() {
        let mut part = json!({"text": words});
        if at + 1 == count && spoken.calls.is_empty() && spoken.thought.is_some() {
            part["thoughtSignature"] = signed(&part).into();
        }
        events.push(piece(part).to_string());
    }
    let mut end = "STOP";
    for (at, (name, input)) in spoken.calls.iter().enumerate() {
        const PLACE: &str = "what it is called with";
        // This vendor reads calls itself.
        let Ok(args) = serde_json::from_str::<Value>(input) else {
            end = "MALFORMED_FUNCTION_CALL";
            break;
        };
        let mut part = json!({"functionCall": {"name": name, "args": args}});
        // Some calls have names there, others have none.
        if number.is_multiple_of(2) {
            part["functionCall"]["id"] = format!("{number:04}{at:04}").into();
        }
        if at == 0 {
            part["thoughtSignature"] = signed(&part).into();
        }
        part["functionCall"]["args"] = PLACE.into();
        events.push(piece(part).to_string().replace(&format!("{PLACE:?}"), input));
    }
    events.push(
        chunk(json!({"content": {"role": "model"}, "finishReason": end, "index": 0}), billed.output)
            .to_string(),
    );
    events.iter().map(|event| format!("data: {event}\r\n\r\n")).collect()
}

/// A refusal.
pub(super) fn refusal(status: u16, message: &str) -> Value {
    let (status, kind) = match status {
        400 => (400, "INVALID_ARGUMENT"),
        401 => (401, "UNAUTHENTICATED"),
        403 => (403, "PERMISSION_DENIED"),
        404 => (404, "NOT_FOUND"),
        429 => (429, "RESOURCE_EXHAUSTED"),
        503 | 529 => (503, "UNAVAILABLE"),
        other => (other, "INTERNAL"),
    };
    let mut error = json!({"code": status, "message": message, "status": kind});
    if message == PENNILESS {
        error["details"] = json!([{"@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]);
    }
    json!({"error": error})
}
