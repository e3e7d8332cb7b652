//! The keyboard: which events a key makes on the American layout, and in which order they are sent.
//!
//! Measured on Chromium 156 for Linux: Control+A and the other shortcuts of editing work by their key events alone, so no
//! editing commands are sent along.

use legwork_cdp::protocol::keys::DispatchKeyEvent;
use legwork_types::{Chord, contract::Modifier};

/// One key as a page sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    key: String,
    code: String,
    number: u16,
    location: u8,
    /// What it writes.
    text: String,
    /// What it would write if Shift were not held.
    plain: String,
    /// Whether Shift has to be held for it.
    needs_shift: bool,
}

/// What is sent for a text, piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stroke {
    /// A key, with what is held.
    Key(Vec<Modifier>, Key),
    /// Letters that no key of the layout has.
    Letters(String),
}

/// One event of a key, to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyEvent {
    kind: &'static str,
    modifiers: u8,
    key: Key,
}

impl KeyEvent {
    /// As the browser takes it.
    pub(super) fn command(&self) -> DispatchKeyEvent<'_> {
        let Key { key, code, number, location, text, plain, .. } = &self.key;
        let (text, unmodified_text) = if self.kind == "keyDown" { (&**text, &**plain) } else { ("", "") };
        DispatchKeyEvent {
            kind: self.kind,
            modifiers: self.modifiers,
            key,
            code,
            windows_virtual_key_code: *number,
            location: *location,
            text,
            unmodified_text,
        }
    }
}

/// The keys that write, without and with Shift: their codes, numbers, and both characters.
const WRITING: &[(&str, u16, char, char)] = &[
    ("Backquote", 192, '`', '~'),
    ("Digit1", 49, '1', '!'),
    ("Digit2", 50, '2', '@'),
    ("Digit3", 51, '3', '#'),
    ("Digit4", 52, '4', '$'),
    ("Digit5", 53, '5', '%'),
    ("Digit6", 54, '6', '^'),
    ("Digit7", 55, '7', '&'),
    ("Digit8", 56, '8', '*'),
    ("Digit9", 57, '9', '('),
    ("Digit0", 48, '0', ')'),
    ("Minus", 189, '-', '_'),
    ("Equal", 187, '=', '+'),
    ("BracketLeft", 219, '[', '{'),
    ("BracketRight", 221, ']', '}'),
    ("Backslash", 220, '\\', '|'),
    ("Semicolon", 186, ';', ':'),
    ("Quote", 222, '\'', '"'),
    ("Comma", 188, ',', '<'),
    ("Period", 190, '.', '>'),
    ("Slash", 191, '/', '?'),
    ("Space", 32, ' ', ' '),
];

/// The keys that have a name, with their numbers.
const NAMED: &[(&str, u16)] = &[
    ("Enter", 13),
    ("Tab", 9),
    ("Escape", 27),
    ("Backspace", 8),
    ("Delete", 46),
    ("Insert", 45),
    ("Home", 36),
    ("End", 35),
    ("PageUp", 33),
    ("PageDown", 34),
    ("ArrowUp", 38),
    ("ArrowDown", 40),
    ("ArrowLeft", 37),
    ("ArrowRight", 39),
    ("F1", 112),
    ("F2", 113),
    ("F3", 114),
    ("F4", 115),
    ("F5", 116),
    ("F6", 117),
    ("F7", 118),
    ("F8", 119),
    ("F9", 120),
    ("F10", 121),
    ("F11", 122),
    ("F12", 123),
    ("ContextMenu", 93),
];

impl Key {
    /// The key that writes a character, if the layout has one.
    fn writing(character: char) -> Option<Self> {
        if character.is_ascii_alphabetic() {
            let upper = character.to_ascii_uppercase();
            let plain = character.to_ascii_lowercase().to_string();
            let needs_shift = character.is_ascii_uppercase();
            let number = u16::try_from(u32::from(upper)).ok()?;
            let text = character.to_string();
            return Some(Self::new(&text, &format!("Key{upper}"), number, &text, &plain, needs_shift));
        }
        let (code, number, plain, shifted) =
            WRITING.iter().find(|(_, _, plain, shifted)| character == *plain || character == *shifted)?;
        let text = character.to_string();
        let needs_shift = character == *shifted && plain != shifted;
        Some(Self::new(&text, code, *number, &text, &plain.to_string(), needs_shift))
    }

