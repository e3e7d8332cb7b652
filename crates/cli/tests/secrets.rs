//! Secrets from the outside: the commands of the documentation work, and nothing on standard output or error holds a value.

use std::{fs, path::Path, process::Stdio};

use crate::support::{Legwork, mcp::Talk};
use legwork_testkit::{Site, TempHome};
use serde_json::{Value, json};

const CANARY: &str = "Xy7-canary-Plugh.42";

#[test]
fn the_commands_of_the_documentation_work() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/secrets.md");
    let document = fs::read_to_string(document).unwrap();
    let blocks = |kind: &str| {
        let blocks = document.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix(kind));
        blocks.map(str::trim).collect::<Vec<_>>().join("\n")
    };
    let (legwork, folder) = (Legwork::new(), TempHome::new());
    fs::write(folder.path().join("secrets.txt"), blocks("text\n")).unwrap();
    let commands = blocks("sh\n");
    assert!(commands.lines().count() >= 4);
    for line in commands.lines() {
        let args: Vec<&str> = line.strip_prefix("legwork ").unwrap().split(' ').collect();
        let ran = legwork
            .command(&args)
            .current_dir(folder.path())
            .env("SHOP_PASSWORD", CANARY)
            .env("SHOP_USER", "ada.lovelace@example.org")
            .env("SHOP_SEED", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
            .env("LOGIN_KEY", "several words of mine")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(0), "{line}: {ran:?}");
    }
    legwork.assert_no_start();
}

#[test]
fn what_is_wrong_is_refused_before_anybody_is_served_and_without_the_value() {
    let legwork = Legwork::new();
    for spec in [
        format!("shop={CANARY}"),
        format!("shop={CANARY}@https://shop.example"),
        format!("shop=cmd:echo {CANARY}@http://shop.example"),
        "shop=env:NOT_SET_AT_ALL@https://shop.example".to_owned(),
    ] {
        let ran = legwork.run(&["mcp", "--secret", &spec]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(!format!("{ran:?}").contains("canary"), "{ran:?}");
    }
    legwork.assert_no_start();
}

#[test]
fn no_answer_on_standard_output_holds_a_secret() {
    let page =
        "<!doctype html><title>Log in</title><label>Password <input id=p type=password></label><p id=out>
        <script>p.oninput = () => { out.textContent = document.title = p.value; p.type = 'text'; }</script>";
    let site = Site::builder().page("/", page).start_blocking();
    let legwork = Legwork::new();
    let spec = format!("pw=env:LEGWORK_TEST_SECRET@{}", site.here());
    let grant = format!("127.0.0.1:{}", site.port());
    let args = ["--secret", &spec, "--allow-private", &grant, "--structured"];
    let mut talk = Talk::greeted_with(&legwork, &args, &[("LEGWORK_TEST_SECRET", CANARY)]);
    let mut said = String::new();
    let mut call = |name: &str, arguments: Value| {
        let answer = talk.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        said.push_str(&answer.to_string());
        answer["result"]["structuredContent"].clone()
    };
    let opened = call("browser_open", json!({ "url": site.url("/") }));
    let session = opened["sessionId"].clone();
    let observation = if opened["observation"].is_object() { &opened["observation"] } else { &opened };
    let affordances = observation["affordances"].as_array().unwrap_or_else(|| panic!("{opened}"));
    let field = affordances.iter().find(|one| one["name"] == "Password").unwrap();
    let acted = call(
        "browser_act",
        json!({
            "sessionId": session, "observationId": observation["observationId"],
            "target": { "kind": "element", "actionId": field["actionId"] },
            "action": { "type": "fill", "value": { "secret": "pw" } },
        }),
    );
    assert_eq!(acted["ok"], true, "{acted}");
    call("browser_observe", json!({ "sessionId": session }));
    call("browser_read", json!({ "sessionId": session }));
    call("browser_tabs", json!({ "sessionId": session }));
    assert!(said.contains("•••"), "it was there to be hidden: {said}");
    assert!(!said.to_lowercase().contains("canary"), "{said}");
    assert_eq!(talk.end(), 0);
    legwork.assert_clean();
}
