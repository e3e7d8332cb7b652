//! What the model may call.

use legwork_types::model::ToolSpec;
use serde_json::{Value, json};

use crate::spec::Spec;

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
    match &spec.answer_schema {
        Some(schema) => {
            ends["answer"] = schema.clone();
            required.push("answer");
        }
        None => ends["answer"] = json!({"description": "What the user wanted to know, if anything"}),
    }
    vec![
        tool(
            "act",
            "Does one thing to the page. value is the text, option, key, address, words or seconds to wait for, or direction.",
            json!({
                "action": {"type": "string", "enum": [
                    "click", "fill", "fill_form", "select", "check", "uncheck", "press", "hover", "scroll", "goto", "back",
                    "reload", "wait", "switch_tab", "close_tab", "accept_dialog", "dismiss_dialog",
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
        tool("complete_task", "Ends the errand.", ends, &required),
        tool(
            "submit_for_approval",
            "Says that all is prepared for the last step, which you then do: a person is asked before it is sent.",
            json!({"summary": text(), "amount": text()}),
            &["summary"],
        ),
        tool(
            "request_human_approval",
            "Asks the user whether you may do something.",
            json!({"action": text(), "reason": text()}),
            &["action", "reason"],
        ),
        tool(
            "ask_user",
            "Asks the user for what only they know.",
            json!({"question": text()}),
            &["question"],
        ),
    ]
}

fn tool(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    ToolSpec { name: name.to_owned(), description: description.to_owned(), schema }
}
