//! What Linux tells about processes in /proc. Elsewhere the list is empty and callers do without.

use std::{fs, os::unix::fs::MetadataExt};

/// The fields of /proc/PID/stat that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) state: u8,
    pub(super) group: i32,
}

impl Stat {
    /// A zombie holds nothing and does nothing; it only waits to be counted.
    pub(super) fn is_alive(self) -> bool {
        !matches!(self.state, b'Z' | b'X')
    }
}

/// Reads `PID (NAME) STATE PARENT GROUP …`; the name may itself hold blanks and brackets.
pub(super) fn parse_stat(text: &str) -> Option<Stat> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = *fields.next()?.as_bytes().first()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some(Stat { state, group })
}

/// The state of one process, or nothing when there is no such process (or no /proc).
pub(super) fn stat(pid: i32) -> Option<Stat> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Whether a process lives.
pub(super) fn is_alive(pid: i32) -> bool {
    stat(pid).is_some_and(Stat::is_alive)
}

/// Whether any living process belongs to the group.
pub(super) fn group_has_living(group: i32) -> bool {
    pids().any(|pid| stat(pid).is_some_and(|stat| stat.group == group && stat.is_alive()))
}

/// Processes of this user, other than ourselves.
pub(super) fn others() -> impl Iterator<Item = i32> {
    let us = rustix::process::geteuid().as_raw();
    let ourselves = rustix::process::getpid().as_raw_nonzero().get();
    pids()
        .filter(move |pid| *pid != ourselves)
        .filter(move |pid| fs::metadata(format!("/proc/{pid}")).is_ok_and(|meta| meta.uid() == us))
}

/// The command line of a process, each argument closed by NUL; nothing where it can't be read.
pub(super) fn command_line(pid: i32) -> Option<Vec<u8>> {
    fs::read(format!("/proc/{pid}/cmdline")).ok()
}

/// The environment that a process was started with, each variable closed by NUL. Empty where it can't be read.
pub(super) fn environment(pid: i32) -> Vec<u8> {
    fs::read(format!("/proc/{pid}/environ")).unwrap_or_default()
}

/// Whether a list whose parts are closed by NUL has this part, whole.
pub(super) fn has(list: &[u8], part: &[u8]) -> bool {
    list.split(|byte| *byte == 0).any(|one| one == part)
}

/// Whether this is the command line of a helper of a browser with this flag. Chromium's helpers write theirs anew, as
/// one argument that begins with the program's whole path; what a person types has several, or another beginning.
pub(super) fn is_helper(command_line: &[u8], flag: &[u8]) -> bool {
    let line = command_line.trim_ascii_end();
    let line = line.strip_suffix(&[0]).unwrap_or(line);
    let mut words = line.split(|byte| *byte == b' ');
    let begins = words.next().is_some_and(|program| program.starts_with(b"/"));
    let is_one = begins && !line.contains(&0) && words.any(|word| word.starts_with(b"--type="));
    // A path may hold blanks, so the flag is looked for in the whole line.
    let spaced = [b" ", flag].concat();
    is_one
        && line
            .windows(spaced.len())
            .enumerate()
            .any(|(at, window)| window == spaced && matches!(line.get(at + spaced.len()), None | Some(b' ')))
}

fn pids() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").ok().into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_brackets_do_not_confuse_the_fields() {
        let stat = parse_stat("12 (a) b (c)) S 1 77 3 0 -1").unwrap();
        assert_eq!(stat, Stat { state: b'S', group: 77 });
        assert!(stat.is_alive());
        assert!(!parse_stat("12 (x) Z 1 77 3").unwrap().is_alive());
        assert_eq!(parse_stat("12 (x"), None);
        assert_eq!(parse_stat("12 (x) S 1"), None);
    }

    #[test]
    fn helpers_are_told_apart_from_others_that_name_the_folder() {
        let flag = b"--user-data-dir=/t/p-1/pro file";
        for (line, helps) in [
            (&b"/usr/lib/chromium --type=zygote --user-data-dir=/t/p-1/pro file --x\0"[..], true),
            (b"/usr/lib/chromium --type=gpu-process --user-data-dir=/t/p-1/pro file", true),
            (b"/usr/lib/chromium --type=zygote --user-data-dir=/t/p-1/pro file2\0", false),
            (b"/usr/lib/chromium --user-data-dir=/t/p-1/pro file\0", false),
            (b"/bin/sh\0-c\0/x --type=y --user-data-dir=/t/p-1/pro file\0", false),
            (b"grep --type=zygote --user-data-dir=/t/p-1/pro file\0", false),
            (b"/bin/grep\0--type=zygote\0--user-data-dir=/t/p-1/pro file\0", false),
            (b"", false),
        ] {
            assert_eq!(is_helper(line, flag), helps, "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn a_part_counts_only_as_a_whole() {
        assert!(has(b"A=1\0B=2\0", b"B=2") && has(b"A=1", b"A=1"));
        assert!(!has(b"A=12\0", b"A=1") && !has(b"XA=1\0", b"A=1") && !has(b"", b"A=1"));
    }
}
