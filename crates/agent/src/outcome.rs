//! How an errand ended.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How an errand ended, for people and programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// In a word.
    pub kind: OutcomeKind,
    /// Why it ended.
    pub reason: Reason,
    /// The same in a sentence.
    pub words: String,
    /// What shows it: what really happened, and who judged it.
    pub evidence: Vec<String>,
    /// The answer, where one was wanted or given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// Who says that it failed, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_declared_by: Option<Declarer>,
    /// How far it had come, where it ended before it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<Checkpoint>,
}

/// How far an errand had come when it ended before it was done: what somebody needs who goes on with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// Where its page was.
    pub url: Option<String>,
    /// Turns that it had taken.
    pub turns: u32,
    /// The last things that it did, in order.
    pub steps: Vec<String>,
    /// The code of what went wrong last.
    pub code: Option<String>,
    /// What went wrong last.
    pub trouble: Option<String>,
}

/// In a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// It is done, and there is proof.
    Verified,
    /// The model says that it is done; there is no proof.
    Unverified,
    /// It could not be done.
    Failed,
    /// Somebody said no.
    Denied,
    /// It ended before it was done.
    Stopped,
}

impl OutcomeKind {
    /// Whether the errand is done, and there is proof of it: the model's word alone is no success.
    pub fn is_verified(self) -> bool {
        self == Self::Verified
    }
}

/// Why an errand ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It came to its end.
    Completed,
    /// What was said to be done could not be proved.
    VerificationFailed,
    /// Somebody said no.
    HumanRejected,
    /// Nobody answered in time.
    NobodyAnswered,
    /// A page wanted to know who one is, and nobody was there to say so.
    LoginRequired,
    /// Somebody called it off.
    Interrupted,
    /// As many turns as there may be.
    MaxTurnsExceeded,
    /// As many tokens as there may be.
    MaxTokensExceeded,
    /// As much money as may be spent.
    BudgetExceeded,
    /// As much time as there may be.
    TimeExceeded,
    /// The model called nothing, several times in a row.
    LlmNoAction,
    /// The model could not be asked.
    LlmError,
    /// The browser is gone, or there is none.
    BrowserError,
    /// The page could not be opened or looked at.
    PageError,
    /// The browser was lost again and again while a page was painted, also where it saved as much memory as it can.
    ResourceExhaustion,
    /// Too much went wrong, or the same again and again.
    Stuck,
    /// A dry run came to what can't be undone.
    DryRun,
    /// A plan was all that was wanted.
    PlanOnly,
}

/// Who says that an errand failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Declarer {
    /// The model itself.
    Agent,
    /// A sign on the page.
    Page,
}
