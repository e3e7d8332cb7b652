//! Every way in which a file is refused, and what counts where options and the file say different things.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
};

use clap::Parser;
use legwork_runtime::{Mode, TelemetryRule, WhoConfirms};
use legwork_types::Code;

use super::{file::Choice, *};
use crate::{browser_args::BrowserArgs, safety_args::SafetyArgs};

const WHOLE: &str = include_str!("../../../../docs/legwork.toml");

fn rules(text: &str) -> FileRules {
    read(text, "legwork.toml").unwrap_or_else(|problem| panic!("{problem}: {text}"))
}

#[track_caller]
fn refused(text: &str) -> Problem {
    let problem = read(text, "legwork.toml").expect_err(text);
    assert_eq!(problem.code, Code::ConfigInvalid);
    problem
}

#[test]
fn the_example_of_the_documentation_is_understood_and_has_every_key() {
    let whole = rules(WHOLE);
    assert_eq!((whole.examples.len(), whole.secrets.len(), whole.prepare.len()), (5, 2, 2));
    assert_eq!((whole.session.most, whole.confirm.life), (Some(8), Some(3600)));
    let documentation = include_str!("../../../../docs/configuration.md");
    for place in ["", "[confirm]\n", "[session]\n", "[hosts]\n", "[[prepare]]\n", "[[hosts.example]]\n"] {
        let known = refused(&format!("{place}zzzzzzzz = 1\n")).cause.unwrap();
        for key in known.trim_start_matches("known here: ").split(", ") {
            let written =
                [format!("\n{key} = "), format!("[{key}]"), format!("[{key}]]"), format!("{key}]]")];
            assert!(written.iter().any(|key| WHOLE.contains(key)), "{key} of {place} is not in the example");
            assert!(documentation.contains(&format!("{key}`")) || documentation.contains(key), "{key}");
        }
    }
    assert!(rules("").examples.len() == 0 && rules("# nothing\n").hosts.allow.is_empty());
}

#[test]
fn what_is_not_understood_is_told_with_its_line_and_what_was_meant() {
    for (text, message, hint) in [
        ("\n[hosts]\nalow = []\n", "line 3: hosts.alow is not known", "did you mean allow?"),
        ("moode = \"live\"", "line 1: moode is not known", "did you mean mode?"),
        ("\n\ncolour = 1", "line 3: colour is not known", "docs/configuration.md"),
        ("[hosts]\nmode = \"live\"", "line 2: hosts.mode is not known", "mode belongs to the top"),
        ("[confirm]\nwho = \"humans\"", "line 2: confirm.who can't be used", "did you mean human?"),
        ("mode = \"dryrun\"", "line 1: mode can't be used", "did you mean dry-run?"),
        ("mode = 1", "line 1: mode can't be used", ""),
        ("mode = ", "line 1: it can't be read as TOML", ""),
        ("mode = \"live\"\nmode = \"live\"", "line 2: it can't be read as TOML", ""),
        ("[hosts]\nallow = \"shop.example\"", "line 2: hosts.allow can't be used", ""),
        ("[hosts]\nallow = [\n\"a.example\",\n\"*\"]", "line 4: hosts.allow[1] can't be used", ""),
        ("[hosts]\ndeny = [\"a b\"]", "line 2: hosts.deny[0] can't be used", ""),
        ("[hosts]\nports = [80, 0]", "line 2: hosts.ports[1] can't be used", ""),
        ("[hosts]\nports = []", "line 2: hosts.ports can't be used", ""),
        ("[hosts]\nprivate = [\"127.0.0.1\"]", "line 2: hosts.private[0] can't be used", ""),
        ("[hosts]\nresolve = [\"shop.test\"]", "line 2: hosts.resolve[0] can't be used", ""),
        ("[hosts.example]\nurl = \"https://a.example\"", "hosts.example can't be used", ""),
        (
            "[[hosts.example]]\nurl = \"https://a.example\"\nexpect = \"ok\"",
            "line 3: hosts.example[0].expect",
            "",
        ),
        ("[[hosts.example]]\nlink = \"x\"", "line 2: hosts.example[0].link is not known", ""),
        ("sites = [\"https://a.example\"]", "line 1: sites[0] can't be used", ""),
        ("sites = [\"*.a.example\"]", "line 1: sites[0] can't be used", ""),
        ("sockets = [\"https://a.example/x\"]", "line 1: sockets[0] can't be used", ""),
        ("uploads = [\"invoices\"]", "line 1: uploads[0] can't be used", ""),
        ("telemetry = true", "line 1: telemetry can't be used", ""),
        ("[confirm]\nlife = 0", "line 2: confirm.life can't be used", ""),
        ("[confirm]\nlife = 9999999", "line 2: confirm.life can't be used", ""),
        ("[session]\nidle = -1", "line 2: session.idle can't be used", ""),
        ("[session]\nmost = \"8\"", "line 2: session.most can't be used", ""),
        ("[[prepare]]\npath = \"https://a.example\"", "line 2: prepare[0].path can't be used", ""),
        ("[[prepare]]\nexample = []", "prepare[0] can't be used", ""),
        (
            "[[prepare]]\npath = \"https://a.example/x\"\nexample = { url = \"https://a.example/x\", expect = \"prepar\" }",
            "line 3: prepare[0].example",
            "did you mean prepare?",
        ),
        (
            "[[prepare]]\npath = \"https://a.example/x\"\nexample = { url = \"/x\", expect = \"prepare\" }",
            "line 3: prepare[0].example",
            "",
        ),
    ] {
        let problem = refused(text);
        assert!(problem.message.contains(message), "{message} in {problem:?}");
        assert!(problem.hint.contains(hint) && !problem.hint.is_empty(), "{hint} in {problem:?}");
        assert!(problem.cause.is_some_and(|cause| !cause.is_empty()), "{text}");
    }
}

