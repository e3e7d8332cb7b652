//! What a key may do to whatever it goes to.

use legwork_types::{Chord, contract::Modifier};

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// Moves to another place, or closes what is open.
    Harmless,
    /// Writes into what it goes to, or changes it.
    Writes,
    /// Presses what it goes to, or sends its form.
    Presses,
    /// Presses something else: whatever the page gave this key to.
    Elsewhere,
}

/// What a key may do where it goes to something of this role; none is the page itself.
pub(crate) fn stroke(chord: &Chord, role: &str) -> Stroke {
    let held = |modifier| chord.modifiers.contains(&modifier);
    let commands = held(Modifier::Control) || held(Modifier::Meta);
    match chord.key.as_str() {
        // In what is written in, a space is a character like any other.
        " " if is_written_in(role) && !commands => Stroke::Writes,
        // In a field of several lines Enter begins a new one, but nobody can tell by its role, and many a page sends it.
        " " | "Enter" => Stroke::Presses,
        // A page may give any character to any of its buttons, to be pressed with Alt, or wherever nothing is written.
        key if key.chars().count() == 1 => match () {
            () if !is_written_in(role) || held(Modifier::Alt) => Stroke::Elsewhere,
            () if commands && !edits(key, held(Modifier::Shift)) => Stroke::Elsewhere,
            () => Stroke::Writes,
        },
        "Backspace" | "Delete" | "Insert" if is_written_in(role) => Stroke::Writes,
        "Backspace" | "Delete" | "Insert" => Stroke::Elsewhere,
        "Tab" | "Escape" => Stroke::Harmless,
        "Home" | "End" | "PageUp" | "PageDown" if !is_set_by_moving(role) => Stroke::Harmless,
        // Pages have little else to do with these than to give them away.
        key if is_numbered(key) => Stroke::Elsewhere,
        _ => Stroke::Writes,
    }
}

/// What typing this may do where it begins in something of this role.
pub(crate) fn strokes(text: &str, role: &str) -> Stroke {
    let after_tab = text.split_once('\t').is_some_and(|(_, more)| !more.is_empty());
    match () {
        // The key that leads to the next element: what comes after it goes there.
        () if after_tab => Stroke::Elsewhere,
        () if !is_written_in(role) && text.contains(|c| !matches!(c, ' ' | '\n' | '\r' | '\t')) => {
            Stroke::Elsewhere
        }
        () if text.contains(['\n', '\r']) => Stroke::Presses,
        () if text.contains(' ') && !is_written_in(role) => Stroke::Presses,
        () => Stroke::Writes,
    }
}

/// Characters that, with Control, mark, copy, cut, insert, undo and do again.
fn edits(key: &str, with_shift: bool) -> bool {
    match with_shift {
        true => matches!(key, "v" | "V" | "z" | "Z"),
        false => matches!(key.to_ascii_lowercase().as_str(), "a" | "c" | "x" | "v" | "z" | "y"),
    }
}

/// F1 to F12.
fn is_numbered(key: &str) -> bool {
    key.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok())
}

fn is_written_in(role: &str) -> bool {
    matches!(
        role,
        "textbox" | "searchbox" | "combobox" | "spinbutton" | "date" | "datetime" | "time" | "month" | "week"
    )
}

/// Whether the keys that go to an end choose or set something there.
fn is_set_by_moving(role: &str) -> bool {
    matches!(
        role,
        "slider" | "spinbutton" | "listbox" | "option" | "radio" | "combobox" | "tab" | "menuitemradio"
    )
}
