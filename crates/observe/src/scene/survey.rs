//! Everything that the further readings of a page start from: its tree, its frames, and what each control is.

use std::{borrow::Cow, ops::Range, sync::Arc};

use legwork_types::{PageText, contract::FrameNumber};

use super::{
    frames::{Frames, Place},
    naming::Names,
    pen::Pen,
    roles::{Use, role_of, use_of},
    sensitive::{Secrecy, rows_of_boxes, secrecy, share_secrecy},
    tree::{NodeIndex, Tree, What},
    words::Words,
};
use crate::{
    capture::{Control, Flag, GroupKind, PageCapture},
    veil::Veil,
};

/// What is known of one control before anything around it is looked at.
#[derive(Debug)]
pub(super) struct Traits<'a> {
    pub(super) control: &'a Control,
    pub(super) node: NodeIndex,
    pub(super) role: Cow<'a, str>,
    pub(super) usage: Use,
    pub(super) secrecy: Option<Secrecy>,
    pub(super) words: Words,
    pub(super) place: Place,
    pub(super) visible: bool,
    pub(super) in_view: bool,
}

impl Traits<'_> {
    /// Whether this holds for the control.
    pub(super) fn has(&self, flag: Flag) -> bool {
        self.control.state.has(flag)
    }
}

/// The least length of a chosen value that is masked elsewhere: months and years are shorter, and occur everywhere.
const SHORTEST_SECRET_CHOICE: usize = 8;

/// What a control holds that is to be seen nowhere.
fn secret_value<'a>(traits: &Traits<'a>) -> Option<&'a str> {
    let value = traits.control.attributes.value.as_ref().map(PageText::untrusted);
    let is_short_choice =
        |value: &str| &*traits.control.tag == "select" && value.len() < SHORTEST_SECRET_CHOICE;
    value.filter(|value| traits.secrecy.is_some() && !is_short_choice(value))
}

/// How many of something lie before each node: a difference tells how many lie within one.
#[derive(Debug, Default)]
pub(super) struct Tally(Vec<u32>);

impl Tally {
    fn of(tree: &Tree<'_>, mut count: impl FnMut(&What<'_>) -> u32) -> Self {
        let mut sum = 0u32;
        let mut sums = Vec::with_capacity(tree.nodes.len() + 1);
        sums.push(0);
        for node in &tree.nodes {
            sum = sum.saturating_add(count(&node.what));
            sums.push(sum);
        }
        Self(sums)
    }

    /// How many within a node, itself included.
    pub(super) fn at(&self, tree: &Tree<'_>, node: NodeIndex) -> u32 {
        self.0[tree.nodes[node].end] - self.0[node]
    }

    /// How many after a node and all within it, up to a later one.
    pub(super) fn between(&self, tree: &Tree<'_>, node: NodeIndex, later: NodeIndex) -> u32 {
        self.0[later].saturating_sub(self.0[tree.nodes[node].end])
    }

    /// How many after a node and all within it.
    pub(super) fn after(&self, tree: &Tree<'_>, node: NodeIndex) -> u32 {
        self.at(tree, 0) - self.0[tree.nodes[node].end]
    }
}

/// A page before it is understood.
#[derive(Debug)]
pub(super) struct Survey<'a> {
    pub(super) capture: &'a PageCapture,
    pub(super) frames: Frames<'a>,
    pub(super) tree: Tree<'a>,
    pub(super) pen: Pen,
    pub(super) names: Names,
    pub(super) traits: Vec<Traits<'a>>,
    /// Rows of boxes for one character each, by their items.
    pub(super) code_rows: Vec<Range<usize>>,
    /// Controls that a person could see.
    pub(super) shown_controls: Tally,
    /// Those that are in sight.
    pub(super) controls_in_view: Tally,
    /// Those of them that something lies over.
    pub(super) covered_in_view: Tally,
    /// Characters of texts.
    pub(super) letters: Tally,
    /// Main parts.
    pub(super) mains: Tally,
}

