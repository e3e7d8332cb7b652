//! Words of addresses and names: cut at every sign and at every capital letter, in small and plain letters.

use std::{
    collections::HashSet,
    sync::{LazyLock, OnceLock},
};

use super::lists;

/// The most words of one text.
const MOST_WORDS: usize = 400;

/// A word in small and plain letters.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        let plain = match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
            'ç' | 'ć' | 'č' => 'c',
            'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
            'ì'..='ï' | 'ı' => 'i',
            'ñ' | 'ń' | 'ň' => 'n',
            'ò'..='ö' | 'ø' | 'ő' => 'o',
            'ù'..='ü' | 'ů' | 'ű' => 'u',
            'ý' | 'ÿ' => 'y',
            'ś' | 'š' | 'ş' => 's',
            'ź' | 'ż' | 'ž' => 'z',
            'ł' => 'l',
            'ğ' => 'g',
            'ř' => 'r',
            'ť' | 'ţ' => 't',
            'ď' | 'đ' => 'd',
            'ё' => 'е',
            'ß' => {
                folded.push('s');
                's'
            }
            // A mark of its own upon the letter before.
            '\u{300}'..='\u{36f}' => continue,
            // Letters and digits of full width.
            '\u{ff10}'..='\u{ff5a}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c).to_ascii_lowercase(),
            c => c,
        };
        folded.push(plain);
    }
    folded
}

/// The words of a text. What is written in one word but is made of several known ones is cut too: `addtocart`.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = text.chars().filter(|c| !is_unseen(*c)).collect();
    for (at, &c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(at + 1);
        let is_mark = ('\u{300}'..='\u{36f}').contains(&c);
        let begins = before.is_some_and(|before| {
            (before.is_lowercase() && c.is_uppercase())
                || (before.is_uppercase()
                    && c.is_uppercase()
                    && after.is_some_and(|after| after.is_lowercase()))
                || (before.is_numeric() != c.is_numeric())
        });
        let is_part = is_mark || c.is_alphanumeric();
        if !is_part || (begins && !is_mark) {
            finish(&mut word, &mut found);
        }
        if is_part {
            word.push(c);
        }
        if found.len() >= MOST_WORDS {
            return found;
        }
    }
    finish(&mut word, &mut found);
    found
}

fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn finish(word: &mut String, found: &mut Vec<String>) {
    if !word.is_empty() {
        let folded = fold(word);
        word.clear();
        match parts(&folded) {
            Some(parts) => found.extend(parts),
            None => found.push(folded),
        }
    }
}

/// Every word that is known here at all.
static KNOWN: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let single = [
        &lists::STRONG,
        &lists::SOFT,
        &lists::ON_WRITES,
        &lists::BASKET,
        &lists::ADDING,
        &lists::PREPARE,
        &lists::NEUTRAL,
        &lists::LOGOUT,
        &lists::LOGIN,
        &lists::PASSWORDS,
        &lists::PAYMENT_NAMES,
        &lists::ACCOUNT_NAMES,
        &lists::AMOUNTS,
        &lists::SEARCH,
        &lists::ANALYTICS,
        &lists::CONSENT,
    ];
    let more = "now|it|log|out|sign|in|user|file|comment|mail|money|funds|card|subscription|membership|token|csrf|your|this|notebook|upvote|downvote";
    let paying = lists::PAYMENT_PAIRS.iter().chain(lists::ACCOUNT_PAIRS);
    let pairs = lists::PAIRS.iter().chain(lists::HARMLESS).chain(paying);
    let pairs = pairs.flat_map(|(one, other)| [*one, *other]);
    let of_pairs = pairs.chain([more]).flat_map(|line| line.split('|'));
    single.into_iter().flat_map(List::iter).chain(of_pairs).collect()
});

/// The known words that a word is made of, if it is made of nothing else and is none itself.
fn parts(word: &str) -> Option<Vec<String>> {
    const LONGEST: usize = 40;
    if !word.is_ascii() || !(5..=LONGEST).contains(&word.len()) || KNOWN.contains(word) {
        return None;
    }
    // The fewest words from each place to the end; none is shorter than two letters.
    let mut best: Vec<Option<(usize, usize)>> = vec![None; word.len() + 1];
    best.push(None);
    *best.get_mut(word.len())? = Some((0, word.len()));
    for from in (0..word.len()).rev() {
        for to in from + 2..=word.len() {
            let known = word.get(from..to).is_some_and(|part| KNOWN.contains(part));
            let Some((rest, _)) = best.get(to).copied().flatten().filter(|_| known) else { continue };
            let place = best.get_mut(from)?;
            if place.is_none_or(|(count, _)| rest + 1 < count) {
                *place = Some((rest + 1, to));
            }
        }
    }
    let (count, _) = best.first().copied().flatten()?;
    if count > 4 {
        return None;
    }
    let mut parts = Vec::new();
    let mut from = 0;
    while from < word.len() {
        let (_, to) = best.get(from).copied().flatten()?;
        parts.push(word.get(from..to)?.to_owned());
        from = to;
    }
    Some(parts)
}

