//! `doctor`, `demo`, `completions`, help and version from the outside, and every command that the documentation shows.

use std::{
    collections::BTreeSet,
    env, fs,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use crate::support::{LONG, Legwork, end_within, ran, send};
use legwork_testkit::{
    CdpStub, Site, SomebodysBrowser, TempHome, jpeg_size,
    sites::vendor::{Asked, Fault, Vendor, VendorWire},
    wait_until,
};
use rustix::process::Signal;
use serde_json::Value;

fn checks(json: &Value) -> Vec<(&str, &str)> {
    let word = |check: &'_ Value, key: &str| check[key].as_str().map(str::to_owned).unwrap();
    for check in json["checks"].as_array().unwrap() {
        assert!(["ok", "warn", "fail"].contains(&word(check, "status").as_str()), "{check}");
        assert!(!word(check, "finding").is_empty(), "{check}");
        assert_eq!(check["mend"].is_string(), check["status"] != "ok", "{check}");
    }
    let list = json["checks"].as_array().unwrap().iter();
    list.map(|check| (check["name"].as_str().unwrap(), check["status"].as_str().unwrap())).collect()
}

#[test]
fn the_doctor_finds_a_machine_in_order() {
    let legwork = Legwork::new();
    let ran = legwork.run(&["doctor", "--json"]);
    let json = ran.json();
    let names: Vec<&str> = checks(&json).iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["browser", "version", "sandbox", "temporary", "launch", "self-test"]);
    assert_eq!((&json["ok"], ran.code), (&true.into(), Some(0)), "{json}");
    assert!(checks(&json).contains(&("launch", "ok")));

    let ran = legwork.run(&["doctor"]);
    assert!(ran.text().contains("ok    browser     /"), "{}", ran.text());
    assert!(!ran.text().contains('\u{1b}') && ran.code == Some(0), "{ran:?}");
    assert!(legwork.run(&["doctor", "--color", "always"]).text().contains("\u{1b}[32mok  \u{1b}[0m"));
    legwork.assert_clean();
}

#[test]
fn the_doctor_says_how_to_mend_what_is_broken() {
    let (legwork, home) = (Legwork::new(), TempHome::new());
    let ran = legwork.run(&["doctor", "--json", "--browser", "/nonexistent"]);
    assert_eq!(checks(&ran.json()), [("browser", "fail"), ("temporary", "ok")]);
    assert_eq!((&ran.json()["ok"], ran.code), (&false.into(), Some(1)));
    let text = legwork.run(&["doctor", "--browser", "/nonexistent"]).text();
    assert!(text.contains("fail  browser ") && text.contains("mend: name an existing"), "{text}");

    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let ran = legwork.run(&["doctor", "--json", "--profile", file.to_str().unwrap()]);
    assert!(checks(&ran.json()).contains(&("profile", "fail")), "{ran:?}");
    assert_eq!(ran.code, Some(1));
}

