//! Which controls come first.
//!
//! By the part of the page first (a dialog before a notice before the matter before navigation before the foot; a second
//! way in navigation or foot to where a better placed control leads counts 150 less), so that a control of the matter
//! below the fold still comes before the foot of the page that happens to be in sight. Within one part what is in sight
//! comes first, then what can be seen and used, then the order of the document. The order is total: the last key is unique.

use std::cmp::Reverse;

use foldhash::{HashMap, HashMapExt};

use legwork_types::contract::{Affordance, Landmark};

use crate::scene::{Item, ItemIndex};

/// What a twin in navigation or foot loses.
const TWIN: i32 = 150;

/// How much a part of the page weighs.
pub(crate) fn weight(landmark: Landmark) -> i32 {
    match landmark {
        Landmark::Modal => 500,
        Landmark::Banner => 450,
        Landmark::Main => 400,
        Landmark::Nav => 200,
        Landmark::Footer => 150,
        Landmark::Unknown => 0,
    }
}

/// The items, best first.
pub(crate) fn rank(items: &[Item]) -> Vec<ItemIndex> {
    let mut best: HashMap<_, i32> = HashMap::new();
    for item in items.iter().filter(|item| item.affordance.visible) {
        if let Some(twin) = twin(&item.affordance) {
            let place = weight(item.affordance.landmark);
            best.entry(twin).and_modify(|best| *best = place.max(*best)).or_insert(place);
        }
    }
    let mut order: Vec<ItemIndex> = (0..items.len()).collect();
    order.sort_by_key(|&index| {
        let affordance = &items[index].affordance;
        let place = weight(affordance.landmark);
        let lesser = matches!(affordance.landmark, Landmark::Nav | Landmark::Footer)
            && twin(affordance).and_then(|twin| best.get(&twin)).is_some_and(|best| *best > place);
        let usable = 50 * i32::from(affordance.visible) + 10 * i32::from(!affordance.disabled);
        (
            Reverse(place - if lesser { TWIN } else { 0 }),
            Reverse(affordance.in_viewport),
            Reverse(usable),
            index,
        )
    });
    order
}

/// What two ways to the same thing have in common; nothing without a name is a twin.
fn twin(affordance: &Affordance) -> Option<(&str, &str, Option<&str>)> {
    let href = affordance.href.as_ref().map(|href| href.untrusted());
    (!affordance.name.is_blank()).then(|| (affordance.role.as_str(), affordance.name.untrusted(), href))
}
