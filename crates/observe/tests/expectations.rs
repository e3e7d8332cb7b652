//! Every kind of expectation, both ways; what can't be told is never matched; and whatever a page is, a verdict comes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "common/random.rs"]
mod random;

use common::*;
use legwork_observe::{
    Look, PageCapture, Scene,
    capture::{ControlState, GroupKind, Switch},
    expect::{check, validate},
};
use legwork_types::{
    PageText, Timestamp,
    contract::{
        ActionId, Dialog, Expect, ObservationId, RequestVerdict, SentRequest, SessionId, Verification,
    },
};
use proptest::{collection::vec, prelude::*, sample::select};
use random::a_capture;
use serde_json::{Value, json};

fn expect(given: Value) -> Expect {
    serde_json::from_value(given).unwrap()
}

fn seen(doc: &Doc) -> Look {
    look(&doc.capture())
}

fn verify(given: &Value, before: &Look, after: &Look, requests: &[SentRequest]) -> Verification {
    let expect = expect(given.clone());
    assert_eq!(validate(&expect), Ok(()), "{given}");
    let verification = check(&expect, before, after, requests);
    let observed = verification.observed.as_ref().map_or("", |observed| observed.untrusted());
    assert!(observed.chars().count() <= 200, "{observed}");
    verification
}

/// Each case: what is expected, and whether it is so. What is not so is named first in the reason.
#[track_caller]
fn verdicts(before: &Doc, after: &Doc, cases: &[(Value, bool)]) {
    let (before, after) = (seen(before), seen(after));
    for (given, matched) in cases {
        let verification = verify(given, &before, &after, &[]);
        assert_eq!(verification.matched, *matched, "{given}: {verification:?}");
        let name = given.as_object().unwrap().keys().next().unwrap();
        assert_eq!(verification.reason.starts_with(&format!("{name} does not hold: ")), !matched);
    }
}

fn dialog(title: &str) -> El {
    group(GroupKind::Modal, vec![text("Are you sure?"), button("Yes")]).named(title)
}

fn notice(words: &'static str) -> El {
    group(GroupKind::Alert, vec![text(words)])
}

fn hidden(el: El) -> El {
    el.state(ControlState(0))
}

fn number(look: &Look, name: &str) -> ActionId {
    item(look.scene(), name).affordance.action_id
}

#[test]
fn nothing_expected_is_matched() {
    let page = seen(&page(vec![]));
    let verification = check(&Expect::default(), &page, &page, &[]);
    assert!(verification.matched && verification.observed.is_none());
    assert_eq!(verification.reason, "none given");
}

#[test]
fn the_first_in_the_order_of_the_contract_that_fails_is_named() {
    let (before, after) = (seen(&page(vec![])), seen(&page(vec![]).titled("Basket")));
    let given = json!({ "textAppeared": "x", "titleContains": "Paid", "urlContains": "/a" });
    let verification = verify(&given, &before, &after, &[]);
    assert!(!verification.matched);
    assert_eq!(verification.reason, "titleContains does not hold: expected \"Paid\" in the title");
    assert_eq!(verification.observed, Some("Basket".into()));
    let given = json!({ "titleContains": "basket", "urlContains": "/a" });
    assert_eq!(verify(&given, &before, &after, &[]).reason, "all 2 that were expected are so");
}

#[test]
fn addresses_are_compared_letter_by_letter() {
    let before = page(vec![]).url("https://shop.example/cart");
    let cases = |changed: bool| {
        [
            (json!({ "urlChanged": true }), changed),
            (json!({ "urlChanged": false }), !changed),
            (json!({ "urlContains": "/Thanks" }), changed),
            (json!({ "urlContains": "/thanks" }), false),
            (json!({ "urlContains": "shop.example" }), true),
            (json!({ "urlContains": " shop.example" }), false),
        ]
    };
    verdicts(&before, &before, &cases(false));
    verdicts(&before, &page(vec![]).url("https://shop.example/Thanks"), &cases(true));
    let fragment = page(vec![]).url("https://shop.example/cart#/pay");
    verdicts(&before, &fragment, &[(json!({ "urlChanged": true }), true)]);
}

