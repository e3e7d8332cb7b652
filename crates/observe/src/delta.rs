//! What changed between two looks at the same page.

use foldhash::{HashMap, HashMapExt};

use legwork_types::contract::{Affordance, Change, Delta, Fingerprint, ObserveOptions};

use crate::look::Look;

/// What is listed of each kind of difference; the rest is counted.
const LISTED: usize = 50;

/// What an element is known by: twins with one fingerprint are told apart by their order.
type Key = (Fingerprint, u32);

/// What is new, gone or different in `now`. Both looks are taken as these options would list them: what has become hidden
/// is gone for who does not ask for hidden things.
pub(crate) fn compare(earlier: &Look, now: &Look, options: &ObserveOptions) -> Delta {
    let mut old: HashMap<Key, &Affordance> = HashMap::new();
    let mut gone = Vec::new();
    for (key, affordance) in keyed(earlier, options) {
        old.insert(key, affordance);
        gone.push((key, affordance.action_id));
    }
    let mut delta = Delta {
        since: earlier.id().clone(),
        added: Vec::new(),
        removed: Vec::new(),
        changed: Vec::new(),
        more: 0,
    };
    for (key, affordance) in keyed(now, options) {
        match old.remove(&key) {
            None => delta.added.push(affordance.clone()),
            Some(was) if differs(was, affordance) => {
                delta.changed.push(Change { was: was.action_id, now: affordance.clone() });
            }
            Some(_) => {}
        }
    }
    gone.retain(|(key, _)| old.contains_key(key));
    delta.removed = gone.into_iter().map(|(_, action)| action).collect();
    delta
}

/// The same delta with at most so many entries of each kind as a caller should get.
pub(crate) fn bounded(mut delta: Delta) -> Delta {
    let before = delta.added.len() + delta.changed.len() + delta.removed.len();
    delta.added.truncate(LISTED);
    delta.changed.truncate(LISTED);
    delta.removed.truncate(4 * LISTED);
    let after = delta.added.len() + delta.changed.len() + delta.removed.len();
    delta.more = u32::try_from(before - after).unwrap_or(u32::MAX);
    delta
}

fn keyed<'look>(
    look: &'look Look,
    options: &ObserveOptions,
) -> impl Iterator<Item = (Key, &'look Affordance)> + use<'look> {
    let (hidden, disabled) = (options.include_hidden, options.include_disabled);
    let mut seen: HashMap<Fingerprint, u32> = HashMap::new();
    // Twins are counted in order of the document: ranks move when the page is scrolled.
    look.scene().items.iter().map(|item| &item.affordance).filter_map(move |affordance| {
        let nth = seen.entry(affordance.fingerprint).or_default();
        *nth += 1;
        let listed = (affordance.visible || hidden) && (!affordance.disabled || disabled);
        listed.then_some(((affordance.fingerprint, *nth), affordance))
    })
}

/// Whether a person would call it changed: what it is, says, holds or allows; not where it is, whether it is in sight or
/// has the focus, or what stands around it.
pub(crate) fn differs(was: &Affordance, now: &Affordance) -> bool {
    let facts = |one: &Affordance| {
        (one.disabled, one.visible, one.has_value, one.required, one.invalid, one.readonly, one.targetable)
    };
    let switches = |one: &Affordance| (one.checked, one.selected, one.expanded, one.pressed);
    facts(was) != facts(now)
        || switches(was) != switches(now)
        || (&was.role, &was.name, &was.value, &was.href) != (&now.role, &now.name, &now.value, &now.href)
        || was.constraints != now.constraints
}
