//! Temporary folders of our own: one per browser, marked as alive by a lock, below a base that only we may enter.

use std::{
    collections::hash_map::RandomState,
    fs::{self, DirBuilder, Permissions},
    hash::{BuildHasher, Hasher},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::{error::LaunchError, lock::FolderLock, programs, users};

/// The environment variable that moves the temporary folders elsewhere.
const PLACE_VARIABLE: &str = "LEGWORK_TMPDIR";
/// How the name of each browser's folder begins.
pub(super) const PREFIX: &str = "p-";
/// How long the lock of the base is waited for in one go: it is held only for moments.
const BRIEFLY: Duration = Duration::from_millis(200);
const REMOVAL_ATTEMPTS: u32 = 20;
const REMOVAL_PAUSE: Duration = Duration::from_millis(25);

/// The system's temporary folder, or the one that `LEGWORK_TMPDIR` names.
pub(crate) fn usual_place() -> PathBuf {
    let named = std::env::var_os(PLACE_VARIABLE).filter(|value| !value.is_empty());
    named.map(PathBuf::from).unwrap_or_else(std::env::temp_dir)
}

/// The folder that holds all temporary folders of this user.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    path: PathBuf,
}

impl Base {
    /// Makes `<place>/legwork-<uid>` or checks the one that is there. In a place where everyone may write,
    /// someone else may have put a link or a folder of theirs under that name.
    pub(crate) fn open(place: &Path) -> Result<Self, LaunchError> {
        Self::open_as(place, rustix::process::geteuid().as_raw())
    }

    fn open_as(place: &Path, us: u32) -> Result<Self, LaunchError> {
        let path = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
        let path = path.join(format!("legwork-{us}"));
        let refuse = |reason: String| Err(LaunchError::TemporaryUnusable { path: path.clone(), reason });
        match DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return refuse(error.to_string()),
            _ => {}
        }
        let meta = match path.symlink_metadata() {
            Ok(meta) => meta,
            Err(error) => return refuse(error.to_string()),
        };
        if !meta.is_dir() {
            return refuse("it is not a folder of its own but a link or a file".into());
        }
        if meta.uid() != us {
            return refuse(format!("it belongs to user {}", meta.uid()));
        }
        if meta.mode() & 0o077 != 0
            && let Err(error) = fs::set_permissions(&path, Permissions::from_mode(0o700))
        {
            return refuse(format!("others may enter it: {error}"));
        }
        Ok(Self { path })
    }

    /// The folder itself.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the lock under which folders are made and leftovers are claimed, so that a half-made folder never
    /// looks like a leftover. Nothing when another process keeps it.
    pub(super) fn lock(&self) -> io::Result<Option<FolderLock>> {
        FolderLock::take_until(&self.path, Instant::now() + BRIEFLY)
    }
}

/// One browser's temporary folder. It is removed when this is dropped, and by the next sweep if we die before.
#[derive(Debug)]
pub(crate) struct TemporaryFolder {
    path: PathBuf,
    _lock: FolderLock,
}

impl TemporaryFolder {
    /// Makes a new one, unless another process keeps the base locked.
    pub(crate) fn make(base: &Base) -> Result<Self, LaunchError> {
        match Self::try_make(base) {
            Ok(Some(folder)) => Ok(folder),
            Ok(None) => Err(LaunchError::TemporaryBusy { path: base.path().to_owned() }),
            Err(error) => Err(LaunchError::TemporaryUnusable {
                path: base.path().to_owned(),
                reason: error.to_string(),
            }),
        }
    }

