//! A folder with all of an errand: its log line by line, the pictures that the model saw, how it ended. For its owner alone.

use std::{
    collections::VecDeque,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use legwork_runtime::errands::Entry;
use legwork_types::{Code, Problem};

use crate::plain::plain;

/// The log.
pub(crate) const LOG: &str = "events.jsonl";
/// The most pictures that are kept, and how many go when there are more.
const PICTURES: (usize, usize) = (100, 10);
/// The most that pictures may take, in bytes.
const ROOM: u64 = 200 << 20;

/// A folder with all of an errand.
pub(crate) struct Trace {
    folder: PathBuf,
    log: File,
    pictures: VecDeque<(PathBuf, u64)>,
}

impl Trace {
    /// Begins one in this folder, which is made where it is missing. What an earlier errand left there stays.
    pub(crate) fn begin(folder: &Path) -> Result<Self, Problem> {
        let begin = || -> io::Result<File> {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            private().create_new(true).open(folder.join(LOG))
        };
        let log = begin().map_err(|error| {
            let shown = plain(&folder.display().to_string());
            let (message, hint) = match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    (format!("{shown} holds the trace of another errand"), "name another folder for --trace")
                }
                _ => (
                    format!("no trace can be kept in {shown}"),
                    "name a folder for --trace that you may write",
                ),
            };
            Problem::new(Code::OutputFailed, message, hint).because(error.to_string())
        })?;
        Ok(Self { folder: folder.to_owned(), log, pictures: VecDeque::new() })
    }

    /// Writes lines of the log. They are on the disk when this returns.
    pub(crate) fn record(&mut self, entries: &[Entry]) -> Result<(), Problem> {
        let mut write = || -> io::Result<()> {
            let mut lines = Vec::new();
            for entry in entries {
                serde_json::to_writer(&mut lines, entry)?;
                lines.push(b'\n');
            }
            self.log.write_all(&lines)?;
            self.log.sync_data()
        };
        write().map_err(|error| {
            let hint =
                "see whether there is room in the folder of --trace; what is told beside this has happened";
            Problem::new(Code::OutputFailed, "the trace can't be written", hint).because(error.to_string())
        })
    }

    /// Keeps a picture; where it is. The oldest ones go where there are too many.
    pub(crate) fn keep_picture(&mut self, name: &str, bytes: &[u8]) -> Option<PathBuf> {
        let path = self.folder.join(name);
        if self.pictures.iter().any(|(kept, _)| *kept == path) {
            return Some(path);
        }
        let write = || private().create(true).truncate(true).open(&path)?.write_all(bytes);
        if let Err(error) = write() {
            tracing::warn!(%error, "a picture could not be kept");
            return None;
        }
        self.pictures.push_back((path.clone(), bytes.len() as u64));
        let (most, at_once) = PICTURES;
        if self.pictures.len() > most {
            (0..at_once).for_each(|_| self.forget_oldest());
        }
        while self.pictures.len() > 1 && self.pictures.iter().map(|(_, size)| size).sum::<u64>() > ROOM {
            self.forget_oldest();
        }
        Some(path)
    }

    fn forget_oldest(&mut self) {
        if let Some((path, _)) = self.pictures.pop_front() {
            // One that is gone already is as good.
            let _ = fs::remove_file(path);
        }
    }
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use legwork_runtime::errands::{Errand, Event, Spec};

    use super::*;

    #[test]
    fn a_trace_is_private_replays_and_keeps_the_latest_pictures() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("deep/trace");
        let mut trace = Trace::begin(&folder).unwrap();
        let (errand, started) = Errand::begin(Spec::new("Order coffee"));
        trace.record(&[started, Entry { at: 5, event: Event::Interrupted }]).unwrap();
        for number in 1..=101 {
            trace.keep_picture(&format!("ota-{number:04}.jpg"), b"jpeg");
        }
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&folder.join(LOG))), (0o700, 0o600));
        let text = fs::read_to_string(folder.join(LOG)).unwrap();
        let entries: Vec<Entry> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(Errand::replay(&entries).unwrap().spec(), errand.spec());
        let mut pictures: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|one| one.unwrap().file_name()).collect();
        pictures.sort();
        assert_eq!((pictures.len(), pictures[1].to_str()), (92, Some("ota-0011.jpg")));
        let again = Trace::begin(&folder).map(drop).unwrap_err();
        assert!(again.message.contains("another errand"), "{again}");
    }
}
