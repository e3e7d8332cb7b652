//! The command line as a whole: commands, and the options that all of them share.

use std::ffi::OsString;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::{
    broom::BroomArgs,
    commands::{
        approvals::{ApprovalsArgs, ApproveArgs, DenyArgs},
        completions::CompletionsArgs,
        config::ConfigCommand,
        demo::DemoArgs,
        doctor::DoctorArgs,
        logins::LoginsArgs,
        mcp::McpArgs,
        observe::ObserveArgs,
        run::RunArgs,
        screenshot::ScreenshotArgs,
        services::{ServicesCommand, errand::ServiceErrandArgs},
        smoke::SmokeArgs,
    },
    output::Color,
};

const EXAMPLES: &str = "\
Examples:
  legwork run \"Order 1 kg of coffee\" --url https://…    do an errand; a dry run unless --live
  legwork cancel netflix                                do what is known of a service, by its name
  legwork observe https://example.com                   list what can be done on a page
  legwork screenshot https://example.com -o page.jpg    take a picture of a page
  legwork mcp                                           serve a browser to a model's client
  legwork approvals                                     see what waits for your yes
  legwork services list                                 see what is known of services, by name
  legwork doctor                                        see whether everything is in place
  legwork completions bash > legwork.bash               make completions for a shell

Exit codes:
  0    done
  1    the page or the job failed, or the doctor found a failure
  2    the command line, the address, the file of rules or that of a service is wrong
  3    there is no browser that could be used
  4    an errand is said to be done, and there is no proof
  5    somebody said no to what an errand would have done, or nobody answered
  6    a dry run or a plan came to its end: what can't be undone was not sent
  129  the terminal was closed (SIGHUP); 130 interrupted (SIGINT); 143 terminated (SIGTERM)";

/// A safety-first web agent that drives a real Chromium
#[derive(Debug, Parser)]
#[command(name = "legwork", version, after_help = EXAMPLES, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Write the result, or the error, as one JSON value on standard output
    #[arg(long, global = true, display_order = 900)]
    pub(crate) json: bool,

    /// Log to standard error: a level (info, debug) or MODULE=LEVEL, for example legwork_browser=debug
    #[arg(long, global = true, display_order = 901, value_name = "FILTER", env = "LEGWORK_LOG")]
    pub(crate) log: Option<String>,

    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, display_order = 902, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

impl Cli {
    /// Reads the command line. The parser's own answers have the colours that the line itself asks for.
    pub(crate) fn read(line: &[OsString]) -> Result<Self, clap::Error> {
        let colors = match color_in(line) {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        let matches = Self::command().color(colors).try_get_matches_from(line)?;
        Self::from_arg_matches(&matches)
    }
}

/// What the line says about colours, for answers to lines that can't be read as a whole.
pub(crate) fn color_in(line: &[OsString]) -> Color {
    let words: Vec<&str> = line.iter().filter_map(|word| word.to_str()).collect();
    let spelled = words.iter().find_map(|word| word.strip_prefix("--color="));
    let apart = || words.iter().zip(words.iter().skip(1)).find(|(word, _)| **word == "--color");
    let value = spelled.or_else(|| apart().map(|(_, value)| *value));
    value.and_then(|value| Color::from_str(value, true).ok()).unwrap_or_default()
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(Box<RunArgs>),
    /// Cancel something at a service, such as a membership: legwork cancel netflix
    #[command(after_help = "Examples:
  legwork cancel netflix                                 a dry run: as far as the last step
  legwork cancel netflix --live --headed                 for real: you are asked before it is sent
  legwork cancel netflix --live --profile ~/netflix --data reason=\"too dear\"
  legwork cancel --service-file ./my-gym.toml

Which there are: legwork services list. Exit codes: as of legwork run.")]
    Cancel(Box<ServiceErrandArgs>),
    /// Order something again at a service: legwork reorder coffee
    #[command(after_help = "Examples:
  legwork reorder coffee                                 a dry run: all is prepared, nothing is ordered
  legwork reorder coffee --live --data subscription=596215

Which there are: legwork services list. Exit codes: as of legwork run.")]
    Reorder(Box<ServiceErrandArgs>),
    Observe(ObserveArgs),
    Screenshot(ScreenshotArgs),
    Mcp(Box<McpArgs>),
    Approvals(ApprovalsArgs),
    Approve(ApproveArgs),
    Deny(DenyArgs),
    /// See what your file of rules says, and whether it does what you mean
    #[command(subcommand)]
    Config(ConfigCommand),
    Logins(LoginsArgs),
    /// See which services there are, whether their files can be used, and begin one
    #[command(subcommand)]
    Services(ServicesCommand),
    Doctor(DoctorArgs),
    Smoke(SmokeArgs),
    Demo(DemoArgs),
    Completions(CompletionsArgs),
    #[command(hide = true)]
    Broom(BroomArgs),
}

impl Command {
    /// Whether a browser may be started for it.
    pub(crate) fn may_start_a_browser(&self) -> bool {
        match self {
            Self::Run(_)
            | Self::Cancel(_)
            | Self::Reorder(_)
            | Self::Observe(_)
            | Self::Screenshot(_)
            | Self::Mcp(_)
            | Self::Services(ServicesCommand::Run(_))
            | Self::Doctor(_)
            | Self::Smoke(_)
            | Self::Demo(_) => true,
            Self::Approvals(_)
            | Self::Approve(_)
            | Self::Deny(_)
            | Self::Config(_)
            | Self::Logins(_)
            | Self::Services(_)
            | Self::Completions(_)
            | Self::Broom(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_wish_for_colours_is_found_in_any_line() {
        for (line, color) in [
            ("legwork", Color::Auto),
            ("legwork --color never doctor", Color::Never),
            ("legwork nonsense --color=always", Color::Always),
            ("legwork --color sometimes", Color::Auto),
            ("legwork --color", Color::Auto),
        ] {
            let words: Vec<OsString> = line.split(' ').map(Into::into).collect();
            assert_eq!(color_in(&words), color, "{line}");
        }
    }
}