#[test]
fn a_value_of_a_secret_is_refused_and_not_repeated() {
    for text in [
        "[secrets]\nshop = \"hunter22\"",
        "[secrets]\nshop = [\"hunter22\"]",
        "[secrets]\nshop = hunter22",
        "[secrets]\nshop = 'hunter22",
        "secrets = \"hunter22\"",
        "password = \"hunter22\"",
        "[secrets.shop]\nvalue = \"hunter22\"\norigins = [\"https://a.example\"]",
        "[secrets.shop]\nsource = \"env:A\"\norigins = [\"https://a.example\"]\npassword = \"hunter22\"",
        "[secrets.shop]\nsource = \"hunter22\"\norigins = [\"https://a.example\"]",
        "[secrets.shop]\nsource = { value = \"hunter22\" }\norigins = [\"https://a.example\"]",
        "[secrets.shop]\nsource = \"cmd:echo 'hunter22\"\norigins = [\"https://a.example\"]",
        "[secrets.shop]\nsource = \"env:A\"\norigins = [\"https://hunter22@a.example\"]",
        "[secrets.shop]\nsource = \"env:A\"\norigins = \"hunter22\"",
        "[secrets.shop]\nsource = \"env:A\"\norigins = [8, \"hunter22\"]",
    ] {
        let problem = refused(text);
        assert!(!format!("{problem} {problem:?}").contains("hunter22"), "{text}: {problem:?}");
        let is_syntax = problem.message.contains("TOML");
        let says = problem.hint.contains("no value stands in this file");
        assert!(is_syntax || says || problem.message.contains("secrets.shop.origins"), "{problem:?}");
    }
    for (text, why) in [
        ("[secrets.'a b']\nsource = \"env:A\"\norigins = [\"https://a.example\"]", "a name has at most"),
        ("[secrets.shop]\nsource = \"env:A\"\norigins = []", "no origin"),
        ("[secrets.shop]\nsource = \"env:A\"", "missing field `origins`"),
    ] {
        let problem = refused(text);
        assert!(problem.cause.as_ref().is_some_and(|cause| cause.contains(why)), "{problem:?}");
    }
}

#[test]
fn an_example_that_comes_out_otherwise_is_named_with_what_came_out() {
    let hosts = "[hosts]\nallow = [\"shop.example\", \"*.cdn.example\"]\ndeny = [\"ads.cdn.example\"]\n";
    let place = |url: &str, expect: &str| {
        format!("{hosts}[[hosts.example]]\nurl = \"{url}\"\nexpect = \"{expect}\"\n")
    };
    rules(&place("https://shop.example/basket", "allowed"));
    rules(&place("https://ads.cdn.example/x.js", "denied"));
    let problem = refused(&place("https://ads.cdn.example/x.js", "allowed"));
    assert_eq!(problem.message, "legwork.toml, line 5: hosts.example number 1 does not come out as written");
    let cause = problem.cause.unwrap();
    assert_eq!(cause, "https://ads.cdn.example/x.js: expected allowed, came out denied: a rule forbids it");
    let problem = refused(&place("https://img.cdn.example/", "denied"));
    assert!(problem.cause.unwrap().contains("expected denied, came out allowed"));
    let problem = refused(&place("shop.example", "denied"));
    assert!(problem.cause.unwrap().contains("came out no address"));

    let sent = |url: &str, fields: &str, expect: &str| {
        format!(
            "[[prepare]]\npath = \"https://shop.example/api/x7\"\n\
             example = [{{ url = \"https://shop.example/api/x7\", expect = \"prepare\" }},\n\
             {{ url = \"{url}\", fields = {{ {fields} }}, expect = \"{expect}\" }}]\n"
        )
    };
    rules(&sent("https://shop.example/api/x7/7", "item = \"7\"", "prepare"));
    rules(&sent("https://shop.example/api/x7/pay", "amount = \"7\"", "commit"));
    rules(&sent("https://shop.example/api/x77", "item = \"7\"", "stop"));
    let problem = refused(&sent("https://shop.example/api/x7/pay", "amount = \"7.00\"", "prepare"));
    let name = "legwork.toml, line 4: example number 2 of prepare number 1";
    assert!(problem.message.starts_with(name) && problem.hint.contains("danger is stronger"), "{problem:?}");
    assert!(problem.cause.unwrap().contains("expected prepare, came out commit: "));
    // The mode of the file counts for what becomes of a request.
    let live = format!("mode = \"live\"\n{}", sent("https://shop.example/api/x77", "item = \"7\"", "ask"));
    rules(&live);
    refused(&live.replace("\"ask\"", "\"stop\""));
}

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    safety: SafetyArgs,
    #[command(flatten)]
    browser: BrowserArgs,
}

