//! A call to act, what it expects, and what comes back.

use serde::{Deserialize, Serialize};

use super::{Action, ActionId, Observation, ObservationId, ObserveOptions, Receipt, SessionId, Target};
use crate::{PageText, Problem};

/// A call to act.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActRequest {
    /// Where.
    pub session_id: SessionId,
    /// The look that the caller decided on; it must be the session's latest.
    pub observation_id: ObservationId,
    /// On what.
    pub target: Target,
    /// What.
    pub action: Action,
    /// What must be so afterwards.
    #[serde(default)]
    pub expect: Expect,
    /// Why, for the record.
    #[serde(default)]
    pub reason: Option<String>,
    /// Whether the caller says yes to what is dangerous.
    #[serde(default)]
    pub confirm: bool,
    /// The text that was asked for, word for word.
    #[serde(default)]
    pub confirmation_text: Option<String>,
    /// How to look at the page afterwards.
    #[serde(default)]
    pub observe: ObserveOptions,
}

/// What must be so after an act. All that is given must hold; the first that does not is named.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Expect {
    /// The address is another one, or the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_changed: Option<bool>,
    /// The address contains this, in just these letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_contains: Option<String>,
    /// The title contains this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_contains: Option<String>,
    /// The first heading contains this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_contains: Option<String>,
    /// A dialog of the page is open that was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modal_opened: Option<bool>,
    /// A dialog of the page that was open is not any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modal_closed: Option<bool>,
    /// The title of an open dialog contains this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modal_title_contains: Option<String>,
    /// A notice contains this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banner_contains: Option<String>,
    /// More of these can be seen than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element_appeared: Option<ElementPattern>,
    /// Fewer of these can be seen than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element_disappeared: Option<ElementPattern>,
    /// A field holds just this; what is ticked holds `true` or `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_value_equals: Option<ExpectedValue>,
    /// These words are on the page and were not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_appeared: Option<String>,
    /// The page sent this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_sent: Option<RequestPattern>,
}

/// Something on a page, by what it is or is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ElementPattern {
    /// Its role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Words of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What a field should hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExpectedValue {
    /// Its number before the act.
    pub action_id: ActionId,
    /// What it should hold.
    pub value: String,
}

/// A request, by its method and a part of its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestPattern {
    /// The method, in any case of letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// A part of the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// Whether what was expected is so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Whether all of it is.
    pub matched: bool,
    /// Which does not hold and what was expected, or why there is nothing to say.
    pub reason: String,
    /// What is there instead, in the page's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<PageText>,
}

impl Verification {
    /// The reason where nothing was expected.
    pub const NONE_GIVEN: &str = "none given";
}

/// What came of a call to act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ActResponse {
    /// Whether it was done and what was expected is so.
    pub ok: bool,
    /// Why it was not done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Problem>,
    /// What really happened.
    pub receipt: Receipt,
    /// Whether what was expected is so.
    pub verification: Verification,
    /// The page afterwards; none only where there is no page.
    pub next_observation: Option<Observation>,
}
