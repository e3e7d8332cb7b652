//! The words by which a person tells a control from its like.

use foldhash::{HashMap, HashMapExt};

use legwork_types::PageText;

use super::{
    outline::Heading,
    pen::collapsed,
    roles::Use,
    survey::Survey,
    tree::{NodeIndex, What},
};
use crate::capture::GroupKind;

/// The longest.
const LONGEST: usize = 80;

/// A text that is longer than this is a paragraph: it tells less than a price or a title, and comes last.
const SHORT: usize = 40;

/// How far around a control it is looked for.
const HIGHEST_CLIMB: usize = 8;

/// Groups with more in them are no longer near.
const WIDEST_GROUP: usize = 60;

/// What a control and its like have in common.
fn likeness(survey: &Survey<'_>) -> Vec<u32> {
    let mut known: HashMap<(&str, &str), u32> = HashMap::new();
    survey
        .traits
        .iter()
        .zip(&survey.names.of_items)
        .map(|(traits, name)| {
            let next = known.len() as u32;
            *known.entry((traits.role.as_str(), name.untrusted())).or_insert(next)
        })
        .collect()
}

/// The near text of each item.
///
/// A field has what describes it, a choice the name of its group; otherwise the words of the smallest group around it that
/// holds no twin of it. A link whose name stands for itself needs none.
pub(super) fn near_texts(survey: &Survey<'_>, headings: &[Heading]) -> Vec<Option<PageText>> {
    let likeness = likeness(survey);
    let mut twins = vec![0u32; survey.traits.len()];
    for &like in &likeness {
        twins[like as usize] += 1;
    }
    (0..survey.traits.len())
        .map(|item| {
            let alone = twins[likeness[item] as usize] == 1;
            let near = description(survey, item)
                .or_else(|| choice(survey, item))
                .or_else(|| around(survey, item, &likeness))
                .or_else(|| {
                    (!alone || survey.traits[item].words.is_empty())
                        .then(|| heading_above(survey, item, headings))?
                });
            near.filter(|near| near.1 == Worth::Always || !alone || needs_more(survey, item))
                .map(|near| near.0)
        })
        .collect()
}

/// Whether it is worth having even where the name is unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worth {
    Always,
    IfNameIsPoor,
}

type Near = Option<(PageText, Worth)>;

/// Whether a control's own name does not say enough: what can be pressed does more than its name tells.
fn needs_more(survey: &Survey<'_>, item: usize) -> bool {
    let traits = &survey.traits[item];
    traits.words.len() < 2 && traits.usage != Use::Follow || matches!(traits.usage, Use::Press)
}

fn written(survey: &Survey<'_>, item: usize, text: &str) -> Option<PageText> {
    let near = survey.pen.write_some(text, LONGEST)?;
    (!says_nothing_new(survey, item, near.untrusted())).then_some(near)
}

/// Whether all its words are in the control's own name already; signs alone say nothing.
fn says_nothing_new(survey: &Survey<'_>, item: usize, text: &str) -> bool {
    !survey.traits[item].words.lacks_one_of(text)
}

fn description(survey: &Survey<'_>, item: usize) -> Near {
    let description = survey.traits[item].control.attributes.description.as_ref()?;
    written(survey, item, description.untrusted()).map(|near| (near, Worth::Always))
}

/// The legend of a radio button, of a box, of an entry.
fn choice(survey: &Survey<'_>, item: usize) -> Near {
    let traits = &survey.traits[item];
    let is_choice =
        matches!(traits.role.as_str(), "radio" | "checkbox" | "switch" | "option" | "menuitemradio");
    if !is_choice {
        return None;
    }
    let holds_choices = |kind| matches!(kind, GroupKind::Fieldset | GroupKind::Widget);
    let tree = &survey.tree;
    let holder = tree.around(traits.node).take(HIGHEST_CLIMB).find(|&node| holds_choices(tree.kind(node)))?;
    written(survey, item, tree.group(holder)?.name.untrusted()).map(|near| (near, Worth::Always))
}

/// The words of the smallest group around that has any but the control's own.
fn around(survey: &Survey<'_>, item: usize, likeness: &[u32]) -> Near {
    let tree = &survey.tree;
    for node in tree.around(survey.traits[item].node).take(HIGHEST_CLIMB) {
        let kind = tree.kind(node);
        let is_edge = matches!(
            kind,
            GroupKind::Main
                | GroupKind::Nav
                | GroupKind::Header
                | GroupKind::Footer
                | GroupKind::Aside
                | GroupKind::Table
                | GroupKind::List
        );
        let has_twin =
            || tree.items_within(node).any(|other| other != item && likeness[other] == likeness[item]);
        if is_edge || node == 0 || tree.within(node).len() > WIDEST_GROUP || has_twin() {
            return None;
        }
        let near = written(survey, item, &words_of(survey, node, item));
        if let Some(near) = near {
            let is_one_of_many = matches!(kind, GroupKind::Row | GroupKind::Item);
            return Some((near, if is_one_of_many { Worth::Always } else { Worth::IfNameIsPoor }));
        }
    }
    None
}

/// The heading first, then what is short, then the rest: the title and the price of a card, the cells of a row.
fn words_of(survey: &Survey<'_>, group: NodeIndex, item: usize) -> String {
    let tree = &survey.tree;
    let own = survey.traits[item].node;
    let (mut heading, mut short, mut long) = (Vec::new(), Vec::new(), Vec::new());
    let mut heading_until = 0;
    let mut inside_until = 0;
    for at in tree.within(group) {
        let text = match tree.nodes[at].what {
            What::Group(inner) if inner.kind == GroupKind::Heading => {
                heading_until = tree.nodes[at].end;
                match tree.within(at).contains(&own) {
                    true => continue,
                    false => heading.push(collapsed(&survey.heading(at))),
                }
                continue;
            }
            _ if at < heading_until || at < inside_until => continue,
            What::Text(text) => collapsed(text),
            What::Control(_, other) => {
                // What is within another control is that one's matter.
                inside_until =
                    if other == item || !tree.within(at).contains(&own) { tree.nodes[at].end } else { 0 };
                let other_traits = &survey.traits[other];
                if other == item || other_traits.usage != Use::Follow || !other_traits.visible {
                    continue;
                }
                collapsed(survey.names.of_items[other].untrusted())
            }
            _ => continue,
        };
        match text.chars().count() {
            0 => {}
            1..=SHORT => short.push(text),
            _ => long.push(text),
        }
    }
    let mut pieces = heading;
    pieces.extend(short);
    if pieces.is_empty() {
        pieces.extend(long.into_iter().take(1));
    }
    pieces.retain(|piece| !says_nothing_new(survey, item, piece));
    pieces.dedup();
    pieces.join(" · ")
}

/// The last heading before the control in its frame.
fn heading_above(survey: &Survey<'_>, item: usize, headings: &[Heading]) -> Near {
    let node = survey.traits[item].node;
    let before = headings.partition_point(|heading| heading.node < node).checked_sub(1)?;
    let heading = headings.get(before)?;
    let same_frame = survey.tree.nodes[heading.node].frame == survey.tree.nodes[node].frame;
    let own = survey.tree.within(heading.node).contains(&node);
    if !same_frame || own {
        return None;
    }
    written(survey, item, heading.text.untrusted()).map(|near| (near, Worth::IfNameIsPoor))
}
