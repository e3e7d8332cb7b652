//! What is meant to be done: a call to act that was found in order. Nothing in it is taken from the page.

use std::fmt;

use crate::{
    PageUrl, TabId,
    contract::{Action, ActionId, Direction, FieldValue, FormFill, Modifier, MouseButton, Target, WaitFor},
};

/// The longest wait, in milliseconds.
pub const LONGEST_WAIT: u64 = 30_000;
/// The longest pause between two keys, in milliseconds.
const LONGEST_DELAY: u64 = 1_000;
/// The most fields or files of one call.
const MOST: usize = 100;
/// The most characters of a value.
const LONGEST_VALUE: usize = 100_000;

/// What is meant to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// Goes to an address.
    Navigate(PageUrl),
    /// One page back.
    Back,
    /// One page forward.
    Forward,
    /// Loads the page again.
    Reload,
    /// Waits.
    Wait(Wait),
    /// Scrolls the page.
    ScrollPage(Scroll),
    /// Presses a key, wherever keys go now.
    PressKeyOnPage(Chord),
    /// Brings a tab to the front.
    SwitchTab(TabId),
    /// Closes a tab.
    CloseTab(TabId),
    /// Answers the dialog that waits.
    HandleDialog {
        /// OK, or Cancel.
        accept: bool,
        /// What a prompt asked for.
        text: Option<String>,
    },
    /// Does something to one element.
    OnElement {
        /// Its number.
        target: ActionId,
        /// What.
        deed: Deed,
    },
    /// Fills in several fields, in this order.
    FillForm(Vec<FormFill>),
}

/// What is done to an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Presses the mouse on it.
    Click(Click),
    /// Moves the mouse over it.
    Hover,
    /// Makes keys go to it.
    Focus,
    /// Puts a value in it, instead of what is there.
    Fill(FieldValue),
    /// Types into it, behind what is there.
    Type {
        /// What.
        text: FieldValue,
        /// How long between two keys, in milliseconds.
        delay_ms: u64,
    },
    /// Takes out what is in it.
    Clear,
    /// Chooses from it.
    Select(Choice),
    /// Ticks it, or takes the tick off.
    Tick(Tick),
    /// Presses a key on it.
    PressKey(Chord),
    /// Brings it into sight.
    ScrollIntoView,
    /// Scrolls what is in it.
    Scroll(Scroll),
    /// Gives it files.
    Upload(Vec<String>),
    /// Drags it to this one.
    DragTo(ActionId),
}

/// A press of the mouse.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Click {
    /// Which button.
    pub button: MouseButton,
    /// How many times in a row: 1 to 3.
    pub count: Presses,
    /// What is held meanwhile.
    pub modifiers: Vec<Modifier>,
}

/// How many times in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Presses {
    /// Once.
    #[default]
    One,
    /// Twice.
    Two,
    /// Three times.
    Three,
}

impl Presses {
    /// As a number.
    pub fn get(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}

/// How a box should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tick {
    /// Ticked.
    On,
    /// Not ticked.
    Off,
}

/// Which option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// By the value that is sent.
    Value(String),
    /// By what a person reads.
    Label(String),
    /// By its place, from 0.
    Index(u32),
    /// By its label, or else by its value.
    LabelOrValue(String),
}

/// How far, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scroll {
    /// Which way.
    pub direction: Direction,
    /// How far, in CSS pixels.
    pub pixels: u32,
}

/// A wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// For what.
    pub what: Awaited,
    /// How long at most, in milliseconds.
    pub ms: u64,
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Awaited {
    /// The page can be used.
    Interactive,
    /// Nothing is on its way any more.
    NetworkIdle,
    /// Words on the page.
    Text(String),
    /// Words that are on the page no more.
    TextGone(String),
    /// A part of the address.
    Url(String),
    /// An element of the page itself.
    Selector(String),
    /// The time itself.
    Nothing,
}

/// A key with others held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    /// What is held, each once, in order.
    pub modifiers: Vec<Modifier>,
    /// A character, or a name from [`KEY_NAMES`].
    pub key: String,
}

/// The keys that have a name rather than a character.
pub const KEY_NAMES: &[&str] = &[
    "Enter",
    "Tab",
    "Escape",
    "Backspace",
    "Delete",
    "Insert",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
    "ContextMenu",
];

