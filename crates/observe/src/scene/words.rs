//! Texts as plain words, and lists of phrases to find in them.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use super::fold::{Folded, fold};

/// The words of a text: folded, without anything between them. Made once per text.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    letters: String,
    ends: Vec<u32>,
}

impl Words {
    /// Words as a person reads them.
    pub(super) fn of(text: &str) -> Self {
        let mut words = Self { letters: String::with_capacity(text.len()), ends: Vec::new() };
        words.add(text);
        words
    }

    /// Words of an identifier, where a capital letter may begin one: `deleteAccount`, `btn-delete_account`.
    pub(super) fn of_identifier(text: &str) -> Self {
        let mut spaced = String::with_capacity(text.len() + 4);
        let mut after_small = false;
        for c in text.chars() {
            if c.is_uppercase() && after_small {
                spaced.push(' ');
            }
            after_small = c.is_lowercase();
            spaced.push(c);
        }
        Self::of(&spaced)
    }

    /// Adds the words of a further text.
    pub(super) fn add(&mut self, text: &str) {
        let first = self.ends.len();
        for c in text.chars() {
            match fold(c) {
                Folded::Nothing => {}
                Folded::One(a) => self.letters.push(a),
                Folded::Two(a, b) => self.letters.extend([a, b]),
                Folded::Break => self.end_word(),
            }
        }
        self.end_word();
        self.join_spelled_out(first);
    }

    fn end_word(&mut self) {
        let end = self.letters.len() as u32;
        if self.ends.last().copied().unwrap_or(0) < end {
            self.ends.push(end);
        }
    }

    /// `p a y` reads as one word: three or more single letters in a row become one.
    fn join_spelled_out(&mut self, first: usize) {
        let single = |ends: &[u32], at: usize| {
            let start = if at == 0 { 0 } else { ends[at - 1] };
            ends[at] - start == 1
        };
        if self.ends.len() < first + 3 {
            return;
        }
        let mut kept: Vec<u32> = self.ends[..first].to_vec();
        let mut at = first;
        while at < self.ends.len() {
            let run = (at..self.ends.len()).take_while(|&i| single(&self.ends, i)).count();
            if run >= 3 {
                kept.push(self.ends[at + run - 1]);
                at += run;
            } else {
                kept.push(self.ends[at]);
                at += 1;
            }
        }
        self.ends = kept;
    }

    /// Whether a text has a word that is none of these, without making a list of its words.
    pub(super) fn lacks_one_of(&self, text: &str) -> bool {
        let mut word = String::new();
        for c in text.chars().chain([' ']) {
            match fold(c) {
                Folded::Nothing => {}
                Folded::One(a) => word.push(a),
                Folded::Two(a, b) => word.extend([a, b]),
                Folded::Break if word.is_empty() => {}
                Folded::Break if self.iter().all(|own| own != word) => return true,
                Folded::Break => word.clear(),
            }
        }
        false
    }

    /// How many words.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The word at this place.
    pub(super) fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)? as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        self.letters.get(start..end)
    }

    /// All words in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}

/// FNV-1a over the words of our own lists: no page can choose the keys, so speed is all that counts.
#[derive(Debug)]
struct Quick(u64);

impl Default for Quick {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// A phrase of a list that was found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit<V> {
    /// The phrase as the list has it: words of ours.
    pub(super) phrase: &'static str,
    /// What the list says about it.
    pub(super) value: V,
    /// The word of the text that it begins at.
    pub(super) at: usize,
    /// How many words of the text it took.
    pub(super) len: usize,
}

#[derive(Debug)]
struct Entry<V> {
    phrase: &'static str,
    rest: Vec<&'static str>,
    value: V,
}

