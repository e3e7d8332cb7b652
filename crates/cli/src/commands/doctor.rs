//! `legwork doctor`: says whether everything is in place, and how to mend what is not.

use clap::Args;
use legwork_runtime::{CancellationToken, Check, DoctorSource, FlagTest, Status, examine};
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
  legwork doctor --self-test
  legwork doctor --cdp-endpoint http://127.0.0.1:9222")]
pub(crate) struct DoctorArgs {
    /// Try once more whether a page can get past the proxy and the barrier [default: only if that is not known]
    #[arg(long, conflicts_with = "cdp_endpoint")]
    self_test: bool,

    #[command(flatten)]
    browser: BrowserArgs,
}

impl DoctorArgs {
    fn flag_test(&self) -> FlagTest {
        if self.self_test { FlagTest::Again } else { FlagTest::IfUnknown }
    }
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
    let source = match &endpoints {
        None => DoctorSource::Launch(&launch, args.flag_test()),
        Some(endpoints) => DoctorSource::Endpoints(endpoints),
    };
    let mut checks: Vec<Check> = rules(&args.browser).into_iter().collect();
    checks.extend(examine(source, cancel).await.map_err(|error| Problem::from(&error))?);
    let failures = checks.iter().filter(|check| check.status == Status::Fail).count();
    match output.form {
        Form::Json => output.json(&Report { ok: failures == 0, checks: &checks })?,
        Form::Text => tell(&checks, failures, output)?,
    }
    Ok(if failures == 0 { exit::DONE } else { exit::FAILED })
}

/// How the file of rules is; nothing where there is none.
fn rules(browser: &BrowserArgs) -> Option<Check> {
    let loaded = browser.config().load().and_then(|loaded| {
        browser.beside(&loaded.rules)?;
        Ok(loaded)
    });
    let (status, finding, mend) = match loaded {
        Ok(loaded) => (Status::Ok, loaded.file?.display().to_string(), None),
        Err(problem) => {
            let cause = problem.cause.map(|cause| format!(" ({cause})")).unwrap_or_default();
            (Status::Fail, format!("{}{cause}", problem.message), Some(problem.hint))
        }
    };
    Some(Check { name: "rules".into(), status, finding, mend })
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
