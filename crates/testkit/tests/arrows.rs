//! The arrows between the crates point one way: reads the manifests and fails on any other arrow.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// Which crates of ours each crate may name, besides `types`.
const ARROWS: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("cdp", &[]),
    ("browser", &["cdp", "observe", "policy"]),
    ("observe", &[]),
    ("policy", &[]),
    ("egress", &["policy"]),
    ("llm", &[]),
    ("agent", &["observe", "policy"]),
    ("store", &[]),
    ("runtime", &["browser", "egress", "llm", "store", "agent", "policy", "observe"]),
    ("mcp", &["runtime"]),
    ("api", &["runtime"]),
    ("cli", &["mcp", "api", "runtime", "sites"]),
    ("sites", &[]),
    ("testkit", &["sites"]),
];

/// A tool of development, outside the product: may name any crate.
const FREE: &str = "bench";

/// Crates that choose and never wait.
const PURE: &[&str] = &["types", "observe", "policy", "agent"];

/// Crates that wait or speak to the world: none of them in a pure crate.
const IMPURE: &[&str] =
    &["tokio", "tokio-util", "tokio-tungstenite", "hyper", "hyper-util", "reqwest", "sqlx", "axum"];

/// One dependency as the manifest of `from` says it. Own crates go by their short names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Arrow {
    from: String,
    to: Target,
    /// Whether tests alone see it.
    dev: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Own(String),
    Foreign(String),
}

/// What is wrong with these crates and arrows: one line each.
fn forbidden(crates: &[String], arrows: &[Arrow]) -> Vec<String> {
    let unknown = crates.iter().filter(|name| *name != FREE && allowed(name).is_none());
    let unknown = unknown.map(|name| format!("crate {name} is not in the table of arrows"));
    unknown.chain(arrows.iter().filter_map(problem)).collect()
}

fn allowed(from: &str) -> Option<&'static [&'static str]> {
    ARROWS.iter().find(|(name, _)| *name == from).map(|(_, to)| *to)
}

fn problem(Arrow { from, to, dev }: &Arrow) -> Option<String> {
    match to {
        Target::Own(to) => {
            let free = from == FREE || (*dev && to == "testkit") || (from != "types" && to == "types");
            let listed = allowed(from).unwrap_or_default().contains(&to.as_str());
            (!free && !listed).then(|| format!("{from} -> {to}: no such arrow between our crates"))
        }
        Target::Foreign(to) => {
            let breaks = !dev && PURE.contains(&from.as_str()) && IMPURE.contains(&to.as_str());
            breaks.then(|| format!("{from} -> {to}: {from} is pure and must not wait or speak to the world"))
        }
    }
}

fn own(from: &str, to: &str) -> Arrow {
    Arrow { from: from.into(), to: Target::Own(to.into()), dev: false }
}

fn foreign(from: &str, to: &str) -> Arrow {
    Arrow { from: from.into(), to: Target::Foreign(to.into()), dev: false }
}

fn in_tests(arrow: Arrow) -> Arrow {
    Arrow { dev: true, ..arrow }
}

#[test]
fn a_forbidden_arrow_is_reported() {
    let arrows = [
        own("browser", "llm"),
        own("browser", "agent"),
        own("api", "browser"),
        own("api", "store"),
        own("cdp", "browser"),
        own("types", "cdp"),
        own("types", "types"),
        own("agent", "browser"),
        own("mcp", "api"),
        own("cli", "browser"),
        own("cli", "testkit"),
        own("runtime", "bench"),
        own("testkit", "browser"),
        own("runtime", "sites"),
        own("sites", "testkit"),
        own("sites", "browser"),
        own("stranger", "browser"),
        in_tests(own("browser", "llm")),
        in_tests(own("testkit", "browser")),
        foreign("observe", "tokio"),
        foreign("types", "tokio"),
        foreign("policy", "reqwest"),
        foreign("agent", "sqlx"),
        foreign("agent", "hyper"),
    ];
    for arrow in arrows {
        let found = forbidden(&[], std::slice::from_ref(&arrow));
        assert_eq!(found.len(), 1, "{arrow:?} passed");
        assert!(found[0].starts_with(&format!("{} -> ", arrow.from)), "{found:?}");
    }
}

#[test]
fn an_allowed_arrow_is_not_reported() {
    let arrows = [
        own("browser", "cdp"),
        own("browser", "types"),
        own("testkit", "types"),
        own("cli", "runtime"),
        own("cli", "sites"),
        own("testkit", "sites"),
        own("bench", "browser"),
        own("bench", "testkit"),
        in_tests(own("browser", "testkit")),
        in_tests(own("types", "testkit")),
        in_tests(foreign("agent", "tokio")),
        foreign("browser", "tokio"),
        foreign("types", "serde"),
    ];
    assert_eq!(forbidden(&["browser".into(), "bench".into()], &arrows), [""; 0]);
}

#[test]
fn an_unknown_crate_is_reported() {
    assert_eq!(forbidden(&["helpers".into()], &[]), ["crate helpers is not in the table of arrows"]);
}

#[test]
fn the_table_has_no_circle() {
    fn reaches(from: &str, goal: &str, left: usize) -> bool {
        left > 0 && allowed(from).unwrap().iter().any(|to| *to == goal || reaches(to, goal, left - 1))
    }
    for (name, _) in ARROWS {
        assert!(!reaches(name, name, ARROWS.len()), "{name} may come to depend on itself");
    }
}

#[test]
fn the_manifests_keep_to_the_table() {
    let (crates, arrows) = manifests();
    let read: BTreeSet<String> = crates.iter().cloned().collect();
    assert_eq!(read, crate_directories(), "every directory of crates/ is one package, legwork-<directory>");
    let (from_cli, to_runtime) = (own("cli", "runtime"), foreign("browser", "tokio"));
    assert!(arrows.contains(&from_cli) && arrows.contains(&to_runtime), "the manifests were misread");

    let found = forbidden(&crates, &arrows);
    assert!(found.is_empty(), "forbidden arrows (see ARROWS in this test):\n{}", found.join("\n"));
}

/// All packages of the workspace and all their arrows, as cargo understands the manifests.
fn manifests() -> (Vec<String>, Vec<Arrow>) {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();

    let packages = metadata["packages"].as_array().unwrap();
    let mut crates = Vec::new();
    let mut arrows = Vec::new();
    for package in packages {
        let from = short(package["name"].as_str().unwrap()).expect("our packages are called legwork-*");
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            let to = short(name).map_or_else(|| Target::Foreign(name.into()), Target::Own);
            arrows.push(Arrow { from: from.clone(), to, dev: dependency["kind"] == "dev" });
        }
        crates.push(from);
    }
    (crates, arrows)
}

fn short(package: &str) -> Option<String> {
    package.strip_prefix("legwork-").map(str::to_owned)
}

fn crate_directories() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap().map(Result::unwrap);
    let crates = entries.filter(|entry| entry.path().join("Cargo.toml").is_file());
    crates.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