/// Phrases by their first word.
#[derive(Debug)]
pub(super) struct Lexicon<V> {
    by_first: QuickMap<&'static str, Vec<Entry<V>>>,
    run_together: QuickMap<String, (&'static str, V)>,
}

impl<V: Copy> Lexicon<V> {
    /// Takes lists of phrases, each phrase on its own between `|`, in plain lower-case letters.
    pub(super) fn of(lists: &[(V, &'static [&'static str])]) -> Self {
        let mut lexicon = Self { by_first: QuickMap::default(), run_together: QuickMap::default() };
        for &(value, lines) in lists {
            for phrase in lines.iter().flat_map(|line| line.split('|')).map(str::trim) {
                let mut words = phrase.split(' ');
                let Some(first) = words.next().filter(|first| !first.is_empty()) else { continue };
                let rest: Vec<_> = words.collect();
                if !rest.is_empty() {
                    lexicon.run_together.insert(phrase.replace(' ', ""), (phrase, value));
                }
                lexicon.by_first.entry(first).or_default().push(Entry { phrase, rest, value });
            }
        }
        for entries in lexicon.by_first.values_mut() {
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.rest.len()));
        }
        lexicon
    }

    /// The longest phrase that begins at this word.
    fn at(&self, words: &Words, at: usize) -> Option<Hit<V>> {
        let first = words.get(at)?;
        if let Some(entries) = self.by_first.get(first) {
            for entry in entries {
                let follows = entry.rest.iter().enumerate().all(|(i, w)| words.get(at + 1 + i) == Some(w));
                if follows {
                    return Some(Hit {
                        phrase: entry.phrase,
                        value: entry.value,
                        at,
                        len: entry.rest.len() + 1,
                    });
                }
            }
        }
        let &(phrase, value) = self.run_together.get(first)?;
        Some(Hit { phrase, value, at, len: 1 })
    }

    /// All phrases in a text, none within another.
    pub(super) fn hits<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = Hit<V>> + 'a {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < words.len() {
                if let Some(hit) = self.at(words, at) {
                    at += hit.len;
                    return Some(hit);
                }
                at += 1;
            }
            None
        })
    }

    /// Whether any of the phrases is in a text.
    pub(super) fn is_in(&self, words: &Words) -> bool {
        self.hits(words).next().is_some()
    }

    /// What the list says, if the text is one of its phrases and nothing else.
    pub(super) fn whole(&self, words: &Words) -> Option<Hit<V>> {
        self.at(words, 0).filter(|hit| hit.len == words.len())
    }

    /// For tests of the lists: a phrase with other letters than those that texts are folded to would never be found.
    #[cfg(test)]
    pub(super) fn assert_plain_letters(&self) {
        for phrase in self.by_first.values().flatten().map(|entry| entry.phrase) {
            assert_eq!(Words::of(phrase).iter().collect::<Vec<_>>().join(" "), phrase);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        Words::of(text).iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn look_alikes_read_as_the_words_they_look_like() {
        for (text, expected) in [
            ("PLACE  ORDER", "place order"),
            ("Place\u{a0}your\norder!", "place your order"),
            ("Ｐｌａｃｅ　ｏｒｄｅｒ", "place order"),
            ("Pl\u{200b}ace or\u{ad}der", "place order"),
            ("рау nоw", "pay now"),
            ("𝐏𝐚𝐲 𝓷𝓸𝔀", "pay now"),
            ("Ⓟⓐⓨ", "pay"),
            ("Löschen Straße", "loschen strasse"),
            ("lo\u{308}schen", "loschen"),
            ("p a y now", "pay now"),
            ("Zapłać", "zaplac"),
            ("A b", "a b"),
            ("支払う", "支払う"),
            ("", ""),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
        assert_eq!(
            Words::of_identifier("btn-deleteAccount_2").iter().collect::<Vec<_>>(),
            ["btn", "delete", "account", "2"]
        );
    }

    #[test]
    fn phrases_are_bounded_by_words_and_the_longest_wins() {
        let lexicon = Lexicon::of(&[(1, &["pay|place order|remove"]), (2, &["remove filter"])]);
        let values = |text: &str| lexicon.hits(&Words::of(text)).map(|hit| hit.value).collect::<Vec<_>>();
        assert_eq!(values("Payment for Payday"), Vec::<i32>::new());
        assert_eq!(values("pay"), [1]);
        assert_eq!(values("Remove filter"), [2]);
        assert_eq!(values("Remove filter and place order"), [2, 1]);
        assert_eq!(values("PlaceOrder"), [1]);
        assert_eq!(values("P l a c e o r d e r"), [1]);
        assert!(lexicon.whole(&Words::of("Remove filter")).is_some());
        assert!(lexicon.whole(&Words::of("Remove this")).is_none());
    }
}
