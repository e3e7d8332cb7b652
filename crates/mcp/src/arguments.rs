//! The arguments of a call, read into the types of the contract. Slips that can only mean one thing are mended; anything else is
//! refused with the name of the field.

use legwork_types::{Code, Details, Problem};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// What a caller gave.
pub(crate) type Arguments = Map<String, Value>;

/// Fields that hold a number wherever they stand; models like to put it in quotes.
const NUMBERS: &[&str] = &[
    "actionId",
    "to",
    "index",
    "count",
    "pixels",
    "ms",
    "delayMs",
    "maxAffordances",
    "maxTokens",
    "maxChars",
    "max_chars",
    "time",
    "within",
];

/// Fields that hold an object; some clients write it as text.
const OBJECTS: &[&str] = &["target", "action", "expect", "observe"];

/// What `browser_act` takes beside the arguments of the action itself.
const OF_THE_CALL: &[&str] = &[
    "sessionId",
    "observationId",
    "target",
    "action",
    "expect",
    "reason",
    "confirm",
    "confirmationText",
    "observe",
    "format",
];

/// Reads all of the arguments.
pub(crate) fn read<T: DeserializeOwned>(arguments: Arguments) -> Result<T, Problem> {
    serde_path_to_error::deserialize(Value::Object(arguments))
        .map_err(|error| mismatch(&error.path().to_string(), &error.inner().to_string()))
}

/// Takes one argument out and reads it; nothing where it is not given.
pub(crate) fn take<T: DeserializeOwned>(arguments: &mut Arguments, name: &str) -> Result<Option<T>, Problem> {
    let value = arguments.remove(name).filter(|value| !value.is_null());
    let read = value.map(|value| {
        serde_path_to_error::deserialize(value).map_err(|error| {
            let path = match error.path().to_string() {
                inner if inner == "." => name.to_owned(),
                inner => format!("{name}.{inner}"),
            };
            mismatch(&path, &error.inner().to_string())
        })
    });
    read.transpose()
}

/// The same for what must be given.
pub(crate) fn need<T: DeserializeOwned>(arguments: &mut Arguments, name: &str) -> Result<T, Problem> {
    take(arguments, name)?.ok_or_else(|| mismatch(name, "it is missing"))
}

/// Refuses what is left after all that is known was taken.
pub(crate) fn nothing_more(arguments: &Arguments) -> Result<(), Problem> {
    match arguments.keys().next() {
        Some(name) => Err(mismatch(name, "there is no such argument")),
        None => Ok(()),
    }
}

/// The call does not follow the contract.
pub(crate) fn mismatch(path: &str, why: &str) -> Problem {
    let path: String = path.chars().take(100).collect();
    let why: String = why.chars().take(300).collect();
    let message = match path.as_str() {
        "." => "the arguments do not follow the contract".to_owned(),
        path => format!("the argument {path} does not follow the contract"),
    };
    let hint = "correct it by the tool's input schema and call again";
    Problem::new(Code::ContractMismatch, message, hint).because(why).with(Details::Contract { path })
}

/// Numbers that stand in quotes, and objects written as text, as what they are.
pub(crate) fn mended(mut arguments: Arguments) -> Arguments {
    for name in OBJECTS {
        if let Some(Value::String(text)) = arguments.get(*name)
            && let Ok(object @ Value::Object(_)) = serde_json::from_str(text)
        {
            arguments.insert((*name).to_owned(), object);
        }
    }
    mend_numbers(&mut arguments);
    arguments
}

fn mend_numbers(object: &mut Map<String, Value>) {
    for (name, value) in object {
        match value {
            Value::String(text) if NUMBERS.contains(&name.as_str()) => {
                if let Ok(number) = text.trim().parse::<u64>() {
                    *value = number.into();
                }
            }
            Value::Object(inner) => mend_numbers(inner),
            Value::Array(list) => list.iter_mut().filter_map(Value::as_object_mut).for_each(mend_numbers),
            _ => {}
        }
    }
}

