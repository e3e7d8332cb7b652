//! A started browser with its folders: the process always ends before its folders go.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{
    net::unix::pipe::{Receiver, Sender},
    time::timeout,
};

use super::{
    error::LaunchError,
    find::Found,
    process::{BrowserProcess, EndedBy, Exit},
    profile::Folders,
    sandbox::{self, Sandbox},
};

/// After the pipe was closed the process is about to end; this is how long its last words are waited for.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// A browser that was started but has not answered yet.
#[derive(Debug)]
pub(crate) struct Launched {
    /// The process and its folders.
    pub(crate) running: Running,
    /// Commands go in here.
    pub(crate) to_browser: Sender,
    /// Answers and events come out here.
    pub(crate) from_browser: Receiver,
}

/// A browser process with its folders. Dropping it ends the process, then removes what is temporary.
#[derive(Debug)]
pub(crate) struct Running {
    // Fields are dropped in this order: a living browser would fill its folder again.
    process: BrowserProcess,
    folders: Folders,
    browser: Found,
    sandbox: Sandbox,
    line: Vec<OsString>,
}

impl Running {
    pub(super) fn new(
        process: BrowserProcess,
        folders: Folders,
        browser: Found,
        sandbox: Sandbox,
        line: Vec<OsString>,
    ) -> Self {
        Self { process, folders, browser, sandbox, line }
    }

    /// The process id.
    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Resolves when the browser and its children have ended. Any number may wait; it outlives this value.
    #[cfg(test)]
    pub(crate) fn exited(&self) -> impl Future<Output = Exit> + Send + 'static + use<> {
        self.process.exited()
    }

    /// The browser's last words so far.
    #[cfg(test)]
    pub(crate) fn stderr_tail(&self) -> String {
        self.process.stderr_tail()
    }

    /// The program that runs.
    pub(crate) fn binary(&self) -> &Path {
        &self.browser.path
    }

    /// Its flags, without what is another one each time.
    pub(crate) fn line(&self) -> &[OsString] {
        &self.line
    }

    /// Whether it runs in its sandbox.
    pub(crate) fn sandbox(&self) -> Sandbox {
        self.sandbox
    }

    /// The profile folder.
    pub(crate) fn profile(&self) -> PathBuf {
        self.folders.profile()
    }

    /// The folder for downloads; it goes with this value.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.folders.downloads()
    }

    /// Kills it and all its helpers.
    pub(crate) fn kill(&self) {
        self.process.kill();
    }

    /// Waits up to `grace` for the browser to end by itself (the caller has sent `Browser.close`), kills what is
    /// left then, and removes the temporary folders.
    pub(crate) async fn end(self, grace: Duration) -> (Exit, EndedBy) {
        let ended = self.process.end(grace).await;
        // Removing files blocks. Were the task lost, the drop would happen in it all the same.
        let _ = tokio::task::spawn_blocking(move || drop(self)).await;
        ended
    }

    /// Says why the browser did not give its first answer: for the caller whose pipe was closed, or whose
    /// patience ended after `waited`.
    pub(crate) async fn why_no_answer(&self, waited: Duration) -> LaunchError {
        let exit = timeout(LAST_WORDS, self.process.exited()).await;
        let stderr_tail = match exit {
            Ok(_) => self.process.last_words(LAST_WORDS).await,
            Err(_) => self.process.stderr_tail(),
        };
        match (sandbox::recognise(&stderr_tail), exit) {
            (Some(refusal), _) => LaunchError::SandboxUnavailable { refusal },
            (None, Ok(Exit { status })) => LaunchError::ExitedEarly { status, stderr_tail },
            (None, Err(_)) => LaunchError::NoAnswer { waited, stderr_tail },
        }
    }
}
