//! The files that are kept beside the log, a folder for each task. A file is named after its content as well: what is kept under a name
//! that was used before stands beside the earlier one, which is there until the log says otherwise.

use std::{
    collections::HashSet,
    fs, io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use sha2::{Digest as _, Sha256};

use crate::{Blob, StoreError, TaskId, Tier};

/// The longest name of a file or of a task.
const LONGEST: usize = 80;
/// How much of what a file is by its content is in its name.
const OF_DIGEST: usize = 16;
/// A file that nobody knows of is left alone for so long: somebody may be about to tell of it.
const UNTOLD: Duration = Duration::from_secs(60 * 60);

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// How many files.
    pub files: u64,
    /// How many bytes.
    pub bytes: u64,
}

/// The folder.
#[derive(Debug, Clone)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// Writes a file, whole or not at all.
    pub(crate) fn keep(
        &self,
        task: &TaskId,
        name: &str,
        bytes: &[u8],
        tier: Tier,
    ) -> Result<Blob, StoreError> {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let blob = Blob { name: name.to_owned(), bytes: size, digest: digest(bytes), tier };
        let place = self.place(task, &blob)?;
        let failed = |error: io::Error| StoreError::of_file(&place, &error);
        if let Some(folder) = place.parent() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        }
        let new = place.with_file_name(format!("{}.new", file_of(&blob)));
        let written = write_new(&new, bytes).and_then(|()| fs::rename(&new, &place));
        if let Err(error) = written {
            // Half a picture is none.
            let _ = fs::remove_file(&new);
            return Err(failed(error));
        }
        Ok(blob)
    }

    /// What was kept, if it is still what was kept.
    pub(crate) fn read(&self, task: &TaskId, blob: &Blob) -> Result<Vec<u8>, StoreError> {
        let place = self.place(task, blob)?;
        let bytes = fs::read(&place).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::Missing { place: place.clone() },
            _ => StoreError::of_file(&place, &error),
        })?;
        match digest(&bytes) == blob.digest {
            true => Ok(bytes),
            false => Err(StoreError::Damaged { place, why: "it is not what was kept".into() }),
        }
    }

    /// Removes a file. One that is gone already is no failure.
    pub(crate) fn remove(&self, task: &TaskId, blob: &Blob) -> Result<(), StoreError> {
        let place = self.place(task, blob)?;
        match fs::remove_file(&place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::of_file(&place, &error)),
            _ => {
                // The last one takes the folder along.
                let _ = place.parent().map(fs::remove_dir);
                Ok(())
            }
        }
    }

    /// Removes the files that nobody knows of: left by somebody who ended before it was told, or replaced since.
    pub(crate) fn sweep(&self, known: &HashSet<(TaskId, String)>, now: SystemTime) -> Swept {
        let mut swept = Swept::default();
        let folders = fs::read_dir(&self.0).into_iter().flatten().flatten();
        for folder in folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let task = TaskId(folder.file_name().to_string_lossy().into_owned());
            for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                let name = file.file_name().to_string_lossy().into_owned();
                let Ok(about) = file.metadata() else { continue };
                let age = about.modified().ok().and_then(|then| now.duration_since(then).ok());
                let is_old = age.is_some_and(|age| age >= UNTOLD);
                if is_old && !known.contains(&(task.clone(), name)) && fs::remove_file(file.path()).is_ok() {
                    swept.files += 1;
                    swept.bytes += about.len();
                }
            }
            // Only an empty one goes.
            let _ = fs::remove_dir(folder.path());
        }
        swept
    }

    fn place(&self, task: &TaskId, blob: &Blob) -> Result<PathBuf, StoreError> {
        match is_plain(&task.0) && is_plain(&blob.name) {
            true => Ok(self.0.join(&task.0).join(file_of(blob))),
            false => {
                Err(StoreError::Failed { place: self.0.clone(), why: "this is no name of a file".into() })
            }
        }
    }
}

/// The name of the file.
pub(crate) fn file_of(blob: &Blob) -> String {
    let content: String = blob.digest.chars().take(OF_DIGEST).collect();
    format!("{content}-{}", blob.name)
}

fn write_new(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(place)?;
    io::Write::write_all(&mut file, bytes)
}

/// Letters, digits, dashes and dots in between: no other folder.
fn is_plain(name: &str) -> bool {
    let fits = (1..=LONGEST).contains(&name.len()) && !name.starts_with('.');
    fits && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stay_in_their_folder_and_are_what_was_kept() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder(home.path().join("blobs"));
        let task = TaskId("e1".into());
        for name in ["", "..", "../x", "a/b", ".hidden", "ü", &"a".repeat(81)] {
            assert!(folder.keep(&task, name, b"x", Tier::Hot).is_err(), "{name}");
            assert!(folder.keep(&TaskId(name.into()), "x", b"x", Tier::Hot).is_err(), "{name}");
        }
        let blob = folder.keep(&task, "ota-0001.jpg", b"picture", Tier::Hot).unwrap();
        let later = folder.keep(&task, "ota-0001.jpg", b"another", Tier::Hot).unwrap();
        assert_eq!(folder.read(&task, &blob).unwrap(), b"picture");
        assert_eq!(folder.read(&task, &later).unwrap(), b"another");
        fs::write(home.path().join("blobs/e1").join(file_of(&blob)), b"pictur").unwrap();
        assert!(matches!(folder.read(&task, &blob), Err(StoreError::Damaged { .. })));
        for gone in [&blob, &blob, &later] {
            folder.remove(&task, gone).unwrap();
        }
        assert!(matches!(folder.read(&task, &blob), Err(StoreError::Missing { .. })));
        assert!(!home.path().join("blobs/e1").exists());
    }

    #[test]
    fn what_nobody_knows_of_goes_after_a_while() {
        let home = tempfile::tempdir().unwrap();
        let (folder, task) = (Folder(home.path().to_owned()), TaskId("e1".into()));
        let known = folder.keep(&task, "known.jpg", b"1234", Tier::Hot).unwrap();
        folder.keep(&task, "unknown.jpg", b"1234", Tier::Hot).unwrap();
        let known = HashSet::from([(task, file_of(&known))]);
        let now = SystemTime::now();
        assert_eq!(folder.sweep(&known, now), Swept::default());
        assert_eq!(folder.sweep(&known, now + UNTOLD + UNTOLD), Swept { files: 1, bytes: 4 });
        assert_eq!(folder.sweep(&known, now + UNTOLD + UNTOLD), Swept::default());
    }
}
