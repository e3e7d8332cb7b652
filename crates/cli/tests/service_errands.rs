//! `legwork cancel netflix` and `legwork reorder coffee` from the outside: both services that come with the program, on the bundled sites in
//! the place of the real hosts, and files of a user's own. What the sites' ledgers and the exit code say decides.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::{Legwork, Ran, errand::Bench, ran, terminal::Terminal};
use legwork_testkit::{TempHome, sites::brain};

const ASKS: &str = "Approve? Type yes; anything else is a no: ";

/// Cancels from the account page on, and logs in where that is asked for.
fn leaving() -> brain::Brain {
    let brain = brain::cancellation();
    let steps =
        brain.steps.iter().filter(|step| !step.contains("link \"Log in\"") && !step.contains("\"Account\""));
    let optional = |step: &String| match ["E-mail address", "\"Password\"", "\"Log in\""] {
        login if login.iter().any(|part| step.contains(part)) => format!("? {step}"),
        _ => step.clone(),
    };
    brain::Brain { steps: steps.map(optional).collect(), begins: "/account".into(), ..brain }
}

/// The options by which a bundled site stands in for a host.
fn in_place_of(bench: &Bench, host: &str, path: &str) -> Vec<String> {
    let address = match host {
        "coffee.example" => bench.sites.coffee_address(),
        _ => bench.sites.stream_address(),
    };
    let here = format!("http://{host}:{}", address.port());
    [format!("--url={here}{path}"), format!("--resolve={host}={address}")].into()
}

fn with_secret(bench: &Bench, host: &str) -> String {
    let address =
        if host == "coffee.example" { bench.sites.coffee_address() } else { bench.sites.stream_address() };
    format!("--secret=password=env:SHOP_PASSWORD@http://{host}:{}", address.port())
}

/// The words of an errand at Netflix, or rather at Lumo.
fn netflix(bench: &Bench, more: &[&str]) -> Vec<String> {
    let mut words = vec!["cancel".to_owned(), "netflix".to_owned()];
    words.extend(in_place_of(bench, "www.netflix.com", "/account"));
    words.extend(more.iter().map(|word| (*word).to_owned()));
    words
}

fn coffee(bench: &Bench, more: &[&str]) -> Vec<String> {
    let mut words = vec!["reorder".to_owned(), "coffee".to_owned()];
    words.extend(in_place_of(bench, "coffee.example", "/account/subscriptions"));
    words.push(with_secret(bench, "coffee.example"));
    words.extend(more.iter().map(|word| (*word).to_owned()));
    words
}

fn run(bench: &Bench, words: &[String]) -> Ran {
    let mut command = Command::new(Legwork::binary());
    bench.dress(&mut command);
    ran(command.args(words))
}

fn terminal(bench: &Bench, words: &[String]) -> Terminal {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Terminal::started_with(&bench.legwork, &words, &bench.variables())
}

#[test]
fn a_membership_is_cancelled_as_far_as_the_last_step_in_a_dry_run() {
    let bench = Bench::start(leaving().script());
    let secret = with_secret(&bench, "www.netflix.com");
    let ran = run(&bench, &netflix(&bench, &[&secret]));
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.text().starts_with("stopped: a dry run stops here, this was not sent: POST "), "{ran:?}");
    assert!(ran.text().contains("/account/membership/cancel"), "{ran:?}");
    assert!(ran.stderr.contains("at most 20 turns and $5.00"), "{ran:?}");
    assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 0);
    // What the file says of the service is told to the model.
    let asked = format!("{:?}", bench.vendor.books().calls());
    assert!(asked.contains("About the service: The way out begins on the account page"), "{asked}");
    bench.legwork.assert_clean();
}

#[test]
fn live_it_asks_once_and_the_signs_of_the_service_prove_it() {
    for (typed, exit, cancelled, said) in [
        ("yes\n", 0, 1, "evidence: the page is at www.netflix.com:"),
        ("y\n", 5, 0, "somebody said no, this was not sent: POST"),
    ] {
        let bench = Bench::start(leaving().script());
        let secret = with_secret(&bench, "www.netflix.com");
        let mut terminal = terminal(&bench, &netflix(&bench, &[&secret, "--live"]));
        terminal.shows("says the service netflix: click or press is called");
        terminal.shows(ASKS);
        assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 0);
        terminal.types(typed);
        terminal.shows(said);
        assert_eq!(terminal.ends(), exit, "{typed:?}");
        assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), cancelled, "{typed:?}");
        // No judge was asked: signs outrank it.
        let asked = format!("{:?}", bench.vendor.books().calls());
        assert!(!asked.contains("validate_task"), "{asked}");
        bench.legwork.assert_clean();
    }
}

