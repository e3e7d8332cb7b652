//! Files of services: what is wrong with them is told with line and reason, and those that come with the program fit the bundled sites.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt as _};

use legwork_types::{Code, PageUrl, model::MicroUsd};
use proptest::prelude::*;

use super::*;

const GOOD: &str = r#"name = "gym"
description = "Cancel"
verb = "cancel"
start = "https://www.gym.example/account"
goal = "Cancel it, because of {reason}."
[data.reason]
about = "Why"
[domains]
read = ["www.gym.example"]
[[success]]
text = "cancelled"
"#;

fn refused(text: &str) -> (String, String, String) {
    let problem = read(text, "gym.toml").unwrap_err();
    assert_eq!(problem.code, Code::ServiceInvalid);
    (problem.message, problem.cause.unwrap_or_default(), problem.hint)
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_line_and_reason() {
    let with = |more: &str| format!("{GOOD}{more}");
    let but = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        GOOD.replacen(from, to, 1)
    };
    for (text, message, cause, hint) in [
        (
            but("name =", "naem ="),
            "gym.toml, line 1: naem is not known",
            "known here: name, ",
            "did you mean name?",
        ),
        (but("name = \"gym\"\n", ""), "gym.toml: name is missing", "", "docs/services.md"),
        (but("\"gym\"", "7"), "gym.toml, line 1: name can't be used", "invalid type: integer `7`", ""),
        (but("\"gym\"", "\"Gym\""), "gym.toml, line 1: name can't be used", "\"Gym\" is no name", "my-gym"),
        (but("\"gym\"", "\"-gym\""), "gym.toml, line 1: name can't be used", "is no name", ""),
        (but("\"cancel\"", "\"can cel\""), "gym.toml, line 3: verb can't be used", "is no name", ""),
        (but("\"Cancel\"", "\" \""), "gym.toml, line 2: description can't be used", "it says nothing", ""),
        (
            but("https:", "http:"),
            "gym.toml, line 4: start can't be used",
            "not https, and not on this machine",
            "",
        ),
        (but("https:", "ftp:"), "gym.toml, line 4: start can't be used", "scheme \"ftp\"", "a whole address"),
        (but("https://", "https://a:b@"), "gym.toml, line 4: start can't be used", "it names a user", ""),
        (
            but("https://www.", "https://"),
            "gym.toml, line 4: start can't be used",
            "the browser may not load gym.example: it is not among domains.read",
            "add \"gym.example\" to domains.read",
        ),
        (
            but("{reason}", "{raeson}"),
            "gym.toml, line 5: goal can't be used",
            "nothing says what {raeson} is",
            "did you mean {reason}?",
        ),
        (
            but("{reason}", "{size}"),
            "gym.toml, line 5: goal can't be used",
            "what {size} is",
            "add [data.size]",
        ),
        (but("{reason}", "{"), "gym.toml, line 5: goal can't be used", "a brace has no partner", ""),
        (but("{reason}", "{a b}"), "gym.toml, line 5: goal can't be used", "{a b} is no name", ""),
        (
            but("about", "abuot"),
            "gym.toml, line 7: data.reason.abuot is not known",
            "known here: about",
            "did you mean about?",
        ),
        (but("about = \"Why\"", ""), "gym.toml, line 6: data.reason.about is missing", "", ""),
        (
            but("\"www.gym.example\"]", "\"www.gym.example\", \"*.co.uk\"]"),
            "gym.toml, line 9: domains.read[1] can't be used",
            "*.co.uk: it is a public suffix",
            "name the hosts",
        ),
        (
            but("\"www.gym.example\"]", "\"www.gym.example\", \"github.io\"]"),
            "gym.toml, line 9: domains.read[1] can't be used",
            "public suffix",
            "",
        ),
        (
            but("\"www.gym.example\"]", "\"*\"]"),
            "gym.toml, line 9: domains.read[0] can't be used",
            "every host",
            "",
        ),
        (
            but("\"www.gym.example\"]", "\"www.gym.example\"]\nwrite = [\"pay.example\"]"),
            "gym.toml, line 10: domains.write[0] can't be used",
            "no place to write to",
            "",
        ),
        (
            but("\"www.gym.example\"]", "\"*.gym.example\"]\nwrite = [\"*.gym.example\"]"),
            "gym.toml, line 10: domains.write[0] can't be used",
            "is no host",
            "",
        ),
        (
            but("[[success]]\ntext = \"cancelled\"\n", ""),
            "gym.toml: success can't be used",
            "nothing could be proved",
            "add [[success]]",
        ),
        (
            but("text = \"cancelled\"", ""),
            "gym.toml, line 10: success[0] can't be used",
            "it is empty",
            "url, element or text",
        ),
        (
            but("\"cancelled\"", "\" \""),
            "gym.toml, line 11: success[0].text can't be used",
            "it is blank",
            "",
        ),
        (
            but("\"cancelled\"", "[]"),
            "gym.toml, line 11: success[0].text can't be used",
            "hold of nothing",
            "",
        ),
        (
            but("\"cancelled\"", "[\"a\", 1]"),
            "gym.toml, line 11: success[0].text",
            "invalid type: integer `1`",
            "",
        ),
        (
            but("text = \"cancelled\"", "tool = \"click\""),
            "gym.toml, line 11: success[0].tool can't be used",
            "nothing is called",
            "[[checkpoint]]",
        ),
        (
            but("text = \"cancelled\"", "url = \"other.example\""),
            "gym.toml, line 11: success[0].url can't be used",
            "may not load other.example",
            "domains.read",
        ),
        (
            but("text = \"cancelled\"", "url = \"/x?done\""),
            "gym.toml, line 11: success[0].url can't be used",
            "only the host and the path count",
            "",
        ),
        (
            with("[[checkpoint]]\ntool = \"clck\"\n"),
            "gym.toml, line 13: checkpoint[0].tool can't be used",
            "there is no tool \"clck\"",
            "did you mean click?",
        ),
        (
            with("[[checkpoint]]\ntool = \"evaluate\"\n"),
            "gym.toml, line 13: checkpoint[0].tool can't be used",
            "there is no tool",
            "known: click, ",
        ),
        (
            with("[[checkpoint]]\nelement = {}\n"),
            "gym.toml, line 13: checkpoint[0].element can't be used",
            "no element",
            "",
        ),
        (
            with("[[checkpoint]]\nelement = { role = \"buton\" }\n"),
            "gym.toml, line 13: checkpoint[0].element.role can't be used",
            "no role \"buton\"",
            "did you mean button?",
        ),
        (
            with("[[auth]]\nurl = \"/login\"\nwants = \"pasword\"\n"),
            "gym.toml, line 14: auth[0].wants can't be used",
            "there is no kind of proof \"pasword\"",
            "known: login, code, captcha",
        ),
        (
            with("[[auth]]\nurl = \"/a\"\n[[auth]]\nurl = \"/login\"\nwants = \"logn\"\n"),
            "gym.toml, line 16: auth[1].wants can't be used",
            "there is no kind of proof \"logn\"",
            "did you mean login?",
        ),
        (
            with("[[auth]]\nurl = \"/login\"\nwants = [\"login\"]\n"),
            "gym.toml, line 14: auth[0].wants can't be used",
            "invalid type",
            "",
        ),
        (
            with("[[auth]]\nwants = \"login\"\n"),
            "gym.toml, line 12: auth[0] can't be used",
            "it is empty",
            "url, element or text",
        ),
        (
            with("[[failure]]\ntext = \"no\"\nwants = \"login\"\n"),
            "gym.toml, line 14: failure[0].wants can't be used",
            "no page that wants to know who you are",
            "only [[auth]]",
        ),
        (
            with("[[prepare]]\nclick = { role = \"button\" }\n"),
            "gym.toml, line 13: prepare[0].click.name is missing",
            "",
            "",
        ),
        (
            with("[limits]\nturns = 101\n"),
            "gym.toml, line 13: limits.turns can't be used",
            "101 is not a number from 1 to 100",
            "",
        ),
        (
            with("[limits]\ndollars = -1.0\n"),
            "gym.toml, line 13: limits.dollars can't be used",
            "-1 is no sum",
            "",
        ),
        (
            with("[limits]\ndollars = 20.01\n"),
            "gym.toml, line 13: limits.dollars can't be used",
            "20.01 is no sum up to 20",
            "--budget",
        ),
        (
            with("[limits]\nturns = 9\nminutes = 61\n"),
            "gym.toml, line 14: limits.minutes can't be used",
            "61 is not a number from 1 to 60",
            "--max-time",
        ),
        (
            with("[limits]\ndollars = nan\n"),
            "gym.toml, line 13: limits.dollars can't be used",
            "NaN is no sum",
            "",
        ),
        (with("name = \"again\"\n[a\n"), "gym.toml, line 13: it can't be read as TOML", "", ""),
        (
            with(&format!("# {}", "x".repeat(LARGEST))),
            "gym.toml can't be used",
            "it has more than 65536 bytes",
            "",
        ),
    ] {
        let told = refused(&text);
        assert!(told.0.starts_with(message), "{message}: {told:?}\n{text}");
        assert!(
            told.1.contains(cause) && told.2.contains(hint) && !told.2.is_empty(),
            "{cause} {hint}: {told:?}"
        );
    }
}

