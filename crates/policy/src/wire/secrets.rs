//! What must not leave unseen: payment data, passwords, secrets of the operator in whatever disguise.

use legwork_types::{Outgoing, OutgoingBody};

use super::{
    BoundSecret, Decoded, WireFacts,
    evidence::{Reach, clipped},
    lists::{ACCOUNT_NAMES, ACCOUNT_PAIRS, AMOUNTS, PASSWORDS, PAYMENT_NAMES, PAYMENT_PAIRS, RECIPIENTS},
    numbers::{is_card, is_iban, is_wallet, may_be_wallet},
    unravel::unpercent_all,
    words::{List, first_on, pair_on, words},
};

/// Whether a field is for a password or for a code that takes its place.
pub(super) fn is_password(name: &str) -> bool {
    let words = words(name);
    let run_together: String = words.concat();
    first_on(&words, &PASSWORDS).is_some()
        || run_together.contains("password")
        || run_together.contains("motdepasse")
}

/// Whether a field only belongs to paying, by its name.
pub(super) fn is_payment(name: &str) -> bool {
    pays_with(name) || is_account(name)
}

/// Whether a field is for what somebody pays with: the number of a card, or what proves whose it is.
pub(super) fn pays_with(name: &str) -> bool {
    has_piece(name, &PAYMENT_NAMES, PAYMENT_PAIRS)
}

/// Whether a field is for the number of an account.
pub(super) fn is_account(name: &str) -> bool {
    has_piece(name, &ACCOUNT_NAMES, ACCOUNT_PAIRS)
}

fn has_piece(name: &str, list: &List, pairs: &[(&str, &str)]) -> bool {
    name.split('.').any(|piece| {
        let words = words(piece);
        first_on(&words, list).is_some()
            || super::words::is_on(&words.concat(), list)
            || pair_on(&words, pairs).is_some()
    })
}

/// Whether a value is the number of a card. In addresses many numbers are long: there it must begin as cards do.
fn is_card_value(value: &str, reach: Reach) -> bool {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let first = digits.chars().next().unwrap_or('0');
    // Thirteen digits that begin with a one are a time.
    let is_time = digits.len() == 13 && first == '1';
    let begins = match digits.len() {
        13 => first == '4',
        14 | 15 => first == '3',
        _ => ('2'..='6').contains(&first),
    };
    is_card(value) && !is_time && (reach == Reach::Writing || begins)
}

/// Signs of payment data, in words.
pub(super) fn payments(decoded: &Decoded, reach: Reach) -> Vec<String> {
    let found = each(decoded).filter_map(|(name, value)| {
        if value.trim().is_empty() || matches!(value, "null" | "false" | "0" | "{}" | "[]") {
            return None;
        }
        let name = clipped(name);
        match () {
            () if is_card_value(value, reach) => {
                Some(format!("its field \"{name}\" holds the number of a card"))
            }
            () if is_iban(value) => Some(format!("its field \"{name}\" holds the number of an account")),
            () if reach == Reach::Writing && names_a_wallet(&name, value) => {
                Some(format!("its field \"{name}\" holds the address of a wallet"))
            }
            () if reach == Reach::Writing && is_stored_card(value) => {
                Some(format!("its field \"{name}\" holds a way to pay"))
            }
            () if reach == Reach::Writing && is_payment(&name) => {
                Some(format!("its field \"{name}\" is about paying"))
            }
            () => None,
        }
    });
    let mut found: Vec<String> = found.take(5).collect();
    let named = |list: &List| {
        each(decoded).any(|(name, value)| !value.trim().is_empty() && first_on(&words(name), list).is_some())
    };
    let moves = named(&AMOUNTS) && named(&RECIPIENTS);
    found.extend(moves.then(|| "it names an amount and who gets it".to_owned()));
    found
}

/// Whether a field says to which wallet something goes.
fn names_a_wallet(name: &str, value: &str) -> bool {
    let said = words(name);
    is_wallet(value) || (first_on(&said, &RECIPIENTS).is_some() && may_be_wallet(value))
}

/// Every field, with what is written within one, and the headers that a page chose.
fn each(decoded: &Decoded) -> impl Iterator<Item = (&str, &str)> {
    let fields = decoded.all().map(|field| (field.name.as_str(), field.value.as_str()));
    fields.chain(decoded.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}

/// What stands for a card that somebody has stored: the names that large payment services give it.
fn is_stored_card(value: &str) -> bool {
    let known = ["tok_", "pm_", "src_", "card_", "ba_", "pi_", "seti_", "cnon:", "tokencc_"];
    let rest = known.iter().find_map(|begin| value.strip_prefix(begin));
    rest.is_some_and(|rest| rest.len() >= 6 && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// Passwords that are sent.
pub(super) fn passwords(decoded: &Decoded) -> Vec<(String, String)> {
    let sent = each(decoded).filter(|(name, value)| !value.is_empty() && is_password(name));
    sent.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Whether a request holds a secret that may not go where it goes: in its address, its headers or its body, as they are written.
pub(super) fn leaks(outgoing: &Outgoing, secret: &BoundSecret) -> bool {
    if secret.origins.iter().any(|bound| same_origin(bound, &outgoing.url)) {
        return false;
    }
    let headers = outgoing.headers.iter().any(|(_, value)| secret.mask.finds(value));
    let body = match &outgoing.body {
        OutgoingBody::Bytes(bytes) => secret.mask.finds(&String::from_utf8_lossy(bytes)),
        OutgoingBody::None | OutgoingBody::Unread => false,
    };
    headers || body || secret.mask.finds(&outgoing.url)
}

/// What of the operator's secrets a request holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// None.
    Nothing,
    /// Only those that may be sent to this origin.
    Bound,
    /// One that may not.
    Foreign,
}

/// What of the operator's secrets a request holds, anywhere.
pub(super) fn held(decoded: &Decoded, facts: &WireFacts) -> Held {
    if facts.secrets.is_empty() {
        return Held::Nothing;
    }
    let origin = decoded.address.origin();
    let mut texts: Vec<String> = vec![unpercent_all(&decoded.address.path), decoded.address.host.clone()];
    texts.extend(decoded.fields.iter().map(|field| field.value.clone()));
    texts.extend(decoded.fields.iter().map(|field| field.name.clone()));
    let encoded = decoded.fields.iter().filter(|field| field.value.contains('%'));
    texts.extend(encoded.map(|field| unpercent_all(&field.value)));
    let mut held = Held::Nothing;
    for secret in &facts.secrets {
        if texts.iter().any(|text| secret.mask.finds(text)) {
            if !secret.origins.iter().any(|bound| same_origin(bound, &origin)) {
                return Held::Foreign;
            }
            held = Held::Bound;
        }
    }
    held
}

/// Whether two addresses are of one origin.
pub(super) fn same_origin(one: &str, other: &str) -> bool {
    let origin = |text: &str| url::Url::parse(text).ok().map(|url| super::Address::of(&url).origin());
    origin(one).is_some_and(|one| Some(one) == origin(other))
}
