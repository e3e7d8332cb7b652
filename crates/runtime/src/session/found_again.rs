//! Finding again what a permit is about, after the page was drawn anew: exactly the same, exactly once, and no more dangerous.

use legwork_browser::Aims;
use legwork_observe::{ElementRef, Item, Look};
use legwork_policy::{Permit, TargetFacts, secrets::SecretValues};
use legwork_types::{
    Deed, Intent, TabId,
    contract::{ActionId, RiskLevel},
};

use super::{facts, one::Current};

/// The elements of a permit in the look that it was given for.
pub(super) fn first_aims(current: &Current, permit: &Permit) -> Aims {
    let elements = permit.targets().iter();
    let elements = elements.filter_map(|(action, _)| Some((*action, current.look.element(*action)?.clone())));
    // Without elements the name is not asked for: any will do.
    let epoch = current.epoch.clone().unwrap_or_default();
    Aims { tab: tab_of(&current.look), epoch, elements: elements.collect(), secrets: SecretValues::none() }
}

/// The tab that was looked at, if a page was seen at all.
fn tab_of(look: &Look) -> Option<TabId> {
    let tabs = look.scene().page.tabs.iter();
    tabs.filter(|_| !look.is_stale()).find(|tab| tab.active).map(|tab| tab.tab_id)
}

/// Whether two looks are at the same page of the same tab.
fn is_same_page(before: &Look, now: &Look) -> bool {
    let (was, is) = (&before.scene().page, &now.scene().page);
    (&was.domain, &was.final_url, tab_of(before)) == (&is.domain, &is.final_url, tab_of(now))
}

/// The elements of a permit in a later look at the same page; none unless each is there exactly once, just as it was, and is no more
/// dangerous than it was. What is about no element can't be found again: a key would go to whatever has the focus now.
pub(super) fn aims(before: &Look, now: &Current, permit: &Permit) -> Option<Aims> {
    let can_be_found = is_same_page(before, &now.look) && !permit.targets().is_empty();
    let epoch = now.epoch.clone().filter(|_| can_be_found)?;
    let needs_focus = matches!(permit.intent(), Intent::PressKeyOnPage(_));
    let mut elements = Vec::new();
    for (action, fingerprint) in permit.targets() {
        let item = only(&now.look, |item| item.affordance.fingerprint == *fingerprint)?;
        // A fingerprint tells twins apart by their order, which is another one where a row came or went.
        let kept = only(before, |item| item.affordance.action_id == *action)?;
        only(before, |other| is_alike(other, kept))?;
        only(&now.look, |other| is_alike(other, kept)).filter(|alike| std::ptr::eq(*alike, item))?;
        let was = facts::target(before, *action)?;
        let is = facts::target(&now.look, item.affordance.action_id)?;
        let can_be_used = item.affordance.targetable && (item.affordance.focused || !needs_focus);
        if !can_be_used || is_worse(&is, &was) {
            return None;
        }
        elements.push((*action, item.element.clone()?));
    }
    Some(Aims { tab: tab_of(&now.look), epoch, elements, secrets: SecretValues::none() })
}

/// The same for what somebody said yes to: that was said of the page with this address and this heading, too. A key that went to
/// no element then goes to none now.
pub(super) fn confirmed_aims(before: &Look, now: &Current, permit: &Permit) -> Option<Aims> {
    let heading = |look: &Look| look.scene().page.primary_heading.clone();
    if now.look.is_stale() || !is_same_page(before, &now.look) || heading(before) != heading(&now.look) {
        return None;
    }
    let (tab, epoch) = (tab_of(&now.look), now.epoch.clone()?);
    if permit.targets().is_empty() {
        let has_focus = now.look.scene().items.iter().any(|item| item.affordance.focused);
        return (!has_focus).then(|| Aims {
            tab,
            epoch,
            elements: Vec::new(),
            secrets: SecretValues::none(),
        });
    }
    let same =
        permit.targets().iter().map(|(action, _)| Some((*action, same_place(before, &now.look, *action)?)));
    Some(Aims { tab, epoch, elements: same.collect::<Option<_>>()?, secrets: SecretValues::none() })
}

/// The element with this number in a later look at the same page: of several alike the one at the same place among them, if there
/// are just as many.
fn same_place(before: &Look, now: &Look, action: ActionId) -> Option<ElementRef> {
    let kept = only(before, |item| item.affordance.action_id == action)?;
    let alike = |look: &'_ Look| -> Vec<usize> {
        let items = look.scene().items.iter().enumerate();
        items.filter(|(_, item)| is_alike(item, kept)).map(|(at, _)| at).collect()
    };
    let (then, today) = (alike(before), alike(now));
    let place = then.iter().position(|at| std::ptr::eq(&before.scene().items[*at], kept))?;
    let item = now.scene().items.get(*today.get(place).filter(|_| then.len() == today.len())?)?;
    let (was, is) = (facts::target(before, action)?, facts::target(now, item.affordance.action_id)?);
    (item.affordance.targetable && !is_worse(&is, &was)).then(|| item.element.clone())?
}

/// Whether something is pressed whose name does not tell what that does.
pub(super) fn says_little(look: &Look, permit: &Permit) -> bool {
    let does_nothing = matches!(
        permit.intent(),
        Intent::OnElement { deed: Deed::Hover | Deed::Focus | Deed::ScrollIntoView | Deed::Scroll(_), .. }
    );
    let is_target =
        |item: &&Item| permit.targets().iter().any(|(action, _)| *action == item.affordance.action_id);
    !does_nothing && look.scene().items.iter().filter(is_target).any(|item| item.says_little)
}

/// The one item of a look that is as asked; none if there are several.
fn only(look: &Look, mut wanted: impl FnMut(&Item) -> bool) -> Option<&Item> {
    let mut found = look.scene().items.iter().filter(|item| wanted(item));
    match (found.next(), found.next()) {
        (Some(item), None) => Some(item),
        _ => None,
    }
}

/// Whether a person would take one for the other: it is the same, and the same stands beside it.
fn is_alike(one: &Item, other: &Item) -> bool {
    let identity = |item: &Item| item.element.as_ref().map(|element| element.identity);
    let (this, that) = (&one.affordance, &other.affordance);
    (&this.role, &this.name, &this.near_text) == (&that.role, &that.name, &that.near_text)
        && (this.frame_id, identity(one)) == (that.frame_id, identity(other))
}

fn is_worse(is: &TargetFacts, was: &TargetFacts) -> bool {
    let sends = |facts: &TargetFacts| facts.sends.as_ref().map_or(RiskLevel::Safe, |risk| risk.level);
    is.risk.level > was.risk.level || sends(is) > sends(was) || (is.in_captcha && !was.in_captcha)
}
