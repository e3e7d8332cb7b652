//! What a field holds.

use legwork_types::contract::{Affordance, ExpectedValue, Toggle};

use super::{Case, Outcome, must, told, untold};
use crate::look::Look;

/// The longest value that a look keeps whole.
pub(super) const LONGEST_VALUE: usize = 200;

/// Roles of what can be empty. For others no value is no answer.
const FIELDS: &[&str] = &[
    "textbox",
    "searchbox",
    "spinbutton",
    "slider",
    "combobox",
    "listbox",
    "date",
    "datetime",
    "time",
    "month",
    "week",
    "color",
    "file",
];

/// The field, found again, holds just this. What is ticked holds `true`, `false` or `mixed`.
pub(super) fn equals(case: &Case<'_>, expected: &ExpectedValue) -> Outcome {
    case.seen_after()?;
    let Some(was) = case.before.affordance(expected.action_id) else {
        return untold(&format!("there was nothing with number {}", expected.action_id));
    };
    let Some(field) = found_again(case.before, was, case.after) else {
        return untold(&format!("field {} is not on the page any more", expected.action_id));
    };
    if field.sensitive || field.value_redacted {
        return untold("its value is kept back and can't be compared");
    }
    let Some(value) = value_of(field) else {
        return untold(&format!("number {} holds no value", expected.action_id));
    };
    let why = || format!("expected {} in field {}", told(&expected.value), expected.action_id);
    must(same(value, &expected.value), why, || Some(value.into()))
}

/// The same one in another look: by its fingerprint, and among twins by its order in the document.
fn found_again<'a>(before: &Look, was: &Affordance, after: &'a Look) -> Option<&'a Affordance> {
    let place = twins(before, was).position(|one| one.action_id == was.action_id)?;
    twins(after, was).nth(place)
}

fn twins<'a>(look: &'a Look, like: &Affordance) -> impl Iterator<Item = &'a Affordance> + use<'a> {
    let fingerprint = like.fingerprint;
    let all = look.scene().items.iter().map(|item| &item.affordance);
    all.filter(move |one| one.fingerprint == fingerprint)
}

fn value_of(field: &Affordance) -> Option<&str> {
    match (field.checked, &field.value) {
        (Some(Toggle::On), _) => Some("true"),
        (Some(Toggle::Off), _) => Some("false"),
        (Some(Toggle::Mixed), _) => Some("mixed"),
        (None, Some(value)) => Some(value.untrusted()),
        (None, None) => FIELDS.contains(&field.role.as_str()).then_some(""),
    }
}

/// Whether both are one value, however their lines end. Of a longer value only the beginning is known: that is never the same.
fn same(value: &str, expected: &str) -> bool {
    let lines = |text: &str| text.replace("\r\n", "\n");
    expected.chars().nth(LONGEST_VALUE).is_none() && lines(value) == lines(expected)
}
