//! `legwork run`: does an errand.

mod elsewhere;
mod given;

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::{Args, ValueEnum};
use legwork_runtime::{
    Rules, SessionSettings, WhoConfirms,
    errands::{Indicator, Limits, MicroUsd, Preset, Proof, Someone, Spec, UNSEEN, Vision, mode_of},
};
use legwork_types::{Code, PageUrl, Problem};

use self::given::{Datum, budget, schema, sign};
use crate::{
    browser_args::BrowserArgs,
    commands::mcp::existing,
    errand::{Detail, Job, Report, Terminal, Trace, carry_out, carry_out_in, exit_code},
    front_desk::FrontDesk,
    login_args::LoginArgs,
    model_args::ModelArgs,
    output::{Form, Output},
    plain::plain,
    safety_args::SafetyArgs,
    secret_args::SecretArgs,
    signals::Calls,
};

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
  130  interrupted (SIGINT); 143 terminated (SIGTERM)

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

    /// The most turns of the model [default: that of the kind]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    max_turns: Option<u32>,

    /// The most money, in US dollars [default: that of the kind]
    #[arg(long, value_name = "USD", value_parser = budget)]
    budget: Option<MicroUsd>,

    /// The most tokens, read and written [default: 500000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,

    /// The most time; what people take to answer does not count [default: 3600]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    max_time: Option<u64>,

    /// When the model gets to see a picture of the page
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    vision: VisionArg,

    /// Something that the errand needs and may be typed, for example email=ada@example.com; the model reads it; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    data: Vec<Datum>,

    /// What proves that it is done, on the last page: text:WORDS, title:WORDS or url:PART; may be repeated, one is enough
    #[arg(long, value_name = "SIGN", value_parser = sign)]
    success: Vec<Indicator>,

    /// What proves that it failed, whatever else is there; may be repeated
    #[arg(long, value_name = "SIGN", value_parser = sign)]
    failure: Vec<Indicator>,

    /// A file with the JSON Schema of the answer that you want
    #[arg(long, value_name = "FILE")]
    output_schema: Option<PathBuf>,

    /// Keep the log and the pictures of the errand in this folder
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,

    /// Tell also why, what the model says, and what was sent
    #[arg(long, short)]
    verbose: bool,

    /// Do it in the browser of a server of the Model Context Protocol that this command starts, such as "npx @playwright/mcp",
    /// instead of one of Legwork's own. Legwork does not see what leaves such a browser: you are asked before whatever may settle
    /// something, dry runs and secrets are not available, and a profile of its own is kept (--profile names another)
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["browser", "headed", "no_sandbox", "cdp_endpoint", "login", "allow_upload"])]
    toolbox: Option<String>,

    /// A folder whose files may be uploaded; may be repeated
    #[arg(long, value_name = "FOLDER")]
    allow_upload: Vec<PathBuf>,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    safety: SafetyArgs,

    #[command(flatten)]
    secrets: SecretArgs,

    #[command(flatten)]
    logins: LoginArgs,

    #[command(flatten)]
    browser: BrowserArgs,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VisionArg {
    /// Where words may not be enough: a page seen first, one that draws itself, after a failure
    Auto,
    /// At every turn
    Always,
    /// Never
    Never,
}

impl From<VisionArg> for Vision {
    fn from(vision: VisionArg) -> Self {
        match vision {
            VisionArg::Auto => Self::Auto,
            VisionArg::Always => Self::Always,
            VisionArg::Never => Self::Never,
        }
    }
}

