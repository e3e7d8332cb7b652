//! What is to be done, judged before anything is: its acts, why somebody has to say yes, its words, and how it is known again.

use legwork_agent::{Commit, Order, service::Asked};
use legwork_policy::wire::{Address, spot_of_deed};
use legwork_types::{
    PageText,
    contract::{Action, Target},
};

use super::{ForeignAct, ForeignPage, ForeignPart, LONGEST};
use crate::harmless;

/// What stands for the method where an act was approved, and nobody saw what it sent.
const ACT: &str = "ACT";

/// What is to be done.
pub(super) struct Ordered {
    pub(super) acts: Vec<ForeignAct>,
    /// Why somebody has to say yes.
    pub(super) why: Option<String>,
    pub(super) touched: Option<ForeignPart>,
    /// The dialog that waits for an answer.
    pub(super) dialog: Option<PageText>,
    /// Where.
    pub(super) place: String,
    /// In words; some of them are the page's.
    pub(super) deed: String,
    pub(super) commit: Commit,
}

impl Ordered {
    /// These acts on this page.
    pub(super) fn of(order: &Order<'_>, page: &ForeignPage, acts: Vec<ForeignAct>, why: Vec<String>) -> Self {
        let touched = match order.act.target {
            Target::Element { action_id } => page.control(action_id.0).cloned(),
            Target::Page {} => None,
        };
        let place = harmless(page.url.untrusted(), LONGEST);
        let deed = deed(order, touched.as_ref(), page);
        let commit = Commit { method: ACT.to_owned(), address: address(&place, order, touched.as_ref()) };
        let why = (!why.is_empty()).then(|| why.join("; "));
        Self { acts, why, touched, dialog: page.dialog.clone(), place, deed, commit }
    }

    /// Whether something is pressed by it: then the page is looked at once more right before.
    pub(super) fn presses(&self) -> bool {
        self.acts.iter().any(|act| {
            matches!(
                act,
                ForeignAct::Click(..) | ForeignAct::Key(_) | ForeignAct::Drag(..) | ForeignAct::Answer { .. }
            )
        })
    }

    /// Whether the page is left by it. What is seen afterwards does not tell whether the browser was still the same.
    pub(super) fn leaves(&self) -> bool {
        self.acts.iter().any(|act| {
            matches!(act, ForeignAct::Go(_) | ForeignAct::Back | ForeignAct::Tab(_) | ForeignAct::CloseTab(_))
        })
    }

    /// Whether what it is done to is on this page, called the same, at the same address, with the same dialog before it.
    pub(super) fn is_still_on(&self, now: &ForeignPage) -> bool {
        let touched = self.touched.as_ref();
        touched.is_none_or(|touched| now.parts.iter().any(|part| part.is_same(touched)))
            && now.dialog == self.dialog
            && harmless(now.url.untrusted(), LONGEST) == self.place
    }
}

/// An act with what the page calls its element, and with what is done there: `click button "Place order"`.
fn deed(order: &Order<'_>, touched: Option<&ForeignPart>, page: &ForeignPage) -> String {
    let quoted = |text: &str| legwork_observe::on_one_line(text, 100);
    let mut words = match touched {
        Some(part) => {
            let pressed =
                format!("{} {} {}", order.act.action.verb(), part.role, quoted(part.name.untrusted()));
            match &order.act.action {
                Action::Click { .. } => pressed,
                _ => format!("{pressed}: {}", harmless(&legwork_agent::deed(order.act, None), LONGEST)),
            }
        }
        None => legwork_agent::deed(order.act, None),
    };
    if let Some(dialog) = &page.dialog {
        words.push_str(&format!(", which says {}", quoted(dialog.untrusted())));
    }
    words
}

/// The same as an address that tells one such act from another: no words of a page but those that an address may have. What names one
/// thing among many does not count, as on the wire: a second basket is no reason for a second order.
fn address(place: &str, order: &Order<'_>, touched: Option<&ForeignPart>) -> String {
    const SLUG: usize = 40;
    let what = match touched {
        Some(part) => format!("{}-{}", part.role, part.name.untrusted()),
        None => legwork_agent::deed(order.act, None),
    };
    let slug: String =
        what.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(SLUG).collect();
    format!("{}#{}-{slug}", spot(place), order.act.action.verb())
}

/// Where it is done, written in one way.
fn spot(place: &str) -> String {
    let plain = || place.split(['?', '#']).next().unwrap_or_default().to_owned();
    url::Url::parse(place).ok().filter(url::Url::has_host).map_or_else(plain, |url| {
        spot_of_deed(&Address {
            scheme: url.scheme().to_owned(),
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default(),
            path: url.path().to_owned(),
        })
    })
}

/// Whether the loop has asked somebody about this already.
pub(super) fn was_asked(order: &Order<'_>) -> bool {
    let errand = order.seeing.errand;
    let signs = errand.page().and_then(|page| page.signs.as_ref());
    let rules = errand.spec().service.as_ref().filter(|rules| rules.asked == Asked::BeforeTheAct);
    rules.is_some_and(|rules| rules.checkpoint_of(order.act, signs).is_some())
}

/// What somebody is told beside a question where something was approved before and may have been done.
pub(super) fn warning(never_again: &[Commit]) -> Option<String> {
    let approved: Vec<&str> = never_again.iter().map(|commit| commit.address.as_str()).collect();
    (!approved.is_empty())
        .then(|| format!("this was approved before and was done, or may have been: {}", approved.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_number_is_the_same_spot_and_another_step_is_not() {
        let same = spot("https://a.example/orders/124/confirm?x=1");
        assert_eq!(spot("https://a.example/orders/123/Confirm#y"), same);
        for other in ["https://a.example/orders/123/cancel", "https://b.example/orders/123/confirm"] {
            assert_ne!(spot(other), same, "{other}");
        }
        assert_eq!(spot("unknown"), "unknown");
        assert_eq!(warning(&[]), None);
        let commit = Commit { method: ACT.into(), address: format!("{same}#click-button-pay") };
        assert!(warning(&[commit]).unwrap().contains("/orders/{id}/confirm#click-button-pay"));
    }
}
