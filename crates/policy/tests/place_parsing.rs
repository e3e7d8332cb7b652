//! Which addresses are understood as places, and which network addresses are public.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::net::IpAddr;

use legwork_policy::places::{AddressClass, Denial, Place, PlaceRefusal, classify};

fn place(text: &str) -> Place {
    Place::of_url(text).unwrap()
}

#[test]
fn a_place_is_what_a_browser_understands() {
    for (text, expected) in [
        ("http://Shop.Test/", "http://shop.test"),
        ("http://shop.test./", "http://shop.test"),
        ("https://shop.test:443/a?b#c", "https://shop.test"),
        ("http://shop.test:443", "http://shop.test:443"),
        ("ws://shop.test/x", "ws://shop.test"),
        ("wss://shop.test:80/x", "wss://shop.test:80"),
        ("http://me:word@shop.test/", "http://shop.test"),
        ("http://ѕhop.test/", "http://xn--hop-ehd.test"),
        ("http://bücher.test/", "http://xn--bcher-kva.test"),
        ("http://shop%2etest/", "http://shop.test"),
        ("http://shop。test/", "http://shop.test"),
        ("http://shop.test/?a=\\b", "http://shop.test"),
        ("http://127.1/", "http://127.0.0.1"),
        ("http://0x7f.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://[::FFFF:7f00:1]/", "http://[::ffff:127.0.0.1]"),
    ] {
        let found = Place::of_url(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        let shown = found.to_string();
        let canonical = Place::of_url(expected).unwrap();
        assert_eq!((shown, &found), (canonical.to_string(), &canonical), "{text}");
    }
    assert_eq!(place("http://bücher.test/").to_string(), "http://xn--bcher-kva.test");
    assert_eq!(Place::of_authority("Shop.test.:443").unwrap(), place("https://shop.test/"));
    assert_eq!(place("http://a.test:8080").authority(), "a.test:8080");
}

#[test]
fn what_could_be_misread_is_refused() {
    for text in [
        "",
        "shop.test",
        "shop.test:80",
        "localhost:80",
        "//evil.test",
        "http:/\\evil.test",
        "http:\\\\evil.test",
        "http://shop.test\\@evil.test/",
        "http:evil.test",
        "http:/evil.test",
        "http:///evil.test",
        "http://",
        "http://a\tb.test/",
        "http://a.test/\n",
        " http://a.test/",
        "http://a\0.test/",
        "http://a%00.test/",
        "http://a%40b.test/",
        "http://a..test/",
        "http://.test/",
        "http://a.test../",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://0x100000000/",
        "http://a b/",
        "http://*.test/",
        "http://a.test:0/",
        "http://a.test:99999/",
        "http://%zz/",
        "http://xn--a/",
    ] {
        assert!(
            matches!(Place::of_url(text), Err(PlaceRefusal::Malformed(_))),
            "{text:?} {:?}",
            Place::of_url(text)
        );
    }
    for text in [
        "",
        "a.test",
        "a.test:",
        "a.test:0",
        "a.test:+1",
        "me@a.test:80",
        "a.test:80/",
        "http://a.test:80",
        ":80",
        "a b:80",
    ] {
        assert!(Place::of_authority(text).is_err(), "{text:?}");
    }
    for text in [
        "file:///etc/passwd",
        "ftp://a.test/",
        "chrome://settings",
        "javascript:alert(1)",
        "mailto:a@b",
        "about:srcdoc",
    ] {
        assert!(matches!(Place::of_url(text), Err(PlaceRefusal::Scheme(_))), "{text}");
    }
}

#[test]
fn what_stands_before_the_at_is_no_host() {
    for text in [
        "http://shop.test@evil.test/",
        "http://shop.test:80@evil.test/",
        "http://shop.test%40evil.test@evil.test/",
        "http://shop%2Etest@evil.test/",
        "http://me@shop.test@evil.test/",
        "http://localhost@evil.test/",
        "http://127.1@evil.test/",
        "http://2130706433@evil.test/",
        "http://xn--hop@evil.test/",
    ] {
        match Place::of_url(text) {
            Err(PlaceRefusal::Misleading(host)) => assert_eq!(*host, place("http://evil.test/"), "{text}"),
            other => panic!("{text}: {other:?}"),
        }
        let denial = Denial::of_text(&Place::of_url(text).unwrap_err(), text);
        assert_eq!(denial.place, "http://evil.test");
    }
}

#[test]
fn addresses_have_classes() {
    use AddressClass::*;
    for (text, expected) in [
        ("8.8.8.8", Public),
        ("93.184.216.34", Public),
        ("172.32.0.1", Public),
        ("100.128.0.1", Public),
        ("128.0.0.1", Public),
        ("127.0.0.1", Loopback),
        ("127.255.255.254", Loopback),
        ("::1", Loopback),
        ("10.0.0.1", Private),
        ("172.16.0.1", Private),
        ("172.31.255.255", Private),
        ("192.168.1.1", Private),
        ("169.254.0.1", LinkLocal),
        ("fe80::1", LinkLocal),
        ("febf::1", LinkLocal),
        ("169.254.169.254", Metadata),
        ("169.254.170.2", Metadata),
        ("100.100.100.200", Metadata),
        ("168.63.129.16", Metadata),
        ("fd00:ec2::254", Metadata),
        ("::ffff:169.254.169.254", Metadata),
        ("64:ff9b::a9fe:a9fe", Metadata),
        ("100.64.0.1", Cgnat),
        ("100.127.255.255", Cgnat),
        ("224.0.0.1", Multicast),
        ("239.255.255.255", Multicast),
        ("ff02::1", Multicast),
        ("255.255.255.255", Broadcast),
        ("0.0.0.0", Unspecified),
        ("0.1.2.3", Unspecified),
        ("::", Unspecified),
        ("192.0.2.1", Documentation),
        ("198.51.100.1", Documentation),
        ("203.0.113.1", Documentation),
        ("2001:db8::1", Documentation),
        ("3fff::1", Documentation),
        ("198.18.0.1", Benchmark),
        ("198.19.255.255", Benchmark),
        ("2001:2::1", Benchmark),
        ("240.0.0.1", Reserved),
        ("192.0.0.1", Reserved),
        ("192.88.99.1", Reserved),
        ("100::1", Reserved),
        ("2001:10::1", Reserved),
        ("5f00::1", Reserved),
        ("4000::1", Reserved),
        ("64:ff9b:2::1", Reserved),
        ("fc00::1", UniqueLocal),
        ("fdff::1", UniqueLocal),
        ("fec0::1", SiteLocal),
        ("2606:4700::1111", Public),
        ("2a00:1450::1", Public),
        // An address that carries a private one, and its public twin.
        ("::ffff:127.0.0.1", Loopback),
        ("::ffff:8.8.8.8", Public),
        ("::127.0.0.1", Loopback),
        ("::8.8.8.8", Public),
        ("::ffff:0:127.0.0.1", Loopback),
        ("::ffff:0:8.8.8.8", Public),
        ("64:ff9b::127.0.0.1", Loopback),
        ("64:ff9b::10.0.0.1", Private),
        ("64:ff9b::8.8.8.8", Public),
        ("64:ff9b:1::127.0.0.1", Loopback),
        ("64:ff9b:1::8.8.8.8", Public),
        ("64:ff9b:1:7f00:0:100::", Unspecified),
        ("64:ff9b:1:7f00:0:100:808:808", Public),
        ("64:ff9b:1:0:7f:0:100:0", Loopback),
        ("2002:7f00:1::", Loopback),
        ("2002:a00:1::1", Private),
        ("2002:808:808::1", Public),
        ("2001:0:7f00:1::8080:808", Loopback),
        ("2001:0:808:808:0:0:80ff:fffe", Loopback),
        ("2001:0:808:808::f7f7:f7f7", Public),
        ("2606::5efe:127.0.0.1", Loopback),
        ("2606::200:5efe:10.0.0.1", Private),
        ("2606::5efe:8.8.8.8", Public),
        ("2002:808:808::5efe:10.0.0.1", Private),
        ("fe80::5efe:8.8.8.8", LinkLocal),
    ] {
        assert_eq!(classify(text.parse::<IpAddr>().unwrap()), expected, "{text}");
    }
}
