//! What the rules say about places.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::net::IpAddr;

use legwork_policy::places::{
    AddressClass, Admitted, Denial, DenialReason, OwnPorts, Place, PlaceRefusal, PlaceRule, Reach,
    Resolution, Scheme, Sockets, decide_addresses, decide_place, decide_socket,
};
use legwork_types::{Code, Problem};

fn rules(texts: &[&str]) -> Vec<PlaceRule> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn place(text: &str) -> Place {
    Place::of_url(text).unwrap()
}

/// What is decided about an address in text: `go`, `look-up`, or the reason of the denial.
fn decided(text: &str, reach: &Reach) -> String {
    let denied = |denial: Denial| match denial.reason {
        DenialReason::PrivateAddress(class) => format!("{} {class}", denial.reason.as_str()),
        reason => reason.as_str().to_owned(),
    };
    match Place::of_url(text) {
        Err(refusal) => denied(Denial::of_text(&refusal, text)),
        Ok(place) => match decide_place(&place, reach) {
            Ok(Admitted::Known(_)) => "go".into(),
            Ok(Admitted::Name(_)) => "look-up".into(),
            Err(denial) => denied(denial),
        },
    }
}

#[track_caller]
fn all_come_to(expected: &str, reach: &Reach, texts: &[&str]) {
    for text in texts {
        assert_eq!(decided(text, reach), expected, "{text}");
    }
}

#[test]
fn this_machine_is_denied_however_it_is_written() {
    let reach = Reach::default();
    all_come_to(
        "private-address loopback",
        &reach,
        &[
            "http://127.0.0.1/",
            "http://localhost/",
            "http://localhost./",
            "http://LOCALHOST/",
            "http://x.localhost/",
            "http://a.b.localhost./",
            "http://127.1/",
            "http://127.0.1/",
            "http://2130706433/",
            "http://017700000001/",
            "http://0x7f000001/",
            "http://0x7F.1/",
            "http://0177.0.0.1/",
            "http://127.0.0.1./",
            "http://127。0。0。1/",
            "http://127.0.0.1/",
            "http://%31%32%37.0.0.1/",
            "http://①②⑦.0.0.1/",
            "http://[::1]/",
            "http://[0:0:0:0:0:0:0:1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://[::127.0.0.1]/",
            "http://[::ffff:0:127.0.0.1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[64:ff9b:1::7f00:1]/",
            "http://[2002:7f00:1::]/",
            "https://localhost:8443/",
            "ws://localhost:9222/",
            "http://me@127.0.0.1/",
        ],
    );
    all_come_to(
        "private-address unspecified",
        &reach,
        &["http://0/", "http://0.0.0.0/", "http://[::]/", "http://0x0/"],
    );
    all_come_to("private-address metadata", &reach, &["http://169.254.169.254/", "http://2852039166/"]);
    all_come_to(
        "look-up",
        &reach,
        &["http://localhost.test/", "http://notlocalhost/", "http://shop.test/", "https://shop.test/"],
    );
    all_come_to("go", &reach, &["http://8.8.8.8/", "https://[2606:4700::1111]/"]);
}

#[test]
fn a_list_is_matched_by_labels() {
    let reach = Reach {
        allow: rules(&["shop.test", "*.bank.test", "https://safe.test", "odd.test:8443"]),
        ..Reach::default()
    };
    all_come_to(
        "look-up",
        &reach,
        &[
            "http://shop.test/",
            "https://SHOP.test./",
            "https://a.bank.test/",
            "https://a.b.bank.test/",
            "https://safe.test/",
            "wss://safe.test/",
            "https://odd.test:8443/",
        ],
    );
    all_come_to(
        "not-on-the-list",
        &reach,
        &[
            "http://evilshop.test/",
            "http://shop.test.evil.test/",
            "http://www.shop.test/",
            "https://bank.test/",
            "https://evilbank.test/",
            "https://bank.test.evil.test/",
            "http://safe.test/",
            "ws://safe.test/",
            "https://safe.test.evil.test/",
            "http://ѕhop.test/",
            "http://xn--hop-ehd.test/",
            "http://8.8.8.8/",
        ],
    );
    all_come_to(
        "port-not-listed",
        &reach,
        &["http://shop.test:22/", "http://shop.test:6379/", "https://odd.test/", "https://odd.test:9222/"],
    );
    all_come_to(
        "private-address loopback",
        &reach,
        &["http://127.0.0.1/", "http://localhost/", "http://[::1]:22/"],
    );
}

