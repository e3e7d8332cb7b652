//! Puts a picture where it was asked for: whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use legwork_types::{Code, Problem};

use crate::plain::plain;

/// Where a picture goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Standard output.
    Stdout,
    /// A file that appears, or is replaced, at once.
    File(PathBuf),
    /// Something that is no file and must not be replaced by one: a device, a pipe.
    Special(PathBuf),
}

impl Destination {
    /// Looks whether a picture can be written there, before any work is done for it.
    pub(crate) fn choose(path: &Path) -> Result<Self, Problem> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        // A link stays a link: the file behind it is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match path.metadata() {
            Ok(meta) if meta.is_dir() => Err(failed(&path, "it is a folder")),
            Ok(meta) if !meta.is_file() => Ok(Self::Special(path)),
            _ => {
                let folder = folder_of(&path);
                if !folder.is_dir() {
                    let reason = format!("there is no folder {}", folder.display());
                    return Err(failed(&path, reason));
                }
                // Only trying tells for sure; the trial is gone before it is noticed.
                let trial = Beside::make(&path).map_err(|error| failed(&path, error))?;
                drop(trial);
                Ok(Self::File(path))
            }
        }
    }

    /// Writes the picture.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Problem> {
        let written = match self {
            Self::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes).and_then(|()| stdout.flush())
            }
            Self::Special(path) => {
                OpenOptions::new().write(true).open(path).and_then(|mut to| to.write_all(bytes))
            }
            Self::File(path) => Beside::make(path).and_then(|beside| beside.replace(path, bytes)),
        };
        written.map_err(|error| match self {
            Self::Stdout => failed(Path::new("standard output"), error),
            Self::File(path) | Self::Special(path) => failed(path, error),
        })
    }
}

fn failed(path: &Path, reason: impl ToString) -> Problem {
    Problem::new(
        Code::OutputFailed,
        format!("{} can't be written", plain(&path.display().to_string())),
        "name a file in a folder that exists and that you may write",
    )
    .because(reason.to_string())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file beside the wanted one, removed unless it takes its place.
struct Beside {
    path: PathBuf,
    file: File,
}

impl Beside {
    fn make(wanted: &Path) -> io::Result<Self> {
        let folder = folder_of(wanted);
        let mut attempt = 0;
        loop {
            let path = folder.join(format!(".legwork-{}-{attempt}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                made => return made.map(|file| Self { path, file }),
            }
        }
    }

    fn replace(mut self, wanted: &Path, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.sync_all()?;
        fs::rename(&self.path, wanted)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // After the rename there is nothing left under this name.
        let _ = fs::remove_file(&self.path);
    }
}

/// Width and height from the frame header of a JPEG.
pub(crate) fn size(jpeg: &[u8]) -> Option<(u16, u16)> {
    let mut at = 2;
    loop {
        let [0xff, marker, high, low] = *jpeg.get(at..at + 4)? else { return None };
        // The frame headers: C0 to CF, but for the tables C4, C8 and CC.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let header = jpeg.get(at + 5..at + 9)?;
            let number = |i: usize| Some(u16::from_be_bytes([*header.get(i)?, *header.get(i + 1)?]));
            return Some((number(2)?, number(0)?));
        }
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_stays_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jpg");
        fs::write(&file, "old").unwrap();
        let link = folder.path().join("link.jpg");
        symlink(&file, &link).unwrap();
        let destination = Destination::choose(&link).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"old");
        destination.write(b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_device_is_written_to_and_never_replaced() {
        let destination = Destination::choose(Path::new("/dev/null")).unwrap();
        assert_eq!(destination, Destination::Special("/dev/null".into()));
        destination.write(b"picture").unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }

    #[test]
    fn folders_and_missing_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("no/a.jpg"), "/proc/a.jpg".into()] {
            let problem = Destination::choose(&path).unwrap_err();
            assert_eq!(problem.code, Code::OutputFailed, "{path:?}");
        }
        assert_eq!(Destination::choose(Path::new("-")), Ok(Destination::Stdout));
    }

    #[test]
    fn the_size_stands_in_the_frame_header() {
        let jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 2, 208, 5, 0, 1, 1, 17, 0];
        assert_eq!(size(&jpeg), Some((1280, 720)));
        for cut in 0..16 {
            assert_eq!(size(&jpeg[..cut]), None, "{cut}");
        }
        assert_eq!(size(b"not a picture"), None);
    }
}
