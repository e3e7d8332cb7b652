//! `legwork doctor`: says whether everything is in place, and how to mend what is not.

use clap::Args;
use legwork_runtime::{CancellationToken, Check, DoctorSource, Status, examine};
use legwork_types::Problem;
use serde::Serialize;

use crate::{
    browser_args::BrowserArgs,
    exit,
    output::{Form, Output},
    plain::plain,
};

/// See whether a browser can be used here, and how to mend what stands in the way
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork doctor
  legwork doctor --json
  legwork doctor --cdp-endpoint http://127.0.0.1:9222")]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    browser: BrowserArgs,
}

/// The result for programs.
#[derive(Debug, Serialize)]
struct Report<'a> {
    ok: bool,
    checks: &'a [Check],
}

pub(crate) async fn run(
    args: &DoctorArgs,
    cancel: &CancellationToken,
    output: Output,
) -> Result<u8, Problem> {
    let endpoints = args.browser.endpoints()?;
    let launch = args.browser.launch();
    let source = match endpoints.is_empty() {
        true => DoctorSource::Launch(&launch),
        false => DoctorSource::Endpoints(&endpoints),
    };
    let checks = examine(source, cancel).await.map_err(|error| Problem::from(&error))?;
    let failures = checks.iter().filter(|check| check.status == Status::Fail).count();
    match output.form {
        Form::Json => output.json(&Report { ok: failures == 0, checks: &checks })?,
        Form::Text => tell(&checks, failures, output)?,
    }
    Ok(if failures == 0 { exit::DONE } else { exit::FAILED })
}

fn tell(checks: &[Check], failures: usize, output: Output) -> Result<(), Problem> {
    for check in checks {
        let Check { name, status, finding, mend } = check;
        let lines: Vec<String> = finding.trim().lines().map(plain).collect();
        let finding = lines.join("\n                  ");
        output.line(&format!("{}  {name:<10}  {finding}", output.status(*status)))?;
        if let Some(mend) = mend {
            output.line(&format!("                  mend: {}", plain(mend)))?;
        }
    }
    output.line(&match failures {
        0 => output.strong("A browser can be used here."),
        1 => output.strong("1 check failed."),
        count => output.strong(&format!("{count} checks failed.")),
    })
}
