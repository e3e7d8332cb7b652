//! Whether there is a Node.js that a toolbox can run on. Looked at first: what npx says without one helps nobody.

use std::{ffi::OsString, io, path::Path, process::Stdio, time::Duration};

use thiserror::Error;
use tokio::{io::AsyncReadExt as _, process::Command, time::timeout};

/// The oldest that will do.
pub const OLDEST_NODE: u32 = 18;
/// How long it may take to tell its version.
const LIMIT: Duration = Duration::from_secs(5);
/// More than any version is long.
const MOST_SAID: u64 = 256;

/// Why there is no Node.js to run on.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum NodeError {
    /// There is none.
    #[error("the toolbox runs on Node.js, and there is no node on the path")]
    Missing,
    /// It is too old.
    #[error("the toolbox runs on Node.js {OLDEST_NODE} or later, and this one is {0}")]
    TooOld(String),
    /// It did not tell its version.
    #[error("the toolbox runs on Node.js, and node does not tell its version: {0}")]
    Mute(String),
}

impl NodeError {
    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing | Self::TooOld(_) => {
                "install Node.js 18 or later: from https://nodejs.org, by the system's packages (apt install nodejs npm, \
                 brew install node) or by a version manager; or leave --toolbox out: Legwork's own browser needs no Node.js"
            }
            Self::Mute(_) => {
                "run node --version by hand and mend what it says, or install Node.js 18 or later anew"
            }
        }
    }
}

/// The program to ask for its version, if this one runs on Node.js.
pub(super) fn node_of(program: &str) -> Option<&str> {
    match Path::new(program).file_name()?.to_str()? {
        "node" | "nodejs" => Some(program),
        // Scripts that ask the path for their node.
        "npx" | "npm" | "pnpm" | "pnpx" | "yarn" | "yarnpkg" => Some("node"),
        _ => None,
    }
}

/// Asks a node for its version.
pub(super) async fn check(node: &str, environment: &[(OsString, OsString)]) -> Result<(), NodeError> {
    match timeout(LIMIT, said(node, environment)).await {
        Err(_) => Err(NodeError::Mute(format!("nothing within {LIMIT:?}"))),
        Ok(Err(error)) if error.kind() == io::ErrorKind::NotFound => Err(NodeError::Missing),
        Ok(Err(error)) => Err(NodeError::Mute(error.to_string())),
        Ok(Ok(words)) => judge(words.trim()),
    }
}

async fn said(node: &str, environment: &[(OsString, OsString)]) -> io::Result<String> {
    let mut child = Command::new(node)
        .arg("--version")
        .env_clear()
        .envs(environment.iter().cloned())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let mut words = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(MOST_SAID).read_to_end(&mut words).await?;
    }
    child.wait().await?;
    Ok(String::from_utf8_lossy(&words).into_owned())
}

/// What a version means: `v20.11.1`.
fn judge(version: &str) -> Result<(), NodeError> {
    let major = version.strip_prefix('v').and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        Some(_) => Err(NodeError::TooOld(version.to_owned())),
        None => Err(NodeError::Mute(format!("it said {version:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    #[test]
    fn versions_are_judged() {
        for good in ["v18.0.0", "v18", "v20.20.2", "v22.20.0", "v100.1.0-nightly"] {
            assert_eq!(judge(good), Ok(()), "{good}");
        }
        for old in ["v17.9.1", "v0.12.18", "v8.0.0"] {
            assert_eq!(judge(old), Err(NodeError::TooOld(old.into())), "{old}");
        }
        for strange in ["", "18.0.0", "v", "vx.1", "hello", "v-1.0", "v99999999999999.0"] {
            assert!(matches!(judge(strange), Err(NodeError::Mute(_))), "{strange}");
        }
    }

    #[test]
    fn only_what_runs_on_node_is_asked() {
        assert_eq!(node_of("npx"), Some("node"));
        assert_eq!(node_of("/usr/bin/npx"), Some("node"));
        assert_eq!(node_of("/opt/node"), Some("/opt/node"));
        assert_eq!(node_of("python3"), None);
        assert_eq!(node_of("/"), None);
    }

    /// A `node` that says this, on a path of its own.
    fn path_with(script: &str) -> (tempfile::TempDir, Vec<(OsString, OsString)>) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("node");
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let path = vec![("PATH".into(), folder.path().as_os_str().to_owned())];
        (folder, path)
    }

    #[tokio::test]
    async fn a_node_that_is_not_there_or_too_old_or_hangs_is_told() {
        let nowhere = vec![("PATH".into(), "/nonexistent".into())];
        assert_eq!(check("node", &nowhere).await, Err(NodeError::Missing));
        let (_folder, old) = path_with("echo v16.20.0");
        assert_eq!(check("node", &old).await, Err(NodeError::TooOld("v16.20.0".into())));
        let (_folder, good) = path_with("echo v18.1.0");
        assert_eq!(check("node", &good).await, Ok(()));
        let (_folder, hangs) = path_with("exec /bin/sleep 60");
        let begun = std::time::Instant::now();
        assert!(matches!(check("node", &hangs).await, Err(NodeError::Mute(_))));
        assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    }
}
