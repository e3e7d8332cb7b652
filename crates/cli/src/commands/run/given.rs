//! What is given to an errand on the command line, read.

use std::{path::Path, str::FromStr};

use legwork_runtime::errands::{Indicator, MicroUsd, fits_schema};
use legwork_types::{Code, Problem};
use serde_json::Value;

use crate::plain::plain;

/// The largest schema, in bytes: it is sent with every turn.
const LARGEST_SCHEMA: usize = 64 << 10;

/// Something that the errand needs.
#[derive(Debug, Clone)]
pub(crate) struct Datum(pub(crate) String, pub(crate) String);

impl FromStr for Datum {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
        let (name, value) = named.ok_or("write NAME=VALUE, for example email=ada@example.com")?;
        Ok(Self(name.trim().to_owned(), value.to_owned()))
    }
}

/// A sum of money.
pub(crate) fn budget(text: &str) -> Result<MicroUsd, String> {
    let dollars = text.trim_start_matches('$').parse::<f64>().ok();
    let fits = dollars.filter(|dollars| dollars.is_finite() && *dollars > 0.0 && *dollars <= 10_000.0);
    fits.map(MicroUsd::of_dollars).ok_or_else(|| "write US dollars, for example 2.50".to_owned())
}

/// A sign on a page.
pub(super) fn sign(text: &str) -> Result<Indicator, String> {
    let (kind, words) = text.split_once(':').unwrap_or((text, ""));
    let words = words.trim().to_owned();
    match kind {
        _ if words.is_empty() => Err("write text:WORDS, title:WORDS or url:PART".to_owned()),
        "text" => Ok(Indicator::Text(words)),
        "title" => Ok(Indicator::Title(words)),
        "url" => Ok(Indicator::Url(words)),
        _ => Err("write text:WORDS, title:WORDS or url:PART".to_owned()),
    }
}

/// The schema in a file, if it is one.
pub(super) fn schema(path: &Path) -> Result<Value, Problem> {
    let refuse = |why: String| {
        let message = format!("{} holds no JSON Schema", plain(&path.display().to_string()));
        Problem::new(Code::Usage, message, "write one, for example {\"type\": \"object\", …}").because(why)
    };
    let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    if text.len() > LARGEST_SCHEMA {
        return Err(refuse(format!("it is larger than {LARGEST_SCHEMA} bytes")));
    }
    let schema: Value = serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))?;
    if !schema.is_object() {
        return Err(refuse("it is no object".to_owned()));
    }
    // Whether anything fits is for later; one that is no schema is told now.
    match fits_schema(&Value::Null, &schema) {
        Err(why) if why.starts_with("the schema") => Err(refuse(why)),
        _ => Ok(schema),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_one_or_refused_before_anything_is_paid_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("schema.json");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            schema(&file)
        };
        assert!(read(r#"{"type": "object", "properties": {"price": {"type": "number"}}}"#).is_ok());
        for none in ["", "7", "{", r#"{"type": "thing"}"#, r#"{"$ref": "https://elsewhere.example/x"}"#] {
            assert_eq!(read(none).unwrap_err().code, Code::Usage, "{none}");
        }
        assert!(schema(&folder.path().join("none")).is_err());
    }
}
