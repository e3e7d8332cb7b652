//! The goal of a service: a text with places that are filled with what the user gives.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// `Fill {subscription}, please.` Two braces stand for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Words(String),
    Datum(String),
}

impl Goal {
    /// Reads a goal, or says what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (mut parts, mut words, mut rest) = (Vec::new(), String::new(), text.trim());
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            words.push_str(before);
            rest = if let Some(behind) = from.strip_prefix("{{") {
                words.push('{');
                behind
            } else if let Some(behind) = from.strip_prefix("}}") {
                words.push('}');
                behind
            } else {
                let inside = from.strip_prefix('{').and_then(|from| from.split_once('}'));
                let (name, behind) =
                    inside.ok_or("a brace has no partner; write {{ or }} for a brace itself")?;
                if !is_datum(name) {
                    return Err(format!("{{{name}}} is no name of something that is given; write {{name}}"));
                }
                parts.push(Part::Words(std::mem::take(&mut words)));
                parts.push(Part::Datum(name.to_owned()));
                behind
            };
        }
        words.push_str(rest);
        parts.push(Part::Words(words));
        Ok(Self { text: text.trim().to_owned(), parts })
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What has to be given, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for part in &self.parts {
            match part {
                Part::Datum(name) if !names.contains(&name.as_str()) => names.push(name.as_str()),
                _ => {}
            }
        }
        names
    }

    /// The goal with what was given, or the name of what was not. What is given is not looked into again.
    pub(super) fn filled(&self, data: &BTreeMap<String, String>) -> Result<String, &str> {
        let fill = |part: &'_ Part| match part {
            Part::Words(words) => Ok(words.clone()),
            Part::Datum(name) => data.get(name).cloned().ok_or(name.clone()),
        };
        let missing = |name: String| self.names().into_iter().find(|own| *own == name).unwrap_or_default();
        self.parts.iter().map(fill).collect::<Result<String, String>>().map_err(missing)
    }
}

/// Whether something that is given may be called so.
pub(super) fn is_datum(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c))
}

impl Serialize for Goal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}
