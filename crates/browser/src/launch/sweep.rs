//! Clears away what a killed Legwork left behind: folders whose owner is dead, and processes that still use them.

use std::{fs, io, path::PathBuf};

use super::{
    lock::FolderLock,
    temporary::{Base, PREFIX, remove},
    users,
};

/// What a sweep found and ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Swept {
    /// Folders removed.
    pub(crate) folders: usize,
    /// Processes killed.
    pub(crate) processes: usize,
}

/// Sweeps below the base, unless another process keeps it locked. Nothing here may keep a browser from starting, so failures are only
/// logged.
pub(crate) fn sweep(base: &Base) -> Option<Swept> {
    let leftovers = match claim_leftovers(base) {
        Ok(Some(leftovers)) => leftovers,
        Ok(None) => {
            tracing::debug!("leftovers are not looked for: another process keeps their place locked");
            return None;
        }
        Err(error) => {
            tracing::warn!(base = %base.path().display(), %error, "leftovers could not be looked for");
            return Some(Swept::default());
        }
    };
    let mut swept = Swept::default();
    for (folder, _lock) in leftovers {
        swept.processes += users::kill(&folder);
        match remove(&folder) {
            Ok(()) => swept.folders += 1,
            Err(error) => {
                tracing::warn!(folder = %folder.display(), %error, "a leftover could not be removed")
            }
        }
    }
    if swept != Swept::default() {
        tracing::info!(swept.folders, swept.processes, "leftovers of an earlier run were removed");
    }
    Some(swept)
}

/// Every folder whose lock could be taken. The base is locked only for this, not for the slow removal.
fn claim_leftovers(base: &Base) -> io::Result<Option<Vec<(PathBuf, FolderLock)>>> {
    let Some(_claiming) = base.lock()? else { return Ok(None) };
    let mut claimed = Vec::new();
    for entry in fs::read_dir(base.path())? {
        let Ok(entry) = entry else { continue };
        let ours = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        // A link is no folder here, so that nothing outside the base is ever followed.
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let folder = entry.path();
        match FolderLock::try_take(&folder) {
            Ok(Some(lock)) => claimed.push((folder, lock)),
            Ok(None) => {}
            // Another sweeper may be faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::debug!(folder = %folder.display(), %error, "passed over"),
        }
    }
    Ok(Some(claimed))
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::symlink, thread};

    use super::*;
    use crate::launch::temporary::TemporaryFolder;

    #[test]
    fn a_living_owner_keeps_its_folder() {
        let place = tempfile::tempdir().unwrap();
        let base = Base::open(place.path()).unwrap();
        let folder = TemporaryFolder::make(&base).unwrap();
        assert_eq!(sweep(&base), Some(Swept::default()));
        assert!(folder.profile().is_dir());
    }

    #[test]
    fn a_living_owner_keeps_its_folder_when_old_empty_files_are_cleared_away() {
        let place = tempfile::tempdir().unwrap();
        let base = Base::open(place.path()).unwrap();
        let folder = TemporaryFolder::make(&base).unwrap();
        for cleared in [base.path(), folder.profile().parent().unwrap()] {
            let files = fs::read_dir(cleared).unwrap().map(|entry| entry.unwrap().path());
            files.filter(|path| path.is_file()).for_each(|file| fs::remove_file(file).unwrap());
        }
        assert_eq!(sweep(&base), Some(Swept::default()));
        assert!(folder.profile().is_dir());
    }

    #[test]
    fn a_locked_base_is_passed_over() {
        let place = tempfile::tempdir().unwrap();
        let base = Base::open(place.path()).unwrap();
        fs::create_dir(base.path().join("p-dead")).unwrap();
        let held = base.lock().unwrap();
        assert_eq!(sweep(&base), None);
        drop(held);
        assert_eq!(sweep(&base).unwrap().folders, 1);
    }

    #[test]
    fn leftovers_go_half_made_ones_too_and_links_are_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("precious"), "x").unwrap();
        let base = Base::open(place.path()).unwrap();
        let (whole, bare) = (base.path().join("p-1"), base.path().join("p-2"));
        fs::create_dir_all(whole.join("profile/Default")).unwrap();
        symlink(outside.path(), whole.join("profile/way-out")).unwrap();
        fs::create_dir(&bare).unwrap();
        symlink(outside.path(), base.path().join("p-3")).unwrap();
        fs::create_dir(base.path().join("other")).unwrap();

        assert_eq!(sweep(&base), Some(Swept { folders: 2, processes: 0 }));
        assert!(!whole.exists() && !bare.exists());
        assert!(base.path().join("other").is_dir());
        assert!(outside.path().join("precious").is_file());
    }

    /// What the system tells about processes it tells on Linux only.
    #[cfg(target_os = "linux")]
    #[test]
    fn whoever_only_names_a_leftover_is_spared_and_whoever_uses_it_is_not() {
        use crate::launch::{environment::CRASHES_VARIABLE, temporary::crashes_in};
        use std::process::{Command, Stdio};
        let place = tempfile::tempdir().unwrap();
        let base = Base::open(place.path()).unwrap();
        let leftover = base.path().join("p-dead");
        fs::create_dir(&leftover).unwrap();
        let flag = format!("--user-data-dir={}/profile", leftover.display());
        let waiting = |line: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", line, "sh", &flag]).stdin(Stdio::piped());
            command
        };
        let mut names = waiting("read line").spawn().unwrap();
        let mut says = waiting(&format!("read line; : {flag}")).spawn().unwrap();
        let mut uses = waiting("read line").env(CRASHES_VARIABLE, crashes_in(&leftover)).spawn().unwrap();
        // Its environment is there to be read once it runs its own program.
        legwork_testkit::wait_until(std::time::Duration::from_secs(10), "it runs", || {
            users::of(&leftover) == [uses.id().cast_signed()]
        });

        assert_eq!(sweep(&base), Some(Swept { folders: 1, processes: 1 }));
        assert!(!uses.wait().unwrap().success());
        for other in [&mut names, &mut says] {
            assert_eq!(other.try_wait().unwrap(), None, "it lives");
            other.kill().unwrap();
            other.wait().unwrap();
        }
    }

    #[test]
    fn many_sweepers_and_makers_do_not_hurt_each_other() {
        let place = tempfile::tempdir().unwrap();
        let base = Base::open(place.path()).unwrap();
        for number in 0..20 {
            fs::create_dir_all(base.path().join(format!("p-old{number}/profile"))).unwrap();
        }
        let removed: usize = thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let mut removed = 0;
                        for _ in 0..10 {
                            let folder = TemporaryFolder::make(&base).unwrap();
                            removed += sweep(&base).unwrap_or_default().folders;
                            assert!(folder.profile().is_dir(), "a living folder was swept");
                        }
                        removed
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert!(removed >= 20, "{removed}");
        assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);
    }
}
