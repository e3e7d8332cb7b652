//! What a killed owner leaves behind, and how the next start clears it away.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use super::{PATIENCE, answers, eventually, folders_in, place, start_at, users_of};
use crate::launch::{LaunchOptions, Profile, procfs, users};

const OWNER_PLACE: &str = "LEGWORK_TEST_OWNER_PLACE";
const OWNER_PROFILE: &str = "LEGWORK_TEST_OWNER_PROFILE";
const PANICS_AT: &str = "LEGWORK_TEST_PANICS_AT";

fn with_profile(kept: &Path) -> LaunchOptions {
    LaunchOptions { profile: Profile::Persistent(kept.to_owned()), ..LaunchOptions::default() }
}

/// Not a test by itself: the process that `an_owner` starts runs this one and is killed in it.
#[tokio::test]
async fn owner_that_will_be_killed() {
    let Some(place) = std::env::var_os(OWNER_PLACE) else { return };
    let kept = std::env::var_os(OWNER_PROFILE);
    let options = kept.map_or_else(LaunchOptions::default, |kept| with_profile(Path::new(&kept)));
    let mut launched = start_at(Path::new(&place), &options).await;
    answers(&mut launched).await;
    let ready = Path::new(&place).join("ready");
    fs::write(&ready, launched.running.profile().to_str().unwrap()).unwrap();
    launched.running.exited().await;
}

/// Another process that owns a running browser, and that browser's profile.
fn an_owner(place: &Path, kept: Option<&Path>) -> (std::process::Child, PathBuf) {
    let owner = Command::new(std::env::current_exe().unwrap())
        .envs(kept.map(|kept| (OWNER_PROFILE, kept)))
        .args(["--exact", "launch::tests::orphans::owner_that_will_be_killed", "--nocapture"])
        .env(OWNER_PLACE, place)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut profile = String::new();
    eventually(PATIENCE, "the owner's browser answers", || {
        profile = fs::read_to_string(place.join("ready")).unwrap_or_default();
        !profile.is_empty()
    });
    (owner, profile.into())
}

/// Not a test by itself: the process that the next one starts runs this one and fails in it.
#[tokio::test]
async fn owner_that_panics() {
    let Some(place) = std::env::var_os(PANICS_AT) else { return };
    let mut launched = start_at(Path::new(&place), &LaunchOptions::default()).await;
    answers(&mut launched).await;
    let task = tokio::spawn(async move {
        let pid = launched.running.pid();
        assert_eq!(pid, 0, "it runs as {pid}");
    });
    let failed = task.await.expect_err("it is not 0");
    assert!(failed.is_panic());
    // Whoever owned the browser is gone, and the process goes on.
    assert_eq!(folders_in(Path::new(&place)), Vec::<PathBuf>::new());
    fs::write(Path::new(&place).join("outlived"), "").unwrap();
    panic!("the whole process");
}

#[tokio::test]
async fn a_panic_in_a_worker_leaves_neither_a_browser_nor_its_profile() {
    let place = place();
    let owner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "launch::tests::orphans::owner_that_panics", "--nocapture"])
        .env(PANICS_AT, place.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&owner.stderr).into_owned();
    assert!(!owner.status.success() && place.path().join("outlived").exists(), "{said}");
    assert_eq!(legwork_testkit::processes_naming(place.path().to_str().unwrap()), Vec::<u32>::new());
    assert_eq!(folders_in(place.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn what_a_killed_owner_leaves_is_gone_after_the_next_start() {
    let place = place();
    let (mut owner, profile) = an_owner(place.path(), None);
    assert!(!users_of(&profile).is_empty());
    owner.kill().unwrap();
    owner.wait().unwrap();
    eventually(Duration::from_secs(5), "the orphaned browser ends", || users_of(&profile).is_empty());
    assert!(profile.is_dir(), "its folder stays until someone sweeps");

    let next = start_at(place.path(), &LaunchOptions::default()).await;
    assert!(!profile.exists());
    assert_eq!(folders_in(place.path()).len(), 1, "only the new one");
    drop(next);
    assert_eq!(folders_in(place.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn an_orphan_that_does_not_notice_is_killed_by_the_next_start() {
    let place = place();
    let (owner, profile) = an_owner(place.path(), None);
    leave_stopped(owner, profile.parent().unwrap());

    let mut next = start_at(place.path(), &LaunchOptions::default()).await;
    assert_eq!(users_of(&profile), Vec::<i32>::new());
    assert!(!profile.exists());
    answers(&mut next).await;
}

#[tokio::test]
async fn an_orphan_does_not_keep_a_persistent_profile_for_ever() {
    let place = place();
    let kept = place.path().join("kept");
    let (owner, profile) = an_owner(place.path(), Some(&kept));
    assert_eq!(profile, kept);
    let leader = leave_stopped(owner, &folders_in(place.path())[0]);

    let mut next = start_at(place.path(), &with_profile(&kept)).await;
    assert!(procfs::stat(leader).is_none_or(|stat| !stat.is_alive()));
    answers(&mut next).await;
}

/// Kills the owner so that its browser, which uses `folder`, does not notice, and gives the browser's process id.
fn leave_stopped(mut owner: std::process::Child, folder: &Path) -> i32 {
    // Whoever holds the other ends of its pipes keeps a browser alive after its owner's death; stopped, it would
    // not see their end either. (Stopping it before that death would not do: the system wakes stopped orphans.)
    let leads = |pid: &i32| {
        let line = procfs::command_line(*pid).unwrap_or_default();
        procfs::has(&line, b"--remote-debugging-pipe")
    };
    let leader = users::of(folder).into_iter().find(leads).expect("a leader");
    let commands = fs::OpenOptions::new().write(true).open(format!("/proc/{leader}/fd/3")).unwrap();
    let answered = fs::File::open(format!("/proc/{leader}/fd/4")).unwrap();
    owner.kill().unwrap();
    owner.wait().unwrap();
    kill_process(Pid::from_raw(leader).unwrap(), Signal::STOP).unwrap();
    drop((commands, answered));
    assert!(procfs::stat(leader).unwrap().is_alive());
    leader
}
