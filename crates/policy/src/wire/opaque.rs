//! Which fields may hold something else when a request is sent after a yes: tokens and times, never what means something to a person.

use super::{
    Decoded, Place,
    numbers::{is_amount, is_card, is_iban, is_wallet},
    secrets::{is_password, is_payment},
    words::{List, first_on, words},
};

/// A field that may hold something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpaqueField {
    /// Which one of the fields, counted from zero.
    pub at: usize,
    /// Where it is.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// Why.
    pub why: Why,
}

/// Why a field may hold something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is random.
    Random,
    /// It is the time.
    Time,
}

/// Words of fields that hold what nobody chose. A token alone may be anything, a deal with a bank among others; and what pages call the state
/// of a view holds whatever they were told before, sums and payees included.
static TOKEN_NAMES: List = List::of(&[
    "csrf|xsrf|csrfmiddlewaretoken|csrftoken|authenticity|wpnonce|formkey|sesskey|idempotency|captcha|recaptcha|trace|traceparent|correlation|antiforgery|requestverificationtoken|authenticitytoken",
]);

/// Words in names of fields that hold what somebody decides on.
static MEANT: List = List::of(&[
    "amount|price|total|subtotal|sum|cost|fee|tip|value|betrag|preis|montant|prix|importe|precio|importo|prezzo|kwota|cena|сумма|金额",
    "to|recipient|payee|beneficiary|receiver|destination|dest|account|acct|iban|bic|bank|wallet|empfanger|empfaenger|konto|cuenta",
    "email|mail|phone|tel|url|uri|link|redirect|return|callback|next|address|street|city|zip|postcode|country|name|user|username",
    "quantity|qty|count|number|sku|product|item|items|plan|offer|variant|id|ids|ref|reference|order|invoice|cart|basket|checkout",
    "session|customer|merchant|seller|vendor|payment|card|method|source|target|code|coupon|voucher|action|op|do|date|day|start|end",
    "currency|message|text|subject|body|comment|title|file|domain|host|path|key|secret|client|scope|role|group|memo|note|purpose",
]);

/// Words that may stand beside those without meaning anything.
static FILLING: List = List::of(&[
    "form|x|g|h|cf|response|field|wp|security|page|ajax|api|anti|forgery|middleware|header|value|frm|input|key|id|site|request|session|token|nonce|challenge|verification",
]);

/// Words beside which an id or a key only tells one request from another.
static OF_A_REQUEST: List = List::of(&["request|csrf|trace|correlation|idempotency|nonce"]);

/// Names of fields that hold the time at which something is sent.
static TIMES: List = List::of(&["ts|timestamp|now|sent|created|issued|iat|millis|cachebuster|cb|rnd"]);

/// How many bits tell what is random from what somebody chose. What a page has in hidden fields and cookies is no sign of its own: the
/// page decides on that, and would decide with it what a person is shown.
const RANDOM: f64 = 64.0;

/// The most fields that may hold something else: people are shown the names of all of them.
const MOST_OPAQUE: usize = 60;

/// Which fields may hold something else by the time that a request is sent.
pub fn opaque_fields(decoded: &Decoded, now_ms: u64) -> Vec<OpaqueField> {
    let fields = decoded.fields.iter().enumerate();
    let found = fields.filter_map(|(at, field)| {
        let why = why(&field.name, &field.value, now_ms)?;
        Some(OpaqueField { at, place: field.place, name: field.name.clone(), why })
    });
    found.take(MOST_OPAQUE).collect()
}

/// Why a field of this name and value may hold something else.
pub(super) fn why(name: &str, value: &str, now_ms: u64) -> Option<Why> {
    let said = words(name);
    if is_time_name(name, &said) && time(value).is_some_and(|at| at.abs_diff(now_ms) <= DAY) {
        return Some(Why::Time);
    }
    let of_a_request = first_on(&said, &OF_A_REQUEST).is_some();
    let is_meant = said.iter().any(|word| {
        super::words::is_on(word, &MEANT) && !(of_a_request && matches!(word.as_str(), "id" | "key" | "code"))
    });
    // "roomUuid" is which room: such a word is a token only where nothing else is named.
    let says_nothing = |word: &String| {
        super::words::is_on(word, &TOKEN_NAMES)
            || super::words::is_on(word, &FILLING)
            || super::evidence::is_number(word)
    };
    let is_token = (first_on(&said, &TOKEN_NAMES).is_some() && said.iter().all(says_nothing))
        || super::words::is_on(&said.concat(), &TOKEN_NAMES)
        || name == "_token";
    if is_meant || is_password(name) || is_payment(name) || means_something(value) {
        return None;
    }
    let is_random = shape(value).is_some_and(|shape| shape.bits >= RANDOM);
    (is_token && is_random).then_some(Why::Random)
}

fn is_time_name(name: &str, said: &[String]) -> bool {
    // "sent_to" is no time, whatever number it is.
    matches!(name, "_" | "t") || (first_on(said, &TIMES).is_some() && first_on(said, &MEANT).is_none())
}

