//! Text of others on one line, in which everything can be seen: nothing hides, turns the reading order or runs on for ever. Pure.

use std::fmt::Write;

/// The text with every character written out that could not be seen, and cut where it is too long, which it says.
pub fn visible(text: &str, most: usize) -> String {
    let mut seen = String::new();
    for c in text.chars().take(most) {
        match c {
            '\n' => seen.push_str("\\n"),
            '\r' => seen.push_str("\\r"),
            '\t' => seen.push_str("\\t"),
            c if hides(c) => {
                let _ = write!(seen, "\\u{{{:x}}}", u32::from(c));
            }
            c => seen.push(c),
        }
    }
    let count = text.chars().count();
    if count > most {
        let _ = write!(seen, "… ({count} characters)");
    }
    seen
}

/// Control characters, marks of reading order, what is drawn as nothing, and blanks that are none.
pub(crate) fn hides(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_can_be_seen() {
        for (text, seen) in [
            ("Pay €10.00 — ünï 日本", "Pay €10.00 — ünï 日本"),
            ("a\r\n\tb\u{0}", "a\\r\\n\\tb\\u{0}"),
            ("\u{202e}gpj.exe\u{2066}", "\\u{202e}gpj.exe\\u{2066}"),
            ("pay\u{200b}pal\u{ad}\u{3164}\u{a0}", "pay\\u{200b}pal\\u{ad}\\u{3164}\\u{a0}"),
        ] {
            assert_eq!(visible(text, 100), seen);
            assert_eq!(visible(seen, 100), seen, "once is enough");
        }
        assert_eq!(visible(&"x".repeat(10_000), 3), "xxx… (10000 characters)");
    }
}
