//! With a real Chromium: what is started answers, and what is ended, dropped or orphaned leaves nothing behind.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use super::*;

mod orphans;
mod refusals;

const PATIENCE: Duration = Duration::from_secs(30);

fn place() -> TempDir {
    tempfile::Builder::new().prefix("lw").tempdir().unwrap()
}

fn surroundings(place: &Path) -> Surroundings {
    Surroundings { place: place.to_owned(), ..Surroundings::of_this_process() }
}

async fn start_at(place: &Path, options: &LaunchOptions) -> Launched {
    start_in(options, surroundings(place), PATIENCE).await.expect("the browser starts")
}

/// A program of a few lines that takes the browser's place. Another process writes it: were it open for writing
/// here while another test forks, the system would refuse to run it.
pub(super) fn script(place: &Path, lines: &str) -> PathBuf {
    let path = place.join("browser");
    let write = r#"printf '#!/bin/sh\n%s' "$1" > "$0" && chmod 755 "$0""#;
    let written = std::process::Command::new("sh").args(["-c", write]).arg(&path).arg(lines).status();
    assert!(written.unwrap().success());
    path
}

/// Looks again and again until the condition holds; the deadline is the failure.
fn eventually(limit: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + limit;
    while !holds() {
        assert!(Instant::now() < deadline, "not within {limit:?}: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// One call over the pipe; events that come before the answer are passed over.
async fn call(launched: &mut Launched, id: u32, method: &str, params: &str) -> String {
    let message = format!("{{\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}\0");
    launched.to_browser.write_all(message.as_bytes()).await.unwrap();
    let answer = async {
        loop {
            let mut message = Vec::new();
            loop {
                match launched.from_browser.read_u8().await.expect("the pipe is open") {
                    0 => break,
                    byte => message.push(byte),
                }
            }
            let message = String::from_utf8(message).unwrap();
            if message.starts_with(&format!("{{\"id\":{id},")) {
                return message;
            }
        }
    };
    timeout(PATIENCE, answer).await.expect("the browser answers")
}

async fn answers(launched: &mut Launched) {
    let version = call(launched, 1, "Browser.getVersion", "{}").await;
    assert!(version.contains("\"product\""), "{version}");
}

/// Living users of a temporary profile and of the folder that it stands in.
fn users_of(profile: &Path) -> Vec<i32> {
    users::of(profile.parent().unwrap())
}

fn folders_in(place: &Path) -> Vec<PathBuf> {
    let base = Base::open(place).unwrap();
    let entries = fs::read_dir(base.path()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

fn nothing_is_left(place: &Path, pid: u32, profile: &Path) {
    assert_eq!(users_of(profile), Vec::<i32>::new());
    assert!(procfs::stat(pid.cast_signed()).is_none(), "no zombie");
    assert!(!procfs::group_has_living(pid.cast_signed()));
    assert_eq!(folders_in(place), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_browser_that_is_asked_to_close_ends_by_itself_and_leaves_nothing() {
    let place = place();
    let mut launched = start_at(place.path(), &LaunchOptions::default()).await;
    answers(&mut launched).await;
    let targets = call(&mut launched, 2, "Target.getTargets", "{}").await;
    assert!(targets.contains("\"targetInfos\":[]"), "no tab but ours: {targets}");
    call(&mut launched, 3, "Target.createTarget", r#"{"url":"about:blank"}"#).await;
    let (pid, profile) = (launched.running.pid(), launched.running.profile());
    assert!(users_of(&profile).len() >= 4);

    let (first, second) = (launched.running.exited(), launched.running.exited());
    call(&mut launched, 4, "Browser.close", "{}").await;
    let (exit, by) = launched.running.end(PATIENCE).await;
    assert_eq!(by, EndedBy::Itself);
    assert!(exit.status.unwrap().success(), "{exit:?}");
    assert_eq!((first.await, second.await), (exit, exit));
    nothing_is_left(place.path(), pid, &profile);
}

#[tokio::test]
async fn a_browser_that_does_not_end_in_time_is_killed_with_all_its_children() {
    let place = place();
    let mut launched = start_at(place.path(), &LaunchOptions::default()).await;
    answers(&mut launched).await;
    call(&mut launched, 2, "Target.createTarget", r#"{"url":"about:blank"}"#).await;
    let (pid, profile) = (launched.running.pid(), launched.running.profile());
    let (exit, by) = launched.running.end(Duration::ZERO).await;
    assert_eq!(by, EndedBy::Force);
    assert!(!exit.status.unwrap().success());
    nothing_is_left(place.path(), pid, &profile);
}

#[tokio::test]
async fn dropping_leaves_nothing_at_once() {
    let place = place();
    let mut launched = start_at(place.path(), &LaunchOptions::default()).await;
    answers(&mut launched).await;
    let (pid, profile) = (launched.running.pid(), launched.running.profile());
    let exited = launched.running.exited();
    drop(launched);
    nothing_is_left(place.path(), pid, &profile);
    timeout(PATIENCE, exited).await.expect("waiters are told");
}

#[test]
fn dropping_after_the_runtime_is_gone_leaves_nothing() {
    let place = place();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let launched = runtime.block_on(async {
        let mut launched = start_at(place.path(), &LaunchOptions::default()).await;
        answers(&mut launched).await;
        launched
    });
    drop(runtime);
    let (pid, profile) = (launched.running.pid(), launched.running.profile());
    drop(launched);
    nothing_is_left(place.path(), pid, &profile);
}

/// The pipes that a process holds, by the system's name of the pipe.
fn pipes_of(pid: u32) -> HashMap<String, usize> {
    let mut pipes = HashMap::new();
    for entry in fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten() {
        if let Ok(target) = fs::read_link(entry.path()) {
            let target = target.display().to_string();
            if target.starts_with("pipe:") {
                *pipes.entry(target).or_default() += 1;
            }
        }
    }
    pipes
}

#[tokio::test]
async fn two_at_once_hold_nothing_of_each_other() {
    let place = place();
    let options = LaunchOptions::default();
    let (mut one, mut two) = tokio::join!(start_at(place.path(), &options), start_at(place.path(), &options));
    answers(&mut one).await;
    answers(&mut two).await;
    let (one_holds, two_holds) = (pipes_of(one.running.pid()), pipes_of(two.running.pid()));
    let ours = pipes_of(std::process::id());
    for fd in [3, 4] {
        let name = |pid| fs::read_link(format!("/proc/{pid}/fd/{fd}")).unwrap().display().to_string();
        let (first, second) = (name(one.running.pid()), name(two.running.pid()));
        assert_eq!(one_holds.get(&first), Some(&1), "its own end, once");
        assert_eq!(two_holds.get(&second), Some(&1), "its own end, once");
        assert!(!two_holds.contains_key(&first) && !one_holds.contains_key(&second));
        assert_eq!((ours.get(&first), ours.get(&second)), (Some(&1), Some(&1)), "our end, once");
    }

    // The end of one is seen on its pipe while the other goes on.
    let (pid, profile) = (one.running.pid(), one.running.profile());
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), Signal::KILL).unwrap();
    let mut rest = Vec::new();
    timeout(PATIENCE, one.from_browser.read_to_end(&mut rest)).await.expect("the pipe closes").unwrap();
    timeout(PATIENCE, one.running.exited()).await.expect("its end is told");
    eventually(PATIENCE, "its crash handlers follow", || users_of(&profile).is_empty());
    call(&mut two, 2, "Target.getTargets", "{}").await;
    drop((one, two));
    assert_eq!(folders_in(place.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn the_network_works_with_our_flags_and_crashes_go_to_our_folder() {
    let place = place();
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = server.local_addr().unwrap();
    let mut launched = start_at(place.path(), &LaunchOptions::default()).await;
    let params = format!(r#"{{"url":"http://{address}/"}}"#);
    call(&mut launched, 1, "Target.createTarget", &params).await;
    let asked = async {
        let mut request = [0; 5];
        loop {
            // A connection made in advance may be given up without a word.
            let (mut page, _) = server.accept().await.unwrap();
            if page.read_exact(&mut request).await.is_ok() {
                return request;
            }
        }
    };
    assert_eq!(&timeout(PATIENCE, asked).await.expect("the page is asked for"), b"GET /");
    let said = launched.running.stderr_tail();
    assert!(!said.contains("crashed"), "{said}");

    let profile = launched.running.profile();
    let handles_crashes = |pid: &i32| {
        let line = procfs::command_line(*pid).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("crashpad_handler\0")
    };
    assert!(users_of(&profile).iter().any(handles_crashes), "the crash handlers are known as users");
}

#[tokio::test]
async fn closing_the_pipe_ends_the_browser() {
    let place = place();
    let mut launched = start_at(place.path(), &LaunchOptions::default()).await;
    answers(&mut launched).await;
    let Launched { running, to_browser, from_browser } = launched;
    drop((to_browser, from_browser));
    timeout(PATIENCE, running.exited()).await.expect("it ends");
    assert_eq!(running.end(Duration::ZERO).await.1, EndedBy::Itself);
}

#[tokio::test]
async fn members_that_outlive_their_leader_are_ended() {
    let place = place();
    let script = script(place.path(), "sleep 600 &\nexit 0\n");
    let options = LaunchOptions { binary: Some(script), ..LaunchOptions::default() };
    let launched = start_at(place.path(), &options).await;
    let pid = launched.running.pid();
    let (exit, by) = launched.running.end(PATIENCE).await;
    assert_eq!((exit.status.unwrap().code(), by), (Some(0), EndedBy::Itself));
    assert!(!procfs::group_has_living(pid.cast_signed()));
}
