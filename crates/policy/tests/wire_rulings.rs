//! What may leave in which mode, and that what a page says never lets more leave.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{
    ActFacts, ActKind, AskReason, BoundSecret, Class, ClassKind, Decoded, Endpoint, Mode, Ruling, StopReason,
    TelemetryRule, WireFacts, WireRules, classify, decode, rule,
};
use legwork_types::{Outgoing, OutgoingKind};
use proptest::{collection::vec, prelude::*, sample::select};
use wire::*;

/// What else is known.
type Change<'c> = &'c dyn Fn(&mut WireFacts);

const MODES: [Mode; 4] = [Mode::ReadOnly, Mode::PlanOnly, Mode::DryRun, Mode::Live];

fn ruled(outgoing: &Outgoing, mode: Mode, rules: &WireRules, facts: &WireFacts) -> Ruling {
    let decoded = decode(outgoing);
    rule(&classify(&decoded, facts), &decoded, mode, rules, facts)
}

fn word(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Go => "go",
        Ruling::Drop => "drop",
        Ruling::Ask(_) => "ask",
        Ruling::Stop(_) => "stop",
    }
}

fn rank(ruling: &Ruling) -> u8 {
    match ruling {
        Ruling::Go => 0,
        Ruling::Drop => 1,
        Ruling::Ask(_) => 2,
        Ruling::Stop(_) => 3,
    }
}

#[test]
fn each_mode_lets_its_own_things_go() {
    let elsewhere = |facts: &mut WireFacts| facts.own_sites.clear();
    let bound = |facts: &mut WireFacts| {
        facts.secrets = vec![BoundSecret::new("hunter22", vec![SHOP.into()])];
    };
    let history =
        |facts: &mut WireFacts| facts.act = Some(ActFacts { kind: ActKind::History, ..pressed(&[]) });
    let nothing = |_: &mut WireFacts| {};
    let cases: Vec<(Outgoing, Change<'_>, [&str; 4])> = vec![
        (sent("GET", "/x"), &nothing, ["go", "go", "go", "go"]),
        (sent("GET", "/x"), &history, ["go", "go", "go", "go"]),
        (form("/search", "q=a"), &nothing, ["go", "go", "go", "go"]),
        (
            kind(json("https://stats.test/x", "{}"), OutgoingKind::Beacon),
            &nothing,
            ["drop", "drop", "drop", "drop"],
        ),
        (form("/login", "user=a&password=hunter22"), &nothing, ["stop", "stop", "ask", "ask"]),
        (form("/login", "user=a&password=hunter22"), &bound, ["stop", "stop", "go", "go"]),
        (
            form("/checkout/", "user=a&password=hunter22&options=existing"),
            &bound,
            ["stop", "stop", "go", "go"],
        ),
        (form("/account/email", "email=a@b.test&password=hunter22"), &bound, ["stop", "stop", "ask", "ask"]),
        (
            form("/users/me", "email=a@b.test&password=hunter22&role=x"),
            &bound,
            ["stop", "stop", "stop", "ask"],
        ),
        (form("/login", "user=a&password=other"), &bound, ["stop", "stop", "ask", "ask"]),
        (form("/cookie-consent", "all=1"), &nothing, ["stop", "stop", "go", "go"]),
        (sent("GET", "/logout"), &nothing, ["stop", "stop", "ask", "ask"]),
        (form("/basket/add/5", ""), &nothing, ["stop", "stop", "go", "go"]),
        (form("/basket/add/5", ""), &elsewhere, ["stop", "stop", "ask", "ask"]),
        (form("/basket/add/5", ""), &history, ["stop", "stop", "stop", "stop"]),
        (form("/checkout/pay", ""), &nothing, ["stop", "stop", "stop", "ask"]),
        (sent("GET", "/delete?id=1"), &nothing, ["stop", "stop", "stop", "ask"]),
        (form("/api/x", "a=1"), &nothing, ["stop", "stop", "stop", "ask"]),
    ];
    for (outgoing, change, expected) in cases {
        let mut facts = own_facts(&outgoing);
        change(&mut facts);
        let found = MODES.map(|mode| word(&ruled(&outgoing, mode, &WireRules::default(), &facts)));
        assert_eq!(found, expected, "{} {}", outgoing.method, outgoing.url);
    }
    assert_eq!(Mode::default(), Mode::DryRun);
}

