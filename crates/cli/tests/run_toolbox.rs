//! `legwork run --toolbox` from the outside: errands at the bundled streaming service over the real `@playwright/mcp`. What the
//! service's ledger, the exit code and the list of processes say decides.

#[path = "../../sites/tests/client/mod.rs"]
mod client;

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::Duration,
};

use crate::support::{
    errand::{Bench, PASSWORD},
    ran,
    terminal::Terminal,
};
use client::Client;
use legwork_testkit::{
    playwright_command,
    sites::{StreamOptions, brain, vendor::Asked},
    wait_until,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

const ASKS: &str = "may it click button \"Finish cancellation\" at http://127.0.0.1:";
const EFFECT: &str = "membership-cancelled";

/// The processes that work below a folder: whatever a server has started does.
fn living(folder: &Path) -> Vec<(u32, String)> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_there =
        |pid: &u32| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|place| place.starts_with(folder));
    pids.filter(is_there)
        .map(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            (pid, String::from_utf8_lossy(&line).replace('\0', " "))
        })
        .collect()
}

/// What is killed below a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    /// The server of the toolbox.
    Server,
    /// Its browser alone: the server lives, and starts another one when it is called next.
    Browser,
}

/// Kills what runs of it below a folder, and waits until that is gone.
fn kill(victim: Victim, folder: &Path) {
    let is_one = |line: &str| match victim {
        Victim::Server => line.contains("cli.js") && !line.contains("--help"),
        Victim::Browser => !line.contains("cli.js"),
    };
    let killed: Vec<u32> =
        living(folder).into_iter().filter(|(_, line)| is_one(line)).map(|(pid, _)| pid).collect();
    for pid in &killed {
        // The first one takes others along.
        let _ = kill_process(Pid::from_raw(i32::try_from(*pid).unwrap()).unwrap(), Signal::KILL);
    }
    wait_until(Duration::from_secs(5), "what was killed is gone", || {
        !living(folder).iter().any(|(pid, _)| killed.contains(pid))
    });
}

/// The way out for who is logged in.
fn from_the_account() -> brain::Brain {
    let brain = brain::cancellation();
    let way_out = brain.steps.iter().skip_while(|step| !step.contains("Cancel membership"));
    brain::Brain { steps: way_out.cloned().collect(), begins: "/account".into(), ..brain }
}

/// An errand at the service, and whoever kills something when the model is told these words, so many times.
struct Errand {
    bench: Bench,
    url: String,
}

impl Errand {
    fn new() -> Self {
        Self::losing(Victim::Server, 0, "")
    }

    fn losing(victim: Victim, times: u32, words: &'static str) -> Self {
        Self::of_losing(brain::cancellation_without_secrets(PASSWORD), (victim, times, words))
    }

    fn of(brain: brain::Brain) -> Self {
        Self::of_losing(brain, (Victim::Server, 0, ""))
    }

