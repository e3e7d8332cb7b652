//! What conditions are asked about: a page, and what is about to be done to it, in a form that any browser can give.

use legwork_types::contract::{Action, ActionId, Target};

use crate::call::Act;

/// An element, as far as conditions know one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element<'a> {
    /// What it is.
    pub role: &'a str,
    /// What it is called.
    pub name: &'a str,
}

/// What is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen<'a> {
    /// Where the page is.
    pub url: &'a str,
    /// All its words; none where it could not be read.
    pub words: Option<&'a str>,
    /// Whether words or elements are not really all of them.
    pub is_cut: bool,
    /// What is on it; none where that is not known.
    pub elements: Option<&'a [Element<'a>]>,
    /// What is called; none where nothing is, or where that is not known.
    pub tool: Option<&'a str>,
    /// What it is done to; none where that is not known.
    pub acted: Option<&'a [Element<'a>]>,
}

/// What an act is done to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touched {
    /// These elements; none where it is done to the page as a whole.
    Elements(Vec<ActionId>),
    /// Nobody can tell: a key goes to whatever has the focus, a yes to whatever a dialog asks.
    Unknown,
}

impl Touched {
    /// What this act is done to.
    pub fn of(act: &Act) -> Self {
        let mut elements = match act.target {
            Target::Element { action_id } => vec![action_id],
            Target::Page {} => vec![],
        };
        match &act.action {
            Action::PressKey { .. } if elements.is_empty() => return Self::Unknown,
            Action::HandleDialog { accept: true, .. } => return Self::Unknown,
            Action::FillForm { fields } => elements.extend(fields.iter().map(|field| field.action_id)),
            Action::Drag { to } => elements.push(*to),
            _ => {}
        }
        Self::Elements(elements)
    }
}

/// The word by which the model calls this act.
pub fn tool_of(act: &Act) -> &'static str {
    match act.action {
        Action::Navigate { .. } => "goto",
        Action::Back {} => "back",
        Action::Forward {} => "forward",
        Action::Reload {} => "reload",
        Action::Wait { .. } => "wait",
        Action::SwitchTab { .. } => "switch_tab",
        Action::CloseTab { .. } => "close_tab",
        Action::HandleDialog { accept: true, .. } => "accept_dialog",
        Action::HandleDialog { .. } => "dismiss_dialog",
        Action::PressKey { .. } => "press",
        Action::Click { .. } => "click",
        Action::Hover {} => "hover",
        Action::Focus {} => "focus",
        Action::Fill { .. } | Action::Type { .. } | Action::Clear {} => "fill",
        Action::FillForm { .. } => "fill_form",
        Action::SelectOption { .. } => "select",
        Action::Check {} => "check",
        Action::Uncheck {} => "uncheck",
        Action::Scroll { .. } | Action::ScrollIntoView {} => "scroll",
        Action::Upload { .. } => "upload",
        Action::Drag { .. } => "drag",
    }
}