#[test]
fn what_was_said_before_counts() {
    let unknown = form("/api/x", "a=1");
    let facts = own_facts(&unknown);
    let endpoint =
        |class, path: Option<&str>| Endpoint { class, origin: SHOP.into(), path: path.map(str::to_owned) };
    let allowed = |endpoint| WireRules { allowed_endpoints: vec![endpoint], ..WireRules::default() };
    let here = allowed(endpoint(ClassKind::Unknown, Some("/api/x")));
    assert_eq!(ruled(&unknown, Mode::Live, &here, &facts), Ruling::Go);
    assert_eq!(ruled(&form("/api/y", ""), Mode::Live, &here, &facts), Ruling::Ask(AskReason::Unknown));
    assert_eq!(ruled(&form("/api/x", "cvc=123"), Mode::Live, &here, &facts), Ruling::Ask(AskReason::Commit));
    assert_eq!(word(&ruled(&unknown, Mode::ReadOnly, &here, &facts)), "stop");
    // What can't be inspected is asked about each time, and so is a site that the errand is not about.
    assert_ne!(ruled(&with(sent("POST", "/api/x"), "x/y", "a"), Mode::Live, &here, &facts), Ruling::Go);
    let elsewhere = WireFacts { own_sites: vec!["https://other.test".into()], ..facts.clone() };
    assert_ne!(ruled(&unknown, Mode::Live, &here, &elsewhere), Ruling::Go);
    let rule = "--allow-prepare https://shop.test/api/x".to_owned();
    assert_eq!(
        ruled(&unknown, Mode::DryRun, &WireRules::default(), &facts),
        Ruling::Stop(StopReason::Unknown { rule: Some(rule) })
    );
    assert_eq!(
        ruled(&form("/", "a=1"), Mode::DryRun, &WireRules::default(), &facts),
        Ruling::Stop(StopReason::Unknown { rule: None })
    );
    let go = WireRules { telemetry: TelemetryRule::Go, ..WireRules::default() };
    let beacon = kind(json("https://stats.test/x", "{}"), OutgoingKind::Beacon);
    let calm = own_facts(&beacon);
    assert_eq!(ruled(&beacon, Mode::Live, &go, &calm), Ruling::Go);
    assert_eq!(ruled(&beacon, Mode::DryRun, &go, &calm), Ruling::Drop);
    let tense = WireFacts { act: Some(pressed(&["pays"])), ..calm };
    assert_eq!(ruled(&beacon, Mode::Live, &go, &tense), Ruling::Drop);
}

