//! The options of how far errands may go, and who is asked.

use std::{ffi::OsStr, time::Duration};

use clap::{Args, ValueEnum};
use legwork_runtime::{
    AfterYes, LONGEST_LIFE, Mode, PrepareRule, TelemetryRule, USUAL_LIFE, WhoConfirms, WireSettings,
};
use legwork_types::{Code, Problem};
use serde::Deserialize;

use crate::config::FileRules;

/// How far errands may go, and who is asked.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Safety")]
pub(crate) struct SafetyArgs {
    /// How far it may go. Short for live: --live [env: LEGWORK_MODE; default: dry-run]
    #[arg(long, value_name = "MODE", value_enum)]
    mode: Option<ModeArg>,

    /// Do things for real: what can't be undone is asked about first (--mode live)
    #[arg(long, conflicts_with = "mode")]
    live: bool,

    /// Who may say yes to what can't be undone [default: human]
    #[arg(long, value_name = "WHO", value_enum)]
    confirm: Option<ConfirmArg>,

    /// How long a question waits for an answer; no answer is a no [default: 86400]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=LONGEST_LIFE.as_secs()))]
    approval_life: Option<u64>,

    /// A further site that errands are about: preparing something there is not asked about; may be repeated
    #[arg(long, value_name = "HOST", value_parser = site)]
    site: Vec<String>,

    /// What is sent there only prepares something, for example https://shop.example/api/wishlist; may be repeated
    #[arg(long, value_name = "ORIGIN/PATH", value_parser = prepare_rule, env = "LEGWORK_ALLOW_PREPARE", value_delimiter = ',')]
    allow_prepare: Vec<PrepareRule>,

    /// Pages of this origin may open sockets when errands are live: nobody can see what goes through them; may be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow_socket: Vec<String>,

    /// Let messages that count visitors through when errands are live
    #[arg(long)]
    allow_telemetry: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ModeArg {
    /// Nothing is written at all
    ReadOnly,
    /// Everything is prepared, nothing is settled
    DryRun,
    /// Pages are looked at and nothing is done to them
    PlanOnly,
    /// Everything is done; what can't be undone is asked about first
    Live,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::ReadOnly => Self::ReadOnly,
            ModeArg::DryRun => Self::DryRun,
            ModeArg::PlanOnly => Self::PlanOnly,
            ModeArg::Live => Self::Live,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ConfirmArg {
    /// Nobody: it is not done
    Nobody,
    /// A person: on the approval page, or by `legwork approve`
    Human,
    /// The caller, by echoing the words asked for; a program can do that: only for callers that you trust
    Caller,
}

/// Not read by the parser of the command line, which would take it for a `--mode` beside `--live`.
const MODE_VARIABLE: &str = "LEGWORK_MODE";

fn mode_of(variable: &OsStr) -> Result<ModeArg, Problem> {
    let mode = variable.to_str().and_then(|text| ModeArg::from_str(text, false).ok());
    mode.ok_or_else(|| {
        let hint = "write read-only, dry-run, plan-only or live in it, or unset it";
        Problem::new(Code::Usage, format!("{MODE_VARIABLE} is no mode"), hint)
    })
}

impl SafetyArgs {
    /// The same where the rules of a file hold too: options and variables are stronger where one value counts, lists are joined.
    pub(crate) fn beside(&self, file: &FileRules) -> Result<Self, Problem> {
        self.beside_variable(std::env::var_os(MODE_VARIABLE).as_deref(), file)
    }

    fn beside_variable(&self, variable: Option<&OsStr>, file: &FileRules) -> Result<Self, Problem> {
        let joined = Self {
            mode: self.mode.or(variable.map(mode_of).transpose()?).or(file.mode),
            live: self.live,
            confirm: self.confirm.or(file.confirm.who),
            approval_life: self.approval_life.or(file.confirm.life),
            site: [self.site.clone(), file.sites()].concat(),
            allow_prepare: [self.allow_prepare.clone(), file.prepare_rules()].concat(),
            allow_socket: [self.allow_socket.clone(), file.sockets()].concat(),
            allow_telemetry: self.allow_telemetry || file.telemetry() == TelemetryRule::Go,
        };
        file.examples.stay_what_they_are(&joined.allow_prepare)?;
        Ok(joined)
    }

    pub(crate) fn who_confirms(&self) -> WhoConfirms {
        match self.confirm {
            Some(ConfirmArg::Nobody) => WhoConfirms::Nobody,
            Some(ConfirmArg::Human) | None => WhoConfirms::Human,
            Some(ConfirmArg::Caller) => WhoConfirms::Caller,
        }
    }

    /// How long a question waits for an answer.
    pub(crate) fn question_life(&self) -> Duration {
        self.approval_life.map_or(USUAL_LIFE, Duration::from_secs)
    }

    /// How far errands may go.
    fn mode(&self) -> Mode {
        if self.live { Mode::Live } else { self.mode.map_or(Mode::default(), Into::into) }
    }

    /// What is allowed on the wire.
    pub(crate) fn wire(&self) -> WireSettings {
        WireSettings {
            mode: self.mode(),
            sites: self.site.clone(),
            prepare: self.allow_prepare.clone(),
            telemetry: if self.allow_telemetry { TelemetryRule::Go } else { TelemetryRule::Drop },
            sockets: self.allow_socket.clone(),
            who_confirms: self.who_confirms(),
            documents: AfterYes::SentAgain,
            ..WireSettings::default()
        }
    }
}

/// The host of a site, without anything else.
pub(crate) fn site(text: &str) -> Result<String, String> {
    let is_plain = !text.chars().any(|c| c.is_whitespace() || "*/@?#:".contains(c));
    let host = url::Host::parse(text).ok().filter(|_| is_plain);
    host.map(|host| host.to_string()).ok_or_else(|| "write a host such as shop.example".to_owned())
}

pub(crate) fn web_address(text: &str) -> Result<url::Url, String> {
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    if !matches!(url.scheme(), "http" | "https") || !is_plain {
        return Err("write an address such as https://shop.example/path".to_owned());
    }
    Ok(url)
}

pub(crate) fn prepare_rule(text: &str) -> Result<PrepareRule, String> {
    let url = web_address(text)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err("only the origin and the path count: leave out what follows".to_owned());
    }
    if url.path() == "/" {
        return Err("name a path: a whole origin would allow everything there".to_owned());
    }
    Ok(PrepareRule { origin: url.origin().ascii_serialization(), path: url.path().to_owned() })
}

pub(crate) fn origin(text: &str) -> Result<String, String> {
    let url = web_address(text)?;
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return Err("write the origin alone, such as https://chat.example".to_owned());
    }
    Ok(url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        safety: SafetyArgs,
    }

