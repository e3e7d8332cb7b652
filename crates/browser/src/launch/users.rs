//! Who still uses a browser's temporary folder, and their end. Only Linux tells; elsewhere nobody is found.

use std::{
    ffi::OsString,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::{
    procfs,
    temporary::{crashes_in, profile_in},
};

const DYING: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The browser with its children, and its crash handlers: these leave the browser's process group, so that a
/// signal to the group does not reach them.
pub(super) fn of(folder: &Path) -> Vec<i32> {
    procfs::holders_of(&[
        flag("--user-data-dir=", &profile_in(folder)),
        flag("--database=", &crashes_in(folder)),
    ])
}

/// Kills them, waits until they are dead, and counts them.
pub(super) fn kill(folder: &Path) -> usize {
    let users = of(folder);
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
    let deadline = Instant::now() + DYING;
    while !users.is_empty() && !of(folder).is_empty() && Instant::now() < deadline {
        thread::sleep(LOOK_EVERY);
    }
    users.len()
}

fn flag(name: &str, path: &Path) -> OsString {
    let mut flag = OsString::from(name);
    flag.push(path);
    flag
}
