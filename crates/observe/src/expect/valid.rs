//! Whether an expectation can be asked at all.

use legwork_types::{
    Mismatch,
    contract::{ElementPattern, Expect, RequestPattern},
};

use super::values::LONGEST_VALUE;

/// The most characters of what is looked for: hardly a text of a page is kept longer.
const LONGEST: usize = 1_000;

/// Whether an expectation follows the contract: it says something, and does not contradict itself.
pub fn validate(expect: &Expect) -> Result<(), Mismatch> {
    if expect.modal_opened == Some(true) && expect.modal_closed == Some(true) {
        return refuse(
            "expect.modalOpened",
            "a dialog to open and one to close are two acts: expect one of them",
        );
    }
    for (path, words) in [
        ("expect.urlContains", &expect.url_contains),
        ("expect.titleContains", &expect.title_contains),
        ("expect.headingContains", &expect.heading_contains),
        ("expect.modalTitleContains", &expect.modal_title_contains),
        ("expect.bannerContains", &expect.banner_contains),
        ("expect.textAppeared", &expect.text_appeared),
    ] {
        says_something(path, words)?;
    }
    element("expect.elementAppeared", &expect.element_appeared)?;
    element("expect.elementDisappeared", &expect.element_disappeared)?;
    // An empty value is a good one: the field was cleared.
    if expect.input_value_equals.as_ref().is_some_and(|field| is_longer(&field.value, LONGEST_VALUE)) {
        return refuse(
            "expect.inputValueEquals.value",
            "at most 200 characters: of a longer value a look keeps less",
        );
    }
    request(&expect.request_sent)
}

fn refuse(path: &'static str, why: &str) -> Result<(), Mismatch> {
    Err(Mismatch { path, why: why.into() })
}

fn is_longer(text: &str, most: usize) -> bool {
    text.chars().nth(most).is_some()
}

fn says_something(path: &'static str, words: &Option<String>) -> Result<(), Mismatch> {
    match words {
        Some(words) if words.trim().is_empty() => refuse(path, "what to look for, not an empty text"),
        Some(words) if is_longer(words, LONGEST) => refuse(path, "at most 1000 characters"),
        _ => Ok(()),
    }
}

fn element(path: &'static str, pattern: &Option<ElementPattern>) -> Result<(), Mismatch> {
    let Some(ElementPattern { role, name }) = pattern else { return Ok(()) };
    if role.is_none() && name.is_none() {
        return refuse(path, "a role, a name or both");
    }
    says_something(path, role)?;
    says_something(path, name)
}

fn request(pattern: &Option<RequestPattern>) -> Result<(), Mismatch> {
    let path = "expect.requestSent";
    let Some(RequestPattern { method, path: part }) = pattern else { return Ok(()) };
    if method.is_none() && part.is_none() {
        return refuse(path, "a method, a part of the path or both");
    }
    says_something(path, method)?;
    says_something(path, part)
}
