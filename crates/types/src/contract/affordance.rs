//! One thing on a page that can be acted on.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::PageText;

/// The number of an affordance within its observation, counted from 1 in order of rank. Means nothing in any other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ActionId(pub u32);

impl fmt::Display for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The number of a frame within its observation: `f0` is the page itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FrameNumber(pub u32);

impl fmt::Display for FrameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.0)
    }
}

impl Serialize for FrameNumber {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What an element is known by when the page is looked at again: a digest of what it is and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The part of a page that something stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Landmark {
    /// A dialog over the page.
    Modal,
    /// A notice that wants attention, such as a cookie banner.
    Banner,
    /// The page's own matter.
    Main,
    /// Ways to other pages.
    Nav,
    /// The foot of the page.
    Footer,
    /// None of these.
    Unknown,
}

/// How much harm an action on it might do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RiskLevel {
    /// Nothing speaks against it.
    Safe,
    /// It may change something.
    Caution,
    /// It may do what can't be undone.
    Danger,
}

/// A level and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Risk {
    /// How much.
    pub level: RiskLevel,
    /// Each reason in a few words of ours.
    pub reasons: Vec<String>,
}

/// Whether something is on. Written as `true`, `false` or `"mixed"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Toggle {
    /// Off.
    Off,
    /// On.
    On,
    /// Partly.
    Mixed,
}

impl Serialize for Toggle {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_bool(false),
            Self::On => serializer.serialize_bool(true),
            Self::Mixed => serializer.serialize_str("mixed"),
        }
    }
}

/// What an input accepts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Constraints {
    /// The type of input: `email`, `number`, `date`, …
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<PageText>,
    /// The pattern that its value must match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<PageText>,
    /// The fewest characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    /// The most characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// The least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<PageText>,
    /// The greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<PageText>,
    /// What can be chosen; the first ones where there are many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<PageText>,
    /// How many can be chosen from, where `options` does not show them all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option_count: Option<u32>,
}

impl Constraints {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A rectangle in CSS pixels of the tab's viewport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ElementRect {
    /// From the left edge.
    pub x: i32,
    /// From the upper edge.
    pub y: i32,
    /// How wide.
    pub width: i32,
    /// How high.
    pub height: i32,
}

/// One thing on a page that can be acted on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Affordance {
    /// Its number in this observation.
    pub action_id: ActionId,
    /// What it is, in the words of accessibility; `clickable` for what has none.
    pub role: String,
    /// What it is called; may be empty.
    pub name: PageText,
    /// Whether a person could see it, perhaps after scrolling.
    pub visible: bool,
    /// Whether it is in sight now.
    pub in_viewport: bool,
    /// Whether it is switched off.
    pub disabled: bool,
    /// How much harm it might do.
    pub risk: Risk,
    /// Where it stands.
    pub landmark: Landmark,
    /// Where it leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<PageText>,
    /// What is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<PageText>,
    /// Whether its value is kept back, if it has one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub value_redacted: bool,
    /// Whether there is a value that is kept back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_value: bool,
    /// Whether it holds what nobody else should see.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// Whether it is ticked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<Toggle>,
    /// Whether it is the chosen one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<bool>,
    /// Whether what belongs to it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<bool>,
    /// Whether it is pressed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressed: Option<Toggle>,
    /// Whether keys go to it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub focused: bool,
    /// Whether its form needs it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether its value is refused by the page.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub invalid: bool,
    /// Whether its value can't be changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub readonly: bool,
    /// Whether something lies over it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub covered: bool,
    /// What it accepts.
    #[serde(skip_serializing_if = "Constraints::is_empty")]
    pub constraints: Constraints,
    /// The words around it by which a person tells it from its like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near_text: Option<PageText>,
    /// The frame that it is in, if not the page itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<FrameNumber>,
    /// Where it is; only when asked for.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<ElementRect>,
    /// Whether there is an element behind it that can be acted on.
    pub targetable: bool,
    /// What it is known by when the page is looked at again.
    pub fingerprint: Fingerprint,
}
