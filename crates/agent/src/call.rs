//! What the model may call, and what a call of its means. A call that can't be read is told back to the model; it never ends an errand.

use legwork_types::{
    TabId,
    contract::{Action, ActionId, Direction, FieldValue, FormFill, Target, WaitFor},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that the model calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "tool", rename_all = "snake_case")]
pub enum Call {
    /// Does something to the page.
    Act(Act),
    /// Looks at another part of the page, or looks again.
    Observe(Look),
    /// Reads the words of the page.
    Read {
        /// Of this element alone.
        within: Option<ActionId>,
    },
    /// Says that the errand is over.
    CompleteTask(Claim),
    /// Asks whether something may be done.
    RequestHumanApproval {
        /// What.
        action: String,
        /// Why.
        reason: String,
    },
    /// Says that everything is prepared, and what a person should know who is asked next.
    SubmitForApproval {
        /// What will be done.
        summary: String,
        /// What it costs.
        amount: Option<String>,
    },
    /// Asks the user something.
    AskUser {
        /// What.
        question: String,
    },
}

/// Something to be done to a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Act {
    /// On what.
    pub target: Target,
    /// What.
    pub action: Action,
    /// Why, in the model's words.
    pub why: String,
}

/// Which part of the page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Look {
    /// What is looked for.
    pub find: Option<String>,
    /// The part after this one.
    pub cursor: Option<String>,
    /// What is in this element.
    pub within: Option<ActionId>,
}

/// What the model says of the end of the errand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// Whether it is done.
    pub status: ClaimStatus,
    /// Why.
    pub reason: String,
    /// What shows it.
    pub evidence: String,
    /// What was to be found out.
    pub answer: Option<Value>,
}

