//! One step of a script, as a person would say it.

use serde_json::{Value, json};

use super::prompt::Prompt;

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step<'a> {
    pub(super) deed: Deed<'a>,
    /// Whether it is left out where the page does not show what it is done to.
    pub(super) is_optional: bool,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed<'a> {
    /// Something to a control.
    On { action: &'static str, role: &'a str, name: &'a str, given: Given<'a> },
    /// Goes to an address.
    Goto(&'a str),
    /// Says what will be done next, and what it costs.
    Submit { summary: &'a str, amount: Option<&'a str> },
}

/// What a control is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given<'a> {
    Nothing,
    Value(&'a str),
    Secret(&'a str),
}

impl<'a> Step<'a> {
    /// What the words mean; nothing where nobody would understand them.
    pub(super) fn read(words: &'a str) -> Option<Self> {
        let (is_optional, words) = match words.trim().strip_prefix('?') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, words.trim()),
        };
        let bare = words.split('"').next()?.trim();
        let mut quoted = words.split('"').skip(1).step_by(2);
        let deed = if bare == "submit for approval" {
            Deed::Submit { summary: quoted.next()?, amount: quoted.next() }
        } else if let Some(address) = bare.strip_prefix("goto ") {
            Deed::Goto(address.trim())
        } else if bare == "goto" {
            Deed::Goto(quoted.next()?)
        } else {
            let (verb, role) = bare.split_once(' ')?;
            let (name, with) = (quoted.next()?, quoted.next());
            let (action, given) = match (verb, with) {
                ("click", None) => ("click", Given::Nothing),
                ("check", None) => ("check", Given::Nothing),
                ("uncheck", None) => ("uncheck", Given::Nothing),
                ("hover", None) => ("hover", Given::Nothing),
                ("fill", Some(value)) => ("fill", Given::Value(value)),
                ("choose", Some(value)) => ("select", Given::Value(value)),
                ("secret", Some(secret)) => ("fill", Given::Secret(secret)),
                _ => return None,
            };
            Deed::On { action, role, name, given }
        };
        Some(Self { deed, is_optional })
    }

    /// The call of this step on what is shown: tool and input. Nothing where it can't be done there.
    pub(super) fn call(&self, prompt: &Prompt<'_>, why: &str) -> Option<(&'static str, Value)> {
        match self.deed {
            Deed::On { action, role, name, given } => {
                let mut input = json!({"action": action, "element": prompt.find(role, name)?, "why": why});
                match given {
                    Given::Nothing => {}
                    Given::Value(value) => input["value"] = value.into(),
                    Given::Secret(secret) => input["secret"] = secret.into(),
                }
                Some(("act", input))
            }
            Deed::Goto(address) => Some(("act", json!({"action": "goto", "value": address, "why": why}))),
            // What a person is told has to be so: the page shows the amount.
            Deed::Submit { amount: Some(amount), .. } if !prompt.says(amount) => None,
            Deed::Submit { summary, amount } => {
                let mut input = json!({"summary": summary});
                if let Some(amount) = amount {
                    input["amount"] = amount.into();
                }
                Some(("submit_for_approval", input))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_said() {
        let on = |action, role, name, given| Deed::On { action, role, name, given };
        for (words, deed, is_optional) in [
            (r#"click button "Place order""#, on("click", "button", "Place order", Given::Nothing), false),
            (r#"? click button "Later""#, on("click", "button", "Later", Given::Nothing), true),
            (r#"check radio "Home""#, on("check", "radio", "Home", Given::Nothing), false),
            (r#"fill textbox "Name" with "R""#, on("fill", "textbox", "Name", Given::Value("R")), false),
            (r#"fill textbox "Name" with """#, on("fill", "textbox", "Name", Given::Value("")), false),
            (r#"secret textbox "P" with "pw""#, on("fill", "textbox", "P", Given::Secret("pw")), false),
            (r#"choose combobox "B" with "1""#, on("select", "combobox", "B", Given::Value("1")), false),
            ("goto http://a.example/", Deed::Goto("http://a.example/"), false),
            (r#"goto "http://a.example/""#, Deed::Goto("http://a.example/"), false),
            (
                r#"submit for approval "An order" "€3.00""#,
                Deed::Submit { summary: "An order", amount: Some("€3.00") },
                false,
            ),
            (r#"submit for approval "An end""#, Deed::Submit { summary: "An end", amount: None }, false),
        ] {
            assert_eq!(Step::read(words), Some(Step { deed, is_optional }), "{words}");
        }
        for unreadable in
            ["", "dance", r#"dance button "A""#, r#"fill textbox "Name""#, "click button", "goto"]
        {
            assert_eq!(Step::read(unreadable), None, "{unreadable}");
        }
    }
}
