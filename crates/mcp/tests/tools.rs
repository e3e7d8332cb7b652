//! What the tools say of themselves: how much a model has to read, what clients are told of them, and that none approves or runs
//! script.
#![allow(clippy::unwrap_used)]

use std::{collections::BTreeSet, sync::Arc};

use legwork_mcp::{Group, Server, ServerOptions};
use legwork_runtime::{BrowserSource, LaunchOptions, SessionSettings, Sessions};
use serde_json::Value;

fn server(groups: &[Group], structured: bool, annie_switch: Option<&str>) -> Server {
    let source = BrowserSource::Launch(LaunchOptions::default());
    let sessions = Sessions::new(source, SessionSettings::default(), |_| {});
    let annie_switch = annie_switch.map(str::to_owned);
    Server::new(Arc::new(sessions), &ServerOptions { groups: groups.to_vec(), structured, annie_switch })
}

fn tools(groups: &[Group]) -> Vec<Value> {
    server(groups, false, Some("true")).tools_list()["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_model_reads_at_most_two_thousand_tokens() {
    let list = server(&[Group::Default], false, None).tools_list().to_string();
    let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(&list).len();
    println!("{tokens} tokens");
    assert!(tokens <= 2_000, "tools/list takes {tokens} tokens");
}

#[tokio::test]
async fn the_groups_have_the_names_that_they_promise() {
    let ours = tools(&[Group::Default]);
    assert_eq!(
        names(&ours),
        [
            "browser_open",
            "browser_observe",
            "browser_act",
            "browser_read",
            "browser_screenshot",
            "browser_tabs",
            "browser_close"
        ]
    );
    let compat: BTreeSet<String> =
        names(&tools(&[Group::Compat])).iter().map(|name| (*name).to_owned()).collect();
    let promised = [
        "navigate",
        "snapshot",
        "click",
        "type",
        "select_option",
        "take_screenshot",
        "press_key",
        "wait_for",
        "tabs",
        "handle_dialog",
        "file_upload",
        "fill_form",
        "hover",
        "drag",
        "navigate_back",
    ];
    assert_eq!(compat, promised.iter().map(|name| format!("browser_{name}")).collect());
    assert_eq!(
        names(&tools(&[Group::Annie])),
        [
            "browser_navigate",
            "browser_snapshot",
            "browser_click",
            "browser_fill",
            "browser_read_text",
            "submit_for_approval"
        ]
    );
    for switch in [None, Some("false"), Some("")] {
        let off = server(&[Group::Annie], false, switch).tools_list();
        assert_eq!(off["tools"].as_array().unwrap().len(), 0, "{switch:?}");
    }
    // Of two tools with the same name the one that was named first stays.
    let both = tools(&[Group::Default, Group::Compat]);
    assert_eq!(both.len(), 7 + 15 - 1);
    let tabs = both.iter().find(|tool| tool["name"] == "browser_tabs").unwrap();
    assert!(tabs["inputSchema"]["properties"]["sessionId"].is_object());
}

#[tokio::test]
async fn every_schema_is_closed_and_every_tool_has_its_hints() {
    for tool in tools(&[Group::Default, Group::Compat, Group::Annie]) {
        let schema = &tool["inputSchema"];
        assert_eq!(
            (&schema["type"], &schema["additionalProperties"]),
            (&"object".into(), &false.into()),
            "{tool}"
        );
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(schema["properties"][name.as_str().unwrap()].is_object(), "{name} of {tool}");
        }
        assert!(tool["annotations"].is_object() && tool["description"].is_string(), "{tool}");
    }
    let ours = tools(&[Group::Default]);
    let hint = |name: &str, hint: &str| {
        ours.iter().find(|tool| tool["name"] == name).unwrap()["annotations"][hint].clone()
    };
    for name in ["browser_observe", "browser_read", "browser_screenshot", "browser_tabs"] {
        assert_eq!(hint(name, "readOnlyHint"), true, "{name}");
    }
    assert_eq!(hint("browser_act", "destructiveHint"), true);
    assert_ne!(hint("browser_act", "readOnlyHint"), true);
    assert_eq!(hint("browser_close", "idempotentHint"), true);
}

#[tokio::test]
async fn clients_are_told_of_every_tool_whether_it_reaches_out_to_pages() {
    for (group, at_home) in [
        (Group::Default, &["browser_tabs", "browser_close"][..]),
        // Their tabs can be put in front and closed, which a page notices.
        (Group::Compat, &[]),
        (Group::Annie, &[]),
    ] {
        for tool in tools(&[group]) {
            let name = tool["name"].as_str().unwrap();
            assert_eq!(tool["annotations"]["openWorldHint"], !at_home.contains(&name), "{group:?} {name}");
        }
    }
}

#[tokio::test]
async fn no_tool_approves_and_none_runs_script() {
    for tool in tools(&[Group::Default, Group::Compat, Group::Annie]) {
        let name = tool["name"].as_str().unwrap();
        for word in ["approve", "confirm", "grant", "eval", "script", "run_code", "javascript"] {
            assert!(!name.contains(word), "{name}");
        }
        let fields = tool["inputSchema"]["properties"].as_object().unwrap();
        for word in ["script", "function", "expression", "code"] {
            assert!(!fields.contains_key(word), "{word} of {name}");
        }
        // Nor are there other rules for whoever asks for them.
        let rules = ["live", "dry", "allow", "host", "polic", "risk", "approv", "cookie", "header", "proxy"];
        for field in fields.keys().map(|field| field.to_lowercase()) {
            assert!(!rules.iter().any(|rule| field.contains(rule)), "{field} of {name}");
        }
    }
}

#[tokio::test]
async fn programs_are_told_what_they_get_where_it_is_wanted() {
    for structured in [false, true] {
        let list = server(&[Group::Default], structured, None).tools_list();
        for tool in list["tools"].as_array().unwrap() {
            let declared = tool["outputSchema"].is_object();
            assert_eq!(declared, structured && tool["name"] != "browser_screenshot", "{tool}");
        }
    }
    // The groups with other names answer texts and pictures alone.
    let list = server(&[Group::Compat, Group::Annie], true, Some("true")).tools_list();
    assert!(list["tools"].as_array().unwrap().iter().all(|tool| tool["outputSchema"].is_null()), "{list}");
}
