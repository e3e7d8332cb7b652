//! Forms: those of the document, and what looks like one without being one.

mod submit;
mod targets;

use std::collections::hash_map::Entry;

use foldhash::{HashMap, HashMapExt};

use legwork_types::PageText;

use super::{
    SceneForm,
    outline::{Groups, Heading, heading_over},
    sensitive::Secrecy,
    survey::{Survey, Traits},
    tree::NodeIndex,
};
use crate::capture::{FormFacts, GroupKind};

/// The most fields of something that is taken for a form though it is none.
const MOST_DERIVED_FIELDS: usize = 40;

/// How far up from a field such a form is looked for.
const HIGHEST_CLIMB: usize = 12;

/// A form before it is a part of the scene.
#[derive(Debug)]
pub(super) struct FormDraft<'a> {
    /// What the document says about it; none if it was derived.
    pub(super) facts: Option<&'a FormFacts>,
    /// The group that it is, if any.
    pub(super) node: Option<NodeIndex>,
    /// All its controls, in order of the document.
    pub(super) items: Vec<usize>,
    pub(super) submit: Option<usize>,
    pub(super) fields: Vec<usize>,
    pub(super) section: Option<PageText>,
}

impl FormDraft<'_> {
    /// As the scene has it.
    pub(super) fn finished(&self, survey: &Survey<'_>) -> SceneForm {
        SceneForm {
            section: self.section.clone(),
            submit: self.submit,
            fields: self.fields.clone(),
            sent_to: targets::sent_to(survey, self),
        }
    }

    /// How many of its fields hold a secret of such a kind.
    pub(super) fn count(&self, survey: &Survey<'_>, wanted: impl Fn(Secrecy) -> bool) -> usize {
        self.fields.iter().filter(|&&item| survey.traits[item].secrecy.is_some_and(&wanted)).count()
    }
}

/// All forms with at least one control, in order of the document, and the form of each item.
#[derive(Debug)]
pub(super) struct Forms<'a> {
    pub(super) all: Vec<FormDraft<'a>>,
    pub(super) of_items: Vec<Option<usize>>,
}

/// Finds the forms, and tells the groups which of them they are.
pub(super) fn forms<'a>(survey: &Survey<'a>, groups: &mut Groups, headings: &[Heading]) -> Forms<'a> {
    let mut drafts = of_document(survey);
    let taken: Vec<bool> = {
        let mut taken = vec![false; survey.traits.len()];
        drafts.iter().flat_map(|draft| &draft.items).for_each(|&item| taken[item] = true);
        taken
    };
    drafts.extend(derived(survey, taken));
    drafts.sort_by_key(|draft| draft.items.first().copied());
    let mut of_items = vec![None; survey.traits.len()];
    for (number, draft) in drafts.iter().enumerate() {
        draft.items.iter().for_each(|&item| of_items[item] = Some(number));
    }
    for (number, draft) in drafts.iter_mut().enumerate() {
        draft.submit = submit::submit(survey, draft, &of_items);
        if let Some(found) = draft.submit.filter(|&item| of_items[item].is_none()) {
            of_items[found] = Some(number);
            draft.items.insert(draft.items.partition_point(|&item| item < found), found);
        }
        draft.section = section(survey, draft, headings);
        if let Some(node) = draft.node.filter(|&node| survey.tree.group(node).is_some()) {
            groups.all[groups.of_nodes[node]].form = Some(number);
        }
    }
    Forms { all: drafts, of_items }
}

fn of_document<'a>(survey: &Survey<'a>) -> Vec<FormDraft<'a>> {
    let tree = &survey.tree;
    let mut drafts: Vec<FormDraft<'a>> = Vec::new();
    let mut by_place: HashMap<(usize, u32), usize> = HashMap::new();
    for (item, traits) in survey.traits.iter().enumerate() {
        let frame = tree.nodes[traits.node].frame;
        let Some(form) = traits.control.attributes.form else { continue };
        let number = match by_place.entry((frame, form)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let facts = survey.frames.all[frame].capture.look.forms.get(form as usize);
                let draft = FormDraft {
                    facts,
                    node: None,
                    items: vec![],
                    submit: None,
                    fields: vec![],
                    section: None,
                };
                drafts.push(draft);
                *new.insert(drafts.len() - 1)
            }
        };
        drafts[number].items.push(item);
        if traits.usage.is_field() {
            drafts[number].fields.push(item);
        }
    }
    for (node, group) in tree.groups().filter(|(_, group)| group.kind == GroupKind::Form) {
        let place = group.attributes.form.map(|form| (tree.nodes[node].frame, form));
        if let Some(&number) = place.and_then(|place| by_place.get(&place)) {
            drafts[number].node.get_or_insert(node);
        }
    }
    drafts
}

