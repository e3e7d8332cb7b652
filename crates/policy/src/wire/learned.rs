//! What was read on each site, remembered in small pieces, to notice when it is taken along to another one.

use std::collections::{BTreeMap, HashSet};

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::{
    Decoded,
    codes::{codes_in, codes_shown, is_date_like},
    filter::Filter,
    site_of,
    unravel::unpercent_all,
};

/// How many characters make a piece.
const PIECE: usize = 8;
/// Up to how many letters a single word says nothing about anybody: it may be looked for anywhere.
const LONGEST_WORD: usize = 12;
/// What all fields together are called.
const SEVERAL: &str = "several fields";
/// The most codes of one site.
const MOST_CODES: usize = 1_000;
/// Of how many codes a site may show a few that it knows itself: one that shows them all knows none.
const FEW_CODES: usize = 20;
/// The most pieces of all sites, and of the caller's own, that are kept as they are.
const MOST_PIECES: usize = 400_000;
const MOST_OWN: usize = 200_000;
/// What stands before the name of a site for what its fields hold.
const FIELDS: &str = "fields of ";
/// The most sites that are told apart.
const MOST_SITES: usize = 500;
/// Where something was read of which nobody remembers where.
const SOMEWHERE: &str = "an earlier page";
/// Up to how many bytes a part of a request is also looked at in its disguises.
const LONGEST_DISGUISE: usize = 64 << 10;

/// Pieces of a site.
#[derive(Debug, Default)]
struct Pieces {
    known: HashSet<u64>,
    /// What is good once and shown to be typed elsewhere; far shorter than a piece.
    codes: Vec<String>,
}

/// What was read, by site.
#[derive(Debug, Default)]
pub struct Learned {
    sites: BTreeMap<String, Pieces>,
    /// How many pieces all sites have together.
    count: usize,
    own: Pieces,
    /// What there was no more room for. Nothing is ever forgotten: who shows a lot must not make anybody forget what others showed.
    rest: Filter,
    /// Whether something was shown that is not remembered at all.
    has_missed: bool,
}

/// That a request holds what was read elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// Where it was read.
    pub from_site: String,
    /// The field that holds it; `path` or `host` for the parts of the address.
    pub field: String,
}

/// What every site says.
const COMMON: &[&str] = &[
    "products|category|categories|shipping|delivery|checkout|customer|account settings|articles|introduction|information",
    "privacy policy|terms and conditions|terms of service|terms of use|cookie policy|cookie settings|contact us|about us",
    "add to basket|add to cart|shopping cart|shopping basket|shopping bag|continue shopping|proceed to checkout|order history",
    "shipping address|billing address|delivery address|email address|payment method|payment methods|payment details",
    "forgot password|create account|sign in to your account|customer service|customer support|help center|help centre",
    "recommended products|related products|new arrivals|best sellers|gift cards|wishlist|newsletter|subscribe|search results",
    "javascript|application|documents|documentation|resources|features|solutions|enterprise|developers|community|download",
    "instagram|facebook|linkedin|youtube|pinterest|whatsapp|wikipedia|settings|preferences|notifications|dashboard",
    "january|february|september|october|november|december|wednesday|thursday|saturday|previous|continue|bookmarks|password",
    "all rights reserved|copyright|accessibility|services|business|technology|international|questions|frequently asked",
];

impl Learned {
    /// Nothing read yet; these are words of the operator, which may go anywhere.
    pub fn known_words(words: &str) -> Self {
        let mut learned = Self::default();
        learned.own(words);
        COMMON.iter().flat_map(|line| line.split('|')).for_each(|common| learned.own(common));
        learned
    }

    /// Something was shown that nobody remembers: from now on nothing new is taken for the caller's own.
    pub fn missed(&mut self) {
        self.has_missed = true;
    }

    fn own(&mut self, text: &str) {
        pieces(text).for_each(|piece| self.own_piece(piece));
        for code in codes_in(text) {
            self.own_code(code);
        }
    }

    fn own_piece(&mut self, piece: u64) {
        if self.own.known.len() < MOST_OWN {
            self.own.known.insert(piece);
        }
    }

    fn own_code(&mut self, code: String) {
        if self.own.codes.len() < MOST_CODES && !self.own.codes.contains(&code) {
            self.own.codes.push(code);
        }
    }

    /// Remembers what a site (or a host of it) shows.
    pub fn note(&mut self, site: &str, text: &str) {
        let site = site_of(site);
        // What a site is called is said everywhere.
        pieces(&site).for_each(|piece| self.own_piece(piece));
        self.remember(site, text);
    }

    /// Remembers what fields of a site hold. Whoever filled them in, that it stands there does not make it known to the site.
    pub fn note_field(&mut self, site: &str, text: &str) {
        self.remember(format!("{FIELDS}{}", site_of(site)), text);
    }

