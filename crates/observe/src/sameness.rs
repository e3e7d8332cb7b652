//! Whether two looks tell the same: all that a caller could be told of a page, as one number.

use legwork_types::{
    PageText,
    contract::{ActionId, Affordance, Fingerprint, Page, Viewport},
};
use serde::Serialize;

use crate::{
    digest::Digest,
    drawn,
    look::Look,
    scene::{Group, Item, Line, SceneBlocker, SceneForm},
};

/// Who scrolls by less sees the same, in CSS pixels.
const SCROLL_STEP: i32 = 50;

/// The digest of a look: everything in order of the document, which does not depend on ranks and numbers.
///
/// What was left out is no part of it, because how much that is depends on what earlier looks have asked and on how fast the
/// machine is.
pub(crate) fn digest(look: &Look) -> u64 {
    let scene = look.scene();
    let as_a_whole = Digest::new().told(&(look.is_stale(), drawn::is_drawn(scene))).told(&page(&scene.page));
    let items = scene.items.iter().fold(as_a_whole, |digest, item| digest.told(&affordance(item)));
    let lines = scene.outline.iter().fold(items, |digest, line| match &line.line {
        Line::Heading { level, text } => digest.told(&("heading", level, text)),
        Line::Text(text) => digest.told(&("text", text)),
        Line::Control(item) => digest.told(&("control", item)),
    });
    let groups = scene.groups.iter().filter(|group| group.label.is_some());
    let groups = groups.fold(lines, |digest, Group { kind, label, landmark, .. }| {
        digest.told(&("group", kind, label, landmark))
    });
    let blockers = scene.blockers.iter().fold(groups, |digest, SceneBlocker { kind, text, items }| {
        digest.told(&("blocker", kind, text, items))
    });
    let forms = scene.forms.iter().fold(blockers, |digest, SceneForm { section, submit, fields, .. }| {
        digest.told(&("form", section, submit, fields))
    });
    forms.0
}

impl Digest {
    /// Adds something as callers are told it.
    fn told(self, what: &impl Serialize) -> Self {
        self.add(&serde_json::to_string(what).unwrap_or_default())
    }
}

/// The page, without how one came to it and how long it is.
fn page(page: &Page) -> Page {
    let Viewport { width, height, scroll_x, scroll_y, .. } = page.viewport;
    let [scroll_x, scroll_y] = [scroll_x, scroll_y].map(|pixels| pixels.div_euclid(SCROLL_STEP));
    let viewport = Viewport { width, height, scroll_x, scroll_y, page_height: 0 };
    Page { url: PageText::default(), viewport, ..page.clone() }
}

/// What can be done, without its number, its place and what it is known by.
fn affordance(item: &Item) -> Affordance {
    Affordance { action_id: ActionId(0), rect: None, fingerprint: Fingerprint(0), ..item.affordance.clone() }
}
