//! `legwork run`: does an errand.

pub(crate) mod elsewhere;
pub(crate) mod given;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use legwork_runtime::errands::{Indicator, Preset, Proof, Spec};
use legwork_types::{Code, PageUrl, Problem};

use self::given::{schema, sign};
use crate::{errand_args::ErrandArgs, output::Output, signals::Calls};

/// Do an errand on the web: plan it, do it step by step, ask before what can't be undone, prove that it is done
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork run \"What does 1 kg of Harbour Light cost?\" --url https://shop.example --mode read-only
  legwork run \"Order 1 kg of Harbour Light\" --url https://shop.example
                                                 a dry run: all is prepared, nothing is ordered
  legwork run \"Order 1 kg of Harbour Light\" --url https://shop.example --live --budget 2
                                                 for real: you are asked before the order is sent
  legwork run \"Cancel my plan\" --url https://stream.example --live --toolbox \"npx @playwright/mcp\"
                                                 in the browser of somebody else's server
  legwork run \"Cancel my plan\" --url https://stream.example --live \\
      --secret password=env:STREAM_PASSWORD@https://stream.example --data email=ada@example.com

Exit codes:
  0    done, and there is proof
  1    failed, or stopped at a limit
  2    the command line, the file of rules or the choice of a model is wrong
  3    there is no browser that could be used
  4    the model says that it is done, and there is no proof
  5    somebody said no, or nobody answered
  6    a dry run or a plan came to its end: what can't be undone was not sent
  129  the terminal was closed (SIGHUP); 130 interrupted (SIGINT); 143 terminated (SIGTERM)

Ctrl-C once: it finishes the step and stops. Twice: it stops at once.")]
pub(crate) struct RunArgs {
    /// The errand, in your words
    goal: String,

    /// Where it begins [default: the planner's choice]
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// What kind of errand it is: how many turns and how much money it may take
    #[arg(long, value_name = "KIND", value_enum, default_value = "general")]
    kind: KindArg,

    /// What proves that it is done, on the last page: text:WORDS, title:WORDS or url:PART; may be repeated, one is enough
    #[arg(long, value_name = "SIGN", value_parser = sign)]
    success: Vec<Indicator>,

    /// What proves that it failed, whatever else is there; may be repeated
    #[arg(long, value_name = "SIGN", value_parser = sign)]
    failure: Vec<Indicator>,

    /// A file with the JSON Schema of the answer that you want
    #[arg(long, value_name = "FILE")]
    output_schema: Option<PathBuf>,

    #[command(flatten)]
    errand: ErrandArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// Something is to be found out: 30 turns, $2
    Extraction,
    /// A form is to be filled in: 50 turns, $3
    Form,
    /// Your own pages are to be looked through: 50 turns, $5
    Dashboard,
    /// A whole way through a site: 100 turns, $5
    E2e,
    /// Anything: 100 turns, $10
    General,
    /// What is done often at one service: 20 turns, $5
    Service,
}

impl From<KindArg> for Preset {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Extraction => Self::Extraction,
            KindArg::Form => Self::Form,
            KindArg::Dashboard => Self::Dashboard,
            KindArg::E2e => Self::EndToEnd,
            KindArg::General => Self::General,
            KindArg::Service => Self::Service,
        }
    }
}

pub(crate) async fn run(args: &RunArgs, calls: &Calls, output: Output) -> Result<u8, Problem> {
    args.errand.carry_out(args.spec()?, None, calls, output).await
}

impl RunArgs {
    /// The errand as it was given.
    fn spec(&self) -> Result<Spec, Problem> {
        if self.goal.trim().is_empty() {
            let hint =
                "say what is to be done: legwork run \"What does it cost?\" --url https://shop.example";
            return Err(Problem::new(Code::Usage, "there is no errand", hint));
        }
        let url = self.url.as_deref().map(PageUrl::parse).transpose();
        let url = url.map_err(|refusal| Problem::from(&refusal))?;
        Ok(Spec {
            start_url: url.map(|url| url.to_string()),
            limits: self.errand.limits(Preset::from(self.kind).limits()),
            vision: self.errand.vision(),
            data: self.errand.data(),
            proof: Proof { failure: self.failure.clone(), success: self.success.clone() },
            answer_schema: self.output_schema.as_deref().map(schema).transpose()?,
            ..Spec::new(&self.goal)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use clap::Parser;
    use legwork_runtime::errands::{Limits, MicroUsd, Vision};

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        run: RunArgs,
    }

    fn spec(words: &[&str]) -> Result<Spec, Problem> {
        Line::try_parse_from(["legwork", "Order it"].iter().chain(words)).unwrap().run.spec()
    }

    #[test]
    fn an_errand_is_what_its_options_say() {
        let spec = spec(&[
            "--url=https://shop.example/a",
            "--kind=extraction",
            "--budget=0.5",
            "--data=email=a=b@example.com",
            "--success=text:Thank you",
            "--failure=url:/error",
            "--vision=never",
            "--max-time=60",
        ])
        .unwrap();
        assert_eq!(spec.start_url.as_deref(), Some("https://shop.example/a"));
        let Limits { turns, money, millis, .. } = spec.limits;
        assert_eq!((turns, money, millis), (30, MicroUsd(500_000), 60_000));
        assert_eq!(spec.data.get("email").map(String::as_str), Some("a=b@example.com"));
        assert_eq!(spec.proof.success, [Indicator::Text("Thank you".into())]);
        assert_eq!((spec.vision, spec.proof.failure.len()), (Vision::Never, 1));
    }

    #[test]
    fn what_is_no_errand_is_refused() {
        for words in
            [["--max-turns=101"], ["--budget=0"], ["--budget=nan"], ["--data=x"], ["--success=maybe"]]
        {
            assert!(Line::try_parse_from(["legwork", "Order it"].iter().chain(&words)).is_err(), "{words:?}");
        }
        assert_eq!(spec(&["--url=file:///etc/passwd"]).unwrap_err().code, Code::NavigationBlocked);
        assert_eq!(Line::try_parse_from(["legwork", " "]).unwrap().run.spec().unwrap_err().code, Code::Usage);
    }
}
