//! `legwork logins`: which logins are saved, and how one is forgotten. Never what is in them.

use std::time::SystemTime;

use clap::{Args, Subcommand};
use legwork_runtime::{SavedLogin, forget_login, saved_logins};
use legwork_types::Problem;
use serde::Serialize;

use crate::{
    exit,
    output::{Form, Output},
    plain::plain,
};

/// List the logins that are saved, or forget one
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  legwork logins                 names, origins and when they were saved
  legwork logins forget shop     removes what is saved under this name

Sessions begin with a saved login by legwork mcp --login NAME@ORIGIN."
)]
pub(crate) struct LoginsArgs {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Remove what is saved under a name; on the site itself nothing is changed
    Forget {
        /// The name, as `legwork logins` lists it
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// One login for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    name: &'a str,
    origins: &'a [String],
    /// Milliseconds of the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    saved_at: Option<u64>,
    /// Why nothing more can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
}

impl<'a> From<&'a SavedLogin> for Listed<'a> {
    fn from(login: &'a SavedLogin) -> Self {
        match &login.label {
            Ok((origins, saved)) => Self { name: &login.name, origins, saved_at: Some(*saved), broken: None },
            Err(why) => {
                Self { name: &login.name, origins: &[], saved_at: None, broken: Some(why.to_string()) }
            }
        }
    }
}

pub(crate) fn run(args: &LoginsArgs, output: Output) -> Result<u8, Problem> {
    match &args.what {
        None => list(output),
        Some(What::Forget { name }) => forget(name, output),
    }
}

fn list(output: Output) -> Result<u8, Problem> {
    #[derive(Serialize)]
    struct All<'a> {
        logins: Vec<Listed<'a>>,
    }
    let saved = saved_logins()?;
    if output.form == Form::Json {
        output.json(&All { logins: saved.iter().map(Into::into).collect() })?;
        return Ok(exit::DONE);
    }
    if saved.is_empty() {
        output.line("no login is saved")?;
    }
    for login in &saved {
        let rest = match &login.label {
            Ok((origins, at)) => format!("{}  saved {} ago", origins.join(", "), age(*at)),
            Err(why) => why.to_string(),
        };
        output.line(&format!("{}  {}", output.strong(&plain(&login.name)), plain(&rest)))?;
    }
    Ok(exit::DONE)
}

fn forget(name: &str, output: Output) -> Result<u8, Problem> {
    #[derive(Serialize)]
    struct Forgotten<'a> {
        forgotten: &'a str,
    }
    forget_login(name)?;
    match output.form {
        Form::Json => output.json(&Forgotten { forgotten: name })?,
        Form::Text => output.line(&format!("{}: forgotten", plain(name)))?,
    }
    Ok(exit::DONE)
}

/// How long ago that was, in the largest unit that says something.
fn age(saved: u64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis();
    let seconds = u64::try_from(now).unwrap_or(u64::MAX).saturating_sub(saved) / 1_000;
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7_199 => format!("{} min", seconds / 60),
        7_200..=172_799 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}
