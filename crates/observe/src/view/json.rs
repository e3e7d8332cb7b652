//! The JSON form: page strings made harmless and bounded, the whole within 100 KB.

use legwork_types::{
    PageText,
    contract::{Affordance, Observation, Page},
};

use super::escape::neutral;

/// The most bytes of an observation.
pub(crate) const LIMIT: usize = 100_000;

/// How much is given up to stay within the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Frugality {
    /// Nothing.
    None,
    /// Where controls are.
    Boxes,
    /// What stands around them, and what can be chosen.
    Surroundings,
    /// The differences to an earlier look.
    Delta,
    /// The page's text, frames and other tabs.
    Page,
}

impl Frugality {
    /// The next step.
    pub(crate) fn more(self) -> Option<Self> {
        match self {
            Self::None => Some(Self::Boxes),
            Self::Boxes => Some(Self::Surroundings),
            Self::Surroundings => Some(Self::Delta),
            Self::Delta => Some(Self::Page),
            Self::Page => None,
        }
    }
}

/// The observation as programs may see it, and its size in bytes.
pub(crate) fn fitted(observation: &Observation, frugality: Frugality) -> (Observation, usize) {
    let mut clean = sanitised(observation);
    if frugality >= Frugality::Boxes {
        affordances(&mut clean).for_each(|affordance| affordance.rect = None);
    }
    if frugality >= Frugality::Surroundings {
        for affordance in affordances(&mut clean) {
            affordance.near_text = None;
            let options = std::mem::take(&mut affordance.constraints.options);
            if !options.is_empty() {
                affordance.constraints.option_count.get_or_insert(options.len() as u32);
            }
        }
    }
    if frugality >= Frugality::Delta
        && let Some(delta) = &mut clean.delta
    {
        delta.more += (delta.added.len() + delta.changed.len() + delta.removed.len()) as u32;
        (delta.added, delta.changed, delta.removed) = (Vec::new(), Vec::new(), Vec::new());
    }
    if frugality >= Frugality::Page {
        let before = clean.page.frames.len() + clean.page.tabs.len();
        clean.page.frames.clear();
        clean.page.tabs.retain(|tab| tab.active);
        clean.omitted.over_budget +=
            (before - clean.page.tabs.len()) as u32 + u32::from(clean.text.is_some());
        clean.text = None;
    }
    let size = serde_json::to_vec(&clean).map_or(usize::MAX, |json| json.len());
    (clean, size)
}

/// The same observation with every word of the page made harmless (control characters, marks of reading order and what
/// has no picture) and bounded. What is cut off a list is counted in `omitted.over_budget`.
pub fn sanitised(observation: &Observation) -> Observation {
    let mut clean = observation.clone();
    clean.omitted.over_budget += page(&mut clean.page);
    affordances(&mut clean).for_each(affordance);
    for form in &mut clean.forms {
        optional(&mut form.section, 200);
    }
    optional(&mut clean.text, 2 * crate::prose::LIMIT);
    clean
}

fn affordances(observation: &mut Observation) -> impl Iterator<Item = &mut Affordance> {
    let delta = observation.delta.iter_mut();
    let differences = delta.flat_map(|delta| {
        delta.added.iter_mut().chain(delta.changed.iter_mut().map(|change| &mut change.now))
    });
    observation.affordances.iter_mut().chain(differences)
}

fn affordance(affordance: &mut Affordance) {
    clean(&mut affordance.name, 300);
    optional(&mut affordance.href, 1_000);
    optional(&mut affordance.value, 1_000);
    optional(&mut affordance.near_text, 300);
    let constraints = &mut affordance.constraints;
    for text in [&mut constraints.kind, &mut constraints.pattern, &mut constraints.min, &mut constraints.max]
    {
        optional(text, 200);
    }
    if constraints.options.len() > 50 {
        constraints.option_count.get_or_insert(constraints.options.len() as u32);
        constraints.options.truncate(50);
    }
    constraints.options.iter_mut().for_each(|option| clean(option, 100));
    affordance.role = neutral(&affordance.role).chars().take(40).collect();
}

/// Cleans the page; how many entries were cut off its lists.
fn page(page: &mut Page) -> u32 {
    let mut cut = 0;
    fn shorten<T>(list: &mut Vec<T>, most: usize, cut: &mut u32) {
        *cut += list.len().saturating_sub(most) as u32;
        list.truncate(most);
    }
    page.tabs.sort_by_key(|tab| !tab.active);
    shorten(&mut page.tabs, 20, &mut cut);
    page.tabs.sort_by_key(|tab| tab.tab_id);
    shorten(&mut page.frames, 20, &mut cut);
    shorten(&mut page.modals, 10, &mut cut);
    shorten(&mut page.banners, 10, &mut cut);
    shorten(&mut page.blockers, 10, &mut cut);
    shorten(&mut page.dialogs, 5, &mut cut);
    page.domain = neutral(&page.domain).chars().take(300).collect();
    clean(&mut page.url, 1_000);
    clean(&mut page.final_url, 1_000);
    for text in [&mut page.lang, &mut page.title, &mut page.primary_heading, &mut page.route_key] {
        optional(text, 300);
    }
    optional(&mut page.blocking_overlay.label, 200);
    page.blockers.iter_mut().for_each(|blocker| optional(&mut blocker.text, 200));
    page.banners.iter_mut().for_each(|banner| clean(&mut banner.text, 200));
    for modal in &mut page.modals {
        optional(&mut modal.title, 100);
        optional(&mut modal.excerpt, 200);
    }
    for dialog in &mut page.dialogs {
        dialog.kind = neutral(&dialog.kind).chars().take(20).collect();
        clean(&mut dialog.message, 500);
    }
    for frame in &mut page.frames {
        optional(&mut frame.url, 200);
        optional(&mut frame.name, 100);
    }
    for tab in &mut page.tabs {
        clean(&mut tab.url, 200);
        clean(&mut tab.title, 100);
    }
    cut
}

fn optional(text: &mut Option<PageText>, most: usize) {
    if let Some(text) = text {
        clean(text, most);
    }
}

/// Clean first, cut then: what is made visible grows.
fn clean(text: &mut PageText, most: usize) {
    // What is cut anyway is not read.
    let beginning = text.clipped(4 * most + 1);
    *text = PageText::new(neutral(beginning.untrusted())).clipped(most);
}
