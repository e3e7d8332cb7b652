//! Which controls a question is about.

mod find;
mod within;

use legwork_types::contract::{Affordance, Landmark, ObserveOptions, Scope};

use crate::{error::ObserveError, look::Look, scene::ItemIndex};
use find::{Hit, Search};
pub(crate) use within::{Area, ancestors};

/// Which controls a question is about. Every item of the look is in exactly one of the four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Those to list, best first; in a search those that only their card speaks for come last.
    pub(crate) listed: Vec<ItemIndex>,
    /// How many were left out because nobody can see them.
    pub(crate) hidden: u32,
    /// How many were left out because they are switched off.
    pub(crate) disabled: u32,
    /// How many are outside what was asked for.
    pub(crate) outside: u32,
}

/// Sorts every item of a look by what was asked. What is outside of the question is counted there even if it is hidden
/// too: `hidden` then tells of what would have matched.
pub(crate) fn select(look: &Look, options: &ObserveOptions) -> Result<Selection, ObserveError> {
    let search = options.find.as_ref().and_then(|find| Search::new(look, find));
    let area = options.within.map(|within| Area::new(look, within)).transpose()?;
    let mut hits = Vec::new();
    let mut selection = Selection { listed: Vec::new(), hidden: 0, disabled: 0, outside: 0 };
    for &index in look.order() {
        let Some(item) = look.scene().items.get(index) else { continue };
        let affordance = &item.affordance;
        let in_place = in_scope(affordance, options.scope)
            && area.as_ref().is_none_or(|area| area.holds(look.scene(), item));
        // Without a search everything is as good a hit as any other.
        let hit = search.as_ref().map_or(Some(Hit::Own), |search| search.finds(item)).filter(|_| in_place);
        let Some(hit) = hit else {
            selection.outside += 1;
            continue;
        };
        if !affordance.visible && !options.include_hidden {
            selection.hidden += 1;
        } else if affordance.disabled && !options.include_disabled {
            selection.disabled += 1;
        } else {
            hits.push((hit, index));
        }
    }
    // Stable: among hits of one kind the order of the look holds.
    hits.sort_by_key(|(hit, _)| *hit);
    selection.listed = hits.into_iter().map(|(_, index)| index).collect();
    Ok(selection)
}

fn in_scope(affordance: &Affordance, scope: Scope) -> bool {
    match scope {
        Scope::Document => true,
        Scope::Viewport => affordance.in_viewport,
        Scope::ModalOnly => affordance.landmark == Landmark::Modal,
    }
}
