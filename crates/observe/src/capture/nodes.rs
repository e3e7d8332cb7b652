//! The nodes of a captured frame.

use std::hash::{Hash, Hasher};

use legwork_types::{PageText, contract::Toggle};
use serde::{Deserialize, Serialize};

/// Names a node of the same frame: which list, and where in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub enum NodeRef {
    /// Of the texts.
    Text(u32),
    /// Of the controls.
    Control(u32),
    /// Of the groups.
    Group(u32),
    /// Of the places of frames.
    Owner(u32),
}

impl From<u32> for NodeRef {
    fn from(packed: u32) -> Self {
        let index = packed >> 2;
        match packed & 3 {
            0 => Self::Text(index),
            1 => Self::Control(index),
            2 => Self::Group(index),
            _ => Self::Owner(index),
        }
    }
}

impl From<NodeRef> for u32 {
    fn from(node: NodeRef) -> Self {
        match node {
            NodeRef::Text(index) => index << 2,
            NodeRef::Control(index) => index << 2 | 1,
            NodeRef::Group(index) => index << 2 | 2,
            NodeRef::Owner(index) => index << 2 | 3,
        }
    }
}

/// A rectangle in CSS pixels of the frame's own viewport.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Rect {
    /// From the left edge.
    pub x: f32,
    /// From the upper edge.
    pub y: f32,
    /// How wide.
    pub width: f32,
    /// How high.
    pub height: f32,
}

/// One bit of a control's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Flag {
    /// A person could see it, perhaps after scrolling.
    Visible = 1,
    /// At least a part of it is in sight in its frame.
    InViewport = 1 << 1,
    /// Switched off.
    Disabled = 1 << 2,
    /// Its form needs it.
    Required = 1 << 3,
    /// Its value is refused.
    Invalid = 1 << 4,
    /// Its value can't be changed.
    Readonly = 1 << 5,
    /// Keys go to it.
    Focused = 1 << 6,
    /// Something else lies over the middle of it.
    Covered = 1 << 7,
    /// The walker itself keeps its value back: a password.
    Secret = 1 << 16,
    /// Several can be chosen.
    Multiple = 1 << 17,
    /// A part of the page that can be written in.
    Editable = 1 << 18,
    /// It has a value, which the walker kept back.
    Filled = 1 << 19,
    /// It sends its form.
    Submits = 1 << 20,
    /// It can be clicked but has no role that says so.
    ClickableOnly = 1 << 21,
    /// The page's navigation is there now.
    Current = 1 << 23,
    /// It opens something: a menu, a list, a dialog.
    Popup = 1 << 24,
    /// The accessibility tree shows it, but there is no element behind it.
    NoElement = 1 << 25,
}

/// A part of a control's state with more than two values: where its two bits are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Switch {
    /// Ticked.
    Checked = 8,
    /// Pressed in.
    Pressed = 10,
    /// The chosen one.
    Selected = 12,
    /// Unfolded.
    Expanded = 14,
}

/// The state of a control, packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ControlState(pub u32);

impl ControlState {
    /// Whether this holds.
    pub fn has(self, flag: Flag) -> bool {
        self.0 & flag as u32 != 0
    }

    /// The same state with this too.
    #[must_use]
    pub fn with(self, flag: Flag) -> Self {
        Self(self.0 | flag as u32)
    }

    /// How this is, if the control has it at all.
    pub fn switch(self, switch: Switch) -> Option<Toggle> {
        match self.0 >> switch as u32 & 3 {
            0 => None,
            1 => Some(Toggle::Off),
            2 => Some(Toggle::On),
            _ => Some(Toggle::Mixed),
        }
    }
}

/// Something that can be acted on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// Its place in the walker's list of this look.
    pub index: u32,
    /// Its tag, in lower case.
    pub tag: Box<str>,
    /// Its role as Chromium's accessibility says it.
    pub role: Box<str>,
    /// Its name as Chromium's accessibility says it.
    pub name: PageText,
    /// Its state.
    pub state: ControlState,
    /// Where it is.
    pub rect: Rect,
    /// Whatever else it has.
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    pub attributes: Box<Attributes>,
    /// What is in it: texts, if they are not its name, and further controls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<NodeRef>,
}

impl Control {
    /// A digest of what it is and leads to, apart from where it stands, how it is and what is in it. `forms` are those of its
    /// frame. Means nothing to another process.
    pub fn identity(&self, forms: &[FormFacts]) -> u64 {
        let Attributes { href, kind, name, form, form_action, form_method, presses, .. } = &*self.attributes;
        let form = form.and_then(|form| forms.get(usize::try_from(form).ok()?));
        let sent = form.map(|form| (&form.method, &form.action));
        let mut digest = std::hash::DefaultHasher::new();
        (&self.tag, &self.role, &self.name, href, kind, name).hash(&mut digest);
        (sent, form_action, form_method, presses).hash(&mut digest);
        digest.finish()
    }
}