/// Up to there a file is believed; what would cost more is only said by whoever pays for it.
#[test]
fn the_most_that_a_file_may_ask_for() {
    let text = format!("{GOOD}[limits]\nturns = 100\ndollars = 20.0\nminutes = 60\n");
    let limits = read(&text, "gym.toml").unwrap().limits;
    assert_eq!((limits.turns, limits.money, limits.millis), (100, MicroUsd(20_000_000), 3_600_000));
}

#[test]
fn a_file_becomes_an_errand_with_what_is_given() {
    let service = read(&format!("{GOOD}[limits]\ndollars = 2.5\nminutes = 2\n"), "gym.toml").unwrap();
    let given = |reason: &str| Given {
        data: BTreeMap::from([
            ("reason".to_owned(), reason.to_owned()),
            ("email".to_owned(), "a".to_owned()),
        ]),
        start: None,
    };
    let (spec, rules) = spec_of(&service, &given("{price} {{")).unwrap();
    assert_eq!(spec.goal, "Cancel it, because of {price} {{.", "what is given is not looked into again");
    assert_eq!(spec.start_url.as_deref(), Some("https://www.gym.example/account"));
    assert_eq!(
        (spec.limits.turns, spec.limits.money, spec.limits.millis),
        (20, MicroUsd(2_500_000), 120_000)
    );
    assert_eq!(spec.data.len(), 2);
    assert_eq!(
        (rules.service.as_str(), rules.domains.write.clone()),
        ("gym", vec!["www.gym.example".to_owned()])
    );
    let problem = spec_of(&service, &Given::default()).unwrap_err();
    assert_eq!((problem.code, problem.cause.as_deref()), (Code::Usage, Some("Why")));
    assert!(
        problem.message.contains("needs reason") && problem.hint.contains("--data reason="),
        "{problem:?}"
    );
    let defaulted = read(&GOOD.replace("\"Why\"", "\"Why\"\ndefault = \"money\""), "gym.toml").unwrap();
    assert_eq!(spec_of(&defaulted, &Given::default()).unwrap().0.goal, "Cancel it, because of money.");
    let braces = read(&GOOD.replace("{reason}", "{{reason}}"), "gym.toml").unwrap();
    assert_eq!(spec_of(&braces, &Given::default()).unwrap().0.goal, "Cancel it, because of {reason}.");
    for local in ["http://127.0.0.1:8080/a", "http://[::1]/", "http://shop.localhost/"] {
        let host = local.split('/').nth(2).unwrap();
        let text = GOOD.replace("https://www.gym.example/account", local).replace("www.gym.example", host);
        assert!(read(&text, "gym.toml").is_ok(), "{local}: {:?}", read(&text, "gym.toml"));
    }
}

