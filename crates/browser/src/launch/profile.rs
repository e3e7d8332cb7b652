//! Which profile the browser uses, and the folders that come with the choice.

use std::path::{Path, PathBuf};

use super::{
    error::LaunchError,
    persistent::PersistentProfile,
    preferences,
    temporary::{Base, TemporaryFolder},
};

/// Which profile the browser uses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Profile {
    /// A new one that goes with the browser.
    #[default]
    Temporary,
    /// A folder that stays.
    Persistent(PathBuf),
}

/// The longest path that a Unix socket can have on the systems that we run on, with its closing zero.
const SOCKET_PATH: usize = 104;
/// What Chromium appends to its scratch folder for the socket of a profile.
const SOCKET_NAME: &str = "/.org.chromium.Chromium.XXXXXX/SingletonSocket";

/// The folders of one browser; temporary ones are removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Folders {
    persistent: Option<PersistentProfile>,
    temporary: TemporaryFolder,
}

impl Folders {
    /// Makes or takes what the choice needs. Downloads are ours in either case.
    pub(crate) fn prepare(choice: &Profile, base: &Base) -> Result<Self, LaunchError> {
        let persistent = match choice {
            Profile::Temporary => None,
            Profile::Persistent(path) => Some(PersistentProfile::take(path)?),
        };
        let folders = Self { persistent, temporary: TemporaryFolder::make(base)? };
        preferences::settle(&folders.profile()).map_err(|error| LaunchError::ProfileUnusable {
            path: folders.profile(),
            reason: error.to_string(),
        })?;
        if folders.scratch().is_none() {
            tracing::warn!(
                place = %base.path().display(),
                "the path is too long for a socket: the browser puts its own temporary files into the system's place, \
                 where a killed one leaves them; point LEGWORK_TMPDIR to a shorter path"
            );
        }
        Ok(folders)
    }

    /// The profile folder (`--user-data-dir`).
    pub(crate) fn profile(&self) -> PathBuf {
        match &self.persistent {
            Some(profile) => profile.path().to_owned(),
            None => self.temporary.profile(),
        }
    }

    /// Whether the profile outlives the browser.
    pub(crate) fn profile_is_kept(&self) -> bool {
        self.persistent.is_some()
    }

    /// Where downloads go.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.temporary.downloads()
    }

    /// Where the browser's scratch files go: a killed one leaves them behind, so they belong in our folder,
    /// except where the path would be too long for the socket that it puts there.
    pub(crate) fn scratch(&self) -> Option<PathBuf> {
        Some(self.temporary.scratch()).filter(|path| has_room_for_socket(path))
    }

    /// Programs that come before all others of their names.
    pub(crate) fn programs(&self) -> PathBuf {
        self.temporary.programs()
    }

    /// Where a crash report would go.
    pub(crate) fn crashes(&self) -> PathBuf {
        self.temporary.crashes()
    }
}

fn has_room_for_socket(scratch: &Path) -> bool {
    scratch.as_os_str().len() + SOCKET_NAME.len() < SOCKET_PATH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_files_stay_with_us_where_the_socket_fits() {
        assert!(has_room_for_socket(Path::new("/tmp/legwork-1000/p-01234567/t")));
        assert!(!has_room_for_socket(&Path::new("/").join("x".repeat(60))));
    }

    #[test]
    fn a_place_that_is_too_long_is_told() {
        let place = tempfile::tempdir().unwrap();
        let long = place.path().join("x".repeat(80));
        std::fs::create_dir(&long).unwrap();
        let said_at = |at: &Path| {
            let log = tempfile::NamedTempFile::new().unwrap();
            let writer = std::sync::Arc::new(log.reopen().unwrap());
            let subscriber = tracing_subscriber::fmt().with_writer(writer).finish();
            tracing::subscriber::with_default(subscriber, || {
                Folders::prepare(&Profile::Temporary, &Base::open(at).unwrap()).unwrap();
            });
            std::fs::read_to_string(log.path()).unwrap()
        };
        assert!(said_at(&long).contains("LEGWORK_TMPDIR"));
        assert!(!said_at(place.path()).contains("LEGWORK_TMPDIR"));
    }

    #[test]
    fn a_persistent_profile_stays_and_its_downloads_go() {
        let place = tempfile::tempdir().unwrap();
        let kept = place.path().join("kept");
        let base = Base::open(place.path()).unwrap();
        let folders = Folders::prepare(&Profile::Persistent(kept.clone()), &base).unwrap();
        assert_eq!(folders.profile(), kept);
        let downloads = folders.downloads();
        assert!(downloads.starts_with(base.path()) && downloads.is_dir());
        drop(folders);
        assert!(kept.is_dir() && !downloads.exists());
    }
}
