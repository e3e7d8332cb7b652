//! What a model is asked, read from any wire.

use serde_json::Value;

use super::VendorWire;

/// A request, as a script looks at it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The wire that it came on.
    pub wire: VendorWire,
    /// The model that is wanted.
    pub model: String,
    /// What the model is told before everything else.
    pub system: String,
    /// The names of what may be called.
    pub tools: Vec<String>,
    /// What has to be called: a name, or `any`.
    pub must_call: Option<String>,
    /// What was said so far.
    pub turns: Vec<Exchange>,
    /// How many pictures came along.
    pub pictures: usize,
    /// The request as it came.
    pub body: Value,
}

/// One turn of what was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Exchange {
    /// What the model was told; results of calls, too.
    Told(String),
    /// What the model said, and called: names and what with.
    Said(String, Vec<(String, Value)>),
}

impl Asked {
    /// What the model was told last, after it last said something.
    pub fn latest(&self) -> String {
        let since =
            self.turns.iter().rposition(|turn| matches!(turn, Exchange::Said(..))).map_or(0, |at| at + 1);
        let told = self.turns.iter().skip(since).filter_map(|turn| match turn {
            Exchange::Told(words) => Some(words.as_str()),
            Exchange::Said(..) => None,
        });
        told.collect::<Vec<_>>().join("\n")
    }

    /// Everything that the model was told, in order.
    pub fn told(&self) -> String {
        let told = self.turns.iter().filter_map(|turn| match turn {
            Exchange::Told(words) => Some(words.as_str()),
            Exchange::Said(..) => None,
        });
        told.collect::<Vec<_>>().join("\n")
    }

    /// Everything that the model called, in order.
    pub fn called(&self) -> Vec<(&str, &Value)> {
        let calls = self.turns.iter().filter_map(|turn| match turn {
            Exchange::Said(_, calls) => Some(calls),
            Exchange::Told(_) => None,
        });
        calls.flatten().map(|(name, input)| (name.as_str(), input)).collect()
    }

    /// Whether this may be called.
    pub fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }
}

/// Proves that something is what the vendor gave away, to the letter.
pub(super) fn signature(given: &str) -> String {
    let sum = given
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("EqQB{sum:016x}")
}

/// The text at a place of a JSON value; nothing where there is none.
pub(super) fn text<'a>(value: &'a Value, place: &str) -> &'a str {
    value.pointer(place).and_then(Value::as_str).unwrap_or_default()
}

/// The list at a place of a JSON value.
pub(super) fn list<'a>(value: &'a Value, place: &str) -> &'a [Value] {
    value.pointer(place).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}
