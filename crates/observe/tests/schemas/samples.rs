//! Values that have everything, and calls of every kind.

use legwork_types::{
    Code, Details, Problem, TabId,
    contract::{
        ActResponse, ActionId, Download, Effects, Navigated, Observation, ObservationId, Receipt,
        RequestVerdict, SentRequest, ShownDialog, Verification,
    },
};
use serde_json::{Value, json};

/// A problem with each kind of details, and one without.
pub(crate) fn problems() -> Vec<Problem> {
    let plain = || Problem::new(Code::Timeout, "it took too long", "try again");
    let id = |id: &str| ObservationId(id.into());
    let confirmation =
        |text: Option<&str>, missing, mismatch, provided: Option<&str>| Details::Confirmation {
            required_confirmation_text: text.map(str::to_owned),
            missing,
            mismatch,
            provided: provided.map(str::to_owned),
            reasons: vec!["pays".into()],
        };
    let mut problems = vec![
        plain(),
        plain().because("the server sleeps"),
        plain().with(Details::Stale { current: Some(id("o2")), provided: id("o1") }),
        plain().with(Details::Stale { current: None, provided: id("o1") }),
        plain().with(Details::Obscured { by: "dialog \"Cookies\"".into() }),
        plain().with(confirmation(Some("CONFIRM"), Some("confirm"), false, None)),
        plain().with(confirmation(Some("CONFIRM"), None, true, Some("yes"))),
        plain().with(confirmation(None, None, false, None)),
        plain().with(Details::Contract { path: "action.url".into() }),
        plain().with(Details::Network { net: "net::ERR_FAILED".into() }),
        plain().with(Details::Gone { gone_at: "https://shop.test/heavy".into(), may_lack_memory: true }),
        plain().with(Details::Rule { rule: "scheme".into() }),
    ];
    problems.extend(Code::ALL.iter().map(|code| Problem::new(*code, "message", "hint")));
    problems.push(Problem { correlation_id: Some("c1".into()), ..plain() });
    problems
}

/// Receipts of nothing and of everything.
fn receipts() -> Vec<Receipt> {
    let request = |status, verdict| SentRequest {
        method: "POST".into(),
        origin: "https://shop.example".into(),
        path: "/orders".into(),
        status,
        verdict,
    };
    let dialog = ShownDialog { kind: "confirm".into(), message: "Sure?".into(), answer: "held" };
    let everything = Effects {
        navigated: Some(Navigated { from: "https://a.example/".into(), to: "https://b.example/".into() }),
        dom_changed: true,
        value_changed: true,
        focus_moved: true,
        scrolled: true,
        fields_changed: vec![ActionId(1), ActionId(2)],
        requests: vec![request(Some(201), RequestVerdict::Go), request(None, RequestVerdict::Failed)],
        more_requests: 3,
        new_tab: Some(TabId::nth(2)),
        closed_tab: Some(TabId::nth(1)),
        switched_tab: Some(TabId::nth(2)),
        dialog: Some(dialog),
        download: Some(Download { name: "bill.pdf".into(), bytes: Some(7), stopped: Some("too large") }),
    };
    let download = Some(Download { name: "bill.pdf".into(), bytes: None, stopped: None });
    let little = Effects { download, ..Effects::default() };
    let receipt = |effects| Receipt { dispatched: true, effects };
    vec![Receipt::default(), receipt(everything), receipt(little)]
}

/// Answers to calls to act.
pub(crate) fn responses(observation: &Observation) -> Vec<ActResponse> {
    let verification = |matched, observed: Option<&str>| Verification {
        matched,
        reason: "none given".into(),
        observed: observed.map(Into::into),
    };
    let mut responses = Vec::new();
    for receipt in receipts() {
        responses.push(ActResponse {
            ok: true,
            error: None,
            receipt: receipt.clone(),
            verification: verification(true, None),
            next_observation: Some(observation.clone()),
        });
        responses.push(ActResponse {
            ok: false,
            error: problems().pop(),
            receipt,
            verification: verification(false, Some("Sorry")),
            next_observation: None,
        });
    }
    responses
}

fn call(target: Value, action: Value) -> Value {
    json!({ "sessionId": "s1", "observationId": "o1", "target": target, "action": action })
}

fn on_page(action: Value) -> Value {
    call(json!({ "kind": "page" }), action)
}

fn on_element(action: Value) -> Value {
    call(json!({ "kind": "element", "actionId": 3 }), action)
}

fn with(mut call: Value, more: Value) -> Value {
    let more = more.as_object().unwrap().clone();
    call.as_object_mut().unwrap().extend(more);
    call
}

