//! Looks at real pages, recorded: each can be read, says the same when written again, and makes a scene.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::{fs, path::PathBuf};

use legwork_observe::{
    PageCapture, Scene,
    capture::{FrameLook, NodeRef},
};

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
