//! Asks a browser program for its version.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::{io::AsyncReadExt, process::Command, time::timeout};

use super::error::LaunchError;

const LIMIT: Duration = Duration::from_secs(10);
const LONGEST_ANSWER: u64 = 4096;

/// Runs `BINARY --version` and gives its answer, for example `Chromium 156.0.8078.79`.
pub async fn version(binary: &Path) -> Result<String, LaunchError> {
    let unknown = |reason: String| LaunchError::VersionUnknown { path: binary.to_owned(), reason };
    match timeout(LIMIT, ask(binary)).await {
        Ok(Ok(answer)) if !answer.is_empty() => Ok(answer),
        Ok(Ok(_)) => Err(unknown("it said nothing".into())),
        Ok(Err(error)) => Err(unknown(error.to_string())),
        Err(_) => Err(unknown(format!("no answer within {LIMIT:?}"))),
    }
}

async fn ask(binary: &Path) -> std::io::Result<String> {
    let mut child = Command::new(binary)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let mut answer = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(LONGEST_ANSWER).read_to_end(&mut answer).await?;
    }
    let status = child.wait().await?;
    match status.success() {
        true => Ok(String::from_utf8_lossy(&answer).trim().to_owned()),
        false => Err(std::io::Error::other(status.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::find_browser;

    #[tokio::test]
    async fn the_browser_tells_its_version() {
        let browser = find_browser(None).unwrap();
        let answer = version(&browser.path).await.unwrap();
        assert!(answer.chars().any(|c| c.is_ascii_digit()), "{answer}");
    }

    #[tokio::test]
    async fn another_program_does_not() {
        for program in ["/bin/false", "/nonexistent"] {
            let answer = version(Path::new(program)).await;
            assert!(matches!(answer, Err(LaunchError::VersionUnknown { .. })), "{answer:?}");
        }
    }
}
