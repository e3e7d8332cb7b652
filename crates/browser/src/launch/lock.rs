//! A lock on a folder itself: it says that a living process uses the folder.

use std::{
    fs::{File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rustix::fs::{Mode, OFlags, open};

const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A folder that nobody else can lock for as long as this lives.
///
/// The folder itself is locked and not a file in it: whoever clears old files out of the temporary folder would
/// delete such a file, and the next to look would lock a new one under the same name.
#[derive(Debug)]
pub(super) struct FolderLock {
    folder: File,
}

impl FolderLock {
    /// Takes the lock; nothing when someone else holds it. A link is not followed.
    pub(super) fn try_take(path: &Path) -> io::Result<Option<Self>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = File::from(open(path, flags, Mode::empty())?);
        match folder.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let lock = Self { folder };
        // Removed and made anew between opening and locking, the name stands for another folder by now.
        let (locked, named) = (lock.folder.metadata()?, path.symlink_metadata()?);
        match (locked.dev(), locked.ino()) == (named.dev(), named.ino()) {
            true => Ok(Some(lock)),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Takes the lock, waiting for another holder until `deadline`; nothing when it still holds it then.
    pub(super) fn take_until(path: &Path, deadline: Instant) -> io::Result<Option<Self>> {
        loop {
            match Self::try_take(path)? {
                None if Instant::now() < deadline => thread::sleep(LOOK_EVERY),
                taken => return Ok(taken),
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Closing would not do: a child that another thread is just starting holds a duplicate until it runs its
        // program, and the lock with it.
        if let Err(error) = self.folder.unlock() {
            tracing::debug!(%error, "a lock ends only with its last descriptor");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn one_at_a_time_whatever_is_deleted_inside() {
        let folder = tempfile::tempdir().unwrap();
        let held = FolderLock::try_take(folder.path()).unwrap().expect("nobody holds it");
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        assert!(FolderLock::try_take(folder.path()).unwrap().is_none());
        drop(held);
        assert!(FolderLock::try_take(folder.path()).unwrap().is_some());
    }

    #[test]
    fn a_duplicate_of_the_descriptor_does_not_keep_it() {
        let folder = tempfile::tempdir().unwrap();
        let held = FolderLock::try_take(folder.path()).unwrap().unwrap();
        let _of_a_child = held.folder.try_clone().unwrap();
        drop(held);
        assert!(FolderLock::try_take(folder.path()).unwrap().is_some());
    }

    #[test]
    fn waiting_for_a_holder_ends() {
        let folder = tempfile::tempdir().unwrap();
        let _held = FolderLock::try_take(folder.path()).unwrap().unwrap();
        let deadline = Instant::now() + Duration::from_millis(50);
        assert!(FolderLock::take_until(folder.path(), deadline).unwrap().is_none());
        assert!(Instant::now() >= deadline);
    }

    #[test]
    fn links_and_files_are_no_folders() {
        let place = tempfile::tempdir().unwrap();
        let (link, file) = (place.path().join("link"), place.path().join("file"));
        symlink(place.path(), &link).unwrap();
        std::fs::write(&file, "").unwrap();
        assert!(FolderLock::try_take(&link).is_err() && FolderLock::try_take(&file).is_err());
    }
}
