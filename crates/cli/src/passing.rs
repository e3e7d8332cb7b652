//! What does not last: a folder or a file in the place for such, which goes with its value, and with the process at the latest.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::OnceLock,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// What names begin with: folders in which servers of others work, and pictures of pages that somebody is asked about.
const FOLDER: &str = "legwork-toolbox-";
const PICTURE: &str = "legwork-page-";
/// How often something is looked for that is still in use.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A folder or a file that goes with this value. It is for its owner alone.
#[derive(Debug)]
pub(crate) struct Passing(PathBuf);

impl Passing {
    /// The folder of this process for what a server of others leaves.
    pub(crate) fn folder() -> Result<Self, (PathBuf, io::Error)> {
        let folder = place().join(format!("{FOLDER}{}", mark()));
        let make = || -> io::Result<Self> {
            DirBuilder::new().mode(0o700).create(&folder)?;
            Ok(Self(folder.canonicalize()?))
        };
        make().map_err(|error| (folder.clone(), error))
    }

    /// A picture by its name.
    pub(crate) fn picture(name: &str, bytes: &[u8]) -> io::Result<Self> {
        let path = place().join(format!("{PICTURE}{}-{name}", mark()));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        // From here on it goes, whatever comes of it.
        let passing = Self(path);
        file.write_all(bytes)?;
        Ok(passing)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        // Whatever stays is in the place for what does not last.
        let _ = remove(&self.0);
    }
}

/// By what this process is known in names: its number alone may be that of another one, in another container.
pub(crate) fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        format!("{}-{since}", std::process::id())
    })
}

/// Removes what a process of this mark left. What still has a user is waited for a while.
pub(crate) fn clear(mark: &str, patience: Duration) {
    let deadline = Instant::now() + patience;
    let left = || {
        let entries = fs::read_dir(place()).into_iter().flatten().flatten();
        let is_its = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let rest = [FOLDER, PICTURE].iter().find_map(|prefix| name.strip_prefix(prefix));
            rest.and_then(|rest| rest.strip_prefix(mark))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        entries.map(|entry| entry.path()).filter(is_its).collect::<Vec<_>>()
    };
    while !mark.is_empty() && left().iter().filter(|path| remove(path).is_err()).count() > 0 {
        if Instant::now() >= deadline {
            return;
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Links are not followed.
fn remove(path: &Path) -> io::Result<()> {
    let removed = match path.symlink_metadata()?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn place() -> PathBuf {
    let named = std::env::var_os("LEGWORK_TMPDIR").map(PathBuf::from).filter(|path| path.is_absolute());
    named.unwrap_or_else(std::env::temp_dir)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_picture_is_private_and_goes_and_so_does_what_a_killed_process_left() {
        let picture = Passing::picture("ota-0001.png", b"png").unwrap();
        let path = picture.path().to_owned();
        assert!(path.file_name().unwrap().to_str().unwrap().starts_with("legwork-"), "{path:?}");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(Passing::picture("ota-0001.png", b"other").is_err(), "nothing is written over");
        drop(picture);
        assert!(!path.exists());

        let (mine, others) = (format!("{}x", mark()), format!("{}xy", mark()));
        let made = [
            format!("{PICTURE}{mine}-ota-0001.png"),
            format!("{FOLDER}{mine}"),
            format!("{PICTURE}{others}-ota-0001.png"),
        ]
        .map(|name| place().join(name));
        fs::write(&made[0], "png").unwrap();
        fs::create_dir_all(made[1].join("deep")).unwrap();
        fs::write(&made[2], "png").unwrap();
        clear(&mine, Duration::ZERO);
        assert_eq!(made.each_ref().map(|path| path.exists()), [false, false, true]);
        clear(&others, Duration::ZERO);
        assert!(!made[2].exists());
    }
}