impl<'a> Survey<'a> {
    /// Looks at each node by itself.
    pub(super) fn of(capture: &'a PageCapture, veil: Option<Arc<dyn Veil>>) -> Self {
        let frames = Frames::of(capture);
        let tree = Tree::of(capture, &frames);
        let mut traits = Vec::with_capacity(tree.controls.len());
        for &node in &tree.controls {
            let What::Control(control, _) = tree.nodes[node].what else { continue };
            let frame = &frames.all[tree.nodes[node].frame];
            let role = role_of(control);
            let usage = use_of(control, &role);
            let place = frame.place(control.rect);
            let visible = control.state.has(Flag::Visible) && frame.visible;
            let in_view = visible && control.state.has(Flag::InViewport) && frames.in_view(place);
            let secrecy = secrecy(&tree, node, control, usage);
            let words = Words::default();
            traits.push(Traits { control, node, role, usage, secrecy, words, place, visible, in_view });
        }
        let code_rows = rows_of_boxes(&traits);
        code_rows.iter().for_each(|row| share_secrecy(&mut traits[row.clone()]));
        let pen = Pen::hiding(traits.iter().filter_map(secret_value)).behind(veil);
        let names = Names::of(&tree, &pen);
        for (traits, name) in traits.iter_mut().zip(&names.of_items) {
            traits.words = Words::of(name.untrusted());
        }
        let count = |pick: &dyn Fn(&Traits<'_>) -> bool| {
            Tally::of(&tree, |what| match what {
                What::Control(_, item) => traits.get(*item).is_some_and(pick).into(),
                _ => 0,
            })
        };
        let shown_controls = count(&|t| t.visible);
        let controls_in_view = count(&|t| t.in_view);
        let covered_in_view = count(&|t| t.in_view && t.has(Flag::Covered));
        let letters = Tally::of(&tree, |what| match what {
            What::Text(text) => text.len().min(100_000) as u32,
            What::Group(group) if group.kind == GroupKind::Heading => {
                group.name.untrusted().len().min(1_000) as u32
            }
            _ => 0,
        });
        let mains = Tally::of(&tree, |what| match what {
            What::Group(group) => (group.kind == GroupKind::Main).into(),
            _ => 0,
        });
        Self {
            capture,
            frames,
            tree,
            pen,
            names,
            traits,
            code_rows,
            shown_controls,
            controls_in_view,
            covered_in_view,
            letters,
            mains,
        }
    }

    /// A frame as callers know it; none for the page itself.
    pub(super) fn frame_of(&self, frame: usize) -> Option<FrameNumber> {
        (frame != 0).then(|| self.frames.all[frame].number)
    }

    /// Where a group is in the tab.
    pub(super) fn place_of(&self, node: NodeIndex) -> Option<Place> {
        let group = self.tree.group(node)?;
        Some(self.frames.all[self.tree.nodes[node].frame].place(group.rect))
    }

    /// The words of a heading: its name, or what is written in it.
    pub(super) fn heading(&self, node: NodeIndex) -> String {
        match self.tree.group(node) {
            Some(group) if !group.name.is_blank() => group.name.untrusted().to_owned(),
            Some(_) => self.says(node, 200),
            None => String::new(),
        }
    }

    /// What is written within a node, names of controls that can be seen included, up to about this many characters.
    pub(super) fn says(&self, node: NodeIndex, limit: usize) -> String {
        self.collect(node, limit, Voice::All)
    }

    /// The same without the names of controls.
    pub(super) fn texts(&self, node: NodeIndex, limit: usize) -> String {
        self.collect(node, limit, Voice::TextsOnly)
    }

    fn collect(&self, node: NodeIndex, limit: usize, voice: Voice) -> String {
        let mut said = String::new();
        for at in self.tree.within(node) {
            if said.len() >= limit {
                break;
            }
            let words = match self.tree.nodes[at].what {
                What::Text(text) if voice == Voice::TextsOnly || !self.is_said_within(at, node) => text,
                What::Control(_, item) if voice == Voice::All && self.traits[item].visible => {
                    self.names.of_items[item].untrusted()
                }
                What::Group(group) if group.kind == GroupKind::Heading && self.tree.within(at).is_empty() => {
                    group.name.untrusted()
                }
                _ => continue,
            };
            if words.trim().is_empty() {
                continue;
            }
            if !said.is_empty() {
                said.push(' ');
            }
            // Never cut here: masking comes later and has to see a secret as a whole.
            said.push_str(words);
        }
        said
    }

    /// Whether a text is the name of a control that is itself within this node.
    fn is_said_within(&self, text: NodeIndex, node: NodeIndex) -> bool {
        let is_control = |&at: &NodeIndex| matches!(self.tree.nodes[at].what, What::Control(..));
        self.names.said[text] && self.tree.around(text).take_while(|&at| at > node).any(|at| is_control(&at))
    }

    /// Whether anything within a node can be seen.
    pub(super) fn is_open(&self, node: NodeIndex) -> bool {
        self.shown_controls.at(&self.tree, node) > 0 || self.letters.at(&self.tree, node) > 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    All,
    TextsOnly,
}
