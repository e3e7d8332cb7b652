//! A yes is good for what was shown, once: tokens may change, nothing that means something may.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{
    BoundSecret, Classed, Difference, FilePart, Grant, Grants, Moment, Operation, OperationKind, WireFacts,
    card, classify, decode, opaque_fields,
};
use legwork_types::{
    Outgoing,
    contract::{ObservationId, SessionId},
};
use proptest::prelude::*;
use wire::*;

const NOW: u64 = 1_763_340_000_000;
const OLD: &str = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE";
const NEW: &str = "Zx8Yw7Vu6Ts5Rq4Po3Nm2Lk1Ji0Hg9Fe";

fn grant(outgoing: &Outgoing) -> Grant {
    let mut shown = decode(outgoing);
    shown.document = Some("loader-1".into());
    let facts = own_facts(outgoing);
    let opaque = opaque_fields(&shown, NOW);
    Grant {
        session: SessionId("s".into()),
        observation: ObservationId("o".into()),
        origin: SHOP.into(),
        target: None,
        card: card(&shown, &classify(&shown, &facts), &opaque, &facts),
        shown,
        opaque,
        nonce: "n".into(),
        policy_version: 1,
        made_ms: NOW,
        expires_ms: NOW + 600_000,
    }
}

fn matched(shown: &Outgoing, sent: &Outgoing) -> Result<(), Difference> {
    let mut sent = decode(sent);
    sent.document = Some("loader-1".into());
    grant(shown).matches(NOW + 60_000, &sent)
}

#[test]
fn what_may_change_and_what_may_not() {
    for (shown, sent, passes) in [
        (format!("csrf={OLD}&amount=10"), format!("csrf={NEW}&amount=10"), true),
        (format!("csrf={OLD}&amount=10"), format!("amount=10&csrf={NEW}"), false),
        (format!("token={OLD}&amount=10"), format!("token={NEW}&amount=10"), false),
        (format!("nonce={OLD}"), format!("nonce={NEW}"), false),
        (format!("_token={OLD}"), format!("_token={NEW}"), true),
        (
            "i[][to]=ada&i[][amt]=1&i[][to]=eve&i[][amt]=9".into(),
            "i[][to]=ada&i[][to]=eve&i[][amt]=1&i[][amt]=9".into(),
            false,
        ),
        (format!("csrf={OLD}&amount=10"), format!("csrf={NEW}&amount=1000"), false),
        (format!("csrf={OLD}&amount=10"), "csrf=short&amount=10".into(), false),
        (format!("csrf={OLD}"), format!("csrf={NEW}&x=1"), false),
        (format!("csrf={OLD}&x=1"), format!("csrf={NEW}"), false),
        (format!("csrf={OLD}&x=1"), format!("csrf={NEW}&x=1&x=1"), false),
        (format!("csrf={OLD}"), "csrf=https://evil.test/x1234567890abcdefgh".into(), false),
        ("payee=alice".into(), "payee=mallory".into(), false),
        ("x=alice".into(), "x=mallory".into(), false),
        (format!("payee={OLD}"), format!("payee={NEW}"), false),
        (format!("account_id={OLD}"), format!("account_id={NEW}"), false),
        (format!("ref={OLD}"), format!("ref={NEW}"), false),
        (format!("checkout_session={OLD}"), format!("checkout_session={NEW}"), false),
        // Whatever a page keeps in hidden fields: what it is called says nothing, or it is too short to be random.
        (format!("hidden={OLD}"), format!("hidden={NEW}"), false),
        ("_wpnonce=4f3c2b1a09".into(), "_wpnonce=9a8b7c6d5e".into(), false),
        (
            "request_id=0b7e3c1a-1111-4222-8333-444455556666&a=1".into(),
            "request_id=9c8d7e6f-1111-4222-8333-444455556666&a=1".into(),
            false,
        ),
        (
            "idempotency_key=0b7e3c1a-1111-4222-8333-444455556666".into(),
            "idempotency_key=9c8d7e6f-aaaa-4bbb-8ccc-ddddeeeeffff".into(),
            true,
        ),
        (
            "product_id=0b7e3c1a-1111-4222-8333-444455556666".into(),
            "product_id=9c8d7e6f-aaaa-4bbb-8ccc-ddddeeeeffff".into(),
            false,
        ),
        ("ts=1763339999000".into(), "ts=1763340050000".into(), true),
        ("ts=1763339999".into(), "ts=1763340050".into(), true),
        ("ts=1763339999000".into(), "ts=1763940050000".into(), false),
        ("ts=1763339999000".into(), "ts=1000".into(), false),
        ("phone=1763339999".into(), "phone=1763340050".into(), false),
        ("sent_to=1763339999".into(), "sent_to=1763340050".into(), false),
        ("sent_at=1763339999".into(), "sent_at=1763340050".into(), true),
        // What a page was told before is kept there, and sent again.
        (format!("__VIEWSTATE={OLD}{OLD}"), format!("__VIEWSTATE={NEW}{NEW}"), false),
        ("start=2025-11-17T19:00:00Z".into(), "start=2025-11-17T20:00:00Z".into(), false),
        ("token=10".into(), "token=1000".into(), false),
        ("token=a@b.test".into(), "token=m@b.test".into(), false),
        ("token=DE89370400440532013000".into(), "token=GB29NWBK60161331926819".into(), false),
        ("token=%2B4930123456789".into(), "token=%2B4930123456780".into(), false),
        ("a=1&a=2".into(), "a=2&a=1".into(), false),
    ] {
        let found = matched(&form("/pay", &shown), &form("/pay", &sent));
        assert_eq!(found.is_ok(), passes, "{shown} {sent}: {found:?}");
        assert_eq!(matched(&form("/pay", &shown), &form("/pay", &shown)), Ok(()), "{shown}");
    }
}

