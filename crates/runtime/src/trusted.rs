//! Texts of the operator that say what is allowed and which programs are run: whoever can write in such a file decides that.

use std::{
    fs::{File, Metadata},
    io::Read as _,
    os::unix::fs::MetadataExt as _,
    path::Path,
};

use rustix::{
    fs::{Mode, OFlags},
    process::geteuid,
};

/// The most bytes of a file.
const MOST: u64 = 1024 * 1024;

/// Why a file is not read, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distrust {
    /// Why.
    pub why: String,
    /// What to do.
    pub hint: &'static str,
}

/// The text of a file that only its user can write. Opened first and looked at then: nobody can put another file in its place in between.
pub fn trusted_text(path: &Path) -> Result<String, Distrust> {
    let unreadable =
        |error: std::io::Error| Distrust { why: error.to_string(), hint: "let this user read it" };
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| unreadable(error.into()))?;
    let file = File::from(file);
    let facts = file.metadata().map_err(unreadable)?;
    if !facts.is_file() {
        return Err(Distrust { why: "it is no file".to_owned(), hint: "name the file itself" });
    }
    only_ours("it", &facts)?;
    // Links are followed: who can change the link or what it leads to can change the text.
    let whole = path.canonicalize().map_err(unreadable)?;
    for folder in [path, whole.as_path()].map(folder_of) {
        let facts = folder.metadata().map_err(unreadable)?;
        // In a folder such as /tmp nobody can replace what is ours.
        if facts.mode() & 0o1000 == 0 {
            only_ours("its folder", &facts)?;
        }
    }
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST {
        return Err(Distrust {
            why: format!("it has more than {MOST} bytes"),
            hint: "see whether it is the right file",
        });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = 1 + valid.filter(|byte| **byte == b'\n').count();
        Distrust { why: format!("line {line} is not written in UTF-8"), hint: "save it as UTF-8" }
    })
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn only_ours(what: &str, facts: &Metadata) -> Result<(), Distrust> {
    if ![0, geteuid().as_raw()].contains(&facts.uid()) {
        return Err(Distrust {
            why: format!("{what} belongs to somebody else"),
            hint: "make it yours by chown",
        });
    }
    if facts.mode() & 0o022 != 0 {
        return Err(Distrust {
            why: format!("others may write in {what}"),
            hint: "take that from them by chmod go-w",
        });
    }
    Ok(())
}
