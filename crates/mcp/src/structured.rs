//! The same answers for programs: the values of the contract as JSON, every word of a page made harmless.

use legwork_runtime::{Acted, Seen, SessionSummary, harmless, sanitised};
use legwork_types::{
    Problem,
    contract::{ObserveOptions, Tab},
};
use serde::Serialize;
use serde_json::{Value, json};

/// The most characters of one string of a receipt or an error.
const LONGEST: usize = 2_000;

/// An observation.
pub(crate) fn seen(seen: &Seen, options: &ObserveOptions) -> Result<Value, Problem> {
    let observation = seen.observation(options).map_err(|error| error.problem())?;
    Ok(value(&sanitised(&observation)))
}

/// What came of an act.
pub(crate) fn acted(acted: &Acted) -> Value {
    let mut response = acted.response();
    let next = response.next_observation.take();
    let mut json = clean(value(&response));
    json["nextObservation"] = next.map_or(Value::Null, |next| value(&sanitised(&next)));
    json
}

/// Why something was not done.
pub(crate) fn problem(problem: &Problem) -> Value {
    clean(json!({ "error": value(problem) }))
}

/// A text that a page wrote.
pub(crate) fn text(text: &str) -> Value {
    json!({ "text": harmless(text, usize::MAX) })
}

/// The tabs of a session.
pub(crate) fn tabs(tabs: &[Tab]) -> Value {
    clean(json!({ "tabs": value(&tabs) }))
}

/// The caller's sessions.
pub(crate) fn sessions(sessions: &[SessionSummary]) -> Value {
    let one = |session: &SessionSummary| json!({ "sessionId": session.session.0, "url": session.url, "idleSeconds": session.idle.as_secs() });
    clean(json!({ "sessions": sessions.iter().map(one).collect::<Vec<Value>>() }))
}

fn value(value: &impl Serialize) -> Value {
    // The types of the contract are made of texts, numbers and lists; they can't fail to be JSON.
    serde_json::to_value(value).unwrap_or_default()
}

fn clean(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(harmless(&text, LONGEST)),
        Value::Array(list) => Value::Array(list.into_iter().map(clean).collect()),
        Value::Object(object) => {
            Value::Object(object.into_iter().map(|(name, value)| (name, clean(value))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_string_is_made_harmless() {
        let page = json!({ "receipt": { "requests": [{ "path": "/a\u{202e}b\u{200b}" }] }, "count": 1 });
        let clean = clean(page);
        assert_eq!(clean["receipt"]["requests"][0]["path"], "/a\\u{202e}b");
        assert_eq!(clean["count"], 1);
    }
}
