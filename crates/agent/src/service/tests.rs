//! Conditions by tables, and what must hold of all of them: less knowledge never says more.

use proptest::prelude::*;
use url::Url;

use super::*;
use crate::call::{Act, Call};

const PAGE: Seen<'_> = Seen {
    url: "https://www.stream.example/account?next=/cancel",
    words: Some("Your  Account\nIt’s yours"),
    is_cut: false,
    elements: Some(&[
        Element { role: "button", name: "Restart membership" },
        Element { role: "link", name: "Help" },
    ]),
    tool: Some("click"),
    acted: Some(&[Element { role: "link", name: "Finish  Cancellation now" }]),
};

/// A condition in the words of JSON.
fn predicate(json: &str) -> Predicate {
    serde_json::from_str(json).unwrap()
}

fn act(input: &str) -> Act {
    match Call::read("act", input) {
        Ok(Call::Act(act)) => act,
        other => panic!("{other:?}"),
    }
}

#[test]
fn rules_about_addresses_know_hosts_and_steps_of_paths() {
    for (rule, url, covers) in [
        ("www.stream.example", "https://www.stream.example/", true),
        ("www.stream.example", "http://www.stream.example:8080/x?y", true),
        ("www.stream.example", "https://www.stream.example./x", true),
        ("WWW.Stream.example/Account", "https://www.stream.example/account/plan", true),
        ("www.stream.example/account/", "https://www.stream.example/account", true),
        ("www.stream.example/account", "https://www.stream.example//%61ccount", true),
        ("www.stream.example/account", "https://www.stream.example/accounts", false),
        ("www.stream.example/account", "https://www.stream.example/?account", false),
        ("www.stream.example/account", "https://www.stream.example/login?next=/account", false),
        ("www.stream.example/account", "https://www.stream.example/a%2Faccount", false),
        ("www.stream.example", "https://www.stream.example.evil.example/", false),
        ("www.stream.example", "https://evil.example/www.stream.example", false),
        ("www.stream.example", "https://www.stream.example@evil.example/", false),
        ("stream.example", "https://www.stream.example/", false),
        ("*.stream.example", "https://www.stream.example/", true),
        ("*.stream.example", "https://stream.example/", false),
        ("*.stream.example", "https://upstream.example/", false),
        ("127.0.0.1:8080/account", "http://127.0.0.1:8080/account", true),
        ("127.0.0.1:8080", "http://127.0.0.1:8081/account", false),
        ("[::1]:8080", "http://[::1]:8080/", true),
        ("www.stream.example", "ftp://www.stream.example/", false),
        ("www.stream.example", "blob:https://www.stream.example/1", false),
        ("www.stream.example", "about:blank", false),
        (
            "www.stream.example/größe/a b".replace(' ', "%20").as_str(),
            "https://www.stream.example/größe/a%20b",
            true,
        ),
    ] {
        let read: UrlRule = rule.parse().unwrap();
        assert_eq!(read.covers(&Url::parse(url).unwrap()), covers, "{rule} {url}");
        assert_eq!(read.to_string().parse(), Ok(read.clone()), "{rule} reads as {read}");
    }
    for wrong in [
        "",
        "/account",
        "*",
        "*.",
        "a.*.example",
        "*.127.0.0.1",
        "https://stream.example",
        "stream.example?x",
        "stream.example#x",
        "stream.example/a*",
        "user@stream.example",
        "stream.example:0",
        "stream.example:http",
        "a b.example",
    ] {
        assert!(wrong.parse::<UrlRule>().is_err(), "{wrong:?}");
    }
}

#[test]
fn a_service_that_stands_elsewhere_takes_its_rules_along() {
    let [from, to] = ["https://www.stream.example/account", "http://127.0.0.1:8080/account"]
        .map(|url| Url::parse(url).unwrap());
    for (rule, moved) in [
        ("www.stream.example/login", "127.0.0.1:8080/login"),
        ("*.stream.example/login", "127.0.0.1:8080/login"),
        ("pay.example/login", "pay.example/login"),
    ] {
        assert_eq!(rule.parse::<UrlRule>().unwrap().moved(&from, &to).to_string(), moved);
    }
}