    /// The key of this name.
    fn named(name: &str) -> Option<Self> {
        let (name, number) = NAMED.iter().find(|(known, _)| *known == name)?;
        let text = if *name == "Enter" { "\r" } else { "" };
        Some(Self::new(name, name, *number, text, text, false))
    }

    fn held(modifier: Modifier) -> Self {
        let (key, number) = match modifier {
            Modifier::Alt => ("Alt", 18),
            Modifier::Control => ("Control", 17),
            Modifier::Meta => ("Meta", 91),
            Modifier::Shift => ("Shift", 16),
        };
        Self { location: 1, ..Self::new(key, &format!("{key}Left"), number, "", "", false) }
    }

    fn new(key: &str, code: &str, number: u16, text: &str, plain: &str, needs_shift: bool) -> Self {
        let [key, code, text, plain] = [key, code, text, plain].map(str::to_owned);
        Self { key, code, number, location: 0, text, plain, needs_shift }
    }
}

impl Stroke {
    /// A named key that is known to be there, with nothing held.
    pub(super) fn named(name: &str) -> Self {
        Self::of(&Chord { modifiers: Vec::new(), key: name.to_owned() })
    }

    /// A key with others held. A character that no key has is written as it is where nothing is held but Shift.
    pub(super) fn of(chord: &Chord) -> Self {
        let mut characters = chord.key.chars();
        let key = match (characters.next(), characters.next()) {
            (Some(character), None) => Key::writing(character),
            _ => Key::named(&chord.key),
        };
        let Some(mut key) = key else { return Self::Letters(chord.key.clone()) };
        let mut held = chord.modifiers.clone();
        let is_shortcut = held.iter().any(|modifier| *modifier != Modifier::Shift);
        // `Control+A` means the key, not its capital.
        if is_shortcut {
            key.text.clear();
            if !held.contains(&Modifier::Shift) && key.key.chars().all(|letter| letter.is_ascii_uppercase()) {
                key.key = key.key.to_ascii_lowercase();
                key.needs_shift = false;
            }
        }
        if held.contains(&Modifier::Shift) && key.key == key.plain && !key.needs_shift {
            key.shift();
        }
        if key.needs_shift && !held.contains(&Modifier::Shift) {
            held.push(Modifier::Shift);
        }
        Self::Key(held, key)
    }

    /// A text, key by key: a new line is Enter, and letters that no key has are written as they are.
    pub(super) fn typing(text: &str) -> Vec<Self> {
        let text = text.replace("\r\n", "\n");
        let one = |character: char| match character {
            '\n' | '\r' => Self::named("Enter"),
            '\t' => Self::named("Tab"),
            character => Self::of(&Chord { modifiers: Vec::new(), key: character.to_string() }),
        };
        let mut strokes: Vec<Self> = Vec::new();
        for stroke in text.chars().map(one) {
            match (strokes.last_mut(), stroke) {
                // What is made of several characters, as an emoji, comes whole.
                (Some(Self::Letters(before)), Self::Letters(more)) => before.push_str(&more),
                (_, stroke) => strokes.push(stroke),
            }
        }
        strokes
    }

    /// The events of a key in their order; none for letters that are no key.
    pub(super) fn events(&self) -> Vec<KeyEvent> {
        let Self::Key(held, key) = self else { return Vec::new() };
        let mut events = Vec::with_capacity(2 * held.len() + 2);
        let mut down = 0;
        for modifier in held {
            down |= bit(*modifier);
            events.push(KeyEvent { kind: "rawKeyDown", modifiers: down, key: Key::held(*modifier) });
        }
        let kind = if key.text.is_empty() { "rawKeyDown" } else { "keyDown" };
        events.push(KeyEvent { kind, modifiers: down, key: key.clone() });
        events.push(KeyEvent { kind: "keyUp", modifiers: down, key: key.clone() });
        for modifier in held.iter().rev() {
            down &= !bit(*modifier);
            events.push(KeyEvent { kind: "keyUp", modifiers: down, key: Key::held(*modifier) });
        }
        events
    }
}