/// Calls to act that are in order: every action, every way to say it.
pub(crate) fn good_calls() -> Vec<Value> {
    let page = [
        json!({ "type": "navigate", "url": "https://shop.example/" }),
        json!({ "type": "back" }),
        json!({ "type": "forward" }),
        json!({ "type": "reload" }),
        json!({ "type": "scroll", "direction": "down" }),
        json!({ "type": "scroll", "direction": "left", "pixels": 5 }),
        json!({ "type": "wait", "for": "network-idle" }),
        json!({ "type": "wait", "for": "textGone", "value": "Loading", "ms": 30_000 }),
        json!({ "type": "wait", "for": "timeout", "value": null }),
        json!({ "type": "switchTab", "tabId": "t2" }),
        json!({ "type": "closeTab", "tabId": "t10" }),
        json!({ "type": "handleDialog", "accept": true, "text": "Ada" }),
        json!({ "type": "pressKey", "key": "Control+A" }),
        json!({ "type": "fillForm", "fields": [
            { "actionId": 1, "value": "Ada" },
            { "actionId": 2, "value": { "secret": "card" } },
        ] }),
    ];
    let element = [
        json!({ "type": "click" }),
        json!({ "type": "click", "button": "middle", "count": 3, "modifiers": ["Shift", "Meta"] }),
        json!({ "type": "hover" }),
        json!({ "type": "focus" }),
        json!({ "type": "fill", "value": "Ada" }),
        json!({ "type": "fill", "value": { "secret": "card" } }),
        json!({ "type": "type", "text": "Ada" }),
        json!({ "type": "type", "text": { "secret": "card" }, "delayMs": 1000 }),
        json!({ "type": "clear" }),
        json!({ "type": "selectOption", "value": "v" }),
        json!({ "type": "selectOption", "label": "V", "index": null }),
        json!({ "type": "selectOption", "index": 0 }),
        json!({ "type": "check" }),
        json!({ "type": "uncheck" }),
        json!({ "type": "scrollIntoView" }),
        json!({ "type": "upload", "files": ["/home/ada/cv.pdf"] }),
        json!({ "type": "drag", "to": 4 }),
    ];
    let mut calls: Vec<Value> = page.map(on_page).into_iter().chain(element.map(on_element)).collect();
    let click = || on_element(json!({ "type": "click" }));
    calls.extend([
        with(click(), json!({ "reason": "to pay", "confirm": true, "confirmationText": "CONFIRM" })),
        with(click(), json!({ "reason": null, "confirmationText": null, "expect": {}, "observe": {} })),
        with(
            click(),
            json!({ "expect": {
                "urlChanged": true, "urlContains": "/thanks", "titleContains": "Thanks", "headingContains": "Thanks",
                "modalOpened": false, "modalClosed": true, "modalTitleContains": "Paid", "bannerContains": "Paid",
                "elementAppeared": { "role": "button" }, "elementDisappeared": { "name": "Pay" },
                "inputValueEquals": { "actionId": 1, "value": "" }, "textAppeared": "Thanks",
                "requestSent": { "method": "POST", "path": "/orders" },
            } }),
        ),
    ]);
    calls.extend(good_options().into_iter().map(|options| with(click(), json!({ "observe": options }))));
    calls
}

/// Calls to act that are not in order.
pub(crate) fn bad_calls() -> Vec<Value> {
    let click = || on_element(json!({ "type": "click" }));
    let mut calls = vec![
        json!({}),
        json!([]),
        call(json!({ "kind": "frame" }), json!({ "type": "click" })),
        call(json!({ "kind": "element" }), json!({ "type": "click" })),
        call(json!({ "kind": "element", "actionId": "3" }), json!({ "type": "click" })),
        call(json!({ "kind": "element", "actionId": -1 }), json!({ "type": "click" })),
        call(json!({ "kind": "page", "actionId": 1 }), json!({ "type": "back" })),
        call(json!({ "actionId": 1 }), json!({ "type": "click" })),
        on_page(json!({ "type": "evaluate", "script": "1" })),
        on_page(json!({ "type": "navigate" })),
        on_page(json!({ "type": "back", "steps": 2 })),
        on_page(json!({ "type": "scroll", "direction": "sideways" })),
        on_page(json!({ "type": "wait", "for": "networkIdle" })),
        on_page(json!({ "type": "switchTab", "tabId": 2 })),
        on_page(json!({ "type": "switchTab", "tabId": "2" })),
        on_page(json!({ "type": "handleDialog" })),
        on_page(json!({ "type": "fillForm", "fields": [{ "actionId": 1 }] })),
        on_page(json!({ "type": "fillForm", "fields": [{ "actionId": 1, "value": "x", "more": 1 }] })),
        on_element(json!({ "type": "click", "button": "Left" })),
        on_element(json!({ "type": "click", "modifiers": ["shift"] })),
        on_element(json!({ "type": "fill", "value": 5 })),
        on_element(json!({ "type": "fill", "value": { "name": "card" } })),
        on_element(json!({ "type": "drag", "to": "4" })),
        with(click(), json!({ "confirm": "yes" })),
        with(click(), json!({ "force": true })),
        with(click(), json!({ "expect": { "urlMatches": ".*" } })),
        with(click(), json!({ "expect": { "elementAppeared": { "selector": "a" } } })),
    ];
    calls.extend(bad_options().into_iter().map(|options| with(click(), json!({ "observe": options }))));
    calls
}

/// Questions to a look that are in order.
pub(crate) fn good_options() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "mode": "a11y", "scope": "modalOnly", "maxAffordances": 200, "maxTokens": 500 }),
        json!({ "scope": "modal", "includeHidden": true, "includeDisabled": false, "maxTokens": null }),
        json!({ "cursor": "c", "since": "o1", "find": "button save", "within": 3 }),
        json!({ "find": { "role": "button" }, "within": "main", "include": ["text", "boxes", "screenshot"] }),
        json!({ "find": { "role": "button", "name": "Save" }, "cursor": null, "since": null, "within": null }),
    ]
}

/// Questions to a look that are not.
pub(crate) fn bad_options() -> Vec<Value> {
    vec![
        json!({ "mode": "vision" }),
        json!({ "scope": "page" }),
        json!({ "maxAffordances": "50" }),
        json!({ "maxAffordances": -1 }),
        json!({ "maxTokens": 1.5 }),
        json!({ "find": { "name": "Save" } }),
        json!({ "within": "sidebar" }),
        json!({ "include": ["html"] }),
        json!({ "include": "text" }),
        json!({ "max_affordances": 5 }),
    ]
}