#[test]
fn all_parts_must_hold_and_one_of_several_is_enough() {
    use Finding::{DoesNot, Holds, Unknown};
    for (json, of_act, of_page) in [
        (r#"{"tool":["click"]}"#, Holds, Unknown),
        (r#"{"tool":["press","click"]}"#, Holds, Unknown),
        (r#"{"tool":["press"]}"#, DoesNot, Unknown),
        (r#"{"url":["www.stream.example/account"]}"#, Holds, Holds),
        (r#"{"url":["a.example","www.stream.example"]}"#, Holds, Holds),
        (r#"{"url":["www.stream.example/cancel"]}"#, DoesNot, DoesNot),
        (r#"{"text":["your account"]}"#, Holds, Holds),
        (r#"{"text":["cancelled","it's YOURS"]}"#, Holds, Holds),
        (r#"{"text":["cancelled"]}"#, DoesNot, DoesNot),
        (r#"{"element":{"name":["finish cancellation"]}}"#, Holds, DoesNot),
        (r#"{"element":{"role":["button"],"name":["finish cancellation"]}}"#, DoesNot, DoesNot),
        (r#"{"element":{"role":["button"],"name":["restart"]}}"#, DoesNot, Holds),
        (r#"{"element":{"role":["link"]}}"#, Holds, Holds),
        (r#"{"url":["www.stream.example"],"text":["cancelled"]}"#, DoesNot, DoesNot),
        (r#"{"url":["www.stream.example"],"text":["account"]}"#, Holds, Holds),
        // What says nothing can't be told, unless another part says no.
        (r#"{}"#, Unknown, Unknown),
        (r#"{"text":[" "]}"#, Unknown, Unknown),
        (r#"{"element":{}}"#, Unknown, Unknown),
        (r#"{"element":{"name":[""]}}"#, Unknown, Unknown),
        (r#"{"element":{"name":[""]},"text":["cancelled"]}"#, DoesNot, DoesNot),
    ] {
        let predicate = predicate(json);
        let found = [About::Act, About::Page].map(|about| evaluate(&predicate, about, &PAGE));
        assert_eq!(found, [of_act, of_page], "{json}");
    }
    assert!(serde_json::from_str::<Predicate>(r#"{"txt":["x"]}"#).is_err());
}

#[test]
fn what_is_not_known_is_said_to_be_unknown() {
    use Finding::{DoesNot, Holds, Unknown};
    let unread = Seen { words: None, ..PAGE };
    let cut = Seen { is_cut: true, ..PAGE };
    let long = Seen { url: "https://www.stream.example/account/and/so…", ..PAGE };
    let asked = Seen { url: "https://www.stream.example/x?and=so…", ..PAGE };
    let none = Seen { url: "no address", elements: None, tool: None, acted: None, ..PAGE };
    for (json, seen, of_act, of_page) in [
        (r#"{"text":["cancelled"]}"#, unread, Unknown, Unknown),
        (r#"{"text":["account"]}"#, cut, Holds, Holds),
        (r#"{"text":["cancelled"]}"#, cut, Unknown, Unknown),
        (r#"{"url":["www.stream.example/account"]}"#, unread, Holds, Holds),
        (r#"{"url":["www.stream.example/cancel"]}"#, unread, Unknown, Unknown),
        (r#"{"url":["www.stream.example/account"]}"#, long, Holds, Holds),
        (r#"{"url":["www.stream.example/account/and/so/on"]}"#, long, Unknown, Unknown),
        (r#"{"url":["www.stream.example/account"]}"#, asked, DoesNot, DoesNot),
        (r#"{"url":["www.stream.example"]}"#, none, Unknown, Unknown),
        (r#"{"element":{"role":["link"]}}"#, none, Unknown, Unknown),
        (r#"{"element":{"role":["radio"]}}"#, cut, DoesNot, Unknown),
        (r#"{"tool":["click"]}"#, none, Unknown, Unknown),
    ] {
        let predicate = predicate(json);
        let found = [About::Act, About::Page].map(|about| evaluate(&predicate, about, &seen));
        assert_eq!(found, [of_act, of_page], "{json} {seen:?}");
    }
}

#[test]
fn what_can_not_be_told_stops_and_proves_nothing() {
    let rules = ServiceRules {
        checkpoint: vec![predicate(
            r#"{"tool":["click","press"],"element":{"name":["finish cancellation"]}}"#,
        )],
        auth: vec![predicate(r#"{"url":["www.stream.example/login"]}"#).into()],
        success: vec![
            predicate(r#"{"text":["cancelled"]}"#),
            predicate(r#"{"element":{"name":["restart"]}}"#),
        ],
        failure: vec![predicate(r#"{"text":["went wrong"]}"#)],
        ..ServiceRules::default()
    };
    let words = r#"click or press is called, and it is about an element named "finish cancellation""#;
    assert_eq!(rules.checkpoint(&PAGE).as_deref(), Some(words));
    assert_eq!(rules.checkpoint(&Seen { acted: Some(&[]), ..PAGE }), None, "it is done to no element");
    assert_eq!(rules.checkpoint(&Seen { tool: Some("hover"), acted: None, ..PAGE }), None);
    let unsure = rules.checkpoint(&Seen { acted: None, ..PAGE }).unwrap();
    assert!(unsure.starts_with("nobody can tell whether click or press"), "{unsure}");
    let wants = |url| Auth::of(&rules.auth, &Seen { url, ..PAGE }, None);
    assert_eq!(wants(PAGE.url), None);
    assert!(wants("https://www.stream.example/login").is_some_and(|auth| !auth.is_guess));
    assert!(wants("").is_some_and(|auth| auth.is_guess));

    assert!(matches!(rules.shown(&PAGE), Shown::Success(why) if why.contains("restart")));
    let says = |words: &'static str| rules.shown(&Seen { words: Some(words), elements: Some(&[]), ..PAGE });
    assert!(matches!(says("It is cancelled"), Shown::Success(_)));
    assert!(matches!(says("It is cancelled. Something went wrong"), Shown::Failure(_)));
    assert_eq!(says("Your account"), Shown::Nothing);
    assert_eq!(rules.shown(&Seen { is_cut: true, ..PAGE }), Shown::Unknown, "there may be a failure below");
    assert_eq!(rules.shown(&Seen { words: None, ..PAGE }), Shown::Unknown);
    let no_elements = Seen { words: Some("Your account"), elements: None, ..PAGE };
    assert_eq!(rules.shown(&no_elements), Shown::Unknown);
    let unread = Seen { words: None, ..PAGE };
    let without_failure = ServiceRules { failure: vec![], ..rules.clone() };
    assert_eq!(without_failure.shown(&unread), Shown::Unknown, "it may be another page by now");
    let again: ServiceRules = serde_json::from_str(&serde_json::to_string(&rules).unwrap()).unwrap();
    assert_eq!(again, rules);
}

/// Only what the model can do itself counts as a login; what nobody has described waits for a person.
#[test]
fn what_a_page_wants_is_what_the_file_says_or_what_the_page_shows() {
    use Wanted::{Captcha, Code, Login};
    const CONFIRM: &str = r#"{"text":["confirm it's you"]}"#;
    const CONFIRM_BY_CODE: &str = r#"{"text":["confirm it's you"],"wants":"code"}"#;
    const CONFIRM_BY_LOGIN: &str = r#"{"text":["confirm it's you"],"wants":"login"}"#;
    const CONFIRM_BY_CAPTCHA: &str = r#"{"text":["confirm it's you"],"wants":"captcha"}"#;
    const AT_LOGIN: &str = r#"{"url":["a.example/login"],"wants":"login"}"#;
    const ELSEWHERE: &str = r#"{"url":["a.example/elsewhere"],"wants":"captcha"}"#;
    let [password, mail, go] = [("textbox", "Your Password"), ("textbox", "E-mail"), ("button", "Go")]
        .map(|(role, name)| Element { role, name });
    for (rules, path, elements, recognised, wants) in [
        // What the file says counts.
        (&[CONFIRM_BY_CODE][..], "x", &[go][..], None, Some(Code)),
        (&[CONFIRM_BY_CODE], "x", &[password], Some(Login), Some(Code)),
        (&[CONFIRM_BY_LOGIN], "x", &[go], None, Some(Login)),
        (&[CONFIRM_BY_CAPTCHA], "x", &[go], None, Some(Captcha)),
        // Where it says nothing, a login is what has a field for a password or looks like one.
        (&[CONFIRM], "x", &[go], None, Some(Code)),
        (&[CONFIRM], "x", &[mail], None, Some(Code)),
        (&[CONFIRM], "x", &[password], None, Some(Login)),
        (&[CONFIRM], "x", &[go], Some(Login), Some(Login)),
        (&[CONFIRM], "Login/", &[mail], None, Some(Login)),
        (&[CONFIRM], "login", &[go], None, Some(Code)),
        (&[CONFIRM], "login/verify", &[mail], None, Some(Code)),
        // Of several, what only a person has; what does not hold says nothing.
        (&[AT_LOGIN, CONFIRM], "login", &[go], None, Some(Code)),
        (&[AT_LOGIN, CONFIRM_BY_CODE], "login", &[password], None, Some(Code)),
        (&[AT_LOGIN, CONFIRM], "login", &[password], None, Some(Login)),
        (&[CONFIRM_BY_LOGIN, ELSEWHERE], "x", &[go], None, Some(Login)),
        (&[ELSEWHERE], "x", &[password], None, None),
        // What is recognised of the page itself stands above the file.
        (&[CONFIRM_BY_LOGIN], "x", &[go], Some(Captcha), Some(Captcha)),
        (&[ELSEWHERE], "x", &[go], Some(Code), Some(Code)),
        (&[ELSEWHERE], "x", &[go], Some(Login), Some(Login)),
        (&[], "x", &[go], Some(Captcha), Some(Captcha)),
        (&[], "x", &[go], Some(Code), Some(Code)),
        (&[], "x", &[password], Some(Login), None),
    ] {
        let auth: Vec<AuthRule> = rules.iter().map(|json| serde_json::from_str(json).unwrap()).collect();
        let service = ServiceRules { auth, ..ServiceRules::default() };
        let url = format!("https://a.example/{path}");
        let seen = Seen { url: &url, words: Some("Confirm it’s you"), elements: Some(elements), ..PAGE };
        let found = Signs::of(&service, &seen, &[], recognised).auth;
        assert_eq!(
            found.as_ref().map(|auth| auth.wants),
            wants,
            "{rules:?} {path} {elements:?} {recognised:?}"
        );
        assert!(found.is_none_or(|auth| !auth.is_guess));
        let again: ServiceRules = serde_json::from_str(&serde_json::to_string(&service).unwrap()).unwrap();
        assert_eq!(again, service);
    }
    // A page that could not be read to its end is guessed at, but not where something is recognised of it.
    let auth = vec![serde_json::from_str(CONFIRM_BY_CODE).unwrap()];
    let service = ServiceRules { auth, ..ServiceRules::default() };
    let cut = |recognised| Signs::of(&service, &Seen { is_cut: true, ..PAGE }, &[], recognised).auth.unwrap();
    assert_eq!((cut(None).wants, cut(None).is_guess), (Code, true));
    assert_eq!((cut(Some(Login)).wants, cut(Some(Login)).is_guess), (Login, false));
}

#[test]
fn what_is_prepared_has_the_whole_name_and_is_the_only_one() {
    let click = Named { role: "button".into(), name: vec!["only necessary".into(), "Reject all".into()] };
    let rules = |url: &[&str]| ServiceRules {
        prepare: vec![Prepare {
            url: url.iter().map(|url| url.parse().unwrap()).collect(),
            click: click.clone(),
        }],
        ..ServiceRules::default()
    };
    let [button, link] = ["button", "link"].map(|role| Element { role, name: "Reject  ALL" });
    let more = Element { role: "button", name: "Reject all offers" };
    for (elements, at) in [
        (Some(&[more, link, button][..]), Some(2)),
        (Some(&[more, link]), None),
        (Some(&[button, button]), None),
        (Some(&[]), None),
        (None, None),
    ] {
        let seen = Seen { elements, ..PAGE };
        assert_eq!(rules(&[]).prepared(&seen), at, "{elements:?}");
        assert_eq!(rules(&["www.stream.example/account"]).prepared(&seen), at, "{elements:?}");
        assert_eq!(rules(&["elsewhere.example"]).prepared(&seen), None, "{elements:?}");
    }
}

#[test]
fn every_tool_is_one_that_the_model_can_call() {
    for tool in TOOLS {
        let value = if tool.ends_with("_tab") { "t2" } else { "7" };
        let fields = r#"[{"element":1,"value":"a"}]"#;
        let value = if *tool == "scroll" { "up" } else { value };
        let act = act(&format!(r#"{{"action":"{tool}","element":3,"value":"{value}","fields":{fields}}}"#));
        assert_eq!(tool_of(&act), *tool);
    }
    let touched = |input: &str| Touched::of(&act(input));
    let elements =
        |ids: &[u32]| Touched::Elements(ids.iter().copied().map(legwork_types::contract::ActionId).collect());
    assert_eq!(touched(r#"{"action":"click","element":3}"#), elements(&[3]));
    assert_eq!(touched(r#"{"action":"drag","element":3,"value":"4"}"#), elements(&[3, 4]));
    assert_eq!(touched(r#"{"action":"fill_form","fields":[{"element":1,"value":"a"}]}"#), elements(&[1]));
    assert_eq!(touched(r#"{"action":"goto","value":"https://a.example"}"#), elements(&[]));
    assert_eq!(touched(r#"{"action":"press","value":"Enter"}"#), Touched::Unknown);
    assert_eq!(touched(r#"{"action":"press","element":5,"value":"Enter"}"#), elements(&[5]));
    assert_eq!(touched(r#"{"action":"accept_dialog"}"#), Touched::Unknown);
    assert_eq!(touched(r#"{"action":"dismiss_dialog"}"#), elements(&[]));
}

fn some<T: Clone + std::fmt::Debug + 'static>(
    all: &'static [T],
    most: usize,
) -> impl Strategy<Value = Vec<T>> {
    proptest::collection::vec(proptest::sample::select(all), 0..=most)
}

const TEXTS: &[&str] = &["cancel", "went wrong", " ", "Finish", "account is", "help"];
const URLS: &[&str] =
    &["www.stream.example", "*.stream.example/account", "www.stream.example/account/plan", "other.example"];

fn predicates() -> impl Strategy<Value = Predicate> {
    let rule = (some(&["button", "link"], 1), some(TEXTS, 2));
    (some(&["click", "press"], 2), some(URLS, 2), proptest::option::of(rule), some(TEXTS, 2)).prop_map(
        |(tool, url, element, text)| {
            let owned = |all: Vec<&str>| all.into_iter().map(str::to_owned).collect::<Vec<_>>();
            Predicate {
                tool: owned(tool),
                url: url.into_iter().map(|url| url.parse().unwrap()).collect(),
                element: element.map(|(role, name)| ElementRule { role: owned(role), name: owned(name) }),
                text: owned(text),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Whatever is hidden: what was said before is said again, or that nobody can tell. And nothing that stops lets pass, nothing that
    /// was not proved is proved.
    #[test]
    fn less_knowledge_never_says_more(
        lists in proptest::collection::vec(proptest::collection::vec(predicates(), 0..3), 4),
        path in proptest::sample::select(&["", "account", "account/plan", "login"][..]),
        words in some(TEXTS, 4),
        elements in proptest::collection::vec((0_usize..2, proptest::sample::select(TEXTS)), 0..3),
        tool in proptest::sample::select(&["click", "press", "goto"][..]),
        hidden in any::<[bool; 4]>(),
        cut in 0_usize..30,
    ) {
        let (url, words) = (format!("https://www.stream.example/{path}"), words.join(" and "));
        let elements: Vec<Element<'_>> =
            elements.iter().map(|(role, name)| Element { role: ["button", "link"][*role], name }).collect();
        let whole = Seen {
            url: &url,
            words: Some(&words),
            is_cut: false,
            elements: Some(&elements),
            tool: Some(tool),
            acted: Some(&elements[..elements.len().min(1)]),
        };
        let mut less = whole;
        let [no_words, is_cut, no_elements, no_acted] = hidden;
        if is_cut {
            less.is_cut = true;
            less.words = words.get(..cut.min(words.len()));
            less.elements = Some(&elements[..elements.len() / 2]);
        }
        less.words = less.words.filter(|_| !no_words);
        less.elements = less.elements.filter(|_| !no_elements);
        less.acted = less.acted.filter(|_| !no_acted);
        for predicate in lists.iter().flatten() {
            for about in [About::Act, About::Page] {
                let [all, some] = [whole, less].map(|seen| evaluate(predicate, about, &seen));
                prop_assert!(some == all || some == Finding::Unknown, "{predicate:?}: {all:?}, then {some:?}");
            }
            prop_assert!(!predicate.is_empty() || evaluate(predicate, About::Act, &whole) == Finding::Unknown);
        }
        let mut lists = lists.into_iter();
        let mut next = || lists.next().unwrap_or_default();
        let rules = ServiceRules {
            checkpoint: next(),
            auth: next().into_iter().map(AuthRule::from).collect(),
            success: next(),
            failure: next(),
            ..ServiceRules::default()
        };
        prop_assert!(rules.checkpoint(&whole).is_none() || rules.checkpoint(&less).is_some());
        let wants = |seen| Auth::of(&rules.auth, seen, None);
        prop_assert!(wants(&whole).is_none() || wants(&less).is_some());
        if let Shown::Success(_) = rules.shown(&less) {
            prop_assert!(matches!(rules.shown(&whole), Shown::Success(_)));
            prop_assert!(less.words.is_some());
        }
        if let Shown::Failure(_) = rules.shown(&less) {
            prop_assert!(matches!(rules.shown(&whole), Shown::Failure(_)));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,40}", url in "[a-z*.:/%]{0,30}") {
        for text in [text, url] {
            if let Ok(rule) = text.parse::<UrlRule>() {
                prop_assert_eq!(rule.to_string().parse::<UrlRule>(), Ok(rule.clone()));
                prop_assert!(Url::parse(&rule.example()).is_ok());
            }
        }
    }
}
