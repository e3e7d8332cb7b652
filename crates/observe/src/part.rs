//! One part of a look as an observation: the controls of this part, the forms and blockers by number, what is left out.

use legwork_types::contract::{
    ActionId, Affordance, Blocker, Form, FormField, Include, Observation, Omitted, Page, SCHEMA_VERSION,
};

use crate::{
    cursor, delta,
    look::{Look, Question},
    prose::prose,
    scene::{Item, ItemIndex},
    view::json,
};

/// How many fields of one form, and controls of one blocker, are named.
const NAMED: usize = 200;

/// What a part is to hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// How many controls, from the question's offset on.
    pub(crate) count: usize,
    /// Texts that stand beside these controls and were left out.
    pub(crate) texts_left_out: u32,
}

/// The observation of one part, clean and within 100 KB: if that takes fewer controls, the next part begins earlier.
pub(crate) fn observation(look: &Look, question: &Question<'_>, part: Part) -> Observation {
    let mut count = part.count.min(question.rest().len());
    let mut wasted = json::Frugality::None;
    loop {
        let whole = assemble(look, question, Part { count, ..part });
        let (clean, size) = json::fitted(&whole, wasted);
        if size <= json::LIMIT {
            return clean;
        }
        match wasted.more() {
            Some(more) => wasted = more,
            None if count > 1 => count = (count * json::LIMIT / size).clamp(1, count - 1),
            None => return clean,
        }
    }
}

fn assemble(look: &Look, question: &Question<'_>, part: Part) -> Observation {
    let options = question.options;
    let listed = question.rest().get(..part.count).unwrap_or_default();
    let end = question.offset + listed.len();
    let has_more = end < question.selection.listed.len();
    let boxes = options.include.contains(&Include::Boxes);
    let show = |affordance: &Affordance| {
        let rect = affordance.rect.filter(|_| boxes);
        Affordance { rect, ..affordance.clone() }
    };
    let items = |indexes: &[ItemIndex]| -> Vec<Affordance> {
        indexes
            .iter()
            .filter_map(|&index| look.scene().items.get(index))
            .map(|item| show(&item.affordance))
            .collect()
    };
    let mut delta = question.delta.clone().map(delta::bounded);
    for changed in delta.iter_mut().flat_map(|delta| {
        delta.added.iter_mut().chain(delta.changed.iter_mut().map(|change| &mut change.now))
    }) {
        changed.rect = changed.rect.filter(|_| boxes);
    }
    let wants_text = options.include.contains(&Include::Text) && question.offset == 0;
    Observation {
        schema_version: SCHEMA_VERSION,
        observation_id: look.id().clone(),
        session_id: look.session().clone(),
        created_at: look.created_at(),
        page: page(look),
        stale: look.is_stale(),
        affordances: items(listed),
        forms: forms(look, question, listed),
        text: wants_text.then(|| prose(look.scene())).map(Into::into),
        delta,
        omitted: omitted(look, question, listed.len(), part.texts_left_out),
        next_cursor: has_more.then(|| cursor::encode(look.id(), end, options)),
        has_more,
    }
}

/// Counts what is not in this part: together with what is listed, every item of the look.
pub(crate) fn omitted(look: &Look, question: &Question<'_>, shown: usize, texts_left_out: u32) -> Omitted {
    let captured = look.scene().omitted;
    let selection = &question.selection;
    let elsewhere = u32::try_from(selection.listed.len().saturating_sub(shown)).unwrap_or(u32::MAX);
    Omitted {
        paged: captured.paged + elsewhere + selection.outside,
        hidden: captured.hidden + selection.hidden,
        disabled: captured.disabled + selection.disabled,
        over_budget: captured.over_budget + texts_left_out,
        ..captured
    }
}

fn number(look: &Look, index: ItemIndex) -> Option<ActionId> {
    look.scene().items.get(index).map(|item| item.affordance.action_id)
}

/// The page with its blockers by number.
fn page(look: &Look) -> Page {
    let blockers = look.scene().blockers.iter().map(|blocker| Blocker {
        kind: blocker.kind,
        text: blocker.text.clone(),
        action_ids: blocker.items.iter().filter_map(|&index| number(look, index)).take(NAMED).collect(),
    });
    Page { blockers: blockers.collect(), ..look.scene().page.clone() }
}

/// The forms that have a control among these; of their fields those that the question lists at all.
fn forms(look: &Look, question: &Question<'_>, listed: &[ItemIndex]) -> Vec<Form> {
    let items = &look.scene().items;
    let asked: foldhash::HashSet<ItemIndex> = question.selection.listed.iter().copied().collect();
    let mut forms = Vec::new();
    for (place, form) in look.scene().forms.iter().enumerate() {
        let belongs = |index: &ItemIndex| {
            items.get(*index).is_some_and(|item: &Item| item.form == Some(place))
                || form.fields.contains(index)
                || form.submit == Some(*index)
        };
        if listed.iter().any(belongs) {
            let fields = form.fields.iter().filter(|index| asked.contains(index));
            forms.push(Form {
                form_id: format!("form{}", place + 1),
                section: form.section.clone(),
                submit_action_id: form.submit.and_then(|index| number(look, index)),
                fields: fields
                    .filter_map(|&index| number(look, index))
                    .map(|action_id| FormField { action_id })
                    .take(NAMED)
                    .collect(),
            });
        }
    }
    forms
}
