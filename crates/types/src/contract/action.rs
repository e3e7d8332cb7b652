//! What a caller may ask to be done, as it stands on the wire.

use serde::{Deserialize, Serialize};

use super::ActionId;
use crate::TabId;

/// What is acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Target {
    /// Something on the page.
    Element {
        /// Its number in the observation that the call names.
        action_id: ActionId,
    },
    /// The page as a whole.
    Page {},
}

/// A value to be written into a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FieldValue {
    /// These words.
    Text(String),
    /// The secret of this name, which the caller never sees.
    Secret {
        /// Its name.
        secret: String,
    },
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum MouseButton {
    /// The usual one.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The one for menus.
    Right,
}

/// A key that is held while another is pressed, or while the mouse is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Modifier {
    /// Alt.
    Alt,
    /// Control.
    Control,
    /// Command, or the key with the window.
    Meta,
    /// Shift.
    Shift,
}

/// A way to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// To what is above.
    Up,
    /// To what is below.
    Down,
    /// To what is on the left.
    Left,
    /// To what is on the right.
    Right,
}

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WaitFor {
    /// The page can be used: it is parsed, and nothing lies over it.
    Interactive,
    /// Nothing is on its way any more.
    #[serde(rename = "network-idle")]
    NetworkIdle,
    /// Words on the page.
    Text,
    /// Words that are on the page no more.
    TextGone,
    /// A part of the address.
    Url,
    /// An element of the page itself, by a CSS selector.
    Selector,
    /// Nothing: the time itself.
    Timeout,
}

/// One field of a form and what goes into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FormFill {
    /// The field's number.
    pub action_id: ActionId,
    /// Text for what is written in, the label or value of an option for what is chosen from, `true` or `false` for what is
    /// ticked.
    pub value: FieldValue,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Action {
    /// Goes to an address.
    Navigate {
        /// Where to.
        url: String,
    },
    /// One page back.
    Back {},
    /// One page forward.
    Forward {},
    /// Loads the page again.
    Reload {},
    /// Scrolls the page, or what is acted on.
    Scroll {
        /// Which way.
        direction: Direction,
        /// How far, in CSS pixels.
        #[serde(default = "usual_scroll")]
        pixels: u32,
    },
    /// Waits.
    Wait {
        /// For what.
        #[serde(rename = "for")]
        what: WaitFor,
        /// The words, the part of the address or the selector.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// How long at most, up to 30,000.
        #[serde(default = "usual_wait")]
        #[cfg_attr(feature = "schema", schemars(range(max = 30_000)))]
        ms: u64,
    },
    /// Brings a tab to the front.
    SwitchTab {
        /// Which.
        tab_id: TabId,
    },
    /// Closes a tab.
    CloseTab {
        /// Which.
        tab_id: TabId,
    },
    /// Answers the dialog that waits.
    HandleDialog {
        /// OK, or Cancel.
        accept: bool,
        /// What a prompt asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// Presses a key, with others held: `Enter`, `Control+A`.
    PressKey {
        /// Which.
        key: String,
    },
    /// Presses the mouse on it.
    Click {
        /// Which button.
        #[serde(default)]
        button: MouseButton,
        /// How many times in a row, 1 to 3.
        #[serde(default = "once")]
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 3)))]
        count: u8,
        /// What is held meanwhile.
        #[serde(default)]
        modifiers: Vec<Modifier>,
    },
    /// Moves the mouse over it.
    Hover {},
    /// Makes keys go to it.
    Focus {},
    /// Puts a value in it, instead of what is there.
    Fill {
        /// The value.
        value: FieldValue,
    },
    /// Types into it key by key, behind what is there.
    Type {
        /// What.
        text: FieldValue,
        /// How long between two keys, up to 1,000.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schemars(range(max = 1_000)))]
        delay_ms: u64,
    },
    /// Takes out what is in it.
    Clear {},
    /// Chooses from a list; one of the three.
    SelectOption {
        /// By the value that is sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// By what a person reads.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
        /// By its place, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<u32>,
    },
    /// Ticks it.
    Check {},
    /// Takes the tick off it.
    Uncheck {},
    /// Brings it into sight.
    ScrollIntoView {},
    /// Gives it files.
    Upload {
        /// Their paths on this machine.
        files: Vec<String>,
    },
    /// Drags it.
    Drag {
        /// To this one.
        to: ActionId,
    },
    /// Fills in several fields, in this order.
    FillForm {
        /// The fields.
        fields: Vec<FormFill>,
    },
}

impl Action {
    /// Its name, as callers write it.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Navigate { .. } => "navigate",
            Self::Back { .. } => "back",
            Self::Forward { .. } => "forward",
            Self::Reload { .. } => "reload",
            Self::Scroll { .. } => "scroll",
            Self::Wait { .. } => "wait",
            Self::SwitchTab { .. } => "switchTab",
            Self::CloseTab { .. } => "closeTab",
            Self::HandleDialog { .. } => "handleDialog",
            Self::PressKey { .. } => "pressKey",
            Self::Click { .. } => "click",
            Self::Hover { .. } => "hover",
            Self::Focus { .. } => "focus",
            Self::Fill { .. } => "fill",
            Self::Type { .. } => "type",
            Self::Clear { .. } => "clear",
            Self::SelectOption { .. } => "selectOption",
            Self::Check { .. } => "check",
            Self::Uncheck { .. } => "uncheck",
            Self::ScrollIntoView { .. } => "scrollIntoView",
            Self::Upload { .. } => "upload",
            Self::Drag { .. } => "drag",
            Self::FillForm { .. } => "fillForm",
        }
    }
}

fn usual_scroll() -> u32 {
    500
}

fn usual_wait() -> u64 {
    10_000
}

fn once() -> u8 {
    1
}
