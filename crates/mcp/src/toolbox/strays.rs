//! What a toolbox has started and nobody waits for: found by a mark in its environment, because a browser leaves the process
//! group. Only Linux tells; elsewhere there is nothing to find and the group has to do.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, geteuid, getpid};
#[cfg(target_os = "linux")]
use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};

/// The variable that holds the mark.
pub(super) const MARK: &str = "LEGWORK_TOOLBOX";

/// How often what is to end by itself is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The mark of one start: whoever has started it, and a word for this start alone.
pub(super) fn mark_of(owner: &str, start: &str) -> String {
    format!("{owner}.{start}")
}

/// Ends what is left of the toolboxes of an owner who was killed: browsers leave the group of their server, and one that hangs does not see
/// that its server is gone. What ends by itself within `grace` writes its profile first. After `patience` nobody waits any more.
pub fn end_toolboxes_of(owner: &str, grace: Duration, patience: Duration) {
    let begun = Instant::now();
    while !owner.is_empty() && any(owner) && begun.elapsed() < patience {
        if begun.elapsed() >= grace {
            signal(owner, Signal::KILL);
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Whether something with this mark lives.
pub(super) fn any(mark: &str) -> bool {
    marked(mark).next().is_some()
}

/// Whether a member of the group lives. The dead that wait to be counted do not.
pub(super) fn group_lives(group: Pid) -> bool {
    let number = group.as_raw_nonzero().get();
    let stats =
        pids().filter_map(|pid| fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok());
    stats
        .filter_map(|stat| state_and_group(&stat))
        .any(|(state, group)| group == number && !matches!(state, b'Z' | b'X'))
}

/// Of `PID (NAME) STATE PARENT GROUP …`; the name may itself hold blanks and brackets.
fn state_and_group(stat: &str) -> Option<(u8, i32)> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    Some((*fields.next()?.as_bytes().first()?, fields.nth(1)?.parse().ok()?))
}

/// Sends a signal to everything with this mark. A number that was given to a stranger in the meantime is never hit.
pub(super) fn signal(mark: &str, signal: Signal) {
    for pid in marked(mark) {
        #[cfg(target_os = "linux")]
        if let Ok(process) = pidfd_open(pid, PidfdFlags::empty())
            // The number is held from here on; whose it is has to be seen once more.
            && has_mark(pid, mark)
        {
            // It may have ended by itself.
            let _ = pidfd_send_signal(&process, signal);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (pid, signal);
    }
}

fn marked(mark: &str) -> impl Iterator<Item = Pid> {
    pids().filter(move |pid| has_mark(*pid, mark))
}

/// Processes of this user, other than ourselves.
fn pids() -> impl Iterator<Item = Pid> {
    let us = geteuid().as_raw();
    let ourselves = getpid();
    let entries = fs::read_dir("/proc").ok().into_iter().flatten().flatten();
    entries
        .filter(move |entry| entry.metadata().is_ok_and(|meta| meta.uid() == us))
        .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
        .filter(move |pid| *pid != ourselves)
}

/// Whether it has this mark, or one that an owner of this name has given. The dead have no environment any more, so that nobody who
/// waits to be counted is found.
fn has_mark(pid: Pid, mark: &str) -> bool {
    let wanted = format!("{MARK}={mark}");
    let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    let marks = environment.split(|byte| *byte == 0).filter_map(|one| one.strip_prefix(wanted.as_bytes()));
    marks.into_iter().any(|rest| rest.is_empty() || rest.starts_with(b"."))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use legwork_testkit::wait_until;

    use super::*;

    #[test]
    fn names_with_brackets_do_not_confuse_the_fields() {
        assert_eq!(state_and_group("12 (a) b (c)) S 1 77 3 0 -1"), Some((b'S', 77)));
        assert_eq!(state_and_group("12 (x"), None);
        assert_eq!(state_and_group("12 (x) S 1"), None);
    }

    #[test]
    fn what_left_the_group_is_found_and_ended_and_nothing_else() {
        let mark = format!("stray-{}", std::process::id());
        let mut marked = Command::new("setsid").args(["sleep", "60"]).env(MARK, &mark).spawn().unwrap();
        let mut owned = Command::new("sleep").arg("60").env(MARK, mark_of(&mark, "1")).spawn().unwrap();
        let mut other = Command::new("sleep").arg("60").env(MARK, format!("{mark}0.1")).spawn().unwrap();
        wait_until(std::time::Duration::from_secs(5), "it is found", || any(&mark));
        assert!(any(&mark_of(&mark, "1")) && !any(&mark_of(&mark, "2")));
        end_toolboxes_of(&mark, Duration::ZERO, Duration::from_secs(5));
        marked.wait().unwrap();
        owned.wait().unwrap();
        assert!(!any(&mark));
        assert!(other.try_wait().unwrap().is_none(), "a stranger was hit");
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
