//! The words by which a person tells a control from its like.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt, HashSet};

use legwork_types::PageText;

use super::{
    outline::{Heading, last_before},
    pen::collapsed,
    risk::speaks_of_acts,
    roles::Use,
    survey::Survey,
    tree::{NodeIndex, What},
};
use crate::capture::GroupKind;

/// The longest.
const LONGEST: usize = 80;

/// A text that is longer than this is a paragraph: it tells less than a price or a title, and comes last.
const SHORT: usize = 40;

/// With more bytes than this nothing further is ever shown of it.
const MUCH: usize = 16 * LONGEST;

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
            *known.entry((&*traits.role, name.untrusted())).or_insert(next)
        })
        .collect()
}

/// The near text of each item.
///
/// A field has what describes it, a choice the name of its group; otherwise the words of the smallest group around it that
/// holds no twin of it. A link whose name stands for itself needs none.
pub(super) fn near_texts(survey: &Survey<'_>, headings: &[Heading]) -> Vec<Option<PageText>> {
    let likeness = likeness(survey);
    let pieces = pieces(survey);
    let mut twins = vec![0u32; survey.traits.len()];
    for &like in &likeness {
        twins[like as usize] += 1;
    }
    (0..survey.traits.len())
        .map(|item| {
            let alone = twins[likeness[item] as usize] == 1;
            let wanted = if alone && !needs_more(survey, item) { Worth::Always } else { Worth::IfNameIsPoor };
            let near = description(survey, item)
                .or_else(|| choice(survey, item))
                .or_else(|| around(survey, item, wanted, alone, &likeness, &pieces))
                .or_else(|| {
                    (!alone || survey.traits[item].words.is_empty())
                        .then(|| heading_above(survey, item, headings))?
                });
            near.filter(|near| near.1 == Worth::Always || wanted != Worth::Always).map(|near| near.0)
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
    if_new(survey, item, survey.pen.write(text, LONGEST))
}

fn if_new(survey: &Survey<'_>, item: usize, near: PageText) -> Option<PageText> {
    (!near.is_blank() && !says_nothing_new(survey, item, near.untrusted())).then_some(near)
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
    let is_choice = matches!(&*traits.role, "radio" | "checkbox" | "switch" | "option" | "menuitemradio");
    if !is_choice {
        return None;
    }
    let tree = &survey.tree;
    let mut around = tree.around_in_frame(traits.node).take(HIGHEST_CLIMB);
    let holder = around.find(|&node| holds_fields(tree.kind(node)))?;
    written(survey, item, tree.group(holder)?.name.untrusted()).map(|near| (near, Worth::Always))
}

/// The words of the smallest group around that has any but the control's own.
///
/// Where only what is worth it always is `wanted`, the rest is not written.
fn around(
    survey: &Survey<'_>,
    item: usize,
    wanted: Worth,
    alone: bool,
    likeness: &[u32],
    pieces: &Pieces<'_>,
) -> Near {
    let tree = &survey.tree;
    // Around its form nothing tells more about a field than its name; where it has a twin in another form, it may.
    let ends_at_form = alone && survey.traits[item].usage.is_field();
    for node in tree.around_in_frame(survey.traits[item].node).take(HIGHEST_CLIMB) {
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
        let is_one_of_many = matches!(kind, GroupKind::Row | GroupKind::Item);
        let words = words_of(survey, node, item, pieces);
        let mut news = words.into_iter().filter(|words| !says_nothing_new(survey, item, words));
        if !is_one_of_many && wanted == Worth::Always && news.next().is_some() {
            return None;
        }
        let near = if_new(survey, item, survey.pen.write_plain(joined(news).into(), LONGEST));
        if near.is_none() && ends_at_form && kind == GroupKind::Form {
            return None;
        }
        if let Some(near) = near {
            return Some((near, if is_one_of_many { Worth::Always } else { Worth::IfNameIsPoor }));
        }
    }
    None
}

/// The heading first, then what is short, then the rest: the title and the price of a card, the cells of a row. Hints of other
/// fields and the words of other groups of fields are not about it.
fn words_of<'s>(
    survey: &'s Survey<'_>,
    group: NodeIndex,
    item: usize,
    pieces: &'s Pieces<'_>,
) -> Vec<&'s str> {
    let tree = &survey.tree;
    let own = survey.traits[item].node;
    let (mut said, mut short, mut long) = (Vec::new(), Vec::new(), None);
    let mut heading_until = 0;
    let mut inside_until = 0;
    let mut beside_until = 0;
    for at in tree.within_frame(group) {
        let (words, is_short) = match tree.nodes[at].what {
            What::Group(inner) if inner.kind == GroupKind::Heading => {
                heading_until = tree.nodes[at].end;
                let heading = pieces[at].as_ref().filter(|_| !tree.within(at).contains(&own));
                said.extend(heading.map(|heading| &*heading.words));
                continue;
            }
            _ if at < heading_until || at < inside_until => continue,
            What::Group(inner) if holds_fields(inner.kind) && !tree.within(at).contains(&own) => {
                beside_until = beside_until.max(tree.nodes[at].end);
                continue;
            }
            What::Text(_) => {
                let Some(piece) = &pieces[at] else { continue };
                // A warning is for all that stand near.
                let of_others = at < beside_until || piece.is_hint;
                if of_others && !speaks_of_acts(&piece.words) {
                    continue;
                }
                (&*piece.words, piece.is_short)
            }
            What::Control(_, other) => {
                // What is within another control is that one's matter.
                inside_until =
                    if other == item || !tree.within(at).contains(&own) { tree.nodes[at].end } else { 0 };
                let other_traits = &survey.traits[other];
                if other == item || other_traits.usage != Use::Follow || !other_traits.visible {
                    continue;
                }
                let name = survey.names.of_items[other].untrusted();
                (name, is_short(name))
            }
            _ => continue,
        };
        match is_short {
            _ if words.is_empty() => {}
            true => short.push(words),
            false => long = long.or(Some(words)),
        }
    }
    said.extend(short);
    if said.is_empty() {
        said.extend(long);
    }
    said
}

