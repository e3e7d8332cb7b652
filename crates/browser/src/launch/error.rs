//! Why a browser did not start, and what the reader can do about it.

use std::{ffi::OsString, io, path::PathBuf, process::ExitStatus, time::Duration};

use legwork_types::{Code, Problem};

use super::{find::FoundBy, sandbox::SandboxRefusal};

/// Why a browser did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// No browser stands on `PATH` or in the usual places.
    #[error("no Chrome, Chromium or Edge was found")]
    NotFound {
        /// Every place that was looked at, in order.
        looked_at: Vec<PathBuf>,
    },
    /// A browser was named, but there is nothing to run there.
    #[error("{} (from {named_by}) is not a program that can be run", path.display())]
    NotExecutable {
        /// The path as it was named.
        path: PathBuf,
        /// Who named it.
        named_by: FoundBy,
    },
    /// An extra flag would undo a protection.
    #[error("the browser may not be started with {}", flag.display())]
    FlagRefused {
        /// The flag.
        flag: OsString,
    },
    /// The system refused to start the program.
    #[error("{} could not be started", path.display())]
    Spawn {
        /// The program.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The program ended before it answered.
    #[error("the browser ended before it answered")]
    ExitedEarly {
        /// How it ended, if that could be learned.
        status: Option<ExitStatus>,
        /// The last words on its standard error.
        stderr_tail: String,
    },
    /// The program runs but did not answer within the startup time.
    #[error("the browser did not answer within {waited:?}")]
    NoAnswer {
        /// How long it was given.
        waited: Duration,
        /// The last words on its standard error.
        stderr_tail: String,
    },
    /// The browser refuses to run because it has no sandbox here.
    #[error("the browser refuses to run without a sandbox")]
    SandboxUnavailable {
        /// What it complained about.
        refusal: SandboxRefusal,
    },
    /// Another browser uses the persistent profile.
    #[error("another browser uses the profile {}", path.display())]
    ProfileLocked {
        /// The profile folder.
        path: PathBuf,
        /// Who holds it.
        holder: Holder,
    },
    /// The profile folder can't be made, read or written.
    #[error("the profile {} can't be used", path.display())]
    ProfileUnusable {
        /// The profile folder.
        path: PathBuf,
        /// What stands in the way.
        reason: String,
    },
    /// The place for temporary profiles can't be used or can't be trusted.
    #[error("the folder for temporary profiles, {}, can't be used", path.display())]
    TemporaryUnusable {
        /// The folder.
        path: PathBuf,
        /// What stands in the way.
        reason: String,
    },
    /// The place for temporary profiles was not free in time.
    #[error("the folder for temporary profiles, {}, was not ready in time", path.display())]
    TemporaryBusy {
        /// The folder.
        path: PathBuf,
    },
    /// The program does not tell its version.
    #[error("{} does not tell its version", path.display())]
    VersionUnknown {
        /// The program.
        path: PathBuf,
        /// What stands in the way.
        reason: String,
    },
}

/// Who holds a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// This process, a browser.
    Process(u32),
    /// Another Legwork, whose browser is just starting or ending.
    Legwork,
    /// Somebody on another machine, or nobody who could be asked.
    Elsewhere {
        /// The link that says so.
        lock: PathBuf,
    },
}