    fn of_losing(brain: brain::Brain, (victim, times, words): (Victim, u32, &'static str)) -> Self {
        let folder: Arc<OnceLock<PathBuf>> = Arc::default();
        let (known, mut left) = (folder.clone(), times);
        let bench = Bench::start(move |asked: &Asked| {
            if left > 0 && asked.has_tool("act") && asked.told().contains(words) {
                left -= 1;
                kill(victim, known.get().unwrap());
            }
            brain.reply(asked)
        });
        folder.set(bench.legwork.home.path().canonicalize().unwrap()).unwrap();
        let url = bench.sites.stream_url("/");
        Self { bench, url }
    }

    fn args(&self, more: &[&str]) -> Vec<String> {
        let goal = brain::cancellation_without_secrets("").goal;
        let toolbox = playwright_command();
        let words = ["run", &goal, "--url", &self.url, "--toolbox", &toolbox];
        words.iter().chain(more).map(|word| (*word).to_owned()).collect()
    }

    fn terminal(&self) -> Terminal {
        self.started(&self.args(&["--live"]))
    }

    fn started(&self, args: &[String]) -> Terminal {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        Terminal::started_with(&self.bench.legwork, &args, &self.bench.variables())
    }

    /// The words of an errand of the service, in a browser in which somebody has logged in before.
    fn of_service(&self) -> Vec<String> {
        let address = self.bench.sites.stream_address();
        let mut client = Client::of(address);
        client.log_in(&StreamOptions::default().email, PASSWORD);
        let cookies = client.cookies.iter().map(|(name, value)| {
            json!({"name": name, "value": value, "domain": address.ip().to_string(), "path": "/", "expires": -1,
                "httpOnly": true, "secure": false, "sameSite": "Lax"})
        });
        let state = json!({"cookies": cookies.collect::<Vec<_>>(), "origins": []});
        let file = self.bench.legwork.data.path().join("state.json");
        fs::write(&file, state.to_string()).unwrap();
        let toolbox = format!("{} --isolated --storage-state {}", playwright_command(), file.display());
        let url = self.bench.sites.stream_url("/account");
        ["cancel", "netflix", "--url", &url, "--toolbox", &toolbox, "--live"].map(str::to_owned).into()
    }

    fn cancelled(&self) -> usize {
        self.bench.sites.stream_ledger().count(EFFECT)
    }

    /// Whoever is asked types this: what is told of it, how the errand ends, and how many memberships are cancelled then.
    #[track_caller]
    fn ends_after(&self, mut terminal: Terminal, typed: &str, (said, exit, cancelled): (&str, i32, usize)) {
        terminal.shows("Type yes; anything else is a no: ");
        assert_eq!(self.cancelled(), 0);
        terminal.types(typed);
        terminal.shows(said);
        assert_eq!(terminal.ends(), exit, "{typed:?}");
        assert_eq!(self.cancelled(), cancelled, "{typed:?}");
    }

    fn folder(&self) -> PathBuf {
        self.bench.legwork.home.path().canonicalize().unwrap()
    }

    #[track_caller]
    fn is_left(&self) {
        wait_until(Duration::from_secs(2), "nothing of the toolbox is left", || {
            living(&self.folder()).is_empty()
        });
        let left = fs::read_dir(self.folder()).unwrap().flatten();
        let left: Vec<PathBuf> = left.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        assert!(!left.iter().any(|path| path.display().to_string().contains("legwork-toolbox")), "{left:?}");
    }
}

#[test]
fn somebody_is_asked_once_and_only_a_whole_yes_ends_the_membership() {
    for (typed, exit, cancelled, said) in [
        ("yes\n", 0, 1, "a person said yes, and it was done: click button \"Finish cancellation\""),
        ("no\n", 5, 0, "nobody said yes, this was not done: click button \"Finish cancellation\""),
    ] {
        let errand = Errand::new();
        let terminal = errand.terminal();
        terminal.shows("what leaves this browser is not seen by Legwork");
        terminal.shows(ASKS);
        errand.ends_after(terminal, typed, (said, exit, cancelled));
        assert!(
            errand.bench.legwork.data.path().join("legwork/toolbox-profile").is_dir(),
            "the profile is kept"
        );
        errand.is_left();
    }
}

#[test]
fn whoever_is_asked_finds_a_picture_of_the_page_where_the_question_says() {
    for is_traced in [false, true] {
        let errand = Errand::new();
        let trace = errand.bench.legwork.data.path().join("trace");
        let traced = ["--live", "--trace", trace.to_str().unwrap()];
        let mut terminal = errand.started(&errand.args(if is_traced { &traced } else { &traced[..1] }));
        terminal.shows("Type yes; anything else is a no: ");
        let shown = terminal.shown();
        let (_, path) = shown.rsplit_once("; a picture of the page is ").unwrap();
        let path = PathBuf::from(path.split(')').next().unwrap());
        let place = if is_traced { trace } else { errand.folder() };
        assert_eq!(path.parent().unwrap().canonicalize().unwrap(), place.canonicalize().unwrap(), "{shown}");
        let picture = fs::read(&path).unwrap();
        assert!(picture.starts_with(b"\x89PNG") || picture.starts_with(b"\xff\xd8\xff"), "{path:?}");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let prefix = if is_traced { "ota-" } else { "legwork-" };
        assert!(path.file_name().unwrap().to_str().unwrap().starts_with(prefix), "{path:?}");
        terminal.types("no\n");
        assert_eq!(terminal.ends(), 5);
        assert_eq!(path.exists(), is_traced, "{path:?}");
        errand.is_left();
    }
}

#[test]
fn a_service_asks_at_its_checkpoint_once_and_its_signs_prove_the_end() {
    for (typed, exit, cancelled, said) in [
        ("yes\n", 0, 1, "evidence: somebody else's browser"),
        ("no\n", 5, 0, "somebody said no, this was not done: click 7 button"),
    ] {
        let errand = Errand::of(from_the_account());
        let terminal = errand.started(&errand.of_service());
        terminal.shows("what leaves this browser is not seen by Legwork");
        terminal.shows("button \"Finish cancellation\"");
        terminal.shows("you are asked before it because");
        errand.ends_after(terminal, typed, (said, exit, cancelled));
        let asked = format!("{:?}", errand.bench.vendor.books().calls());
        assert!(!asked.contains("validate_task"), "signs outrank a judge: {asked}");
        errand.is_left();
    }
}

#[test]
fn a_service_that_wants_a_login_waits_for_a_person_and_goes_nowhere_else() {
    let errand = Errand::of(brain::Brain {
        steps: vec![r#"goto "https://elsewhere.example/""#.into()],
        shows: vec!["nothing of that".into()],
        ..from_the_account()
    });
    let url = errand.bench.sites.stream_url("/account");
    let toolbox = playwright_command();
    let stranger = ["cancel", "netflix", "--url", &url, "--toolbox", &toolbox, "--live"].map(str::to_owned);
    let mut terminal = errand.started(&stranger);
    terminal.shows("wants a login. See to it in the window of the toolbox's browser");
    terminal.types("no\n");
    terminal.shows("the page wants a login, and somebody said no to that");
    assert_eq!(terminal.ends(), 5);
    let mut known = errand.of_service();
    known.push("--max-turns=3".into());
    let terminal = errand.started(&known);
    terminal.shows("https://elsewhere.example may not be reached (rule: not-of-the-errand");
    assert_ne!(terminal.ends(), 0);
    errand.is_left();
}

#[test]
fn what_is_killed_while_the_model_thinks_is_started_anew_once_and_the_errand_goes_on() {
    for victim in [Victim::Server, Victim::Browser] {
        let errand = Errand::losing(victim, 1, "Continue to cancel");
        let mut terminal = errand.terminal();
        terminal.shows("the browser is gone, another one is started");
        terminal.shows("browser: reconnected, the plan begins again from");
        terminal.shows(ASKS);
        terminal.types("yes\n");
        assert_eq!(terminal.ends(), 0, "{victim:?}");
        assert_eq!(errand.cancelled(), 1, "{victim:?}");
        errand.is_left();
    }
}

#[test]
fn what_is_killed_twice_ends_the_errand_as_one_without_a_browser() {
    for victim in [Victim::Server, Victim::Browser] {
        let errand = Errand::losing(victim, 2, "Continue to cancel");
        let terminal = errand.terminal();
        terminal.shows("browser: reconnected");
        terminal.shows("the toolbox was started anew once already");
        assert_eq!(terminal.ends(), 3, "{victim:?}");
        assert_eq!(errand.cancelled(), 0, "{victim:?}");
        errand.is_left();
    }
}

#[test]
fn what_is_killed_while_somebody_is_asked_does_nothing_by_that_yes() {
    for victim in [Victim::Server, Victim::Browser] {
        let errand = Errand::new();
        let mut terminal = errand.terminal();
        terminal.shows(ASKS);
        kill(victim, &errand.folder());
        terminal.types("yes\n");
        terminal.shows("browser: reconnected");
        assert_eq!(errand.cancelled(), 0, "what was asked about is gone: {victim:?}");
        terminal.shows(ASKS);
        terminal.types("yes\n");
        assert_eq!(terminal.ends(), 0, "{victim:?}");
        assert_eq!(errand.cancelled(), 1, "{victim:?}");
        errand.is_left();
    }
}

#[test]
fn what_was_under_way_when_it_was_lost_is_found_out_and_not_done_again() {
    for victim in [Victim::Server, Victim::Browser] {
        let errand = Errand::new();
        let mut terminal = errand.terminal();
        terminal.shows(ASKS);
        terminal.types("yes\n");
        wait_until(Duration::from_secs(20), "the service has it", || errand.cancelled() == 1);
        // The server waits a moment for what a click leads to before it answers.
        kill(victim, &errand.folder());
        terminal.shows("browser: reconnected");
        terminal.shows(
            "a person said yes, and whether it was done is not known: click button \"Finish cancellation\"",
        );
        assert_eq!(terminal.ends(), 0, "the account shows it: {victim:?}");
        assert_eq!(errand.cancelled(), 1, "{victim:?}");
        errand.is_left();
    }
}

#[test]
fn where_nobody_can_be_asked_nothing_is_settled() {
    let errand = Errand::new();
    let mut command = std::process::Command::new(crate::support::Legwork::binary());
    errand.bench.dress(&mut command);
    let ran = ran(command.args(errand.args(&["--live"])));
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.text().contains("nobody can be asked, this was not sent: click button"), "{ran:?}");
    assert!(ran.text().contains("evidence: somebody else's browser"), "{ran:?}");
    assert_eq!(errand.cancelled(), 0);
    errand.is_left();
}

#[test]
fn whoever_calls_it_off_while_somebody_is_asked_says_neither_yes_nor_no_and_leaves_nothing_behind() {
    for is_of_service in [false, true] {
        for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
            let errand = if is_of_service { Errand::of(from_the_account()) } else { Errand::new() };
            let mut terminal = match is_of_service {
                true => errand.started(&errand.of_service()),
                false => errand.terminal(),
            };
            terminal.shows("Type yes; anything else is a no: ");
            match signal {
                Signal::INT => terminal.types("\u{3}"),
                _ => terminal.signals(signal),
            }
            terminal.shows("somebody called the errand off");
            assert_eq!(terminal.ends(), code, "{signal:?} {is_of_service}");
            assert_eq!(errand.cancelled(), 0);
            errand.is_left();
        }
    }
}

