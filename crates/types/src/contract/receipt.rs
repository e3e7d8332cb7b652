//! What an act really did, as far as the browser can tell.

use serde::Serialize;

use super::ActionId;
use crate::{PageText, TabId};

/// What an act really did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receipt {
    /// Whether input left for the page, or the browser was told to do it.
    pub dispatched: bool,
    /// What changed because of it, or at least after it.
    pub effects: Effects,
}

impl Receipt {
    /// Whether nothing at all came of it.
    pub fn is_nothing(&self) -> bool {
        self.effects == Effects::default()
    }
}

impl Serialize for Receipt {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Wire<'a> {
            dispatched: bool,
            nothing: bool,
            #[serde(flatten)]
            effects: &'a Effects,
        }
        Wire { dispatched: self.dispatched, nothing: self.is_nothing(), effects: &self.effects }
            .serialize(serializer)
    }
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Effects {
    /// The tab is somewhere else, or loaded its page again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub navigated: Option<Navigated>,
    /// The document changed.
    pub dom_changed: bool,
    /// What was acted on holds another value, or is ticked or chosen otherwise.
    pub value_changed: bool,
    /// Keys go somewhere else: to what was acted on only where that was the purpose.
    pub focus_moved: bool,
    /// The page, or something in it, is scrolled otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub scrolled: bool,
    /// The fields of a form that hold another value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields_changed: Vec<ActionId>,
    /// What was sent, in order; the first ones where there are many.
    pub requests: Vec<SentRequest>,
    /// How many more were sent.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_requests: u32,
    /// The tab that was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_tab: Option<TabId>,
    /// The tab that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_tab: Option<TabId>,
    /// The tab that was brought to the front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switched_tab: Option<TabId>,
    /// The dialog that came up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog: Option<ShownDialog>,
    /// The file that came down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub download: Option<Download>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// From where to where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Navigated {
    /// Where it was.
    pub from: PageText,
    /// Where it is.
    pub to: PageText,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RequestVerdict {
    /// It was let go.
    Go,
    /// It failed.
    Failed,
    /// It waits for a decision, and has not left.
    Held,
    /// It was turned back before it left.
    Stopped,
}

/// A request that a page sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SentRequest {
    /// Its method.
    pub method: String,
    /// Where to: scheme, host and port.
    pub origin: PageText,
    /// Its path, without what is asked for: that may hold what nobody should see.
    pub path: PageText,
    /// The status of the answer, if there was one in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What became of it.
    pub verdict: RequestVerdict,
}

/// A dialog that came up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownDialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// What it says.
    pub message: PageText,
    /// `accepted`, `dismissed` or `held`: it waits for an answer.
    pub answer: &'static str,
}

/// A file that came down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Download {
    /// Its name.
    pub name: PageText,
    /// Its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Why it was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<&'static str>,
}