pub(crate) async fn run(args: &RunArgs, calls: &Calls, output: Output) -> Result<u8, Problem> {
    let stop = &calls.off;
    // Whatever can be refused is refused before anything is started or paid for.
    let (browser, file) = args.browser.ruled()?;
    let safety = args.safety.beside(&file)?;
    if safety.who_confirms() == WhoConfirms::Caller {
        let hint = "leave --confirm out, so that a person is asked, or write --confirm nobody";
        return Err(Problem::new(Code::Usage, "the model of an errand can't say yes to itself", hint));
    }
    let mut spec = args.spec()?;
    spec.mode = mode_of(safety.wire().mode);
    if args.toolbox.is_some() {
        elsewhere::may_be(&spec, &args.secrets, &browser.reach())?;
    }
    let vault = Arc::new(args.secrets.vault(&file.secrets, &browser.reach()).await?);
    // Those of the file are not typed elsewhere, but hidden where a page shows them.
    if args.toolbox.is_none() {
        spec.secrets = vault.names();
    }
    let uploads = [args.allow_upload.clone(), file.uploads()].concat();
    let usual = SessionSettings::default();
    let mut settings = SessionSettings {
        // It ends with the errand; while people take their time it stays.
        idle: safety.question_life().max(usual.idle),
        most: 1,
        rules: Rules {
            who_confirms: safety.who_confirms(),
            uploads: uploads.iter().map(|folder| existing(folder)).collect::<Result<_, _>>()?,
        },
        question_life: safety.question_life(),
        vault,
        logins: Arc::new(args.logins.logins(&browser.reach()).await?),
        ..usual
    };
    let mut wire = safety.wire();
    let model = args.model.chosen(&file).await?;
    let trace = args.trace.as_deref().map(Trace::begin).transpose()?;
    let front_desk = FrontDesk::prepare(safety.who_confirms(), &[], output).await?;
    wire.reach.own = front_desk.own();
    settings.wire = Arc::new(wire);
    let sessions = browser.sessions(settings, output)?;
    let _open = front_desk.open(sessions.approvals(), stop, output);
    let people = Terminal::of(output, stop);
    spec.someone = match (&args.toolbox, safety.who_confirms()) {
        (Some(_), WhoConfirms::Nobody) => Someone::Absent,
        _ => people.someone(),
    };
    if output.form == Form::Text {
        output.note(&header(&spec, &model.client.model().name));
        if args.toolbox.is_some() {
            output.note(UNSEEN);
        }
    }
    let report = match (output.form, args.verbose) {
        (Form::Json, _) => Report::News,
        (Form::Text, false) => Report::Progress(Detail::Usual),
        (Form::Text, true) => Report::Progress(Detail::Verbose),
    };
    let job = Job { sessions: &sessions, model: &model, people, trace, report, output };
    let ended = match &args.toolbox {
        Some(command) => {
            let started = elsewhere::start(command, args.browser.profile(), stop).await;
            match started {
                Ok((browser, _folder)) => carry_out_in(spec, job, calls, Some(browser)).await,
                Err(problem) => Err(problem),
            }
        }
        None => carry_out(spec, job, calls).await,
    };
    sessions.shut().await;
    ended.map(|outcome| exit_code(&outcome))
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
            limits: self.limits(),
            vision: self.vision.into(),
            data: self.data.iter().map(|Datum(name, value)| (name.clone(), value.clone())).collect(),
            proof: Proof { failure: self.failure.clone(), success: self.success.clone() },
            answer_schema: self.output_schema.as_deref().map(schema).transpose()?,
            ..Spec::new(&self.goal)
        })
    }

    fn limits(&self) -> Limits {
        let usual = Preset::from(self.kind).limits();
        let millis =
            |seconds: u64| u64::try_from(Duration::from_secs(seconds).as_millis()).unwrap_or(u64::MAX);
        Limits {
            turns: self.max_turns.unwrap_or(usual.turns),
            money: self.budget.unwrap_or(usual.money),
            tokens: self.max_tokens.unwrap_or(usual.tokens),
            millis: self.max_time.map_or(usual.millis, millis),
            ..usual
        }
    }
}

/// What begins now, with what it may take.
fn header(spec: &Spec, model: &str) -> String {
    use legwork_runtime::errands::Mode;
    let mode = match spec.mode {
        Mode::Live => "live: you are asked before what can't be undone is sent",
        Mode::DryRun => "a dry run: what can't be undone is stopped (--live does it for real)",
        Mode::ReadOnly => "read only: nothing is changed anywhere",
        Mode::PlanOnly => "plan only: the first step is told and not done",
    };
    let Limits { turns, money, .. } = spec.limits;
    format!("errand: {}\n{mode}; {}, at most {turns} turns and {money}", plain(&spec.goal), plain(model))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use clap::Parser;

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
