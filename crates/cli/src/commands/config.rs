//! `legwork config`: says what the file of rules holds, and whether it can be used.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use legwork_runtime::{Mode, SecretSpec, SessionSettings, TelemetryRule, WhoConfirms};
use legwork_types::Problem;
use serde::Serialize;

use crate::{
    browser_args::BrowserArgs,
    config::{ConfigArgs, FileRules, Loaded},
    exit,
    model_args::ModelArgs,
    output::{Form, Output},
    plain::plain,
    safety_args::SafetyArgs,
};

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Read the file and have its examples judged
    #[command(after_help = "Examples:
  legwork config check
  legwork config check ./legwork.toml --json")]
    Check(CheckArgs),
    /// Show what holds: the file, options and variables of the environment together
    #[command(after_help = "Examples:
  legwork config show
  legwork config show --live --deny-host ads.example --json")]
    Show(Box<ShowArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The file [default: the one that would be used]
    file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    safety: SafetyArgs,

    #[command(flatten)]
    browser: BrowserArgs,
}

/// What was found, for programs.
#[derive(Debug, Serialize)]
struct Found<'a> {
    ok: bool,
    file: Option<&'a Path>,
    examples: usize,
    warnings: &'a [String],
}

/// What holds. Secrets by their names alone.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    file: Option<PathBuf>,
    mode: &'static str,
    confirm: &'static str,
    approval_life: u64,
    model: Option<String>,
    base_url: Option<String>,
    prices: Vec<String>,
    sites: Vec<String>,
    prepare: Vec<String>,
    sockets: Vec<String>,
    telemetry: &'static str,
    allow: Vec<String>,
    deny: Vec<String>,
    ports: Vec<u16>,
    private: Vec<String>,
    resolve: Vec<String>,
    upstream: Option<String>,
    uploads: Vec<PathBuf>,
    idle: u64,
    max_sessions: u64,
    max_acts: u64,
    secrets: Vec<ShownSecret>,
}

#[derive(Debug, Serialize)]
struct ShownSecret {
    name: String,
    origins: Vec<String>,
}

pub(crate) fn run(command: &ConfigCommand, output: Output) -> Result<u8, Problem> {
    match command {
        ConfigCommand::Check(args) => check(args, output)?,
        ConfigCommand::Show(args) => show(args, output)?,
    }
    Ok(exit::DONE)
}

fn check(args: &CheckArgs, output: Output) -> Result<(), Problem> {
    let chosen = args.file.clone().map_or_else(ConfigArgs::default, ConfigArgs::naming);
    let Loaded { file, rules } = chosen.load()?;
    let (examples, warnings) = (rules.examples.len(), rules.reach().warnings());
    if output.form == Form::Json {
        return output.json(&Found { ok: true, file: file.as_deref(), examples, warnings: &warnings });
    }
    output.warn_all(&warnings);
    let Some(file) = file else {
        return output.line("There is no file of rules: the defaults hold.");
    };
    let examples = match examples {
        0 => "it has no examples".to_owned(),
        1 => "its example comes out as written".to_owned(),
        count => format!("its {count} examples come out as written"),
    };
    output.line(&format!("{} can be used: {examples}.", plain(&file.display().to_string())))
}

fn show(args: &ShowArgs, output: Output) -> Result<(), Problem> {
    let shown = Shown::of(args)?;
    if output.form == Form::Json {
        return output.json(&shown);
    }
    // Everything here is made of texts, numbers and lists: it is an object.
    let serde_json::Value::Object(lines) = serde_json::to_value(&shown).unwrap_or_default() else {
        return Ok(());
    };
    for (name, value) in lines {
        output.line(&format!("{name}: {}", plain(&in_words(&value))))?;
    }
    Ok(())
}

fn in_words(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null => "none".to_owned(),
        serde_json::Value::Array(all) if all.is_empty() => "none".to_owned(),
        serde_json::Value::Array(all) => all.iter().map(in_words).collect::<Vec<_>>().join(", "),
        serde_json::Value::Object(one) => {
            let parts: Vec<String> = one.values().map(in_words).collect();
            parts.join(" for ")
        }
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl Shown {
    fn of(args: &ShowArgs) -> Result<Self, Problem> {
        let Loaded { file, rules } = args.browser.config().load()?;
        let (browser, safety) = (args.browser.beside(&rules)?, args.safety.beside(&rules)?);
        let (reach, wire, usual) = (browser.reach(), safety.wire(), SessionSettings::default());
        let model = ModelArgs::default().wishes(&rules);
        fn words<T: ToString>(all: &[T]) -> Vec<String> {
            all.iter().map(ToString::to_string).collect()
        }
        Ok(Self {
            file,
            mode: mode_word(wire.mode),
            confirm: who_word(wire.who_confirms),
            approval_life: safety.question_life().as_secs(),
            model: model.model,
            base_url: model.base_url,
            prices: rules.model.prices.keys().cloned().collect(),
            prepare: wire.prepare.iter().map(|rule| format!("{}{}", rule.origin, rule.path)).collect(),
            sites: wire.sites,
            sockets: wire.sockets,
            telemetry: match wire.telemetry {
                TelemetryRule::Drop => "drop",
                TelemetryRule::Go => "go",
            },
            allow: words(&reach.allow),
            deny: words(&reach.deny),
            ports: reach.ports,
            private: words(&reach.private),
            resolve: words(&reach.resolve),
            upstream: reach.upstream.as_ref().map(ToString::to_string),
            uploads: rules.uploads(),
            idle: rules.session.idle.unwrap_or(usual.idle.as_secs()),
            max_sessions: rules.session.most.unwrap_or(usual.most as u64),
            max_acts: rules.session.acts.unwrap_or(usual.most_acts.into()),
            secrets: secrets(&rules),
        })
    }
}

fn secrets(rules: &FileRules) -> Vec<ShownSecret> {
    let shown =
        |spec: &SecretSpec| ShownSecret { name: spec.name().to_owned(), origins: spec.origins().to_vec() };
    rules.secrets.iter().map(shown).collect()
}

fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::ReadOnly => "read-only",
        Mode::DryRun => "dry-run",
        Mode::PlanOnly => "plan-only",
        Mode::Live => "live",
    }
}

fn who_word(who: WhoConfirms) -> &'static str {
    match who {
        WhoConfirms::Nobody => "nobody",
        WhoConfirms::Human => "human",
        WhoConfirms::Caller => "caller",
    }
}
