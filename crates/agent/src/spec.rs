//! What an errand is: the goal, how far it may go, and what it may take.

use std::collections::BTreeMap;

use legwork_types::model::MicroUsd;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::service::ServiceRules;

/// An errand, as somebody gave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spec {
    /// What is to be done, in the user's words.
    pub goal: String,
    /// Where it begins, if the user said so.
    pub start_url: Option<String>,
    /// How far it may go.
    pub mode: Mode,
    /// What it may take.
    pub limits: Limits,
    /// When the model gets to see a picture.
    pub vision: Vision,
    /// What the user gave along.
    pub data: BTreeMap<String, String>,
    /// The names of secrets that may be typed.
    pub secrets: Vec<String>,
    /// What proves success or failure, where somebody said so.
    pub proof: Proof,
    /// The JSON Schema of the answer, where one is wanted.
    pub answer_schema: Option<Value>,
    /// Whether anybody can be asked.
    pub someone: Someone,
    /// What a service adds to it, where it is one of a service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceRules>,
}

impl Spec {
    /// A live errand with this goal and nothing else said.
    pub fn new(goal: &str) -> Self {
        Self {
            goal: goal.to_owned(),
            start_url: None,
            mode: Mode::Live,
            limits: Limits::GENERAL,
            vision: Vision::Auto,
            data: BTreeMap::new(),
            secrets: vec![],
            proof: Proof::default(),
            answer_schema: None,
            someone: Someone::Absent,
            service: None,
        }
    }
}

/// How far an errand may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Up to the first act, which is told and not done.
    PlanOnly,
    /// Nothing that changes anything anywhere.
    ReadOnly,
    /// Up to what can't be undone, which is told and not done.
    DryRun,
    /// To the end; people are asked before what can't be undone.
    Live,
}

/// When the model gets to see a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vision {
    /// Where words may not be enough: a page that is seen first, one that draws itself, after a failure.
    Auto,
    /// At every look.
    Always,
    /// Never.
    Never,
}

/// Whether anybody can be asked while the errand runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Someone {
    /// Somebody is there.
    Present,
    /// Nobody is.
    Absent,
}

/// What an errand may take. It stops, or asks, before it would take more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Turns of the model.
    pub turns: u32,
    /// Turns after what was said to be the end of the preparations was approved.
    pub turns_after_approval: u32,
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money.
    pub money: MicroUsd,
    /// Milliseconds from the beginning.
    pub millis: u64,
}

/// Kinds of errands with limits of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// Something is to be found out.
    Extraction,
    /// A form is to be filled.
    Form,
    /// Somebody's own pages are to be looked through.
    Dashboard,
    /// A whole way through a site.
    EndToEnd,
    /// Anything.
    General,
    /// What is done often at one service.
    Service,
}

impl Preset {
    /// Its name.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "extraction" => Self::Extraction,
            "form" => Self::Form,
            "dashboard" => Self::Dashboard,
            "e2e" => Self::EndToEnd,
            "general" => Self::General,
            "service" => Self::Service,
            _ => return None,
        })
    }

    /// Its limits.
    pub const fn limits(self) -> Limits {
        let (turns, dollars) = match self {
            Self::Extraction => (30, 2),
            Self::Form => (50, 3),
            Self::Dashboard => (50, 5),
            Self::EndToEnd => (100, 5),
            Self::General => (100, 10),
            Self::Service => (20, 5),
        };
        Limits {
            turns,
            turns_after_approval: 4,
            tokens: 500_000,
            money: MicroUsd(dollars * 1_000_000),
            millis: 60 * 60 * 1_000,
        }
    }
}

impl Limits {
    /// The limits of any errand.
    pub const GENERAL: Self = Preset::General.limits();
}

/// What proves that an errand failed or succeeded. It outranks whatever a model says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    /// Any of these on the last page: it failed. Asked first.
    pub failure: Vec<Indicator>,
    /// Any of these on the last page: it succeeded.
    pub success: Vec<Indicator>,
}

/// A sign on a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Indicator {
    /// The address contains this.
    Url(String),
    /// The title contains this, in any case of letters.
    Title(String),
    /// The page says this, in any case of letters.
    Text(String),
}