#[test]
fn where_nobody_can_be_asked_nothing_is_cancelled_and_nobody_is_logged_in() {
    let bench = Bench::start(leaving().script());
    let secret = with_secret(&bench, "www.netflix.com");
    let ran = run(&bench, &netflix(&bench, &[&secret, "--live", "--confirm=nobody"]));
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 0);
    // Without a secret the page that wants a login is where it ends, with what to do about it.
    let ran = run(&bench, &netflix(&bench, &["--live"]));
    assert_eq!(ran.code, Some(5), "{ran:?}");
    let told = ran.text();
    assert!(told.starts_with("stopped: the page wants a login, and nobody is there to see to it."), "{told}");
    assert!(told.contains("--headed") && told.contains("legwork logins"), "{told}");
    assert_eq!(bench.sites.stream_ledger().count("login"), 1, "the one with the secret");
    bench.legwork.assert_clean();
}

#[test]
fn at_a_terminal_a_login_waits_for_a_person() {
    let bench = Bench::start(leaving().script());
    let mut terminal = terminal(&bench, &netflix(&bench, &[]));
    terminal.shows("wants a login. See to it in the window of the browser");
    // Nobody did anything: it is asked again, and at last it ends.
    for _ in 0..2 {
        terminal.types("yes\n");
        terminal.shows("wants a login. See to it in the window of the browser");
    }
    terminal.types("no\n");
    terminal.shows("the page wants a login, and somebody said no to that");
    assert_eq!(terminal.ends(), 5);
    assert!(bench.vendor.books().calls().len() <= 1, "no model is asked about a login, but for the plan");
    bench.legwork.assert_clean();
}

#[test]
fn coffee_is_reordered_in_a_dry_run_and_live() {
    let bench = Bench::start(brain::instalment().script());
    let ran = run(&bench, &coffee(&bench, &["--data=subscription=596215"]));
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.text().contains("/checkout/place") && ran.text().contains("349.44"), "{ran:?}");
    assert!(ran.stderr.contains("button \"Only necessary\""), "the cookies are seen to first: {ran:?}");
    assert_eq!(bench.sites.coffee_ledger().count("order-placed"), 0);
    let mut terminal = terminal(&bench, &coffee(&bench, &["--data=subscription=596215", "--live"]));
    terminal.shows("** total: 349.44 **");
    terminal.shows(ASKS);
    terminal.types("yes\n");
    terminal.shows("the page shows what proves it");
    assert_eq!(terminal.ends(), 0);
    // The earliest instalment of this subscription that was empty, and nothing else.
    let orders = bench.sites.coffee_ledger().of_kind("order-placed");
    let [order] = &orders[..] else { panic!("{orders:?}") };
    let lines = order.detail("lines");
    assert!(lines.contains("for subscription #596215, instalment 5, ships 28 November 2026"), "{lines}");
    assert!(!lines.contains(';'), "{lines}");
    bench.legwork.assert_clean();
}

/// A file of a user's own for the bundled streaming service, in this folder.
fn own_file(bench: &Bench, folder: &Path) -> PathBuf {
    let (start, address) = (bench.sites.stream_url("/account"), bench.sites.stream_address());
    let text = format!(
        r#"name = "lumo"
description = "Cancel a membership at Lumo"
verb = "cancel"
start = "{start}"
goal = "Cancel the membership. If a survey asks for a reason, answer: {{reason}}."
prompt = "The way out is at the end of the page about the account."

[data.reason]
about = "The reason that a survey is told"
default = "another reason"

[domains]
read = ["{address}"]

[limits]
turns = 25
dollars = 3.0

[[checkpoint]]
tool = "click"
element = {{ name = "finish cancellation" }}

[[success]]
text = "your membership is cancelled"

[[auth]]
url = "/login"
wants = "login"
"#
    );
    fs::create_dir_all(folder).unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.join("lumo.toml");
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    file
}

#[test]
fn a_file_of_ones_own_is_carried_out_where_it_is_named_and_in_the_folder_for_them() {
    for is_named in [true, false] {
        let (bench, elsewhere) = (Bench::start(leaving().script()), TempHome::new());
        let settings = bench.legwork.settings().join("legwork/services");
        let file = own_file(&bench, if is_named { elsewhere.path() } else { &settings });
        let which = if is_named { format!("--service-file={}", file.display()) } else { "lumo".to_owned() };
        let secret = format!("--secret=password=env:SHOP_PASSWORD@{}", bench.sites.stream_url(""));
        let words = |more: &[&str]| {
            let words = ["cancel", &which, &secret, "--data=reason=I moved"].into_iter();
            words.chain(more.iter().copied()).map(str::to_owned).collect::<Vec<_>>()
        };
        let ran = run(&bench, &words(&[]));
        assert_eq!(ran.code, Some(6), "{which}: {ran:?}");
        assert!(ran.text().starts_with("stopped: a dry run stops here, this was not sent: POST "), "{ran:?}");
        assert!(ran.text().contains("/account/membership/cancel"), "{ran:?}");
        assert!(ran.stderr.contains("at most 25 turns and $3.00"), "{ran:?}");
        let asked = format!("{:?}", bench.vendor.books().calls());
        assert!(asked.contains("answer: I moved.") && asked.contains("The way out is at the end"), "{asked}");
        assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 0, "{which}");

        let mut terminal = terminal(&bench, &words(&["--live", "--budget=2"]));
        terminal.shows("at most 25 turns and $2.00");
        terminal.shows("says the service lumo: click is called");
        terminal.shows(ASKS);
        assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 0, "{which}");
        terminal.types("yes\n");
        terminal.shows("the page says \"your membership is cancelled\"");
        assert_eq!(terminal.ends(), 0, "{which}");
        assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 1, "{which}");
        bench.legwork.assert_clean();
    }
}