/// What only some controls and groups have.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Attributes {
    /// Where it leads, as written.
    #[serde(rename = "h", skip_serializing_if = "Option::is_none")]
    pub href: Option<PageText>,
    /// What is in it.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    pub value: Option<PageText>,
    /// Its `type`.
    #[serde(rename = "k", skip_serializing_if = "Option::is_none")]
    pub kind: Option<PageText>,
    /// Its `id`.
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    pub id: Option<PageText>,
    /// Its `name`.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    pub name: Option<PageText>,
    /// Its `data-testid` or the like.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub test_id: Option<PageText>,
    /// Its `autocomplete`.
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    pub autocomplete: Option<PageText>,
    /// Its `placeholder`.
    #[serde(rename = "p", skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<PageText>,
    /// Its `pattern`.
    #[serde(rename = "pt", skip_serializing_if = "Option::is_none")]
    pub pattern: Option<PageText>,
    /// Its `min`.
    #[serde(rename = "mi", skip_serializing_if = "Option::is_none")]
    pub min: Option<PageText>,
    /// Its `max`.
    #[serde(rename = "ma", skip_serializing_if = "Option::is_none")]
    pub max: Option<PageText>,
    /// Its `minlength`.
    #[serde(rename = "ml", skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    /// Its `maxlength`.
    #[serde(rename = "mx", skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// The first of its options.
    #[serde(rename = "o", skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<PageText>,
    /// How many options it has.
    #[serde(rename = "oc", skip_serializing_if = "Option::is_none")]
    pub option_count: Option<u32>,
    /// The form that it belongs to, by its place in the frame's list.
    #[serde(rename = "f", skip_serializing_if = "Option::is_none")]
    pub form: Option<u32>,
    /// Its `formaction`.
    #[serde(rename = "fa", skip_serializing_if = "Option::is_none")]
    pub form_action: Option<PageText>,
    /// Its `formmethod`.
    #[serde(rename = "fm", skip_serializing_if = "Option::is_none")]
    pub form_method: Option<PageText>,
    /// What describes it: a hint, or the error beside it.
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    pub description: Option<PageText>,
    /// The button that a label presses.
    #[serde(rename = "lb", skip_serializing_if = "Option::is_none")]
    pub presses: Option<Box<ButtonFacts>>,
    /// The classes and id of a group, shortened: they often say what it is for.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    pub hint: Option<PageText>,
}

impl Attributes {
    // For serde, which passes on the field as it is.
    #[expect(clippy::borrowed_box)]
    fn is_empty(boxed: &Box<Self>) -> bool {
        **boxed == Self::default()
    }
}

/// What a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupKind {
    /// Nothing but a box.
    Generic,
    /// The page's own matter.
    Main,
    /// Ways to other pages.
    Nav,
    /// The head of the page.
    Header,
    /// The foot of the page.
    Footer,
    /// Beside the matter.
    Aside,
    /// A search.
    Search,
    /// A part with a name.
    Region,
    /// A form; which one is in the attributes.
    Form,
    /// Fields that belong together, with their legend as the name.
    Fieldset,
    /// A dialog.
    Dialog,
    /// A dialog that locks the rest of the page.
    Modal,
    /// A notice that interrupts.
    Alert,
    /// A notice that does not.
    Status,
    /// A heading; its level is in `level`.
    Heading,
    /// A table.
    Table,
    /// A row of a table or grid.
    Row,
    /// A list.
    List,
    /// An entry of a list, or a card.
    Item,
    /// A group of widgets: tab list, menu, tool bar, radio group, tree, list box.
    Widget,
}

/// Things that stand together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupCapture {
    /// What it is.
    pub kind: GroupKind,
    /// The level of a heading, else 0.
    pub level: u8,
    /// Its name, if it has one.
    pub name: PageText,
    /// Whether it keeps its place while the page scrolls.
    pub fixed: bool,
    /// Where it is.
    pub rect: Rect,
    /// Whatever else it has.
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    pub attributes: Box<Attributes>,
    /// What is in it, in order of the document.
    pub children: Vec<NodeRef>,
}

/// Where a frame is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Owner {
    /// Which of the `window`'s frames it is; none if it isn't counted there.
    pub index: Option<u32>,
    /// Its title or name.
    pub name: PageText,
    /// Whether a person could see it.
    pub visible: bool,
    /// The four corners of its content in the viewport of the frame that holds it: x and y from the upper left clockwise.
    pub quad: [f32; 8],
    /// Width and height of its content in its own pixels.
    pub size: [f32; 2],
    /// What its `src` says.
    pub src: PageText,
}

/// A form of the document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FormFacts {
    /// What it is called.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    pub name: Option<PageText>,
    /// `get`, `post` or `dialog`.
    #[serde(rename = "m")]
    pub method: Box<str>,
    /// Where it goes, as written.
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    pub action: Option<PageText>,
    /// Its `id`.
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    pub id: Option<PageText>,
    /// What Enter in a field of it presses, also where nobody sees it: its first button that sends it, and its first picture
    /// that does. Empty if it has neither; none if nobody looked for them.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    pub default_buttons: Option<Vec<ButtonFacts>>,
}

/// A button that is pressed by way of something else, and may not be seen itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ButtonFacts {
    /// What it says.
    #[serde(rename = "n")]
    pub name: PageText,
    /// What the page itself calls it.
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    pub identifiers: Option<PageText>,
    /// Its `formaction`.
    #[serde(rename = "fa", skip_serializing_if = "Option::is_none")]
    pub form_action: Option<PageText>,
    /// Whether it says itself that the form is to be posted.
    #[serde(rename = "po", skip_serializing_if = "std::ops::Not::not")]
    pub posts: bool,
}