#[test]
fn headers_that_a_page_chose_are_part_of_what_was_shown() {
    let sent = |headers: &[(&str, &str)]| {
        let mut outgoing = form("/pay", "amount=10");
        outgoing
            .headers
            .extend(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        outgoing
    };
    let shown = sent(&[("x-csrf-token", OLD), ("x-payee", "alice")]);
    for (headers, passes) in [
        (&[("x-csrf-token", OLD), ("x-payee", "alice")][..], true),
        (&[("x-csrf-token", NEW), ("x-payee", "alice")][..], true),
        (&[("x-csrf-token", NEW), ("x-payee", "mallory")][..], false),
        (&[("x-csrf-token", "short"), ("x-payee", "alice")][..], false),
        (&[("x-csrf-token", OLD)][..], false),
        (&[("x-csrf-token", OLD), ("x-payee", "alice"), ("x-http-method-override", "DELETE")][..], false),
    ] {
        assert_eq!(matched(&shown, &sent(headers)).is_ok(), passes, "{headers:?}");
    }
}

#[test]
fn json_that_is_built_in_another_way_says_something_else() {
    for (shown, sent, passes) in [
        (r#"{"to":"ada","renew":false}"#, r#"{"to":"ada","renew":false}"#, true),
        (r#"{"to":"ada","renew":false}"#, r#"{ "to": "ada", "renew": false }"#, true),
        (r#"{"to":"ada","renew":false}"#, r#"{"to":"ada","renew":"false"}"#, false),
        (r#"{"amount":10}"#, r#"{"amount":"10"}"#, false),
        (r#"{"limit":null}"#, r#"{"limit":"null"}"#, false),
        (r#"{"to":{"id":5}}"#, r#"{"to.id":5}"#, false),
        (r#"{"to":[5]}"#, r#"{"to":{"0":5}}"#, false),
        (r#"{"skip":[]}"#, r#"{"skip":"[]"}"#, false),
    ] {
        assert_eq!(matched(&json("/pay", shown), &json("/pay", sent)).is_ok(), passes, "{shown} {sent}");
    }
    let token = |token: &str| json("/pay", &format!(r#"{{"csrf":"{token}","amount":10}}"#));
    assert_eq!(matched(&token(OLD), &token(NEW)), Ok(()));
}

#[test]
fn another_boundary_is_the_same_form() {
    let body = |mark: &str, amount: u32| {
        let text = format!(
            "--{mark}\r\nContent-Disposition: form-data; name=\"amount\"\r\n\r\n{amount}\r\n--{mark}--\r\n"
        );
        with(sent("POST", "/pay"), &format!("multipart/form-data; boundary={mark}"), text)
    };
    assert_eq!(matched(&body("----WebKitA", 10), &body("----WebKitB", 10)), Ok(()));
    assert_eq!(
        matched(&body("----WebKitA", 10), &body("----WebKitB", 11)),
        Err(Difference::Value("amount".into()))
    );
}

#[test]
fn what_cannot_be_inspected_must_be_the_same_of_the_same_document() {
    let bytes = |body: &[u8]| with(sent("POST", "/pay"), "application/x-protobuf", body);
    assert_eq!(matched(&bytes(b"a"), &bytes(b"a")), Ok(()));
    assert_eq!(matched(&bytes(b"a"), &bytes(b"b")), Err(Difference::NotInspected));
    let mut other = decode(&bytes(b"a"));
    for document in [None, Some("loader-2".to_owned())] {
        other.document = document;
        assert_eq!(grant(&bytes(b"a")).matches(NOW + 1, &other), Err(Difference::NotInspected));
    }
}

#[test]
fn a_grant_is_good_once_in_its_time_for_its_session_and_its_page() {
    let outgoing = form("/pay", "amount=10");
    let decoded = decode(&outgoing);
    let from = |origin: &str, now_ms, session: &str, policy_version| Moment {
        now_ms,
        session: SessionId(session.into()),
        origin: origin.into(),
        policy_version,
    };
    let at = |now_ms, session: &str, policy_version| from(SHOP, now_ms, session, policy_version);
    for (moment, found) in [
        (at(NOW + 1, "s", 1), true),
        (at(NOW + 1, "other", 1), false),
        (at(NOW + 1, "s", 2), false),
        (at(NOW + 600_000, "s", 1), false),
        (at(NOW - 1, "s", 1), false),
        (from("https://evil.test", NOW + 1, "s", 1), false),
    ] {
        let mut grants = Grants::default();
        grants.give(grant(&outgoing));
        assert_eq!(grants.take(&moment, &decoded).is_some(), found, "{moment:?}");
        assert!(grants.take(&moment, &decoded).is_none());
    }
    let mut grants = Grants::default();
    grants.give(grant(&outgoing));
    grants.forget(&SessionId("s".into()));
    assert!(grants.is_empty());
}

#[test]
fn a_card_shows_what_is_sent_and_hides_what_is_secret() {
    let long = "x".repeat(300);
    let body = format!(
        "csrf={OLD}&amount=10.00&to=%E2%80%AEalice%0A%5BApproved%5D&number=4111111111111111&cvc=123&password=p4ssw0rd&note=hunter22&long={long}"
    );
    let outgoing = form("https://ѕhop.test/pay", &body);
    let decoded = decode(&outgoing);
    let facts = WireFacts { secrets: vec![BoundSecret::new("hunter22", vec![])], ..own_facts(&outgoing) };
    let opaque = opaque_fields(&decoded, NOW);
    let card = card(&decoded, &classify(&decoded, &facts), &opaque, &facts);
    assert_eq!((card.method.as_str(), card.path.as_str()), ("POST", "/pay"));
    assert!(card.origin.starts_with("https://xn--") && card.origin.is_ascii(), "{}", card.origin);
    assert_eq!((card.amounts, card.opaque), (vec!["amount: 10.00".to_owned()], vec!["csrf".to_owned()]));
    let shown: Vec<String> =
        card.fields.iter().map(|field| format!("{}={}", field.name, field.value)).collect();
    let cut = format!("long={}… (300 characters)", "x".repeat(200));
    let expected = [
        "amount=10.00",
        "to=\\u{202e}alice\\n[Approved]",
        "number=•••• 1111",
        "cvc=••••",
        "password=••••",
        "note=•••",
        cut.as_str(),
    ];
    assert_eq!(shown, expected);
    let many = form("/pay", &"a=1&".repeat(100));
    let many = grant(&many).card;
    assert_eq!((many.fields.len(), many.more_fields), (60, 40));
    let unread = grant(&with(sent("POST", "/pay"), "x/y", "a")).card;
    assert!(unread.not_inspected.unwrap().starts_with("cannot be inspected"));
}

fn shown(outgoing: &Outgoing) -> Vec<String> {
    let card = grant(outgoing).card;
    card.fields.iter().map(|field| format!("{}={}", field.name, field.value)).collect()
}

#[test]
fn a_card_says_who_gets_the_money_and_hides_what_somebody_pays_with() {
    // The last of them would do as the number of a card.
    for account in [
        "iban=DE89370400440532013000",
        "account_number=12345678",
        "accountNumber=12345678",
        "routing_number=110000000",
        "sort_code=200000",
        "kontonummer=532013000",
        "to=DE89370400440532013000",
        "account_number=4111111111111111",
    ] {
        let sent = form("/transfer", &format!("{account}&amount=900"));
        assert_eq!(shown(&sent), [account, "amount=900"]);
        let told = grant(&sent).card.for_callers();
        assert!(told.fields[0].value == "••••" && told.fields[1].value == "900", "{account}: {told:?}");
    }
    for secret in ["cvc=123", "pin=1234", "otp=123456", "card_number=12", "security_code=123", "password=x"] {
        let (name, _) = secret.split_once('=').unwrap();
        assert_eq!(shown(&form("/transfer", secret)), [format!("{name}=••••")]);
    }
    assert_eq!(shown(&form("/transfer", "card_number=4111111111111111")), ["card_number=•••• 1111"]);
}

#[test]
fn no_crowd_of_fields_hides_how_much_and_to_whom() {
    let of = |outgoing: &Outgoing| grant(outgoing).card;
    let prices: String = (0..70).map(|at| format!("items.{at}.price=1.00&")).collect();
    let crowd = "note=x&".repeat(100);
    for body in [
        format!("{prices}{crowd}total=70.00&payee=mallory"),
        format!("{crowd}{prices}payee=mallory&total=70.00"),
    ] {
        let card = of(&form("/pay", &body));
        assert_eq!((card.amounts.len(), card.amounts[0].as_str()), (11, "total: 70.00"));
        assert_eq!(card.amounts[10], "and 61 more sums");
        assert_eq!((card.fields.len(), card.more_fields), (60, 112));
        for (name, value) in [("payee", "mallory"), ("total", "70.00")] {
            assert!(card.fields.iter().any(|field| field.name == name && field.value == value), "{name}");
        }
    }
    // What a field holds as JSON is looked into.
    let payload = r#"payload={"note":"NOTE","to":"mallory","total":900,"password":"p4ssw0rd"}"#;
    let card = of(&form("/pay", &payload.replace("NOTE", &"x".repeat(300))));
    assert_eq!(card.amounts, ["payload.total: 900"]);
    let fields: Vec<(&str, &str)> =
        card.fields[1..].iter().map(|field| (field.name.as_str(), field.value.as_str())).collect();
    assert_eq!(fields, [("payload.to", "mallory"), ("payload.total", "900"), ("payload.password", "••••")]);
}

#[test]
fn what_may_change_is_listed_and_what_is_left_out_is_counted() {
    let body: String = (0..70).map(|at| format!("csrf{at}={OLD}&")).collect();
    let many = grant(&form("/pay", &body));
    assert_eq!((many.card.opaque.len(), many.opaque.len(), many.card.fields.len()), (60, 60, 10));
    let changed = |at: usize| body.replace(&format!("csrf{at}={OLD}"), &format!("csrf{at}={NEW}"));
    let matches = |at: usize| many.matches(NOW, &decode(&form("/pay", &changed(at))));
    assert_eq!(matches(59), Ok(()));
    assert_eq!(matches(60), Err(Difference::Value("csrf60".into())));

    let outgoing = form("/pay", "amount=1");
    let (mut decoded, facts) = (decode(&outgoing), own_facts(&outgoing));
    let file =
        |at: usize| FilePart { field: "f".into(), name: format!("{at}.pdf"), bytes: 1, digest: [0; 32] };
    let asks = |at: usize| Operation {
        kind: OperationKind::Mutation,
        name: None,
        asks: vec![at.to_string()],
        within: vec![],
        told: vec![],
        given: vec![],
    };
    decoded.files = (0..25).map(file).collect();
    decoded.operations = (0..12).map(asks).collect();
    let reasons = (0..11).map(|at| at.to_string()).collect();
    let card = card(&decoded, &Classed { reasons, ..classify(&decoded, &facts) }, &[], &facts);
    assert_eq!((card.files.len(), card.files[20].as_str()), (21, "and 5 more files"));
    assert_eq!((card.operations.len(), card.operations[10].as_str()), (11, "and 2 more operations"));
    assert_eq!((card.reasons.len(), card.reasons[10].as_str()), (11, "and 1 more reason"));
}

proptest! {
    #[test]
    fn a_rotated_token_passes_and_nothing_else(
        old in "[A-Za-z0-9]{30}a1B",
        new in "[A-Za-z0-9]{30}a1B",
        amount in 1u32..9_999_999,
        other in 1u32..9_999_999,
        payee in "[a-z]{3,12}",
        stranger in "[a-z]{3,12}",
        change in 0usize..9,
    ) {
        prop_assume!(amount != other && payee != stranger);
            let body = |csrf: &str, amount: u32, payee: &str| format!("csrfmiddlewaretoken={csrf}&amount={amount}&payee={payee}");
        let shown = form("/pay", &body(&old, amount, &payee));
        let fresh = body(&new, amount, &payee);
        prop_assert_eq!(matched(&shown, &form("/pay", &fresh)), Ok(()));
        let sent = match change {
            0 => form("/pay", &body(&new, other, &payee)),
            1 => form("/pay", &body(&new, amount, &stranger)),
            2 => form("https://evil.test/pay", &fresh),
            3 => form("https://shop.test:8443/pay", &fresh),
            4 => form("http://shop.test/pay", &fresh),
            5 => form("/pay/", &fresh),
            6 => Outgoing { method: "PUT".into(), ..form("/pay", &fresh) },
            7 => form("/pay", &format!("{fresh}&extra=1")),
            _ => form("/pay", &format!("csrfmiddlewaretoken={new}&amount={amount}")),
        };
        prop_assert!(matched(&shown, &sent).is_err());
    }

    #[test]
    fn so_it_is_however_the_request_is_written(
        old in "[A-Za-z0-9]{30}a1B",
        new in "[A-Za-z0-9]{30}a1B",
        amount in 1u32..9_999_999,
        other in 1u32..9_999_999,
        payee in "[a-z]{3,12}",
        stranger in "[a-z]{3,12}",
        written in 0usize..4,
        path in "/[a-z]{1,8}(/[a-z0-9]{1,8}){0,2}",
        elsewhere in "/[a-z]{1,8}(/[a-z0-9]{1,8}){0,2}",
    ) {
        prop_assume!(amount != other && payee != stranger && path != elsewhere);
            let request = |host: &str, path: &str, csrf: &str, amount: u32, payee: &str| {
            let url = format!("https://{host}{path}");
            let pairs = format!("csrfmiddlewaretoken={csrf}&amount={amount}&payee={payee}");
            let part = |name: &str, value: &str| {
                format!("--{csrf}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
            };
            match written {
                0 => form(&url, &pairs),
                1 => json(&url, &format!(r#"{{"csrfToken":"{csrf}","pay":{{"amount":{amount},"payee":"{payee}"}}}}"#)),
                2 => {
                    let amount = amount.to_string();
                    let parts = [("csrf_token", csrf), ("amount", &amount), ("payee", payee)].map(|(n, v)| part(n, v));
                    with(sent("POST", &url), &format!("multipart/form-data; boundary={csrf}"), format!("{}--{csrf}--\r\n", parts.concat()))
                }
                _ => sent("POST", &format!("{url}?{pairs}")),
            }
        };
        let shown = request("shop.test", &path, &old, amount, &payee);
        let one = |sent: &Outgoing| matched(&shown, sent);
        prop_assert_eq!(one(&request("shop.test", &path, &new, amount, &payee)), Ok(()));
        for (what, sent) in [
            ("amount", request("shop.test", &path, &new, other, &payee)),
            ("payee", request("shop.test", &path, &new, amount, &stranger)),
            ("host", request("pay.shop.test", &path, &new, amount, &payee)),
            ("host", request("shop.test.evil.test", &path, &new, amount, &payee)),
            ("path", request("shop.test", &elsewhere, &new, amount, &payee)),
            ("path", request("shop.test", &format!("{path}/x"), &new, amount, &payee)),
        ] {
            prop_assert!(one(&sent).is_err(), "another {what} passed: {}", sent.url);
        }
        // The same yes is not good twice.
        let mut grants = Grants::default();
        grants.give(grant(&shown));
        let (session, origin) = (SessionId("s".into()), SHOP.to_owned());
        let moment = Moment { now_ms: NOW + 1, session, origin, policy_version: 1 };
        let again = decode(&request("shop.test", &path, &new, amount, &payee));
        prop_assert!(grants.take(&moment, &again).is_some());
        prop_assert!(grants.take(&moment, &again).is_none());
    }
}
