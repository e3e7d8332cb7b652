//! The ends that others decide: signals, a killed program, a reader that has gone away. Nothing is left behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use legwork_testkit::{
    Site,
    axum::{response::Html, routing::get},
    processes_naming, wait_until,
};
use rustix::process::Signal;
use support::{LONG, Legwork, end_within, send, stderr_of};
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
    processes_naming(&format!("broom\0{}", child.id()))
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
    let mut child = waiting(&site, &legwork);
    assert_eq!(legwork.profiles().len(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until(Duration::from_secs(5), "nothing is left", || {
        legwork.browsers().is_empty() && legwork.profiles().is_empty() && brooms_of(&child).is_empty()
    });
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
