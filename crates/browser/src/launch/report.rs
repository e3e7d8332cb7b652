//! What a look at the folders of browsers tells, without starting one: for a person who asks what is wrong.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rustix::fs::{Access, access};

use super::{
    error::LaunchError,
    lock::FolderLock,
    persistent::PersistentProfile,
    temporary::{Base, PREFIX, usual_place},
};

/// The place of temporary profiles and what lies in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemporaryReport {
    /// The folder.
    pub path: PathBuf,
    /// Folders of living runs.
    pub in_use: usize,
    /// Folders of runs that were killed; the next start removes them.
    pub leftovers: usize,
}

/// Looks at the place of temporary profiles, making it where it is missing.
pub fn temporary_report() -> Result<TemporaryReport, LaunchError> {
    report_in(&usual_place())
}

fn report_in(place: &Path) -> Result<TemporaryReport, LaunchError> {
    let base = Base::open(place)?;
    let unusable = |error: std::io::Error| LaunchError::TemporaryUnusable {
        path: base.path().to_owned(),
        reason: error.to_string(),
    };
    access(base.path(), Access::WRITE_OK | Access::EXEC_OK).map_err(|error| unusable(error.into()))?;
    let Some(_looking) = base.lock().map_err(unusable)? else {
        return Err(LaunchError::TemporaryBusy { path: base.path().to_owned() });
    };
    let mut report = TemporaryReport { path: base.path().to_owned(), in_use: 0, leftovers: 0 };
    for entry in fs::read_dir(base.path()).map_err(unusable)?.flatten() {
        let ours = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        if ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            match FolderLock::try_take(&entry.path()) {
                Ok(Some(_)) => report.leftovers += 1,
                Ok(None) | Err(_) => report.in_use += 1,
            }
        }
    }
    Ok(report)
}

/// Whether a persistent profile could be used now. One that does not exist yet is not made.
pub fn profile_report(path: &Path) -> Result<(), LaunchError> {
    match path.try_exists() {
        Ok(true) => PersistentProfile::take(path).map(drop),
        Ok(false) => Ok(()),
        Err(error) => Err(LaunchError::ProfileUnusable { path: path.to_owned(), reason: error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::temporary::TemporaryFolder;

    #[test]
    fn the_living_and_the_left_behind_are_told_apart() {
        let place = tempfile::tempdir().unwrap();
        let base = Base::open(place.path()).unwrap();
        let _living = TemporaryFolder::make(&base).unwrap();
        fs::create_dir(base.path().join("p-dead")).unwrap();
        let report = report_in(place.path()).unwrap();
        assert_eq!((report.in_use, report.leftovers), (1, 1));
        assert_eq!(report.path, base.path());
    }

    #[test]
    fn a_missing_profile_is_not_made_and_a_file_is_no_profile() {
        let place = tempfile::tempdir().unwrap();
        let missing = place.path().join("missing");
        profile_report(&missing).unwrap();
        assert!(!missing.exists());
        fs::write(&missing, "").unwrap();
        for path in [&missing, &missing.join("below")] {
            assert!(matches!(profile_report(path), Err(LaunchError::ProfileUnusable { .. })), "{path:?}");
        }
    }

    #[test]
    fn a_profile_in_use_is_reported() {
        let place = tempfile::tempdir().unwrap();
        let _held = PersistentProfile::take(place.path()).unwrap();
        assert!(matches!(profile_report(place.path()), Err(LaunchError::ProfileLocked { .. })));
    }
}
