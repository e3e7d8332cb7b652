//! Who still uses a browser's temporary folder, and their end. Only Linux tells; elsewhere nobody is found.

use std::{
    os::unix::ffi::OsStrExt,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::{
    environment::CRASHES_VARIABLE,
    procfs,
    temporary::{crashes_in, profile_in},
};

/// How long an orphan whose profile is kept may take to write it out before it is killed.
const FAREWELL: Duration = Duration::from_secs(2);
const DYING: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The browser, its helpers and its crash handlers: these leave the browser's process group, so that a signal to the
/// group does not reach them.
///
/// Browser and crash handlers have our folder in their environment, which nobody else has, whatever they name on
/// their command lines. Helpers write their command line over their environment.
pub(super) fn of(folder: &Path) -> Vec<i32> {
    let variable = joined(CRASHES_VARIABLE, &crashes_in(folder));
    let flag = joined("--user-data-dir", &profile_in(folder));
    procfs::others()
        .filter(|pid| {
            procfs::has(&procfs::environment(*pid), &variable)
                || procfs::command_line(*pid).is_some_and(|line| procfs::is_helper(&line, &flag))
        })
        .filter(|pid| procfs::is_alive(*pid))
        .collect()
}

/// Kills them, waits until they are dead, and counts them.
pub(super) fn kill(folder: &Path) -> usize {
    let mut users = of(folder);
    if users.iter().any(|pid| keeps_profile(*pid, folder)) {
        // The owner may have died a moment ago, and its browser may be about to end in good order.
        wait_while(FAREWELL, || {
            users.iter().any(|pid| procfs::is_alive(*pid) && keeps_profile(*pid, folder))
        });
        users = of(folder);
    }
    for number in &users {
        let (Some(pid), Some(stat)) = (Pid::from_raw(*number), procfs::stat(*number)) else { continue };
        let killed = match stat.group == *number {
            true => kill_process_group(pid, Signal::KILL),
            false => kill_process(pid, Signal::KILL),
        };
        // It may have gone with its group a moment ago.
        if let Err(error) = killed {
            tracing::debug!(pid = number, %error, "not killed");
        }
    }
    // A dying process shows neither environment nor command line any more, but may still hold what it has.
    let any_lives = || users.iter().any(|pid| procfs::is_alive(*pid));
    wait_while(DYING, || !users.is_empty() && (any_lives() || !of(folder).is_empty()));
    users.len()
}

/// Whether this is a browser whose profile is not the temporary one.
fn keeps_profile(pid: i32, folder: &Path) -> bool {
    let line = procfs::command_line(pid).unwrap_or_default();
    let flag = joined("--user-data-dir", &profile_in(folder));
    procfs::has(&line, b"--remote-debugging-pipe") && !procfs::has(&line, &flag)
}

fn wait_while(limit: Duration, goes_on: impl Fn() -> bool) {
    let deadline = Instant::now() + limit;
    while goes_on() && Instant::now() < deadline {
        thread::sleep(LOOK_EVERY);
    }
}

fn joined(name: &str, path: &Path) -> Vec<u8> {
    [name.as_bytes(), b"=", path.as_os_str().as_bytes()].concat()
}