#[test]
fn texts_are_compared_without_case_and_white_space() {
    let after = page(vec![heading(1, "Your\n  ORDER is complete"), notice("Saved.  Well done")]);
    let after = after.titled("Thank you – Shop");
    verdicts(
        &page(vec![]),
        &after,
        &[
            (json!({ "titleContains": "  thank   YOU " }), true),
            (json!({ "titleContains": "thanks" }), false),
            (json!({ "headingContains": "order is" }), true),
            (json!({ "headingContains": "orderis" }), false),
            (json!({ "bannerContains": "saved. well" }), true),
            (json!({ "bannerContains": "failed" }), false),
            (json!({ "textAppeared": "ORDER IS COMPLETE" }), true),
        ],
    );
    let (before, after) = (seen(&page(vec![])), seen(&page(vec![text("ΟΔΟΣ 5")])));
    assert!(verify(&json!({ "textAppeared": "οδος 5" }), &before, &after, &[]).matched);
}

#[test]
fn what_is_there_instead_is_observed() {
    let after = page(vec![heading(1, "Sorry"), notice("Card declined"), notice("Try again")]);
    let (before, after) = (seen(&page(vec![])), seen(&after));
    for (given, observed) in [
        (json!({ "headingContains": "Thanks" }), Some("Sorry")),
        (json!({ "bannerContains": "Paid" }), Some("Card declined | Try again")),
        (json!({ "urlContains": "/thanks" }), Some("https://shop.example/a?q=1")),
        (json!({ "modalTitleContains": "Paid" }), None),
    ] {
        let verification = verify(&given, &before, &after, &[]);
        assert_eq!(verification.observed.as_ref().map(PageText::untrusted), observed, "{given}");
    }
}

#[test]
fn dialogs_open_and_close() {
    let (none, one) = (page(vec![]), page(vec![dialog("Delete?")]));
    let (other, both) = (page(vec![dialog("Cookies")]), page(vec![dialog("Delete?"), dialog("Cookies")]));
    let twice = page(vec![dialog("Delete?"), dialog("Delete?")]);
    let counted = |title: &str| page(vec![dialog(title)]);
    for (before, after, opened, closed) in [
        (&none, &none, false, false),
        (&none, &one, true, false),
        (&one, &none, false, true),
        (&one, &one, false, false),
        (&one, &other, true, true),
        (&one, &both, true, false),
        (&both, &one, false, true),
        (&one, &twice, true, false),
        (&twice, &one, false, true),
        (&counted("Upload (1)"), &counted("Upload (2)"), false, false),
    ] {
        verdicts(
            before,
            after,
            &[
                (json!({ "modalOpened": true }), opened),
                (json!({ "modalOpened": false }), !opened),
                (json!({ "modalClosed": true }), closed),
                (json!({ "modalClosed": false }), !closed),
            ],
        );
    }
    verdicts(
        &none,
        &both,
        &[
            (json!({ "modalTitleContains": "COOKIE" }), true),
            (json!({ "modalTitleContains": "sure" }), false),
        ],
    );
}

#[test]
fn dialogs_without_a_title_are_known_by_their_words() {
    let untitled = |words| page(vec![group(GroupKind::Modal, vec![text(words), button("OK")])]);
    verdicts(&untitled("One"), &untitled("One"), &[(json!({ "modalOpened": true }), false)]);
    verdicts(&untitled("One"), &untitled("Two"), &[(json!({ "modalOpened": true }), true)]);
}

#[test]
fn controls_appear_and_disappear() {
    let one = page(vec![button("Add to basket"), hidden(button("Undo"))]);
    let two = page(vec![button("Add to basket"), button("Add to basket (2)"), button("Undo")]);
    let more = [
        (json!({ "elementAppeared": { "role": "button" } }), true),
        (json!({ "elementAppeared": { "role": "Button", "name": "UNDO" } }), true),
        (json!({ "elementAppeared": { "name": "add to" } }), true),
        (json!({ "elementAppeared": { "role": "link", "name": "Undo" } }), false),
        (json!({ "elementAppeared": { "role": "butt" } }), false),
        (json!({ "elementDisappeared": { "name": "Undo" } }), false),
    ];
    verdicts(&one, &two, &more);
    let fewer = [
        (json!({ "elementDisappeared": { "role": "button", "name": "undo" } }), true),
        (json!({ "elementDisappeared": { "name": "add to" } }), true),
        (json!({ "elementDisappeared": { "name": "pay" } }), false),
        (json!({ "elementAppeared": { "name": "Undo" } }), false),
    ];
    verdicts(&two, &one, &fewer);
}