impl From<&LaunchError> for Problem {
    fn from(error: &LaunchError) -> Self {
        let problem =
            |code, hint: &str, cause: String| Problem::new(code, error.to_string(), hint).because(cause);
        match error {
            LaunchError::NotFound { looked_at } => problem(
                Code::BrowserNotFound,
                "install chromium (for example: apt install chromium), pass --browser PATH, or set LEGWORK_BROWSER",
                format!("looked at {}", list(looked_at)),
            ),
            LaunchError::NotExecutable { path, .. } => problem(
                Code::BrowserNotFound,
                "name an existing, executable browser with --browser PATH or LEGWORK_BROWSER, or name none to search the usual places",
                format!("{} does not exist or is not executable", path.display()),
            ),
            LaunchError::FlagRefused { .. } => problem(
                Code::Usage,
                "leave it out; sandbox and profile have options of their own",
                "it would undo a protection that is decided elsewhere".into(),
            ),
            LaunchError::Spawn { source, .. } => problem(
                Code::BrowserLaunchFailed,
                "run the program by hand with --version to see whether it works; `legwork doctor` checks it too",
                source.to_string(),
            ),
            LaunchError::ExitedEarly { status, stderr_tail } => problem(
                Code::BrowserLaunchFailed,
                "run `legwork doctor`; the last lines of the browser's own output are in the cause",
                match status {
                    Some(status) => format!("{status}; {}", words(stderr_tail)),
                    None => words(stderr_tail),
                },
            ),
            LaunchError::NoAnswer { stderr_tail, .. } => problem(
                Code::BrowserLaunchFailed,
                "the machine may be overloaded: try again, or give it a longer startup time",
                words(stderr_tail),
            ),
            LaunchError::SandboxUnavailable { refusal } => problem(
                Code::SandboxUnavailable,
                match refusal {
                    SandboxRefusal::NoneUsable => {
                        "permit unprivileged user namespaces or install the browser's setuid sandbox helper (see `legwork doctor`); --no-sandbox runs without, only for pages that you trust"
                    }
                    SandboxRefusal::Root => {
                        "run Legwork as an ordinary user; --no-sandbox runs without, only for pages that you trust"
                    }
                },
                refusal.to_string(),
            ),
            LaunchError::ProfileLocked { holder, .. } => {
                let close = "close that browser, or use another profile folder";
                match holder {
                    Holder::Process(pid) => {
                        problem(Code::ProfileLocked, close, format!("process {pid} holds it"))
                    }
                    Holder::Legwork => problem(Code::ProfileLocked, close, "another Legwork holds it".into()),
                    Holder::Elsewhere { lock } => problem(
                        Code::ProfileLocked,
                        &format!("{close}; if no browser on any machine uses it, remove {}", lock.display()),
                        "its lock is of another machine".into(),
                    ),
                }
            }
            LaunchError::ProfileUnusable { reason, .. } => problem(
                Code::ProfileUnusable,
                "name a folder that you may write, or one that does not exist yet",
                reason.clone(),
            ),
            LaunchError::TemporaryUnusable { reason, .. } => problem(
                Code::ProfileUnusable,
                "remove that folder, or point LEGWORK_TMPDIR to a folder of your own",
                reason.clone(),
            ),
            LaunchError::TemporaryBusy { .. } => problem(
                Code::BrowserLaunchFailed,
                "try again; if it stays so, end the process that keeps it, or point LEGWORK_TMPDIR to another folder",
                "another process keeps it locked, or the disk is slow".into(),
            ),
            LaunchError::VersionUnknown { reason, .. } => problem(
                Code::BrowserLaunchFailed,
                "run the program by hand with --version to see whether it works",
                reason.clone(),
            ),
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn words(stderr_tail: &str) -> String {
    match stderr_tail.trim() {
        "" => "it said nothing".into(),
        said => format!("it said: {said}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_found_lists_the_places_and_the_three_remedies() {
        let error = LaunchError::NotFound { looked_at: vec!["/a/chromium".into(), "/b/chrome".into()] };
        let problem = Problem::from(&error);
        assert_eq!(problem.code, Code::BrowserNotFound);
        assert_eq!(problem.cause.as_deref(), Some("looked at /a/chromium, /b/chrome"));
        for remedy in ["install chromium", "--browser PATH", "LEGWORK_BROWSER"] {
            assert!(problem.hint.contains(remedy), "{}", problem.hint);
        }
    }

    #[test]
    fn a_lock_names_its_holder() {
        let error = LaunchError::ProfileLocked { path: "/p".into(), holder: Holder::Process(7) };
        let problem = Problem::from(&error);
        assert_eq!((problem.code, problem.retryable), (Code::ProfileLocked, true));
        assert_eq!(problem.cause.as_deref(), Some("process 7 holds it"));
        let holder = Holder::Elsewhere { lock: "/p/SingletonLock".into() };
        let problem = Problem::from(&LaunchError::ProfileLocked { path: "/p".into(), holder });
        assert!(problem.hint.contains("remove /p/SingletonLock"), "{}", problem.hint);
    }
}