/// One after the other, as whole pieces until they are surely enough: masking comes later and has to see a secret as a whole.
fn joined<'p>(pieces: impl Iterator<Item = &'p str>) -> String {
    let mut line = String::new();
    let mut last = "";
    for piece in pieces {
        if line.len() > MUCH {
            break;
        }
        if std::mem::replace(&mut last, piece) == piece {
            continue;
        }
        if !line.is_empty() {
            line.push_str(" · ");
        }
        line.push_str(piece);
    }
    line
}

/// A text or heading, made plain once for all controls near it.
struct Piece<'a> {
    words: Cow<'a, str>,
    is_short: bool,
    /// Whether it describes a single field.
    is_hint: bool,
}

/// By node.
type Pieces<'a> = Vec<Option<Piece<'a>>>;

fn pieces<'a>(survey: &Survey<'a>) -> Pieces<'a> {
    let descriptions =
        survey.traits.iter().filter_map(|traits| traits.control.attributes.description.as_ref());
    let hints: HashSet<Cow<'_, str>> =
        descriptions.map(|description| collapsed(description.untrusted())).collect();
    let piece = |words: Cow<'a, str>| Piece {
        is_short: is_short(&words),
        is_hint: !hints.is_empty() && hints.contains(&words),
        words,
    };
    let nodes = survey.tree.nodes.iter().enumerate();
    nodes
        .map(|(at, node)| match node.what {
            What::Text(text) => Some(piece(collapsed(text))),
            What::Group(group) if group.kind == GroupKind::Heading => {
                Some(piece(collapsed(&survey.heading(at)).into_owned().into()))
            }
            _ => None,
        })
        .collect()
}

fn is_short(text: &str) -> bool {
    text.len() <= SHORT || text.chars().nth(SHORT).is_none()
}

/// Whether the texts of such a group are about the fields in it.
fn holds_fields(kind: GroupKind) -> bool {
    matches!(kind, GroupKind::Fieldset | GroupKind::Widget)
}

/// The last heading before the control in its frame.
fn heading_above(survey: &Survey<'_>, item: usize, headings: &[Heading]) -> Near {
    let node = survey.traits[item].node;
    let heading = last_before(survey, headings, node)?;
    if survey.tree.within(heading.node).contains(&node) {
        return None;
    }
    written(survey, item, heading.text.untrusted()).map(|near| (near, Worth::IfNameIsPoor))
}
