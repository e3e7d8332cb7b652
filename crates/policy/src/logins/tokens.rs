//! Which values of a login must be seen nowhere: those that whoever has them is logged in with. Words, dates and settings, of which
//! browsers keep many, stand on every page: to mask them would hide nothing and spoil much.

use serde_json::Value;

use super::{Cookie, SavedState};
use crate::secrets::{SecretText, fit};

/// The most values that are hidden for one login.
const MOST: usize = 64;
/// A value of more bytes than this is found by its beginning.
const LONGEST: usize = 4_096;
/// The letters of that beginning: without them nobody has the value.
const BEGINNING: usize = 256;
/// The fewest letters of what looks like a key; fewer where a site keeps it from scripts.
const SHORTEST: usize = 16;
const SHORTEST_KEPT_FROM_SCRIPTS: usize = 8;
/// The fewest letters among them that differ.
const FEWEST_DIFFERENT: usize = 6;

/// The values of a login that must be seen nowhere, those that are kept from scripts first.
pub fn worth_hiding(state: &SavedState) -> Vec<SecretText> {
    let (kept, open): (Vec<&Cookie>, Vec<&Cookie>) =
        state.cookies.iter().partition(|cookie| cookie.http_only);
    let mut found = Found(vec![]);
    kept.iter().for_each(|cookie| found.look_at(cookie.value.expose(), SHORTEST_KEPT_FROM_SCRIPTS));
    open.iter().for_each(|cookie| found.look_at(cookie.value.expose(), SHORTEST));
    for item in state.storage.iter().flat_map(|storage| storage.items.values()) {
        found.look_at(item.0.expose(), SHORTEST);
    }
    found.0
}

struct Found(Vec<SecretText>);

impl Found {
    /// A value as it is, as it is without the encoding of addresses, and what it holds if it is written for programs.
    fn look_at(&mut self, value: &str, shortest: usize) {
        self.add(value, shortest);
        let plain = unescaped(value);
        if plain != value {
            self.add(&plain, shortest);
        }
        if let Ok(json @ (Value::Object(_) | Value::Array(_) | Value::String(_))) =
            serde_json::from_str(&plain)
        {
            self.look_into(&json, shortest);
        }
    }

    fn look_into(&mut self, json: &Value, shortest: usize) {
        match json {
            Value::String(text) => self.add(text, shortest),
            Value::Array(values) => values.iter().for_each(|value| self.look_into(value, shortest)),
            Value::Object(values) => values.values().for_each(|value| self.look_into(value, shortest)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn add(&mut self, value: &str, shortest: usize) {
        let value = if value.len() > LONGEST { beginning(value) } else { value };
        if self.0.len() >= MOST || !looks_like_a_key(value, shortest) {
            return;
        }
        if let Ok(value) = fit(&value.into())
            && !self.0.contains(&value)
        {
            self.0.push(value);
        }
    }
}

fn beginning(value: &str) -> &str {
    let end = value.char_indices().nth(BEGINNING).map_or(value.len(), |(at, _)| at);
    value.get(..end).unwrap_or(value)
}

/// Whether nobody would write it by hand: one long word of letters and digits.
fn looks_like_a_key(value: &str, shortest: usize) -> bool {
    let count = |test: fn(char) -> bool| value.chars().filter(|c| test(*c)).count();
    let (letters, digits) = (count(char::is_alphabetic), count(|c| c.is_ascii_digit()));
    let different: std::collections::BTreeSet<char> = value.chars().collect();
    let is_one_word = !value.contains(char::is_whitespace) && !value.contains("://");
    // Dates have two letters at most, and measures of screens one.
    is_one_word
        && letters + digits >= shortest
        && letters >= 3
        && digits >= 1
        && different.len() >= FEWEST_DIFFERENT
}

/// The value without the encoding of addresses.
fn unescaped(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let pair = after.get(..2).and_then(|pair| str::from_utf8(pair).ok());
        match pair.filter(|_| *first == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logins::{Storage, state::Item};

    fn hidden(cookies: &[(&str, bool)], items: &[&str]) -> Vec<String> {
        let cookie = |(value, http_only): &(&str, bool)| Cookie {
            value: (*value).into(),
            http_only: *http_only,
            ..Cookie::default()
        };
        let items = items.iter().enumerate().map(|(at, value)| (at.to_string(), Item((*value).into())));
        let state = SavedState {
            cookies: cookies.iter().map(cookie).collect(),
            storage: vec![Storage { origin: String::new(), items: items.collect() }],
        };
        worth_hiding(&state).iter().map(|value| value.expose().to_owned()).collect()
    }

    #[test]
    fn keys_are_hidden_and_words_are_not() {
        for key in [
            "4f1c9a02be77d1540e",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig",
            "550e8400-e29b-41d4-a716-446655440000",
        ] {
            assert_eq!(hidden(&[(key, false)], &[]), [key]);
            assert_eq!(hidden(&[], &[key]), [key]);
        }
        for word in [
            "",
            "dark",
            "en-US",
            "dark-mode-with-contrast",
            "2026-11-17T03:48:08Z",
            "1763351288123456789",
            "EUR",
            "1280x720",
            "https://shop.example/path-1/and-some-more",
            "Ada Lovelace lives at 12 Grove Street",
            "aaaaaaaaaaaaaaaaaaaa1",
        ] {
            assert!(hidden(&[(word, false)], &[word]).is_empty(), "{word}");
        }
        assert_eq!(hidden(&[("k3y4you22", true)], &[]), ["k3y4you22"], "kept from scripts");
        assert!(hidden(&[("k3y4you22", false)], &[]).is_empty());
    }

    #[test]
    fn keys_within_what_is_written_for_programs_are_found() {
        let json = r#"{"user":"Ada","auth":{"token":"4f1c9a02be77d1540e"},"list":["9e8d7c6b5a4f3e2d1c"]}"#;
        assert!(hidden(&[], &[json]).contains(&"4f1c9a02be77d1540e".to_owned()));
        assert!(hidden(&[], &[json]).contains(&"9e8d7c6b5a4f3e2d1c".to_owned()));
        assert!(
            hidden(&[("s%3A4f1c9a02be77d1540e", true)], &[]).contains(&"s:4f1c9a02be77d1540e".to_owned())
        );
        assert_eq!(hidden(&[], &["\"4f1c9a02be77d1540e\""]).len(), 2, "with and without quotes");
    }

    #[test]
    fn what_is_too_long_to_be_a_secret_is_hidden_by_its_beginning() {
        let long = "4f1c9a02be77d1540e".repeat(1_000);
        assert_eq!(hidden(&[(&long, true)], &[]), [&long[..BEGINNING]]);
        assert_eq!(hidden(&[], &[&long]), [&long[..BEGINNING]]);
        let prose = "12 words that stand on a page ".repeat(1_000);
        assert!(hidden(&[(&prose, true)], &[&prose]).is_empty());
        // What is in it is found however much stands around it.
        let json = format!(r#"{{"text":"{prose}","token":"9e8d7c6b5a4f3e2d1c"}}"#);
        assert_eq!(hidden(&[], &[&json]), ["9e8d7c6b5a4f3e2d1c"]);
    }

    #[test]
    fn no_more_than_so_many_are_hidden() {
        let many: Vec<String> = (0..500).map(|n| format!("k3y-of-a-session-{n:08}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(hidden(&[], &many).len(), MOST);
    }
}
