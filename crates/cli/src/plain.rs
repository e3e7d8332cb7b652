//! Makes text that others wrote harmless for a terminal: nothing in it can move the cursor or turn the reading order.

use std::fmt::Write as _;

/// The text with every character escaped that a terminal would obey instead of show.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if commands(c) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
            }
            c => shown.push(c),
        }
    }
    shown
}

/// The same for finished JSON: such characters stand only inside its strings, where JSON has an escape for them.
pub(crate) fn plain_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        if commands(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Control characters (C0, DEL, C1), marks of reading order, line separators, and what is invisible but not empty.
fn commands(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        for (text, shown) in [
            ("plain — ünï 日本 👩‍👩‍👧", "plain — ünï 日本 👩‍👩‍👧"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\nb\r\tc\0", "a\\nb\\r\\tc\\u{0}"),
            ("\u{202e}gpj.exe\u{2066}", "\\u{202e}gpj.exe\\u{2066}"),
            ("\u{7f}\u{e0041}", "\\u{7f}\\u{e0041}"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({ "title": "\u{9b}2J\u{202e}\u{e0041}\u{1b} ü" });
        let shown = plain_json(&value.to_string());
        assert!(!shown.chars().any(commands), "{shown:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
