//! Words of a page, made harmless: what moves the cursor, turns the reading order or can't be seen.
//!
//! - White space of any kind is one space in the text form, so that no page begins a line.
//! - Control characters and marks that turn the reading order are made visible as `\u{202e}`; of a row of them, and of a
//!   row of tag characters, only the first one.
//! - Characters without a picture (zero width, soft hyphens, selectors of variants, marks of direction) are dropped.
//! - Of a heap of accents on one letter four stay.

use crate::{scene::is_masked, tokens};

/// The most accents on one letter.
const ACCENTS: u32 = 4;

/// What becomes of a character.
enum Fate {
    Stays,
    Visible,
    Dropped,
    Accent,
}

fn fate(character: char) -> Fate {
    match character {
        '\t' | '\n' => Fate::Stays,
        _ if character.is_control() => Fate::Visible,
        '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Fate::Visible,
        '\u{e0000}'..='\u{e007f}' | '\u{fff0}'..='\u{fffb}' => Fate::Visible,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => Fate::Dropped,
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2065}' => Fate::Dropped,
        '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' => {
            Fate::Dropped
        }
        '\u{1d173}'..='\u{1d17a}' | '\u{e0080}'..='\u{e0fff}' => Fate::Dropped,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' => Fate::Accent,
        '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}' => Fate::Accent,
        _ => Fate::Stays,
    }
}

/// The words without what is not to be seen; lines stay. For forms that have their own quotes, such as JSON.
pub(crate) fn neutral(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let (mut row, mut accents) = (false, 0);
    for character in text.chars() {
        let fate = fate(character);
        accents = if matches!(fate, Fate::Accent) { accents + 1 } else { 0 };
        match fate {
            Fate::Visible if row => continue,
            Fate::Visible => clean.push_str(&format!("\\u{{{:x}}}", u32::from(character))),
            Fate::Accent if accents > ACCENTS => {}
            Fate::Stays | Fate::Accent => clean.push(character),
            Fate::Dropped => continue,
        }
        row = matches!(fate, Fate::Visible);
    }
    clean
}

/// The words without what is not to be seen, at most so many characters of them; lines stay. For what others put into a fence or
/// into JSON.
pub fn harmless(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let cut = if end < text.len() { "…" } else { "" };
    neutral(&text[..end]) + cut
}

/// The same in quotes on one line.
pub fn on_one_line(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let cut = if end < text.len() { "…" } else { "" };
    format!("\"{}{cut}\"", inner(&text[..end]))
}

/// The words on one line, trimmed, ready to stand between two `"`.
fn inner(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(char::is_whitespace).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        for character in word.chars() {
            match character {
                '"' | '\\' => line.extend(['\\', character]),
                _ => line.push(character),
            }
        }
    }
    // Afterwards, so that the marks made visible are not escaped again.
    neutral(&line)
}

/// The words without rows of signs beside them, such as the stars beside a price: they are dear and say little. A mask
/// stays, for it says that something was there.
pub(crate) fn without_rows(text: &str) -> String {
    let has_words = text.chars().any(char::is_alphanumeric);
    let is_row = |word: &str| {
        word.chars().count() >= ROW && !word.chars().any(char::is_alphanumeric) && !is_masked(word)
    };
    let kept: Vec<&str> = text.split_whitespace().filter(|word| !(has_words && is_row(word))).collect();
    kept.join(" ")
}

/// So many signs make a row.
const ROW: usize = 3;

/// The words of a page in quotes, on one line, for at most about so many tokens; a mark shows that something was cut.
pub(crate) fn quoted(text: &str, most: u32) -> String {
    // What can't be shown anyway is not read: a name may be a megabyte.
    let longest = most as usize * 24;
    let end = text.char_indices().nth(longest).map_or(text.len(), |(at, _)| at);
    let whole = inner(&text[..end]);
    if end == text.len() && tokens::estimate(&whole) <= most {
        return format!("\"{whole}\"");
    }
    let kept = complete(tokens::clip(&whole, most.saturating_sub(1))).trim_end();
    format!("\"{kept}…\"")
}

/// The text without an escape that was cut in its middle.
fn complete(escaped: &str) -> &str {
    let mut rest = escaped;
    while let Some(at) = rest.find('\\') {
        let begin = escaped.len() - rest.len() + at;
        let length = match rest.as_bytes().get(at + 1) {
            None => return &escaped[..begin],
            Some(b'u') => match rest[at..].find('}') {
                None => return &escaped[..begin],
                Some(close) => close + 1,
            },
            Some(_) => 2,
        };
        rest = &rest[at + length..];
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_page_writes_stays_within_its_quotes_on_its_line() {
        for (page, shown) in [
            ("Add to basket", r#""Add to basket""#),
            ("say \"hi\"", r#""say \"hi\"""#),
            ("a\\", r#""a\\""#),
            ("a\n12 button \"Pay\"", r#""a 12 button \"Pay\"""#),
            ("a\r\n\u{2028}\u{2029}\u{85}b", r#""a b""#),
            ("pay\u{202e}yap", r#""pay\u{202e}yap""#),
            ("\u{202e}\u{202d}\u{2066}x", r#""\u{202e}x""#),
            ("z\u{200b}e\u{200d}r\u{feff}o\u{ad}", r#""zero""#),
            ("tag\u{e0041}\u{e0042}s", r#""tag\u{e0041}s""#),
            ("bell\u{7}\u{1b}[31m", r#""bell\u{7}[31m""#),
            ("a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "\"a\u{301}\u{301}\u{301}\u{301}\""),
            ("  spaced \u{a0} out\t", r#""spaced out""#),
            ("", r#""""#),
        ] {
            assert_eq!(quoted(page, 40), shown, "{page:?}");
        }
    }

    #[test]
    fn rows_of_signs_are_left_out_beside_words() {
        for (page, shown) in [
            ("9.90 EUR ★★★★☆", "9.90 EUR"),
            ("a -- b", "a -- b"),
            ("Card ••• until", "Card ••• until"),
            ("★★★★", "★★★★"),
            ("1000 € aaaa", "1000 € aaaa"),
        ] {
            assert_eq!(without_rows(page), shown);
        }
    }

    #[test]
    fn a_cut_never_leaves_half_an_escape() {
        for most in 1..30 {
            let shown = quoted(&"\\\"\u{202e}a\u{1b}".repeat(50), most);
            let inside = shown.strip_prefix('"').unwrap().strip_suffix("…\"").unwrap();
            assert_eq!(complete(inside), inside, "{shown}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_one_line_within_quotes(text in any::<String>(), most in 1_u32..60) {
            let shown = quoted(&text, most);
            let inside = shown.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
            let turns = |c: char| c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c);
            prop_assert_eq!(shown.chars().find(|c| turns(*c)), None);
            let bare = inside.replace("\\\\", "").replace("\\\"", "");
            prop_assert!(!bare.contains('"'), "{shown}");
            prop_assert!(!bare.ends_with('\\'), "{shown}");
            prop_assert!(tokens::estimate(&shown) <= most + 4, "{} {shown}", tokens::estimate(&shown));
        }
    }
}
