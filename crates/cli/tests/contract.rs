//! The JSON of a whole observation, field by field: a change of the contract shows as a change of the expected file.

use std::{fs, path::Path};

use crate::support::Legwork;
use legwork_testkit::Site;
use serde_json::Value;

/// Replaces what is different in each run by what it looks like; that it does is checked on the way.
fn mask(value: &mut Value, key: &str, port: &str) {
    match value {
        Value::Object(fields) => fields.iter_mut().for_each(|(key, value)| mask(value, key, port)),
        Value::Array(entries) => entries.iter_mut().for_each(|entry| mask(entry, key, port)),
        Value::String(text) => {
            let form = match key {
                "observationId" => masked(text, "o", |rest| rest.chars().all(|digit| digit.is_ascii_digit())),
                "sessionId" => masked(text, "s", |rest| rest.chars().all(|digit| digit.is_ascii_digit())),
                "createdAt" => masked(text, "", |time| time.len() >= 20 && time.ends_with('Z')),
                "fingerprint" => masked(text, "", |digits| {
                    digits.len() == 16 && digits.chars().all(|digit| digit.is_ascii_hexdigit())
                }),
                _ => text.replace(port, "PORT"),
            };
            *text = form;
        }
        _ => {}
    }
}

#[track_caller]
fn masked(text: &str, start: &str, holds: impl Fn(&str) -> bool) -> String {
    assert!(text.strip_prefix(start).is_some_and(|rest| !rest.is_empty() && holds(rest)), "{text}");
    format!("{start}…")
}

#[test]
fn an_observation_has_exactly_the_fields_of_the_contract() {
    let site = Site::builder()
        .page("/every-field", include_str!("pages/contract.html"))
        .page("/inner", "<!doctype html><style>*{margin:0}</style><button style='width:80px;height:20px'>Zoom in</button>")
        .start_blocking();
    let legwork = Legwork::new();
    let url = site.url("/every-field");
    let ran = legwork.run(&["observe", &url, "--json", "--boxes", "--text"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut observation = ran.json();
    mask(&mut observation, "", &site.port().to_string());
    let shown = serde_json::to_string_pretty(&observation).unwrap() + "\n";

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected/observation.json");
    let expected = fs::read_to_string(&file).unwrap_or_default();
    if shown != expected {
        let seen = Path::new(env!("CARGO_TARGET_TMPDIR")).join("observation.json");
        fs::write(&seen, &shown).unwrap();
        let (seen, file) = (seen.display(), file.display());
        panic!(
            "the observation is not as expected; see: diff {file} {seen}\nif that is meant: cp {seen} {file}"
        );
    }
}
