//! A condition: which call, where, on what, and what the page says.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::place::UrlRule;

/// What the model may do to a page, by the words that it calls.
pub const TOOLS: &[&str] = &[
    "click",
    "fill",
    "fill_form",
    "select",
    "check",
    "uncheck",
    "press",
    "hover",
    "focus",
    "scroll",
    "goto",
    "back",
    "forward",
    "reload",
    "wait",
    "switch_tab",
    "close_tab",
    "accept_dialog",
    "dismiss_dialog",
    "upload",
    "drag",
];

/// What elements that can be acted on are called.
pub const ROLES: &[&str] = &[
    "article",
    "button",
    "cell",
    "checkbox",
    "clickable",
    "color",
    "combobox",
    "date",
    "datetime",
    "disclosure",
    "file",
    "heading",
    "img",
    "label",
    "link",
    "listbox",
    "listitem",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "month",
    "option",
    "radio",
    "row",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "text",
    "textbox",
    "time",
    "treeitem",
    "week",
];

/// A condition. All parts that are given must hold; within a part one of several is enough.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Predicate {
    /// The model calls one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool: Vec<String>,
    /// The page is at one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub url: Vec<UrlRule>,
    /// Of an act: it is done to such an element. Of a page: it has such an element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<ElementRule>,
    /// The page says one of these, whatever the case of letters and the blanks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
}

/// Which element.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ElementRule {
    /// It has one of these roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub role: Vec<String>,
    /// Its name contains one of these, whatever the case of letters and the blanks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub name: Vec<String>,
}

impl Predicate {
    /// Whether nothing is given: such a condition is none.
    pub fn is_empty(&self) -> bool {
        self.tool.is_empty() && self.url.is_empty() && self.element.is_none() && self.text.is_empty()
    }
}

/// In words, behind "if".
impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, url, element, text } = self;
        let mut parts = Vec::new();
        if !tool.is_empty() {
            parts.push(format!("{} is called", tool.join(" or ")));
        }
        if !url.is_empty() {
            let places: Vec<String> = url.iter().map(ToString::to_string).collect();
            parts.push(format!("the page is at {}", places.join(" or ")));
        }
        if let Some(ElementRule { role, name }) = element {
            let role =
                if role.is_empty() { "an element".to_owned() } else { format!("a {}", role.join(" or ")) };
            let named = if name.is_empty() { String::new() } else { format!(" named {}", quoted(name)) };
            parts.push(format!("it is about {role}{named}"));
        }
        if !text.is_empty() {
            parts.push(format!("the page says {}", quoted(text)));
        }
        f.write_str(&parts.join(", and "))
    }
}

fn quoted(all: &[String]) -> String {
    all.iter().map(|one| format!("{one:?}")).collect::<Vec<_>>().join(" or ")
}
