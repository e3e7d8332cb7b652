//! The ends that others decide: signals, a killed program, a reader that has gone away. Nothing is left behind.

use std::{
    fs::{self, DirBuilder},
    io::{BufRead, BufReader},
    os::unix::fs::DirBuilderExt as _,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use crate::support::{LONG, Legwork, end_within, errand::Bench, mcp::Talk, send, stderr_of};
use legwork_testkit::{
    Site, TempHome,
    axum::{response::Html, routing::get},
    processes_naming,
    sites::brain::Brain,
    wait_until,
};
use rustix::process::Signal;
use serde_json::json;
use tokio::sync::Semaphore;

/// A run that waits for an answer which never comes.
fn waiting(site: &Site, legwork: &Legwork) -> Child {
    let child = legwork.start(&["screenshot", &site.url("/no-answer"), "-o", "/dev/null"]);
    wait_until(LONG, "the page was asked for", || !site.hits_of("/no-answer").is_empty());
    assert!(!legwork.browsers().is_empty());
    child
}

/// Whoever is to clear away after it.
fn brooms_of(child: &Child) -> Vec<u32> {
    processes_naming(&format!("broom\0{}\0", child.id()))
}

/// Kills a program that has a page under way.
#[track_caller]
fn killed_leaves_nothing(legwork: &Legwork, child: &mut Child) {
    assert_eq!((legwork.profiles().len(), brooms_of(child).len()), (1, 1));
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until(Duration::from_secs(5), "nothing is left", || {
        legwork.browsers().is_empty() && legwork.profiles().is_empty() && brooms_of(child).is_empty()
    });
}

#[test]
fn the_first_signal_closes_the_browser_in_good_order() {
    for (signal, exit) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let (site, legwork) = (Site::builder().start_blocking(), Legwork::new());
        let mut child = waiting(&site, &legwork);
        send(signal, child.id());
        let status = end_within(Duration::from_secs(10), &mut child);
        assert_eq!(status.code(), Some(exit), "{signal:?}");
        let said = stderr_of(&mut child);
        assert!(said.contains("error[CANCELLED]: ") && said.contains("called off: "), "{said}");
        legwork.assert_clean();
    }
}

#[test]
fn whoever_is_to_outlive_the_terminal_does() {
    let answers = Arc::new(Semaphore::new(0));
    let may = answers.clone();
    let slow = get(async move || {
        let _ = may.acquire().await;
        Html("<!doctype html><title>Late</title>")
    });
    let site = Site::builder().route("/slow", slow).start_blocking();
    let legwork = Legwork::new();
    let mut command = Command::new("nohup");
    legwork.dress(&mut command);
    command.arg(Legwork::binary()).args(["screenshot", &site.url("/slow"), "-o", "/dev/null"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(LONG, "the page was asked for", || !site.hits_of("/slow").is_empty());
    send(Signal::HUP, child.id());
    answers.add_permits(1);
    let status = end_within(LONG, &mut child);
    assert_eq!(status.code(), Some(0), "{}", stderr_of(&mut child));
    legwork.assert_clean();
}

#[test]
fn the_second_signal_kills_a_browser_that_does_not_close() {
    let (site, legwork) = (Site::builder().start_blocking(), Legwork::new());
    let mut child = waiting(&site, &legwork);
    for pid in legwork.browsers() {
        send(Signal::STOP, pid);
    }
    send(Signal::INT, child.id());
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(said.any(|line| line.starts_with("called off: ")));
    send(Signal::INT, child.id());
    let status = end_within(Duration::from_secs(4), &mut child);
    assert_eq!(status.code(), Some(130));
    legwork.assert_clean();
}

#[test]
fn a_killed_program_takes_its_browser_and_its_profile_along() {
    let (site, legwork) = (Site::builder().start_blocking(), Legwork::new());
    killed_leaves_nothing(&legwork, &mut waiting(&site, &legwork));
}

#[test]
fn a_killed_errand_and_a_killed_server_do_so_too() {
    let site = Site::builder().start_blocking();
    let url = site.url("/no-answer");
    let asked =
        |hits| wait_until(LONG, "the page was asked for", || site.hits_of("/no-answer").len() == hits);
    let bench = Bench::start(Brain { goal: "Read it".into(), ..Brain::default() }.script());
    let mut command = bench.command(&["Read it", "--url", &url]);
    let grants = bench.variables().into_iter().find(|(name, _)| *name == "LEGWORK_ALLOW_PRIVATE").unwrap().1;
    command.env("LEGWORK_ALLOW_PRIVATE", format!("{grants},{}", site.grants()[0]));
    let mut errand = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    asked(1);
    killed_leaves_nothing(&bench.legwork, &mut errand);

    let legwork = Legwork::new();
    let mut talk = Talk::greeted(&legwork, &[]);
    talk.request("tools/call", json!({ "name": "browser_open", "arguments": { "url": url } }));
    asked(2);
    killed_leaves_nothing(&legwork, &mut talk.child);
}

/// A thread that removes files can't be slowed down; one that waits for a pipe which nobody writes to holds up the end as well.
#[test]
fn what_there_was_no_time_for_at_the_end_is_cleared_away_after_it() {
    let (site, legwork) = (Site::builder().start_blocking(), Legwork::new());
    let cache = TempHome::new();
    let verdicts = cache.path().join("legwork/self-test");
    DirBuilder::new().recursive(true).mode(0o700).create(&verdicts).unwrap();
    let pipe = verdicts.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = legwork.command(&["screenshot", &site.url("/no-answer"), "-o", "/dev/null"]);
    command.env("XDG_CACHE_HOME", cache.path()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    wait_until(LONG, "what was found out is remembered", || fs::read_dir(&verdicts).unwrap().count() > 1);
    let leftover = legwork.home.entries()[0].join("p-dead");
    fs::create_dir(&leftover).unwrap();
    send(Signal::TERM, child.id());
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(said.any(|line| line.starts_with("called off: ")));
    send(Signal::TERM, child.id());
    assert_eq!(end_within(Duration::from_secs(8), &mut child).code(), Some(143));
    wait_until(Duration::from_secs(8), "it is swept after the end", || {
        !leftover.exists() && brooms_of(&child).is_empty()
    });
    legwork.assert_clean();
}

#[test]
fn what_nobody_could_clear_away_is_cleared_away_by_the_next_start() {
    let (site, legwork) = (Site::builder().start_blocking(), Legwork::new());
    let mut child = waiting(&site, &legwork);
    let [broom] = brooms_of(&child)[..] else { panic!("it has one") };
    send(Signal::KILL, broom);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until(Duration::from_secs(5), "no browser is left", || legwork.browsers().is_empty());
    assert_eq!(legwork.profiles().len(), 1);
    let ran = legwork.run(&["screenshot", &site.url("/pages/plain.html"), "-o", "/dev/null"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    legwork.assert_clean();
}

#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let legwork = Legwork::new();
    for args in [
        &["observe", "about:blank"][..],
        &["doctor"],
        &["doctor", "--json"],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
    ] {
        let mut child = legwork.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(end_within(LONG, &mut child).code(), Some(0), "{args:?}");
        assert!(!stderr_of(&mut child).contains("panicked"), "{args:?}");
    }
    legwork.assert_clean();
}
