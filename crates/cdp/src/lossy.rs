//! A string that a page may have written, read whatever it holds.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// Pages can put lone surrogates into titles, dialogs and names. A plain `String` would refuse the whole message for
/// it; this reads it and puts U+FFFD in their place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Lossy(pub String);

impl<'de> Deserialize<'de> for Lossy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Lossy;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Lossy, E> {
                Ok(Lossy(text.to_owned()))
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Lossy, E> {
                Ok(Lossy(String::from_utf8_lossy(bytes).into_owned()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        for (json, text) in [
            (r#""plain""#, "plain"),
            (r#""\ud83d\ude00""#, "😀"),
            (r#""a\ud800b""#, "a\u{fffd}\u{fffd}\u{fffd}b"),
            (r#""\udc00""#, "\u{fffd}\u{fffd}\u{fffd}"),
            (r#""a\u0000\n""#, "a\0\n"),
        ] {
            assert_eq!(serde_json::from_str::<Lossy>(json).unwrap().0, text, "{json}");
        }
        assert!(serde_json::from_str::<Lossy>("5").is_err());
    }
}
