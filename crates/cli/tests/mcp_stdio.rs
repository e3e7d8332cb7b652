//! `legwork mcp` on its standard streams, from the outside: what comes in wrong, what is too much, and how it ends.

#[path = "../../observe/tests/schemas/validator.rs"]
mod validator;

use std::{fs, io::Write, process::Stdio, time::Duration};

use crate::support::{
    Legwork, end_within,
    mcp::{Talk, text},
    send,
};
use legwork_testkit::rss_kb;
use rustix::process::Signal;
use serde_json::{Value, json};

/// How long an end may take.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn what_is_no_message_is_answered_and_the_conversation_goes_on() {
    let legwork = Legwork::new();
    let mut talk = Talk::silent(&legwork, &[]);
    for (line, code, id) in [
        (&b"{\n"[..], -32700, Value::Null),
        (b"\xff\xfe\xfd\n", -32700, Value::Null),
        (b"[]\n", -32600, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"a\"}\n", -32600, "a".into()),
    ] {
        talk.write(line);
        let answer = talk.hear();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&code.into(), &id), "{answer}");
    }
    // Neither empty lines nor what wants no answer get one.
    talk.write(b"\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard/of\"}\n");
    assert!(talk.ask("ping", json!({}))["result"].is_object());
    assert_eq!(talk.end(), 0);
    legwork.assert_no_start();
}

#[test]
fn unknown_tools_methods_and_wrong_arguments_are_told_apart() {
    let legwork = Legwork::new();
    let mut talk = Talk::greeted(&legwork, &[]);
    let code = |answer: Value| answer["error"]["code"].as_i64();
    assert_eq!(
        code(talk.ask("tools/call", json!({ "name": "browser_eval", "arguments": {} }))),
        Some(-32602)
    );
    assert_eq!(
        code(talk.ask("tools/call", json!({ "name": "browser_open", "arguments": "x" }))),
        Some(-32602)
    );
    assert_eq!(code(talk.ask("tools/nothing", json!({}))), Some(-32601));
    for (tool, arguments, path) in [
        ("browser_open", json!({ "url": 7 }), "url"),
        ("browser_open", json!({ "script": "alert(1)" }), "script"),
        ("browser_observe", json!({}), "sessionId"),
        ("browser_observe", json!({ "sessionId": "s1", "scope": "everything" }), "scope"),
        ("browser_act", json!({ "sessionId": "s1", "observationId": "o1" }), "."),
        (
            "browser_act",
            json!({ "sessionId": "s1", "observationId": "o1", "action": { "type": "evaluate" } }),
            "action.type",
        ),
        ("browser_screenshot", json!({ "sessionId": "s1", "marked": "a", "fullPage": true }), "fullPage"),
    ] {
        let text = talk.refused(tool, arguments, "CONTRACT_MISMATCH");
        assert!(text.ends_with(&format!("path: {path}")), "{text}");
    }
    let text = talk.refused("browser_open", json!({ "url": "file:///etc/passwd" }), "NAVIGATION_BLOCKED");
    assert!(text.contains("Next: "), "{text}");
    assert_eq!(talk.end(), 0);
    legwork.assert_no_start();
}

#[test]
fn programs_get_a_whole_answer_also_to_a_call_that_can_not_be_read() {
    let contract = format!("{}/../../docs/schema/act-response.schema.json", env!("CARGO_MANIFEST_DIR"));
    let contract: Value = serde_json::from_str(&fs::read_to_string(contract).unwrap()).unwrap();
    let legwork = Legwork::new();
    for structured in [true, false] {
        // Either the server gives it with every answer, or the call asks for it.
        let mut talk = Talk::greeted(&legwork, if structured { &["--structured"] } else { &[] });
        let mut call = |tool: &str, mut arguments: Value| {
            if !structured {
                arguments["format"] = "json".into();
            }
            let result = talk.call(tool, arguments);
            assert!(result["isError"] == true && text(&result).contains(": "), "{result}");
            let answer = result["structuredContent"].clone();
            let name = answer["error"]["correlationId"].as_str().unwrap_or_else(|| panic!("{result}"));
            assert!(name.len() > 1 && name.starts_with('c'), "{result}");
            answer
        };
        for (wrong, path) in [
            (json!({}), "."),
            (json!({ "sessionId": 7, "observationId": "o1", "action": "back" }), "sessionId"),
            (
                json!({ "sessionId": "s1", "observationId": "o1", "action": { "type": "evaluate" } }),
                "action.type",
            ),
            (json!({ "sessionId": "s1", "observationId": "o1", "action": "click", "target": [] }), "target"),
            (json!({ "sessionId": "s1", "observationId": "o1", "action": "back", "expect": 1 }), "expect"),
        ] {
            let answer = call("browser_act", wrong.clone());
            assert_eq!(validator::errors(&contract, &answer), [""; 0], "{wrong}");
            let error = &answer["error"];
            assert_eq!(
                (&error["code"], &error["details"]["path"]),
                (&"CONTRACT_MISMATCH".into(), &path.into()),
                "{answer}"
            );
            assert_eq!(
                (&answer["ok"], &answer["nextObservation"]),
                (&false.into(), &Value::Null),
                "{answer}"
            );
            assert_eq!(
                (&answer["receipt"]["dispatched"], &answer["receipt"]["nothing"]),
                (&false.into(), &true.into())
            );
            assert_eq!(answer["verification"]["matched"], false, "{answer}");
        }
        // One that can be read, about a session that there is not, is answered alike.
        let lost = json!({ "sessionId": "s1", "observationId": "o1", "action": "back" });
        let lost = call("browser_act", lost);
        assert_eq!(validator::errors(&contract, &lost), [""; 0]);
        assert_eq!(lost["error"]["code"], "SESSION_NOT_FOUND");
        for tool in ["browser_observe", "browser_read", "browser_close"] {
            assert_eq!(call(tool, json!({}))["error"]["details"]["path"], "sessionId");
            assert_eq!(call(tool, json!({ "sessionId": "s1" }))["error"]["code"], "SESSION_NOT_FOUND");
        }
        assert_eq!(talk.end(), 0);
    }
    legwork.assert_no_start();
}

