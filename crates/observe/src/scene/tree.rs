//! The captured trees of all frames as one, in order of the document: every frame stands where it is shown.

use std::ops::Range;

use super::frames::Frames;
use crate::capture::{Control, FrameLook, GroupCapture, GroupKind, NodeRef, Owner, PageCapture};

/// The place of a node in [`Tree::nodes`].
pub(super) type NodeIndex = usize;

/// What a node is.
#[derive(Debug, Clone, Copy)]
pub(super) enum What<'a> {
    /// The page as a whole.
    Page,
    /// A text.
    Text(&'a str),
    /// A control, and which one in order of the document.
    Control(&'a Control, usize),
    /// A group.
    Group(&'a GroupCapture),
    /// The place of a frame, with the frame if it could be looked at.
    Owner(&'a Owner, Option<usize>),
    /// A frame of which nobody knows where it is shown.
    Stray,
}

/// A node of the whole page. All within it follow it directly.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) what: What<'a>,
    pub(super) parent: NodeIndex,
    /// One after the last node within.
    pub(super) end: NodeIndex,
    /// The frame that it is in; for the place of a frame, the one that holds the place.
    pub(super) frame: usize,
}

/// The whole page.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    /// Parents before children; the first is the page.
    pub(super) nodes: Vec<Node<'a>>,
    /// Where each control is.
    pub(super) controls: Vec<NodeIndex>,
    /// How many texts and headings are left out because they stand in a frame that nobody can see.
    pub(super) unseen_texts: u32,
}

enum Step {
    Enter { frame: usize, node: NodeRef, parent: NodeIndex },
    Rest { frame: usize, parent: NodeIndex },
    Leave(NodeIndex),
}

/// What was met already; whatever is named twice counts where it is named first.
struct Met {
    texts: Vec<bool>,
    controls: Vec<bool>,
    groups: Vec<bool>,
    owners: Vec<bool>,
}

impl Met {
    fn nothing_of(look: &FrameLook) -> Self {
        Self {
            texts: vec![false; look.texts.len()],
            controls: vec![false; look.controls.len()],
            groups: vec![false; look.groups.len()],
            owners: vec![false; look.owners.len()],
        }
    }

    /// Whether this is there and new.
    fn is_new(&mut self, node: NodeRef) -> bool {
        let (list, at) = match node {
            NodeRef::Text(at) => (&mut self.texts, at),
            NodeRef::Control(at) => (&mut self.controls, at),
            NodeRef::Group(at) => (&mut self.groups, at),
            NodeRef::Owner(at) => (&mut self.owners, at),
        };
        list.get_mut(at as usize).is_some_and(|met| !std::mem::replace(met, true))
    }
}

/// Whether a node is there to be read: a text or a heading. What is in a heading can be acted on without it.
fn is_read(what: &What<'_>) -> bool {
    match what {
        What::Text(_) => true,
        What::Group(group) => group.kind == GroupKind::Heading,
        _ => false,
    }
}

impl<'a> Tree<'a> {
    /// Walks the frames from the page on. A node that nobody names is lost, except controls: they come last in their frame.
    /// Of frames that nobody can see only what can be acted on is kept.
    pub(super) fn of(capture: &'a PageCapture, frames: &Frames<'a>) -> Self {
        let page = Node { what: What::Page, parent: 0, end: 1, frame: 0 };
        let mut tree = Self { nodes: vec![page], controls: Vec::new(), unseen_texts: 0 };
        let mut met: Vec<_> = capture.frames.iter().map(|frame| Met::nothing_of(&frame.look)).collect();
        let mut entered = vec![false; capture.frames.len()];
        for frame in 0..capture.frames.len() {
            if entered[frame] {
                continue;
            }
            let root = if frame == 0 { 0 } else { tree.push(What::Stray, 0, frame) };
            tree.walk(capture, frames, frame, root, &mut met, &mut entered);
            tree.nodes[root].end = tree.nodes.len();
        }
        tree.nodes[0].end = tree.nodes.len();
        tree
    }

    fn push(&mut self, what: What<'a>, parent: NodeIndex, frame: usize) -> NodeIndex {
        let at = self.nodes.len();
        self.nodes.push(Node { what, parent, end: at + 1, frame });
        at
    }

    // A stack of its own instead of recursion: a capture may be nested deeper than the thread's stack.
    fn walk(
        &mut self,
        capture: &'a PageCapture,
        frames: &Frames<'a>,
        first: usize,
        root: NodeIndex,
        met: &mut [Met],
        entered: &mut [bool],
    ) {
        let mut steps = Vec::new();
        let enter = |steps: &mut Vec<Step>, frame: usize, parent: NodeIndex| {
            steps.push(Step::Rest { frame, parent });
            let roots = capture.frames[frame].look.roots.iter().rev();
            steps.extend(roots.map(|&node| Step::Enter { frame, node, parent }));
        };
        entered[first] = true;
        enter(&mut steps, first, root);
        while let Some(step) = steps.pop() {
            let (frame, node, parent) = match step {
                Step::Leave(at) => {
                    self.nodes[at].end = self.nodes.len();
                    continue;
                }
                Step::Rest { frame, parent } => {
                    let count = met[frame].controls.len();
                    let lost = (0..count).rev().filter(|&at| !met[frame].controls[at]);
                    steps.extend(lost.map(|at| Step::Enter {
                        frame,
                        node: NodeRef::Control(at as u32),
                        parent,
                    }));
                    continue;
                }
                Step::Enter { frame, node, parent } => (frame, node, parent),
            };
            if !met[frame].is_new(node) {
                continue;
            }
            let look = &capture.frames[frame].look;
            let (what, children): (_, &[NodeRef]) = match node {
                // What something is painted over is left out after it was counted in.
                NodeRef::Text(at) if look.texts[at as usize].untrusted().is_empty() => continue,
                NodeRef::Text(at) => (What::Text(look.texts[at as usize].untrusted()), &[]),
                NodeRef::Control(at) => {
                    let control = &look.controls[at as usize];
                    (What::Control(control, self.controls.len()), &control.children)
                }
                NodeRef::Group(at) => {
                    let group = &look.groups[at as usize];
                    (What::Group(group), &group.children)
                }
                NodeRef::Owner(at) => {
                    let shown = frames.by_owner.get(&(frame, at)).copied();
                    (What::Owner(&look.owners[at as usize], shown.filter(|&shown| !entered[shown])), &[])
                }
            };
            if !frames.all[frame].visible && is_read(&what) {
                self.unseen_texts = self.unseen_texts.saturating_add(children.is_empty().into());
                steps.extend(children.iter().rev().map(|&node| Step::Enter { frame, node, parent }));
                continue;
            }
            let at = self.push(what, parent, frame);
            steps.push(Step::Leave(at));
            match what {
                What::Control(..) => self.controls.push(at),
                What::Owner(_, Some(shown)) => {
                    entered[shown] = true;
                    enter(&mut steps, shown, at);
                }
                _ => {}
            }
            steps.extend(children.iter().rev().map(|&node| Step::Enter { frame, node, parent: at }));
        }
    }

    /// Everything within a node, without itself.
    pub(super) fn within(&self, at: NodeIndex) -> Range<NodeIndex> {
        at + 1..self.nodes[at].end
    }

    /// The nodes around a node, from the nearest to the page.
    pub(super) fn around(&self, at: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let mut here = at;
        std::iter::from_fn(move || {
            (here != 0).then(|| {
                here = self.nodes[here].parent;
                here
            })
        })
    }

    /// The nodes around a node in its own frame, from the nearest on; the last is the place where a frame is shown.
    pub(super) fn around_in_frame(&self, at: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let frame = self.nodes[at].frame;
        self.around(at).take_while(move |&around| self.frame_within(around) == frame)
    }

    /// The frame of what is in a node: at the place of a frame that is the frame shown there.
    pub(super) fn frame_within(&self, at: NodeIndex) -> usize {
        match self.nodes[at].what {
            What::Owner(_, Some(shown)) => shown,
            _ => self.nodes[at].frame,
        }
    }

    /// Everything within a node that belongs to its own frame, without itself.
    pub(super) fn within_frame(&self, at: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let frame = self.frame_within(at);
        self.within(at).filter(move |&inner| self.nodes[inner].frame == frame)
    }

    /// The group at a node.
    pub(super) fn group(&self, at: NodeIndex) -> Option<&'a GroupCapture> {
        match self.nodes[at].what {
            What::Group(group) => Some(group),
            _ => None,
        }
    }

    /// What kind of group is at a node; what is no group is nothing but a box.
    pub(super) fn kind(&self, at: NodeIndex) -> GroupKind {
        self.group(at).map_or(GroupKind::Generic, |group| group.kind)
    }

    /// All groups, with their places.
    pub(super) fn groups(&self) -> impl Iterator<Item = (NodeIndex, &'a GroupCapture)> + '_ {
        (0..self.nodes.len()).filter_map(|at| self.group(at).map(|group| (at, group)))
    }

    /// The items within a node, by their numbers: they follow each other.
    pub(super) fn items_within(&self, at: NodeIndex) -> Range<usize> {
        let within = self.within(at);
        let first = self.controls.partition_point(|&node| node < within.start);
        let last = self.controls.partition_point(|&node| node < within.end);
        first..last
    }
}