    fn remember(&mut self, site: String, text: &str) {
        let is_new = !self.sites.contains_key(&site);
        let mut own_room =
            (!is_new || self.sites.len() < MOST_SITES).then(|| self.sites.entry(site.clone()).or_default());
        for piece in pieces(text) {
            match &mut own_room {
                Some(there) if there.known.contains(&piece) => {}
                Some(there) if self.count < MOST_PIECES => {
                    there.known.insert(piece);
                    self.count += 1;
                }
                _ => {
                    self.rest.add(piece);
                    self.rest.add(at_site(&site, piece));
                }
            }
        }
        for code in codes_shown(text) {
            match &mut own_room {
                _ if self.own.codes.contains(&code) => {}
                Some(there) if there.codes.contains(&code) => {}
                Some(there) if there.codes.len() < MOST_CODES => there.codes.push(code),
                _ => self.rest.add(code_piece(&code)),
            }
        }
    }

    /// Whether any site has shown a piece, as far as anybody remembers.
    fn was_shown(&self, piece: u64) -> bool {
        self.has_missed
            || self.rest.has(piece)
            || self.sites.values().any(|pieces| pieces.known.contains(&piece))
    }

    /// Takes a text for the caller's own, as far as no site has shown it: it may go anywhere, whoever shows it later. Whether any
    /// of it was read.
    pub(super) fn claim(&mut self, text: &str) -> bool {
        let mut was_read = false;
        for form in forms(text) {
            for piece in pieces(&form) {
                match self.was_shown(piece) {
                    true => was_read |= !self.own.known.contains(&piece),
                    false => self.own_piece(piece),
                }
            }
            for code in codes_in(&form) {
                let was_shown = self.has_missed
                    || self.rest.has(code_piece(&code))
                    || self.sites.values().any(|pieces| pieces.codes.contains(&code));
                match was_shown {
                    true => was_read |= !self.own.codes.contains(&code),
                    false => self.own_code(code),
                }
            }
            // A digit at a time, it has no ends.
            let form = normal(&form);
            let codes = self.sites.values().flat_map(|pieces| &pieces.codes);
            was_read |=
                codes.filter(|code| !self.own.codes.contains(code)).any(|code| form.contains(code.as_str()));
        }
        was_read
    }

    /// Whether a request to one site holds what was only read on another one; the first that is found.
    pub fn carries(&self, decoded: &Decoded) -> Option<Carried> {
        self.all_carried(decoded).into_iter().next()
    }

    /// For each site of which a request to another one holds something: where.
    pub fn all_carried(&self, decoded: &Decoded) -> Vec<Carried> {
        self.carried_where(decoded, |_| true)
    }

    /// The same of what is of interest.
    pub(super) fn carried_where(
        &self,
        decoded: &Decoded,
        is_of_interest: impl Fn(&[char]) -> bool,
    ) -> Vec<Carried> {
        let to = decoded.address.site();
        let others: Vec<(&String, &Pieces)> =
            self.sites.iter().filter(|(site, _)| site.strip_prefix(FIELDS).unwrap_or(site) != to).collect();
        if others.is_empty() && self.rest.is_empty() && !self.has_missed {
            return vec![];
        }
        let somewhere = SOMEWHERE.to_owned();
        let there = self.sites.get(&to);
        let parts = parts(decoded, &to);
        let words: HashSet<u64> = parts
            .iter()
            .filter(|(_, text)| is_word(text))
            .flat_map(|(_, text)| pieces(&normal(text)))
            .collect();
        let is_free = |piece: &u64| {
            self.own.known.contains(piece)
                || words.contains(piece)
                || there.is_some_and(|there| there.known.contains(piece))
                || self.rest.has(at_site(&to, *piece))
        };
        let is_free_code = |code: &String| {
            self.own.codes.contains(code)
                || there.is_some_and(|there| there.codes.len() <= FEW_CODES && there.codes.contains(code))
        };
        let mut found: Vec<Carried> = Vec::new();
        let mut add = |site: &String, field: &String| {
            let from_site = site.strip_prefix(FIELDS).unwrap_or(site).to_owned();
            if !found.iter().any(|carried| carried.from_site == from_site) {
                found.push(Carried { from_site, field: field.clone() });
            }
        };
        for (field, text) in &parts {
            for form in forms(text) {
                let letters: Vec<char> = normal(&form).chars().collect();
                for window in letters.windows(PIECE) {
                    let piece = piece(window);
                    let mut from =
                        others.iter().filter(|(_, pieces)| pieces.known.contains(&piece)).peekable();
                    let is_known = from.peek().is_some();
                    let may_be = self.has_missed || self.rest.has(piece);
                    if !(is_known || may_be) || is_free(&piece) || !is_of_interest(window) || is_day(window) {
                        continue;
                    }
                    match is_known {
                        true => from.for_each(|(site, _)| add(site, field)),
                        false => add(&somewhere, field),
                    }
                }
                let (shapes, form) = (codes_in(&form), normal(&form));
                // In several fields together it has no ends.
                let holds = |code: &String| {
                    shapes.contains(code) || (field == SEVERAL && form.contains(code.as_str()))
                };
                let of_interest = |code: &String| is_of_interest(&code.chars().collect::<Vec<_>>());
                if shapes
                    .iter()
                    .any(|code| self.rest.has(code_piece(code)) && !is_free_code(code) && of_interest(code))
                {
                    add(&somewhere, field);
                }
                for (site, pieces) in &others {
                    let found = pieces.codes.iter().filter(|code| holds(code) && !is_free_code(code));
                    if found.into_iter().any(of_interest) {
                        add(site, field);
                    }
                }
            }
        }
        found
    }
}

