//! The `legwork` binary: reads the command line, runs one command, ends with an exit code that scripts may rely on.

mod args;
mod broom;
mod browser_args;
mod card;
mod commands;
mod config;
mod errand;
mod errand_args;
mod exit;
mod front_desk;
mod logging;
mod login_args;
mod model_args;
mod output;
mod page_server;
mod passing;
mod picture;
mod plain;
mod prompt;
mod safety_args;
mod secret_args;
mod signals;
mod warnings;

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::error::ErrorKind;
use legwork_types::{Code, Problem};

use self::{
    args::{Cli, Command, color_in},
    broom::Broom,
    commands::services::ServicesCommand,
    output::{Form, Output},
    signals::{Calls, Ended, Signals},
};

/// How long threads that remove files may take after the work is over.
const LAST_THREADS: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    let line: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::read(&line) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error, &line),
    };
    // The standard output of a server holds the protocol alone.
    let json = cli.json && !matches!(cli.command, Command::Mcp(_));
    let form = if json { Form::Json } else { Form::Text };
    let output = Output::new(form, cli.color);
    match run(cli, output) {
        Ok(code) => ExitCode::from(code),
        Err(problem) => {
            output.problem(&problem);
            ExitCode::from(exit::exit_code(problem.code))
        }
    }
}

/// The parser answered itself: help, the version, or what is wrong with the command line.
fn refuse(error: &clap::Error, line: &[OsString]) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // A reader that has gone away is no failure.
            let _ = error.print();
        }
        _ => {
            let json = line.iter().any(|word| word == "--json");
            let form = if json { Form::Json } else { Form::Text };
            Output::new(form, color_in(line)).usage(&error.render().to_string());
        }
    }
    ExitCode::from(if error.exit_code() == 0 { exit::DONE } else { exit::USAGE })
}

fn run(cli: Cli, output: Output) -> Result<u8, Problem> {
    logging::start(cli.log.as_deref(), output)?;
    match &cli.command {
        Command::Completions(args) => {
            commands::completions::run(args);
            return Ok(exit::DONE);
        }
        Command::Broom(args) => return Ok(broom::run(args)),
        _ => {}
    }
    let broom = if cli.command.may_start_a_browser() { Broom::ready() } else { None };
    let system = |error: io::Error| {
        Problem::new(Code::InternalError, "the system refused a basic service", "try again later")
            .because(error.to_string())
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(system)?;
    let (outcome, ended) = runtime
        .block_on(async {
            let signals = Signals::catch()?;
            let calls = Calls::default();
            let finishing = match cli.command {
                // A step that was begun is finished.
                Command::Run(_) | Command::Cancel(_) | Command::Reorder(_) | Command::Demo(_) => {
                    signals::STEP
                }
                Command::Services(ServicesCommand::Run(_)) => signals::STEP,
                _ => signals::TIDYING,
            };
            let work = perform(cli.command, &calls, output);
            Ok(signals.attend(&calls, finishing, output, work).await)
        })
        .map_err(system)?;
    let over = Instant::now();
    runtime.shutdown_timeout(LAST_THREADS);
    // What was cut off is finished by whoever is beside us, once we are gone.
    if over.elapsed() < LAST_THREADS
        && let Some(broom) = broom
    {
        broom.put_away();
    }
    let _ = io::stdout().flush();
    conclude(outcome, ended, output)
}

async fn perform(command: Command, calls: &Calls, output: Output) -> Result<u8, Problem> {
    let cancel = &calls.off;
    match command {
        Command::Run(args) => commands::run::run(&args, calls, output).await,
        Command::Cancel(args) => commands::services::errand::run(&args, Some("cancel"), calls, output).await,
        Command::Reorder(args) => {
            commands::services::errand::run(&args, Some("reorder"), calls, output).await
        }
        Command::Observe(args) => commands::observe::run(&args, cancel, output).await,
        Command::Screenshot(args) => commands::screenshot::run(&args, cancel, output).await,
        Command::Mcp(args) => commands::mcp::run(&args, cancel, output).await,
        Command::Approvals(args) => commands::approvals::list(&args, cancel, output).await,
        Command::Approve(args) => commands::approvals::approve(&args, cancel, output).await,
        Command::Deny(args) => commands::approvals::deny(&args, output).await,
        Command::Config(command) => commands::config::run(&command, output),
        Command::Logins(args) => commands::logins::run(&args, output),
        Command::Services(command) => commands::services::run(&command, calls, output).await,
        Command::Doctor(args) => commands::doctor::run(&args, cancel, output).await,
        Command::Smoke(args) => commands::smoke::run(&args, cancel, output).await,
        Command::Demo(args) => commands::demo::run(&args, calls, output).await,
        Command::Completions(_) | Command::Broom(_) => Ok(exit::DONE),
    }
}

/// A signal decides the exit code, unless the work was done all the same.
fn conclude(
    outcome: Option<Result<u8, Problem>>,
    ended: Option<Ended>,
    output: Output,
) -> Result<u8, Problem> {
    match (outcome, ended) {
        (Some(Err(problem)), Some(ended)) => {
            output.problem(&problem);
            Ok(ended.exit_code())
        }
        (Some(Ok(exit::CALLED_OFF)), Some(ended)) => Ok(ended.exit_code()),
        (Some(outcome), _) => outcome,
        (None, ended) => Ok(ended.map_or(exit::FAILED, Ended::exit_code)),
    }
}