fn line(words: &str) -> Line {
    Line::try_parse_from(["legwork"].into_iter().chain(words.split_whitespace())).unwrap()
}

#[test]
fn options_are_stronger_than_the_file_and_the_file_than_defaults() {
    let file = rules("mode = \"read-only\"\n[confirm]\nwho = \"nobody\"\nlife = 60\n");
    for (words, rules, mode, who, life) in [
        ("", &FileRules::default(), Mode::DryRun, WhoConfirms::Human, 86_400),
        ("", &file, Mode::ReadOnly, WhoConfirms::Nobody, 60),
        ("--live", &file, Mode::Live, WhoConfirms::Nobody, 60),
        ("--mode dry-run", &file, Mode::DryRun, WhoConfirms::Nobody, 60),
        ("--confirm human --approval-life 86400", &file, Mode::ReadOnly, WhoConfirms::Human, 86_400),
    ] {
        let safety = line(words).safety.beside(rules).unwrap();
        let wire = safety.wire();
        assert_eq!((wire.mode, wire.who_confirms), (mode, who), "{words}");
        assert_eq!((safety.who_confirms(), safety.question_life().as_secs()), (who, life), "{words}");
    }
    let whole = rules(WHOLE);
    let safety = line("--site tea.example --allow-socket https://tea.example").safety.beside(&whole).unwrap();
    let wire = safety.wire();
    assert_eq!(wire.sites, ["tea.example", "coffee.example"]);
    assert_eq!(wire.sockets, ["https://tea.example", "https://chat.coffee.example"]);
    assert_eq!((wire.prepare.len(), wire.telemetry), (2, TelemetryRule::Drop));
    let go = line("").safety.beside(&rules("telemetry = \"go\"")).unwrap();
    assert_eq!(go.wire().telemetry, TelemetryRule::Go);
}

#[test]
fn lists_are_joined_and_no_option_loses_a_denial() {
    let whole = rules(WHOLE);
    let words = "--allow-host tea.example --deny-host img.coffee.example --allow-private 127.0.0.1:7 --resolve coffee.test=127.0.0.1:9";
    let reach = line(words).browser.beside(&whole).unwrap().reach();
    let shown = |all: &[legwork_runtime::PlaceRule]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        shown(&reach.allow),
        ["tea.example", "coffee.example", "*.coffee.example", "coffee.test", "127.0.0.1"]
    );
    assert_eq!(shown(&reach.deny), ["img.coffee.example", "ads.coffee.example"]);
    assert_eq!((reach.private.len(), reach.ports), (2, vec![80, 443]));
    let resolved: Vec<String> = reach.resolve.iter().map(|one| one.to().to_string()).collect();
    assert_eq!(resolved, ["127.0.0.1:9", "127.0.0.1:8080"]);
    // Named as allowed, and denied all the same.
    assert!(line("--allow-host ads.coffee.example").browser.beside(&whole).is_ok());
    let ports = rules("[hosts]\nports = [8443]");
    assert_eq!(line("").browser.beside(&ports).unwrap().reach().ports, [8443]);
}

#[test]
fn an_option_that_allows_what_an_example_says_is_denied_stops_the_start() {
    let file = rules(
        "[hosts]\nallow = [\"shop.example\"]\n[[hosts.example]]\nurl = \"https://tea.example/\"\nexpect = \"denied\"\n\
         [[prepare]]\npath = \"https://shop.example/api/x7\"\n\
         example = { url = \"https://shop.example/api/x8\", expect = \"unknown\" }\n",
    );
    assert!(line("--deny-host shop.example").browser.beside(&file).is_ok());
    let problem = line("--allow-host tea.example").browser.beside(&file).unwrap_err();
    assert!(problem.message.contains("line 4: hosts.example number 1") && problem.hint.contains("option"));
    assert!(line("--live --allow-prepare https://shop.example/api/y").safety.beside(&file).is_ok());
    let problem = line("--allow-prepare https://shop.example/api/x8").safety.beside(&file).unwrap_err();
    assert!(problem.cause.unwrap().contains("expected unknown, came out prepare"));
}

