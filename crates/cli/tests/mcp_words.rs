//! What a model and the log are told, with a real browser: a page's words only in a fence, nothing of them or of values in the log.

use std::fs::{self, File};

use crate::support::{
    Legwork,
    mcp::{Talk, named, number, text},
};
use legwork_testkit::{Site, outside_of_fences as outside};
use serde_json::{Value, json};

fn canary() -> Site {
    let page = fs::read_to_string(format!("{}/tests/pages/canary.html", env!("CARGO_MANIFEST_DIR"))).unwrap();
    Site::builder().page("/", page).start_blocking()
}

/// A session on the page, of which no word is ever outside of a fence.
struct Visit {
    talk: Talk,
    session: String,
    /// The latest answer that shows the page.
    page: String,
}

impl Visit {
    fn begin(mut talk: Talk, site: &Site) -> Self {
        let page = talk.told("browser_session_open", json!({ "url": site.url("/") }));
        let session = named(&page, "session");
        assert!(page.contains("CANARY") && !outside(&page).contains("CANARY"), "{page}");
        Self { talk, session, page }
    }

    /// Calls a tool; the text and the code of its answer.
    #[track_caller]
    fn call(&mut self, tool: &str, mut arguments: Value) -> String {
        arguments["sessionId"] = self.session.clone().into();
        let result = self.talk.call(tool, arguments);
        let told = text(&result);
        assert!(!outside(&told).contains("CANARY"), "{told}");
        if told.lines().any(|line| line.starts_with("observation ")) {
            self.page.clone_from(&told);
        }
        told
    }

    /// Acts on what is told as `what`, or on the page.
    #[track_caller]
    fn act(&mut self, what: Option<&str>, action: Value, more: Value) -> String {
        let mut call = json!({ "observationId": named(&self.page, "observation"), "action": action });
        if let Some(what) = what {
            call["target"] = json!({ "kind": "element", "actionId": number(&self.page, what) });
        }
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.call("browser_act", call)
    }

    #[track_caller]
    fn click(&mut self, what: &str) -> String {
        self.act(Some(what), json!({ "type": "click" }), json!({}))
    }
}

#[track_caller]
fn begins(told: &str, with: &str) {
    assert!(told.starts_with(with), "{with}: {told}");
}

/// Whether a page's word is there, in its fence.
#[track_caller]
fn quotes(told: &str, words: &str) {
    let above = told.split("\nobservation ").next().unwrap();
    assert!(above.contains(words), "{words}: {told}");
}

#[test]
fn whatever_a_page_says_in_an_answer_stands_in_a_fence() {
    let (legwork, site) = (Legwork::new(), canary());
    let mut visit = Visit::begin(Talk::greeted(&legwork, &["--live", "--confirm", "caller"]), &site);

    let told =
        visit.act(Some("combobox \"Colour\""), json!({ "type": "selectOption", "label": "Blue" }), json!({}));
    begins(&told, "ACTION_NOT_APPLICABLE: ");
    quotes(&told, "CANARY green");

    let told = visit.click("button \"Under\"");
    begins(&told, "ELEMENT_OBSCURED: ");
    quotes(&told, "CANARY cover");

    let asked = visit.click("button \"Pay CANARY\"");
    begins(&asked, "SAFETY_CONFIRMATION_REQUIRED: ");
    quotes(&asked, "requiredConfirmationText: CONFIRM POST");
    quotes(&asked, "came of: \"click");
    let wrong = json!({ "confirm": true, "confirmationText": "CONFIRM" });
    let told = visit.act(Some("button \"Pay CANARY\""), json!({ "type": "click" }), wrong);
    begins(&told, "SAFETY_CONFIRMATION_REQUIRED: ");
    let words = asked.lines().find_map(|line| line.strip_prefix("requiredConfirmationText: ")).unwrap();
    let yes = json!({ "confirm": true, "confirmationText": words });
    let told = visit.act(Some("button \"Pay CANARY\""), json!({ "type": "click" }), yes);
    begins(&told, "done: ");

    let told = visit.click("link \"File\"");
    quotes(&told, "CANARY.txt");

    let told = visit.act(
        Some("button \"Idle\""),
        json!({ "type": "click" }),
        json!({ "expect": { "titleContains": "Elsewhere" } }),
    );
    begins(&told, "done, but not as expected: click ");
    quotes(&told, "CANARY title");

    let told = visit.click("button \"Go along\"");
    begins(&told, "done: click ");
    quotes(&told, "/CANARY/path");
    let told = visit.call("browser_tabs", json!({}));
    assert!(told.contains("CANARY title"), "{told}");
    let told = visit.talk.told("browser_tabs", json!({}));
    assert!(told.contains(&visit.session) && told.contains("/CANARY/path"), "{told}");
    assert!(!outside(&told).contains("CANARY"), "{told}");
    let told =
        visit.act(None, json!({ "type": "navigate", "url": "http://no-such-host.invalid/" }), json!({}));
    begins(&told, "NAVIGATION_FAILED: ");
    assert_eq!(visit.talk.end(), 0);
}

