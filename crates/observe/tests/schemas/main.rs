//! The contract as JSON Schemas: they are the files of `docs/schema`, they describe what is really written, and they accept just
//! what is really read. With `EXPECT=write` in the environment the files are written; then the difference is to be read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
mod samples;
mod validator;

use std::{env, fs, path::PathBuf};

use common::{button, field, look, page};
use legwork_observe::Look;
use legwork_types::{
    Timestamp,
    contract::{ActRequest, Dialog, Observation, ObservationId, ObserveOptions, SessionId},
    schema,
};
use serde::Serialize;
use serde_json::{Value, json};
use validator::errors;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema")
}

fn all() -> [(&'static str, Value); 5] {
    [
        ("observation", schema::observation()),
        ("observe-options", schema::observe_options()),
        ("act-request", schema::act_request()),
        ("act-response", schema::act_response()),
        ("problem", schema::problem()),
    ]
}

#[test]
fn the_schemas_are_those_of_the_documentation() {
    for (name, schema) in all() {
        let file = folder().join(format!("{name}.schema.json"));
        let written = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if env::var("EXPECT").as_deref() == Ok("write") {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&file, &written).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            written == expected,
            "{file:?} is not the schema any more: run with EXPECT=write and read the difference"
        );
    }
}

/// What is written, as programs get it.
#[track_caller]
fn describes(schema: &Value, written: &impl Serialize) {
    let value = serde_json::to_value(written).unwrap();
    let errors = errors(schema, &value);
    assert!(errors.is_empty(), "{errors:#?} in {value:#}");
}

/// Looks at all recorded pages, with everything that can be asked for.
fn observations() -> Vec<Observation> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let options: ObserveOptions = serde_json::from_value(json!({
        "maxAffordances": 200, "includeHidden": true, "include": ["text", "boxes"],
    }))
    .unwrap();
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let observed =
        files.map(|text| look(&serde_json::from_str(&text).unwrap()).observe(&options, None).unwrap());
    let mut observations: Vec<Observation> = observed.collect();
    observations.push(the_difference());
    observations.push(the_last_known());
    observations
}

/// A look with a difference, and more than one part.
fn the_difference() -> Observation {
    let earlier = look(&page(vec![field("Name"), button("Gone"), button("Here")]).capture());
    let capture = page(vec![field("Name").value("Ada"), button("New"), button("Here")]).capture();
    let now = look(&capture);
    let options = serde_json::from_value(json!({ "since": "o1", "maxAffordances": 1 })).unwrap();
    let observation = now.observe(&options, Some(&earlier)).unwrap();
    let delta = observation.delta.as_ref().unwrap();
    assert!(!delta.added.is_empty() && !delta.removed.is_empty() && !delta.changed.is_empty());
    assert!(observation.next_cursor.is_some());
    observation
}

/// What is known of a page that can't be looked at.
fn the_last_known() -> Observation {
    let dialogs = vec![Dialog { kind: "confirm".into(), message: "Sure?".into() }];
    let (id, session) = (ObservationId("o2".into()), SessionId("s1".into()));
    let stale = Look::stale(&page(vec![]).scene(), dialogs, id, session, Timestamp::default());
    stale.observe(&ObserveOptions::default(), None).unwrap()
}

#[test]
fn observations_are_as_their_schema_says() {
    let schema = schema::observation();
    let observations = observations();
    assert!(observations.len() >= 11, "the recordings were not found");
    observations.iter().for_each(|observation| describes(&schema, observation));
}

#[test]
fn what_the_command_line_prints_is_as_the_schema_says() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/expected/observation.json");
    // Fingerprints are masked there.
    let text = fs::read_to_string(file)
        .unwrap()
        .replace("\"fingerprint\": \"…\"", "\"fingerprint\": \"0123456789abcdef\"");
    let printed: Value = serde_json::from_str(&text).unwrap();
    assert!(printed["affordances"].as_array().is_some_and(|all| all.len() > 10));
    describes(&schema::observation(), &printed);
}

#[test]
fn answers_and_problems_are_as_their_schemas_say() {
    let schema = schema::act_response();
    let responses = observations().iter().flat_map(samples::responses).collect::<Vec<_>>();
    responses.iter().for_each(|response| describes(&schema, response));
    let schema = schema::problem();
    samples::problems().iter().for_each(|problem| describes(&schema, problem));
}

#[test]
fn nothing_that_is_written_goes_beside_the_schema() {
    let spoilt = |change: fn(&mut Value)| {
        let mut value = serde_json::to_value(the_difference()).unwrap();
        change(&mut value);
        errors(&schema::observation(), &value)
    };
    assert_eq!(spoilt(|_| {}), [""; 0]);
    for change in [
        (|value| value["more"] = json!(1)) as fn(&mut Value),
        |value| value["schemaVersion"] = json!("0.2"),
        |value| value["text"] = json!(null),
        |value| value["page"]["loadState"] = json!("networkIdle"),
        |value| value["affordances"][0]["actionId"] = json!("1"),
        |value| value["affordances"][0]["fingerprint"] = json!("xyz"),
        |value| value["affordances"][0]["checked"] = json!("yes"),
        |value| value["delta"]["changed"][0]["now"]["risk"]["level"] = json!("none"),
        |value| {
            value.as_object_mut().unwrap().remove("hasMore");
        },
    ] {
        assert!(!spoilt(change).is_empty());
    }
}

#[test]
fn calls_are_read_just_as_their_schemas_say() {
    let (calls, questions) = (schema::act_request(), schema::observe_options());
    for call in samples::good_calls() {
        assert_eq!(errors(&calls, &call), [""; 0], "{call}");
        assert!(serde_json::from_value::<ActRequest>(call.clone()).is_ok(), "{call}");
    }
    for call in samples::bad_calls() {
        assert!(!errors(&calls, &call).is_empty(), "{call}");
        assert!(serde_json::from_value::<ActRequest>(call.clone()).is_err(), "{call}");
    }
    for options in samples::good_options() {
        assert_eq!(errors(&questions, &options), [""; 0], "{options}");
        assert!(serde_json::from_value::<ObserveOptions>(options.clone()).is_ok(), "{options}");
    }
    for options in samples::bad_options() {
        assert!(!errors(&questions, &options).is_empty(), "{options}");
        assert!(serde_json::from_value::<ObserveOptions>(options.clone()).is_err(), "{options}");
    }
}
