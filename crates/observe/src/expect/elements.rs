//! Controls that appeared or disappeared.

use legwork_types::{
    PageText,
    contract::{Affordance, ElementPattern},
};

use super::{Case, Outcome, listed, must, told, words::Wanted};
use crate::look::Look;

/// The controls that a pattern is about, of those that can be seen.
fn matching<'a>(look: &'a Look, pattern: &ElementPattern) -> impl Iterator<Item = &'a Affordance> + use<'a> {
    let role = pattern.role.as_deref().map(|role| role.trim().to_owned());
    let name = pattern.name.as_deref().map(Wanted::new);
    // A pattern that says nothing is about nothing.
    let says_something = role.is_some() || name.is_some();
    look.scene().items.iter().map(|item| &item.affordance).filter(move |control| {
        says_something
            && control.visible
            && role.as_ref().is_none_or(|role| !role.is_empty() && control.role.eq_ignore_ascii_case(role))
            && name.as_ref().is_none_or(|name| name.is_in(control.name.untrusted()))
    })
}

fn described(pattern: &ElementPattern) -> String {
    let role = pattern.role.as_ref().map(|role| format!(" of role {}", told(role.trim())));
    let name = pattern.name.as_ref().map(|name| format!(" with {} in its name", told(name)));
    format!("control{}{}", role.unwrap_or_default(), name.unwrap_or_default())
}

/// More of them can be seen than before.
pub(super) fn appeared(case: &Case<'_>, pattern: &ElementPattern) -> Outcome {
    case.seen_both()?;
    let (was, is) = (matching(case.before, pattern).count(), matching(case.after, pattern).count());
    let why = || format!("expected one more {} than the {was} before, there are {is}", described(pattern));
    must(is > was, why, || names(case.after, pattern))
}

/// Fewer of them can be seen than before.
pub(super) fn disappeared(case: &Case<'_>, pattern: &ElementPattern) -> Outcome {
    case.seen_both()?;
    let (was, is) = (matching(case.before, pattern).count(), matching(case.after, pattern).count());
    let why = || format!("expected one less {} than the {was} before, there are {is}", described(pattern));
    must(is < was, why, || names(case.after, pattern))
}

fn names(look: &Look, pattern: &ElementPattern) -> Option<PageText> {
    listed(matching(look, pattern).map(|control| control.name.untrusted()))
}
