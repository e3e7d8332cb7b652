//! Whatever is done to a page leaves from the one room whose door takes a permit: reads the sources and fails on any other way out.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What does something to a page: `Input.*`, what gives a field its files, a yes to a question.
const COMMANDS: &[&str] = &[
    "DispatchMouseEvent",
    "DispatchKeyEvent",
    "DispatchDragEvent",
    "SetInterceptDrags",
    "InsertText",
    "SetFileInputFiles",
    "NavigateToHistoryEntry",
    "page::Reload",
    "\"Input.",
    "DialogAnswer::Accept",
];

/// Where they may stand: the room itself, the protocol and the tab that spell them (the tab shows only the no), and what is not
/// the product.
const ROOMS: &[&str] = &[
    "browser/src/act/",
    "browser/src/tab.rs",
    "cdp/src/protocol/",
    "browser/src/tests/",
    "bench/src/",
    "testkit/",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The sources of the product, by their path below `crates`.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(&crates(), &mut found);
    let below = |path: &Path| path.strip_prefix(crates()).unwrap().to_string_lossy().into_owned();
    found.iter().map(|path| (below(path), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn input_is_sent_from_one_room_alone() {
    let mut uses = 0;
    for (path, text) in sources() {
        let named: Vec<&&str> = COMMANDS.iter().filter(|command| text.contains(**command)).collect();
        uses += usize::from(path.starts_with("browser/src/act/") && !named.is_empty());
        let is_room = ROOMS.iter().any(|room| path.starts_with(room));
        assert!(is_room || named.is_empty(), "{path} names {named:?}: that belongs behind a permit");
    }
    assert!(uses >= 3, "the room was not found");
}

/// What the room shows to others: nothing but its two doors, and what comes out of them.
#[test]
fn the_room_has_two_doors_and_each_takes_a_permit() {
    let mut doors = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| path.starts_with("browser/src/act/")) {
        for (_, rest) in
            text.match_indices("pub async fn ").map(|(at, opening)| text[at..].split_at(opening.len()))
        {
            let (asked, _) = rest.split_once(" {").expect("a function has a body");
            assert!(asked.contains("permit: Permit,"), "{path}: {asked}");
            doors.push((path.clone(), asked.split('(').next().unwrap().to_owned()));
        }
    }
    let door = |name: &str| ("browser/src/act/mod.rs".to_owned(), name.to_owned());
    assert_eq!(doors, [door("act"), door("act_and_look")]);
}

/// A permit is made in one place.
#[test]
fn permits_are_made_by_the_verdict_alone() {
    let made = |text: &str| text.contains("Permit::new(");
    let makers: Vec<String> = sources()
        .into_iter()
        .filter(|(path, text)| path.contains("/src/") && !path.starts_with("testkit/") && made(text))
        .map(|(path, _)| path)
        .filter(|path| path != "policy/src/permit.rs")
        .collect();
    assert_eq!(makers, ["policy/src/judge.rs"]);
}
