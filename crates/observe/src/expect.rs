//! What a caller expects of an act, held against the page before and after it.
//!
//! All that is given must hold, and the first that does not, in the order of the contract, is named. What can't be told is not
//! matched, never assumed:
//!
//! - Of a page that could not be looked at afterwards (a dialog waits, it is being left) only what was sent is known, and an
//!   address that differs from the one before. The same address may be just the last one that was known.
//! - What was not there before must have been looked for before: `before` should be the last look that really saw the page. Where
//!   it is stale, nothing can be said to have appeared or opened.
//! - A value that is kept back is not compared.

mod elements;
mod modals;
mod requests;
mod valid;
mod values;
mod words;

use legwork_types::{
    PageText,
    contract::{Expect, SentRequest, Verification},
};

pub use valid::validate;

use crate::{look::Look, view::escape::neutral};

/// The most characters of what is there instead.
const LONGEST_OBSERVED: usize = 200;

/// The most characters of what was expected, where it is told again.
const LONGEST_TOLD: usize = 100;

/// The two looks that an expectation is about, and what was sent between them.
struct Case<'a> {
    before: &'a Look,
    after: &'a Look,
    requests: &'a [SentRequest],
}

/// Why one expectation does not hold.
#[derive(Debug, PartialEq, Eq)]
struct Unmet {
    /// What was expected, or why it can't be told, in our words and the caller's.
    why: String,
    /// What is there instead, in the page's words.
    observed: Option<PageText>,
}

type Outcome = Result<(), Unmet>;

/// What holds, or else this.
fn must(holds: bool, why: impl FnOnce() -> String, observed: impl FnOnce() -> Option<PageText>) -> Outcome {
    if holds { Ok(()) } else { Err(Unmet { why: why(), observed: observed() }) }
}

/// Nothing can be told of it.
fn untold(why: &str) -> Outcome {
    Err(Unmet { why: why.into(), observed: None })
}

const NOT_SEEN_AFTER: &str = "the page could not be looked at afterwards";
const NOT_SEEN_BEFORE: &str = "the page could not be looked at before, so nobody knows what is new";

impl Case<'_> {
    fn seen_after(&self) -> Outcome {
        if self.after.is_stale() { untold(NOT_SEEN_AFTER) } else { Ok(()) }
    }

    fn seen_before(&self) -> Outcome {
        if self.before.is_stale() { untold(NOT_SEEN_BEFORE) } else { Ok(()) }
    }

    fn seen_both(&self) -> Outcome {
        self.seen_after().and_then(|()| self.seen_before())
    }
}

/// Whether what was expected is so. `before` is the look that the act was decided on, `requests` what was sent because of it.
pub fn check(expect: &Expect, before: &Look, after: &Look, requests: &[SentRequest]) -> Verification {
    let case = &Case { before, after, requests };
    let mut tally = Tally::default();
    tally.ask("urlChanged", &expect.url_changed, |want| words::url_changed(case, *want));
    tally.ask("urlContains", &expect.url_contains, |part| words::url_contains(case, part));
    tally.ask("titleContains", &expect.title_contains, |part| words::title_contains(case, part));
    tally.ask("headingContains", &expect.heading_contains, |part| words::heading_contains(case, part));
    tally.ask("modalOpened", &expect.modal_opened, |want| modals::opened(case, *want));
    tally.ask("modalClosed", &expect.modal_closed, |want| modals::closed(case, *want));
    tally.ask("modalTitleContains", &expect.modal_title_contains, |part| modals::titled(case, part));
    tally.ask("bannerContains", &expect.banner_contains, |part| words::banner_contains(case, part));
    tally.ask("elementAppeared", &expect.element_appeared, |what| elements::appeared(case, what));
    tally.ask("elementDisappeared", &expect.element_disappeared, |what| elements::disappeared(case, what));
    tally.ask("inputValueEquals", &expect.input_value_equals, |value| values::equals(case, value));
    tally.ask("textAppeared", &expect.text_appeared, |part| words::text_appeared(case, part));
    tally.ask("requestSent", &expect.request_sent, |what| requests::sent(case, what));
    tally.verification()
}

/// What was asked so far, and the first that does not hold.
#[derive(Default)]
struct Tally {
    given: u32,
    unmet: Option<(&'static str, Unmet)>,
}

impl Tally {
    fn ask<T>(&mut self, name: &'static str, given: &Option<T>, look: impl FnOnce(&T) -> Outcome) {
        let Some(given) = given else { return };
        self.given += 1;
        if self.unmet.is_none() {
            self.unmet = look(given).err().map(|unmet| (name, unmet));
        }
    }

    fn verification(self) -> Verification {
        let reason = match (self.unmet, self.given) {
            (Some((name, unmet)), _) => {
                let reason = format!("{name} does not hold: {}", unmet.why);
                return Verification { matched: false, reason, observed: unmet.observed.as_ref().map(shown) };
            }
            (None, 0) => Verification::NONE_GIVEN.into(),
            (None, 1) => "what was expected is so".into(),
            (None, given) => format!("all {given} that were expected are so"),
        };
        Verification { matched: true, reason, observed: None }
    }
}

/// What a caller wrote, told again: quoted and short.
fn told(text: &str) -> String {
    format!("{:?}", PageText::from(text).clipped(LONGEST_TOLD).untrusted())
}

/// What a page wrote, made harmless and short.
fn shown(text: &PageText) -> PageText {
    let beginning = text.clipped(4 * LONGEST_OBSERVED);
    PageText::new(neutral(beginning.untrusted())).clipped(LONGEST_OBSERVED)
}

/// A list of what a page wrote, as one text; none if there is nothing.
fn listed<'a>(texts: impl Iterator<Item = &'a str>) -> Option<PageText> {
    let mut list = String::new();
    for text in texts.filter(|text| !text.trim().is_empty()) {
        if !list.is_empty() {
            list.push_str(" | ");
        }
        list.extend(text.chars().take(LONGEST_OBSERVED));
        if list.len() > 4 * LONGEST_OBSERVED {
            break;
        }
    }
    (!list.is_empty()).then(|| list.into())
}