/// Whether a value means something to a person, whatever it is called.
fn means_something(value: &str) -> bool {
    let has = |sign: &str| value.contains(sign);
    let phone = value.starts_with('+')
        && value.chars().filter(char::is_ascii_digit).count() >= 7
        && value.len() <= 24
        && !value.chars().any(|c| c.is_ascii_alphabetic());
    let host = value.split('/').next().unwrap_or_default();
    let is_host = host.contains('.')
        && host.rsplit('.').next().is_some_and(|last| {
            (2..=6).contains(&last.len()) && last.chars().all(|c| c.is_ascii_alphabetic())
        })
        && value.len() < 100
        && value.matches('.').count() <= 3
        && host.chars().all(|c| c.is_ascii_lowercase() || c == '.' || c == '-');
    is_amount(value)
        || is_card(value)
        || is_iban(value)
        || has("@")
        || has("://")
        || is_wallet(value)
        || value.starts_with('/')
        || has(" ")
        || phone
        || is_host
}

/// What a random value looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shape {
    alphabet: Alphabet,
    length: usize,
    bits: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Uuid,
    Hex,
    Base64,
    Mixed,
}

/// What a value looks like, if it could be random: digits and letters mixed, no words.
fn shape(value: &str) -> Option<Shape> {
    let all = |test: fn(char) -> bool| !value.is_empty() && value.chars().all(test);
    let any = |test: fn(char) -> bool| value.chars().any(test);
    let digits = value.chars().filter(char::is_ascii_digit).count();
    if value.len() > 8_192 || digits == 0 || !any(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    let is_uuid = value.len() == 36
        && value
            .char_indices()
            .all(|(at, c)| if matches!(at, 8 | 13 | 18 | 23) { c == '-' } else { c.is_ascii_hexdigit() });
    let (alphabet, each) = if is_uuid {
        (Alphabet::Uuid, 3.4)
    } else if all(|c| c.is_ascii_hexdigit())
        && !(any(|c| c.is_ascii_lowercase()) && any(|c| c.is_ascii_uppercase()))
    {
        (Alphabet::Hex, 4.0)
    } else if all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_'))
        && any(|c| c.is_ascii_lowercase())
        && any(|c| c.is_ascii_uppercase())
    {
        (Alphabet::Base64, 5.95)
    } else if all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '=' | '+' | '/' | ':' | '|'))
    {
        (Alphabet::Mixed, 5.17)
    } else {
        return None;
    };
    let length = value.len();
    Some(Shape { alphabet, length, bits: length as f64 * each })
}

/// Lengths that count as the same.
fn is_alike(one: usize, other: usize) -> bool {
    one == other || (one.abs_diff(other) * 8 <= one.max(other) && one.max(other) > 40)
}

/// Whether a field that may hold something else may hold this.
pub(super) fn may_hold(why: Why, shown: &str, sent: &str, life: (u64, u64)) -> bool {
    if why == Why::Time {
        let (from, to) = life;
        return same_form(shown, sent)
            && time(sent).is_some_and(|at| (from.saturating_sub(SLACK)..=to).contains(&at));
    }
    if means_something(sent) {
        return false;
    }
    match (shape(shown), shape(sent)) {
        (Some(one), Some(other)) => {
            one.alphabet == other.alphabet && is_alike(one.length, other.length) && other.bits >= RANDOM
        }
        _ => false,
    }
}

const DAY: u64 = 86_400_000;
/// How far the clock of a page may be off.
const SLACK: u64 = 300_000;

/// Whether two times are written in the same way.
fn same_form(one: &str, other: &str) -> bool {
    let form =
        |text: &str| text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>();
    form(one) == form(other)
}

/// A time in seconds, in thousandths of them, or written out, as thousandths of a second since 1970.
fn time(text: &str) -> Option<u64> {
    if text.chars().all(|c| c.is_ascii_digit()) {
        let number: u64 = text.parse().ok()?;
        return match text.len() {
            10 => Some(number * 1_000),
            13 => Some(number),
            _ => None,
        };
    }
    let number = |from: usize, to: usize| {
        text.get(from..to).filter(|part| part.bytes().all(|b| b.is_ascii_digit()))?.parse::<u64>().ok()
    };
    let sign = |at: usize, wanted: char| text.get(at..at + 1).is_some_and(|c| c.starts_with(wanted));
    if !(sign(4, '-')
        && sign(7, '-')
        && sign(10, 'T')
        && sign(13, ':')
        && sign(16, ':')
        && text.ends_with('Z')
        && text.len() <= 30)
    {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Days since 1970, with years that begin in March.
    let shifted = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (shifted / 400, shifted % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = (era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year).checked_sub(719_468)?;
    Some(((days * 24 + number(11, 13)?) * 60 + number(14, 16)?) * 60_000 + number(17, 19)? * 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_thing_is_no_token() {
        let value = "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c";
        for (name, is_opaque) in [
            ("csrf_token", true),
            ("__RequestVerificationToken", true),
            ("authenticity_token", true),
            ("idempotency_key", true),
            ("uuid", false),
            ("roomUuid", false),
            ("listing_uuid", false),
            ("walletHash", false),
            ("signature", false),
            ("hash", false),
            ("state", false),
        ] {
            assert_eq!(why(name, value, 0).is_some(), is_opaque, "{name}");
        }
        assert_eq!(why("token", "0x3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c12345678", 0), None);
    }

    #[test]
    fn times_are_read_in_all_their_forms() {
        for (text, expected) in [
            ("1763340000", Some(1_763_340_000_000)),
            ("1763340000123", Some(1_763_340_000_123)),
            ("2025-11-17T00:40:00Z", Some(1_763_340_000_000)),
            ("2025-11-17T00:40:00.123Z", Some(1_763_340_000_000)),
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2025-13-17T00:40:00Z", None),
            ("17633400", None),
            ("", None),
            ("ééééééééééééééé", None),
        ] {
            assert_eq!(time(text), expected, "{text}");
        }
    }
}
