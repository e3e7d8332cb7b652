//! Texts as plain words, and lists of phrases to find in them.

mod letters;
mod lexicon;

use crate::fold::{Folded, fold};
pub(super) use {
    letters::Fragments,
    lexicon::{Hit, Lexicon},
};

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
        if text.is_ascii() {
            let mut words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
            return words.any(|word| !self.iter().any(|own| own.eq_ignore_ascii_case(word)));
        }
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

    /// The same words with digits apart from letters (`pay49` is a word and a number), if any word has both.
    pub(super) fn with_digits_apart(&self) -> Option<Self> {
        let is_digit = |c: char| c.is_ascii_digit();
        let is_mixed = |word: &str| word.contains(is_digit) && word.contains(|c| !is_digit(c));
        if !self.iter().any(is_mixed) {
            return None;
        }
        let mut spaced = String::with_capacity(self.letters.len() + 8);
        for word in self.iter() {
            let mut last = None;
            for c in word.chars() {
                if last != Some(is_digit(c)) {
                    spaced.push(' ');
                }
                last = Some(is_digit(c));
                spaced.push(c);
            }
        }
        Some(Self::of(&spaced))
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
    fn a_number_that_touches_a_word_is_no_part_of_it() {
        let apart =
            |text: &str| Words::of(text).with_digits_apart().map(|w| w.iter().collect::<Vec<_>>().join(" "));
        assert_eq!(apart("Pay49€").as_deref(), Some("pay 49"));
        assert_eq!(apart("2fa now"), Some("2 fa now".into()));
        assert_eq!(apart("Pay 49"), None);
    }
}