/// Two or more fields and a button that stand in one group, outside any form.
fn derived<'a>(survey: &Survey<'a>, mut taken: Vec<bool>) -> Vec<FormDraft<'a>> {
    let tree = &survey.tree;
    let apart = apart(survey);
    for (item, traits) in survey.traits.iter().enumerate() {
        taken[item] |= apart[traits.node];
    }
    let mut drafts = Vec::new();
    for item in 0..survey.traits.len() {
        if taken[item] || !survey.traits[item].usage.is_field() {
            continue;
        }
        let found = tree.around(survey.traits[item].node).take(HIGHEST_CLIMB).find_map(|node| {
            let within = tree.items_within(node);
            let is_whole = tree.group(node).is_none_or(|group| group.kind == GroupKind::Main);
            let most = if is_whole { MOST_DERIVED_FIELDS / 2 } else { 3 * MOST_DERIVED_FIELDS };
            if within.len() > most || !may_be_a_form(tree.kind(node)) {
                return None;
            }
            let free = |item: &usize| !taken[*item];
            let fields: Vec<_> =
                within.clone().filter(free).filter(|&item| survey.traits[item].usage.is_field()).collect();
            let has_button = within.filter(free).any(|item| is_button(&survey.traits[item]));
            (fields.len() >= 2 && fields.len() <= MOST_DERIVED_FIELDS && has_button).then_some((node, fields))
        });
        let Some((node, fields)) = found else { continue };
        let buttons = tree.items_within(node).filter(|&item| !taken[item] && is_button(&survey.traits[item]));
        let mut items: Vec<_> = fields.iter().copied().chain(buttons).collect();
        items.sort_unstable();
        items.iter().for_each(|&item| taken[item] = true);
        drafts.push(FormDraft { facts: None, node: Some(node), items, submit: None, fields, section: None });
    }
    drafts
}

/// Rows, entries of lists and navigation have fields and buttons side by side without being forms.
fn apart(survey: &Survey<'_>) -> Vec<bool> {
    let mut apart: Vec<bool> = Vec::with_capacity(survey.tree.nodes.len());
    for (at, node) in survey.tree.nodes.iter().enumerate() {
        apart.push(match survey.tree.kind(at) {
            GroupKind::Row | GroupKind::Item | GroupKind::Nav | GroupKind::Header | GroupKind::Footer => true,
            GroupKind::Dialog | GroupKind::Modal => false,
            _ => at != 0 && apart[node.parent],
        });
    }
    apart
}

fn may_be_a_form(kind: GroupKind) -> bool {
    matches!(
        kind,
        GroupKind::Generic
            | GroupKind::Region
            | GroupKind::Fieldset
            | GroupKind::Form
            | GroupKind::Dialog
            | GroupKind::Modal
            | GroupKind::Search
            | GroupKind::Main
            | GroupKind::Aside
    )
}

fn is_button(traits: &Traits<'_>) -> bool {
    traits.role == "button"
}

/// What a form is called: its name, its legend, the heading in it, the heading over it.
fn section(survey: &Survey<'_>, draft: &FormDraft<'_>, headings: &[Heading]) -> Option<PageText> {
    let tree = &survey.tree;
    let write = |text: &PageText| survey.pen.write_some(text.untrusted(), 100);
    let named = draft.facts.and_then(|facts| facts.name.as_ref()).and_then(write);
    let labelled = || draft.node.and_then(|node| tree.group(node)).map(|group| &group.name).and_then(write);
    let first = survey.traits[*draft.items.first()?].node;
    let last = survey.traits[*draft.items.last()?].node;
    let (start, end) = draft.node.map_or((first, last), |node| (node, tree.nodes[node].end));
    let field = |item: Option<&usize>| item.map(|&item| survey.traits[item].node);
    let (first_field, last_field) = (field(draft.fields.first()), field(draft.fields.last()));
    let legend = || {
        // A fieldset that holds only some of the fields names these, not the form.
        let fieldset = |node: &NodeIndex| {
            tree.kind(*node) == GroupKind::Fieldset
                && last_field.is_none_or(|last| last < tree.nodes[*node].end)
        };
        let holder =
            tree.around(first).take(HIGHEST_CLIMB).take_while(|&node| node >= start).find(fieldset)?;
        tree.group(holder).map(|group| &group.name).and_then(write)
    };
    let after = headings.partition_point(|heading| heading.node < start);
    // A heading below the fields is about something else: "Not a member yet?"
    let until = first_field.unwrap_or(end).min(end);
    let is_own = |heading: &&Heading| tree.nodes[heading.node].frame == tree.nodes[start].frame;
    let inside = || headings[after..].iter().take_while(|heading| heading.node < until).find(is_own);
    named.or_else(labelled).or_else(legend).or_else(|| {
        inside().or_else(|| heading_over(survey, headings, start)).map(|heading| heading.text.clipped(100))
    })
}
