//! The page that an observation is about.

use serde::{Deserialize, Serialize};

use super::{ActionId, FrameNumber};
use crate::{PageText, TabId};

/// How far the page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LoadState {
    /// Its text is still coming.
    Loading,
    /// It can be used.
    Interactive,
    /// Nothing is on its way any more.
    NetworkIdle,
}

/// The page as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Host, and port where it is not the usual one.
    pub domain: String,
    /// The address that was asked for.
    pub url: PageText,
    /// The address that it came to.
    pub final_url: PageText,
    /// Its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<PageText>,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<PageText>,
    /// Its first heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_heading: Option<PageText>,
    /// What tells this view of a site from another: address, heading, current entry of the navigation, open dialog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_key: Option<PageText>,
    /// How far it is.
    pub load_state: LoadState,
    /// Whether something lies over the page.
    pub blocking_overlay: BlockingOverlay,
    /// What stands between the visitor and the page.
    pub blockers: Vec<Blocker>,
    /// Its notices.
    pub banners: Vec<Banner>,
    /// Its open dialogs, the topmost first.
    pub modals: Vec<Modal>,
    /// Dialogs of the browser that wait for an answer.
    pub dialogs: Vec<Dialog>,
    /// The frames in it.
    pub frames: Vec<FrameSummary>,
    /// The tabs beside it.
    pub tabs: Vec<Tab>,
    /// What is in sight.
    pub viewport: Viewport,
}

/// Whether something lies over the page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlockingOverlay {
    /// Whether it does.
    pub present: bool,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<PageText>,
}

/// What a blocker wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum BlockerKind {
    /// A yes or no to cookies.
    CookieConsent,
    /// A login.
    LoginRequired,
    /// A proof of being human.
    Captcha,
    /// A second factor.
    Mfa,
    /// An age.
    AgeGate,
    /// A country.
    GeoWall,
    /// A subscription.
    Paywall,
}

/// Something between the visitor and the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Blocker {
    /// What it wants.
    #[serde(rename = "type")]
    pub kind: BlockerKind,
    /// Its words, in short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<PageText>,
    /// What in it can be acted on.
    pub action_ids: Vec<ActionId>,
}

/// How bad a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Something to look at.
    Warning,
    /// Something went wrong.
    Error,
}

/// A notice of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Banner {
    /// How bad.
    pub severity: Severity,
    /// What it says.
    pub text: PageText,
}

/// A dialog over the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Modal {
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<PageText>,
    /// The beginning of what it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<PageText>,
}

/// A dialog of the browser that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// What it says.
    pub message: PageText,
}

/// A frame of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FrameSummary {
    /// Its number.
    pub frame_id: FrameNumber,
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<PageText>,
    /// Its name or title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<PageText>,
    /// Whether it comes from another origin than the page.
    pub cross_origin: bool,
    /// Whether what is in it could not be looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub omitted: bool,
}

/// A tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tab {
    /// Its id.
    pub tab_id: TabId,
    /// Its address.
    pub url: PageText,
    /// Its title.
    pub title: PageText,
    /// Whether it is the one in front.
    pub active: bool,
}

/// What is in sight, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Viewport {
    /// How wide.
    pub width: i32,
    /// How high.
    pub height: i32,
    /// How far the page is scrolled to the right.
    pub scroll_x: i32,
    /// How far it is scrolled down.
    pub scroll_y: i32,
    /// How high the whole page is.
    pub page_height: i32,
}