fn bundled(name: &str) -> Service {
    Registry::load(None).unwrap().get(name).unwrap().clone()
}

fn rules(name: &str, start: Option<&str>) -> ServiceRules {
    let start = start.map(|start| PageUrl::parse(start).unwrap());
    spec_of(&bundled(name), &Given { start, ..Given::default() }).unwrap().1
}

fn page<'a>(url: &'a str, words: &'a str, elements: &'a [Element<'a>]) -> Seen<'a> {
    Seen { url, words: Some(words), is_cut: false, elements: Some(elements), tool: None, acted: Some(&[]) }
}

#[test]
fn what_comes_with_the_program_can_be_used() {
    let registry = Registry::load(None).unwrap();
    let names: Vec<&str> = registry.entries().iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["coffee", "netflix"]);
    for entry in registry.entries() {
        let service = entry.service.as_ref().unwrap();
        assert_eq!((&service.name, entry.source.clone()), (&entry.name, Source::Bundled));
        spec_of(service, &Given::default()).unwrap();
    }
    assert_eq!((bundled("netflix").verb.as_str(), bundled("netflix").limits.turns), ("cancel", 20));
    assert_eq!(bundled("coffee").verb, "reorder");
    let text = template("my-gym").unwrap();
    assert_eq!(read(&text, "my-gym.toml").unwrap().name, "my-gym");
    assert_eq!(template("My Gym").unwrap_err().code, Code::Usage);
    assert!(template("netflix").unwrap_err().hint.contains("my-netflix"));
    let problem = registry.get("netflx").unwrap_err();
    assert_eq!((problem.code, problem.hint.as_str()), (Code::ServiceUnknown, "did you mean netflix?"));
    assert_eq!(problem.cause.as_deref(), Some("there are: coffee, netflix"));
    assert!(registry.get("gas").unwrap_err().hint.contains("legwork services list"));
}

