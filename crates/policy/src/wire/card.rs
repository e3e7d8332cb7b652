//! What a person is shown of a request before saying yes or no.

use std::borrow::Cow;

use super::{
    Classed, Decoded, OpaqueField, Place, WireFacts,
    lists::{AMOUNTS, RECIPIENTS},
    numbers::{is_amount, is_card, is_iban},
    secrets::{is_account, is_password, pays_with},
    unfold::within,
    words::{any_in_line, first_on, words},
};
use crate::confirmation::{is_blank, is_unseen};

/// The most fields that are shown.
const MOST_FIELDS: usize = 60;
/// The most files that are shown.
const MOST_FILES: usize = 20;
/// The most of anything else.
const MOST: usize = 10;
/// The most characters of one value.
const LONGEST_VALUE: usize = 200;
/// The longest text of a GraphQL request that is shown.
const LONGEST_TEXT: usize = 2_000;
/// The most characters of a sum.
const LONGEST_SUM: usize = 40;
/// The most characters of a name.
const LONGEST_NAME: usize = 80;

/// What a person is shown of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Card {
    /// The method.
    pub method: String,
    /// Where it goes to; names in punycode.
    pub origin: String,
    /// The path.
    pub path: String,
    /// Why it is asked.
    pub reasons: Vec<String>,
    /// Amounts, as `total: 10.00`; those that say what it comes to before all others.
    pub amounts: Vec<String>,
    /// What is asked of a GraphQL server.
    pub operations: Vec<String>,
    /// Fields in clear, or masked. Of too many those that say how much and to whom are shown.
    pub fields: Vec<CardField>,
    /// How many fields more there are, which are not shown but may not change either.
    pub more_fields: usize,
    /// The names of those that may still change: tokens and times.
    pub opaque: Vec<String>,
    /// Why it can't be inspected, if it can't.
    pub not_inspected: Option<String>,
    /// The files, as `invoice.pdf (12 bytes)`.
    pub files: Vec<String>,
}

/// A field as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardField {
    /// Its name.
    pub name: String,
    /// Its value; dots stand for what is not shown.
    pub value: String,
    /// Where it is.
    pub place: Place,
    /// Whether it is the number of an account: people see it, because it says who gets the money; callers don't.
    pub is_account: bool,
}

impl Card {
    /// The same as callers are told it: without the numbers of accounts.
    pub fn for_callers(mut self) -> Self {
        for field in self.fields.iter_mut().filter(|field| field.is_account && !field.value.is_empty()) {
            field.value = DOTS.to_owned();
        }
        self
    }
}

/// Stands for a value that is not shown.
const DOTS: &str = "••••";

/// What has a name and a value, be it within what a field holds.
struct Piece {
    name: String,
    value: String,
    place: Place,
}

/// What a person is shown of a request, of which these fields may still change.
pub fn card(decoded: &Decoded, classed: &Classed, opaque: &[OpaqueField], facts: &WireFacts) -> Card {
    let said = |text: &str, most: usize| visible(&hidden(text, facts), most);
    let operation = |one: &super::Operation| {
        let name = one.name.as_deref().unwrap_or("without a name");
        said(&format!("{:?} {name}: {}", one.kind, one.asks.join(", ")), LONGEST_VALUE)
    };
    let file = |one: &super::FilePart| format!("{} ({} bytes)", said(&one.name, LONGEST_NAME), one.bytes);
    let mut pieces = pieces(decoded, opaque);
    let amounts = amounts(&pieces, facts);
    if pieces.len() > MOST_FIELDS {
        pieces.sort_by_cached_key(weight);
    }
    // Who hides one sum or payee among many others counts on nobody seeing it.
    let left_out = pieces.iter().skip(MOST_FIELDS).filter(|piece| weight(piece) == 0).count();
    let crowded = (left_out > 0)
        .then(|| format!("cannot be shown whole: {left_out} more fields say how much, or who gets it"));
    let fields = pieces.iter().take(MOST_FIELDS).map(|piece| CardField {
        name: said(&piece.name, LONGEST_NAME),
        value: value(piece, facts),
        place: piece.place,
        is_account: is_account_number(piece),
    });
    Card {
        method: visible(&decoded.method, LONGEST_NAME),
        origin: said(&decoded.address.origin(), LONGEST_VALUE),
        path: said(&decoded.address.path, LONGEST_VALUE),
        reasons: counted(classed.reasons.iter().map(|reason| said(reason, LONGEST_VALUE)), MOST, "reason"),
        amounts: counted(amounts.into_iter(), MOST, "sum"),
        operations: counted(decoded.operations.iter().map(operation), MOST, "operation"),
        fields: fields.collect(),
        more_fields: pieces.len().saturating_sub(MOST_FIELDS),
        opaque: opaque.iter().map(|one| said(&one.name, LONGEST_NAME)).collect(),
        not_inspected: decoded.opaque.map(|why| format!("cannot be inspected: {}", why.words())).or(crowded),
        files: counted(decoded.files.iter().map(file), MOST_FILES, "file"),
    }
}

