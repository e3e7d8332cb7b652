//! Steps of an errand, written as a person would say them: `click button "Place order"`.

use legwork_runtime::Seen;
use serde_json::{Value, json};

/// The call of a step on what is seen; none where there is no such thing.
pub(crate) fn call(seen: &Seen, step: &str) -> Option<Value> {
    let mut quoted = step.split('"').skip(1).step_by(2);
    let bare = step.split('"').next().unwrap_or_default();
    let (verb, role) = bare.trim().split_once(' ').unwrap_or((bare.trim(), ""));
    let name = quoted.next().unwrap();
    let with = quoted.next();
    let action = match (verb, with) {
        ("click", _) => json!({"type": "click"}),
        ("check", _) => json!({"type": "check"}),
        ("fill", Some(value)) => json!({"type": "fill", "value": value}),
        ("secret", Some(secret)) => json!({"type": "fill", "value": {"secret": secret}}),
        ("choose", Some(label)) => json!({"type": "selectOption", "label": label}),
        _ => panic!("a step that nobody understands: {step}"),
    };
    let mut items = seen.look.scene().items.iter();
    let found =
        items.find(|item| item.affordance.role == role && item.affordance.name.untrusted() == name)?;
    Some(json!({"target": {"kind": "element", "actionId": found.affordance.action_id}, "action": action}))
}

/// All that is there, for whoever reads why a test failed.
pub(crate) fn all(seen: &Seen) -> String {
    let items = seen.look.scene().items.iter();
    let lines =
        items.map(|item| format!("{} \"{}\"", item.affordance.role, item.affordance.name.untrusted()));
    lines.collect::<Vec<_>>().join("\n")
}