#[test]
fn a_named_file_comes_before_the_variable_and_that_before_the_usual_place() {
    let variables = |all: &'static [(&str, &str)]| {
        move |name: &str| all.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
    };
    let named = |path: &str| Choice::Named(path.into());
    let usual = |path: &str| Choice::Usual(path.into());
    let all = variables(&[("LEGWORK_CONFIG", "/v"), ("XDG_CONFIG_HOME", "/x"), ("HOME", "/h")]);
    assert_eq!(file::choose(Some(Path::new("f")), all), Ok(named("f")));
    assert_eq!(file::choose(None, all), Ok(named("/v")));
    let xdg = variables(&[("XDG_CONFIG_HOME", "/x"), ("HOME", "/h")]);
    assert_eq!(file::choose(None, xdg), Ok(usual("/x/legwork/legwork.toml")));
    // Nothing of the current folder counts.
    for other in [
        variables(&[("XDG_CONFIG_HOME", "here"), ("HOME", "/h")]),
        variables(&[("XDG_CONFIG_HOME", ""), ("HOME", "/h")]),
        variables(&[("HOME", "/h")]),
    ] {
        assert_eq!(file::choose(None, other), Ok(usual("/h/.config/legwork/legwork.toml")));
    }
    assert_eq!(file::choose(None, variables(&[])), Ok(Choice::None));
    assert_eq!(file::choose(None, variables(&[("HOME", ".")])), Ok(Choice::None));
    assert_eq!(
        file::choose(None, variables(&[("LEGWORK_CONFIG", "")])).unwrap_err().code,
        Code::ConfigInvalid
    );
}

#[test]
fn a_file_that_can_not_be_read_or_trusted_is_never_taken_for_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let good = at("good.toml");
    fs::write(&good, "mode = \"live\"").unwrap();
    mode(&good, 0o644);
    let both = |path: &Path| [Choice::Named(path.into()), Choice::Usual(path.into())].map(file::read);
    for read in both(&good) {
        assert_eq!(read.unwrap().unwrap().1, "mode = \"live\"");
    }
    symlink(&good, at("link.toml")).unwrap();
    assert!(file::read(Choice::Usual(at("link.toml"))).unwrap().is_some());

    fs::create_dir(at("folder.toml")).unwrap();
    fs::write(at("bytes.toml"), b"a = 1\nb = \"\xff\"").unwrap();
    fs::write(at("large.toml"), vec![b'#'; 1024 * 1024 + 1]).unwrap();
    symlink(at("nowhere"), at("dangling.toml")).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, at("pipe.toml"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .unwrap();
    fs::write(at("shared.toml"), "").unwrap();
    mode(&at("shared.toml"), 0o664);
    fs::create_dir(at("open")).unwrap();
    fs::write(at("open/legwork.toml"), "").unwrap();
    symlink(at("open/legwork.toml"), at("into-open.toml")).unwrap();
    mode(&at("open"), 0o777);
    for (name, why) in [
        ("folder.toml", "it is no file"),
        ("bytes.toml", "line 2 is not written in UTF-8"),
        ("large.toml", "more than"),
        ("dangling.toml", "No such file"),
        ("pipe.toml", "it is no file"),
        ("shared.toml", "others may write in it"),
        ("open/legwork.toml", "others may write in its folder"),
        ("into-open.toml", "others may write in its folder"),
    ] {
        for read in both(&at(name)) {
            let problem = read.unwrap_err();
            assert_eq!(problem.code, Code::ConfigInvalid);
            assert!(problem.cause.as_ref().is_some_and(|cause| cause.contains(why)), "{name}: {problem:?}");
            assert!(problem.message.contains(name) && !problem.hint.is_empty());
        }
    }
    // Where nobody can replace what is another's.
    mode(&at("open"), 0o1777);
    assert!(file::read(Choice::Usual(at("open/legwork.toml"))).is_ok());
    // Only the usual file may be missing.
    assert_eq!(file::read(Choice::Usual(at("missing/legwork.toml"))), Ok(None));
    assert_eq!(file::read(Choice::Usual(good.join("legwork.toml"))), Ok(None));
    assert_eq!(file::read(Choice::Named(at("missing.toml"))).unwrap_err().code, Code::ConfigInvalid);
}