/// Everything that may not change. What a field holds as JSON is shown piece by piece: there is no telling it in one line.
fn pieces(decoded: &Decoded, opaque: &[OpaqueField]) -> Vec<Piece> {
    let clear = decoded.fields.iter().enumerate().filter(|(at, _)| !opaque.iter().any(|one| one.at == *at));
    let pieces = clear.flat_map(|(_, field)| {
        let mut inner = within(field);
        // What is written in the place of a name is shown, and so is what stands in its own place beside it.
        let is_whole = inner.iter().any(|(name, _)| name.starts_with(&field.name)) || field.value.is_empty();
        if inner.is_empty() || !is_whole {
            inner.push((field.name.clone(), field.value.clone()));
        }
        inner.into_iter().map(|(name, value)| Piece { name, value, place: field.place })
    });
    let headers = decoded.headers.iter().filter(|(name, _)| says_something(name));
    let headers =
        headers.map(|(name, value)| Piece { name: name.clone(), value: value.clone(), place: Place::Header });
    pieces.chain(headers).collect()
}

/// Whether a header that a script set says something to a person: those that prove who somebody is, or tell one request from another, don't.
fn says_something(name: &str) -> bool {
    let technical = "authorization|auth|token|key|session|csrf|xsrf|nonce|secret|signature|trace|traceparent|request|correlation|idempotency|client|version|build|sentry|baggage|apollo|hx|up|turbo|range|if";
    !any_in_line(&words(name), technical)
}

/// The sums in a request, what it comes to first.
fn amounts(pieces: &[Piece], facts: &WireFacts) -> Vec<String> {
    let sums = pieces.iter().filter(|piece| is_amount(&piece.value));
    let mut sums: Vec<_> = sums.filter_map(|piece| Some((sum(&piece.name)?, piece))).collect();
    sums.sort_by_key(|(sum, _)| *sum);
    let words = |piece: &Piece| {
        let name = visible(&hidden(&piece.name, facts), LONGEST_NAME);
        format!("{name}: {}", visible(&piece.value, LONGEST_SUM))
    };
    sums.into_iter().map(|(_, piece)| words(piece)).collect()
}

/// What a sum is, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sum {
    /// What it comes to.
    Total,
    /// A part of that.
    Part,
}

fn sum(name: &str) -> Option<Sum> {
    let said = words(name);
    let is_total = first_on(&said, &AMOUNTS).is_some() || any_in_line(&said, "total|gesamt");
    let is_part =
        any_in_line(&said, "price|subtotal|cost|fee|tip|bid|preis|prix|precio|prezzo|cena|цена|价格");
    match (is_total, is_part) {
        (true, _) => Some(Sum::Total),
        (false, true) => Some(Sum::Part),
        (false, false) => None,
    }
}

/// How much a piece matters to a person; the least comes first. Parts of a sum may be many, and must not crowd out who gets it.
fn weight(piece: &Piece) -> u8 {
    let is_recipient = first_on(&words(&piece.name), &RECIPIENTS).is_some();
    match sum(&piece.name) {
        Some(Sum::Total) => 0,
        _ if is_recipient || is_account_number(piece) => 0,
        Some(Sum::Part) => 1,
        None => 2,
    }
}

/// So many of a list, and how many more there are.
fn counted(all: impl ExactSizeIterator<Item = String>, most: usize, what: &str) -> Vec<String> {
    let more = all.len().saturating_sub(most);
    let ending = if more == 1 { "" } else { "s" };
    let counts = (more > 0).then(|| format!("and {more} more {what}{ending}"));
    all.take(most).chain(counts).collect()
}

/// Whether a piece is the number of an account, and nothing that has to stay secret.
fn is_account_number(piece: &Piece) -> bool {
    let is_secret = is_password(&piece.name) || pays_with(&piece.name);
    !is_secret && (is_account(&piece.name) || is_iban(&piece.value))
}

/// A value as it is shown.
fn value(piece: &Piece, facts: &WireFacts) -> String {
    let Piece { name, value, .. } = piece;
    // Whoever chooses where money goes could choose a number that looks like a card.
    if !is_account_number(piece) && is_card(value) {
        let digits: Vec<char> = value.chars().filter(char::is_ascii_digit).collect();
        let last: String = digits.iter().skip(digits.len().saturating_sub(4)).collect();
        return format!("{DOTS} {last}");
    }
    if (is_password(name) || pays_with(name)) && !value.is_empty() {
        return DOTS.to_owned();
    }
    // What is asked of a GraphQL server stands in one text, sums and payees included.
    let is_text = piece.place == Place::GraphQl && (name.ends_with("query") || name.ends_with("mutation"));
    visible(&hidden(value, facts), if is_text { LONGEST_TEXT } else { LONGEST_VALUE })
}

/// A text without the operator's secrets.
fn hidden<'t>(text: &'t str, facts: &WireFacts) -> Cow<'t, str> {
    let mut hidden = Cow::Borrowed(text);
    for secret in &facts.secrets {
        if let Cow::Owned(masked) = secret.mask.over(&hidden) {
            hidden = Cow::Owned(masked);
        }
    }
    hidden
}

/// A text in one line in which everything can be seen, cut where it is too long, and says so.
fn visible(text: &str, most: usize) -> String {
    let mut seen = String::new();
    for c in text.chars().take(most) {
        match c {
            '\n' => seen.push_str("\\n"),
            '\r' => seen.push_str("\\r"),
            '\t' => seen.push_str("\\t"),
            c if c.is_control() || is_unseen(c) || is_blank(c) || (c.is_whitespace() && c != ' ') => {
                seen.push_str(&format!("\\u{{{:x}}}", c as u32));
            }
            c => seen.push(c),
        }
    }
    let count = text.chars().count();
    if count > most { format!("{seen}… ({count} characters)") } else { seen }
}
