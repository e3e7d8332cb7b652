//! `legwork completions`: a script that teaches a shell our commands and options.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;

/// Write a completion script for a shell on standard output
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Which shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) {
    // The generator panics where it can't write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "legwork", &mut script);
    let _ = io::stdout().write_all(&script);
}
