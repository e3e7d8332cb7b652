//! `--toolbox`: the browser of somebody else's server, with a profile that is kept and a folder that is not.

use std::{
    fs::DirBuilder,
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use legwork_mcp::toolbox::{Limits, Toolbox, ToolboxBrowser, ToolboxOptions};
use legwork_runtime::{
    CancellationToken, Reach,
    errands::{Spec, not_elsewhere},
};
use legwork_types::{Code, Problem};

use crate::{
    passing::{self, Passing},
    plain::plain,
    secret_args::SecretArgs,
};

/// What in a command says where its profile is, or that none is kept.
const OWN_PROFILE: [&str; 6] =
    ["--isolated", "--user-data-dir", "--cdp-endpoint", "--endpoint", "--extension", "--config"];

/// Whether this errand can be done in somebody else's browser: whatever Legwork could not keep there is refused before.
pub(crate) fn may_be(spec: &Spec, secrets: &SecretArgs, reach: &Reach) -> Result<(), Problem> {
    let named = if secrets.is_empty() { vec![] } else { vec!["--secret".to_owned()] };
    if let Some(problem) = not_elsewhere(&Spec { secrets: named, ..spec.clone() }) {
        return Err(problem);
    }
    if reach.upstream.is_some() || !reach.resolve.is_empty() {
        let hint = "give the toolbox its own options for that, such as --proxy-server, and leave ours out";
        let message = "a proxy and names of your own do not hold in somebody else's browser";
        return Err(Problem::new(Code::Usage, message, hint));
    }
    Ok(())
}

/// Starts the server.
pub(crate) async fn start(
    command: &str,
    profile: Option<&Path>,
    stop: &CancellationToken,
) -> Result<(ToolboxBrowser, Passing), Problem> {
    let folder = Passing::folder().map_err(|(folder, error)| unusable(&folder, &error))?;
    let options = ToolboxOptions {
        command: command.to_owned(),
        more: vec![],
        profile: profile_of(command, profile)?,
        folder: folder.path().to_owned(),
        owner: passing::mark().to_owned(),
        limits: Limits::default(),
    };
    // Whoever calls it off does not wait for a server that is fetched first; what was started of it ends with the value.
    let toolbox = tokio::select! {
        biased;
        toolbox = Toolbox::connect(&options) => toolbox.map_err(|error| error.problem())?,
        () = stop.cancelled() => {
            return Err(Problem::new(Code::Cancelled, "it was called off before the toolbox was up", "run it again"));
        }
    };
    Ok((ToolboxBrowser::new(toolbox), folder))
}

/// The profile that is kept, so that one logs in once: none where the command has its own, or is no Playwright.
fn profile_of(command: &str, wanted: Option<&Path>) -> Result<Option<PathBuf>, Problem> {
    let has_own = OWN_PROFILE.iter().any(|option| {
        command.split_whitespace().any(|word| word == *option || word.starts_with(&format!("{option}=")))
    });
    match wanted {
        Some(_) if has_own => {
            let hint = "say it once: in the command, or by --profile";
            Err(Problem::new(Code::Usage, "the command of the toolbox has a profile of its own", hint))
        }
        Some(wanted) => made(wanted).map(Some),
        None if has_own || !command.contains("playwright") => Ok(None),
        None => {
            let named = |variable: &str| {
                std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
            };
            let place =
                named("XDG_DATA_HOME").or_else(|| named("HOME").map(|home| home.join(".local/share")));
            let place = place.ok_or_else(|| {
                let hint = "set HOME or XDG_DATA_HOME, or name one by --profile";
                Problem::new(Code::Usage, "there is no folder for the profile of the toolbox", hint)
            })?;
            made(&place.join("legwork/toolbox-profile")).map(Some)
        }
    }
}

/// The folder, for its owner alone.
fn made(folder: &Path) -> Result<PathBuf, Problem> {
    let make = || -> io::Result<PathBuf> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        folder.canonicalize()
    };
    make().map_err(|error| unusable(folder, &error))
}

fn unusable(folder: &Path, error: &io::Error) -> Problem {
    let message = format!("{} can't be used", plain(&folder.display().to_string()));
    Problem::new(Code::OutputFailed, message, "see whether it is yours and has room")
        .because(error.to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_kept_unless_the_command_says_otherwise() {
        let home = tempfile::tempdir().unwrap();
        let wanted = home.path().join("mine");
        for command in
            ["npx @playwright/mcp --isolated", "npx @playwright/mcp --user-data-dir=/x", "other-server"]
        {
            assert_eq!(profile_of(command, None).unwrap(), None, "{command}");
        }
        assert_eq!(
            profile_of("npx @playwright/mcp", Some(&wanted)).unwrap(),
            Some(wanted.canonicalize().unwrap())
        );
        let twice = profile_of("npx @playwright/mcp --isolated", Some(&wanted)).unwrap_err();
        assert_eq!(twice.code, Code::Usage);
    }
}
