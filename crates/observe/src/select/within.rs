//! Looking only in one part of a page.

use legwork_types::contract::{ActionId, Landmark, Within};

use crate::{
    capture::GroupKind,
    error::ObserveError,
    look::Look,
    scene::{GroupIndex, Item, Scene},
    story::Worth,
};

/// The most controls of a row or card: what holds more is a list of them.
pub(super) const CARD: usize = 30;

/// Where to look.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Area {
    Group(GroupIndex),
    Landmark(Landmark),
}

impl Area {
    /// The part that a caller names.
    pub(crate) fn new(look: &Look, within: Within) -> Result<Self, ObserveError> {
        match within {
            Within::Landmark(landmark) => Ok(Self::Landmark(landmark)),
            Within::Action(action) => match look.item(action) {
                Some(item) => Ok(Self::Group(enclosing(look, item))),
                None => Err(unknown(look, action)),
            },
        }
    }

    /// Whether an item stands in it.
    pub(crate) fn holds(self, scene: &Scene, item: &Item) -> bool {
        match self {
            Self::Landmark(landmark) => item.affordance.landmark == landmark,
            Self::Group(area) => ancestors(scene, item.group).any(|group| group == area),
        }
    }
}

fn unknown(look: &Look, action: ActionId) -> ObserveError {
    ObserveError::UnknownAction { current: look.id().clone(), action }
}

/// The group and all those around it, from the inside out. Parents stand before children, so this ends.
pub(crate) fn ancestors(scene: &Scene, group: GroupIndex) -> impl Iterator<Item = GroupIndex> + '_ {
    std::iter::successors(Some(group), |&group| {
        scene.groups.get(group).and_then(|inner| inner.parent).filter(|&parent| parent < group)
    })
}

/// How many controls stand in each group.
pub(super) fn held(scene: &Scene) -> Vec<usize> {
    let mut held = vec![0_usize; scene.groups.len()];
    for item in &scene.items {
        for group in ancestors(scene, item.group) {
            if let Some(held) = held.get_mut(group) {
                *held += 1;
            }
        }
    }
    held
}

/// What a person would call "its row", "its card", "its form": the innermost group that is one of these and not too large
/// for it; else the smallest that holds a second control; else the page.
fn enclosing(look: &Look, item: &Item) -> GroupIndex {
    let scene = look.scene();
    let held = held(scene);
    let holds = |group: GroupIndex| held.get(group).copied().unwrap_or_default();
    let kind = |group: GroupIndex| scene.groups.get(group).map(|group| group.kind);
    let is_card = |group: GroupIndex| look.story().card.get(group) == Some(&Some(group));
    ancestors(scene, item.group)
        .find(|&group| match kind(group) {
            Some(GroupKind::Form | GroupKind::Fieldset | GroupKind::Dialog | GroupKind::Modal) => true,
            _ if is_card(group) && holds(group) == 1 => !is_field(scene, item) && has_texts(look, group),
            Some(GroupKind::Region) => (2..=CARD).contains(&holds(group)),
            _ => is_card(group) && (2..=CARD).contains(&holds(group)),
        })
        .or_else(|| ancestors(scene, item.group).find(|&group| holds(group) > 1))
        .unwrap_or(0)
}

/// Whether a form is filled in here. Alone in a row it is a line of its form.
fn is_field(scene: &Scene, item: &Item) -> bool {
    let form = item.form.and_then(|form| scene.forms.get(form));
    form.is_some_and(|form| {
        let mut fields = form.fields.iter().filter_map(|&field| scene.items.get(field));
        fields.any(|field| std::ptr::eq(field, item))
    })
}

/// Whether a group says anything beside the names of its controls. An entry that does not, such as one of a menu, is no
/// more than its control.
fn has_texts(look: &Look, area: GroupIndex) -> bool {
    let lines = look.scene().outline.iter().zip(&look.story().worth);
    let mut texts = lines.filter(|(_, worth)| **worth != Worth::None);
    texts.any(|(line, _)| ancestors(look.scene(), line.group).any(|group| group == area))
}
