//! What the system says about processes, read from `/proc` (so: empty or zero on systems without it).

use std::{collections::HashMap, fs, path::Path, process};

/// How many processes descend from one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProcessCounts {
    /// Descendants that run.
    pub live: usize,
    /// Descendants that have ended and were not reaped.
    pub zombies: usize,
}

/// The ids of all processes whose command line names `fragment` anywhere, sorted: for a folder of one test's own, everything
/// that still works in it, crash handlers and orphans included. Not this process.
pub fn processes_naming(fragment: &str) -> Vec<u32> {
    assert!(!fragment.is_empty(), "an empty fragment would match every process on the machine");
    let names = |pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(fragment)
    };
    let mut found: Vec<u32> = all_processes().filter(|pid| *pid != process::id()).filter(names).collect();
    found.sort_unstable();
    found
}

/// The ids of all browser processes whose `--user-data-dir` contains `fragment`, sorted.
///
/// Zombies have no command line and are not listed; see [`process_counts`]. A crash handler names no profile and
/// is not listed either: it ends by itself once the browser that it watches has gone ([`crate::end_browser`] waits).
pub fn chromium_processes(fragment: &str) -> Vec<u32> {
    assert!(!fragment.is_empty(), "an empty fragment would match every browser on the machine");
    let mut found: Vec<u32> =
        all_processes().filter(|pid| names(*pid, &["user-data-dir="], fragment)).collect();
    found.sort_unstable();
    found
}

/// Whether a browser, a helper or a crash handler of one has its files below `folder`.
pub(crate) fn uses_folder(folder: &Path) -> bool {
    let folder = folder.display().to_string();
    all_processes().any(|pid| names(pid, &["user-data-dir=", "database="], &folder))
}

fn names(pid: u32, switches: &[&str], fragment: &str) -> bool {
    if pid == process::id() {
        return false;
    }
    let cmdline = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    // Main processes separate arguments by NUL; Chromium's helpers rewrite theirs as one line with spaces.
    let cmdline = String::from_utf8_lossy(&cmdline).replace('\0', " ");
    cmdline.split(" --").any(|switch| {
        let directory = switches.iter().find_map(|name| switch.strip_prefix(name));
        directory.is_some_and(|directory| directory.contains(fragment))
    })
}

/// Counts the descendants of `pid`: its children, their children, and so on. Not `pid` itself.
pub fn process_counts(pid: u32) -> ProcessCounts {
    let mut children: HashMap<u32, Vec<(u32, char)>> = HashMap::new();
    for child in all_processes() {
        if let Some((parent, state)) = parent_and_state(child) {
            children.entry(parent).or_default().push((child, state));
        }
    }
    let mut counts = ProcessCounts::default();
    let mut waiting = vec![pid];
    while let Some(parent) = waiting.pop() {
        for (child, state) in children.remove(&parent).unwrap_or_default() {
            if matches!(state, 'Z' | 'X') {
                counts.zombies += 1;
            } else {
                counts.live += 1;
            }
            waiting.push(child);
        }
    }
    counts
}

/// How many file descriptors `pid` holds; 0 when it has gone.
pub fn fd_count(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}

/// How much memory of `pid` is resident, in KiB; 0 when it has gone.
pub fn rss_kb(pid: u32) -> u64 {
    let resident = status(pid, "VmRSS:").and_then(|value| value.strip_suffix("kB")?.trim().parse().ok());
    resident.unwrap_or(0)
}

/// How many threads `pid` has; 0 when it has gone.
pub fn thread_count(pid: u32) -> usize {
    status(pid, "Threads:").and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// What the system says of a process under this name.
fn status(pid: u32, name: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned())
}

fn all_processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn parent_and_state(pid: u32) -> Option<(u32, char)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The command name is in brackets and may itself hold brackets and spaces.
    let mut fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((fields.next()?.parse().ok()?, state))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        process::{Command, Stdio},
        time::Duration,
    };

    use super::*;
    use crate::wait_until;

    const LIMIT: Duration = Duration::from_secs(10);

    #[test]
    fn sees_a_process_by_its_profile_and_its_death() {
        let fragment = format!("legwork-fragment-{}", process::id());
        let directory = format!("--user-data-dir=/tmp/{fragment}/profile");
        let mut shell = Command::new("sh");
        shell.args(["-c", "read line", "sh", &directory]).stdin(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        wait_until(LIMIT, "the process is listed", || chromium_processes(&fragment) == [child.id()]);
        assert!(chromium_processes("legwork-fragment-of-nobody").is_empty());

        child.kill().unwrap();
        wait_until(LIMIT, "the killed process is not listed", || chromium_processes(&fragment).is_empty());
        child.wait().unwrap();
    }

    #[test]
    fn counts_descendants_and_zombies() {
        // A shell whose `true` has ended unreaped (exec leaves no shell to reap it) and whose heir runs on.
        let mut child = Command::new("sh").args(["-c", "true & exec sleep 60"]).spawn().unwrap();
        let wanted = ProcessCounts { live: 0, zombies: 1 };
        wait_until(LIMIT, "one zombie under the child", || process_counts(child.id()) == wanted);
        assert!(process_counts(process::id()).live >= 1);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(process_counts(child.id()), ProcessCounts::default());
    }

    #[test]
    fn reads_descriptors_memory_and_threads() {
        let own = process::id();
        let (end, wait) = std::sync::mpsc::channel::<()>();
        let before = thread_count(own);
        let another = std::thread::spawn(move || wait.recv());
        // The others belong to other tests, which come and go; in a process of its own a test has two.
        assert!(before >= 1 && thread_count(own) >= 2);
        drop(end);
        another.join().unwrap().unwrap_err();
        assert!(fd_count(own) >= 3);
        assert!(rss_kb(own) > 100);
        assert_eq!((fd_count(u32::MAX), rss_kb(u32::MAX), thread_count(u32::MAX)), (0, 0, 0));
    }
}
