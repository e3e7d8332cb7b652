//! Dialogs of the page that opened or closed.

use std::borrow::Cow;

use legwork_types::{PageText, contract::Modal};

use super::{Case, Outcome, listed, must, told, words::Wanted};
use crate::{look::Look, scene::without_counts};

/// What a dialog is known by: its title, without what is counted in it, or else what it says.
fn known_by(modal: &Modal) -> Cow<'_, str> {
    match &modal.title {
        Some(title) => without_counts(title.untrusted()).into(),
        None => modal.excerpt.as_ref().map_or("", PageText::untrusted).into(),
    }
}

fn modals(look: &Look) -> &[Modal] {
    &look.scene().page.modals
}

/// Whether one of these is not among the others, each counted as often as it is there.
fn has_more(these: &[Modal], others: &[Modal]) -> bool {
    let mut others: Vec<_> = others.iter().map(known_by).collect();
    these.iter().map(known_by).any(|this| match others.iter().position(|other| *other == this) {
        Some(place) => {
            others.swap_remove(place);
            false
        }
        None => true,
    })
}

fn titles(look: &Look) -> Option<PageText> {
    listed(
        modals(look)
            .iter()
            .filter_map(|modal| modal.title.as_ref().or(modal.excerpt.as_ref()).map(PageText::untrusted)),
    )
}

/// One is open that was not.
pub(super) fn opened(case: &Case<'_>, want: bool) -> Outcome {
    case.seen_both()?;
    let opened = has_more(modals(case.after), modals(case.before));
    let why = || if want { "expected a dialog that was not open before" } else { "expected no new dialog" };
    must(opened == want, || why().into(), || titles(case.after))
}

/// One that was open is not any more.
pub(super) fn closed(case: &Case<'_>, want: bool) -> Outcome {
    case.seen_both()?;
    let closed = has_more(modals(case.before), modals(case.after));
    let why = || match (want, modals(case.before).is_empty()) {
        (true, true) => "expected a dialog to close, but none was open",
        (true, false) => "expected a dialog to close, but all are still open",
        (false, _) => "expected that no dialog closes",
    };
    must(closed == want, || why().into(), || titles(case.after))
}

/// The title of an open one contains this.
pub(super) fn titled(case: &Case<'_>, part: &str) -> Outcome {
    case.seen_after()?;
    let wanted = Wanted::new(part);
    let titles_now = modals(case.after).iter().filter_map(|modal| modal.title.as_ref());
    let holds = titles_now.map(PageText::untrusted).any(|title| wanted.is_in(title));
    must(holds, || format!("expected an open dialog with {} in its title", told(part)), || titles(case.after))
}
