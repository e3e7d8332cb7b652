//! What a browser test needs around it: a real browser, and a place for its files that vanishes.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// The environment variable that names the browser to use.
pub const BROWSER_VARIABLE: &str = "LEGWORK_BROWSER";

/// The names that are looked for on `PATH`, first match wins.
pub const BROWSER_NAMES: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
];

const MAC_BROWSERS: [&str; 3] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/// The path of a real browser. Panics where there is none: a browser test is never skipped.
#[track_caller]
pub fn browser_binary() -> PathBuf {
    let named = env::var_os(BROWSER_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    let dirs: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    find_browser(named, &dirs).unwrap_or_else(|problem| panic!("{problem}"))
}

fn find_browser(named: Option<PathBuf>, dirs: &[PathBuf]) -> Result<PathBuf, String> {
    if let Some(named) = named {
        // A bare name is looked up like any command; a path stands for itself.
        let found = if named.components().count() == 1 {
            dirs.iter().map(|dir| dir.join(&named)).find(|path| is_executable(path))
        } else {
            Some(named.clone()).filter(|path| is_executable(path))
        };
        return found.ok_or_else(|| {
            format!(
                "{BROWSER_VARIABLE} is \"{}\", which is no executable file; point it at a Chromium, Chrome or \
                 Edge binary, or unset it",
                named.display()
            )
        });
    }
    let on_path = BROWSER_NAMES.iter().flat_map(|name| dirs.iter().map(move |dir| dir.join(name)));
    on_path.chain(MAC_BROWSERS.iter().map(PathBuf::from)).find(|path| is_executable(path)).ok_or_else(|| {
        format!(
            "these tests need a real browser and found none: run scripts/setup, or install one of {} on PATH, \
             or set {BROWSER_VARIABLE} to its path",
            BROWSER_NAMES.join(", ")
        )
    })
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// A directory of its own for one test, removed when dropped. It changes nothing global: hand its path to the
/// code under test, or [`TempHome::variable`] to a child process.
#[derive(Debug)]
pub struct TempHome {
    dir: TempDir,
}

impl TempHome {
    /// Makes an empty directory whose name occurs nowhere else.
    #[expect(clippy::new_without_default, reason = "making a directory is no default value")]
    pub fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("legwork-test-").tempdir().expect("a temporary directory");
        Self { dir }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The environment variable, name and value, that makes the product keep its temporary files here.
    pub fn variable(&self) -> (&'static str, &Path) {
        ("LEGWORK_TMPDIR", self.path())
    }

    /// What lies directly in it now, sorted: empty when everything was cleaned up.
    pub fn entries(&self) -> Vec<PathBuf> {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_here() {
        assert!(is_executable(&browser_binary()));
    }

    #[test]
    fn a_missing_browser_says_how_to_get_one() {
        if MAC_BROWSERS.iter().any(|path| is_executable(Path::new(path))) {
            return;
        }
        let problem = find_browser(None, &[PathBuf::from("/nonexistent")]).unwrap_err();
        assert!(problem.contains("scripts/setup") && problem.contains(BROWSER_VARIABLE), "{problem}");
    }

    #[test]
    fn a_named_browser_that_is_not_there_is_not_replaced_by_another() {
        let dirs = [PathBuf::from("/bin")];
        let problem = find_browser(Some("/nonexistent/chromium".into()), &dirs).unwrap_err();
        assert!(problem.contains("/nonexistent/chromium"), "{problem}");
        assert_eq!(find_browser(Some("sh".into()), &dirs).unwrap(), Path::new("/bin/sh"));
    }

    #[test]
    fn a_home_shows_what_is_left_and_vanishes() {
        let home = TempHome::new();
        assert!(home.entries().is_empty());
        fs::write(home.path().join("left"), "").unwrap();
        assert_eq!(home.entries(), [home.path().join("left")]);
        let (name, path) = home.variable();
        assert_eq!((name, path), ("LEGWORK_TMPDIR", home.path()));
        let path = path.to_owned();
        drop(home);
        assert!(!path.exists());
    }
}
