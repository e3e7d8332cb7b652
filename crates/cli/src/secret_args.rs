//! The options of the operator's secrets. They say where values are, and never hold one; nothing that is written here is repeated.

use std::path::PathBuf;

use clap::Args;
use legwork_runtime::{Distrust, Reach, SecretSpec, Vault, read_specs, trusted_text};
use legwork_types::{Code, Problem};

use crate::plain::plain;

/// Where the operator's secrets are, and where they may be typed.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Secrets")]
pub(crate) struct SecretArgs {
    /// A secret that may be typed by its name, for example shop=env:SHOP_PASSWORD@https://shop.example. Sources: env:VARIABLE,
    /// file:PATH (yours alone), cmd:COMMAND; before it visible: (a name that fields may show) or totp: (codes); may be repeated
    #[arg(long, value_name = "NAME=SOURCE@ORIGIN")]
    secret: Vec<String>,

    /// A file with one such line for each secret; may be repeated
    #[arg(long, value_name = "FILE")]
    secret_file: Vec<PathBuf>,
}

impl SecretArgs {
    /// Whether none is named here.
    pub(crate) fn is_empty(&self) -> bool {
        self.secret.is_empty() && self.secret_file.is_empty()
    }

    /// Fetches all of them, and those of the file of rules.
    pub(crate) async fn vault(&self, ruled: &[SecretSpec], reach: &Reach) -> Result<Vault, Problem> {
        let mut specs = ruled.to_vec();
        for (at, text) in self.secret.iter().enumerate() {
            // What was written may hold the value itself by mistake.
            let spec = text.parse::<SecretSpec>();
            specs.push(
                spec.map_err(|error| unreadable(&format!("--secret number {}", at + 1), &error.to_string()))?,
            );
        }
        for path in &self.secret_file {
            let shown = plain(&path.display().to_string());
            let refuse = |why: String| unreadable(&shown, &why);
            // Whoever writes in it says which programs are run.
            let text = trusted_text(path).map_err(|Distrust { why, hint }| {
                Problem::new(Code::Usage, format!("{shown} can't be read"), hint).because(why)
            })?;
            let read = read_specs(&text);
            specs.extend(read.map_err(|(line, error)| refuse(format!("line {line}: {error}")))?);
        }
        Vault::load(&specs, reach).await
    }
}

fn unreadable(what: &str, why: &str) -> Problem {
    let hint = "write NAME=SOURCE@ORIGIN, for example shop=env:SHOP_PASSWORD@https://shop.example";
    Problem::new(Code::Usage, format!("{what} can't be read"), hint).because(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_value_that_was_written_by_mistake_is_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secrets");
        std::fs::write(&file, "# mine\nshop=hunter22@https://shop.example\n").unwrap();
        for args in [
            SecretArgs { secret: vec!["shop=hunter22".into()], secret_file: vec![] },
            SecretArgs { secret: vec!["hunter22".into()], secret_file: vec![] },
            SecretArgs { secret: vec![], secret_file: vec![file] },
        ] {
            let problem = args.vault(&[], &Reach::default()).await.unwrap_err();
            assert_eq!(problem.code, Code::Usage);
            assert!(!format!("{problem} {problem:?}").contains("hunter22"), "{problem}");
        }
    }

    #[tokio::test]
    async fn a_file_that_others_could_have_written_is_not_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secrets");
        std::fs::write(&file, "shop=cmd:echo xyzzy-42@https://shop.example\n").unwrap();
        let (pipe, large) = (folder.path().join("pipe"), folder.path().join("large"));
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        std::fs::write(&large, vec![b'#'; 1024 * 1024 + 1]).unwrap();
        let read = async |path: &PathBuf| {
            let args = SecretArgs { secret: vec![], secret_file: vec![path.clone()] };
            args.vault(&[], &Reach::default()).await
        };
        let mode = |path: &std::path::Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        assert!(!read(&file).await.unwrap().is_empty(), "the twin");
        for (path, why) in [(&pipe, "no file"), (&large, "more than 1048576 bytes")] {
            let problem = read(path).await.unwrap_err();
            assert!(problem.cause.unwrap().contains(why), "{why}");
        }
        mode(&file, 0o620);
        assert!(read(&file).await.unwrap_err().hint.contains("chmod go-w"));
        mode(&file, 0o600);
        mode(folder.path(), 0o770);
        assert!(read(&file).await.unwrap_err().cause.unwrap().contains("its folder"));
        mode(folder.path(), 0o700);
        // Only root can give a file away.
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(&file, Some(4_242), None).unwrap();
            assert!(read(&file).await.unwrap_err().cause.unwrap().contains("somebody else"));
        }
    }

    #[tokio::test]
    async fn without_options_there_are_no_secrets() {
        let none = SecretArgs { secret: vec![], secret_file: vec![] };
        assert!(none.vault(&[], &Reach::default()).await.unwrap().is_empty());
    }
}
