//! Runs the benchmarks and fails where a bar does not hold.

// A benchmark is a program for the terminal: printing its figures is its whole job.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod raw;
mod report;
mod start;
mod stats;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Parser;

use report::Comparison;

/// Benchmarks of Legwork against floors that are measured in the same run.
#[derive(Debug, Parser)]
#[command(name = "legwork-bench")]
struct Options {
    /// How many pairs are measured, after the warm-up
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u16).range(15..))]
    runs: u16,

    /// Writes the figures to FILE too, one JSON object per line and benchmark
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("legwork-bench: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether every bar holds.
fn run(options: &Options) -> anyhow::Result<bool> {
    let comparisons = [start::measure(usize::from(options.runs))?];
    let mut lines = String::new();
    for comparison in &comparisons {
        let line = comparison.json().to_string();
        println!("{}\n{line}", comparison.table());
        lines.push_str(&line);
        lines.push('\n');
    }
    if let Some(file) = &options.json {
        std::fs::write(file, lines).with_context(|| format!("{} could not be written", file.display()))?;
    }
    Ok(comparisons.iter().all(Comparison::holds))
}
