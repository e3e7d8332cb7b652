//! `legwork services`: which services there are, what one does, whether a file can be used, and how one is begun.

mod begin;
pub(crate) mod errand;
mod show;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use legwork_runtime::{
    Status,
    services::{Entry, Registry, Service, Source},
};
use legwork_types::Problem;
use serde::Serialize;

use crate::{
    config::services_folder,
    exit,
    output::{Form, Output},
    plain::plain,
    signals::Calls,
};

#[derive(Debug, Subcommand)]
pub(crate) enum ServicesCommand {
    /// List the services: those that come with the program, and those of your folder
    #[command(after_help = "Examples:
  legwork services list
  legwork services list --json

Your folder: legwork/services in $XDG_CONFIG_HOME or ~/.config, a file NAME.toml for each.")]
    List,
    /// Show what a service does, where it may go, and what it is known by
    #[command(after_help = "Examples:
  legwork services show netflix
  legwork services show --service-file ./my-gym.toml --json")]
    Show(ShowArgs),
    /// Do what a service is for, whatever its verb is
    #[command(after_help = "Examples:
  legwork services run netflix
  legwork services run my-gym --live --data reason=moving

Exit codes: as of legwork run.")]
    Run(Box<errand::ServiceErrandArgs>),
    /// Say whether the file of a service can be used; without one, whether all can
    #[command(after_help = "Examples:
  legwork services check
  legwork services check ./my-gym.toml --json")]
    Check(CheckArgs),
    /// Begin the file of a service in your folder, from a template
    #[command(after_help = "Examples:
  legwork services new my-gym
  legwork services new my-gym --out ./my-gym.toml")]
    New(begin::NewArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The name of the service
    #[arg(value_name = "NAME", required_unless_present = "service_file", conflicts_with = "service_file")]
    name: Option<String>,

    /// The file that describes it, instead of a name
    #[arg(long, value_name = "FILE")]
    service_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The file [default: all services]
    file: Option<PathBuf>,
}

/// One service for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    verb: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    /// None where it comes with the program.
    file: Option<&'a Path>,
    ok: bool,
    /// Why it can't be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Problem>,
}

impl<'a> From<&'a Entry> for Listed<'a> {
    fn from(entry: &'a Entry) -> Self {
        let service = entry.service.as_ref();
        Self {
            name: &entry.name,
            verb: service.map(|service| service.verb.as_str()).ok(),
            description: service.map(|service| service.description.as_str()).ok(),
            file: match &entry.source {
                Source::Bundled => None,
                Source::File(path) => Some(path),
            },
            ok: service.is_ok(),
            error: service.err(),
        }
    }
}

/// What was found, for programs.
#[derive(Debug, Serialize)]
struct Found<'a> {
    ok: bool,
    services: Vec<Listed<'a>>,
}

pub(crate) async fn run(command: &ServicesCommand, calls: &Calls, output: Output) -> Result<u8, Problem> {
    match command {
        ServicesCommand::List => list(output)?,
        ServicesCommand::Show(args) => show(args, output)?,
        ServicesCommand::Run(args) => return errand::run(args, None, calls, output).await,
        ServicesCommand::Check(args) => return check(args, output),
        ServicesCommand::New(args) => begin::run(args, output)?,
    }
    Ok(exit::DONE)
}

fn registry() -> Result<Registry, Problem> {
    Registry::load(services_folder().as_deref())
}

fn list(output: Output) -> Result<(), Problem> {
    #[derive(Serialize)]
    struct All<'a> {
        services: Vec<Listed<'a>>,
    }
    let registry = registry()?;
    let entries = registry.entries();
    if output.form == Form::Json {
        return output.json(&All { services: entries.iter().map(Into::into).collect() });
    }
    for entry in entries {
        let name = output.strong(&plain(&entry.name));
        match &entry.service {
            Ok(service) => {
                let command = errand::command_of(service);
                output.line(&format!(
                    "{name}  {}  ({}, {command})",
                    plain(&service.description),
                    from(entry)
                ))?;
            }
            Err(problem) => output.line(&format!("{name}  can't be used: {}", plain(&told(problem))))?,
        }
    }
    Ok(())
}

fn show(args: &ShowArgs, output: Output) -> Result<(), Problem> {
    let service = named(args.service_file.as_deref(), args.name.as_deref())?;
    match output.form {
        Form::Json => output.json(&service),
        Form::Text => show::lines(&service, output).iter().try_for_each(|line| output.line(line)),
    }
}

/// The service of a file, or of this name.
fn named(file: Option<&Path>, name: Option<&str>) -> Result<Service, Problem> {
    let (registry, name) = match (file, name) {
        (Some(file), _) => {
            let registry = Registry::of_file(file)?;
            let name = registry.entries().first().map(|entry| entry.name.clone()).unwrap_or_default();
            (registry, name)
        }
        (None, name) => (registry()?, name.unwrap_or_default().to_owned()),
    };
    registry.get(&name).cloned()
}

fn check(args: &CheckArgs, output: Output) -> Result<u8, Problem> {
    let registry = match &args.file {
        Some(file) => Registry::of_file(file)?,
        None => registry()?,
    };
    let entries = registry.entries();
    let ok = entries.iter().all(|entry| entry.service.is_ok());
    let code = if ok { exit::DONE } else { exit::USAGE };
    if output.form == Form::Json {
        output.json(&Found { ok, services: entries.iter().map(Into::into).collect() })?;
        return Ok(code);
    }
    for entry in entries {
        let (status, finding) = match &entry.service {
            Ok(_) => (Status::Ok, from(entry)),
            Err(problem) => (Status::Fail, format!("{}; next: {}", told(problem), problem.hint)),
        };
        output.line(&format!("{}  {}  {}", output.status(status), plain(&entry.name), plain(&finding)))?;
    }
    Ok(code)
}

/// Where it is described.
fn from(entry: &Entry) -> String {
    match &entry.source {
        Source::Bundled => "comes with the program".to_owned(),
        Source::File(path) => plain(&path.display().to_string()),
    }
}

/// What is wrong, on one line.
fn told(problem: &Problem) -> String {
    match &problem.cause {
        Some(cause) => format!("{}: {cause}", problem.message),
        None => problem.message.clone(),
    }
}
