//! Which file holds the rules, and its text.

use std::{
    ffi::OsString,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use legwork_runtime::{Distrust, trusted_text};
use legwork_types::{Code, Problem};

/// Below the folder of the user's settings. Never in the current folder: whoever made that folder would make the rules.
const USUAL: &str = "legwork.toml";

/// Which file is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// None.
    None,
    /// This one, which has to be there.
    Named(PathBuf),
    /// This one, if it is there.
    Usual(PathBuf),
}

/// What the command line and the environment say.
pub(super) fn choose(
    named: Option<&Path>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Choice, Problem> {
    if let Some(file) = named {
        return Ok(Choice::Named(file.to_owned()));
    }
    if let Some(file) = variable("LEGWORK_CONFIG") {
        if file.is_empty() {
            let hint = "name a file in it or unset it; --no-config does without a file";
            return Err(Problem::new(Code::ConfigInvalid, "LEGWORK_CONFIG is set and names no file", hint));
        }
        return Ok(Choice::Named(file.into()));
    }
    Ok(settings(variable).map_or(Choice::None, |settings| Choice::Usual(settings.join(USUAL))))
}

/// The folder of Legwork's settings, whether it is there or not.
pub(super) fn settings(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // A relative folder counts as none, as the specification of these folders says.
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let settings = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")));
    settings.map(|settings| settings.join("legwork"))
}

/// The text of the file with its name; none where no file is meant, or the usual one is not there.
pub(super) fn read(choice: Choice) -> Result<Option<(PathBuf, String)>, Problem> {
    let path = match choice {
        Choice::None => return Ok(None),
        Choice::Named(path) => path,
        // A link that leads nowhere is there; what can't be looked at may be there.
        Choice::Usual(path) => match path.symlink_metadata() {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            _ => path,
        },
    };
    match trusted_text(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(Distrust { why, hint }) => {
            let message = format!("the rules in {} can't be read", path.display());
            let hint = format!("{hint}, or name another file by --config; --no-config does without");
            Err(Problem::new(Code::ConfigInvalid, message, hint).because(why))
        }
    }
}
