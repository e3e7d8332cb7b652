//! Asks a browser program for its version.

use std::{path::Path, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::AsyncReadExt,
    process::{Child, Command},
    time::timeout,
};

use super::{environment, error::LaunchError, flags::Window};

const LIMIT: Duration = Duration::from_secs(10);
const LONGEST_ANSWER: u64 = 4096;

/// Runs `BINARY --version` and gives its answer, for example `Chromium 156.0.8078.79`.
pub async fn version(binary: &Path) -> Result<String, LaunchError> {
    version_within(binary, LIMIT).await
}

async fn version_within(binary: &Path, limit: Duration) -> Result<String, LaunchError> {
    let unknown = |reason: String| LaunchError::VersionUnknown { path: binary.to_owned(), reason };
    match timeout(limit, ask(binary)).await {
        Ok(Ok(answer)) if !answer.is_empty() => Ok(answer),
        Ok(Ok(_)) => Err(unknown("it said nothing".into())),
        Ok(Err(error)) => Err(unknown(error.to_string())),
        Err(_) => Err(unknown(format!("no answer within {limit:?}"))),
    }
}

async fn ask(binary: &Path) -> std::io::Result<String> {
    let mut command = std::process::Command::new(binary);
    // Any program may be named; it gets to see no more than a browser does.
    environment::dress(&mut command, Window::Headless);
    let mut command = Command::from(command);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut asked = Asked(command.process_group(0).kill_on_drop(true).spawn()?);
    let mut answer = Vec::new();
    if let Some(stdout) = asked.0.stdout.take() {
        stdout.take(LONGEST_ANSWER).read_to_end(&mut answer).await?;
    }
    let status = asked.0.wait().await?;
    match status.success() {
        true => Ok(String::from_utf8_lossy(&answer).trim().to_owned()),
        false => Err(std::io::Error::other(status.to_string())),
    }
}

/// The program that is asked. Whatever it started goes with it.
struct Asked(Child);

impl Drop for Asked {
    fn drop(&mut self) {
        // It has a number only until it is reaped, and as long as it does nobody else can have the same.
        let group = self.0.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        if let Some(group) = group
            && let Err(error) = kill_process_group(group, Signal::KILL)
        {
            tracing::debug!(%error, "a program that was asked for its version was not killed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::{find_browser, procfs, tests::script};

    #[tokio::test]
    async fn the_browser_tells_its_version() {
        let browser = find_browser(None).unwrap();
        let answer = version(&browser.path).await.unwrap();
        assert!(answer.chars().any(|c| c.is_ascii_digit()), "{answer}");
    }

    #[tokio::test]
    async fn a_program_that_is_asked_sees_nothing_of_ours() {
        let place = tempfile::tempdir().unwrap();
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "a variable that is not on the list");
        let program = script(place.path(), "echo \"Fake 1 ${CARGO_MANIFEST_DIR:-nothing} ${PATH:+path}\"\n");
        assert_eq!(version(&program).await.unwrap(), "Fake 1 nothing path");
    }

    #[tokio::test]
    async fn a_program_that_does_not_answer_is_ended_with_what_it_started() {
        let place = tempfile::tempdir().unwrap();
        let program = script(place.path(), "sleep 600 &\necho $! > \"$0.child\"\nwait\n");
        let answer = version_within(&program, Duration::from_secs(1)).await;
        assert!(matches!(answer, Err(LaunchError::VersionUnknown { .. })), "{answer:?}");
        let child = std::fs::read_to_string(place.path().join("browser.child")).unwrap();
        let child = child.trim().parse().unwrap();
        legwork_testkit::wait_until(Duration::from_secs(10), "its child is gone", || {
            procfs::stat(child).is_none_or(|stat| !stat.is_alive())
        });
    }

    #[tokio::test]
    async fn another_program_does_not() {
        for program in ["/bin/false", "/nonexistent"] {
            let answer = version(Path::new(program)).await;
            assert!(matches!(answer, Err(LaunchError::VersionUnknown { .. })), "{answer:?}");
        }
    }
}