#[test]
fn values_of_fields_are_compared_whole() {
    let with =
        |value: &str| page(vec![button("Go"), field("Name").value(value), field("City").value("Rome")]);
    let before = seen(&with(""));
    let name = number(&before, "Name");
    for (value, expected, matched) in [
        ("Ada", "Ada", true),
        ("Ada", "ada", false),
        ("Ada ", "Ada", false),
        ("Ada", "", false),
        ("", "", true),
        ("a\nb", "a\r\nb", true),
        (&"x".repeat(200), &"x".repeat(200), true),
        (&"x".repeat(201), &"x".repeat(200), false),
    ] {
        let given = json!({ "inputValueEquals": { "actionId": name, "value": expected } });
        let verification = verify(&given, &before, &seen(&with(value)), &[]);
        assert_eq!(verification.matched, matched, "{value:?} {expected:?}");
        assert_eq!(verification.observed.is_some(), !matched);
    }
    let gone = seen(&page(vec![field("City").value("Ada")]));
    let given = json!({ "inputValueEquals": { "actionId": name, "value": "Ada" } });
    assert!(verify(&given, &before, &gone, &[]).reason.ends_with("is not on the page any more"));
    let given = json!({ "inputValueEquals": { "actionId": 99, "value": "Ada" } });
    assert!(verify(&given, &before, &gone, &[]).reason.ends_with("there was nothing with number 99"));
    let given = json!({ "inputValueEquals": { "actionId": number(&before, "Go"), "value": "" } });
    assert!(!verify(&given, &before, &before, &[]).matched, "a button holds nothing, not even nothing");
}

#[test]
fn twins_are_told_apart_by_their_order() {
    let both = |one: &str, two: &str| page(vec![field("Guest").value(one), field("Guest").value(two)]);
    let (before, after) = (seen(&both("", "")), seen(&both("Ada", "Bob")));
    let second = before.scene().items[1].affordance.action_id;
    let given = |value: &str| json!({ "inputValueEquals": { "actionId": second, "value": value } });
    assert!(verify(&given("Bob"), &before, &after, &[]).matched);
    assert!(!verify(&given("Ada"), &before, &after, &[]).matched);
}

#[test]
fn what_is_ticked_holds_true_or_false() {
    let ticked = |on: bool| {
        let state = SEEN.0 | if on { 2 } else { 1 } << Switch::Checked as u32;
        page(vec![control("checkbox", "I agree").state(ControlState(state))])
    };
    let before = seen(&ticked(false));
    for (on, expected, matched) in [(true, "true", true), (false, "true", false), (false, "false", true)] {
        let given = json!({ "inputValueEquals": { "actionId": 1, "value": expected } });
        assert_eq!(verify(&given, &before, &seen(&ticked(on)), &[]).matched, matched);
    }
}

#[test]
fn a_value_that_is_kept_back_is_neither_compared_nor_told() {
    let with = |value: &str| seen(&page(vec![password("Password").value(value)]));
    for value in ["hunter2", ""] {
        let given = json!({ "inputValueEquals": { "actionId": 1, "value": value } });
        let verification = verify(&given, &with(""), &with(value), &[]);
        assert!(!verification.matched && verification.observed.is_none());
        assert!(verification.reason.contains("kept back") && !verification.reason.contains("hunter2"));
    }
}

#[test]
fn words_appear_in_texts_and_names_that_can_be_seen() {
    let after = page(vec![
        group(GroupKind::Main, vec![text("Total:"), text("5 €"), button("Pay now"), hidden(button("Undo"))]),
        group(GroupKind::Footer, vec![text("Imprint")]),
    ]);
    verdicts(
        &page(vec![text("Imprint")]),
        &after,
        &[
            (json!({ "textAppeared": "total: 5 €" }), true),
            (json!({ "textAppeared": "pay NOW" }), true),
            (json!({ "textAppeared": "Undo" }), false),
            (json!({ "textAppeared": "now Imprint" }), false),
            (json!({ "textAppeared": "Imprint" }), false),
        ],
    );
}

fn request(method: &str, path: &str, verdict: RequestVerdict, status: Option<u16>) -> SentRequest {
    SentRequest {
        method: method.into(),
        origin: "https://shop.example".into(),
        path: path.into(),
        status,
        verdict,
    }
}

#[test]
fn requests_are_known_by_method_and_path() {
    let page = seen(&page(vec![]));
    let sent = [
        request("GET", "/status", RequestVerdict::Go, None),
        request("POST", "/api/orders", RequestVerdict::Go, Some(201)),
        request("DELETE", "/held", RequestVerdict::Failed, None),
        request("PUT", "/refused", RequestVerdict::Failed, Some(500)),
    ];
    for (pattern, matched) in [
        (json!({ "method": "post", "path": "/orders" }), true),
        (json!({ "method": "POST" }), true),
        (json!({ "path": "status" }), true),
        (json!({ "path": "/Orders" }), false),
        (json!({ "method": "GET", "path": "/orders" }), false),
        (json!({ "method": "PATCH" }), false),
        (json!({ "path": "/held" }), false),
        (json!({ "path": "/refused" }), true),
    ] {
        let verification = verify(&json!({ "requestSent": pattern }), &page, &page, &sent);
        assert_eq!(verification.matched, matched, "{pattern}");
        let observed = verification.observed.map(|observed| observed.untrusted().to_owned());
        let all = "GET /status | POST /api/orders | PUT /refused".to_owned();
        assert_eq!(observed, (!matched).then_some(all));
    }
}