/// Whether the errand is done, as the model says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimStatus {
    /// It is.
    Success,
    /// It can't be done.
    Failed,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActInput {
    action: String,
    element: Option<u32>,
    value: Option<String>,
    secret: Option<String>,
    fields: Option<Vec<FieldInput>>,
    #[serde(default)]
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldInput {
    element: u32,
    value: Option<String>,
    secret: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ObserveInput {
    find: Option<String>,
    cursor: Option<String>,
    within: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadInput {
    within: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompleteInput {
    status: ClaimStatus,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    evidence: String,
    answer: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ApprovalInput {
    action: String,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SubmitInput {
    summary: String,
    amount: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskInput {
    question: String,
}

impl Call {
    /// What a call means, or what is wrong with it, for the model.
    pub fn read(tool: &str, input: &str) -> Result<Self, String> {
        Ok(match tool {
            "act" => Self::Act(act(read(input)?)?),
            "observe" => {
                let ObserveInput { find, cursor, within } = read(input)?;
                Self::Observe(Look { find, cursor, within: within.map(ActionId) })
            }
            "read" => Self::Read { within: read::<ReadInput>(input)?.within.map(ActionId) },
            "complete_task" => {
                let CompleteInput { status, reason, evidence, answer } = read(input)?;
                Self::CompleteTask(Claim { status, reason, evidence, answer })
            }
            "request_human_approval" => {
                let ApprovalInput { action, reason } = read(input)?;
                Self::RequestHumanApproval { action, reason }
            }
            "submit_for_approval" => {
                let SubmitInput { summary, amount } = read(input)?;
                Self::SubmitForApproval { summary, amount }
            }
            "ask_user" => Self::AskUser { question: read::<AskInput>(input)?.question },
            other => {
                let other: String = other.chars().take(60).collect();
                return Err(format!("there is no tool {other:?}; call one of those that you have"));
            }
        })
    }
}

fn read<'a, T: Deserialize<'a>>(input: &'a str) -> Result<T, String> {
    serde_json::from_str(input).map_err(|error| format!("this call can't be read: {error}"))
}

/// What has no element is done to the page.
fn act(input: ActInput) -> Result<Act, String> {
    let ActInput { action, element, value, secret, fields, why } = input;
    let verb = action.as_str();
    let needs = |what: &str| format!("{verb} needs {what}");
    let words = || value.clone().filter(|words| !words.is_empty()).ok_or_else(|| needs("a value"));
    let is_of_element = matches!(
        verb,
        "click" | "fill" | "select" | "check" | "uncheck" | "hover" | "focus" | "upload" | "drag"
    );
    if is_of_element && element.is_none() {
        return Err(needs("an element: its number on the page"));
    }
    let done = match verb {
        "click" => Action::Click { button: Default::default(), count: 1, modifiers: vec![] },
        "fill" => {
            Action::Fill { value: field_value(value, secret).ok_or_else(|| needs("a value or a secret"))? }
        }
        "fill_form" => {
            let fields = fields.filter(|fields| !fields.is_empty()).ok_or_else(|| needs("fields"))?;
            let fill = |field: FieldInput| {
                let value = field_value(field.value, field.secret);
                let value = value.ok_or_else(|| needs("a value or a secret for each field"))?;
                Ok(FormFill { action_id: ActionId(field.element), value })
            };
            Action::FillForm { fields: fields.into_iter().map(fill).collect::<Result<_, String>>()? }
        }
        "select" => Action::SelectOption { value: None, label: Some(words()?), index: None },
        "check" => Action::Check {},
        "uncheck" => Action::Uncheck {},
        "hover" => Action::Hover {},
        "focus" => Action::Focus {},
        "upload" => Action::Upload { files: vec![words()?] },
        "drag" => {
            let to = words()?.trim().parse().map_err(|_| needs("the number of an element as its value"))?;
            Action::Drag { to: ActionId(to) }
        }
        "press" => Action::PressKey { key: words()? },
        "scroll" => Action::Scroll { direction: direction(value.as_deref())?, pixels: 500 },
        "goto" => Action::Navigate { url: words()? },
        "back" => Action::Back {},
        "forward" => Action::Forward {},
        "reload" => Action::Reload {},
        "wait" => wait(value),
        "switch_tab" => Action::SwitchTab { tab_id: tab(&words()?)? },
        "close_tab" => Action::CloseTab { tab_id: tab(&words()?)? },
        "accept_dialog" => Action::HandleDialog { accept: true, text: value },
        "dismiss_dialog" => Action::HandleDialog { accept: false, text: None },
        other => return Err(format!("there is no action {other:?}")),
    };
    let may_have_element = is_of_element || matches!(verb, "press" | "scroll");
    let target = match element.filter(|_| may_have_element) {
        Some(number) => Target::Element { action_id: ActionId(number) },
        None => Target::Page {},
    };
    Ok(Act { target, action: done, why })
}

fn field_value(value: Option<String>, secret: Option<String>) -> Option<FieldValue> {
    match secret {
        Some(secret) => Some(FieldValue::Secret { secret }),
        None => value.map(FieldValue::Text),
    }
}

fn direction(word: Option<&str>) -> Result<Direction, String> {
    match word.unwrap_or("down") {
        "down" | "" => Ok(Direction::Down),
        "up" => Ok(Direction::Up),
        "left" => Ok(Direction::Left),
        "right" => Ok(Direction::Right),
        other => Err(format!("nothing scrolls {other:?}; the value is up, down, left or right")),
    }
}

/// Seconds, up to ten, or words to wait for.
fn wait(value: Option<String>) -> Action {
    const LONGEST: f64 = 10.0;
    match value.as_deref().map(str::parse::<f64>) {
        None => Action::Wait { what: WaitFor::Interactive, value: None, ms: 10_000 },
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Some(Ok(seconds)) => {
            let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { LONGEST };
            Action::Wait { what: WaitFor::Timeout, value: None, ms: (seconds * 1_000.0) as u64 }
        }
        Some(Err(_)) => Action::Wait { what: WaitFor::Text, value, ms: 10_000 },
    }
}

fn tab(name: &str) -> Result<TabId, String> {
    serde_json::from_value(Value::String(name.to_owned())).map_err(|_| format!("there is no tab {name:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acts(input: &str) -> Result<(Target, String), String> {
        match Call::read("act", input)? {
            Call::Act(Act { target, action, .. }) => Ok((target, serde_json::to_string(&action).unwrap())),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_action_has_its_words() {
        let on = |number| Target::Element { action_id: ActionId(number) };
        for (input, target, action) in [
            (
                r#"{"action":"click","element":3,"why":"x"}"#,
                on(3),
                r#"{"type":"click","button":"left","count":1,"modifiers":[]}"#,
            ),
            (r#"{"action":"fill","element":3,"value":"a"}"#, on(3), r#"{"type":"fill","value":"a"}"#),
            (r#"{"action":"fill","element":3,"value":""}"#, on(3), r#"{"type":"fill","value":""}"#),
            (
                r#"{"action":"fill","element":3,"secret":"pw"}"#,
                on(3),
                r#"{"type":"fill","value":{"secret":"pw"}}"#,
            ),
            (
                r#"{"action":"select","element":3,"value":"1 kg"}"#,
                on(3),
                r#"{"type":"selectOption","label":"1 kg"}"#,
            ),
            (
                r#"{"action":"press","value":"Enter"}"#,
                Target::Page {},
                r#"{"type":"pressKey","key":"Enter"}"#,
            ),
            (
                r#"{"action":"scroll"}"#,
                Target::Page {},
                r#"{"type":"scroll","direction":"down","pixels":500}"#,
            ),
            (
                r#"{"action":"scroll","element":4,"value":"up"}"#,
                on(4),
                r#"{"type":"scroll","direction":"up","pixels":500}"#,
            ),
            (
                r#"{"action":"goto","value":"https://a.example"}"#,
                Target::Page {},
                r#"{"type":"navigate","url":"https://a.example"}"#,
            ),
            (
                r#"{"action":"wait","value":"99"}"#,
                Target::Page {},
                r#"{"type":"wait","for":"timeout","ms":10000}"#,
            ),
            (
                r#"{"action":"wait","value":"NaN"}"#,
                Target::Page {},
                r#"{"type":"wait","for":"timeout","ms":10000}"#,
            ),
            (
                r#"{"action":"wait","value":"Thank you"}"#,
                Target::Page {},
                r#"{"type":"wait","for":"text","value":"Thank you","ms":10000}"#,
            ),
            (
                r#"{"action":"switch_tab","value":"t2"}"#,
                Target::Page {},
                r#"{"type":"switchTab","tabId":"t2"}"#,
            ),
            (r#"{"action":"drag","element":4,"value":"7"}"#, on(4), r#"{"type":"drag","to":7}"#),
            (
                r#"{"action":"upload","element":4,"value":"/tmp/a.pdf"}"#,
                on(4),
                r#"{"type":"upload","files":["/tmp/a.pdf"]}"#,
            ),
            (r#"{"action":"accept_dialog"}"#, Target::Page {}, r#"{"type":"handleDialog","accept":true}"#),
            (
                r#"{"action":"fill_form","fields":[{"element":1,"value":"a"},{"element":2,"secret":"pw"}]}"#,
                Target::Page {},
                r#"{"type":"fillForm","fields":[{"actionId":1,"value":"a"},{"actionId":2,"value":{"secret":"pw"}}]}"#,
            ),
        ] {
            assert_eq!(acts(input), Ok((target, action.to_owned())), "{input}");
        }
    }

    #[test]
    fn what_can_not_be_done_is_told() {
        for (input, told) in [
            (r#"{"action":"click"}"#, "click needs an element: its number on the page"),
            (r#"{"action":"fill","element":1}"#, "fill needs a value or a secret"),
            (r#"{"action":"goto"}"#, "goto needs a value"),
            (r#"{"action":"fly"}"#, "there is no action \"fly\""),
            (
                r#"{"action":"drag","element":1,"value":"there"}"#,
                "drag needs the number of an element as its value",
            ),
            (r#"{"action":"switch_tab","value":"x"}"#, "there is no tab \"x\""),
            // What is null is not there.
            (r#"{"action":"click","element":null}"#, "click needs an element: its number on the page"),
            (r#"{"action":"fill","element":1,"value":null,"secret":null}"#, "fill needs a value or a secret"),
            (r#"{"action":"fill_form","fields":null}"#, "fill_form needs fields"),
        ] {
            assert_eq!(acts(input), Err(told.to_owned()), "{input}");
        }
        for (tool, input) in [
            ("act", r#"{"action":"click","element":"three"}"#),
            ("act", "[]"),
            ("act", "{"),
            ("act", r#"{"action":"click","element":-1}"#),
            ("act", r#"{"action":"click","element":1,"script":"x"}"#),
            ("complete_task", r#"{"status":"maybe"}"#),
            ("evaluate", "{}"),
            ("approve", "{}"),
        ] {
            assert!(Call::read(tool, input).is_err(), "{tool} {input}");
        }
    }

    #[test]
    fn a_part_of_another_kind_is_not_guessed_at_and_the_model_is_told_which_kind_it_is() {
        for (tool, input, told) in [
            ("act", r#"{"action":"click","element":"12"}"#, "invalid type: string \"12\", expected u32"),
            (
                "act",
                r#"{"action":"click","element":12.5}"#,
                "invalid type: floating point `12.5`, expected u32",
            ),
            (
                "act",
                r#"{"action":"fill","element":1,"value":12}"#,
                "invalid type: integer `12`, expected a string",
            ),
            ("act", r#"{"action":null,"element":1}"#, "invalid type: null, expected a string"),
            ("act", r#"{"action":"click","element":1,"why":null}"#, "invalid type: null, expected a string"),
            (
                "act",
                r#"{"action":"fill_form","fields":[{"element":"1","value":"a"}]}"#,
                "invalid type: string \"1\", expected u32",
            ),
            (
                "act",
                r#"{"action":"fill_form","fields":[{"element":null,"value":"a"}]}"#,
                "invalid type: null, expected u32",
            ),
            ("act", "null", "invalid type: null, expected struct ActInput"),
            ("observe", r#"{"within":"12"}"#, "invalid type: string \"12\", expected u32"),
            ("read", r#"{"within":"12"}"#, "invalid type: string \"12\", expected u32"),
            (
                "complete_task",
                r#"{"status":null,"reason":"r","evidence":"e"}"#,
                "expected value at line 1 column 11",
            ),
            ("request_human_approval", r#"{"action":null}"#, "invalid type: null, expected a string"),
            ("submit_for_approval", r#"{"summary":null}"#, "invalid type: null, expected a string"),
            ("ask_user", r#"{"question":null}"#, "invalid type: null, expected a string"),
        ] {
            let why = Call::read(tool, input).unwrap_err();
            assert!(
                why.starts_with("this call can't be read: ") && why.contains(told),
                "{tool} {input}: {why}"
            );
        }
        // Whatever may be left out may be null as well.
        for (tool, input) in [
            ("act", r#"{"action":"click","element":1,"value":null,"secret":null,"fields":null}"#),
            ("observe", r#"{"find":null,"cursor":null,"within":null}"#),
            ("read", r#"{"within":null}"#),
            ("complete_task", r#"{"status":"success","reason":"r","evidence":"e","answer":null}"#),
            ("submit_for_approval", r#"{"summary":"s","amount":null}"#),
        ] {
            assert!(Call::read(tool, input).is_ok(), "{tool} {input}");
        }
    }

    #[test]
    fn what_is_nested_without_end_is_told_in_few_words() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let tools = [
            "act",
            "observe",
            "read",
            "complete_task",
            "request_human_approval",
            "submit_for_approval",
            "ask_user",
        ];
        for tool in tools {
            for input in [
                deep.clone(),
                "[".repeat(100_000),
                r#"{"a":"#.repeat(100_000),
                format!(r#"{{"status":"failed","answer":{deep}}}"#),
                format!(r#"{{"action":"click","element":{deep}}}"#),
                r#"{"question":"\ud83d","action":"\ud83d","summary":"\ud83d"}"#.to_owned(),
            ] {
                let told = Call::read(tool, &input).unwrap_err();
                assert!(told.len() < 300, "{tool}: {told}");
            }
        }
    }
}
