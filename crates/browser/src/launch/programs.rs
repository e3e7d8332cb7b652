//! Programs that a browser starts for what it can't open itself: mail, calls, applications. A page needs no press for that, a frame will
//! do. In the browser's path others of the same names come first, which do nothing.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::fs::{OpenOptionsExt, symlink},
    path::{Path, PathBuf},
};

/// Asked who opens an address. Chromium starts nobody, and asks no person, where it is told that this is its own business.
const ASKED: &str = "xdg-settings";
const YES: &str = "#!/bin/sh\necho yes\n";

/// Started where that could not be asked.
const STARTED: &[&str] = &["xdg-open", "xdg-email", "xdg-mime", "gio", "gvfs-open"];
/// What stands in their place. A link, because files of a temporary folder can't be run everywhere.
const NOTHING: &[&str] = &["/bin/true", "/usr/bin/true"];

/// Puts them into a new folder.
pub(super) fn put_into(folder: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o700);
    io::Write::write_all(&mut options.open(folder.join(ASKED))?, YES.as_bytes())?;
    let nothing = NOTHING.iter().find(|path| Path::new(path).exists());
    let nothing = nothing.ok_or_else(|| io::Error::other("the program \"true\" is missing"))?;
    STARTED.iter().try_for_each(|name| symlink(nothing, folder.join(name)))
}

/// The path of a browser: these first, then ours.
pub(super) fn path(folder: &Path, ours: Option<&OsStr>) -> OsString {
    let usual = OsStr::new("/usr/local/bin:/usr/bin:/bin");
    let folders =
        std::env::split_paths(ours.unwrap_or(usual)).filter(|folder| !folder.as_os_str().is_empty());
    let all: Vec<PathBuf> = [folder.to_owned()].into_iter().chain(folders).collect();
    // A folder with a colon in its name can't be part of a path: without it nothing is started by a name at all.
    std::env::join_paths(all).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn what_a_browser_would_start_does_nothing() {
        let folder = tempfile::tempdir().unwrap();
        put_into(folder.path()).unwrap();
        let path = path(folder.path(), Some(OsStr::new("/usr/bin::/bin")));
        assert!(path.to_str().unwrap().ends_with(":/usr/bin:/bin"), "{path:?}");
        for name in STARTED.iter().chain(&[ASKED]) {
            let ran = Command::new("sh")
                .args(["-c", &format!("{name} check mailto:x")])
                .env("PATH", &path)
                .output();
            let ran = ran.unwrap();
            let said = if *name == ASKED { "yes\n" } else { "" };
            assert_eq!(
                (ran.status.code(), String::from_utf8_lossy(&ran.stdout).as_ref()),
                (Some(0), said),
                "{name}"
            );
        }
    }
}