/// Letters of scripts that put nothing between their words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

/// A list of words, each on its own between `|`.
#[derive(Debug)]
pub(super) struct List {
    lines: &'static [&'static str],
    words: OnceLock<HashSet<&'static str>>,
    unspaced: OnceLock<Vec<&'static str>>,
}

impl List {
    /// The list of these lines.
    pub(super) const fn of(lines: &'static [&'static str]) -> Self {
        Self { lines, words: OnceLock::new(), unspaced: OnceLock::new() }
    }

    fn iter(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.lines.iter().flat_map(|line| line.split('|'))
    }
}

/// Whether a word is on a list; words of scripts without spaces also within it.
pub(super) fn is_on(word: &str, list: &List) -> bool {
    if list.words.get_or_init(|| list.iter().collect()).contains(word) {
        return true;
    }
    let unspaced = || list.iter().filter(|known| known.contains(is_unspaced)).collect();
    !word.is_ascii()
        && word.contains(is_unspaced)
        && list.unspaced.get_or_init(unspaced).iter().any(|known| word.contains(known))
}

/// Whether a word is in a line of words between `|`.
pub(super) fn is_in_line(word: &str, line: &str) -> bool {
    line.split('|').any(|known| known == word)
}

/// The first of these words that is on a list.
pub(super) fn first_on<'w>(words: &'w [String], list: &List) -> Option<&'w str> {
    words.iter().map(String::as_str).find(|word| is_on(word, list))
}

/// Whether any of these words is in a line of words between `|`.
pub(super) fn any_in_line(words: &[String], line: &str) -> bool {
    words.iter().any(|word| is_in_line(word, line))
}

/// The first of these words that is on a list, in its plural too.
pub(super) fn first_on_or_plural<'w>(words: &'w [String], list: &List) -> Option<&'w str> {
    words.iter().map(String::as_str).find(|word| {
        is_on(word, list)
            || word.strip_suffix('s').is_some_and(|single| single.len() > 2 && is_on(single, list))
    })
}

/// Two of these words that belong together by one line of a list of pairs.
pub(super) fn pair_on<'w>(words: &'w [String], pairs: &[(&str, &str)]) -> Option<(&'w str, &'w str)> {
    pairs.iter().find_map(|(one, other)| {
        let mut ones = words.iter().enumerate().filter(|(_, word)| is_in_line(word, one));
        ones.find_map(|(at, word)| {
            let others =
                words.iter().enumerate().find(|(place, second)| *place != at && is_in_line(second, other));
            others.map(|(_, second)| (word.as_str(), second.as_str()))
        })
    })
}

/// Whether a word is made harmless by another one beside it.
pub(super) fn is_harmless(word: &str, beside: &[String]) -> bool {
    lists::HARMLESS.iter().any(|(risky, safe)| {
        is_in_line(word, risky) && beside.iter().any(|other| other != word && is_in_line(other, safe))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_where_they_begin() {
        for (text, expected) in [
            ("delete-account", "delete account"),
            ("deleteAccount", "delete account"),
            ("DELETEAccount", "delete account"),
            ("addtocart", "add to cart"),
            ("placeorder", "place order"),
            ("items_2", "items 2"),
            ("Löschen", "loschen"),
            ("Lo\u{308}schen", "loschen"),
            ("autocomplete", "autocomplete"),
            ("saved-items", "saved items"),
            ("cancellation", "cancellation"),
            ("delivery", "delivery"),
            ("payment", "payment"),
            ("paypal", "paypal"),
            ("sender", "sender"),
            ("buyer", "buyer"),
            ("unsubscribe.php", "unsubscribe php"),
            ("", ""),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
        assert!(is_on("立即删除", &lists::STRONG) && !is_on("deleted", &lists::STRONG));
    }
}
