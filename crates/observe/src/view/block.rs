//! What lines stand under: a form, a dialog, a part of the page with a name, and the header that says so.

use foldhash::{HashSet, HashSetExt};

use legwork_types::{
    PageText,
    contract::{FrameNumber, Landmark},
};

use super::{
    escape::quoted,
    layout::{Entry, Kind},
    told::{Above, plain},
};
use crate::{
    capture::GroupKind,
    look::Look,
    scene::{Group, GroupIndex},
    select::ancestors,
    tokens,
};

/// The most tokens of a header's name, and of one that was written before.
const NAME: u32 = 20;
const NAME_AGAIN: u32 = 6;

/// What stands over the page.
const DIALOG: &str = "dialog";

/// What a line stands under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Block {
    frame: Option<FrameNumber>,
    around: Around,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Around {
    Nothing,
    /// A part of the page, by the word for it.
    Part(&'static str),
    Group(GroupIndex),
}

impl Block {
    /// What stands under nothing is not indented.
    pub(super) fn is_open(self) -> bool {
        self.frame.is_none() && self.around == Around::Nothing
    }

    /// These words as a line of it: with their indent and end.
    pub(super) fn line_cost(self, words: &str) -> u32 {
        tokens::estimate(words) + if self.is_open() { 1 } else { 3 }
    }
}

/// What a line stands under: the innermost group with a name, form or dialog in its frame; else its part of the page.
/// What belongs to the page's own matter stands under nothing.
pub(super) fn block(look: &Look, group: GroupIndex, landmark: Landmark, frame: Option<FrameNumber>) -> Block {
    let scene = look.scene();
    for index in ancestors(scene, group) {
        let Some(group) = scene.groups.get(index) else { break };
        if index == 0 || group.frame != frame {
            break;
        }
        let worthy = match group.kind {
            GroupKind::Form | GroupKind::Dialog | GroupKind::Modal => true,
            // A name of its own in each card would say twice what the card's controls say.
            GroupKind::Row | GroupKind::Item | GroupKind::Heading | GroupKind::Main => false,
            _ => group.label.as_ref().is_some_and(|label| !label.is_blank() && !is_frame(look, frame, label)),
        };
        if worthy {
            return Block { frame, around: Around::Group(index) };
        }
        if group.kind == GroupKind::Main {
            break;
        }
    }
    let around = match landmark {
        Landmark::Main => Around::Nothing,
        Landmark::Unknown if look.story().landless => Around::Nothing,
        Landmark::Unknown => Around::Part("other"),
        Landmark::Modal => Around::Part(DIALOG),
        Landmark::Banner => Around::Part("banner"),
        Landmark::Nav => Around::Part("nav"),
        Landmark::Footer => Around::Part("footer"),
    };
    Block { frame, around }
}

/// Whether this is the name of the frame, which its own header says.
fn is_frame(look: &Look, frame: Option<FrameNumber>, label: &PageText) -> bool {
    let summary = look.scene().page.frames.iter().find(|summary| Some(summary.frame_id) == frame);
    summary.is_some_and(|summary| summary.name.as_ref() == Some(label))
}

/// Writes the headers of blocks, each name once.
#[derive(Debug)]
pub(super) struct Headers<'a> {
    look: &'a Look,
    /// What the head of the view says.
    above: &'a Above,
    frames_told: HashSet<FrameNumber>,
    blocks_told: HashSet<Block>,
    open: Block,
    /// The name of the open block, as words alone.
    name: String,
    /// The last heading in the lines, or name of a block, as words alone.
    last: String,
}

impl<'a> Headers<'a> {
    pub(super) fn new(look: &'a Look, above: &'a Above) -> Self {
        Self {
            look,
            above,
            frames_told: HashSet::new(),
            blocks_told: HashSet::new(),
            open: Block { frame: None, around: Around::Nothing },
            name: String::new(),
            last: String::new(),
        }
    }

