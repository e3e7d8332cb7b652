//! A page with its frames put together and everything understood, in the order of the document; not ranked yet.

mod banners;
mod bars;
mod blockers;
mod build;
mod columns;
mod consent;
mod dialogs;
mod fingerprint;
mod forms;
mod frames;
mod identity;
mod items;
mod landmarks;
mod mask;
mod naming;
mod near_text;
mod outline;
mod pen;
mod purpose;
mod risk;
mod roles;
mod sensitive;
mod stage;
mod survey;
mod tree;
mod veiled;
mod words;

use std::sync::Arc;

use legwork_types::{
    FieldPurpose, FrameId, PageText,
    contract::{Affordance, BlockerKind, ElementRect, FrameNumber, Landmark, Omitted, Page, Risk},
};

pub use blockers::calls_for;
pub(crate) use identity::without_counts;
pub(crate) use mask::is_masked;
pub use risk::risk_of_words;
pub(crate) use roles::Use;
pub use sensitive::are_for_a_code;
pub use veiled::{FramePlace, Veiled};

/// The place of an item in [`Scene::items`].
pub type ItemIndex = usize;

/// The place of a group in [`Scene::groups`].
pub type GroupIndex = usize;

/// A page understood.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The page as a whole; its blockers are apart because their controls have no numbers yet.
    pub page: Page,
    /// What stands between the visitor and the page.
    pub blockers: Vec<SceneBlocker>,
    /// What can be acted on, in order of the document, hidden things included where the capture has them.
    pub items: Vec<Item>,
    /// What holds items and texts together; parents before children. The first one is the page.
    pub groups: Vec<Group>,
    /// Everything that a reader sees, in order of the document.
    pub outline: Vec<OutlineLine>,
    /// Forms that have at least one control.
    pub forms: Vec<SceneForm>,
    /// What the capture left out.
    pub omitted: Omitted,
    /// Where the page shows what nobody is told.
    pub veiled: Veiled,
    /// What script draws and no words tell: the parts of it that are in sight of the tab.
    pub surfaces: Vec<ElementRect>,
}

/// Something that can be acted on.
#[derive(Debug, Clone)]
pub struct Item {
    /// As callers will see it; its number is 0 until it is ranked, its rect is always there.
    pub affordance: Affordance,
    /// The element behind it.
    pub element: Option<ElementRef>,
    /// The group that it stands in.
    pub group: GroupIndex,
    /// The form that it belongs to, by its place in [`Scene::forms`].
    pub form: Option<usize>,
    /// Whether its name says no more than to go on, or nothing: what it does is written beside it.
    pub says_little: bool,
    /// How much harm Enter might do in it besides pressing it: it may send what it is a field of.
    pub sends: Option<Risk>,
    /// What it is for, as a field.
    pub purpose: FieldPurpose,
    /// Whether it shows dots in the place of what is in it.
    pub shows_dots: bool,
    /// Whether it shows what nobody is told.
    pub veiled: bool,
}

/// An element as the walker kept it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ElementRef {
    /// The frame.
    pub frame: FrameId,
    /// The load that the frame's document came from: in another document the index means nothing.
    pub loader: Arc<str>,
    /// Its place in the walker's list.
    pub index: u32,
    /// What it was, as [`crate::capture::Control::identity`] tells it: it must still be that when something is done to it.
    pub identity: u64,
}

/// Things that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The group around it; none for the page.
    pub parent: Option<GroupIndex>,
    /// What it is.
    pub kind: crate::capture::GroupKind,
    /// What it is called, if it is worth a line: the name of a dialog, form, region, fieldset, frame.
    pub label: Option<PageText>,
    /// The part of the page.
    pub landmark: Landmark,
    /// The frame that its texts and controls belong to; none for the page itself.
    pub frame: Option<FrameNumber>,
    /// The form that it is, by its place in [`Scene::forms`].
    pub form: Option<usize>,
}

/// One line of what a reader sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineLine {
    /// The group that it stands in.
    pub group: GroupIndex,
    /// What it says.
    pub line: Line,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A heading that is no control.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its words.
        text: PageText,
    },
    /// A text.
    Text(PageText),
    /// An item.
    Control(ItemIndex),
}

/// Something between the visitor and the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneBlocker {
    /// What it wants.
    pub kind: BlockerKind,
    /// Its words, in short.
    pub text: Option<PageText>,
    /// What in it can be acted on.
    pub items: Vec<ItemIndex>,
}

/// A form with at least one control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneForm {
    /// What it is called, or the heading over it.
    pub section: Option<PageText>,
    /// What sends it.
    pub submit: Option<ItemIndex>,
    /// Its fields.
    pub fields: Vec<ItemIndex>,
    /// Where it may be sent: whole addresses. Empty where only script knows; a blank one where nobody does.
    pub sent_to: Vec<PageText>,
}
