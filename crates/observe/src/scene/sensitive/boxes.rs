//! Codes that are written in boxes of one character each.

use std::ops::Range;

use super::{
    super::{roles::Use, survey::Traits},
    Secrecy,
};

/// As many characters as such codes have.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=8;

/// The rows of boxes on a page, each by its items. All boxes of a row can be seen, or none.
pub(in super::super) fn rows_of_boxes(traits: &[Traits<'_>]) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut start = 0;
    while start < traits.len() {
        let begins = is_box(&traits[start]) || takes_a_code(&traits[start]);
        let more = traits[start + 1..].iter().take_while(|next| begins && continues(&traits[start], next));
        let end = start + 1 + more.count();
        if LENGTHS.contains(&(end - start)) {
            rows.push(start..end);
        }
        start = end;
    }
    rows
}

/// The boxes of a row hold the same kind of secret: what one of them is known by, else a number that a person is known by.
pub(in super::super) fn share_secrecy(row: &mut [Traits<'_>]) {
    let known = |wanted: fn(Secrecy) -> bool| {
        row.iter().filter_map(|traits| traits.secrecy).find(|&secrecy| wanted(secrecy))
    };
    let shared = known(|secrecy| secrecy == Secrecy::OneTimeCode).or_else(|| known(|_| true));
    let shared = shared.unwrap_or(Secrecy::Personal);
    row.iter_mut().for_each(|traits| traits.secrecy = Some(shared));
}

fn is_box(traits: &Traits<'_>) -> bool {
    traits.usage == Use::Write && traits.control.attributes.max_length == Some(1)
}

/// The first box often takes the whole code, so that the browser can fill it in.
fn takes_a_code(traits: &Traits<'_>) -> bool {
    traits.usage == Use::Write && traits.secrecy == Some(Secrecy::OneTimeCode)
}

fn continues(first: &Traits<'_>, next: &Traits<'_>) -> bool {
    is_box(next) && next.visible == first.visible
}