#[test]
fn deny_wins_and_odd_ports_are_closed() {
    let reach = Reach {
        allow: rules(&["*.shop.test", "shop.test"]),
        deny: rules(&["pay.shop.test", "*.evil.shop.test"]),
        ..Reach::default()
    };
    all_come_to(
        "denied-by-rule",
        &reach,
        &["https://pay.shop.test/", "http://pay.shop.test:8080/", "http://a.evil.shop.test/"],
    );
    all_come_to(
        "look-up",
        &reach,
        &["https://shop.test/", "https://evil.shop.test/", "https://repay.shop.test/"],
    );
    all_come_to(
        "port-not-listed",
        &Reach::default(),
        &["http://shop.test:22/", "http://shop.test:25/", "http://8.8.8.8:6379/", "https://shop.test:8443/"],
    );
    let more = Reach { ports: vec![80, 443, 8443], ..Reach::default() };
    all_come_to("look-up", &more, &["https://shop.test:8443/"]);
    let denied = Reach {
        deny: rules(&["127.0.0.1"]),
        private: vec!["127.0.0.1:80".parse().unwrap()],
        ..Reach::default()
    };
    all_come_to("denied-by-rule", &denied, &["http://127.1/", "http://[::ffff:127.0.0.1]/"]);
}

#[test]
fn a_grant_is_for_one_host_and_port() {
    let reach = Reach {
        private: ["127.0.0.1:8080", "localhost.:9090", "10.0.0.7:80"]
            .map(|grant| grant.parse().unwrap())
            .to_vec(),
        ..Reach::default()
    };
    all_come_to(
        "go",
        &reach,
        &[
            "http://127.0.0.1:8080/",
            "http://2130706433:8080/",
            "http://[::ffff:127.0.0.1]:8080/",
            "http://localhost:9090/",
            "http://10.0.0.7/",
        ],
    );
    all_come_to(
        "private-address loopback",
        &reach,
        &[
            "http://127.0.0.1:8081/",
            "http://127.0.0.2:8080/",
            "http://localhost:8080/",
            "http://127.0.0.1:9090/",
            "http://x.localhost:9090/",
            "http://[::1]:8080/",
            "http://[64:ff9b::127.0.0.1]:8080/",
        ],
    );
    // A name that somebody else may point anywhere is not what an address was granted for.
    let name = place("http://shop.test/");
    let found = decide_addresses(&name, &["10.0.0.7".parse().unwrap()], &reach).unwrap_err();
    assert_eq!(found.reason, DenialReason::PrivateAddress(AddressClass::Private));
    // A list stands above a grant.
    let listed = Reach { allow: rules(&["shop.test"]), ..reach };
    all_come_to("not-on-the-list", &listed, &["http://127.0.0.1:8080/"]);
}

#[test]
fn every_address_has_to_be_public_or_granted() {
    use AddressClass::*;
    let plain = Reach::default();
    let granted = Reach { private: vec!["shop.test:80".parse().unwrap()], ..Reach::default() };
    let private = |class| Err(DenialReason::PrivateAddress(class));
    for (reach, found, expected) in [
        (&plain, &["8.8.8.8"][..], Ok(1)),
        (&plain, &["8.8.8.8", "2606:4700::1111"], Ok(2)),
        (&plain, &[], Err(DenialReason::NoAddress)),
        (&plain, &["127.0.0.1"], private(Loopback)),
        (&plain, &["8.8.8.8", "10.0.0.1"], private(Private)),
        (&plain, &["::ffff:10.0.0.1"], private(Private)),
        (&granted, &["127.0.0.1"], Ok(1)),
        (&granted, &["8.8.8.8", "10.0.0.1"], Ok(2)),
        (&granted, &["169.254.169.254"], private(Metadata)),
        (&granted, &["0.0.0.0"], private(Unspecified)),
        (&granted, &["fe80::1"], private(LinkLocal)),
    ] {
        let addresses: Vec<IpAddr> = found.iter().map(|text| text.parse().unwrap()).collect();
        let decision = decide_addresses(&place("http://shop.test/"), &addresses, reach);
        assert_eq!(
            decision.map(|addresses| addresses.len()).map_err(|denial| denial.reason),
            expected,
            "{found:?}"
        );
    }
}