    /// The header to write before a line of this block, if it is not the open one; none for the page's own matter.
    pub(super) fn open(&mut self, block: Block) -> Option<String> {
        if block == self.open {
            return None;
        }
        self.open = block;
        let before = std::mem::take(&mut self.name);
        if !before.is_empty() {
            self.last = before;
        }
        let (word, name) = self.word_and_name(block)?;
        let mut header = word;
        let mut add = |word: &str| {
            if !header.is_empty() {
                header.push(' ');
            }
            header.push_str(word);
        };
        let again = !self.blocks_told.insert(block);
        if let Some(name) = name {
            self.name = plain(name.untrusted());
            let said = again || self.name == self.last || self.above.titles.contains(&self.name);
            // A form has a number to be known by, a message its words; anything else is called by its name, in short if it
            // was said before.
            if !(self.is_form(block) && said || self.is_message(block) && self.is_noticed()) {
                add(&quoted(name.untrusted(), if again { NAME_AGAIN } else { NAME }));
            }
        }
        if let Around::Group(index) = block.around
            && let Some(outer) = outer(self.look, index)
        {
            add(outer);
        }
        if let Some(frame) = block.frame {
            add(&format!("frame {frame}"));
            let name = self.look.scene().page.frames.iter().find(|summary| summary.frame_id == frame);
            let name = name.and_then(|summary| summary.name.as_ref().or(summary.url.as_ref()));
            // Said once, the number is enough.
            if let Some(name) = name
                && self.frames_told.insert(frame)
            {
                add(&quoted(name.untrusted(), NAME));
            }
        }
        (!header.is_empty()).then_some(header)
    }

    /// Whether the open header has said what this heading or text does.
    pub(super) fn says(&self, entry: &Entry) -> bool {
        entry.kind != Kind::Control && !self.name.is_empty() && entry.plain == self.name
    }

    /// Takes down what was written.
    pub(super) fn note(&mut self, entry: &Entry) {
        if entry.kind == Kind::Heading {
            self.last.clone_from(&entry.plain);
        }
    }

    fn group(&self, block: Block) -> Option<&'a Group> {
        match block.around {
            Around::Group(group) => self.look.scene().groups.get(group),
            _ => None,
        }
    }

    fn is_form(&self, block: Block) -> bool {
        self.group(block).is_some_and(|group| group.form.is_some())
    }

    fn is_message(&self, block: Block) -> bool {
        self.group(block).is_some_and(|group| matches!(group.kind, GroupKind::Alert | GroupKind::Status))
    }

    /// Whether a notice in the head says the name of the open block.
    fn is_noticed(&self) -> bool {
        !self.name.is_empty() && self.above.notices.iter().any(|notice| notice.contains(&self.name))
    }

    fn word_and_name(&self, block: Block) -> Option<(String, Option<&'a PageText>)> {
        let scene = self.look.scene();
        Some(match block.around {
            Around::Nothing => (String::new(), None),
            // In a frame its own name says enough, unless it is shown in a dialog of the page around it.
            Around::Part(part) if block.frame.is_some() && part != DIALOG => (String::new(), None),
            Around::Part(part) => (part.to_owned(), None),
            Around::Group(index) => {
                let group = scene.groups.get(index)?;
                let form = group.form.map(|form| (form + 1, scene.forms.get(form)));
                let section = form.and_then(|(_, form)| form).and_then(|form| form.section.as_ref());
                let name = group.label.as_ref().or(section).filter(|name| !name.is_blank());
                let word = match (group.kind, form) {
                    (_, Some((number, _))) => format!("form{number}"),
                    (kind, None) => word(kind).to_owned(),
                };
                (word, name)
            }
        })
    }
}

/// Where a group stands that is not itself that part of the page.
fn outer(look: &Look, group: GroupIndex) -> Option<&'static str> {
    let group = look.scene().groups.get(group)?;
    match (group.landmark, group.kind) {
        (Landmark::Modal, GroupKind::Dialog | GroupKind::Modal) => None,
        (Landmark::Modal, _) => Some("in dialog"),
        (Landmark::Nav, GroupKind::Form | GroupKind::Search) => Some("in nav"),
        (Landmark::Footer, GroupKind::Form | GroupKind::Search) => Some("in footer"),
        _ => None,
    }
}

fn word(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::Form => "form",
        GroupKind::Dialog | GroupKind::Modal => DIALOG,
        GroupKind::Nav => "nav",
        GroupKind::Footer => "footer",
        GroupKind::Header => "header",
        GroupKind::Aside => "aside",
        GroupKind::Search => "search",
        GroupKind::Region => "region",
        GroupKind::Alert => "alert",
        GroupKind::Status => "status",
        GroupKind::Table => "table",
        GroupKind::List => "list",
        _ => "group",
    }
}
