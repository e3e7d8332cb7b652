//! Looks at real pages, recorded: each can be read, says the same when written again, and makes the observation that
//! stands under its name in `tests/expected`. With `EXPECT=write` in the environment what comes out is written there; then
//! the difference is to be read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{env, fs, path::PathBuf};

mod common;

use common::{look, read};
use legwork_observe::{
    PageCapture, Scene,
    capture::{FrameLook, NodeRef},
};
use legwork_types::contract::{Observation, ObserveOptions};
use serde_json::Value;

const MOST_BYTES: usize = 60_000;

fn fixtures() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// Every reference, with its node in the list that it names.
fn each_reference(look: &FrameLook) -> impl Iterator<Item = NodeRef> {
    let groups = look.groups.iter().flat_map(|group| &group.children);
    let controls = look.controls.iter().flat_map(|control| &control.children);
    look.roots.iter().chain(groups).chain(controls).copied()
}

#[test]
fn every_fixture_is_whole_and_small() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 9, "the fixtures were not found");
    for (name, text) in fixtures {
        assert!(text.len() <= MOST_BYTES, "{name} has {} bytes", text.len());
        let page: PageCapture = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = serde_json::to_string_pretty(&page).unwrap();
        assert_eq!(again, text.trim_end(), "{name} is written as it was read");
        assert!(!text.contains("127.0.0.1") && !text.contains("localhost"), "{name} names a machine");
        for frame in &page.frames {
            let look = &frame.look;
            for node in each_reference(look) {
                let (index, count) = match node {
                    NodeRef::Text(index) => (index, look.texts.len()),
                    NodeRef::Control(index) => (index, look.controls.len()),
                    NodeRef::Group(index) => (index, look.groups.len()),
                    NodeRef::Owner(index) => (index, look.owners.len()),
                };
                assert!((index as usize) < count, "{name}: {node:?} of {count}");
            }
        }
    }
}

#[test]
fn every_fixture_makes_a_scene_with_all_its_controls() {
    for (name, text) in fixtures() {
        let page: PageCapture = serde_json::from_str(&text).unwrap();
        let controls: usize = page.frames.iter().map(|frame| frame.look.controls.len()).sum();
        let scene = Scene::of(&page);
        assert_eq!(scene.items.len(), controls, "{name}");
    }
}

/// What goes without saying, and what another test tells.
const USUAL: &[(&str, &str)] = &[
    ("visible", "true"),
    ("inViewport", "true"),
    ("disabled", "false"),
    ("targetable", "true"),
    ("risk", r#"{"level":"safe","reasons":[]}"#),
    ("blockingOverlay", r#"{"present":false}"#),
    ("loadState", r#""network-idle""#),
    ("omitted", "{}"),
];
const LEFT_AWAY: &[&str] =
    &["actionId", "role", "name", "landmark", "fingerprint", "tabs", "viewport", "url"];

/// The fields of a value that have something to say.
fn fields(value: &impl serde::Serialize) -> Vec<String> {
    let Value::Object(fields) = serde_json::to_value(value).unwrap() else { panic!("fields expected") };
    let said = fields.iter().map(|(name, value)| (name.as_str(), value.to_string()));
    let said = said.filter(|(name, value)| {
        !LEFT_AWAY.contains(name) && !USUAL.contains(&(name, value)) && !matches!(value.as_str(), "[]" | "0")
    });
    said.map(|(name, value)| format!("{name}={value}")).collect()
}

/// An observation in lines that are easy to compare: the page, its controls in their order, its forms, what is left out.
fn told(observation: &Observation) -> String {
    let mut lines = fields(&observation.page);
    for one in &observation.affordances {
        let landmark = format!("{:?}", one.landmark).to_lowercase();
        let name = one.name.untrusted();
        let line = format!("{} {landmark} {} {name:?} {}", one.action_id, one.role, fields(one).join(" "));
        lines.push(line.trim_end().to_owned());
    }
    for form in &observation.forms {
        let fields: Vec<String> = form.fields.iter().map(|field| field.action_id.to_string()).collect();
        let section = form.section.as_ref().map_or("", |section| section.untrusted());
        let submit = form.submit_action_id.map_or("nothing".to_owned(), |submit| submit.to_string());
        lines.push(format!("{} {section:?} of {} sent by {submit}", form.form_id, fields.join(" ")));
    }
    let omitted = fields(&observation.omitted);
    lines.extend((!omitted.is_empty()).then(|| format!("omitted {}", omitted.join(" "))));
    lines.join("\n") + "\n"
}

#[test]
fn every_fixture_makes_the_observation_that_is_expected() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/expected");
    for (name, text) in fixtures() {
        let page: PageCapture = serde_json::from_str(&text).unwrap();
        let options = ObserveOptions { max_affordances: 200, ..ObserveOptions::default() };
        let told = told(&look(&page).observe(&options, None).unwrap());
        let file = folder.join(name.replace(".json", ".txt"));
        if env::var("EXPECT").as_deref() == Ok("write") {
            fs::write(&file, &told).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(told, expected, "{name}: got\n{told}\nbut {file:?} expects\n{expected}");
    }
}

#[test]
fn no_fixture_tells_a_secret() {
    let mut secrets = 0;
    for (name, text) in fixtures() {
        let page: PageCapture = serde_json::from_str(&text).unwrap();
        let reading = read(&look(&page), &ObserveOptions::default());
        let json = serde_json::to_string(&reading.observation).unwrap();
        let is_sensitive = |name: &str| {
            let mut all = reading.observation.affordances.iter();
            all.any(|one| one.sensitive && one.name.untrusted() == name)
        };
        let controls = page.frames.iter().flat_map(|frame| &frame.look.controls);
        for control in controls.filter(|control| is_sensitive(control.name.untrusted())) {
            if let Some(value) = &control.attributes.value {
                secrets += 1;
                let value = value.untrusted();
                assert!(!reading.text.contains(value) && !json.contains(value), "{name}: {value}");
            }
        }
    }
    assert!(secrets >= 5, "{secrets} secrets were looked for");
}
