//! Every source file says its job in its first line and stays small enough to read.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::{
    fs,
    path::{Path, PathBuf},
};

const MOST_LINES: usize = 550;

/// What is wrong with one file, if anything.
fn problem(text: &str) -> Option<String> {
    let job = text.lines().next().and_then(|line| line.strip_prefix("//!"));
    if job.is_none_or(|job| job.trim().is_empty()) {
        return Some("does not start with `//!` and its job in one line".into());
    }
    if text.contains(concat!("#[", "ignore")) {
        return Some("has a test that is not run".into());
    }
    let lines = text.lines().count();
    (lines > MOST_LINES).then(|| format!("has {lines} lines; split it (at most {MOST_LINES})"))
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn a_file_without_its_job_or_too_long_is_reported() {
    let long = |lines| format!("//! Long.\n{}", "\n".repeat(lines - 1));
    assert!(problem("//! Does one thing.\nuse std::fs;\n").is_none());
    assert!(problem(&long(MOST_LINES)).is_none());
    assert!(problem(&long(MOST_LINES + 1)).unwrap().contains("551 lines"));
    assert!(problem(concat!("//! Tests.\n#[", "ignore]\n")).unwrap().contains("not run"));
    for text in ["", "use std::fs;\n", "\n//! Late.\n", "//!\n//! Late.\n", "// No doc.\n"] {
        assert!(problem(text).unwrap().contains("//!"), "{text:?} passed");
    }
}

#[test]
fn every_file_says_its_job_and_is_small() {
    let mut files = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut files);
    assert!(files.len() > 10, "the files were not found");
    let problems: Vec<String> = files
        .iter()
        .filter_map(|path| {
            Some(format!("{} {}", path.display(), problem(&fs::read_to_string(path).unwrap())?))
        })
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
