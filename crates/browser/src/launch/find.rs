//! Finds the browser to run. What was named explicitly is used or refused, never replaced by something else.

use std::{
    ffi::OsStr,
    fmt,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use super::error::LaunchError;

/// The environment variable that names a browser.
pub(crate) const BROWSER_VARIABLE: &str = "LEGWORK_BROWSER";

/// How far into a program is looked for the signs of a stub.
const STUB_AT_MOST: u64 = 8 * 1024;

const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "google-chrome-beta",
    "google-chrome-unstable",
    "microsoft-edge-beta",
    "microsoft-edge-dev",
];

#[cfg(target_os = "macos")]
const USUAL_PLACES: &[&str] = &[
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/opt/homebrew/bin/chromium",
];

#[cfg(not(target_os = "macos"))]
const USUAL_PLACES: &[&str] = &[
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "/usr/lib/chromium/chromium",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/snap/bin/chromium",
];

/// A browser on this machine and how we came by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The program.
    pub path: PathBuf,
    /// Who named it.
    pub by: FoundBy,
}

/// Who named a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundBy {
    /// The caller, by flag or option.
    Flag,
    /// The environment variable `LEGWORK_BROWSER`.
    Environment,
    /// A usual name on `PATH`.
    Path,
    /// A usual absolute place.
    UsualPlace,
}

impl fmt::Display for FoundBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FoundBy::Flag => "--browser",
            FoundBy::Environment => BROWSER_VARIABLE,
            FoundBy::Path => "PATH",
            FoundBy::UsualPlace => "the usual places",
        })
    }
}

