//! Browsers that may not or do not start, and what is said about it.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    time::{Duration, Instant},
};

use tokio::{io::AsyncReadExt, time::timeout};

use super::{PATIENCE, answers, folders_in, place, script, start_at, surroundings};
use crate::launch::{
    Holder, LaunchError, LaunchOptions, Profile, SandboxRefusal, Surroundings, start_in, temporary::Base,
};

#[tokio::test]
async fn a_persistent_profile_is_refused_while_a_browser_uses_it_and_stays_afterwards() {
    let place = place();
    let kept = place.path().join("kept");
    let options = LaunchOptions { profile: Profile::Persistent(kept.clone()), ..LaunchOptions::default() };
    let mut first = start_at(place.path(), &options).await;
    answers(&mut first).await;
    let pid = first.running.pid();
    match start_in(&options, surroundings(place.path()), PATIENCE).await {
        Err(LaunchError::ProfileLocked { path, holder }) => {
            assert_eq!((path, holder), (kept.clone(), Holder::Process(pid)));
        }
        other => panic!("{other:?}"),
    }
    // Killed, Chromium leaves its lock behind; the next one passes over it.
    first.running.end(Duration::ZERO).await;
    assert!(kept.join("SingletonLock").symlink_metadata().is_ok());
    let mut second = start_at(place.path(), &options).await;
    answers(&mut second).await;
    drop(second);
    assert!(kept.join("Local State").is_file() && folders_in(place.path()).is_empty());
}

#[tokio::test]
async fn a_linked_base_is_refused_before_anything_starts() {
    let place = place();
    let elsewhere = place.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let name = format!("legwork-{}", rustix::process::geteuid().as_raw());
    symlink(&elsewhere, place.path().join(name)).unwrap();
    let refused = start_in(&LaunchOptions::default(), surroundings(place.path()), PATIENCE).await;
    assert!(matches!(refused, Err(LaunchError::TemporaryUnusable { .. })), "{refused:?}");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[tokio::test]
async fn a_locked_base_is_waited_for_and_not_for_ever() {
    let place = place();
    let base = Base::open(place.path()).unwrap();
    let held = base.lock().unwrap().expect("nobody holds it");
    let (begun, limit) = (Instant::now(), Duration::from_millis(300));
    let refused = start_in(&LaunchOptions::default(), surroundings(place.path()), limit).await;
    assert!(matches!(refused, Err(LaunchError::TemporaryBusy { .. })), "{refused:?}");
    assert!(begun.elapsed() >= limit && begun.elapsed() < PATIENCE / 2, "{:?}", begun.elapsed());

    let (options, surroundings) = (LaunchOptions::default(), surroundings(place.path()));
    let waiting = start_in(&options, surroundings, PATIENCE);
    let letting_go = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        drop(held);
    };
    let (started, ()) = tokio::join!(waiting, letting_go);
    answers(&mut started.unwrap()).await;
}

#[tokio::test]
async fn an_extra_flag_that_undoes_a_protection_is_refused_before_anything_starts() {
    let place = place();
    let options = LaunchOptions { extra_flags: vec!["--no-sandbox".into()], ..LaunchOptions::default() };
    let refused = start_in(&options, surroundings(place.path()), PATIENCE).await;
    assert!(matches!(&refused, Err(LaunchError::FlagRefused { .. })), "{refused:?}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

async fn why_not(place: &Path, options: LaunchOptions, euid: u32) -> LaunchError {
    let surroundings = Surroundings { place: place.to_owned(), euid };
    let mut launched = start_in(&options, surroundings, PATIENCE).await.unwrap();
    let mut rest = Vec::new();
    timeout(PATIENCE, launched.from_browser.read_to_end(&mut rest)).await.expect("the pipe closes").unwrap();
    launched.running.why_no_answer(PATIENCE).await
}

#[tokio::test]
async fn a_browser_that_ends_early_is_quoted() {
    let place = place();
    let script = script(place.path(), "echo 'cannot open display' >&2\nexit 7\n");
    let options = LaunchOptions { binary: Some(script), ..LaunchOptions::default() };
    match why_not(place.path(), options, 0).await {
        LaunchError::ExitedEarly { status, stderr_tail } => {
            assert_eq!((status.unwrap().code(), stderr_tail.as_str()), (Some(7), "cannot open display"));
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_browser_that_floods_standard_error_neither_blocks_nor_is_kept_whole() {
    let place = place();
    let script = script(place.path(), "head -c 3000000 /dev/zero | tr '\\0' x >&2\necho end >&2\nexit 1\n");
    let options = LaunchOptions { binary: Some(script), ..LaunchOptions::default() };
    match why_not(place.path(), options, 0).await {
        LaunchError::ExitedEarly { stderr_tail, .. } => {
            assert!(stderr_tail.len() <= 8192 && stderr_tail.ends_with("xend"), "{}", stderr_tail.len());
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_missing_sandbox_has_its_own_error() {
    for (said, expected) in [
        (
            "[1:1:0101/1.1:ERROR:content/browser/zygote_host/zygote_host_impl_linux.cc:105] Running as root without \
             --no-sandbox is not supported. See https://crbug.com/638180.",
            SandboxRefusal::Root,
        ),
        (
            "[1:1:0101/1.1:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you \
             are running on Ubuntu 23.10+",
            SandboxRefusal::NoneUsable,
        ),
    ] {
        let place = place();
        let script = script(place.path(), &format!("echo '{said}' >&2\nexit 1\n"));
        let options = LaunchOptions { binary: Some(script), ..LaunchOptions::default() };
        match why_not(place.path(), options, 1000).await {
            LaunchError::SandboxUnavailable { refusal } => assert_eq!(refusal, expected),
            other => panic!("{other:?}"),
        }
    }
}
