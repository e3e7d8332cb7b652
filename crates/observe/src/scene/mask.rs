//! Finds the secrets of a page in its words, also where they are written in another way: in other letters, encoded, in
//! groups, with what can't be seen in between.

use std::collections::BTreeMap;

use foldhash::HashSet;
use url::form_urlencoded::byte_serialize;

use super::pen::collapsed;

/// What stands for a secret.
pub(crate) const MASK: &str = "•••";

/// Shorter values occur everywhere; to mask them would garble the page and hide nothing.
const SHORTEST: usize = 3;

/// Values of this length and more are masked within words too, shorter ones only where they stand alone.
const BEGINNING: usize = 4;

/// Numbers of this length and more are often written in groups: cards, accounts, codes.
const SHORTEST_NUMBER: usize = 6;

/// The most signs between two letters of a secret.
const LONGEST_GAP: usize = 4;

/// Whether a word is nothing but a mask, perhaps within signs.
pub(crate) fn is_masked(word: &str) -> bool {
    word.trim_matches(|c: char| c.is_ascii_punctuation()) == MASK
}

/// Secrets that are found in one go, however many there are.
#[derive(Debug, Default)]
struct Index {
    beginnings: HashSet<[char; BEGINNING]>,
    by_length: BTreeMap<usize, HashSet<Vec<char>>>,
}

impl Index {
    fn insert(&mut self, secret: Vec<char>) {
        if let Some(&beginning) = secret.first_chunk() {
            self.beginnings.insert(beginning);
            self.by_length.entry(secret.len()).or_default().insert(secret);
        }
    }

    /// How many bytes the longest secret takes that a text begins with.
    fn extent(&self, text: &str, gap: fn(char) -> bool) -> Option<usize> {
        let (beginning, _) = take(text, gap)?;
        if !self.beginnings.contains(&beginning) {
            return None;
        }
        let longest = *self.by_length.keys().next_back()?;
        let (mut letters, mut ends, mut at) = (Vec::new(), Vec::new(), 0);
        while letters.len() < longest {
            at += if at == 0 { 0 } else { gaps(&text[at..], gap) };
            let Some((next, length)) = letter(&text[at..]) else { break };
            at += length;
            letters.push(next);
            ends.push(at);
        }
        let fitting = self.by_length.range(..=letters.len()).rev();
        let found = fitting.map(|(length, secrets)| (*length, secrets.contains(&letters[..*length])));
        found.filter(|(_, known)| *known).map(|(length, _)| ends[length - 1]).next()
    }
}

/// The secrets of a page; all letters are folded.
#[derive(Debug, Default)]
pub(super) struct Mask {
    firsts: HashSet<char>,
    whole: Index,
    /// Numbers, without what parts them into groups.
    grouped: Index,
    alone: HashSet<[char; SHORTEST]>,
}