#[test]
fn a_no_stays_a_no() {
    let denied = |outgoing: &Outgoing| WireRules { denied: vec![decode(outgoing)], ..WireRules::default() };
    let pay = form("/checkout/x", "action=pay&amount=5&note=hello");
    let rules = denied(&pay);
    for (path, body, expected) in [
        ("/checkout/x", "action=pay&amount=5&note=hello", "stop"),
        ("/checkout/x", "action=pay&amount=6&note=please+now", "stop"),
        ("/checkout/x", "action=PAY&amount=6&more=1", "stop"),
        ("/checkout/x/", "action=pay", "stop"),
        ("/Checkout//x", "action=pay", "stop"),
        ("/checkout/x", "action=delete", "ask"),
        ("/checkout/y", "action=pay", "ask"),
    ] {
        let outgoing = form(path, body);
        assert_eq!(
            word(&ruled(&outgoing, Mode::Live, &rules, &own_facts(&outgoing))),
            expected,
            "{path} {body}"
        );
    }
    let mutation = |name: &str| json("/graphql", &format!(r#"{{"query":"mutation {{ {name} }}"}}"#));
    let rules = denied(&mutation("pay"));
    for (name, expected) in [("pay", "stop"), ("payLess", "ask"), ("addToCart", "go")] {
        let outgoing = mutation(name);
        assert_eq!(word(&ruled(&outgoing, Mode::Live, &rules, &own_facts(&outgoing))), expected, "{name}");
    }
}

fn some_request() -> impl Strategy<Value = Outgoing> {
    let paths = vec![
        "/x",
        "/search",
        "/basket/add/5",
        "/checkout/pay",
        "/login",
        "/logout",
        "/cookie-consent",
        "/collect",
        "/delete?id=1",
        "/graphql",
        "https://evil.test/x",
        "/cart/add/5",
    ];
    let bodies = vec!["", "q=1", "a=1", "user=a&password=hunter22", "action=place_order", "cart=1", "cvc=1"];
    let kinds = vec![OutgoingKind::Page, OutgoingKind::Frame, OutgoingKind::Script, OutgoingKind::Beacon];
    (select(vec!["GET", "POST", "PUT", "DELETE"]), select(paths), select(bodies), select(kinds)).prop_map(
        |(method, path, body, of)| {
            let outgoing = kind(sent(method, path), of);
            if method == "GET" { outgoing } else { with(outgoing, "application/x-www-form-urlencoded", body) }
        },
    )
}

fn rules(denied: Vec<Decoded>, telemetry: TelemetryRule, kinds: Vec<ClassKind>) -> WireRules {
    let endpoint = |class| Endpoint { class, origin: SHOP.into(), path: None };
    WireRules { denied, telemetry, allowed_endpoints: kinds.into_iter().map(endpoint).collect() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_a_page_says_never_lets_more_leave(
        outgoing in some_request(),
        mode in select(MODES.to_vec()),
        act in select(vec![None, Some(ActKind::Pressed), Some(ActKind::Typed), Some(ActKind::Navigated), Some(ActKind::Other)]),
        is_link in any::<bool>(),
        bound in any::<bool>(),
        more in vec("\\PC{1,20}", 1..3),
        asked in any::<bool>(),
        telemetry in select(vec![TelemetryRule::Drop, TelemetryRule::Go]),
        kinds in vec(select(vec![ClassKind::Login, ClassKind::Logout, ClassKind::Prepare, ClassKind::Unknown]), 0..4),
    ) {
        let mut facts = own_facts(&outgoing);
        if bound {
            facts.secrets = vec![BoundSecret::new("hunter22", vec![SHOP.into()])];
        }
        facts.act = act.map(|kind| ActFacts { danger: vec![], is_link, kind });
        let rules = rules(vec![], telemetry, kinds);
        let before = ruled(&outgoing, mode, &rules, &facts);
        let mut after = facts.clone();
        after.asked = asked;
        let kind = act.unwrap_or_default();
        after.act = Some(ActFacts { danger: more, is_link, kind });
        let worse = ruled(&outgoing, mode, &rules, &after);
        prop_assert!(rank(&before) <= rank(&worse), "{before:?} became {worse:?}");
        let denied = WireRules { denied: vec![decode(&outgoing)], ..rules };
        prop_assert!(rank(&before) <= rank(&ruled(&outgoing, mode, &denied, &facts)));
    }

    /// A page writes its own requests: whatever it adds to one that settles something, that one goes by no word of the page.
    #[test]
    fn what_a_page_adds_to_a_request_lets_no_commit_go(
        path in select(vec!["/checkout/pay", "/x/delete", "/order/place", "/api/x", "/quote/accept", "/subscription/cancel", "/transfer", "/login"]),
        body in select(vec!["action=place_order", "cvc=123", "card_number=4111111111111111", "do=delete", "", "iban=DE89370400440532013000&amount=5"]),
        more in vec((select(SOOTHING.to_vec()), select(vec!["1", "true", "GET", "search", "consent", "draft", "query { me { id } }", "accept", ""])), 1..4),
        free in "[a-z]{1,8}=[a-zA-Z ]{0,12}",
        hung_on in select(vec!["/filter", "/search", "/step", "/page", "/cart/add", "/help", "/list/1", "/draft/", "/cookies/accept", "/login"]),
        written in 0usize..6,
        method in select(vec!["POST", "PUT", "PATCH", "DELETE", "GET"]),
        of in select(vec![OutgoingKind::Page, OutgoingKind::Frame, OutgoingKind::Script]),
        mode in select(MODES.to_vec()),
    ) {
        let pairs = |body: &str| match method {
            "GET" => kind(sent(method, &format!("{path}?{body}")), of),
            _ => kind(Outgoing { method: method.into(), ..form(path, body) }, of),
        };
        let before = pairs(body);
        let facts = own_facts(&before);
        let commits = classify(&decode(&before), &facts).class == Class::Commit;
        prop_assume!(commits);
        let said: Vec<String> = more.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let said = said.join("&");
        let mut after = match written {
            0 => pairs(&format!("{body}&{said}")),
            1 => pairs(&format!("{said}&{body}")),
            2 => pairs(&format!("{body}&{free}&{said}")),
            3 => {
                let mut after = before.clone();
                after.url.push_str(if after.url.contains('?') { "&" } else { "?" });
                after.url.push_str(&said);
                after
            }
            // What is done stays what it is, whatever somebody hangs on its address. A thing (`/order`) may be told more about there.
            4 if method != "GET" && matches!(path, "/checkout/pay" | "/x/delete" | "/quote/accept" | "/subscription/cancel" | "/transfer") => {
                let mut after = before.clone();
                after.url = after.url.replacen(path, &format!("{path}{hung_on}"), 1);
                after
            }
            _ => before.clone(),
        };
        after.headers.push(("x-http-method-override".into(), "GET".into()));
        let rules = rules(vec![], TelemetryRule::Go, vec![]);
        let ruling = ruled(&after, mode, &rules, &own_facts(&after));
        prop_assert!(ruling != Ruling::Go, "{} {} {body} + {said}: {ruling:?}", after.method, after.url);
    }
}

/// Names of fields that tell of something harmless.
const SOOTHING: &[&str] = &[
    "search",
    "q",
    "query",
    "filter",
    "page",
    "draft",
    "preview",
    "dry_run",
    "basket",
    "cart",
    "step",
    "consent",
    "cookies",
    "analytics",
    "user",
    "username",
    "logout",
    "_method",
    "operationName",
    "safe",
    "telemetry",
    "address",
    "wishlist",
];
