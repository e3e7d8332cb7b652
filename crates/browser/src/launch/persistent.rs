//! A profile folder that the user keeps: made if missing, and never shared with another living browser.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::{ffi::OsStrExt, fs::DirBuilderExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Access, access},
    io::Errno,
    process::{Pid, test_kill_process},
};

use super::{error::LaunchError, lock::FolderLock, procfs};

/// Chromium's own lock: a link whose target reads `hostname-pid`.
const CHROMIUM_LOCK: &str = "SingletonLock";

/// A persistent profile that is ours for as long as this lives.
#[derive(Debug)]
pub(super) struct PersistentProfile {
    path: PathBuf,
    /// Ours, for the time before Chromium has written its own.
    _lock: Option<FolderLock>,
}

impl PersistentProfile {
    /// Makes or opens the folder and takes it for us.
    pub(super) fn take(path: &Path) -> Result<Self, LaunchError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let unusable = |error: &dyn std::fmt::Display| LaunchError::ProfileUnusable {
            path: path.clone(),
            reason: error.to_string(),
        };
        DirBuilder::new().recursive(true).mode(0o700).create(&path).map_err(|error| unusable(&error))?;
        access(&path, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK)
            .map_err(|error| unusable(&error))?;
        let ours = our_lock(&path).map_err(|error| unusable(&error))?;
        let held = chromium_lock(&path).map_err(|error| unusable(&error))?;
        match (ours, held) {
            (Ours::Taken(lock), Held::No) => Ok(Self { path, _lock: lock }),
            (_, Held::By(pid)) => Err(LaunchError::ProfileLocked { path, holder: Some(pid) }),
            _ => Err(LaunchError::ProfileLocked { path, holder: None }),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

enum Ours {
    /// With the lock, where the file system has locks for folders.
    Taken(Option<FolderLock>),
    Refused,
}

fn our_lock(profile: &Path) -> io::Result<Ours> {
    // The last part of the path may be a link of the user's; what it leads to is what is used.
    match FolderLock::try_take(&fs::canonicalize(profile)?) {
        Ok(Some(lock)) => Ok(Ours::Taken(Some(lock))),
        Ok(None) => Ok(Ours::Refused),
        // NFS locks only what is open for writing, which no folder can be. Chromium's own lock has to do there.
        Err(error) if error.raw_os_error() == Some(Errno::BADF.raw_os_error()) => Ok(Ours::Taken(None)),
        Err(error) => Err(error),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Held {
    No,
    By(u32),
    Elsewhere,
}

fn chromium_lock(profile: &Path) -> io::Result<Held> {
    let target = match fs::read_link(profile.join(CHROMIUM_LOCK)) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Held::No),
        Err(error) => return Err(error),
    };
    let uname = rustix::system::uname();
    Ok(judge_lock(target.as_os_str().as_bytes(), uname.nodename().to_bytes(), &is_alive))
}

/// A lock of a dead process on this machine is no obstacle, Chromium takes it over; what can't be checked is one.
fn judge_lock(target: &[u8], this_host: &[u8], alive: &dyn Fn(u32) -> bool) -> Held {
    // The host's name may hold dashes itself.
    let parts = target.iter().rposition(|byte| *byte == b'-').map(|at| (&target[..at], &target[at + 1..]));
    let Some((host, pid)) = parts else { return Held::Elsewhere };
    let pid = std::str::from_utf8(pid).ok().and_then(|pid| pid.parse().ok());
    match pid {
        Some(pid) if host == this_host && alive(pid) => Held::By(pid),
        Some(_) if host == this_host => Held::No,
        _ => Held::Elsewhere,
    }
}

fn is_alive(pid: u32) -> bool {
    let Some(number) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    // A process of another user answers PERM: it lives.
    let exists = !matches!(test_kill_process(number), Err(Errno::SRCH));
    exists && procfs::stat(number.as_raw_nonzero().get()).is_none_or(procfs::Stat::is_alive)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn only_a_living_holder_or_another_machine_is_an_obstacle() {
        let alive = |pid: u32| pid == 7;
        for (target, held) in [
            ("my-host-7", Held::By(7)),
            ("my-host-8", Held::No),
            ("other-7", Held::Elsewhere),
            ("other-8", Held::Elsewhere),
            ("my-host", Held::Elsewhere),
            ("my-host-x", Held::Elsewhere),
            ("", Held::Elsewhere),
        ] {
            assert_eq!(judge_lock(target.as_bytes(), b"my-host", &alive), held, "{target}");
        }
    }

    #[test]
    fn a_missing_folder_is_made_private() {
        let place = tempfile::tempdir().unwrap();
        let profile = PersistentProfile::take(&place.path().join("a/b")).unwrap();
        assert_eq!(profile.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_second_legwork_is_refused_until_the_first_is_gone() {
        let place = tempfile::tempdir().unwrap();
        let first = PersistentProfile::take(place.path()).unwrap();
        assert!(matches!(
            PersistentProfile::take(place.path()),
            Err(LaunchError::ProfileLocked { holder: None, .. })
        ));
        drop(first);
        PersistentProfile::take(place.path()).unwrap();
    }

    #[test]
    fn nothing_that_is_deleted_from_the_profile_lets_a_second_one_in() {
        let place = tempfile::tempdir().unwrap();
        let _first = PersistentProfile::take(place.path()).unwrap();
        for entry in fs::read_dir(place.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        assert!(matches!(PersistentProfile::take(place.path()), Err(LaunchError::ProfileLocked { .. })));
    }

    #[test]
    fn a_living_browser_is_named_and_a_dead_one_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let lock = place.path().join(CHROMIUM_LOCK);
        let host = rustix::system::uname().nodename().to_str().unwrap().to_owned();
        let us = std::process::id();
        symlink(format!("{host}-{us}"), &lock).unwrap();
        match PersistentProfile::take(place.path()) {
            Err(LaunchError::ProfileLocked { holder, .. }) => assert_eq!(holder, Some(us)),
            other => panic!("{other:?}"),
        }
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        fs::remove_file(&lock).unwrap();
        symlink(format!("{host}-{}", child.id()), &lock).unwrap();
        PersistentProfile::take(place.path()).unwrap();
    }

    #[test]
    fn a_file_is_not_a_profile() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for path in [file.path().to_owned(), file.path().join("below")] {
            assert!(matches!(PersistentProfile::take(&path), Err(LaunchError::ProfileUnusable { .. })));
        }
    }
}
