//! What a control is: its role in readable words, and what can be done with it.

use std::borrow::Cow;

use crate::capture::{Control, Flag};

/// The longest role.
const LONGEST: usize = 30;

/// What can be done with a control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Pressed: a button, an entry of a menu, anything clickable.
    Press,
    /// Followed: a link.
    Follow,
    /// Written in, or set to a value.
    Write,
    /// Chosen or ticked.
    Choose,
    /// Given a file.
    Upload,
    /// None of these.
    Other,
}

impl Use {
    /// Of a role in readable words.
    pub(crate) fn of_role(role: &str) -> Self {
        match role {
            "link" => Self::Follow,
            "textbox" | "searchbox" | "spinbutton" | "slider" | "date" | "datetime" | "time" | "month"
            | "week" | "color" => Self::Write,
            "combobox" | "listbox" | "checkbox" | "radio" | "switch" => Self::Choose,
            "file" => Self::Upload,
            "button" | "menuitem" | "clickable" | "img" | "disclosure" | "cell" | "row" | "treeitem"
            | "label" | "text" | "heading" | "article" | "listitem" | "summary" | "menuitemcheckbox"
            | "menuitemradio" => Self::Press,
            _ => Self::Other,
        }
    }

    /// Whether it is a field of a form.
    pub(crate) fn is_field(self) -> bool {
        matches!(self, Self::Write | Self::Choose | Self::Upload)
    }
}

fn has_kind(control: &Control, kind: &str) -> bool {
    control.attributes.kind.as_ref().is_some_and(|own| own.untrusted().eq_ignore_ascii_case(kind))
}

/// The role in words that people and models know.
pub(super) fn role_of(control: &Control) -> Cow<'_, str> {
    if has_kind(control, "file") && &*control.tag == "input" {
        return "file".into();
    }
    let readable = match &*control.role {
        "" | "generic" | "none" | "presentation" | "Unknown" | "unknown" | "ignored" => {
            match control.state.has(Flag::Editable) {
                true => "textbox",
                false => "clickable",
            }
        }
        "DisclosureTriangle" | "DisclosureTriangleGrouped" => "disclosure",
        "Date" => "date",
        "DateTime" => "datetime",
        "InputTime" => "time",
        "ColorWell" => "color",
        "LabelText" => "label",
        "PopUpButton"
        | "ComboBoxSelect"
        | "ComboBoxGrouping"
        | "ComboBoxMenuButton"
        | "TextFieldWithComboBox" => "combobox",
        "MenuListPopup" | "ListBox" => "listbox",
        "MenuListOption" | "ListBoxOption" => "option",
        "ToggleButton" => "button",
        "TextField" => "textbox",
        "image" | "Canvas" | "SvgRoot" => "img",
        "Iframe" | "IframePresentational" => "frame",
        "Video" => "video",
        "Audio" => "audio",
        "StaticText" | "InlineTextBox" => "text",
        "gridcell" | "LayoutTableCell" => "cell",
        other => return short_role(other),
    };
    readable.into()
}

/// A role that nobody knows yet: as it is if it is one word in small letters, else made so.
fn short_role(role: &str) -> Cow<'_, str> {
    if role.len() <= LONGEST && role.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        return Cow::Borrowed(role);
    }
    role.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).take(LONGEST).collect()
}

/// What can be done with a control. What sends its form is pressed, whatever it calls itself.
pub(super) fn use_of(control: &Control, role: &str) -> Use {
    if control.state.has(Flag::Submits) { Use::Press } else { Use::of_role(role) }
}