impl Key {
    /// What it is while Shift is held.
    fn shift(&mut self) {
        let mut characters = self.plain.chars();
        let (Some(plain), None) = (characters.next(), characters.next()) else { return };
        let shifted = WRITING.iter().find(|(_, _, known, _)| *known == plain).map(|(.., shifted)| *shifted);
        let shifted = shifted.unwrap_or(plain.to_ascii_uppercase()).to_string();
        if self.key == "Enter" {
            return;
        }
        if !self.text.is_empty() {
            self.text.clone_from(&shifted);
        }
        self.key = shifted;
    }
}

/// What is held, as one number.
pub(super) fn bit(modifier: Modifier) -> u8 {
    match modifier {
        Modifier::Alt => 1,
        Modifier::Control => 2,
        Modifier::Meta => 4,
        Modifier::Shift => 8,
    }
}

#[cfg(test)]
mod tests {
    use legwork_types::KEY_NAMES;

    use super::*;

    fn events(chord: &str) -> Vec<String> {
        let stroke = Stroke::of(&Chord::parse(chord).unwrap());
        stroke
            .events()
            .iter()
            .map(|event| {
                let DispatchKeyEvent { kind, modifiers, key, code, windows_virtual_key_code, text, .. } =
                    event.command();
                format!("{kind} {key} {code} {windows_virtual_key_code} {modifiers} {text:?}")
            })
            .collect()
    }

    #[test]
    fn every_key_that_has_a_name_is_known() {
        for name in KEY_NAMES {
            assert!(matches!(Stroke::named(name), Stroke::Key(..)), "{name}");
        }
        for character in ' '..='~' {
            assert!(Key::writing(character).is_some(), "{character}");
        }
    }

    #[test]
    fn a_character_holds_shift_where_it_must() {
        assert_eq!(events("a"), [r#"keyDown a KeyA 65 0 "a""#, r#"keyUp a KeyA 65 0 """#]);
        let shift = (r#"rawKeyDown Shift ShiftLeft 16 8 """#, r#"keyUp Shift ShiftLeft 16 0 """#);
        for chord in ["A", "Shift+a", "Shift+A"] {
            let key = (r#"keyDown A KeyA 65 8 "A""#, r#"keyUp A KeyA 65 8 """#);
            assert_eq!(events(chord), [shift.0, key.0, key.1, shift.1], "{chord}");
        }
        assert_eq!(events("?")[1], r#"keyDown ? Slash 191 8 "?""#);
        assert_eq!(events("Shift+1")[1], r#"keyDown ! Digit1 49 8 "!""#);
    }

    #[test]
    fn a_shortcut_writes_nothing() {
        let expected = [
            r#"rawKeyDown Control ControlLeft 17 2 """#,
            r#"rawKeyDown a KeyA 65 2 """#,
            r#"keyUp a KeyA 65 2 """#,
            r#"keyUp Control ControlLeft 17 0 """#,
        ];
        assert_eq!(events("Control+a"), expected);
        assert_eq!(events("Control+A"), expected);
        assert_eq!(events("Control+Shift+a")[2], r#"rawKeyDown A KeyA 65 10 """#);
        assert_eq!(events("Control+?")[2], r#"rawKeyDown ? Slash 191 10 """#);
    }

    #[test]
    fn enter_writes_a_new_line_and_letters_of_no_key_stay_together() {
        assert_eq!(events("Enter")[0], r#"keyDown Enter Enter 13 0 "\r""#);
        assert_eq!(events("Shift+Enter")[1], r#"keyDown Enter Enter 13 8 "\r""#);
        let strokes = Stroke::typing("aé👍🏽\r\nb");
        assert_eq!(strokes[1], Stroke::Letters("é👍🏽".into()));
        assert_eq!(strokes[2], Stroke::named("Enter"));
        assert_eq!(strokes.len(), 4);
        assert_eq!(Stroke::of(&Chord::parse("é").unwrap()), Stroke::Letters("é".into()));
    }
}
