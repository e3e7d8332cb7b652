//! What a model called, as it stands in what it said. There is not always a name for a call on this wire, and what came of it has to
//! be told with the name of the tool.

use legwork_types::model::Said;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Something that a model called.
#[derive(Deserialize)]
pub(crate) struct Call {
    /// The vendor's name for this call, where it has one.
    pub(crate) id: Option<String>,
    /// What was called.
    #[serde(default)]
    pub(crate) name: String,
    /// What with.
    pub(crate) args: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    function_call: Option<Call>,
}

/// All that was called in what a model said.
pub(super) fn made(said: &Said) -> Vec<Call> {
    let content: Content = serde_json::from_str(said.json()).unwrap_or(Content { parts: vec![] });
    content.parts.into_iter().filter_map(|part| part.function_call).collect()
}

/// The name of a call that its vendor gave none: of its answer, and its place in it.
pub(crate) fn named(answer: &str, index: usize) -> String {
    let answer = if answer.is_empty() { "call" } else { answer };
    format!("{answer}_{index}")
}

/// The place of the call with this name: the vendor's, or one that was made here.
pub(super) fn place_of(made: &[Call], id: &str) -> Option<usize> {
    let given = made.iter().position(|call| call.id.as_deref() == Some(id));
    let place = || id.rsplit_once('_')?.1.parse().ok();
    given.or_else(place).filter(|place| *place < made.len())
}