#[test]
fn a_dialog_that_waits_is_named_by_whatever_it_is_in_the_way_of() {
    let (legwork, site) = (Legwork::new(), canary());
    let mut visit = Visit::begin(Talk::greeted(&legwork, &[]), &site);
    let idle = number(&visit.page, "button \"Idle\"");
    let told = visit.click("button \"Question\"");
    begins(&told, "done: click ");
    quotes(&told, "CANARY question");
    let look = named(&visit.page, "observation");
    let click = json!({ "observationId": look, "target": idle, "action": "click" });
    for (tool, arguments) in
        [("browser_act", click), ("browser_read", json!({})), ("browser_screenshot", json!({}))]
    {
        let told = visit.call(tool, arguments);
        begins(&told, "DIALOG_OPEN: ");
        assert!(outside(&told).contains("handleDialog"), "{told}");
        quotes(&told, "CANARY question");
    }
    let told = visit.act(None, json!({ "type": "handleDialog", "accept": false }), json!({}));
    begins(&told, "done: handleDialog");
    let told = visit.call("browser_read", json!({}));
    assert!(told.contains("CANARY false"), "{told}");
    assert_eq!(visit.talk.end(), 0);
}

#[test]
fn what_did_nothing_what_was_so_and_what_is_as_expected_are_told_apart() {
    let (legwork, site) = (Legwork::new(), canary());
    let mut visit = Visit::begin(Talk::greeted(&legwork, &[]), &site);
    let told = visit.act(Some("checkbox \"Ticked\""), json!({ "type": "check" }), json!({}));
    assert!(outside(&told).contains("\nwas so already, nothing was sent\n"), "{told}");
    let fill = |expect: Value| (json!({ "type": "fill", "value": "words" }), json!({ "expect": expect }));
    let field = number(&visit.page, "textbox \"Note\"");
    let (action, more) = fill(json!({ "inputValueEquals": { "actionId": field, "value": "words" } }));
    let told = visit.act(Some("textbox \"Note\""), action, more);
    begins(&told, "done: fill ");
    assert!(outside(&told).contains("\nas expected\n"), "{told}");
    visit.click("button \"Idle\"");
    let told = visit.click("button \"Idle\"");
    assert!(outside(&told).contains("\nnothing changed so far ("), "{told}");
    let expect = json!({ "expect": { "textAppeared": "Thank you" } });
    let told = visit.act(Some("button \"Idle\""), json!({ "type": "click" }), expect);
    assert!(
        outside(&told).contains("\nexpected: textAppeared does not hold: expected \"Thank you\" "),
        "{told}"
    );
    assert_eq!(visit.talk.end(), 0);
}

#[test]
fn a_caller_finds_the_sessions_that_can_be_closed() {
    let (legwork, site) = (Legwork::new(), canary());
    let mut talk = Talk::greeted(&legwork, &["--max-sessions", "1"]);
    assert_eq!(talk.told("browser_tabs", json!({})), "no sessions");
    let session = named(&talk.told("browser_open", json!({ "url": site.url("/") })), "session");
    let full = talk.refused("browser_open", json!({}), "SESSION_LIMIT");
    assert!(full.contains("browser_tabs"), "{full}");
    let list = talk.call("browser_tabs", json!({ "format": "json" }));
    let sessions = list["structuredContent"]["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 1);
    assert_eq!((&sessions[0]["sessionId"], &sessions[0]["url"]), (&json!(session), &json!(site.url("/"))));
    assert!(sessions[0]["idleSeconds"].is_u64(), "{list}");
    talk.told("browser_session_close", json!({ "sessionId": session }));
    assert_eq!(talk.told("browser_tabs", json!({})), "no sessions");
    talk.told("browser_open", json!({}));
    assert_eq!(talk.end(), 0);
}

#[test]
fn the_log_says_what_was_decided_and_done_and_no_word_of_a_page_or_a_value() {
    let (legwork, site, folder) = (Legwork::new(), canary(), tempfile::tempdir().unwrap());
    let log = folder.path().join("log");
    let talk = Talk::logged(&legwork, &["--log", "info"], File::create(&log).unwrap());
    let mut visit = Visit::begin(talk, &site);
    let told = visit.act(
        Some("textbox \"Note\""),
        json!({ "type": "fill", "value": "CANARY value" }),
        json!({ "reason": "CANARY reason" }),
    );
    begins(&told, "done: fill ");
    begins(&visit.click("button \"Pay CANARY\""), "DRY_RUN_BLOCKED: ");
    let expect = json!({ "expect": { "titleContains": "CANARY else" } });
    let number = number(&visit.page, "button \"Idle\"");
    let call = json!({ "sessionId": visit.session, "observationId": named(&visit.page, "observation"),
        "target": number, "action": "click", "expect": expect["expect"] });
    let told = visit.talk.told("browser_act", call);
    begins(&told, "done, but not as expected: ");
    visit.talk.told("browser_close", json!({ "sessionId": visit.session }));
    assert_eq!(visit.talk.end(), 0);
    let log = fs::read_to_string(log).unwrap();
    let session = &visit.session;
    for words in [
        vec!["session opened", session],
        vec!["gate", "verdict=\"go\"", "verb=\"fill\"", session],
        vec!["wire", "ruling=\"stop\"", "class=\"commit\"", session],
        vec!["verification failed", "titleContains", session],
        vec!["session closed", "its caller closed it", session],
    ] {
        assert!(
            log.lines().any(|line| words.iter().all(|word| line.contains(*word))),
            "no line with {words:?} in {log}"
        );
    }
    assert!(!log.contains("CANARY"), "{log}");
}
