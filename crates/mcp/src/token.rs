//! The token that a caller over HTTP shows: given by the operator, or made here and left where only this user can read it.

use std::{
    fmt::{self, Write},
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Read, Write as _},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use legwork_runtime::Caller;
use legwork_types::{Code, Problem};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The shortest token that is taken.
const SHORTEST: usize = 16;
/// The longest.
const LONGEST: usize = 512;

/// A token. Never shown by mistake.
#[derive(Clone)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// A token of the operator's own.
    pub fn given(text: &str) -> Result<Self, Problem> {
        let text = text.trim();
        let fits =
            (SHORTEST..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned())).ok_or_else(|| {
            Problem::new(
                Code::Usage,
                "the token can't be used",
                format!("give {SHORTEST} to {LONGEST} visible ASCII characters without blanks"),
            )
        })
    }

    /// The one in a file that nobody else can read.
    pub fn in_file(path: &Path) -> Result<Self, Problem> {
        let refuse = |why: String| {
            let message = format!("the token file {} can't be used", path.display());
            Problem::new(
                Code::Usage,
                message,
                "name a file of your own that nobody else can read (chmod 600)",
            )
            .because(why)
        };
        let file = fs::File::open(path).map_err(|error| refuse(error.to_string()))?;
        let meta = file.metadata().map_err(|error| refuse(error.to_string()))?;
        if !meta.is_file() || meta.mode() & 0o077 != 0 {
            return Err(refuse("others can read or change it, or it is no file".to_owned()));
        }
        let mut text = String::new();
        file.take(4_096).read_to_string(&mut text).map_err(|error| refuse(error.to_string()))?;
        Self::given(&text)
    }

    /// A new one that nobody can guess.
    pub fn made() -> Result<Self, Problem> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            Problem::new(Code::InternalError, "the system gives no random bytes", "give a token of your own")
                .because(error.to_string())
        })?;
        Ok(Self(hex(&bytes)))
    }

    /// Its text, to be told to whoever may call.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Who shows it. The name is a digest: it may stand in logs.
    pub(crate) fn caller(&self) -> Caller {
        Caller::new(&format!("http-{}", hex(&Sha256::digest(self.0.as_bytes())[..8])))
    }

    /// Whether this is it; takes as long for a near miss as for any other.
    pub(crate) fn is(&self, shown: &[u8]) -> bool {
        let [ours, theirs] = [self.0.as_bytes(), shown].map(Sha256::digest);
        ours.ct_eq(&theirs).into()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A file with a token that was made here; it goes when this does.
#[derive(Debug)]
pub struct TokenFile(PathBuf);

impl TokenFile {
    /// Writes the token for the server on this port, where only this user can read it.
    pub fn write(token: &Token, port: u16) -> Result<Self, Problem> {
        let folder = own_folder().map_err(|error| unwritable(&error))?;
        let path = folder.join(format!("mcp-{port}.token"));
        let write = || -> io::Result<()> {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            writeln!(file, "{}", token.0)
        };
        write().map_err(|error| unwritable(&error))?;
        Ok(Self(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn unwritable(error: &io::Error) -> Problem {
    let hint = "give a token of your own with --token-file or LEGWORK_MCP_TOKEN";
    Problem::new(Code::OutputFailed, "the token that was made can't be written down", hint)
        .because(error.to_string())
}

/// `legwork` in the user's folder for such things, or in the cache where there is none.
fn own_folder() -> io::Result<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = named("XDG_RUNTIME_DIR")
        .or_else(|| named("XDG_CACHE_HOME"))
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, "none of XDG_RUNTIME_DIR, XDG_CACHE_HOME and HOME is set")
        })?;
    let folder = base.join("legwork");
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    let meta = fs::symlink_metadata(&folder)?;
    match meta.is_dir() && meta.mode() & 0o022 == 0 {
        true => Ok(folder),
        false => Err(io::Error::new(io::ErrorKind::PermissionDenied, "others may write in its folder")),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn tokens_are_long_plain_and_told_apart() {
        let token = Token::given(" 0123456789abcdef\n").unwrap();
        assert!(token.is(b"0123456789abcdef"));
        for other in [&b""[..], b"0123456789abcdeF", b"0123456789abcde", b"0123456789abcdef0"] {
            assert!(!token.is(other));
        }
        for bad in ["", "short", "with blanks in it, many", "ümlaut-ümlaut-ümlaut"] {
            assert!(Token::given(bad).is_err(), "{bad}");
        }
        let (one, two) = (Token::made().unwrap(), Token::made().unwrap());
        assert!(one.0.len() == 64 && one.0 != two.0 && one.caller() != two.caller());
        assert!(!format!("{one:?} {:?}", one.caller()).contains(&one.0));
    }

    #[test]
    fn a_token_file_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, "0123456789abcdef0123\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(Token::in_file(&file).is_err());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(Token::in_file(&file).unwrap().is(b"0123456789abcdef0123"));
        assert!(Token::in_file(folder.path()).is_err());
        assert!(Token::in_file(&folder.path().join("none")).is_err());
    }
}
