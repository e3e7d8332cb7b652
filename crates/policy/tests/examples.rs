//! Examples beside rules: they pass where the rules do what their writer believes, and say what came out where not.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use legwork_policy::{
    examples::{Access, ExampleForm, Expected, PlaceExample, RequestExample, WirePolicy},
    places::Reach,
    wire::{Mode, PrepareRule},
};

fn reach() -> Reach {
    let rules = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
    Reach {
        allow: rules(&["shop.example", "*.cdn.example", "127.0.0.1"]),
        deny: rules(&["ads.cdn.example"]),
        private: vec!["127.0.0.1:8080".parse().unwrap()],
        ..Reach::default()
    }
}

#[test]
fn a_place_comes_out_as_the_proxy_would_decide() {
    for (url, found) in [
        ("https://shop.example/basket", "allowed"),
        ("https://img.cdn.example/x.png", "allowed"),
        ("http://127.0.0.1:8080/", "allowed"),
        ("https://ads.cdn.example/x.js", "denied"),
        ("https://cdn.example/", "denied"),
        ("https://shop.example:8443/", "denied"),
        ("http://127.0.0.1:8081/", "denied"),
        ("http://0x7f.1/", "denied"),
        ("ftp://shop.example/", "denied"),
        ("https://shop.example@evil.example/", "denied"),
        // An example of nothing, whatever is expected of it.
        ("shop.example", "no address"),
        ("https:shop.example", "no address"),
    ] {
        for (expected, word) in [(Access::Allowed, "allowed"), (Access::Denied, "denied")] {
            let came = PlaceExample { url: url.into(), expected }.check(&reach());
            assert_eq!(came.is_ok(), word == found, "{url}: {came:?}");
            if let Err(surprise) = came {
                assert_eq!((surprise.expected, surprise.found), (word, found), "{url}");
                assert!(!surprise.because.is_empty());
            }
        }
    }
}

fn example(method: &str, url: &str, fields: &[(&str, &str)], expected: &str) -> RequestExample {
    RequestExample {
        method: method.into(),
        url: url.into(),
        page: None,
        fields: fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        form: ExampleForm::Form,
        expected: expected.parse().unwrap(),
    }
}

#[test]
fn a_request_comes_out_as_the_gate_would_judge() {
    let rules = [PrepareRule { origin: "https://shop.example".into(), path: "/api/x7".into() }];
    let policy = |mode| WirePolicy { mode, sites: &[], prepare: &rules };
    for (method, url, fields, found) in [
        ("POST", "https://shop.example/api/x7/9", &[("item", "7")][..], "prepare"),
        // Next to the rule, not below it.
        ("POST", "https://shop.example/api/x77", &[("item", "7")], "unknown"),
        // Danger is stronger than any rule.
        ("POST", "https://shop.example/api/x7/pay", &[("amount", "7.00")], "commit"),
        ("POST", "https://shop.example/api/x7", &[("cvc", "123")], "commit"),
        ("DELETE", "https://shop.example/api/x7/9", &[], "commit"),
        ("GET", "https://shop.example/list", &[("q", "tea")], "read"),
        ("get", "https://shop.example/list?a=1", &[("action", "delete")], "commit"),
        ("POST", "https://shop.example/login", &[("user", "a"), ("password", "b")], "login"),
    ] {
        for form in [ExampleForm::Form, ExampleForm::Json] {
            if form == ExampleForm::Json && method.eq_ignore_ascii_case("get") {
                continue;
            }
            let example = RequestExample { form, ..example(method, url, fields, found) };
            assert_eq!(example.check(policy(Mode::DryRun)), Ok(()), "{method} {url} {form:?}");
            let other = if found == "prepare" { "commit" } else { "prepare" };
            let other = RequestExample { expected: other.parse().unwrap(), ..example };
            let surprise = other.check(policy(Mode::DryRun)).unwrap_err();
            assert_eq!(surprise.found, found, "{method} {url}");
            assert!(surprise.to_string().contains(&format!("came out {found}: ")), "{surprise}");
        }
    }
    let pay = |expected| example("POST", "https://shop.example/api/x7/pay", &[("amount", "7.00")], expected);
    assert_eq!(pay("stop").check(policy(Mode::DryRun)), Ok(()));
    assert_eq!(pay("ask").check(policy(Mode::Live)), Ok(()));
    assert_eq!(pay("go").check(policy(Mode::Live)).unwrap_err().found, "ask");
    let elsewhere = RequestExample {
        page: Some("https://other.example/".into()),
        ..example("POST", "https://shop.example/api/x7", &[("item", "7")], "commit")
    };
    assert_eq!(elsewhere.check(policy(Mode::DryRun)), Ok(()));
}

#[test]
fn only_known_words_can_be_expected() {
    let error = "harmless".parse::<Expected>().unwrap_err();
    assert!(error.contains("unknown variant `harmless`") && error.contains("`prepare`"), "{error}");
    for word in Expected::words() {
        assert!(word.parse::<Expected>().is_ok(), "{word}");
    }
}
