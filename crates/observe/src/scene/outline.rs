//! Groups and lines: what a reader sees, in order of the document.

use legwork_types::{PageText, contract::Landmark};

use super::{
    Group, GroupIndex, Line, OutlineLine,
    survey::Survey,
    tree::{NodeIndex, What},
};
use crate::capture::GroupKind;

/// The longest label or heading.
const LONGEST_LABEL: usize = 200;

/// The longest text.
const LONGEST_TEXT: usize = 2_000;

/// Groups of a scene, and the one that each node stands in (or is).
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
    pub(super) of_nodes: Vec<GroupIndex>,
}

/// Makes the groups. Headings are lines, not groups: what is in one stands in the group around it.
pub(super) fn groups(survey: &Survey<'_>, landmarks: &[Landmark]) -> Groups {
    let mut all: Vec<Group> = Vec::new();
    let mut of_nodes: Vec<GroupIndex> = Vec::with_capacity(survey.tree.nodes.len());
    for (at, node) in survey.tree.nodes.iter().enumerate() {
        let around = if at == 0 { 0 } else { of_nodes[node.parent] };
        let (kind, label) = match node.what {
            What::Page => (GroupKind::Generic, None),
            What::Group(group) if group.kind != GroupKind::Heading => (group.kind, Some(&group.name)),
            What::Owner(owner, Some(_)) => {
                let kind = if owner.name.is_blank() { GroupKind::Generic } else { GroupKind::Region };
                (kind, Some(&owner.name))
            }
            What::Stray => (GroupKind::Region, survey.frames.all[node.frame].capture.facts.name.as_ref()),
            _ => {
                of_nodes.push(around);
                continue;
            }
        };
        of_nodes.push(all.len());
        all.push(Group {
            parent: (at != 0).then_some(around),
            kind,
            label: label.and_then(|label| survey.pen.write_some(label.untrusted(), LONGEST_LABEL)),
            landmark: landmarks[at],
            frame: survey.frame_of(survey.tree.frame_within(at)),
            form: None,
        });
    }
    Groups { all, of_nodes }
}

/// A heading as readers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) node: NodeIndex,
    pub(super) level: u8,
    pub(super) text: PageText,
}

/// All headings with words, in order of the document, those that are controls included.
pub(super) fn headings(survey: &Survey<'_>) -> Vec<Heading> {
    let of_group = survey.tree.groups().filter(|(_, group)| group.kind == GroupKind::Heading);
    of_group
        .filter_map(|(node, group)| {
            let text = survey.pen.write_some(&survey.heading(node), LONGEST_LABEL)?;
            Some(Heading { node, level: group.level.clamp(1, 6), text })
        })
        .collect()
}

/// The last heading before a node in the node's own frame.
pub(super) fn last_before<'h>(
    survey: &Survey<'_>,
    headings: &'h [Heading],
    node: NodeIndex,
) -> Option<&'h Heading> {
    let frame = survey.tree.nodes[node].frame;
    let before = headings.partition_point(|heading| heading.node < node);
    headings[..before].iter().rev().find(|heading| survey.tree.nodes[heading.node].frame == frame)
}

/// The heading over a node: the last one before it, but not across the edge of a dialog, a card, a part of the page, a frame:
/// a heading out there is about something else.
pub(super) fn heading_over<'h>(
    survey: &Survey<'_>,
    headings: &'h [Heading],
    node: NodeIndex,
) -> Option<&'h Heading> {
    let tree = &survey.tree;
    let is_edge = |node: &NodeIndex| {
        !matches!(tree.kind(*node), GroupKind::Generic | GroupKind::Fieldset | GroupKind::Form)
    };
    let edge = tree.around_in_frame(node).take(500).find(is_edge).unwrap_or(0);
    last_before(survey, headings, node).filter(|heading| heading.node > edge)
}

/// Writes the lines.
pub(super) fn outline(survey: &Survey<'_>, groups: &Groups, headings: &[Heading]) -> Vec<OutlineLine> {
    let tree = &survey.tree;
    let mut lines = Vec::new();
    let mut headings = headings.iter().peekable();
    let mut heading_until = 0;
    for (at, node) in tree.nodes.iter().enumerate() {
        let line = match node.what {
            What::Text(text) => match survey.names.said[at] || at < heading_until {
                true => None,
                false => survey.pen.write_some(text, LONGEST_TEXT).map(Line::Text),
            },
            What::Control(_, item) => Some(Line::Control(item)),
            _ => {
                while headings.next_if(|heading| heading.node < at).is_some() {}
                let heading = headings.next_if(|heading| heading.node == at);
                heading.filter(|_| has_words_of_its_own(survey, at)).map(|heading| {
                    heading_until = node.end;
                    Line::Heading { level: heading.level, text: heading.text.clone() }
                })
            }
        };
        lines.extend(line.map(|line| OutlineLine { group: groups.of_nodes[at], line }));
    }
    lines
}

/// Whether a heading says anything that no control in or around it says already.
fn has_words_of_its_own(survey: &Survey<'_>, heading: NodeIndex) -> bool {
    let within = survey.tree.within(heading);
    if within.is_empty() {
        return !survey.names.said[heading];
    }
    let has_controls = !survey.tree.items_within(heading).is_empty();
    let mut texts = within.filter(|&at| matches!(survey.tree.nodes[at].what, What::Text(_))).peekable();
    match texts.peek() {
        None => !has_controls,
        Some(_) => texts.any(|at| !survey.names.said[at]),
    }
}