/// What is known of a page that can't be looked at.
fn stale(last: &Doc) -> Look {
    let dialogs = vec![Dialog { kind: "confirm".into(), message: "Really?".into() }];
    let (id, session) = (ObservationId("o2".into()), SessionId("s1".into()));
    Look::stale(&Scene::of(&last.capture()), dialogs, id, session, Timestamp::default())
}

#[test]
fn of_a_page_that_was_not_looked_at_only_what_was_sent_is_known() {
    let last = page(vec![heading(1, "Basket"), field("Name").value("Ada"), dialog("Sure?")]);
    let (before, after) = (seen(&last), stale(&last));
    let name = number(&before, "Name");
    for given in [
        json!({ "urlChanged": true }),
        json!({ "urlChanged": false }),
        json!({ "urlContains": "shop" }),
        json!({ "titleContains": "Shop" }),
        json!({ "headingContains": "Basket" }),
        json!({ "modalOpened": false }),
        json!({ "modalClosed": true }),
        json!({ "modalTitleContains": "Sure" }),
        json!({ "elementDisappeared": { "role": "button" } }),
        json!({ "inputValueEquals": { "actionId": name, "value": "Ada" } }),
    ] {
        let verification = verify(&given, &before, &after, &[]);
        assert!(!verification.matched && verification.reason.contains("could not be looked at"), "{given}");
    }
    let sent = [request("POST", "/orders", RequestVerdict::Go, None)];
    assert!(verify(&json!({ "requestSent": { "path": "/orders" } }), &before, &after, &sent).matched);
    // Another address than before is news, however it came.
    let elsewhere = stale(&last.clone().url("https://shop.example/thanks"));
    for (given, matched) in [
        (json!({ "urlChanged": true }), true),
        (json!({ "urlChanged": false }), false),
        (json!({ "urlContains": "/thanks" }), true),
        (json!({ "titleContains": "Shop" }), false),
    ] {
        assert_eq!(verify(&given, &before, &elsewhere, &[]).matched, matched, "{given}");
    }
}

#[test]
fn nothing_is_new_on_a_page_that_nobody_saw_before() {
    let now = page(vec![text("Deleted"), button("Undo"), dialog("Done")]).titled("Done");
    let (before, after) = (stale(&now), seen(&now));
    for given in [
        json!({ "textAppeared": "Deleted" }),
        json!({ "elementAppeared": { "name": "Undo" } }),
        json!({ "modalOpened": true }),
    ] {
        let verification = verify(&given, &before, &after, &[]);
        assert!(!verification.matched && verification.reason.contains("before"), "{given}");
    }
    assert!(verify(&json!({ "titleContains": "done" }), &before, &after, &[]).matched);
}

#[test]
fn what_can_not_be_asked_is_refused() {
    for (given, path) in [
        (json!({ "modalOpened": true, "modalClosed": true }), "expect.modalOpened"),
        (json!({ "urlContains": "" }), "expect.urlContains"),
        (json!({ "titleContains": "  " }), "expect.titleContains"),
        (json!({ "headingContains": "\n" }), "expect.headingContains"),
        (json!({ "modalTitleContains": "" }), "expect.modalTitleContains"),
        (json!({ "bannerContains": "" }), "expect.bannerContains"),
        (json!({ "textAppeared": "" }), "expect.textAppeared"),
        (json!({ "textAppeared": "x".repeat(1001) }), "expect.textAppeared"),
        (json!({ "elementAppeared": {} }), "expect.elementAppeared"),
        (json!({ "elementAppeared": { "role": "link", "name": "" } }), "expect.elementAppeared"),
        (json!({ "elementDisappeared": { "role": " " } }), "expect.elementDisappeared"),
        (
            json!({ "inputValueEquals": { "actionId": 1, "value": "x".repeat(201) } }),
            "expect.inputValueEquals.value",
        ),
        (json!({ "requestSent": {} }), "expect.requestSent"),
        (json!({ "requestSent": { "method": "" } }), "expect.requestSent"),
        (json!({ "requestSent": { "path": "" } }), "expect.requestSent"),
    ] {
        let expect = expect(given.clone());
        assert_eq!(validate(&expect).map_err(|mismatch| mismatch.path), Err(path), "{given}");
        // Whoever asks all the same gets no yes.
        if given.get("modalOpened").is_none() {
            let page = seen(&page(vec![button("x"), text("x"), heading(1, "x"), notice("x"), dialog("x")]));
            let empty = look(&PageCapture::default());
            assert!(
                !check(&expect, &empty, &page, &[request("GET", "/x", RequestVerdict::Go, None)]).matched
            );
        }
    }
    for given in [
        json!({}),
        json!({ "modalOpened": true, "modalClosed": false }),
        json!({ "inputValueEquals": { "actionId": 1, "value": "" } }),
    ] {
        assert_eq!(validate(&expect(given)), Ok(()));
    }
}