#[test]
fn a_given_address_is_dialled_and_is_a_grant() {
    let given: Vec<Resolution> = ["shop.test=127.0.0.1:8080", "bank.test:443=10.0.0.1:9443"]
        .map(|text| text.parse().unwrap())
        .to_vec();
    let reach = Reach { resolve: given, ..Reach::default() };
    let dialled = |text: &str| decide_place(&place(text), &reach).map_err(|denial| denial.reason);
    let at = |address: &str| Ok(Admitted::Known(vec![address.parse().unwrap()]));
    assert_eq!(dialled("http://shop.test/"), at("127.0.0.1:8080"));
    assert_eq!(dialled("https://shop.test./"), at("127.0.0.1:8080"));
    assert_eq!(dialled("http://shop.test:8080/"), at("127.0.0.1:8080"));
    assert_eq!(dialled("http://shop.test:22/"), Err(DenialReason::PortNotListed));
    assert_eq!(dialled("https://bank.test/"), at("10.0.0.1:9443"));
    assert_eq!(dialled("http://bank.test/"), Ok(Admitted::Name("bank.test".into())));
    assert_eq!(dialled("http://www.shop.test/"), Ok(Admitted::Name("www.shop.test".into())));
    // What a resolver says about it does not count.
    let found = decide_addresses(&place("http://shop.test/"), &["8.8.8.8".parse().unwrap()], &reach).unwrap();
    assert_eq!(found, ["127.0.0.1:8080".parse().unwrap()]);
    for text in [
        "shop.test",
        "shop.test=",
        "shop.test=host:80",
        "shop.test=127.0.0.1",
        "shop.test=127.0.0.1:0",
        "127.0.0.1=127.0.0.1:80",
        "*.test=127.0.0.1:80",
    ] {
        assert!(text.parse::<Resolution>().is_err(), "{text}");
    }
}

#[test]
fn own_ports_are_denied_above_everything() {
    let own = OwnPorts { ports: [8080].into(), addresses: vec!["8.8.4.4".parse().unwrap()] };
    let reach = Reach {
        allow: rules(&["localhost:8080", "127.0.0.1:8080", "shop.test:8080", "8.8.8.8:8080", "8.8.4.4:8080"]),
        private: ["localhost:8080", "127.0.0.1:8080", "shop.test:8080", "[::1]:8080"]
            .map(|grant| grant.parse().unwrap())
            .to_vec(),
        resolve: vec!["given.test=127.0.0.1:8080".parse().unwrap()],
        own,
        ..Reach::default()
    };
    all_come_to(
        "own-port",
        &reach,
        &[
            "http://localhost:8080/",
            "http://127.1:8080/",
            "http://[::1]:8080/",
            "http://[::ffff:127.0.0.1]:8080/",
            "http://[64:ff9b::7f00:1]:8080/",
            "http://[::]:8080/",
            "http://0:8080/",
            "http://given.test/",
            "http://192.168.1.1:8080/",
            "http://8.8.4.4:8080/",
        ],
    );
    all_come_to("go", &reach, &["http://8.8.8.8:8080/"]);
    let found = decide_addresses(&place("http://shop.test:8080/"), &["127.0.0.1".parse().unwrap()], &reach)
        .unwrap_err();
    assert_eq!(found.reason, DenialReason::OwnPort);
}

