//! Runs the benchmarks and fails where a bar does not hold.

// A benchmark is a program for the terminal: printing its figures is its whole job.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod act;
mod bars;
mod observe;
mod raw;
mod report;
mod start;
mod stats;
mod think;
mod tokens;
mod wire;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::{Parser, ValueEnum as _};

use report::Report;

/// Benchmarks of Legwork against floors that are measured in the same run.
#[derive(Debug, Parser)]
#[command(name = "legwork-bench")]
struct Options {
    /// Which benchmarks are run; all if none is named
    #[arg(value_enum, value_name = "BENCHMARK")]
    only: Vec<Bench>,

    /// How many pairs are measured, after the warm-up
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u16).range(15..))]
    runs: u16,

    /// Writes the figures to FILE too, one JSON object per line and benchmark
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Opens and observes these two pages, and says how much memory this process then holds
    #[arg(long, num_args = 2, value_names = ["FORM", "TABLE"], hide = true)]
    memory: Option<Vec<String>>,

    /// Runs an errand on this page by the model that is served there, and says what its turns took
    #[arg(long, num_args = 3, value_names = ["PICTURES", "PAGE", "MODEL"], hide = true)]
    errand: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Bench {
    /// From nothing to the first accessibility tree
    Start,
    /// One whole observation, page by page
    Observe,
    /// One act with its receipt and the next observation
    Act,
    /// A turn of an errand besides its model
    Think,
    /// What the gate adds to a request of a page
    Gate,
    /// How much goes through the proxy
    Throughput,
}

impl Bench {
    fn measure(self, runs: usize) -> anyhow::Result<Box<dyn Report>> {
        Ok(match self {
            Bench::Start => Box::new(start::measure(runs)?),
            Bench::Observe => Box::new(observe::measure(runs)?),
            Bench::Act => Box::new(act::measure(runs)?),
            Bench::Think => Box::new(think::measure(runs)?),
            Bench::Gate => Box::new(wire::gate::measure(runs)?),
            Bench::Throughput => Box::new(wire::throughput::measure(runs)?),
        })
    }
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
    if let Some([form, table]) = options.memory.as_deref() {
        println!("{}", serde_json::to_string(&observe::memory::in_this_process(form, table)?)?);
        return Ok(true);
    }
    if let Some([pictures, page, model]) = options.errand.as_deref() {
        let took = think::errand::in_this_process(pictures, page, model)?;
        println!("{}", serde_json::to_string(&took)?);
        return Ok(true);
    }
    let mut lines = String::new();
    let mut hold = true;
    for bench in Bench::value_variants() {
        if !options.only.is_empty() && !options.only.contains(bench) {
            continue;
        }
        let report = bench.measure(usize::from(options.runs))?;
        println!("{}", report.table());
        for line in report.lines() {
            println!("{line}");
            lines.push_str(&format!("{line}\n"));
        }
        println!();
        hold &= report.holds();
    }
    if let Some(file) = &options.json {
        std::fs::write(file, lines).with_context(|| format!("{} could not be written", file.display()))?;
    }
    Ok(hold)
}