fn any_words() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec!["", " ", "a", "Pay", "Sign in", "button", "textbox", "/", "https"])
            .prop_map(str::to_owned),
        "\\PC{0,8}",
    ]
}

fn any_expect() -> impl Strategy<Value = Expect> {
    let flags = vec(proptest::option::weighted(0.3, any::<bool>()), 3);
    let texts = vec(proptest::option::weighted(0.3, any_words()), 6);
    let pairs = vec(proptest::option::weighted(0.3, (any_words(), any_words(), 0u8..4)), 4);
    (flags, texts, pairs).prop_map(|(flags, texts, pairs)| {
        let pair = |at: usize, one: &str, other: &str| {
            pairs[at].as_ref().map(|(a, b, which)| {
                let mut pair = serde_json::Map::new();
                (which & 1 != 0).then(|| pair.insert(one.into(), json!(a)));
                (which & 2 != 0).then(|| pair.insert(other.into(), json!(b)));
                Value::Object(pair)
            })
        };
        let value = pairs[2].as_ref().map(|(value, _, action)| json!({ "actionId": action, "value": value }));
        expect(json!({
            "urlChanged": flags[0],
            "modalOpened": flags[1],
            "modalClosed": flags[2],
            "urlContains": texts[0],
            "titleContains": texts[1],
            "headingContains": texts[2],
            "modalTitleContains": texts[3],
            "bannerContains": texts[4],
            "textAppeared": texts[5],
            "elementAppeared": pair(0, "role", "name"),
            "elementDisappeared": pair(1, "role", "name"),
            "inputValueEquals": value,
            "requestSent": pair(3, "method", "path"),
        }))
    })
}

/// Whether something is expected to be there.
fn is_positive(expect: &Expect) -> bool {
    let negative = Expect {
        url_changed: expect.url_changed.filter(|want| !want),
        modal_opened: expect.modal_opened.filter(|want| !want),
        modal_closed: expect.modal_closed,
        element_disappeared: expect.element_disappeared.clone(),
        ..Expect::default()
    };
    *expect != negative
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn a_verdict_always_comes(expect in any_expect(), before in a_capture(), after in a_capture()) {
        let (before, after) = (look(&before), look(&after));
        let verification = check(&expect, &before, &after, &[]);
        let observed = verification.observed.as_ref().map_or("", |observed| observed.untrusted());
        prop_assert!(observed.chars().count() <= 200);
        prop_assert!(!verification.matched || verification.observed.is_none());
        prop_assert_eq!(&verification, &check(&expect, &before, &after, &[]));
        let _ = validate(&expect);
    }

    #[test]
    fn an_empty_page_is_as_expected_only_if_nothing_should_be_there(
        expect in any_expect(),
        before in a_capture(),
    ) {
        let empty = look(&PageCapture::default());
        // The address of the empty page is empty: that it is another one than before is no news of something there.
        let positive = Expect { url_changed: None, ..expect.clone() };
        let matched = check(&positive, &look(&before), &empty, &[]).matched;
        prop_assert!(!matched || !is_positive(&positive), "{positive:?}");
        let matched = check(&expect, &empty, &empty, &[]).matched;
        prop_assert!(!matched || !is_positive(&expect), "{expect:?}");
    }

    #[test]
    fn a_page_that_did_not_change_did_nothing(expect in any_expect(), page in a_capture()) {
        let (before, after) = (look(&page), look(&page));
        let changes = expect.url_changed == Some(true)
            || expect.modal_opened == Some(true)
            || expect.modal_closed == Some(true)
            || expect.element_appeared.is_some()
            || expect.element_disappeared.is_some()
            || expect.text_appeared.is_some()
            || expect.request_sent.is_some();
        prop_assert!(!changes || !check(&expect, &before, &after, &[]).matched);
    }
}
