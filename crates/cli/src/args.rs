//! The command line as a whole: commands, and the options that all of them share.

use clap::{Parser, Subcommand};

use crate::{
    commands::{
        completions::CompletionsArgs, demo::DemoArgs, doctor::DoctorArgs, screenshot::ScreenshotArgs,
    },
    output::Color,
};

const EXAMPLES: &str = "\
Examples:
  legwork screenshot https://example.com -o page.jpg    take a picture of a page
  legwork doctor                                        see whether everything is in place
  legwork completions bash > legwork.bash               make completions for a shell

Exit codes:
  0    done
  1    the page or the job failed, or the doctor found a failure
  2    the command line or the address is wrong
  3    there is no browser that could be used
  130  interrupted (SIGINT); 143 terminated (SIGTERM)";

/// A safety-first web agent that drives a real Chromium
#[derive(Debug, Parser)]
#[command(name = "legwork", version, after_help = EXAMPLES, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Write the result, or the error, as one JSON value on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Log to standard error: a level (info, debug) or MODULE=LEVEL, for example legwork_browser=debug
    #[arg(long, global = true, value_name = "FILTER", env = "LEGWORK_LOG")]
    pub(crate) log: Option<String>,

    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = false)]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Screenshot(ScreenshotArgs),
    Doctor(DoctorArgs),
    Demo(DemoArgs),
    Completions(CompletionsArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
