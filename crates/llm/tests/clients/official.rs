//! The types of the vendors' official clients, and what they have against a request.

use std::{
    env,
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
};

use legwork_testkit::sites::vendor::VendorWire;
use serde_json::{Value, json};

/// Where `scripts/setup tests` puts the clients.
fn clients() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.unwrap_or_else(|| PathBuf::from(env::var_os("HOME").expect("a home")).join(".cache"));
    let folder = cache.join("legwork/vendor-clients/1/python");
    assert!(folder.is_dir(), "there are no clients in {}: run scripts/setup tests", folder.display());
    folder
}

/// What the official types have against each of these, if anything.
pub(crate) fn wrong_with(requests: &[(VendorWire, Value)]) -> Vec<Option<String>> {
    let requests: Vec<Value> =
        requests.iter().map(|(wire, body)| json!({"wire": wire.name(), "body": body})).collect();
    let mut python = Command::new("python3")
        .arg(format!("{}/../llm/tests/clients/check.py", env!("CARGO_MANIFEST_DIR")))
        .env("PYTHONPATH", clients())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = python.stdin.take().unwrap();
    input.write_all(&serde_json::to_vec(&requests).unwrap()).unwrap();
    drop(input);
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success(), "the check itself failed, see above");
    let told: Vec<Option<String>> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told.len(), requests.len());
    told
}
