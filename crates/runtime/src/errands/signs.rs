//! What a page shows of a service, worked out from the whole look.

use legwork_agent::service::{Element, Seen, ServiceRules, Signs, Wanted};
use legwork_observe::{Look, Scene};
use legwork_types::contract::{ActionId, BlockerKind};

/// As much of a page is searched, in characters.
const ALL: usize = 200_000;

/// What a page shows; none where it could not be seen.
pub(super) fn of(look: &Look, rules: &ServiceRules) -> Option<Signs> {
    if look.is_stale() {
        return None;
    }
    let scene = look.scene();
    let (words, is_whole) = look.all_words(ALL);
    let items = || scene.items.iter().map(|item| &item.affordance);
    let elements: Vec<Element<'_>> =
        items().map(|item| Element { role: &item.role, name: item.name.untrusted() }).collect();
    let numbers: Vec<ActionId> = items().map(|item| item.action_id).collect();
    let seen = Seen {
        url: scene.page.final_url.untrusted(),
        words: Some(words.untrusted()),
        is_cut: !is_whole,
        elements: Some(&elements),
        tool: None,
        acted: None,
    };
    Some(Signs::of(rules, &seen, &numbers, wants(scene)))
}

/// What the page itself seems to want of its visitors: first what only a person can give.
fn wants(scene: &Scene) -> Option<Wanted> {
    let has = |kind: BlockerKind| scene.blockers.iter().any(|blocker| blocker.kind == kind);
    match () {
        () if has(BlockerKind::Captcha) => Some(Wanted::Captcha),
        () if has(BlockerKind::Mfa) => Some(Wanted::Code),
        () if has(BlockerKind::LoginRequired) => Some(Wanted::Login),
        () => None,
    }
}
