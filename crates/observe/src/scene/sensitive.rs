//! Which controls hold what nobody else should see.

mod beside;
mod boxes;
mod lists;
mod values;

use legwork_types::PageText;

use self::{
    beside::{has_letters, label_beside},
    lists::{ALONE, ALONE_IN_IDENTIFIERS, FRAGMENTS, LABELS, WEAK},
    values::{by_value, is_one_long_word},
};
use super::{
    roles::Use,
    tree::{NodeIndex, Tree},
    words::Words,
};
use crate::capture::{Control, Flag};

pub(super) use boxes::{rows_of_boxes, share_secrecy};

/// What a sensitive control holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Secrecy {
    /// A password that is in use.
    Password,
    /// A password that is to be.
    NewPassword,
    /// A code that is good once.
    OneTimeCode,
    /// A card, an account of a bank.
    Payment,
    /// A number that a person is known by, a PIN.
    Personal,
    /// What lets a program in: a key, a token, the words that a wallet is restored from.
    Key,
}

fn by_autocomplete(token: &str) -> Option<Secrecy> {
    match token {
        "current-password" => Some(Secrecy::Password),
        "new-password" => Some(Secrecy::NewPassword),
        "one-time-code" => Some(Secrecy::OneTimeCode),
        _ if token.starts_with("cc-") => Some(Secrecy::Payment),
        _ => None,
    }
}

fn by_words(words: &Words) -> Option<Secrecy> {
    let alone = || ALONE.whole(words).map(|hit| hit.value);
    LABELS
        .hits(words)
        .find_map(|hit| hit.value)
        .or_else(alone)
        .or_else(|| FRAGMENTS.longest_in(words).flatten())
}

/// Whether one of these fields is for a code that is good once, by their names alone. Beside the number of a card it is that card's.
pub fn are_for_a_code<'n>(names: impl Iterator<Item = &'n str> + Clone) -> bool {
    let known = names.filter_map(by_label);
    let has = |secrecy: Secrecy| known.clone().any(|one| one == secrecy);
    has(Secrecy::OneTimeCode) && !has(Secrecy::Payment)
}

/// By words that a person reads, where "Card #" is the number of a card.
fn by_label(label: &str) -> Option<Secrecy> {
    match label.contains(['#', '№']) {
        true => by_words(&Words::of(&label.replace(['#', '№'], " number "))),
        false => by_words(&Words::of(label)),
    }
}

fn by_identifier(identifier: &str) -> Option<Secrecy> {
    let words = Words::of_identifier(&without_numbers(identifier));
    by_words(&words).or_else(|| ALONE_IN_IDENTIFIERS.whole(&words).map(|hit| hit.value))
}

/// `password1`, `verificationCode2`: a number at the end of a word counts the fields. One before it belongs to it: `2fa`.
fn without_numbers(identifier: &str) -> String {
    let mut in_word = false;
    let spaced = identifier.chars().map(|c| {
        in_word = c.is_alphabetic() || in_word && c.is_ascii_digit();
        if in_word && c.is_ascii_digit() { ' ' } else { c }
    });
    spaced.collect()
}

/// A control, and where its label is looked for.
struct Field<'f> {
    control: &'f Control,
    /// The words beside a field that has none of its own.
    beside: Option<String>,
}

impl Field<'_> {
    fn by_name(&self) -> Option<Secrecy> {
        by_label(self.control.name.untrusted())
    }

    fn by_words_beside(&self) -> Option<Secrecy> {
        self.beside.as_deref().and_then(by_label)
    }

    fn identifiers(&self) -> impl Iterator<Item = &str> {
        let attributes = &self.control.attributes;
        [&attributes.name, &attributes.id, &attributes.test_id].into_iter().flatten().map(PageText::untrusted)
    }

    fn by_placeholder(&self) -> Option<Secrecy> {
        by_label(self.control.attributes.placeholder.as_ref()?.untrusted())
    }

    fn by_value(&self) -> Option<Secrecy> {
        let value = self.control.attributes.value.as_ref()?.untrusted();
        by_value(value).or_else(|| is_one_long_word(value).then(|| self.by_weak_words())?)
    }

    fn by_weak_words(&self) -> Option<Secrecy> {
        let labels = [Some(self.control.name.untrusted()), self.beside.as_deref()];
        let labels = labels.into_iter().flatten().map(Words::of);
        let identifiers = self.identifiers().map(|text| Words::of_identifier(&without_numbers(text)));
        labels.chain(identifiers).find_map(|words| WEAK.whole(&words)).map(|hit| hit.value)
    }
}

/// What kind of secret a control holds, if any: by its type, by what it asks the browser to fill in, by its label or what
/// stands for one, by what it holds.
pub(super) fn secrecy(tree: &Tree<'_>, node: NodeIndex, control: &Control, usage: Use) -> Option<Secrecy> {
    let attributes = &control.attributes;
    let autocomplete = attributes.autocomplete.as_ref().map(|text| text.untrusted().to_ascii_lowercase());
    let by_autocomplete =
        autocomplete.as_ref().and_then(|text| text.split_ascii_whitespace().find_map(by_autocomplete));
    if by_autocomplete.is_some() {
        return by_autocomplete;
    }
    let is_password =
        attributes.kind.as_ref().is_some_and(|kind| kind.untrusted().eq_ignore_ascii_case("password"))
            || control.state.has(Flag::Secret);
    let is_choice = control.state.has(Flag::Multiple)
        || matches!(&*control.role, "checkbox" | "radio" | "switch" | "slider" | "ColorWell");
    if !is_password && (!matches!(usage, Use::Write | Use::Choose) || is_choice) {
        return None;
    }
    let is_named = has_letters(control.name.untrusted());
    let beside = if is_named { None } else { label_beside(tree, node) };
    let field = Field { control, beside };
    if is_password {
        return field.by_name().or_else(|| field.by_words_beside()).or(Some(Secrecy::Password));
    }
    field
        .by_name()
        .or_else(|| field.identifiers().find_map(by_identifier))
        .or_else(|| field.by_placeholder())
        .or_else(|| field.by_words_beside())
        .or_else(|| field.by_value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        LABELS.assert_plain_letters();
        for list in [&ALONE, &ALONE_IN_IDENTIFIERS, &WEAK] {
            list.assert_plain_letters();
        }
    }

    #[test]
    fn labels_of_secrets_and_their_harmless_twins() {
        for (label, expected) in [
            ("Card number", Some(Secrecy::Payment)),
            ("CVC", Some(Secrecy::Payment)),
            ("Contraseña", Some(Secrecy::Password)),
            ("Código de verificación", Some(Secrecy::OneTimeCode)),
            ("PIN", Some(Secrecy::Personal)),
            ("IBAN", Some(Secrecy::Payment)),
            ("Postcode", None),
            ("Business card", None),
            ("Show password", None),
            ("Spinning", None),
            ("Company", None),
        ] {
            assert_eq!(by_label(label), expected, "{label}");
        }
    }
}
