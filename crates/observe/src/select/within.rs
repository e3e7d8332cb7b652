//! Looking only in one part of a page.

use legwork_types::contract::{ActionId, Landmark, Within};

use crate::{
    capture::GroupKind,
    error::ObserveError,
    look::Look,
    scene::{GroupIndex, Item, Scene},
};

/// The most controls of a row or card: what holds more is a list of them.
const CARD: usize = 30;

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
                Some(item) => Ok(Self::Group(enclosing(look.scene(), item))),
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

/// What a person would call "its row", "its card", "its form": the innermost group that is one of these and not too large
/// for it; else the smallest that holds a second control; else the page.
pub(crate) fn enclosing(scene: &Scene, item: &Item) -> GroupIndex {
    let mut held = vec![0_usize; scene.groups.len()];
    for other in &scene.items {
        for group in ancestors(scene, other.group) {
            if let Some(held) = held.get_mut(group) {
                *held += 1;
            }
        }
    }
    let holds = |group: GroupIndex| held.get(group).copied().unwrap_or_default();
    let kind = |group: GroupIndex| scene.groups.get(group).map(|group| group.kind);
    ancestors(scene, item.group)
        .find(|&group| match kind(group) {
            Some(GroupKind::Row | GroupKind::Item) => (2..=CARD).contains(&holds(group)),
            Some(GroupKind::Form | GroupKind::Fieldset | GroupKind::Dialog | GroupKind::Modal) => true,
            Some(GroupKind::Region) => (2..=CARD).contains(&holds(group)),
            _ => false,
        })
        .or_else(|| ancestors(scene, item.group).find(|&group| holds(group) > 1))
        .unwrap_or(0)
}
