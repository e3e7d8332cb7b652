//! What the model may call.

use legwork_types::model::ToolSpec;
use serde_json::{Value, json};

use crate::spec::Spec;

/// What ends an errand.
pub(super) const COMPLETE: &str = "complete_task";
/// What says that all is prepared.
pub(super) const SUBMIT: &str = "submit_for_approval";
/// What asks whether something may be done.
pub(super) const APPROVAL: &str = "request_human_approval";
/// What asks the user something.
pub(super) const ASK: &str = "ask_user";

/// The tools of a turn.
pub(super) fn tools(spec: &Spec) -> Vec<ToolSpec> {
    let text = || json!({"type": "string"});
    let number = || json!({"type": "integer"});
    let mut ends = json!({
        "status": {"type": "string", "enum": ["success", "failed"]},
        "reason": text(),
        "evidence": {"type": "string", "description": "What on the page shows it"},
    });
    let mut required = vec!["status", "reason", "evidence"];
    let mut shared = json!({});
    match &spec.answer_schema {
        Some(schema) => {
            let mut schema = schema.clone();
            // What a schema refers to is looked for at the root of the tool's.
            for name in ["$defs", "definitions"] {
                if let Some(defined) = schema.as_object_mut().and_then(|schema| schema.remove(name)) {
                    shared[name] = defined;
                }
            }
            ends["answer"] = schema;
            required.push("answer");
        }
        None => ends["answer"] = json!({"description": "What the user wanted to know, if anything"}),
    }
    vec![
        tool(
            "act",
            "Does one thing to the page. value is the text, option, key, address, words or seconds to wait for, direction, file to \
             upload, or element to drag to.",
            json!({
                "action": {"type": "string", "enum": [
                    "click", "fill", "fill_form", "select", "check", "uncheck", "press", "hover", "focus", "scroll", "goto", "back",
                    "forward", "reload", "wait", "switch_tab", "close_tab", "accept_dialog", "dismiss_dialog", "upload", "drag",
                ]},
                "element": number(),
                "value": text(),
                "secret": {"type": "string", "description": "Name of a secret to fill in instead of a value"},
                "fields": {"type": "array", "items": {"type": "object", "properties": {
                    "element": number(), "value": text(), "secret": text()}, "required": ["element"]}},
                "why": text(),
            }),
            &["action", "why"],
        ),
        tool(
            "observe",
            "Shows the page again, or another part of it: what find matches, what follows a cursor, what is within an element.",
            json!({"find": text(), "cursor": text(), "within": number()}),
            &[],
        ),
        tool("read", "Gives the text of the page, or of an element.", json!({"within": number()}), &[]),
        ending(ends, &required, shared),
        tool(
            SUBMIT,
            "Says that all is prepared for the last step, which you then do: a person is asked before it is sent.",
            json!({"summary": text(), "amount": text()}),
            &["summary"],
        ),
        tool(
            APPROVAL,
            "Asks the user whether you may do something.",
            json!({"action": text(), "reason": text()}),
            &["action", "reason"],
        ),
        tool(ASK, "Asks the user for what only they know.", json!({"question": text()}), &["question"]),
    ]
}

/// What ends the errand, with what the schema of its answer refers to.
fn ending(properties: Value, required: &[&str], shared: Value) -> ToolSpec {
    let mut ending = tool(COMPLETE, "Ends the errand.", properties, required);
    if let (Some(schema), Value::Object(shared)) = (ending.schema.as_object_mut(), shared) {
        schema.extend(shared);
    }
    ending
}

fn tool(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    ToolSpec { name: name.to_owned(), description: description.to_owned(), schema }
}
