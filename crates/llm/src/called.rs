//! What a tool was called with: JSON that everybody can read who gets to see it. Pure.

use serde_json::{Value, json, value::RawValue};

use crate::error::BadAnswer;

/// The deepest that it may be nested. Readers go down a hundred levels or so, and in a request it stands some levels deep already.
const DEEPEST: usize = 64;

/// What a tool was called with, or the text of it where that can't be read, here or by the vendor that gets it back: what is no JSON at
/// all, what is nested without end, halves of characters.
pub(crate) fn called_with(text: String) -> Result<Box<RawValue>, String> {
    match is_readable(&text) {
        true => RawValue::from_string(text.clone()).map_err(|_| text),
        false => Err(text),
    }
}

/// Whether this is JSON that everybody can read.
pub(crate) fn is_readable(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|value| depth(&value) <= DEEPEST)
}

/// What goes back in the place of something that can't be read.
pub(crate) fn nothing() -> Result<Box<RawValue>, BadAnswer> {
    serde_json::value::to_raw_value(&json!({})).map_err(|error| BadAnswer::of(&error))
}

/// How deep a value is nested. Whoever read it went down no more than 128 levels.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> String {
        format!("{}{}", "[".repeat(levels), "]".repeat(levels))
    }

    #[test]
    fn what_everybody_reads_is_kept_to_the_byte() {
        for text in ["{}", r#"{"a":  1, "b": "\ud83d\ude00"}"#, "7", &nested(64)] {
            assert_eq!(called_with(text.to_owned()).unwrap().get(), text);
        }
    }

    #[test]
    fn what_somebody_could_not_read_is_told_as_text() {
        for text in [
            "",
            "{",
            r#"{"a":"\ud83d"}"#,
            r#"{"a":"\ude00\ud83d"}"#,
            r#"{"\ud83d":1}"#,
            "{\"a\":\"\u{1}\"}",
            &nested(65),
            &nested(100_000),
            &"[".repeat(100_000),
            &r#"{"a":"#.repeat(100_000),
        ] {
            assert_eq!(called_with(text.to_owned()).unwrap_err(), text);
        }
    }
}