impl Mask {
    /// Hides these values and their usual disguises.
    pub(super) fn of<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut mask = Self::default();
        for value in values {
            let plain = collapsed(value).into_owned();
            let bare: String = plain.chars().filter(|&c| !matches!(c, ' ' | '-')).collect();
            disguises(&plain).iter().chain([&bare, &plain]).for_each(|form| mask.add(form));
            let number: String = plain.chars().filter(|&c| !is_parting(c)).collect();
            if is_number(&number) {
                mask.grouped.insert(letters(&number));
            }
        }
        let beginnings = mask.whole.beginnings.iter().chain(&mask.grouped.beginnings);
        let secrets = beginnings.map(|beginning| beginning[0]);
        mask.firsts = secrets.chain(mask.alone.iter().map(|secret| secret[0])).collect();
        mask
    }

    fn add(&mut self, secret: &str) {
        let letters = letters(secret);
        match <[char; SHORTEST]>::try_from(&letters[..]) {
            Ok(short) => {
                self.alone.insert(short);
            }
            Err(_) => self.whole.insert(letters),
        }
    }

    /// Whether there is nothing to hide.
    pub(super) fn is_empty(&self) -> bool {
        self.firsts.is_empty()
    }

    /// The text with a mask in the place of each secret.
    pub(super) fn laid_on(&self, text: String) -> String {
        let mut out = String::new();
        let (mut at, mut copied) = (0, 0);
        while let Some((first, _)) = letter(&text[at..]) {
            let length = if self.firsts.contains(&first) { self.secret_at(&text, at) } else { None };
            let Some(length) = length else {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            };
            out.push_str(&text[copied..at]);
            out.push_str(MASK);
            at += length;
            copied = at;
        }
        if copied == 0 {
            return text;
        }
        out.push_str(&text[copied..]);
        out
    }

    /// How many bytes of a secret begin here.
    fn secret_at(&self, text: &str, at: usize) -> Option<usize> {
        let rest = &text[at..];
        let alone = || {
            let (word, length) = take(rest, is_unseen)?;
            let stands_alone =
                ends_no_word(&text[..at]) && !rest[length..].starts_with(char::is_alphanumeric);
            (stands_alone && self.alone.contains(&word)).then_some(length)
        };
        self.whole.extent(rest, is_unseen).max(self.grouped.extent(rest, is_parting)).or_else(alone)
    }
}

/// A value as addresses and scripts write it.
fn disguises(plain: &str) -> Vec<String> {
    let form: String = byte_serialize(plain.as_bytes()).collect();
    let percent = form.replace('+', "%20");
    let as_address = url::Url::parse("x://x").ok().map(|mut address| {
        address.set_query(Some(plain));
        address.query().unwrap_or_default().to_owned()
    });
    let json = plain.replace('\\', "\\\\").replace('"', "\\\"");
    [Some(form), Some(percent), as_address, Some(json)].into_iter().flatten().collect()
}

fn is_number(value: &str) -> bool {
    value.len() >= SHORTEST_NUMBER
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && value.bytes().any(|byte| byte.is_ascii_digit())
}

/// The letters of a secret as they are compared.
fn letters(mut text: &str) -> Vec<char> {
    let mut letters = Vec::new();
    while let Some((next, length)) = letter(text) {
        text = &text[length..];
        letters.extend(Some(next).filter(|&next| !is_unseen(next)));
    }
    letters
}

/// The letter that a text begins with, in lower case where that is one letter, and how many bytes it takes. One that is
/// encoded as in addresses is the same letter.
fn letter(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    if first.is_ascii() && first != '%' {
        return Some((first.to_ascii_lowercase(), 1));
    }
    let (letter, length) = encoded(text).unwrap_or((first, first.len_utf8()));
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) => Some((only, length)),
        _ => Some((letter, length)),
    }
}

/// The letter that `%` and two digits for each of its bytes stand for.
fn encoded(text: &str) -> Option<(char, usize)> {
    let mut bytes = [0; 4];
    let mut rest = text.as_bytes();
    for count in 1..=bytes.len() {
        let [b'%', high, low, after @ ..] = rest else { return None };
        let digit = |digit: u8| char::from(digit).to_digit(16);
        bytes[count - 1] = (digit(*high)? * 16 + digit(*low)?) as u8;
        rest = after;
        if let Some(letter) = str::from_utf8(&bytes[..count]).ok().and_then(|text| text.chars().next()) {
            return Some((letter, 3 * count));
        }
    }
    None
}

/// The first letters of a text without the gaps between them, and how many bytes these are.
fn take<const COUNT: usize>(text: &str, gap: fn(char) -> bool) -> Option<([char; COUNT], usize)> {
    let mut letters = ['\0'; COUNT];
    let mut at = 0;
    for taken in &mut letters {
        at += if at == 0 { 0 } else { gaps(&text[at..], gap) };
        let (next, length) = letter(&text[at..])?;
        *taken = next;
        at += length;
    }
    Some((letters, at))
}