impl Chord {
    /// Reads `Control+Shift+a`, `Enter`, `+`, `Space`.
    pub fn parse(text: &str) -> Option<Self> {
        let (held, key) = match text.strip_suffix('+').map(|held| held.strip_suffix('+').unwrap_or(held)) {
            // The last key is the plus itself.
            Some(held) if text == "+" || text.ends_with("++") => (held, "+"),
            Some(_) => return None,
            None => text.rsplit_once('+').unwrap_or(("", text)),
        };
        let mut modifiers = Vec::new();
        for name in held.split('+').filter(|_| !held.is_empty()) {
            let modifier = match name.to_ascii_lowercase().as_str() {
                "alt" | "option" => Modifier::Alt,
                "control" | "ctrl" | "controlormeta" => Modifier::Control,
                "meta" | "command" | "cmd" => Modifier::Meta,
                "shift" => Modifier::Shift,
                _ => return None,
            };
            if !modifiers.contains(&modifier) {
                modifiers.push(modifier);
            }
        }
        modifiers.sort();
        let key = match key {
            "Space" | "space" => " ".to_owned(),
            "Esc" => "Escape".to_owned(),
            "Return" => "Enter".to_owned(),
            "Del" => "Delete".to_owned(),
            "Up" | "Down" | "Left" | "Right" => format!("Arrow{key}"),
            _ if key.chars().count() == 1 && !key.chars().any(char::is_control) => key.to_owned(),
            _ => (*KEY_NAMES.iter().find(|name| name.eq_ignore_ascii_case(key))?).to_owned(),
        };
        Some(Self { modifiers, key })
    }

    /// Whether it may press whatever keys go to, or send its form.
    pub fn activates(&self) -> bool {
        matches!(self.key.as_str(), "Enter" | " ")
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for modifier in &self.modifiers {
            write!(f, "{modifier:?}+")?;
        }
        f.write_str(if self.key == " " { "Space" } else { &self.key })
    }
}

/// Where a call does not follow the contract, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The field, as `action.url`.
    pub path: &'static str,
    /// What is wrong with it.
    pub why: String,
}

fn mismatch<T>(path: &'static str, why: impl Into<String>) -> Result<T, Mismatch> {
    Err(Mismatch { path, why: why.into() })
}

impl Intent {
    /// What a call to act means, if it is in order.
    pub fn of(target: Target, action: Action) -> Result<Self, Mismatch> {
        match target {
            Target::Page {} => of_page(action),
            Target::Element { action_id } => Ok(Self::OnElement { target: action_id, deed: deed(action)? }),
        }
    }

    /// Everything on the page that it is about, each once.
    pub fn targets(&self) -> Vec<ActionId> {
        let mut targets = match self {
            Self::OnElement { target, deed: Deed::DragTo(to) } => vec![*target, *to],
            Self::OnElement { target, .. } => vec![*target],
            Self::FillForm(fields) => fields.iter().map(|field| field.action_id).collect(),
            _ => vec![],
        };
        let mut seen = Vec::new();
        targets.retain(|target| {
            !seen.contains(target) && {
                seen.push(*target);
                true
            }
        });
        targets
    }

    /// One word for it, as callers name it.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Navigate(_) => "navigate",
            Self::Back => "back",
            Self::Forward => "forward",
            Self::Reload => "reload",
            Self::Wait(_) => "wait",
            Self::ScrollPage(_) | Self::OnElement { deed: Deed::Scroll(_), .. } => "scroll",
            Self::PressKeyOnPage(_) | Self::OnElement { deed: Deed::PressKey(_), .. } => "pressKey",
            Self::SwitchTab(_) => "switchTab",
            Self::CloseTab(_) => "closeTab",
            Self::HandleDialog { .. } => "handleDialog",
            Self::FillForm(_) => "fillForm",
            Self::OnElement { deed, .. } => deed.verb(),
        }
    }
}

impl Deed {
    fn verb(&self) -> &'static str {
        match self {
            Self::Click(_) => "click",
            Self::Hover => "hover",
            Self::Focus => "focus",
            Self::Fill(_) => "fill",
            Self::Type { .. } => "type",
            Self::Clear => "clear",
            Self::Select(_) => "selectOption",
            Self::Tick(Tick::On) => "check",
            Self::Tick(Tick::Off) => "uncheck",
            Self::PressKey(_) => "pressKey",
            Self::ScrollIntoView => "scrollIntoView",
            Self::Scroll(_) => "scroll",
            Self::Upload(_) => "upload",
            Self::DragTo(_) => "drag",
        }
    }
}