#[test]
fn sockets_without_tls_need_a_place_on_their_list() {
    let name = place("https://shop.test:80/");
    let decided = |sockets, deny: &[&str]| {
        let reach = Reach { sockets, deny: rules(deny), ..Reach::default() };
        decide_socket(&name, &reach).map_err(|denial| denial.reason)
    };
    assert_eq!(decided(Sockets::None, &[]), Err(DenialReason::PlainSocket));
    assert_eq!(decided(Sockets::All, &[]), Ok(()));
    assert_eq!(decided(Sockets::All, &["ws://shop.test"]), Err(DenialReason::DeniedByRule));
    assert_eq!(decided(Sockets::Listed(rules(&["shop.test"])), &[]), Ok(()));
    assert_eq!(decided(Sockets::Listed(rules(&["https://shop.test"])), &[]), Err(DenialReason::PlainSocket));
    assert_eq!(name.over(Scheme::Ws).to_string(), "ws://shop.test");
}

#[test]
fn the_makers_of_browsers_are_called_only_by_name() {
    all_come_to(
        "vendor-host",
        &Reach::default(),
        &["https://update.googleapis.com/", "http://clients2.google.com/time"],
    );
    all_come_to("look-up", &Reach::default(), &["https://accounts.google.com/", "https://www.google.com/"]);
    let wide = Reach { allow: rules(&["*.google.com"]), ..Reach::default() };
    all_come_to("vendor-host", &wide, &["http://clients2.google.com/time"]);
    let named = Reach { allow: rules(&["clients2.google.com"]), ..Reach::default() };
    all_come_to("look-up", &named, &["http://clients2.google.com/time"]);
}

#[test]
fn rules_are_read_or_refused_and_broad_ones_are_warned_about() {
    for (text, shown) in [
        ("Shop.Test.", "shop.test"),
        ("*.Shop.test", "*.shop.test"),
        ("https://shop.test/", "https://shop.test"),
        ("shop.test:8443", "shop.test:8443"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("127.1:80", "127.0.0.1:80"),
        ("[::1]", "[::1]"),
        ("[::1]:80", "[::1]:80"),
    ] {
        let rule: PlaceRule = text.parse().unwrap();
        assert_eq!(rule.to_string(), shown);
        assert_eq!(rule.to_string().parse::<PlaceRule>().unwrap(), rule);
    }
    for text in [
        "",
        "*",
        "*.",
        "*:443",
        "https://*",
        "shop*.test",
        "a.*.test",
        "*shop.test",
        "**.test",
        "*.127.0.0.1",
        "shop.test/path",
        "me@shop.test",
        "ftp://shop.test",
        "shop.test:0",
        "shop.test:x",
        "shop.test:",
        "shop test",
        "shop..test",
        "::1",
    ] {
        assert!(text.parse::<PlaceRule>().is_err(), "{text:?}");
    }
    for (text, is_broad) in [
        ("*.com", true),
        ("*.co.uk", true),
        ("*.test", true),
        ("*.github.io", true),
        ("*.shop.test", false),
        ("*.example.com", false),
        ("com", false),
        ("shop.test", false),
    ] {
        let reach = Reach { allow: rules(&[text]), ..Reach::default() };
        assert_eq!(reach.warnings().len(), usize::from(is_broad), "{text}");
    }
}

#[test]
fn a_denial_is_a_problem_with_its_rule() {
    let denial = decide_place(&place("http://127.0.0.1:22/"), &Reach::default()).unwrap_err();
    let problem = Problem::from(&denial);
    assert_eq!(problem.code, Code::NavigationBlocked);
    assert_eq!(problem.message, "http://127.0.0.1:22 may not be reached");
    assert_eq!(problem.cause.as_deref(), Some("rule: private-address; its address is not public (loopback)"));
    assert!(
        matches!(problem.details.as_deref(), Some(legwork_types::Details::Rule { rule }) if rule == "private-address")
    );
    assert!(!problem.retryable && problem.hint.contains("--allow-private"));
    let slow = Denial::on_the_way(DenialReason::ResolverTimeout, &place("http://shop.test/"));
    assert!(Problem::from(&slow).retryable);
    let secret = Denial::of_text(&PlaceRefusal::Malformed("x"), "ftp://me:word@a.test/\u{1b}[31m");
    assert!(!secret.place.contains("word") && !secret.place.contains('\u{1b}'), "{}", secret.place);
}
