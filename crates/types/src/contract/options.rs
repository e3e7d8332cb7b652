//! What a caller may ask of a look.

use serde::{Deserialize, Serialize};

use super::{ActionId, Landmark, ObservationId};

/// Where the roles and names come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// The best for the page: our own walk.
    #[default]
    Auto,
    /// Chromium's accessibility tree itself: many times slower.
    A11y,
    /// Our own walk.
    Dom,
}

/// How much of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::schema::also_modal))]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// What is in sight.
    Viewport,
    /// All of it.
    #[default]
    Document,
    /// The open dialog alone.
    #[serde(alias = "modal")]
    ModalOnly,
}

/// What to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Include {
    /// The page's text.
    Text,
    /// A picture with the numbers on it.
    Screenshot,
    /// Where everything is.
    Boxes,
}

/// What to look up.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Find {
    /// Words in name, value or the text beside it; a role in front (`button save`) narrows it down.
    Text(String),
    /// A role, and words of the name.
    RoleAndName {
        /// The role.
        role: String,
        /// Words of the name.
        #[serde(default)]
        name: String,
    },
}

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Within {
    /// In or beside this one: its group (row, card, form, dialog).
    Action(ActionId),
    /// In one part of the page.
    Landmark(Landmark),
}

/// Leads to the next part of one look; refused by any other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Cursor(pub String);

/// What a caller may ask of a look.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ObserveOptions {
    /// Where roles and names come from.
    pub mode: Mode,
    /// How much of the page.
    pub scope: Scope,
    /// The most affordances in one part, 1 to 200.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub max_affordances: u32,
    /// The most tokens of the text form.
    pub max_tokens: Option<u32>,
    /// Whether what nobody can see is listed too.
    pub include_hidden: bool,
    /// Whether what is switched off is listed too.
    pub include_disabled: bool,
    /// The next part of an earlier look.
    pub cursor: Option<Cursor>,
    /// An earlier look to compare with.
    pub since: Option<ObservationId>,
    /// What to look up.
    pub find: Option<Find>,
    /// Where to look.
    pub within: Option<Within>,
    /// What to add.
    pub include: Vec<Include>,
}

impl Default for ObserveOptions {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            scope: Scope::default(),
            max_affordances: 50,
            max_tokens: None,
            include_hidden: false,
            include_disabled: true,
            cursor: None,
            since: None,
            find: None,
            within: None,
            include: Vec::new(),
        }
    }
}
