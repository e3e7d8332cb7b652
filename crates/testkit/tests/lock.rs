//! What entered the dependency tree, read from the lock file: the cheap part of what `cargo deny` checks.
#![allow(clippy::unwrap_used)]

use std::{fs, path::Path};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

#[test]
fn banned_crates_are_not_in_the_tree() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let deny = fs::read_to_string(root().join("deny.toml")).unwrap();
    let banned: Vec<&str> =
        deny.lines().filter_map(|line| line.trim().strip_prefix("{ crate = \"")?.split('"').next()).collect();
    assert!(banned.contains(&"openssl-sys"), "{banned:?}");
    for name in banned {
        assert!(!lock.contains(&format!("name = \"{name}\"\n")), "{name} is banned by deny.toml");
    }
}

#[test]
fn everything_comes_from_one_registry() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let sources: std::collections::BTreeSet<&str> =
        lock.lines().filter_map(|line| line.strip_prefix("source = ")).collect();
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert!(sources.iter().all(|source| source.starts_with("\"registry+")), "{sources:?}");
}
