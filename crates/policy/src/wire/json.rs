//! JSON as a flat list of fields. Names that come twice stay twice, numbers stay as they are written.

use serde_json::value::RawValue;

use super::decoded::{DEEPEST, MOST_FIELDS, Opaque};

/// A list or an object that is being read.
struct Level {
    /// How long the way to it is.
    stem: usize,
    /// Which entry of a list is read; none for an object.
    entry: Option<usize>,
    empty: bool,
}

/// Every value with the way to it.
pub(super) fn flatten(text: &str) -> Result<Vec<(String, String)>, Opaque> {
    // From here on it is known to be JSON: the walk only has to find its way.
    serde_json::from_str::<&RawValue>(text).map_err(|_| Opaque::Broken)?;
    Walk { text, at: 0, way: String::new(), levels: Vec::new(), found: Vec::new(), size: 0 }.run()
}

/// How a text of JSON is built, without what it holds: a number that becomes a text, or a name with a dot that becomes two names, is told
/// from what was there before, though the list of fields is the same.
pub(super) fn build(text: &str) -> String {
    let mut built = String::new();
    let mut rest = text.bytes();
    let mut is_bare = false;
    while let Some(byte) = rest.next() {
        let begins_bare = !is_bare;
        is_bare = false;
        match byte {
            b'"' => {
                while let Some(byte) = rest.next().filter(|byte| *byte != b'"') {
                    if byte == b'\\' {
                        rest.next();
                    }
                }
                built.push('"');
            }
            b'{' | b'}' | b'[' | b']' | b',' | b':' => built.push(byte as char),
            _ if byte.is_ascii_whitespace() => {}
            _ => {
                if begins_bare {
                    built.push(if byte.is_ascii_alphabetic() { byte as char } else { '0' });
                }
                is_bare = true;
            }
        }
    }
    built
}

/// Whether a text is an object or a list of JSON.
pub(super) fn is_structure(text: &str) -> bool {
    let begins = text.trim_start().starts_with(['{', '[']);
    begins && serde_json::from_str::<&RawValue>(text).is_ok()
}

struct Walk<'t> {
    text: &'t str,
    at: usize,
    way: String,
    levels: Vec<Level>,
    found: Vec<(String, String)>,
    /// How many bytes all ways have together.
    size: usize,
}

/// How much longer than the text itself, four times over, all ways together may be: long names many levels deep are told again for each
/// value.
const LONGEST_WAYS: usize = 64 << 10;