fn of_page(action: Action) -> Result<Intent, Mismatch> {
    Ok(match action {
        Action::Navigate { url } => Intent::Navigate(
            PageUrl::parse(&url).or_else(|refusal| mismatch("action.url", refusal.to_string()))?,
        ),
        Action::Back {} => Intent::Back,
        Action::Forward {} => Intent::Forward,
        Action::Reload {} => Intent::Reload,
        Action::Scroll { direction, pixels } => Intent::ScrollPage(Scroll { direction, pixels }),
        Action::Wait { what, value, ms } => Intent::Wait(wait(what, value, ms)?),
        Action::SwitchTab { tab_id } => Intent::SwitchTab(tab_id),
        Action::CloseTab { tab_id } => Intent::CloseTab(tab_id),
        Action::HandleDialog { accept, text } => Intent::HandleDialog { accept, text },
        Action::PressKey { key } => Intent::PressKeyOnPage(chord(&key)?),
        Action::FillForm { fields } => Intent::FillForm(form(fields)?),
        _ => {
            return mismatch("target", "this action needs an element: {\"kind\":\"element\",\"actionId\":…}");
        }
    })
}

fn deed(action: Action) -> Result<Deed, Mismatch> {
    Ok(match action {
        Action::Click { button, count, modifiers } => {
            let count = match count {
                1 => Presses::One,
                2 => Presses::Two,
                3 => Presses::Three,
                _ => return mismatch("action.count", "1, 2 or 3 presses in a row"),
            };
            Deed::Click(Click { button, count, modifiers })
        }
        Action::Hover {} => Deed::Hover,
        Action::Focus {} => Deed::Focus,
        Action::Fill { value } => Deed::Fill(bounded("action.value", value)?),
        Action::Type { text, delay_ms } if delay_ms <= LONGEST_DELAY => {
            Deed::Type { text: bounded("action.text", text)?, delay_ms }
        }
        Action::Type { .. } => return mismatch("action.delayMs", "at most 1000"),
        Action::Clear {} => Deed::Clear,
        Action::SelectOption { value, label, index } => Deed::Select(choice(value, label, index)?),
        Action::Check {} => Deed::Tick(Tick::On),
        Action::Uncheck {} => Deed::Tick(Tick::Off),
        Action::PressKey { key } => Deed::PressKey(chord(&key)?),
        Action::ScrollIntoView {} => Deed::ScrollIntoView,
        Action::Scroll { direction, pixels } => Deed::Scroll(Scroll { direction, pixels }),
        Action::Upload { files } if files.is_empty() || files.len() > MOST => {
            return mismatch("action.files", "1 to 100 files");
        }
        Action::Upload { files } => Deed::Upload(files),
        Action::Drag { to } => Deed::DragTo(to),
        _ => return mismatch("target", "this action is for the page: {\"kind\":\"page\"}"),
    })
}

fn bounded(path: &'static str, value: FieldValue) -> Result<FieldValue, Mismatch> {
    match &value {
        FieldValue::Text(text) if text.chars().count() > LONGEST_VALUE => {
            mismatch(path, "at most 100,000 characters")
        }
        _ => Ok(value),
    }
}

fn chord(key: &str) -> Result<Chord, Mismatch> {
    let why = "a character, or one of Enter, Tab, Escape, Space, Backspace, Delete, Insert, Home, End, PageUp, PageDown, \
               ArrowUp, ArrowDown, ArrowLeft, ArrowRight, F1 to F12, ContextMenu, after Control+, Shift+, Alt+ or Meta+";
    Chord::parse(key).map_or_else(|| mismatch("action.key", why), Ok)
}

fn choice(value: Option<String>, label: Option<String>, index: Option<u32>) -> Result<Choice, Mismatch> {
    match (value, label, index) {
        (Some(value), None, None) => Ok(Choice::Value(value)),
        (None, Some(label), None) => Ok(Choice::Label(label)),
        (None, None, Some(index)) => Ok(Choice::Index(index)),
        _ => mismatch("action", "one of value, label and index"),
    }
}

fn wait(what: WaitFor, value: Option<String>, ms: u64) -> Result<Wait, Mismatch> {
    if ms > LONGEST_WAIT {
        return mismatch("action.ms", "at most 30000");
    }
    let words = || match &value {
        Some(words) if !words.trim().is_empty() => Ok(words.clone()),
        _ => mismatch("action.value", "what to wait for"),
    };
    let what = match what {
        WaitFor::Interactive => Awaited::Interactive,
        WaitFor::NetworkIdle => Awaited::NetworkIdle,
        WaitFor::Text => Awaited::Text(words()?),
        WaitFor::TextGone => Awaited::TextGone(words()?),
        WaitFor::Url => Awaited::Url(words()?),
        WaitFor::Selector => Awaited::Selector(words()?),
        WaitFor::Timeout => Awaited::Nothing,
    };
    Ok(Wait { what, ms })
}