#[test]
fn a_signal_while_an_act_is_under_way_tells_what_is_known_of_it_and_leaves_nothing_behind() {
    let errand = Errand::new();
    let mut terminal = errand.terminal();
    terminal.shows(ASKS);
    terminal.types("yes\n");
    wait_until(Duration::from_secs(20), "the service has it", || errand.cancelled() == 1);
    // The server waits a moment for what a click leads to before it answers.
    terminal.signals(Signal::TERM);
    terminal.shows("a person said yes, and ");
    assert_eq!(terminal.ends(), 143);
    assert_eq!(errand.cancelled(), 1);
    errand.is_left();
}

#[test]
fn when_it_is_killed_nothing_of_its_toolbox_is_left_within_seconds_not_even_a_browser_that_hangs() {
    for hangs in [false, true] {
        let errand = Errand::new();
        let terminal = errand.terminal();
        terminal.shows(ASKS);
        let all = living(&errand.folder());
        assert!(all.iter().any(|(_, line)| line.contains("cli.js")), "{all:?}");
        // Its helpers have a type.
        let is_browser = |line: &str| line.contains("--remote-debugging-pipe") && !line.contains("--type=");
        let (browser, _) = all.iter().find(|(_, line)| is_browser(line)).unwrap();
        if hangs {
            // It does not see that nobody is at the other end of its pipe any more.
            kill_process(Pid::from_raw(browser.cast_signed()).unwrap(), Signal::STOP).unwrap();
        }
        terminal.signals(Signal::KILL);
        wait_until(Duration::from_secs(5), "nothing of it is left", || living(&errand.folder()).is_empty());
        wait_until(Duration::from_secs(5), "its folder and its pictures are gone", || {
            let left = fs::read_dir(errand.folder()).unwrap().flatten();
            let mut left = left.map(|entry| entry.file_name().to_string_lossy().into_owned());
            !left.any(|name| name.starts_with("legwork-toolbox-") || name.starts_with("legwork-page-"))
        });
        assert_eq!(errand.cancelled(), 0);
    }
}