/// A piece as one site showed it.
fn at_site(site: &str, piece: u64) -> u64 {
    piece.rotate_left(31) ^ self::piece(&site.chars().collect::<Vec<_>>())
}

/// Whether it is a day in numbers, which is the same everywhere.
fn is_day(letters: &[char]) -> bool {
    letters.iter().all(char::is_ascii_digit) && is_date_like(&letters.iter().collect::<String>())
}

/// Whether it is a single word that anybody might use.
fn is_word(text: &str) -> bool {
    text.chars().count() <= LONGEST_WORD && text.chars().all(char::is_alphabetic)
}

/// Everything of a request that could hold something, and all of a kind put together: what is cut in pieces is found too.
fn parts(decoded: &Decoded, site: &str) -> Vec<(String, String)> {
    let host = decoded.address.host.trim_end_matches('.');
    let labels = host.strip_suffix(site).unwrap_or_default();
    let mut parts = vec![("host".to_owned(), labels.to_owned())];
    parts.extend(labels.split('.').map(|label| ("host".to_owned(), label.to_owned())));
    let path = &decoded.address.path;
    parts.push(("path".to_owned(), path.clone()));
    parts.extend(path.split('/').map(|segment| ("path".to_owned(), segment.to_owned())));
    let (mut joined, mut named) = (String::new(), String::new());
    for field in &decoded.fields {
        joined.push_str(&field.value);
        named.push_str(&field.name);
        parts.push((field.name.clone(), field.value.clone()));
        parts.push((field.name.clone(), field.name.clone()));
    }
    if decoded.fields.len() > 1 {
        parts.push((SEVERAL.to_owned(), joined));
        parts.push((SEVERAL.to_owned(), named));
    }
    parts.extend(decoded.headers.iter().map(|(name, value)| (name.clone(), value.clone())));
    parts.retain(|(_, text)| !text.is_empty());
    parts
}

/// A text as it stands and without its disguises.
pub(super) fn forms(text: &str) -> Vec<String> {
    let plain = unpercent_all(text);
    let mut forms = vec![plain.chars().rev().collect()];
    if text.len() <= LONGEST_DISGUISE {
        let decoded = runs(&plain).flat_map(|run| unbase64(run).into_iter().chain(unhex(run)));
        for inner in decoded.map(|one| unpercent_all(&one)) {
            forms.push(inner.chars().rev().collect());
            forms.push(inner);
        }
    }
    forms.push(plain);
    forms
}

/// Runs of characters that base64 and hex are made of.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_' | '=' | ' ');
    text.split(move |c: char| !is_part(c)).filter(|run| run.len() >= 8)
}

fn readable(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let strange = text.chars().filter(|c| c.is_control() || *c == '\u{fffd}').count();
    (strange * 4 <= text.chars().count()).then(|| text.into_owned())
}

fn unbase64(run: &str) -> Vec<String> {
    let usual: String = run
        .chars()
        .filter_map(|c| match c {
            '-' | ' ' => Some('+'),
            '_' => Some('/'),
            '=' => None,
            c => Some(c),
        })
        .collect();
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&alphabet::STANDARD, config);
    let from = (0..4usize).filter_map(|shift| {
        let cut = usual.get(shift..)?;
        let whole = if cut.len() % 4 == 1 { cut.len() - 1 } else { cut.len() };
        readable(&engine.decode(cut.get(..whole)?).ok()?)
    });
    from.collect()
}

fn unhex(run: &str) -> Vec<String> {
    let digits: Vec<u32> = run.chars().filter_map(|c| c.to_digit(16)).collect();
    if digits.len() < run.chars().filter(char::is_ascii_alphanumeric).count() || digits.len() < 12 {
        return vec![];
    }
    let from = (0..2).filter_map(|shift| {
        let bytes: Vec<u8> = digits
            .get(shift..)?
            .chunks_exact(2)
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | *digit as u8))
            .collect();
        readable(&bytes)
    });
    from.collect()
}

/// Small letters and digits, nothing else.
pub(super) fn normal(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// All runs of so many characters, as numbers.
fn pieces(text: &str) -> impl Iterator<Item = u64> + use<> {
    let letters: Vec<char> = normal(text).chars().collect();
    let count = (letters.len() + 1).saturating_sub(PIECE);
    (0..count).map(move |at| piece(letters.get(at..at + PIECE).unwrap_or_default()))
}

/// What may be a code, as a number that no piece has.
fn code_piece(code: &str) -> u64 {
    at_site("a code", piece(&code.chars().collect::<Vec<_>>()))
}

/// A run of characters as a number.
pub(super) fn piece(letters: &[char]) -> u64 {
    letters.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, &c| {
        (sum ^ u64::from(c as u32)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    })
}