/// A call to act as the contract has it: `action` with its arguments inside, `target` with its kind.
pub(crate) fn mended_act(arguments: Arguments) -> Arguments {
    let mut arguments = mended(arguments);
    let beside = arguments.remove("actionId");
    if let Some(Value::String(kind)) = arguments.get("action").cloned() {
        let mut action = Map::from_iter([("type".to_owned(), Value::String(kind))]);
        let own: Vec<String> =
            arguments.keys().filter(|name| !OF_THE_CALL.contains(&name.as_str())).cloned().collect();
        action.extend(own.into_iter().filter_map(|name| arguments.remove_entry(&name)));
        arguments.insert("action".to_owned(), Value::Object(action));
    }
    let target = match (arguments.remove("target"), beside) {
        (None | Some(Value::Null), None) => json!({ "kind": "page" }),
        (None | Some(Value::Null), Some(number)) | (Some(number @ Value::Number(_)), None) => {
            json!({ "kind": "element", "actionId": number })
        }
        (Some(Value::String(text)), None) => match text.trim().parse::<u64>() {
            Ok(number) => json!({ "kind": "element", "actionId": number }),
            Err(_) => json!({ "kind": text }),
        },
        (Some(Value::Object(mut target)), None) if !target.contains_key("kind") => {
            let kind = if target.contains_key("actionId") { "element" } else { "page" };
            target.insert("kind".to_owned(), kind.into());
            Value::Object(target)
        }
        (Some(target), beside) => {
            // Two targets are for the caller to sort out.
            arguments.extend(beside.map(|number| ("actionId".to_owned(), number)));
            target
        }
    };
    arguments.insert("target".to_owned(), target);
    arguments
}

#[cfg(test)]
mod tests {
    use legwork_types::contract::{ActRequest, Action, ActionId, Target};

    use super::*;

    fn object(value: Value) -> Arguments {
        value.as_object().cloned().unwrap()
    }

    fn act(value: Value) -> Result<ActRequest, Problem> {
        let mut arguments = object(json!({ "sessionId": "s1", "observationId": "o1" }));
        arguments.extend(object(value));
        read(mended_act(arguments))
    }

    fn path(problem: Problem) -> String {
        match problem.details.map(|details| *details) {
            Some(Details::Contract { path }) => path,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn slips_that_mean_one_thing_are_mended() {
        let click =
            act(json!({ "target": { "kind": "element", "actionId": 3 }, "action": { "type": "click" } }))
                .unwrap();
        for same in [
            json!({ "target": { "actionId": 3 }, "action": { "type": "click" } }),
            json!({ "target": { "actionId": "3" }, "action": "click" }),
            json!({ "actionId": "3", "action": "click" }),
            json!({ "target": 3, "action": "click", "button": "left" }),
            json!({ "target": "3", "action": "{\"type\":\"click\",\"count\":\"1\"}" }),
            json!({ "target": "{\"kind\":\"element\",\"actionId\":3}", "action": { "type": "click" } }),
        ] {
            assert_eq!(act(same.clone()).unwrap(), click, "{same}");
        }
        for page in [
            json!({ "action": "navigate", "url": "https://example.com" }),
            json!({ "target": {}, "action": { "type": "navigate", "url": "https://example.com" } }),
            json!({ "target": "page", "action": "navigate", "url": "https://example.com" }),
        ] {
            let request = act(page.clone()).unwrap();
            assert_eq!(request.target, Target::Page {}, "{page}");
            assert_eq!(request.action, Action::Navigate { url: "https://example.com".into() }, "{page}");
        }
        let form = json!({ "action": "fillForm", "fields": [{ "actionId": "4", "value": "12" }] });
        match act(form).unwrap().action {
            Action::FillForm { fields } => assert_eq!(fields[0].action_id, ActionId(4)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_value_that_looks_like_a_number_stays_a_text() {
        let typed = json!({ "target": 3, "action": { "type": "fill", "value": "0123" } });
        assert!(format!("{:?}", act(typed).unwrap().action).contains("Text(\"0123\")"));
    }

    #[test]
    fn anything_else_is_refused_by_the_name_of_its_field() {
        for (wrong, at) in [
            (json!({ "target": 3, "action": "click", "extra": 1 }), "action"),
            (json!({ "target": 3, "action": { "type": "click" }, "extra": 1 }), "extra"),
            (json!({ "target": 3, "action": { "type": "approve" } }), "action.type"),
            (json!({ "target": { "kind": "element" }, "action": "click" }), "target"),
            (json!({ "target": { "actionId": "three" }, "action": "click" }), "target"),
            (json!({ "target": 3, "actionId": 4, "action": "click" }), "actionId"),
            (json!({ "target": 3, "action": "click", "confirm": "yes" }), "confirm"),
            (
                json!({ "target": 3, "action": { "type": "click" }, "observe": { "scope": 1 } }),
                "observe.scope",
            ),
        ] {
            assert_eq!(path(act(wrong.clone()).unwrap_err()), at, "{wrong}");
        }
        let mut given = object(json!({ "sessionId": 7 }));
        assert_eq!(path(need::<String>(&mut given, "sessionId").unwrap_err()), "sessionId");
        assert_eq!(path(need::<String>(&mut given, "sessionId").unwrap_err()), "sessionId");
        assert_eq!(path(nothing_more(&object(json!({ "script": "1" }))).unwrap_err()), "script");
    }
}