/// How many bytes of a text's beginning stand between two letters.
fn gaps(text: &str, gap: fn(char) -> bool) -> usize {
    let mut at = 0;
    for _ in 0..LONGEST_GAP {
        match letter(&text[at..]) {
            Some((sign, length)) if gap(sign) => at += length,
            _ => break,
        }
    }
    at
}

/// What nobody sees, and what is dropped when the text is shown.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// What parts a number into groups.
fn is_parting(sign: char) -> bool {
    let is_sign = matches!(sign, '-' | '+' | '.' | '/' | '\u{2010}'..='\u{2015}');
    is_sign || sign.is_whitespace() || is_unseen(sign)
}

/// Whether what comes next begins a word. The digits of an encoded sign belong to that.
fn ends_no_word(before: &str) -> bool {
    let last = before.len().checked_sub(3).and_then(|start| encoded(before.get(start..)?));
    match last {
        Some((sign, _)) => !sign.is_alphanumeric(),
        None => !before.ends_with(char::is_alphanumeric),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(secret: &str, cases: &[(&str, &str)]) {
        let mask = Mask::of([secret].into_iter());
        for (text, expected) in cases {
            assert_eq!(mask.laid_on((*text).to_owned()), *expected, "{secret} in {text:?}");
        }
    }

    #[test]
    fn a_number_is_found_however_it_is_grouped() {
        let groups = [
            ("pay with 4111 1111 1111 1111 now", "pay with ••• now"),
            ("4111-1111-1111-1111", "•••"),
            ("4111\u{a0}1111\u{a0}1111\u{a0}1111", "•••"),
            ("4111 \u{2013} 1111 – 1111 – 1111", "•••"),
            ("?n=4111%201111%201111%201111&x", "?n=•••&x"),
            ("?n=4111+1111+1111+1111", "?n=•••"),
            ("?n=%34%31%31%31%C2%A0111111111111", "?n=•••"),
            ("4111\u{200b}11111111\u{ad}1111", "•••"),
            ("4111 1111 1111 1112", "4111 1111 1111 1112"),
            ("4111 1111 1111", "4111 1111 1111"),
        ];
        check("4111111111111111", &groups);
        check("4111 1111 1111 1111", &groups);
        check("4111-1111-1111-1111", &groups);
        check("378282246310005", &[("3782 822463 10005", "•••"), ("3782-822463-10005!", "•••!")]);
        check("DE89370400440532013000", &[("de89 3704 0044 0532 0130 00", "•••")]);
        check("DE89 3704 0044 0532 0130 00", &[("IBAN DE89370400440532013000.", "IBAN •••.")]);
        check("394021", &[("Code: 394 021", "Code: •••"), ("394 022", "394 022")]);
    }

    #[test]
    fn a_short_value_is_masked_where_it_stands_alone() {
        check(
            "737",
            &[
                ("CVC 737.", "CVC •••."),
                ("737", "•••"),
                ("(737)", "(•••)"),
                ("?cvc=737&x=1", "?cvc=•••&x=1"),
                ("?c=%20737%20", "?c=%20•••%20"),
                ("Boeing737", "Boeing737"),
                ("1737", "1737"),
                ("7370", "7370"),
                ("737ä", "737ä"),
            ],
        );
        check("73", &[("73", "73")]);
    }

    #[test]
    fn the_case_of_letters_makes_no_difference() {
        check(
            "Öl-Geheim",
            &[("öl-geheim", "•••"), ("ÖL-GEHEIM ÖLGEHEIM", "••• •••"), ("öl geheim", "öl geheim")],
        );
    }

    #[test]
    fn masks_are_known_again() {
        for (word, masked) in
            [("•••", true), ("(•••),", true), ("••••", false), ("•••4242", false), ("", false)]
        {
            assert_eq!(is_masked(word), masked, "{word}");
        }
    }
}
