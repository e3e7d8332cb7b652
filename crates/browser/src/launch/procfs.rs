//! What Linux tells about processes in /proc. Elsewhere the list is empty and callers do without.

use std::{
    ffi::OsString,
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
};

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

/// Whether any living process belongs to the group.
pub(super) fn group_has_living(group: i32) -> bool {
    pids().any(|pid| stat(pid).is_some_and(|stat| stat.group == group && stat.is_alive()))
}

/// Living processes of this user, other than ourselves, whose command line holds one of these flags.
pub(super) fn holders_of(flags: &[OsString]) -> Vec<i32> {
    let us = rustix::process::geteuid().as_raw();
    let ourselves = rustix::process::getpid().as_raw_nonzero().get();
    let holds = |line: Vec<u8>| flags.iter().any(|flag| names(&line, flag.as_bytes()));
    pids()
        .filter(|pid| *pid != ourselves)
        .filter(|pid| fs::metadata(format!("/proc/{pid}")).is_ok_and(|meta| meta.uid() == us))
        .filter(|pid| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(&holds))
        .filter(|pid| stat(*pid).is_some_and(Stat::is_alive))
        .collect()
}

/// Chromium's children write their command line anew as one string with blanks, so a flag may be closed by NUL,
/// blank or the end of the line.
fn names(command_line: &[u8], flag: &[u8]) -> bool {
    command_line
        .windows(flag.len())
        .enumerate()
        .filter(|(_, window)| *window == flag)
        .any(|(at, _)| matches!(command_line.get(at + flag.len()), None | Some(0 | b' ')))
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
    fn a_flag_is_found_in_either_form_of_the_line() {
        let flag = b"--user-data-dir=/t/p-1/profile";
        for (line, named) in [
            (&b"chromium\0--user-data-dir=/t/p-1/profile\0--x\0"[..], true),
            (b"chromium --type=zygote --user-data-dir=/t/p-1/profile --x", true),
            (b"chromium\0--user-data-dir=/t/p-1/profile", true),
            (b"chromium\0--user-data-dir=/t/p-1/profile2\0", false),
            (b"chromium\0--user-data-dir=/t/p-1/profile2\0--user-data-dir=/t/p-1/profile\0", true),
            (b"ls\0/t/p-1/profile\0", false),
            (b"", false),
        ] {
            assert_eq!(names(line, flag), named, "{}", String::from_utf8_lossy(line));
        }
    }
}
