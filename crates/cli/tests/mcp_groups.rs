//! The groups of tools with other names, and who may say yes, with a real browser; the server of the pages is the witness.

use std::{
    env, fs,
    sync::Arc,
    time::{Duration, Instant},
};

use crate::support::{
    LONG, Legwork,
    mcp::{Talk, named, number, text},
};
use legwork_testkit::{
    Site,
    axum::routing::{get, post},
    wait_until,
};
use serde_json::json;
use tokio::sync::Notify;

fn desk() -> Site {
    let page = fs::read_to_string(format!("{}/tests/pages/desk.html", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let take = || post(|| async { "taken" });
    let other = "<!doctype html><title>Else</title><h1>Elsewhere it is</h1>";
    Site::builder()
        .page("/", page)
        .page("/else", other)
        .route("/note", take())
        .route("/order", take())
        .start_blocking()
}

/// A bench, and what ends its polishing.
fn bench() -> (Site, Arc<Notify>) {
    let page = fs::read_to_string(format!("{}/tests/pages/bench.html", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let polished = Arc::new(Notify::new());
    let awaited = polished.clone();
    let polish = get(async move || {
        awaited.notified().await;
        "polished"
    });
    let site = Site::builder()
        .page("/", page)
        .page("/else", "<!doctype html><title>Else</title><h1>Elsewhere it is</h1>")
        .route("/note", post(|| async { "taken" }))
        .route("/polish", polish)
        .start_blocking();
    (site, polished)
}

fn notes(site: &Site) -> Vec<String> {
    site.hits_of("/note").iter().map(|hit| hit.body_text()).collect()
}

#[test]
fn the_names_of_playwright_do_what_they_do_there() {
    let (legwork, site, folder) = (Legwork::new(), desk(), tempfile::tempdir().unwrap());
    let paper = folder.path().join("paper.txt");
    fs::write(&paper, "words").unwrap();
    let mut talk =
        Talk::greeted(&legwork, &["--tools", "compat", "--allow-upload", folder.path().to_str().unwrap()]);
    let page = talk.told("browser_navigate", json!({ "url": site.url("/") }));
    assert!(page.contains("page \"Desk\"") && !page.contains("session "), "{page}");
    let field = number(&page, "textbox \"Name\"");
    let page =
        talk.told("browser_type", json!({ "element": "the name", "ref": field.to_string(), "text": "Ada" }));
    let colour = number(&page, "combobox \"Colour\"");
    let page = talk.told(
        "browser_select_option",
        json!({ "element": "colour", "ref": format!("e{colour}"), "values": ["Green"] }),
    );
    let page = talk
        .told("browser_click", json!({ "element": "note", "ref": number(&page, "button \"Take a note\"") }));
    assert!(page.starts_with("done: click "), "{page}");
    assert_eq!(notes(&site), ["note Ada g"]);

    let fields = json!([
        { "name": "Name", "type": "textbox", "ref": number(&page, "textbox \"Name\"").to_string(), "value": "Eve" },
        { "name": "Colour", "type": "combobox", "ref": number(&page, "combobox \"Colour\"").to_string(), "value": "Red" },
    ]);
    let page = talk.told("browser_fill_form", json!({ "fields": fields }));
    talk.told(
        "browser_hover",
        json!({ "element": "link", "ref": number(&page, "link \"Elsewhere\"").to_string() }),
    );
    talk.told("browser_wait_for", json!({ "text": "Over it" }));
    let page = talk.told("browser_snapshot", json!({}));
    talk.told("browser_click", json!({ "ref": number(&page, "button \"Take a note\"").to_string() }));
    assert_eq!(notes(&site).last().unwrap(), "note Eve r");

    let page = talk.told("browser_file_upload", json!({ "paths": [paper] }));
    wait_until(LONG, "the page has the file", || notes(&site).last().unwrap() == "file paper.txt");
    talk.refused("browser_file_upload", json!({ "paths": ["/etc/passwd"] }), "UPLOAD_REFUSED");

    let shot = talk.call("browser_take_screenshot", json!({ "type": "png" }));
    assert_eq!(shot["content"][0]["mimeType"], "image/jpeg");
    talk.refused("browser_take_screenshot", json!({ "fullPage": true }), "CONTRACT_MISMATCH");
    assert!(talk.told("browser_tabs", json!({ "action": "list" })).contains("\"Desk\""));
    talk.refused("browser_tabs", json!({ "action": "new" }), "CONTRACT_MISMATCH");

    let order = number(&page, "button \"Place order\"").to_string();
    let asked = talk.refused("browser_click", json!({ "element": "order", "ref": order }), "DRY_RUN_BLOCKED");
    assert!(asked.contains("/order") && !asked.contains("confirm: true"), "{asked}");
    talk.refused("browser_click", json!({ "element": "none", "ref": "999" }), "ACTION_NOT_FOUND");
    talk.refused("browser_click", json!({ "element": "none", "ref": "the button" }), "CONTRACT_MISMATCH");

    let there = talk.told("browser_navigate", json!({ "url": site.url("/else") }));
    assert!(there.contains("page \"Else\""), "{there}");
    assert!(talk.told("browser_navigate_back", json!({})).contains("page \"Desk\""));
    talk.told("browser_press_key", json!({ "key": "Tab" }));
    wait_until(LONG, "the page heard the key", || notes(&site).last().unwrap() == "key Tab");
    assert_eq!(site.hits_of("/order").len(), 0, "an order left the browser");
    assert_eq!(talk.end(), 0);
    legwork.assert_clean();
}

#[test]
fn six_tools_answer_plain_texts_and_never_fail() {
    let (legwork, site) = (Legwork::new(), desk());
    let mut talk = Talk::greeted_with(&legwork, &["--tools", "annie"], &[("BROWSER_AGENT_ENABLED", "true")]);
    let mut say = |tool: &str, arguments: serde_json::Value| {
        let result = talk.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        assert_eq!(result["content"].as_array().unwrap().len(), 1, "{result}");
        text(&result)
    };
    let page = say("browser_navigate", json!({ "url": site.url("/") }));
    assert!(page.contains("page \"Desk\""), "{page}");
    let page = say("browser_fill", json!({ "ref": number(&page, "textbox \"Name\""), "value": "Ada" }));
    assert!(page.starts_with("done: fill "), "{page}");
    let page = say("browser_click", json!({ "ref": number(&page, "button \"Take a note\"") }));
    assert_eq!(notes(&site), ["note Ada r"]);
    let looked = say("browser_snapshot", json!({}));
    assert!(named(&looked, "observation") != named(&page, "observation"), "{looked}");
    let page = say("browser_click", json!({ "ref": number(&looked, "button \"Take a note\"") }));
    assert_eq!(notes(&site), ["note Ada r"; 2]);
    assert!(say("browser_read_text", json!({ "max_chars": 500 })).contains("Noted"));
    let cut = say("browser_read_text", json!({ "max_chars": 10 }));
    assert!(!cut.contains("Noted") && cut.lines().nth(1).unwrap().chars().count() <= 11, "{cut}");
    for (tool, arguments, word) in [
        ("browser_click", json!({ "ref": 999 }), "browser_snapshot"),
        ("browser_click", json!({ "ref": number(&page, "button \"Place order\"") }), "DRY_RUN_BLOCKED"),
        ("browser_click", json!({}), "CONTRACT_MISMATCH"),
        ("browser_navigate", json!({ "url": "file:///etc/passwd" }), "NAVIGATION_BLOCKED"),
        ("submit_for_approval", json!({ "summary": "a desk", "amount": "1" }), "nothing was submitted"),
    ] {
        let said = say(tool, arguments);
        assert!(said.starts_with("Error: ") && said.contains(word), "{said}");
    }
    assert_eq!(site.hits_of("/order").len(), 0);
    talk.end();
}

#[test]
fn dragging_dialogs_tabs_and_typing_go_by_the_names_of_playwright_too() {
    let (legwork, (site, _)) = (Legwork::new(), bench());
    let mut talk = Talk::greeted(&legwork, &["--tools", "compat"]);
    let page = talk.told("browser_navigate", json!({ "url": site.url("/") }));
    let typing = |page: &str, more: serde_json::Value| {
        let mut call = json!({ "ref": number(page, "textbox \"Search\""), "text": "Ada" });
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call
    };
    let page = talk.told("browser_type", typing(&page, json!({ "slowly": true })));
    assert!(page.starts_with("done: type "), "{page}");
    wait_until(LONG, "every key was heard", || notes(&site) == ["key A", "key d", "key a"]);
    let page = talk.told("browser_type", typing(&page, json!({ "text": "Eve", "submit": true })));
    assert!(page.starts_with("done: fill ") && page.contains("\ndone: pressKey\n"), "{page}");
    wait_until(LONG, "the words were sent", || notes(&site).last().unwrap() == "search Eve");

    let (start, end) = (number(&page, "button \"Card\""), number(&page, "button \"Box\""));
    let page = talk.told("browser_drag", json!({ "startRef": start.to_string(), "endRef": end.to_string() }));
    wait_until(LONG, "the card was let go on the box", || notes(&site).last().unwrap() == "dropped");

    talk.told("browser_click", json!({ "ref": number(&page, "button \"Question\"") }));
    let caught = talk.refused("browser_handle_dialog", json!({ "accept": true }), "DRY_RUN_BLOCKED");
    assert!(caught.contains("answer true"), "{caught}");
    let page = talk.told("browser_snapshot", json!({}));
    talk.told("browser_click", json!({ "ref": number(&page, "button \"Question\"") }));
    talk.told("browser_handle_dialog", json!({ "accept": false }));
    wait_until(LONG, "the answer arrived", || notes(&site).last().unwrap() == "answer false");

    let page = talk.told("browser_snapshot", json!({}));
    talk.told("browser_click", json!({ "ref": number(&page, "link \"Another\"") }));
    let tabs = talk.told("browser_tabs", json!({ "action": "list" }));
    let index = |title: &str| {
        let lines = tabs.lines().filter(|line| !line.starts_with('<'));
        lines.into_iter().position(|line| line.contains(title)).unwrap_or_else(|| panic!("{tabs}"))
    };
    let (bench, other) = (index("\"Bench\""), index("\"Else\""));
    let page = talk.told("browser_tabs", json!({ "action": "select", "index": bench }));
    assert!(page.contains("page \"Bench\""), "{page}");
    talk.told("browser_tabs", json!({ "action": "close", "index": other }));
    assert!(!talk.told("browser_tabs", json!({ "action": "list" })).contains("\"Else\""));
    assert_eq!(talk.end(), 0);
}

#[test]
fn buttons_keys_and_waiting_go_by_the_arguments_of_playwright() {
    let (legwork, (site, polished)) = (Legwork::new(), bench());
    let mut talk = Talk::greeted(&legwork, &["--tools", "compat"]);
    let page = talk.told("browser_navigate", json!({ "url": site.url("/") }));
    let mut pad = number(&page, "button \"Pad\"");
    // Newer versions call the number `target`.
    type How = fn(u64) -> serde_json::Value;
    let ways: [(How, &[&str]); 6] = [
        (|pad| json!({ "ref": pad }), &["click 0"]),
        (|pad| json!({ "target": pad, "doubleClick": true }), &["click 0", "click 0", "dblclick 0"]),
        (|pad| json!({ "target": format!("e{pad}"), "button": "middle" }), &["auxclick 1"]),
        (|pad| json!({ "ref": pad.to_string(), "button": "right" }), &["auxclick 2"]),
        (|pad| json!({ "ref": pad, "modifiers": ["Shift", "Alt"] }), &["click 0 alt+shift"]),
        (|pad| json!({ "ref": pad, "modifiers": ["ControlOrMeta"] }), &["click 0 ctrl"]),
    ];
    for (how, heard) in ways {
        let (before, how) = (notes(&site).len(), how(pad));
        pad = number(&talk.told("browser_click", how.clone()), "button \"Pad\"");
        wait_until(LONG, &format!("{how} is heard as {heard:?}"), || notes(&site)[before..] == *heard);
    }
    for wrong in [json!({ "ref": pad, "modifiers": ["Hyper"] }), json!({ "ref": pad, "button": "fourth" })] {
        talk.refused("browser_click", wrong, "CONTRACT_MISMATCH");
    }

    let begun = Instant::now();
    let waited = talk.told("browser_wait_for", json!({ "time": 1.5 }));
    assert!(begun.elapsed() >= Duration::from_millis(1_500), "{:?}", begun.elapsed());
    assert!(waited.contains("Being polished"), "{waited}");
    talk.refused("browser_wait_for", json!({ "textGone": "Being polished", "time": 1 }), "TIMEOUT");
    // The words go while they are waited for, and not before.
    let wait = json!({ "name": "browser_wait_for", "arguments": { "textGone": "Being polished" },
        "_meta": { "progressToken": "p" } });
    let id = talk.request("tools/call", wait);
    assert_eq!(talk.hear()["method"], "notifications/progress");
    polished.notify_one();
    let (answer, _) = talk.answer(id);
    assert_ne!(answer["result"]["isError"], true, "{answer}");
    assert!(!text(&answer["result"]).contains("Being polished"), "{answer}");
    wait_until(LONG, "the page was polished", || notes(&site).last().unwrap() == "polished");
    assert_eq!(talk.end(), 0);
}

#[test]
fn a_prompt_can_only_be_dismissed_by_the_names_of_playwright() {
    let (legwork, (site, _)) = (Legwork::new(), bench());
    let mut talk = Talk::greeted(&legwork, &["--tools", "compat"]);
    let page = talk.told("browser_navigate", json!({ "url": site.url("/") }));
    talk.told("browser_click", json!({ "ref": number(&page, "button \"Prompt\"") }));
    // Nothing is given along with a no; and what a page sends because it was given something is caught.
    let answer = |accept: bool| json!({ "accept": accept, "promptText": "Ada" });
    talk.refused("browser_handle_dialog", answer(false), "ACTION_NOT_APPLICABLE");
    let caught = talk.refused("browser_handle_dialog", answer(true), "DRY_RUN_BLOCKED");
    assert!(caught.contains("name Ada"), "{caught}");
    assert_eq!(notes(&site).len(), 0, "nothing was sent");
    let page = talk.told("browser_snapshot", json!({}));
    talk.told("browser_click", json!({ "ref": number(&page, "button \"Prompt\"") }));
    talk.told("browser_handle_dialog", json!({ "accept": false }));
    wait_until(LONG, "the page goes on", || notes(&site) == ["name null"]);
    assert_eq!(talk.end(), 0);
}

#[test]
fn six_tools_are_none_where_they_are_not_switched_on() {
    let legwork = Legwork::new();
    let mut talk = Talk::greeted_with(&legwork, &["--tools", "annie"], &[("BROWSER_AGENT_ENABLED", "false")]);
    let list = talk.ask("tools/list", json!({}));
    assert_eq!(list["result"]["tools"], json!([]), "{list}");
    let call = talk.ask(
        "tools/call",
        json!({ "name": "browser_navigate", "arguments": { "url": "https://example.com" } }),
    );
    assert_eq!(call["error"]["code"], -32602, "{call}");
    talk.end();
}

#[test]
fn only_a_caller_that_the_operator_trusts_can_say_yes_and_only_in_the_words_asked_for() {
    let site = desk();
    for trusted in [false, true] {
        let legwork = Legwork::new();
        let who = if trusted { "caller" } else { "nobody" };
        let mut talk = Talk::greeted(&legwork, &["--live", "--confirm", who]);
        let page = talk.told("browser_open", json!({ "url": site.url("/") }));
        let (session, look) = (named(&page, "session"), named(&page, "observation"));
        let order = number(&page, "button \"Place order\"");
        let act = |look: &str, more: serde_json::Value| {
            let mut call =
                json!({ "sessionId": session, "observationId": look, "target": order, "action": "click" });
            call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            call
        };
        let asked = talk.refused("browser_act", act(&look, json!({})), "SAFETY_CONFIRMATION_REQUIRED");
        assert!(asked.contains("because: "), "{asked}");
        let words = asked.lines().find_map(|line| line.strip_prefix("requiredConfirmationText: "));
        assert_eq!(words.is_some(), trusted, "{asked}");
        let words = words.unwrap_or("CONFIRM click \"Place order\" on 127.0.0.1").to_owned();
        let mut look = named(&asked, "observation");
        for wrong in [
            json!({ "confirm": true }),
            json!({ "confirmationText": words }),
            json!({ "confirm": true, "confirmationText": "CONFIRM" }),
        ] {
            let asked = talk.refused("browser_act", act(&look, wrong), "SAFETY_CONFIRMATION_REQUIRED");
            look = named(&asked, "observation");
        }
        assert_eq!(site.hits_of("/order").len(), 0);
        let yes = act(&look, json!({ "confirm": true, "confirmationText": words }));
        if trusted {
            let done = talk.told("browser_act", yes);
            assert!(done.starts_with("done: "), "{done}");
            wait_until(LONG, "the order arrives", || !site.hits_of("/order").is_empty());
        } else {
            talk.refused("browser_act", yes, "SAFETY_CONFIRMATION_REQUIRED");
        }
        assert_eq!(site.hits_of("/order").len(), usize::from(trusted));
        talk.end();
    }
}