/// The way out of the bundled streaming service in its own words, at the real host and where it is served.
#[test]
fn the_way_out_of_a_membership_is_known() {
    for (base, rules) in [
        ("https://www.netflix.com", rules("netflix", None)),
        ("http://www.netflix.com:8080", rules("netflix", Some("http://www.netflix.com:8080/account"))),
        ("http://127.0.0.1:8080", rules("netflix", Some("http://127.0.0.1:8080/account"))),
    ] {
        let at = |path: &str| format!("{base}{path}");
        let confirm = at("/account/leaving/step/2");
        let will_end =
            "Finish your cancellation. Your Standard membership will end on 27 November. Keep my plan";
        let seen = page(&confirm, will_end, &[Element { role: "button", name: "Finish cancellation" }]);
        assert_eq!(rules.shown(&seen), Shown::Nothing, "it is not done yet");
        let acted = |name, tool| Seen { tool: Some(tool), acted: Some(name), ..seen };
        assert!(
            rules
                .checkpoint(&acted(&[Element { role: "button", name: "Finish cancellation" }], "click"))
                .is_some()
        );
        assert!(
            rules
                .checkpoint(&acted(
                    &[Element { role: "button", name: "Keep my plan for €6.49 a month" }],
                    "click"
                ))
                .is_some()
        );
        assert!(rules.checkpoint(&Seen { tool: Some("press"), acted: None, ..seen }).is_some());
        assert_eq!(rules.checkpoint(&acted(&[Element { role: "button", name: "Continue" }], "click")), None);
        assert_eq!(
            rules.checkpoint(&acted(&[Element { role: "button", name: "Finish cancellation" }], "hover")),
            None
        );
        assert_eq!(Auth::of(&rules.auth, &seen, None), None);
        let cancelled = at("/account/cancelled");
        let seen = page(&cancelled, "Your membership is cancelled\nIt ends on 27 November.", &[]);
        assert!(matches!(rules.shown(&seen), Shown::Success(_)), "{base}");
        let account = at("/account");
        let seen = page(
            &account,
            "Account. Your membership ends on 27 November.",
            &[Element { role: "button", name: "Restart membership" }],
        );
        assert!(matches!(rules.shown(&seen), Shown::Success(_)), "{base}");
        let seen =
            page(&account, "Account. Next bill", &[Element { role: "link", name: "Cancel membership" }]);
        assert_eq!(rules.shown(&seen), Shown::Nothing);
        let old = page(&cancelled, "This page is out of date. Your membership is cancelled", &[]);
        assert!(matches!(rules.shown(&old), Shown::Failure(_)));
        let login = at("/login?next=%2Faccount");
        let wants = |url: &str, words: &str, elements: &[Element<'_>]| {
            let auth = Signs::of(&rules, &page(url, words, elements), &[], None).auth;
            auth.map(|auth| (auth.wants, auth.is_guess))
        };
        let password = [Element { role: "textbox", name: "Password" }];
        assert_eq!(wants(&login, "Welcome back", &[]), Some((Wanted::Login, false)));
        assert_eq!(wants(&account, "Incorrect password", &password), Some((Wanted::Login, false)));
        // What only a person has is no login, with or without a field for it.
        for proof in ["Confirm it’s you", "Enter the code we sent to your phone"] {
            assert_eq!(wants(&account, proof, &[]), Some((Wanted::Code, false)), "{proof}");
            assert_eq!(wants(&login, proof, &password), Some((Wanted::Code, false)), "{proof}");
        }
        let code = [Element { role: "textbox", name: "Verification code" }];
        assert_eq!(wants(&at("/mfa"), "Almost there", &code), Some((Wanted::Code, false)));
        assert_eq!(wants(&account, "Account. Next bill", &[]), None);
    }
    let netflix = rules("netflix", None);
    let elsewhere = page("https://help.netflix.com/", "Your membership is cancelled when you …", &[]);
    assert_eq!(netflix.shown(&elsewhere), Shown::Nothing, "a page of help proves nothing");
    let real = page("https://www.netflix.com/cancelplan/confirm", "We’ve cancelled your membership", &[]);
    assert!(matches!(netflix.shown(&real), Shown::Success(_)));
    let moved = rules("netflix", Some("http://127.0.0.1:8080/account"));
    assert!(moved.domains.read.contains(&"127.0.0.1:8080".to_owned()), "{:?}", moved.domains);
    assert_eq!(moved.shown(&real), Shown::Nothing, "it stands elsewhere now");
}