#[test]
fn what_is_no_errand_of_a_service_is_refused_before_anything_is_started() {
    let legwork = Legwork::new();
    let refused = |words: &[&str], code: &str, hint: &str| {
        let ran = legwork.run(words);
        ran.refused(code, 2);
        assert!(ran.stderr.contains(hint), "{words:?}: {ran:?}");
    };
    refused(&["cancel", "netflx"], "SERVICE_UNKNOWN", "did you mean netflix?");
    refused(&["services", "run", "coffe"], "SERVICE_UNKNOWN", "did you mean coffee?");
    refused(&["cancel", "coffee"], "USAGE", "write `legwork reorder coffee`");
    refused(&["cancel"], "USAGE", "<NAME>");
    refused(&["cancel", "netflix", "--data=raeson=x"], "USAGE", "it asks for: reason");
    refused(&["cancel", "--service-file=/nowhere.toml"], "SERVICE_INVALID", "/nowhere.toml");
    legwork.run(&["cancel", "netflix", "--url=file:///etc/passwd"]).refused("NAVIGATION_BLOCKED", 1);
    legwork.assert_no_start();
}

#[test]
fn an_errand_of_a_service_goes_nowhere_else() {
    let brain = brain::Brain {
        steps: vec![r#"goto "https://elsewhere.example/""#.into()],
        shows: vec!["nothing of that".into()],
        ..leaving()
    };
    let bench = Bench::start(brain.script());
    let secret = with_secret(&bench, "www.netflix.com");
    let ran = run(&bench, &netflix(&bench, &[&secret, "--max-turns=3"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("https://elsewhere.example may not be reached (rule: not-of-the-errand"),
        "{ran:?}"
    );
    bench.legwork.assert_clean();
}

#[test]
fn every_command_of_the_documentation_about_services_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let in_docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let documents = in_docs
        .chain([root.join("README.md")])
        .filter(|path| path.extension().is_some_and(|end| end == "md"));
    let document: String = documents.map(|path| fs::read_to_string(path).unwrap() + "\n").collect();
    let blocks = document.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    let lines: BTreeSet<String> = blocks
        .flat_map(|block| block.replace("\\\n", " ").lines().map(str::to_owned).collect::<Vec<_>>())
        .map(|line| line.split(" #").next().unwrap_or_default().trim().to_owned())
        .filter(|line| {
            ["legwork cancel ", "legwork reorder ", "legwork services "]
                .iter()
                .any(|verb| line.starts_with(verb))
        })
        .collect();
    assert!(lines.len() >= 8, "{lines:?}");
    let bench = Bench::start(|asked| {
        let brain =
            if asked.told().contains("coffee by subscription") { brain::instalment() } else { leaving() };
        brain.reply(asked)
    });
    let folder = TempHome::new();
    let programs = Legwork::binary().parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let shell = |line: &str| {
        let mut shell = Command::new("sh");
        bench.dress(&mut shell);
        ran(shell.args(["-ec", line]).current_dir(folder.path()).env("PATH", &path))
    };
    for line in &lines {
        let is_errand = !line.starts_with("legwork services ") || line.contains("services run");
        if !is_errand {
            assert_eq!(shell(line).code, Some(0), "{line}");
            continue;
        }
        let host = if line.contains("coffee") { "coffee.example" } else { "www.netflix.com" };
        let begins = if line.contains("coffee") { "/account/subscriptions" } else { "/account" };
        let more = in_place_of(&bench, host, begins).join(" ");
        // No window can be shown here, and nobody sits at a terminal: what would be asked about is not done.
        let line = line.replace("--headed", "");
        let (live, expected) = if line.contains("--live") { (" --confirm nobody", 5) } else { ("", 6) };
        let ran = shell(&format!("{line} {more} {}{live}", with_secret(&bench, host)));
        assert_eq!(ran.code, Some(expected), "{line}: {ran:?}");
    }
    assert_eq!(bench.sites.coffee_ledger().count("order-placed"), 0);
    assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 0);
    bench.legwork.assert_clean();
}