    fn try_make(base: &Base) -> io::Result<Option<Self>> {
        let Some(_making) = base.lock()? else { return Ok(None) };
        let mut folders = DirBuilder::new();
        folders.mode(0o700);
        let path = loop {
            let path = base.path().join(format!("{PREFIX}{:08x}", random()));
            match folders.create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => break made.map(|()| path)?,
            }
        };
        let lock = match FolderLock::try_take(&path)? {
            Some(lock) => lock,
            None => return Err(io::Error::other("a new folder is locked already")),
        };
        let folder = Self { path, _lock: lock };
        for part in [folder.profile(), folder.downloads(), folder.scratch(), folder.programs()] {
            folders.create(part)?;
        }
        programs::put_into(&folder.programs())?;
        Ok(Some(folder))
    }

    /// The profile inside.
    pub(crate) fn profile(&self) -> PathBuf {
        profile_in(&self.path)
    }

    /// Where downloads go.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.path.join("downloads")
    }

    /// Programs that come before all others of their names in the browser's path.
    pub(crate) fn programs(&self) -> PathBuf {
        self.path.join("programs")
    }

    /// Where crash reports go.
    pub(crate) fn crashes(&self) -> PathBuf {
        crashes_in(&self.path)
    }

    /// The browser's own temporary files. The name is short because a socket's whole path must be.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.path.join("t")
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // The browser is gone by now; what follows it a moment later must not write into a folder half removed.
        users::kill(&self.path);
        if let Err(error) = remove(&self.path) {
            tracing::warn!(folder = %self.path.display(), %error, "left for the next start to remove");
        }
    }
}

/// Where the profile stands inside one browser's folder.
pub(super) fn profile_in(folder: &Path) -> PathBuf {
    folder.join("profile")
}

/// Where crash reports go inside one browser's folder.
pub(super) fn crashes_in(folder: &Path) -> PathBuf {
    folder.join("t").join("crashes")
}

/// Removes a folder whose lock we hold. Dying processes may still write, so it tries a few times.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    let mut attempt = 0;
    loop {
        attempt += 1;
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => return Ok(()),
            Err(_) if attempt < REMOVAL_ATTEMPTS => thread::sleep(REMOVAL_PAUSE),
            result => return result,
        }
    }
}

/// Good enough for a name: it need not be secret, only new.
fn random() -> u32 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    let [a, b, c, d, ..] = hasher.finish().to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().mode() & 0o777
    }

    #[test]
    fn a_folder_is_private_and_goes_with_its_owner() {
        let place = tempfile::tempdir().unwrap();
        let base = Base::open(place.path()).unwrap();
        let folder = TemporaryFolder::make(&base).unwrap();
        for path in [
            base.path(),
            &folder.path,
            &folder.profile(),
            &folder.downloads(),
            &folder.scratch(),
            &folder.programs(),
        ] {
            assert_eq!(mode(path), 0o700, "{}", path.display());
        }
        assert!(FolderLock::try_take(&folder.path).unwrap().is_none(), "the lock is held");
        let path = folder.path.clone();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_link_or_file_in_place_of_the_base_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let name = place.path().join(format!("legwork-{}", rustix::process::geteuid().as_raw()));
        symlink(elsewhere.path(), &name).unwrap();
        assert!(matches!(Base::open(place.path()), Err(LaunchError::TemporaryUnusable { .. })));
        fs::remove_file(&name).unwrap();
        fs::write(&name, "").unwrap();
        assert!(matches!(Base::open(place.path()), Err(LaunchError::TemporaryUnusable { .. })));
    }

    #[test]
    fn a_base_of_someone_else_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let us = rustix::process::geteuid().as_raw();
        // To another user the folder that we make is someone else's.
        match Base::open_as(place.path(), us + 1) {
            Err(LaunchError::TemporaryUnusable { reason, .. }) => {
                assert_eq!(reason, format!("it belongs to user {us}"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_open_base_of_ours_is_closed() {
        let place = tempfile::tempdir().unwrap();
        let base = Base::open(place.path()).unwrap();
        fs::set_permissions(base.path(), Permissions::from_mode(0o777)).unwrap();
        Base::open(place.path()).unwrap();
        assert_eq!(mode(base.path()), 0o700);
    }
}
