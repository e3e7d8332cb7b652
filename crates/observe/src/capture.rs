//! What the browser saw of a page, before anybody made sense of it: a small tree per frame.
//!
//! A frame's tree has texts, controls, groups and the places of further frames. Children come before their parents; they
//! are named by [`NodeRef`]. Groups with fewer than two children are left out unless they mean something.

mod nodes;
mod wire;

use legwork_types::{
    FrameId, PageText, TabId,
    contract::{Dialog, LoadState},
};
use serde::{Deserialize, Serialize};

pub use nodes::{
    Attributes, ButtonFacts, Control, ControlState, Flag, FormFacts, GroupCapture, GroupKind, NodeRef, Owner,
    Rect, Switch,
};

/// Everything seen at one look at one tab.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PageCapture {
    /// The address that was asked for.
    pub requested_url: PageText,
    /// Whether nothing is loading any more.
    pub idle: bool,
    /// The page itself first, parents before children.
    pub frames: Vec<FrameCapture>,
    /// Frames that could not be looked at.
    pub unreachable: Vec<FrameFacts>,
    /// The tabs of the same context.
    pub tabs: Vec<TabFacts>,
    /// Dialogs of the browser that wait for an answer.
    pub dialogs: Vec<Dialog>,
}

/// A frame as the browser knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameFacts {
    /// Its id.
    pub id: FrameId,
    /// The frame that holds it.
    pub parent: Option<FrameId>,
    /// The load that its document came from.
    pub loader: String,
    /// Its address.
    pub url: PageText,
    /// Its name.
    pub name: Option<PageText>,
}

/// A tab as the browser knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabFacts {
    /// Its id.
    pub id: TabId,
    /// Its address.
    pub url: PageText,
    /// Its title.
    pub title: PageText,
    /// Whether it is the one in front.
    pub active: bool,
}

/// What was seen in one frame.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FrameCapture {
    /// Which frame.
    pub facts: FrameFacts,
    /// Which of its parent's owners it is shown by; none for the page itself, or where it is not to be found.
    pub owner: Option<u32>,
    /// What the walker wrote.
    pub look: FrameLook,
}

/// What the walker wrote about one frame.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FrameLook {
    /// The document as a whole.
    pub document: DocumentFacts,
    /// Texts that a person can see.
    pub texts: Vec<PageText>,
    /// What can be acted on, in order of the document.
    pub controls: Vec<Control>,
    /// What holds them together; children before parents.
    pub groups: Vec<GroupCapture>,
    /// Where further frames are shown.
    pub owners: Vec<Owner>,
    /// The document's forms.
    pub forms: Vec<FormFacts>,
    /// What script draws: the part of each canvas that is in sight in its frame. A picture with a name is a text instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surfaces: Vec<Rect>,
    /// The uppermost nodes, in order of the document.
    pub roots: Vec<NodeRef>,
    /// What is not in here.
    pub left_out: LeftOut,
    /// How many elements might hold a closed shadow root and are still to be asked.
    pub candidates: u32,
}

impl FrameLook {
    /// Reads what the walker wrote.
    pub fn read(written: &str) -> Result<Self, serde_json::Error> {
        wire::read(written)
    }
}

/// A document as a whole.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DocumentFacts {
    /// Its address, as it says itself.
    #[serde(rename = "u")]
    pub url: PageText,
    /// What relative addresses start from.
    #[serde(rename = "b")]
    pub base: PageText,
    /// Its title.
    #[serde(rename = "t")]
    pub title: PageText,
    /// Its language.
    #[serde(rename = "l")]
    pub lang: PageText,
    /// `loading`, `interactive` or `complete`.
    #[serde(rename = "s")]
    pub ready_state: String,
    /// Width and height of what is in sight, how far it is scrolled (x, y), width and height of the whole.
    #[serde(rename = "v")]
    pub viewport: [i32; 6],
    /// Which of its parent's frames this is, counted as the parent's `window` counts; none if it isn't counted there.
    #[serde(rename = "i")]
    pub index_in_parent: Option<u32>,
}

/// How much the walker left out, by reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LeftOut {
    /// Controls that nobody can see.
    #[serde(rename = "h", default)]
    pub hidden: u32,
    /// Controls beyond the limits.
    #[serde(rename = "o", default)]
    pub over_budget: u32,
    /// Texts that nobody can see.
    #[serde(rename = "x", default)]
    pub hidden_texts: u32,
    /// Texts beyond the limits, or cut.
    #[serde(rename = "y", default)]
    pub cut_texts: u32,
    /// Elements that might hold a closed shadow root and were not asked.
    #[serde(rename = "u", default)]
    pub closed_roots_unchecked: u32,
}

impl PageCapture {
    /// How far the page is.
    pub fn load_state(&self) -> LoadState {
        match self.frames.first().map(|main| main.look.document.ready_state.as_str()) {
            Some("loading") | None => LoadState::Loading,
            Some(_) if self.idle => LoadState::NetworkIdle,
            Some(_) => LoadState::Interactive,
        }
    }
}
