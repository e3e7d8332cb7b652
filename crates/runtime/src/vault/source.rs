//! Fetches the value of a secret: from the environment, a file, or a program. What goes wrong is told without the value.

use std::{io::Read as _, os::unix::fs::MetadataExt as _, path::Path, process::Stdio, time::Duration};

use legwork_policy::secrets::SecretText;
use rustix::fs::{Mode, OFlags};
use tokio::io::AsyncReadExt as _;
use zeroize::Zeroizing;

use super::spec::Source;

/// How long a program may take.
const COMMAND: Duration = Duration::from_secs(30);
/// The most bytes that are read.
const MOST: u64 = 64 * 1024;

/// The value of a secret, as it is found.
pub(crate) async fn fetch(source: &Source) -> Result<SecretText, String> {
    match source {
        Source::Environment(name) => match std::env::var(name) {
            Ok(value) => Ok(SecretText::new(value)),
            Err(std::env::VarError::NotPresent) => Err(format!("the variable {name} is not set")),
            Err(std::env::VarError::NotUnicode(_)) => {
                Err(format!("the variable {name} is not written in Unicode"))
            }
        },
        Source::File(path) => from_file(path),
        Source::Command(words) => from_command(words).await,
    }
}

/// Opened first and looked at then: nobody can put another file in its place in between.
fn from_file(path: &Path) -> Result<SecretText, String> {
    let shown = path.display();
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = rustix::fs::open(path, flags, Mode::empty());
    let file = std::fs::File::from(file.map_err(|error| format!("{shown} could not be opened: {error}"))?);
    let facts = file.metadata().map_err(|error| format!("{shown} could not be looked at: {error}"))?;
    if !facts.is_file() {
        return Err(format!("{shown} is no file"));
    }
    if facts.uid() != rustix::process::geteuid().as_raw() {
        return Err(format!("{shown} belongs to somebody else"));
    }
    if facts.mode() & 0o077 != 0 {
        return Err(format!("others may use {shown}; make it yours alone by chmod 600"));
    }
    let mut text = Zeroizing::new(String::new());
    let read = file.take(MOST).read_to_string(&mut text);
    read.map_err(|_| format!("{shown} could not be read as text"))?;
    Ok(SecretText::new(text.as_str()))
}

/// Run without a shell. Its first line is the value; what it complains about is shown to nobody, since that may hold the value.
async fn from_command(words: &[String]) -> Result<SecretText, String> {
    let (program, arguments) = words.split_first().ok_or("there is no program")?;
    let mut child = tokio::process::Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("the program could not be run: {}", error.kind()))?;
    let mut output = Zeroizing::new(Vec::new());
    let ended = async {
        if let Some(stdout) = child.stdout.take() {
            let _ = stdout.take(MOST).read_to_end(&mut output).await;
        }
        child.wait().await
    };
    let status = tokio::time::timeout(COMMAND, ended).await;
    let status = status.map_err(|_| format!("the program took longer than {} seconds", COMMAND.as_secs()))?;
    let status = status.map_err(|_| "the program could not be waited for".to_owned())?;
    if !status.success() {
        return Err(format!("the program ended with {status}"));
    }
    let first = output.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let text = str::from_utf8(first).map_err(|_| "the program wrote what is no text".to_owned())?;
    Ok(SecretText::new(text))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn file(mode: u32, text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        (folder, path)
    }

    #[tokio::test]
    async fn a_file_is_read_only_if_nobody_else_can() {
        let (_folder, path) = file(0o600, "xyzzy-42\n");
        assert_eq!(fetch(&Source::File(path)).await.unwrap().expose(), "xyzzy-42\n");
        for mode in [0o640, 0o604, 0o620, 0o666] {
            let (_folder, path) = file(mode, "xyzzy-42\n");
            assert!(fetch(&Source::File(path)).await.unwrap_err().contains("chmod 600"), "{mode:o}");
        }
        let (folder, path) = file(0o600, "xyzzy-42\n");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(fetch(&Source::File(link)).await.is_err());
        assert!(fetch(&Source::File(folder.path().to_owned())).await.is_err());
    }

    #[tokio::test]
    async fn a_program_tells_its_first_line_and_no_shell_reads_it() {
        let run = |words: &[&str]| Source::Command(words.iter().map(|word| (*word).to_owned()).collect());
        let told = fetch(&run(&["printf", "first\\nsecond\\n"])).await.unwrap();
        assert_eq!(told.expose(), "first");
        let told = fetch(&run(&["echo", "$HOME;`id`"])).await.unwrap();
        assert_eq!(told.expose(), "$HOME;`id`");
        let failed = fetch(&run(&["ls", "/nowhere-xyzzy-42"])).await.unwrap_err();
        assert!(!failed.contains("xyzzy"), "{failed}");
    }
}