/// A program that starts the browser without the flag that keeps it from going to this machine by itself.
fn bypassing(folder: &Path) -> PathBuf {
    let script = folder.join("browser.sh");
    let browser = legwork_testkit::browser_binary();
    let text = format!(
        "#!/bin/bash\nkept=()\nfor flag; do [[ $flag == --proxy-bypass-list* ]] || kept+=(\"$flag\"); done\nexec {} \"${{kept[@]}}\"\n",
        browser.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script
}

#[test]
fn a_browser_whose_flags_do_not_hold_is_not_used() {
    let site = Site::builder().page("/", "<!doctype html><title>Example</title>").start_blocking();
    let (legwork, home) = (Legwork::new(), TempHome::new());
    let kept = || fs::read_dir(home.path().join("legwork/self-test")).map_or(0, Iterator::count);
    let run = |args: &[&str]| ran(legwork.command(args).env("XDG_CACHE_HOME", home.path()));
    let (profile, script) = (home.path().join("profile"), bypassing(home.path()));
    let profile = ["--profile", profile.to_str().unwrap()];
    let leaking = [profile[0], profile[1], "--browser", script.to_str().unwrap()];

    let doctor = run(&[&["doctor", "--json"], &leaking[..]].concat());
    assert!(checks(&doctor.json()).contains(&("self-test", "fail")), "{doctor:?}");
    let page = site.here();
    let refused = run(&[&["observe", &page, "--json"], &leaking[..]].concat());
    assert_eq!((refused.code, &refused.json()["error"]["code"]), (Some(1), &"BARRIER_UNPROVED".into()));
    assert!(refused.text().contains("a request to 127.0.0.1 went past the proxy"), "{refused:?}");
    assert_eq!((kept(), site.hits_of("/").len()), (0, 0));

    // The twin: with all flags it is used, and tested once.
    assert_eq!(run(&[&["observe", &page], &profile[..]].concat()).code, Some(0));
    assert_eq!((kept(), site.hits_of("/").len()), (1, 1));
    let tried = |more: &[&str]| run(&[&["doctor"], &profile[..], more].concat()).text();
    assert!(tried(&[]).contains("tried less than an hour ago"));
    assert!(tried(&["--self-test"]).contains("tried just now"));
    assert_eq!(kept(), 1);
    legwork.assert_clean();
}

#[test]
fn a_browser_of_somebody_else_is_said_to_be_degraded() {
    let site = Site::builder().page("/", "<!doctype html><title>Example</title>").start_blocking();
    let (legwork, chromium) = (Legwork::new(), SomebodysBrowser::start());
    let (page, endpoint) = (site.here(), chromium.http_url());
    let observe = ["observe", &page, "--cdp-endpoint", &endpoint];
    let warned = legwork.run(&observe);
    assert!(warned.code == Some(0) && warned.stderr.contains("--trust-endpoint"), "{warned:?}");
    let trusted = legwork.run(&[&observe[..], &["--trust-endpoint"]].concat());
    assert!(trusted.code == Some(0) && !trusted.stderr.contains("vouch"), "{trusted:?}");
    let alone = legwork.run(&["observe", &page, "--trust-endpoint"]);
    assert_eq!(alone.code, Some(2), "{alone:?}");
}

#[test]
fn the_doctor_tries_each_endpoint_and_shows_none() {
    let legwork = Legwork::new();
    let (refusing, chromium) = (CdpStub::refusing(), SomebodysBrowser::start());
    let first = format!("{}/?token=secret", refusing.http_url());
    let ran =
        legwork.run(&["doctor", "--json", "--cdp-endpoint", &first, "--cdp-endpoint", &chromium.http_url()]);
    let expected = [("temporary", "ok"), ("endpoint 1", "fail"), ("endpoint 2", "ok")];
    assert_eq!(checks(&ran.json()), expected);
    assert!(!ran.text().contains("secret") && ran.code == Some(1), "{ran:?}");
}

#[test]
fn the_smoke_test_opens_observes_acts_verifies_and_is_refused_what_it_should_be() {
    let legwork = Legwork::new();
    let ran = legwork.run(&["smoke", "--json"]);
    let json = ran.json();
    let steps: Vec<(&str, bool)> = json["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["step"].as_str().unwrap(), step["ok"].as_bool().unwrap()))
        .collect();
    let names = [
        "open and observe",
        "fill and verify",
        "check and verify",
        "click and verify",
        "refuse a danger",
        "refuse an old look",
        "close",
    ];
    assert_eq!(steps, names.map(|name| (name, true)), "{json}");
    assert_eq!((&json["ok"], ran.code), (&true.into(), Some(0)));
    let text = legwork.run(&["smoke"]).text();
    assert!(text.starts_with("ok    open and observe ") && text.contains("Apply: as expected"), "{text}");
    legwork.assert_clean();
}

#[test]
fn the_demo_tells_what_it_sees_and_saves_the_marked_picture() {
    let (legwork, home) = (Legwork::new(), TempHome::new());
    let out = home.path().join("made/here");
    let ran = legwork.run(&["demo", "--out", out.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (picture, text) = (out.join("demo.jpg"), ran.text());
    assert_eq!(jpeg_size(&fs::read(&picture).unwrap()), (1280, 720));
    assert!(text.contains(&format!("saved {} (1280×720, ", picture.display())), "{text}");
    for line in [
        "page \"Three Streets Coffee\" \"http://127.0.0.1:",
        "\nblocked by cookieConsent ",
        "\n  1 button \"Accept all\"\n",
        "\n3 button \"Add to basket\"\n",
        " textbox \"Name\" required\n",
        " button \"Sold out\" disabled\n",
        "=[redacted]",
        "\n</",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    // The errand: it is said that a script answers, a dry run stops the order, and where nobody can answer nobody says yes.
    assert_eq!(jpeg_size(&fs::read(out.join("checkout.jpg")).unwrap()), (1280, 720));
    let stops = ["\nSCRIPTED: ", "stopped: a dry run stops here, this was not sent: POST http://127.0.0.1:"];
    let asks =
        ["would send POST http://127.0.0.1:", "** total: 31.30 **", "No answer is a no.", "\ndenied: "];
    for line in stops.iter().chain(&asks) {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert_eq!(text.matches("orders in the shop's books: 0\n").count(), 2, "{text}");
    // The documents show just this, but for what is new in each run.
    let seen = text.split("\n\n").find(|block| block.starts_with("observation o")).unwrap();
    for document in ["README.md", "docs/observation.md"] {
        let shown = fs::read_to_string(root().join(document)).unwrap();
        let shown = shown.split("```").find_map(|block| block.strip_prefix("text\nobservation o")).unwrap();
        let shown = format!("observation o{shown}");
        assert_eq!(without_chance(seen), without_chance(&shown), "{document} shows another observation");
    }

    let ran = legwork.run(&["demo", "--out", out.to_str().unwrap(), "--json", "--yes"]);
    let json = ran.json();
    assert_eq!((&json["file"], ran.code), (&picture.to_str().unwrap().into(), Some(0)), "{json}");
    assert_eq!(json["bytes"], fs::metadata(&picture).unwrap().len());
    assert_eq!((&json["width"], &json["height"]), (&1280.into(), &720.into()));
    let errand = &json["errand"];
    assert_eq!(
        (&errand["model"], &errand["dryRun"]["reason"]),
        (&"scripted".into(), &"dry_run".into()),
        "{json}"
    );
    assert_eq!((&errand["ordersAfterDryRun"], &errand["ordersAfterLive"]), (&0.into(), &1.into()), "{json}");
    assert_eq!(errand["live"]["kind"], "verified", "{json}");
    let observation = &json["observation"];
    assert_eq!(observation["page"]["blockers"][0]["type"], "cookieConsent", "{json}");
    for one in observation["affordances"].as_array().unwrap() {
        let line = format!("{} {} {}", one["actionId"], one["role"].as_str().unwrap(), one["name"]);
        assert!(text.contains(&line), "{line} in {text}");
    }
    legwork.assert_clean();

    legwork.run(&["demo", "--out", "/proc/demo"]).refused("OUTPUT_FAILED", 1);
}

#[test]
fn a_demo_that_fails_or_is_called_off_says_so() {
    let (legwork, home) = (Legwork::new(), TempHome::new());
    let out = home.path().to_str().unwrap();
    let demo = |vendor: &Vendor| {
        let base = vendor.base_url(VendorWire::OpenAi);
        legwork.command(&["demo", "--out", out, "--yes", "--model", "house", "--base-url", &base])
    };
    let refusing = Vendor::start(|_: &Asked| Fault::Status(401, None).into()).unwrap();
    let failed = ran(&mut demo(&refusing));
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(
        failed.text().contains("The model is house") && failed.text().contains("stopped: MODEL_"),
        "{failed:?}"
    );

    let is_asked = Arc::new(AtomicBool::new(false));
    let asked = is_asked.clone();
    let silent = Vendor::start(move |_: &Asked| {
        asked.store(true, Ordering::SeqCst);
        Fault::Silence.into()
    })
    .unwrap();
    let mut child = demo(&silent).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(LONG, "the model is asked", || is_asked.load(Ordering::SeqCst));
    send(Signal::INT, child.id());
    assert_eq!(end_within(LONG, &mut child).code(), Some(130));
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(text.contains("stopped: somebody called the errand off") && !text.contains("2. Live"), "{text}");
    legwork.assert_clean();
}

#[test]
fn help_and_version_and_completions_are_there() {
    let legwork = Legwork::new();
    let version = legwork.run(&["--version"]);
    assert_eq!(version.text(), format!("legwork {}\n", env!("CARGO_PKG_VERSION")));
    let help = legwork.run(&["--help"]).text();
    for word in [
        "run",
        "observe",
        "screenshot",
        "mcp",
        "services",
        "doctor",
        "demo",
        "completions",
        "Examples:",
        "Exit codes:",
        "130",
    ] {
        assert!(help.contains(word), "{word} is not in:\n{help}");
    }
    assert!(!help.contains('\u{1b}'));
    assert!(legwork.run(&["--help", "--color", "always"]).text().contains('\u{1b}'));
    assert!(legwork.run(&["screenshot", "--help"]).text().contains("--allow-private"));
    for shell in ["bash", "zsh", "fish"] {
        let script = legwork.run(&["completions", shell]).text();
        assert!(script.contains("screenshot") && script.contains("services"), "{shell}");
    }
    assert_eq!(legwork.run::<&str>(&[]).code, Some(2));
    legwork.run(&["nonsense"]).refused("USAGE", 2);
    legwork.assert_no_start();
}

#[test]
fn a_result_that_can_not_be_written_is_a_failure() {
    let legwork = Legwork::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let doctor = legwork.command(&["doctor", "--json"]).stdout(full).output().unwrap();
    assert_eq!(doctor.status.code(), Some(1), "{doctor:?}");
}

#[test]
fn a_page_has_thirty_seconds_by_default() {
    let help = Legwork::new().run(&["screenshot", "--help"]).text();
    assert!(help.contains("[default: 30]"), "{help}");
}

#[test]
fn every_command_that_the_documentation_shows_works() {
    let site = Site::builder().page("/", "<!doctype html><title>Example</title>").start_blocking();
    let (legwork, chromium) = (Legwork::new(), SomebodysBrowser::start());
    let programs = Legwork::binary().parent().unwrap();
    let mut path = vec![programs.to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let run = |line: &str, folder: &Path| {
        let line = line
            .replace("https://example.com", &site.here())
            .replace("http://127.0.0.1:9222", &chromium.http_url());
        let mut shell = Command::new("sh");
        legwork.dress(&mut shell);
        shell.args(["-ec", &line]).current_dir(folder);
        shell.env("LEGWORK_ALLOW_PRIVATE", site.here().trim_start_matches("http://"));
        let ran = ran(shell.env("PATH", env::join_paths(&path).unwrap()));
        assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
    };
    // Those about secrets and errands are run with secrets and a model, in tests of their own. What stands in several documents is
    // run once.
    let documents = documents().into_iter().filter(|document| !document.ends_with("secrets.md"));
    let lines: BTreeSet<String> =
        documents.flat_map(|document| commands(&fs::read_to_string(document).unwrap())).collect();
    assert!(lines.len() >= 10, "the commands of the documentation were not found");
    let lines: Vec<String> = lines.into_iter().collect();
    thread::scope(|scope| {
        for some in lines.chunks(lines.len().div_ceil(2)) {
            scope.spawn(|| {
                let folder = TempHome::new();
                some.iter().for_each(|line| run(line, folder.path()));
            });
        }
    });
    legwork.assert_clean();
}

/// An observation without what is new in each run: its name, the port of the page, the boundary of the fence.
fn without_chance(observation: &str) -> String {
    let word = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let is_new = word.starts_with('o') && digits == 12 || word.contains("127.0.0.1:") || digits == 20;
        if is_new { "…".to_owned() } else { word.to_owned() }
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    observation.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let root = root();
    let in_docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let all = in_docs.chain([root.join("README.md")]);
    all.filter(|path| path.extension().is_some_and(|end| end == "md") && path.exists()).collect()
}

/// Commands that do errands.
const ERRANDS: [&str; 4] = ["legwork run ", "legwork cancel ", "legwork reorder ", "legwork services run "];

/// The lines that call `legwork` in the blocks of shell commands.
fn commands(document: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in document.lines() {
        // What is said about a command is no part of it.
        match line.split(" #").next().unwrap_or(line).trim() {
            "```sh" => inside = true,
            fence if fence.starts_with("```") => inside = false,
            command if inside && ERRANDS.iter().any(|errand| command.starts_with(errand)) => {}
            command if inside && command.starts_with("legwork ") => found.push(command.to_owned()),
            _ => {}
        }
    }
    found
}