/// Finds the browser on this machine: the named one, else `LEGWORK_BROWSER`, else `PATH`, else the usual places.
pub fn find_browser(named: Option<&Path>) -> Result<Found, LaunchError> {
    let variable = std::env::var_os(BROWSER_VARIABLE);
    let path = std::env::var_os("PATH");
    choose(named, variable.as_deref(), path.as_deref(), &what_is)
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stands {
    /// Nothing that can be run.
    Nothing,
    /// A program.
    Program,
    /// A script in a browser's place that only says how to install one.
    Stub,
}

/// The decision, over a machine that the caller describes. An empty variable counts as unset.
pub(crate) fn choose(
    named: Option<&Path>,
    variable: Option<&OsStr>,
    path: Option<&OsStr>,
    what_is: &dyn Fn(&Path) -> Stands,
) -> Result<Found, LaunchError> {
    // A relative entry of PATH would run whatever lies in the current folder.
    let folders: Vec<PathBuf> = path
        .map(|path| std::env::split_paths(path).filter(|p| p.is_absolute()).collect())
        .unwrap_or_default();

    let explicit = named.map(|path| (path, FoundBy::Flag)).or_else(|| {
        variable.filter(|value| !value.is_empty()).map(|value| (Path::new(value), FoundBy::Environment))
    });
    if let Some((named, by)) = explicit {
        // A bare name is a command as a shell knows it, not a file of the current folder.
        let bare = !named.as_os_str().as_encoded_bytes().contains(&b'/');
        let places = match bare {
            true => folders.iter().map(|folder| folder.join(named)).collect(),
            false => vec![named.to_owned()],
        };
        let found = places.into_iter().find(|path| what_is(path) != Stands::Nothing);
        return match found {
            Some(path) => Ok(Found { path, by }),
            None => Err(LaunchError::NotExecutable { path: named.to_owned(), named_by: by }),
        };
    }

    let on_path = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .map(|path| Found { path, by: FoundBy::Path });
    let usual = USUAL_PLACES.iter().map(|place| Found { path: place.into(), by: FoundBy::UsualPlace });

    let mut looked_at = Vec::new();
    for candidate in on_path.chain(usual) {
        if what_is(&candidate.path) == Stands::Program {
            return Ok(candidate);
        }
        if !looked_at.contains(&candidate.path) {
            looked_at.push(candidate.path);
        }
    }
    Err(LaunchError::NotFound { looked_at })
}

fn what_is(path: &Path) -> Stands {
    use rustix::fs::{Access, access};
    if !path.is_file() || access(path, Access::EXEC_OK).is_err() {
        return Stands::Nothing;
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(STUB_AT_MOST).read_to_end(&mut start));
    match read.is_ok() && is_stub(&start) {
        true => Stands::Stub,
        false => Stands::Program,
    }
}

/// Ubuntu's package of Chromium is a script that asks for the snap. Where the snap is, it is found by itself.
fn is_stub(start: &[u8]) -> bool {
    let words = b"snap install";
    start.starts_with(b"#!") && start.windows(words.len()).any(|window| window == words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(programs: &'static [&'static str]) -> impl Fn(&Path) -> Stands {
        move |path| match programs.iter().any(|program| Path::new(program) == path) {
            true if path.ends_with("chromium-browser") => Stands::Stub,
            true => Stands::Program,
            false => Stands::Nothing,
        }
    }

    fn check(
        named: Option<&str>,
        variable: Option<&str>,
        path: Option<&str>,
        programs: &'static [&'static str],
    ) -> Result<(String, FoundBy), LaunchError> {
        let found =
            choose(named.map(Path::new), variable.map(OsStr::new), path.map(OsStr::new), &machine(programs))?;
        Ok((found.path.display().to_string(), found.by))
    }

    #[test]
    fn the_flag_beats_the_variable_beats_the_path_beats_the_usual_places() {
        let all = &["/f", "/e", "/bin/chromium", "/usr/bin/chromium"];
        let path = Some("/bin");
        assert_eq!(check(Some("/f"), Some("/e"), path, all).unwrap(), ("/f".into(), FoundBy::Flag));
        assert_eq!(check(None, Some("/e"), path, all).unwrap(), ("/e".into(), FoundBy::Environment));
        assert_eq!(check(None, Some(""), path, all).unwrap(), ("/bin/chromium".into(), FoundBy::Path));
        #[cfg(target_os = "linux")]
        assert_eq!(check(None, None, None, all).unwrap(), ("/usr/bin/chromium".into(), FoundBy::UsualPlace));
    }

    #[test]
    fn an_explicit_browser_that_cannot_run_is_an_error() {
        let all = &["/bin/chromium"];
        for (named, variable, by) in
            [(Some("/no"), None, FoundBy::Flag), (None, Some("/no"), FoundBy::Environment)]
        {
            match check(named, variable, Some("/bin"), all) {
                Err(LaunchError::NotExecutable { path, named_by }) => {
                    assert_eq!((path, named_by), (PathBuf::from("/no"), by));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_bare_name_is_a_command_on_the_path() {
        let all = &["/a/other", "/b/brave", "brave"];
        for (named, variable, by) in
            [(Some("brave"), None, FoundBy::Flag), (None, Some("brave"), FoundBy::Environment)]
        {
            assert_eq!(check(named, variable, Some(".:/a:/b"), all).unwrap(), ("/b/brave".into(), by));
        }
        assert!(matches!(check(Some("brave"), None, None, all), Err(LaunchError::NotExecutable { .. })));
    }

    #[test]
    fn a_stub_is_passed_over_unless_it_was_named() {
        let all = &["/a/chromium-browser", "/a/google-chrome"];
        assert_eq!(check(None, None, Some("/a"), all).unwrap().0, "/a/google-chrome");
        assert_eq!(check(Some("/a/chromium-browser"), None, None, all).unwrap().0, "/a/chromium-browser");

        let stub = b"#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then\n  echo \"snap install chromium\" >&2\n";
        assert!(is_stub(stub));
        assert!(!is_stub(b"#!/bin/sh\nexec /usr/lib/chromium/chromium \"$@\"\n"));
        assert!(!is_stub(b"\x7fELF snap install"));
    }

    #[test]
    fn names_have_their_order_over_all_folders() {
        let all = &["/a/google-chrome", "/b/chromium"];
        assert_eq!(check(None, None, Some("/a:/b"), all).unwrap().0, "/b/chromium");
    }

    #[test]
    fn relative_folders_of_the_path_are_passed_over() {
        let found = check(None, None, Some(".:bin::/b"), &["./chromium", "bin/chromium", "/b/chrome"]);
        assert_eq!(found.unwrap().0, "/b/chrome");
    }

    #[test]
    fn nothing_found_names_every_place_once() {
        match check(None, None, Some("/a:/a"), &[]) {
            Err(LaunchError::NotFound { looked_at }) => {
                assert_eq!(looked_at.len(), NAMES.len() + USUAL_PLACES.len());
                assert_eq!(looked_at[0], Path::new("/a/chromium"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn this_machine_has_a_browser() {
        find_browser(None).expect("a Chromium is needed to test Legwork");
    }
}
