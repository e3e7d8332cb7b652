//! The folder of saved logins: nobody else may enter it, links are not followed, and a file appears whole or not at all.

use std::{
    fs::{self, DirBuilder, File, Permissions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use legwork_policy::logins::KEY_BYTES;
use rustix::{
    fs::{Mode, OFlags},
    process::geteuid,
};
use zeroize::Zeroizing;

use super::spec::is_name;
use crate::random;

/// How the name of a saved login ends. Names of logins hold letters alone that are harmless in the names of files.
const END: &str = ".login";
const KEY: &str = "key";
const LOCK: &str = "lock";
/// As much is read of a file.
const MOST: u64 = 20 << 20;
/// How long another instance may take to save something.
const PATIENCE: Duration = Duration::from_secs(5);

/// The folder.
pub(super) struct Shelf(PathBuf);

impl Shelf {
    pub(super) fn at(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The file of a login as bytes; none if there is none.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
        self.bytes_of(&format!("{name}{END}"))
    }

    /// The key; none if there is none.
    pub(super) fn key(&self) -> io::Result<Option<Zeroizing<[u8; KEY_BYTES]>>> {
        let Some(bytes) = self.bytes_of(KEY)? else { return Ok(None) };
        let bytes: [u8; KEY_BYTES] = bytes.as_slice().try_into().map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidData, "the key file is not as it was written")
        })?;
        Ok(Some(Zeroizing::new(bytes)))
    }

    /// Opened first and looked at then: nobody can put another file in its place in between.
    fn bytes_of(&self, name: &str) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
        match is_ours(&self.0) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = match rustix::fs::open(self.0.join(name), flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(rustix::io::Errno::LOOP) => return Err(refused("the file is a link")),
            Err(error) => return Err(error.into()),
        };
        let facts = file.metadata()?;
        if !facts.is_file() || facts.uid() != geteuid().as_raw() {
            return Err(refused("the file is somebody else's, or none"));
        }
        if facts.mode() & 0o077 != 0 {
            return Err(refused("others may use the file; make it yours alone by chmod 600"));
        }
        let mut bytes = Zeroizing::new(Vec::new());
        file.take(MOST).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Replaces the file of a login: until the new one is whole, the old one stays.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let new = self.new_file(bytes)?;
        let placed = fs::rename(&new, self.0.join(format!("{name}{END}")));
        if placed.is_err() {
            let _ = fs::remove_file(&new);
        }
        placed
    }

    /// Puts the key where there is none.
    pub(super) fn put_key(&self, bytes: &[u8; KEY_BYTES]) -> io::Result<()> {
        let new = self.new_file(bytes)?;
        // Never over another: what that one sealed could not be opened any more.
        let placed = fs::hard_link(&new, self.0.join(KEY));
        let _ = fs::remove_file(&new);
        placed
    }

    fn new_file(&self, bytes: &[u8]) -> io::Result<PathBuf> {
        make(&self.0)?;
        let path = self.0.join(random::name(".new-"));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::open(&path, flags, Mode::RUSR | Mode::WUSR)?);
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Ok(path)
    }

    /// Nobody else writes as long as this is held.
    pub(super) fn lock(&self) -> io::Result<File> {
        make(&self.0)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::open(self.0.join(LOCK), flags, Mode::RUSR | Mode::WUSR)?);
        let end = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(fs::TryLockError::WouldBlock) if Instant::now() < end => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Whether there was such a login.
    pub(super) fn remove(&self, name: &str) -> io::Result<bool> {
        match is_ours(&self.0) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
        let _alone = self.lock()?;
        match fs::remove_file(self.0.join(format!("{name}{END}"))) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The names of all logins.
    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        match is_ours(&self.0) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
            Err(error) => return Err(error),
        }
        let entries = fs::read_dir(&self.0)?;
        let name = |entry: io::Result<fs::DirEntry>| {
            let file = entry.ok()?.file_name().into_string().ok()?;
            file.strip_suffix(END).filter(|name| is_name(name)).map(str::to_owned)
        };
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        Ok(names)
    }
}

fn make(folder: &Path) -> io::Result<()> {
    if let Some(above) = folder.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(above)?;
    }
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    is_ours(folder)?;
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// Whether it is a folder of this user that nobody else writes in.
fn is_ours(folder: &Path) -> io::Result<()> {
    let facts = folder.symlink_metadata()?;
    let ours = facts.is_dir() && facts.uid() == geteuid().as_raw() && facts.mode() & 0o022 == 0;
    if ours {
        Ok(())
    } else {
        Err(refused("the folder of saved logins is a link, somebody else's, or open to others"))
    }
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}
