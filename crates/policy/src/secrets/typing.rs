//! Whether a secret may be typed into a field: known, and the page, the frame, the field and where its form goes are all right for it.

use legwork_types::{Code, Details, FieldPurpose, PageText, Problem};

use super::binding::origin_of;
use crate::clip::beginning;

/// What is known of a secret besides its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretRule {
    /// What callers call it.
    pub name: String,
    /// The origins that may get it, in canonical form.
    pub origins: Vec<String>,
    /// What it is.
    pub kind: SecretKind,
}

/// What a secret is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SecretKind {
    /// Nobody may see it: only fields that show dots get it.
    #[default]
    Hidden,
    /// A name, a number of a member: fields may show it.
    Visible,
    /// A code that is made anew each time and is good once.
    Code,
}

/// What is known of a field.
#[derive(Debug, Clone, Default)]
pub struct FieldFacts {
    /// What it is for.
    pub purpose: FieldPurpose,
    /// Whether it shows dots in the place of what is in it.
    pub shows_dots: bool,
    /// The address of its frame.
    pub frame: PageText,
    /// Where its form may be sent: the whole addresses. Empty where only script knows.
    pub sent_to: Vec<PageText>,
}

/// Why a secret may not be typed into a field of a page at this address; none if it may.
pub(crate) fn refusal(name: &str, rules: &[SecretRule], page: &str, field: &FieldFacts) -> Option<Problem> {
    let Some(rule) = rules.iter().find(|rule| rule.name == name) else {
        let message = format!("there is no secret called {:?}", beginning(name, 100));
        let hint = "use the name that the operator gave it, or let a person fill in this field";
        return Some(refused("unknown-secret", message, hint));
    };
    let may_go = |address: &str| origin_of(address).is_some_and(|origin| rule.origins.contains(&origin));
    let elsewhere =
        "it is typed only where the operator said so: go there, or let a person fill in this field";
    let because = |check: &str, why: String| {
        Some(refused(check, format!("the secret {:?} is not typed here: {why}", rule.name), elsewhere))
    };
    if !may_go(page) {
        return because("page-origin", format!("the page is of {}, which it is not bound to", told(page)));
    }
    if !may_go(field.frame.untrusted()) {
        let frame = told(field.frame.untrusted());
        return because(
            "frame-origin",
            format!("the field is in a frame of {frame}, which it is not bound to"),
        );
    }
    if let Some(why) = unfit_field(rule.kind, field) {
        return because("field-kind", why.to_owned());
    }
    if let Some(target) = field.sent_to.iter().find(|target| !may_go(target.untrusted())) {
        let target = told(target.untrusted());
        return because("form-target", format!("its form goes to {target}, which it is not bound to"));
    }
    None
}

fn unfit_field(kind: SecretKind, field: &FieldFacts) -> Option<&'static str> {
    match (field.purpose, kind) {
        (FieldPurpose::Search, _) => Some("the field is for looking for something"),
        (FieldPurpose::Prose, _) => Some("the field is for texts"),
        (FieldPurpose::Unknown, _) => Some("it is not known what the field is for"),
        (FieldPurpose::Code, SecretKind::Code) => None,
        (_, SecretKind::Code) => Some("the field is not for a code that is good once"),
        (FieldPurpose::Identity, SecretKind::Hidden) => Some("the field is for a name and would show it"),
        (FieldPurpose::Confidential | FieldPurpose::Code, SecretKind::Hidden) if !field.shows_dots => {
            Some("the field would show it")
        }
        (FieldPurpose::Confidential | FieldPurpose::Code | FieldPurpose::Identity, _) => None,
    }
}

/// An origin in words: of what a page wrote no more is told.
fn told(address: &str) -> String {
    origin_of(address).map_or_else(|| "nowhere that is known".to_owned(), |origin| beginning(&origin, 200))
}

fn refused(check: &str, message: String, hint: &str) -> Problem {
    Problem::new(Code::SecretRefused, message, hint).with(Details::Rule { rule: check.to_owned() })
}