#[test]
fn an_order_of_coffee_is_known() {
    let rules = rules("coffee", None);
    let seen = page(
        "https://coffee.example/orders/SO-20418?new=1",
        "Order placed Thank you Your order number is SO-20418",
        &[],
    );
    assert!(matches!(rules.shown(&seen), Shown::Success(_)));
    let old = page(
        "https://coffee.example/orders/SO-19002",
        "Orders / SO-19002 Order SO-19002 Placed on 27 August",
        &[],
    );
    assert_eq!(rules.shown(&old), Shown::Nothing, "an earlier order is no proof");
    let review = page(
        "https://coffee.example/checkout/review",
        "Review your order. With “Place order” you buy what is listed.",
        &[],
    );
    assert_eq!(rules.shown(&review), Shown::Nothing);
    let place = Seen {
        tool: Some("click"),
        acted: Some(&[Element { role: "button", name: "Place order" }]),
        ..review
    };
    assert!(rules.checkpoint(&place).is_some());
    let banner =
        [Element { role: "button", name: "Accept all" }, Element { role: "button", name: "Only necessary" }];
    assert_eq!(rules.prepared(&page("https://coffee.example/", "Cookies", &banner)), Some(1));
}

#[test]
fn the_users_folder_is_read_and_nothing_in_it_is_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        path
    };
    let load = || Registry::load(Some(folder.path())).unwrap();
    write("gym.toml", GOOD.as_bytes());
    write("notes.txt", b"not a service");
    assert_eq!(load().get("gym").unwrap().description, "Cancel");
    write("bad.toml", b"name = 7\n");
    assert_eq!(load().get("bad").unwrap_err().code, Code::ServiceInvalid);
    assert!(load().get("gym").is_ok() && load().get("netflix").is_ok(), "others stay what they are");
    write("other.toml", GOOD.as_bytes());
    assert!(load().get("other").unwrap_err().hint.contains("call the file gym.toml"));
    write("netflix.toml", GOOD.replace("\"gym\"", "\"netflix\"").as_bytes());
    let problem = load().get("netflix").unwrap_err();
    assert!(problem.message.contains("there is a service netflix already"), "{problem:?}");
    assert!(problem.hint.contains("--service-file"), "{problem:?}");
    write("bytes.toml", b"name = \"bytes\"\n# \xff\n");
    let problem = load().get("bytes").unwrap_err();
    assert_eq!(problem.cause.as_deref(), Some("line 2 is not written in UTF-8"));
    let open = write("gym.toml", GOOD.as_bytes());
    fs::set_permissions(&open, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(load().get("gym").unwrap_err().cause.as_deref(), Some("others may write in it"));
    assert_eq!(Registry::of_file(&folder.path().join("none.toml")).unwrap_err().code, Code::ServiceInvalid);
    let named = Registry::of_file(&write("x.toml", GOOD.as_bytes())).unwrap();
    assert!(named.get("gym").is_ok() && named.get("netflix").is_err(), "only what is in the file");
    assert_eq!(Registry::load(Some(&folder.path().join("none"))).unwrap().entries().len(), 2);
}

proptest! {
    /// Whatever is changed in a file: it is understood or refused with our code and a next step.
    #[test]
    fn any_file_is_understood_or_refused(at in 0_usize..400, with in "[\\PC\n]{0,6}", cut in 0_usize..12) {
        let at = (0..=at.min(GOOD.len())).rev().find(|at| GOOD.is_char_boundary(*at)).unwrap_or(0);
        let end = (at + cut).min(GOOD.len());
        let text = format!("{}{with}{}", &GOOD[..at], &GOOD[end..]);
        match read(&text, "gym.toml") {
            Ok(service) => prop_assert!(!service.success.is_empty() && is_name(&service.name)),
            Err(problem) => {
                prop_assert_eq!(problem.code, Code::ServiceInvalid);
                prop_assert!(problem.message.starts_with("gym.toml") && !problem.hint.is_empty());
            }
        }
    }
}