fn form(fields: Vec<FormFill>) -> Result<Vec<FormFill>, Mismatch> {
    if fields.is_empty() || fields.len() > MOST {
        return mismatch("action.fields", "1 to 100 fields");
    }
    for field in &fields {
        bounded("action.fields", field.value.clone())?;
        if fields.iter().filter(|other| other.action_id == field.action_id).count() > 1 {
            return mismatch("action.fields", format!("field {} stands twice", field.action_id));
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_are_read_as_people_write_them() {
        for (text, shown) in [
            ("Enter", "Enter"),
            ("enter", "Enter"),
            ("Control+A", "Control+A"),
            ("ctrl+shift+Tab", "Control+Shift+Tab"),
            ("+", "+"),
            ("Control++", "Control++"),
            ("Space", "Space"),
            (" ", "Space"),
            ("ä", "ä"),
            ("Esc", "Escape"),
            ("f12", "F12"),
        ] {
            assert_eq!(Chord::parse(text).map(|chord| chord.to_string()).as_deref(), Some(shown), "{text}");
        }
        for text in ["", "Control+", "Hyper+a", "Enterr", "ab", "\n", "F13", "a+b"] {
            assert_eq!(Chord::parse(text), None, "{text}");
        }
    }

    #[test]
    fn actions_belong_to_the_page_or_to_an_element() {
        let element = Target::Element { action_id: ActionId(3) };
        assert_eq!(Intent::of(Target::Page {}, Action::Hover {}).map_err(|m| m.path), Err("target"));
        assert_eq!(Intent::of(element, Action::Back {}).map_err(|m| m.path), Err("target"));
        assert_eq!(Intent::of(element, Action::Hover {}).map(|i| i.targets()), Ok(vec![ActionId(3)]));
        let url = |url: &str| Intent::of(Target::Page {}, Action::Navigate { url: url.into() });
        assert!(url("https://example.org/").is_ok());
        assert_eq!(url("file:///etc/passwd").map_err(|m| m.path), Err("action.url"));
    }

    #[test]
    fn what_is_too_much_or_too_little_is_refused_by_its_field() {
        let read = |action: &str| serde_json::from_str::<Action>(action).expect("it is an action");
        let element = Target::Element { action_id: ActionId(3) };
        let long = |count| "x".repeat(count);
        let files = |count| format!(r#"{{"type":"upload","files":{:?}}}"#, vec!["a"; count]);
        let fill = |count| format!(r#"{{"type":"fill","value":"{}"}}"#, long(count));
        let fields = |numbers: std::ops::Range<u32>| {
            let fields = numbers.map(|number| format!(r#"{{"actionId":{number},"value":"x"}}"#));
            format!(r#"{{"type":"fillForm","fields":[{}]}}"#, fields.collect::<Vec<_>>().join(","))
        };
        let twice = r#"{"type":"fillForm","fields":[{"actionId":1,"value":"x"},{"actionId":1,"value":"y"}]}"#;
        for (target, action, refused) in [
            (Target::Page {}, r#"{"type":"wait","for":"timeout","ms":30000}"#.to_owned(), None),
            (Target::Page {}, r#"{"type":"wait","for":"timeout","ms":30001}"#.to_owned(), Some("action.ms")),
            (Target::Page {}, r#"{"type":"wait","for":"text","ms":1}"#.to_owned(), Some("action.value")),
            (element, r#"{"type":"click","count":3}"#.to_owned(), None),
            (element, r#"{"type":"click","count":0}"#.to_owned(), Some("action.count")),
            (element, r#"{"type":"click","count":4}"#.to_owned(), Some("action.count")),
            (element, r#"{"type":"type","text":"x","delayMs":1000}"#.to_owned(), None),
            (element, r#"{"type":"type","text":"x","delayMs":1001}"#.to_owned(), Some("action.delayMs")),
            (element, files(100), None),
            (element, files(0), Some("action.files")),
            (element, files(101), Some("action.files")),
            (element, fill(100_000), None),
            (element, fill(100_001), Some("action.value")),
            (element, r#"{"type":"selectOption"}"#.to_owned(), Some("action")),
            (element, r#"{"type":"selectOption","label":"a","index":1}"#.to_owned(), Some("action")),
            (Target::Page {}, fields(1..101), None),
            (Target::Page {}, fields(1..102), Some("action.fields")),
            (Target::Page {}, fields(1..1), Some("action.fields")),
            (Target::Page {}, twice.to_owned(), Some("action.fields")),
        ] {
            let outcome = Intent::of(target, read(&action)).err().map(|mismatch| mismatch.path);
            assert_eq!(outcome, refused, "{}", &action[..action.len().min(80)]);
        }
    }

    #[test]
    fn a_scroll_goes_five_hundred_pixels_unless_told() {
        let action = serde_json::from_str(r#"{"type":"scroll","direction":"down"}"#).expect("an action");
        let scroll = Scroll { direction: Direction::Down, pixels: 500 };
        assert_eq!(Intent::of(Target::Page {}, action), Ok(Intent::ScrollPage(scroll)));
    }
}