#[test]
fn what_is_answered_is_what_was_declared() {
    let legwork = Legwork::new();
    let mut talk = Talk::greeted(&legwork, &["--structured"]);
    let list = talk.ask("tools/list", json!({}));
    for (tool, arguments) in [
        ("browser_open", json!({ "url": 7 })),
        ("browser_observe", json!({})),
        ("browser_act", json!({ "format": 7 })),
        ("browser_act", json!({ "sessionId": "s1", "observationId": "o1", "action": "back" })),
        ("browser_read", json!({ "sessionId": "s1", "maxChars": [] })),
        ("browser_tabs", json!({})),
        ("browser_tabs", json!({ "sessionId": "s1" })),
        ("browser_close", json!({ "sessionId": "s1" })),
    ] {
        let tools = list["result"]["tools"].as_array().unwrap();
        let declared = &tools.iter().find(|one| one["name"] == tool).unwrap()["outputSchema"];
        let result = talk.call(tool, arguments);
        assert_eq!(validator::errors(declared, &result["structuredContent"]), [""; 0], "{tool}: {result}");
    }
    assert_eq!(talk.end(), 0);
}

#[test]
fn a_line_of_a_hundred_megabytes_is_skipped_without_being_kept() {
    let legwork = Legwork::new();
    let mut talk = Talk::greeted(&legwork, &[]);
    let before = rss_kb(talk.child.id());
    let chunk = vec![b'x'; 1024 * 1024];
    let mut most = 0;
    for _ in 0..100 {
        talk.write(&chunk);
        most = most.max(rss_kb(talk.child.id()));
    }
    talk.write(b"\n");
    let answer = talk.hear();
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&(-32600).into(), &Value::Null), "{answer}");
    assert!(most < before + 40_000, "memory went from {before} to {most} kB");
    assert!(talk.ask("ping", json!({}))["result"].is_object());
    assert_eq!(talk.end(), 0);
}

#[test]
fn the_newer_protocol_needs_no_greeting() {
    let legwork = Legwork::new();
    let mut talk = Talk::silent(&legwork, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
    });
    let found = talk.ask("server/discover", json!({ "_meta": meta }));
    let versions =
        found["result"]["supportedVersions"].as_array().unwrap_or_else(|| panic!("{found}")).clone();
    assert!(versions.contains(&"2026-07-28".into()) && versions.contains(&"2025-11-25".into()), "{found}");
    let list = talk.ask("tools/list", json!({ "_meta": meta }));
    assert_eq!(list["result"]["tools"].as_array().map(Vec::len), Some(7), "{list}");
    assert_eq!(talk.end(), 0);
}

#[test]
fn signals_end_it_cleanly() {
    for signal in [Signal::TERM, Signal::INT] {
        let legwork = Legwork::new();
        let mut talk = Talk::greeted(&legwork, &[]);
        send(signal, talk.child.id());
        assert_eq!(end_within(SOON, &mut talk.child).code(), Some(0), "{signal:?}");
        legwork.assert_clean();
    }
}

#[test]
fn who_leaves_at_once_or_does_not_read_ends_it_too() {
    let legwork = Legwork::new();
    assert_eq!(Talk::silent(&legwork, &[]).end(), 0);
    let mut child = legwork.command(&["mcp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    child.stdin.as_mut().unwrap().write_all(ping).unwrap();
    assert_eq!(end_within(SOON, &mut child).code(), Some(0));
}

#[test]
fn what_can_be_refused_is_refused_before_anybody_is_served() {
    let legwork = Legwork::new();
    legwork.run(&["mcp", "--allow-upload", "/nonexistent"]).refused("USAGE", 2);
    legwork.run(&["mcp", "--allow-upload", "/etc/passwd"]).refused("USAGE", 2);
    legwork.run(&["mcp", "--tools", "everything"]).refused("USAGE", 2);
    legwork.run(&["mcp", "--token-file", "/nonexistent"]).refused("USAGE", 2);
    legwork.run(&["mcp", "--http", "127.0.0.1:0", "--token-file", "/nonexistent"]).refused("USAGE", 2);
    legwork.run(&["mcp", "--http", "0.0.0.0:0"]).refused("USAGE", 2);
    legwork.run(&["mcp", "--http", "192.0.2.1:80"]).refused("USAGE", 2);
    legwork.run(&["mcp", "--http", "nowhere"]).refused("USAGE", 2);
    // Not even where JSON is asked for is standard output anything but the protocol's.
    legwork.run(&["mcp", "--http", "0.0.0.0:0", "--json"]).refused("USAGE", 2);
    legwork.assert_no_start();
}
