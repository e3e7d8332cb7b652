//! The options of how an errand is done, the same for every command that does one, and the way that all of them take.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use clap::{Args, ValueEnum};
use legwork_runtime::{
    Confines, Rules, SessionSettings, WhoConfirms,
    errands::{Limits, MicroUsd, Mode, Someone, Spec, UNSEEN, Vision, mode_of},
};
use legwork_types::{Code, Problem};

use crate::{
    browser_args::BrowserArgs,
    commands::{
        mcp::existing,
        run::{
            elsewhere,
            given::{Datum, budget},
        },
    },
    errand::{Detail, Job, Report, Terminal, Trace, Window, carry_out, carry_out_in, exit_code},
    front_desk::FrontDesk,
    login_args::LoginArgs,
    model_args::{FallbackArgs, ModelArgs},
    output::{Form, Output},
    plain::plain,
    safety_args::SafetyArgs,
    secret_args::SecretArgs,
    signals::Calls,
};

/// How an errand is done.
#[derive(Debug, Args)]
pub(crate) struct ErrandArgs {
    /// The most turns of the model [default: that of the kind or of the service]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    max_turns: Option<u32>,

    /// The most money, in US dollars [default: that of the kind or of the service]
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

    /// Keep the log and the pictures of the errand in this folder
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,

    /// Tell also why, what the model says, and what was sent
    #[arg(long, short)]
    verbose: bool,

    /// Do it in the browser of a server of the Model Context Protocol that this command starts, such as "npx @playwright/mcp",
    /// instead of one of Legwork's own. Legwork does not see what leaves such a browser: you are asked before whatever may settle
    /// something, dry runs and secrets are not available, and a profile of its own is kept (--profile names another)
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["browser", "headed", "viewport", "no_sandbox", "cdp_endpoint", "login", "allow_upload"])]
    toolbox: Option<String>,

    /// A folder whose files may be uploaded; may be repeated
    #[arg(long, value_name = "FOLDER")]
    allow_upload: Vec<PathBuf>,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    fallback: FallbackArgs,

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

impl ErrandArgs {
    /// What it may take, where this is usual.
    pub(crate) fn limits(&self, usual: Limits) -> Limits {
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

    /// When the model gets to see a picture.
    pub(crate) fn vision(&self) -> Vision {
        self.vision.into()
    }

    /// What was given along.
    pub(crate) fn data(&self) -> BTreeMap<String, String> {
        self.data.iter().map(|Datum(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Does an errand, and says how it went by an exit code. Where it is confined, it goes nowhere else.
    pub(crate) async fn carry_out(
        &self,
        mut spec: Spec,
        confines: Option<Confines>,
        calls: &Calls,
        output: Output,
    ) -> Result<u8, Problem> {
        let stop = &calls.off;
        // Whatever can be refused is refused before anything is started or paid for.
        let (browser, file) = self.browser.ruled()?;
        let safety = self.safety.beside(&file)?;
        if safety.who_confirms() == WhoConfirms::Caller {
            let hint = "leave --confirm out, so that a person is asked, or write --confirm nobody";
            return Err(Problem::new(Code::Usage, "the model of an errand can't say yes to itself", hint));
        }
        spec.mode = mode_of(safety.wire().mode);
        if self.toolbox.is_some() {
            elsewhere::may_be(&spec, &self.secrets, &browser.reach())?;
        }
        let vault = Arc::new(self.secrets.vault(&file.secrets, &browser.reach()).await?);
        let logins = Arc::new(self.logins.logins(&browser.reach()).await?);
        // Secrets for other places are of no use where an errand is confined.
        spec.secrets = match &confines {
            // Those of the file are not typed elsewhere, but hidden where a page shows them.
            _ if self.toolbox.is_some() => vec![],
            Some(_) => vault.names_within(&browser.within(confines.clone()).reach()),
            None => vault.names(),
        };
        let browser = browser.within(confines);
        let uploads = [self.allow_upload.clone(), file.uploads()].concat();
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
            logins,
            ..usual
        };
        let mut wire = safety.wire();
        let model = self.model.chosen(&file).await?;
        let fallback = self.fallback.chosen(&self.model, &file, &model).await?;
        let trace = self.trace.as_deref().map(Trace::begin).transpose()?;
        let front_desk = FrontDesk::prepare(safety.who_confirms(), &[], output).await?;
        wire.reach.own = front_desk.own();
        settings.wire = Arc::new(wire);
        let sessions = browser.sessions(settings, output)?;
        let _open = front_desk.open(sessions.approvals(), stop, output);
        let window = if self.toolbox.is_some() { Window::Toolbox } else { Window::Ours };
        let people = Terminal::of(output, stop).before(window);
        spec.someone = match (&self.toolbox, safety.who_confirms()) {
            (Some(_), WhoConfirms::Nobody) => Someone::Absent,
            _ => people.someone(),
        };
        if output.form == Form::Text {
            let second = fallback.as_ref().map(|one| format!(", or else {}", one.client.model().name));
            let names = format!("{}{}", model.client.model().name, second.unwrap_or_default());
            output.note(&header(&spec, &names));
            if self.toolbox.is_some() {
                output.note(UNSEEN);
            }
        }
        let report = match (output.form, self.verbose) {
            (Form::Json, _) => Report::News,
            (Form::Text, false) => Report::Progress(Detail::Usual),
            (Form::Text, true) => Report::Progress(Detail::Verbose),
        };
        let job = Job {
            sessions: &sessions,
            model: &model,
            fallback: fallback.as_ref(),
            people,
            trace,
            report,
            output,
        };
        let ended = match &self.toolbox {
            Some(command) => match elsewhere::start(command, self.browser.profile(), stop).await {
                Ok((browser, _folder)) => {
                    if browser.toolbox().is_without_profile() {
                        output.warn("the server of the toolbox has no --user-data-dir: what it is logged in with is not kept");
                    }
                    carry_out_in(spec, job, calls, Some(browser)).await
                }
                Err(problem) => Err(problem),
            },
            None => carry_out(spec, job, calls).await,
        };
        sessions.shut().await;
        ended.map(|outcome| exit_code(&outcome))
    }
}

/// What begins now, with what it may take.
fn header(spec: &Spec, model: &str) -> String {
    let mode = match spec.mode {
        Mode::Live => "live: you are asked before what can't be undone is sent",
        Mode::DryRun => "a dry run: what can't be undone is stopped (--live does it for real)",
        Mode::ReadOnly => "read only: nothing is changed anywhere",
        Mode::PlanOnly => "plan only: the first step is told and not done",
    };
    let Limits { turns, money, .. } = spec.limits;
    format!("errand: {}\n{mode}; {}, at most {turns} turns and {money}", plain(&spec.goal), plain(model))
}
