//! Addresses, titles, headings, notices and texts.

use legwork_types::PageText;

use super::{Case, NOT_SEEN_AFTER, Outcome, listed, must, told, untold};
use crate::{
    look::Look,
    scene::{GroupIndex, Line},
};

/// A text as expectations see it: small letters, one space for each run of white space, none at the ends.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        // Both small forms of the Greek letter are the same one in capitals.
        plain.extend(word.chars().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }));
    }
    plain
}

/// Words to look for in the texts of a page. Blank ones are nowhere.
pub(super) struct Wanted(String);

impl Wanted {
    pub(super) fn new(words: &str) -> Self {
        Self(plain(words))
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        !self.0.is_empty() && plain(text).contains(&self.0)
    }
}

fn address(look: &Look) -> &PageText {
    &look.scene().page.final_url
}

/// Whether the address after the act is known: it was looked at, or the browser told another one since.
fn address_is_known(case: &Case<'_>) -> bool {
    !case.after.is_stale() || address(case.before) != address(case.after)
}

pub(super) fn url_changed(case: &Case<'_>, want: bool) -> Outcome {
    if !address_is_known(case) {
        return untold(NOT_SEEN_AFTER);
    }
    let why = || if want { "expected another address" } else { "expected the same address" }.to_owned();
    let changed = address(case.before) != address(case.after);
    must(changed == want, why, || Some(address(case.after).clone()))
}

/// In just these letters: addresses tell them apart.
pub(super) fn url_contains(case: &Case<'_>, part: &str) -> Outcome {
    if !address_is_known(case) {
        return untold(NOT_SEEN_AFTER);
    }
    let holds = !part.trim().is_empty() && address(case.after).untrusted().contains(part);
    must(holds, || format!("expected {} in the address", told(part)), || Some(address(case.after).clone()))
}

pub(super) fn title_contains(case: &Case<'_>, part: &str) -> Outcome {
    contains(case, "the title", part, case.after.scene().page.title.as_ref())
}

pub(super) fn heading_contains(case: &Case<'_>, part: &str) -> Outcome {
    contains(case, "the first heading", part, case.after.scene().page.primary_heading.as_ref())
}

fn contains(case: &Case<'_>, place: &str, part: &str, text: Option<&PageText>) -> Outcome {
    case.seen_after()?;
    let holds = text.is_some_and(|text| Wanted::new(part).is_in(text.untrusted()));
    must(holds, || format!("expected {} in {place}", told(part)), || text.cloned())
}

pub(super) fn banner_contains(case: &Case<'_>, part: &str) -> Outcome {
    case.seen_after()?;
    let wanted = Wanted::new(part);
    let banners = || case.after.scene().page.banners.iter().map(|banner| banner.text.untrusted());
    let holds = banners().any(|text| wanted.is_in(text));
    must(holds, || format!("expected a notice with {}", told(part)), || listed(banners()))
}

/// There now and not before.
pub(super) fn text_appeared(case: &Case<'_>, part: &str) -> Outcome {
    case.seen_both()?;
    let wanted = Wanted::new(part);
    must(reads(case.after, &wanted), || format!("expected {} on the page", told(part)), || None)?;
    must(!reads(case.before, &wanted), || format!("{} was on the page before", told(part)), || None)
}

/// Whether a reader finds these words: in what stands together in one group, or in the name of a control that can be seen.
fn reads(look: &Look, wanted: &Wanted) -> bool {
    let scene = look.scene();
    let mut open: (Option<GroupIndex>, String) = (None, String::new());
    for line in &scene.outline {
        let (text, alone) = match &line.line {
            Line::Heading { text, .. } => (text, true),
            Line::Text(text) => (text, false),
            Line::Control(index) => match scene.items.get(*index).map(|item| &item.affordance) {
                Some(control) if control.visible => (&control.name, false),
                _ => continue,
            },
        };
        let group = (!alone).then_some(line.group);
        if group.is_none() || open.0 != group {
            if wanted.is_in(&open.1) {
                return true;
            }
            open = (group, String::new());
        }
        open.1.push(' ');
        open.1.push_str(text.untrusted());
    }
    wanted.is_in(&open.1)
}