#[test]
fn without_a_node_that_will_do_it_is_said_how_to_get_one_and_no_model_is_asked() {
    let errand = Errand::new();
    let programs = errand.bench.legwork.data.path().join("programs");
    fs::create_dir(&programs).unwrap();
    let toolbox = ["run", "x", "--url", &errand.url, "--live", "--toolbox", "npx @playwright/mcp"];
    for (version, why) in
        [(None, "there is no node on the path"), (Some("v16.20.0"), "or later, and this one is v16.20.0")]
    {
        if let Some(version) = version {
            let node = programs.join("node");
            fs::write(&node, format!("#!/bin/sh\necho {version}\n")).unwrap();
            fs::set_permissions(&node, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut command = std::process::Command::new(crate::support::Legwork::binary());
        errand.bench.dress(&mut command);
        let ran = ran(command.env("PATH", &programs).args(toolbox));
        assert!(ran.stderr.contains("error[TOOLBOX_NODE_MISSING]: "), "{ran:?}");
        assert!(ran.stderr.contains(why) && ran.stderr.contains("install Node.js 18 or later"), "{ran:?}");
        assert_eq!(ran.code, Some(3), "{ran:?}");
    }
    assert!(errand.bench.vendor.books().calls().is_empty(), "nothing was paid for");
    errand.is_left();
}

#[test]
fn what_legwork_could_not_keep_there_is_refused_before_anything_starts() {
    let errand = Errand::new();
    let run = |more: &[&str]| {
        let mut command = std::process::Command::new(crate::support::Legwork::binary());
        errand.bench.dress(&mut command);
        ran(command.args(errand.args(more)))
    };
    for (more, why) in [
        (&["--mode", "dry-run"][..], "a dry run can't be kept in somebody else's browser"),
        (&[], "a dry run can't be kept in somebody else's browser"),
        (&["--mode", "read-only"], "can stop nothing there"),
        (
            &["--live", "--secret", "p=env:SHOP_PASSWORD@http://127.0.0.1:1"],
            "secrets are never typed into somebody else's browser",
        ),
        (&["--live", "--resolve", "a.test=127.0.0.1:1"], "do not hold in somebody else's browser"),
    ] {
        let ran = run(more);
        ran.refused("USAGE", 2);
        assert!(ran.stderr.contains(why), "{more:?}: {ran:?}");
    }
    for more in
        [&["--headed"][..], &["--cdp-endpoint", "http://127.0.0.1:9222"], &["--login", "a@http://a.example"]]
    {
        let ran = run(more);
        assert_eq!(ran.code, Some(2), "{more:?}: {ran:?}");
        assert!(ran.stderr.contains("cannot be used with"), "{more:?}: {ran:?}");
    }
    assert!(errand.bench.vendor.books().calls().is_empty(), "nothing was paid for");
}
