//! One look at a page, as callers get it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ActionId, Affordance, Cursor, Page};
use crate::{PageText, Timestamp};

/// The version of this contract.
pub const SCHEMA_VERSION: &str = "0.1";

/// Names one look at one page.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ObservationId(pub String);

impl fmt::Display for ObservationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names a session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct SessionId(pub String);

/// One look at a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Observation {
    /// The version of the contract.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_VERSION)))]
    pub schema_version: &'static str,
    /// Its name.
    pub observation_id: ObservationId,
    /// The session that it belongs to.
    pub session_id: SessionId,
    /// When the look was taken.
    pub created_at: Timestamp,
    /// The page as a whole.
    pub page: Page,
    /// Whether the page could not be looked at: it is as it was last known, without what is on it. A dialog waits, or the page
    /// is being left.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// What can be acted on: this part of the whole, best first.
    pub affordances: Vec<Affordance>,
    /// The forms that have fields in this part.
    pub forms: Vec<Form>,
    /// The text of the page, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<PageText>,
    /// What changed since an earlier look, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<Delta>,
    /// What is not in this part, by reason.
    pub omitted: Omitted,
    /// Leads to the next part of the same look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// Whether there is one.
    pub has_more: bool,
}

/// A form, by the numbers of what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Form {
    /// `form1`, `form2`, … in the order of the document.
    pub form_id: String,
    /// What it is called, or the heading over it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<PageText>,
    /// What sends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submit_action_id: Option<ActionId>,
    /// Its fields.
    pub fields: Vec<FormField>,
}

/// A field of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FormField {
    /// Its number.
    pub action_id: ActionId,
}

/// What changed between two looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Delta {
    /// The earlier look.
    pub since: ObservationId,
    /// What is new, by its number now.
    pub added: Vec<Affordance>,
    /// What is gone, by its number then.
    pub removed: Vec<ActionId>,
    /// What is still there but not as it was.
    pub changed: Vec<Change>,
    /// How many more differences there are than are listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Something that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Its number then.
    pub was: ActionId,
    /// As it is now.
    pub now: Affordance,
}

/// How much is not in this part, by reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Omitted {
    /// On other pages of the same look, or outside what was asked for (scope, find, within).
    pub paged: u32,
    /// Controls that nobody can see.
    pub hidden: u32,
    /// Controls and texts beyond what one look may cost.
    pub over_budget: u32,
    /// Frames that could not be looked at.
    pub unreachable_frames: u32,
    /// Elements that might hold a closed shadow root and were not asked.
    pub closed_roots_unchecked: u32,
    /// Texts that nobody can see.
    pub hidden_text: u32,
    /// Disabled controls that were not asked for.
    pub disabled: u32,
}