    #[test]
    fn an_option_is_stronger_than_the_variable_and_the_variable_than_the_file() {
        let mut file = FileRules::default();
        file.mode = Some(ModeArg::PlanOnly);
        let line =
            |words: &str| Line::try_parse_from(["legwork"].into_iter().chain(words.split_whitespace()));
        for (words, variable, mode) in [
            ("", None, Mode::PlanOnly),
            ("", Some("read-only"), Mode::ReadOnly),
            ("--live", Some("dry-run"), Mode::Live),
            ("--mode dry-run", Some("live"), Mode::DryRun),
        ] {
            let safety = line(words).unwrap().safety.beside_variable(variable.map(OsStr::new), &file);
            assert_eq!(safety.unwrap().mode(), mode, "{words} {variable:?}");
        }
        assert!(line("--live --mode dry-run").is_err(), "two words for one thing");
        for variable in ["", "alive", "LIVE"] {
            let problem = line("").unwrap().safety.beside_variable(Some(OsStr::new(variable)), &file);
            assert!(problem.unwrap_err().message.contains("LEGWORK_MODE"), "{variable}");
        }
    }

    #[test]
    fn rules_name_one_path_of_one_origin() {
        let rule = prepare_rule("https://Shop.example/api/wishlist").unwrap();
        assert_eq!((&*rule.origin, &*rule.path), ("https://shop.example", "/api/wishlist"));
        for wrong in [
            "https://shop.example",
            "https://shop.example/",
            "shop.example/a",
            "ftp://a/b",
            "https://a@b/c",
            "https://a/b?c",
        ] {
            assert!(prepare_rule(wrong).is_err(), "{wrong}");
        }
        assert_eq!(origin("https://chat.example").unwrap(), "https://chat.example");
        assert!(origin("https://chat.example/x").is_err());
    }
}
