//! A profile folder that the user keeps: made if missing, and never shared with another living browser.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Access, access},
    io::Errno,
};

use super::{
    error::{Holder, LaunchError},
    lock::FolderLock,
    preferences,
    singleton::{self, Held},
};

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
        let held = singleton::look(&path).map_err(|error| unusable(&error))?;
        let settle = || preferences::settle(&path).map_err(|error| unusable(&error));
        let holder = match (ours, held) {
            (Ours::Taken(lock), Held::No) => {
                settle()?;
                return Ok(Self { path, _lock: lock });
            }
            (Ours::Taken(lock), Held::Stale) => {
                // Chromium would take the process that has the number now for its own kind, and might end it.
                singleton::remove(&path).map_err(|error| unusable(&error))?;
                settle()?;
                return Ok(Self { path, _lock: lock });
            }
            (_, Held::By(pid)) => Holder::Process(pid),
            (_, Held::Elsewhere) => Holder::Elsewhere { lock: singleton::lock_in(&path) },
            (Ours::Refused, Held::No | Held::Stale) => Holder::Legwork,
        };
        Err(LaunchError::ProfileLocked { path, holder })
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

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
            Err(LaunchError::ProfileLocked { holder: Holder::Legwork, .. })
        ));
        drop(first);
        PersistentProfile::take(place.path()).unwrap();
    }

    #[test]
    fn nothing_that_is_deleted_from_the_profile_lets_a_second_one_in() {
        let place = tempfile::tempdir().unwrap();
        let _first = PersistentProfile::take(place.path()).unwrap();
        for entry in fs::read_dir(place.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
        assert!(matches!(PersistentProfile::take(place.path()), Err(LaunchError::ProfileLocked { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_lock_of_a_number_that_was_given_away_again_goes() {
        let place = tempfile::tempdir().unwrap();
        let host = rustix::system::uname().nodename().to_str().unwrap().to_owned();
        let lock = singleton::lock_in(place.path());
        std::os::unix::fs::symlink(format!("{host}-{}", std::process::id()), &lock).unwrap();
        PersistentProfile::take(place.path()).unwrap();
        assert!(lock.symlink_metadata().is_err());
    }

    #[test]
    fn a_lock_of_another_host_is_named() {
        let place = tempfile::tempdir().unwrap();
        let lock = singleton::lock_in(place.path());
        std::os::unix::fs::symlink("other.test-1", &lock).unwrap();
        match PersistentProfile::take(place.path()) {
            Err(LaunchError::ProfileLocked { holder, .. }) => assert_eq!(holder, Holder::Elsewhere { lock }),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_file_is_not_a_profile() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for path in [file.path().to_owned(), file.path().join("below")] {
            assert!(matches!(PersistentProfile::take(&path), Err(LaunchError::ProfileUnusable { .. })));
        }
    }
}