impl<'t> Walk<'t> {
    fn run(mut self) -> Result<Vec<(String, String)>, Opaque> {
        loop {
            self.skip_space();
            let Some(next) = self.peek() else { break };
            match next {
                b'{' | b'[' => self.open(next)?,
                b'}' | b']' => self.close()?,
                b',' | b':' => self.at += 1,
                b'"' if self.expects_name() => {
                    let name = self.string()?;
                    self.step(&name);
                    self.skip_space();
                    self.at += 1;
                    continue;
                }
                b'"' => {
                    self.enter();
                    let value = self.string()?;
                    self.leaf(value)?;
                }
                _ => {
                    self.enter();
                    let value = self.bare();
                    self.leaf(value)?;
                }
            }
        }
        Ok(self.found)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Whether the next text is a name: within an object, and no name waits for its value.
    fn expects_name(&self) -> bool {
        self.levels.last().is_some_and(|level| level.entry.is_none() && self.way.len() == level.stem)
    }

    /// One more step of the way.
    fn step(&mut self, name: &str) {
        if !self.way.is_empty() {
            self.way.push('.');
        }
        // An empty name must leave a trace.
        self.way.push_str(if name.is_empty() { "\"\"" } else { name });
        if let Some(level) = self.levels.last_mut() {
            level.empty = false;
        }
    }

    /// The way to a value: within a list its place there.
    fn enter(&mut self) {
        let Some(level) = self.levels.last_mut() else { return };
        if let Some(entry) = level.entry.as_mut() {
            let place = *entry;
            *entry += 1;
            let stem = level.stem;
            self.way.truncate(stem);
            self.step(&place.to_string());
        }
    }

    /// Back to where the list or object is.
    fn leave(&mut self) {
        self.way.truncate(self.levels.last().map_or(0, |level| level.stem));
    }

    fn leaf(&mut self, value: String) -> Result<(), Opaque> {
        self.size += self.way.len();
        if self.found.len() >= MOST_FIELDS || self.size > self.text.len() * 4 + LONGEST_WAYS {
            return Err(Opaque::TooLarge);
        }
        self.found.push((self.way.clone(), value));
        self.leave();
        Ok(())
    }

    fn open(&mut self, bracket: u8) -> Result<(), Opaque> {
        self.enter();
        if self.levels.len() >= DEEPEST {
            return Err(Opaque::TooLarge);
        }
        let entry = (bracket == b'[').then_some(0);
        self.levels.push(Level { stem: self.way.len(), entry, empty: true });
        self.at += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Opaque> {
        self.at += 1;
        let Some(level) = self.levels.pop() else { return Err(Opaque::Broken) };
        self.way.truncate(level.stem);
        if level.empty {
            return self.leaf(if level.entry.is_some() { "[]" } else { "{}" }.to_owned());
        }
        self.leave();
        Ok(())
    }

    /// A text with its quotes and escapes undone.
    fn string(&mut self) -> Result<String, Opaque> {
        let begin = self.at;
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += match byte {
                b'\\' => 2,
                b'"' => break,
                _ => 1,
            };
        }
        self.at += 1;
        let quoted = self.text.get(begin..self.at).ok_or(Opaque::Broken)?;
        serde_json::from_str(quoted).map_err(|_| Opaque::Broken)
    }

    /// A number, true, false or null.
    fn bare(&mut self) -> String {
        let begin = self.at;
        while self
            .peek()
            .is_some_and(|byte| !matches!(byte, b',' | b']' | b'}' | b':') && !byte.is_ascii_whitespace())
        {
            self.at += 1;
        }
        // Never stays where it is.
        self.at = self.at.max(begin + 1);
        self.text.get(begin..self.at).unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = flatten(text).unwrap();
        let found: Vec<_> = found.iter().map(|(way, value)| (way.as_str(), value.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn every_value_has_its_way() {
        check("5", &[("", "5")]);
        check("\"a\"", &[("", "a")]);
        check("[]", &[("", "[]")]);
        check(r#"{"a":1}"#, &[("a", "1")]);
        check(r#"{"a":1,"a":2.50}"#, &[("a", "1"), ("a", "2.50")]);
        check(
            r#"{"a":{"b":[1,{"c":"x"},[]]},"d":{}}"#,
            &[("a.b.0", "1"), ("a.b.1.c", "x"), ("a.b.2", "[]"), ("d", "{}")],
        );
        check(r#"{"":1,"x":{"":true}}"#, &[("\"\"", "1"), ("x.\"\"", "true")]);
        check(r#" [ "q\"" , null , {"k" : "\u0061" } ] "#, &[("0", "q\""), ("1", "null"), ("2.k", "a")]);
    }

    #[test]
    fn texts_are_built_alike_or_not() {
        for (one, other, same) in [
            (r#"{"a":1}"#, r#"{ "a" : 23.5 }"#, true),
            (r#"{"a":"x\"{"}"#, r#"{"a":"y"}"#, true),
            (r#"{"a":1}"#, r#"{"a":"1"}"#, false),
            (r#"{"a":false}"#, r#"{"a":"false"}"#, false),
            (r#"{"a":null}"#, r#"{"a":"null"}"#, false),
            (r#"{"a":{"b":1}}"#, r#"{"a.b":1}"#, false),
            (r#"{"a":[1]}"#, r#"{"a":{"0":1}}"#, false),
            (r#"{"a":[]}"#, r#"{"a":"[]"}"#, false),
        ] {
            assert_eq!(build(one) == build(other), same, "{one} {other}");
        }
    }

    #[test]
    fn what_is_too_deep_or_broken_is_not_read() {
        assert_eq!(flatten(&format!("{}{}", "[".repeat(65), "]".repeat(65))), Err(Opaque::TooLarge));
        assert!(flatten(&format!("{}{}", "[".repeat(64), "]".repeat(64))).is_ok());
        assert_eq!(flatten(&format!("[{}1]", "1,".repeat(2_000))), Err(Opaque::TooLarge));
        for broken in ["", "{", "{\"a\"}", "[1,]", "{}{}", "\"\\ud800\"", "nul"] {
            assert_eq!(flatten(broken), Err(Opaque::Broken), "{broken}");
        }
    }
}
