//! Texts as plain words, and lists of phrases to find in them.

use foldhash::{HashMap, HashSet};

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
    rest: Vec<Box<str>>,
    value: V,
}

/// A phrase of a script that puts nothing between its words.
#[derive(Debug)]
struct Unspaced<V> {
    phrase: &'static str,
    letters: String,
    value: V,
}

/// The most words that may stand between two words of a phrase.
const MOST_FILLERS: usize = 3;

/// Phrases by their first word.
#[derive(Debug)]
pub(super) struct Lexicon<V> {
    by_first: HashMap<Box<str>, Vec<Entry<V>>>,
    run_together: HashMap<String, (&'static str, V)>,
    unspaced: HashMap<char, Vec<Unspaced<V>>>,
    fillers: HashSet<Box<str>>,
}

/// Letters of scripts that are written without spaces, or with endings that run into the word.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

impl<V: Copy> Lexicon<V> {
    /// Takes lists of phrases, each phrase on its own between `|`. They are folded as texts are.
    pub(super) fn of(lists: &[(V, &'static [&'static str])]) -> Self {
        let mut lexicon = Self {
            by_first: HashMap::default(),
            run_together: HashMap::default(),
            unspaced: HashMap::default(),
            fillers: HashSet::default(),
        };
        for &(value, lines) in lists {
            let phrases = lines.iter().flat_map(|line| line.split('|')).map(str::trim);
            phrases.for_each(|phrase| lexicon.add(phrase, value));
        }
        for entries in lexicon.by_first.values_mut() {
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.rest.len()));
        }
        for phrases in lexicon.unspaced.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.letters.len()));
        }
        lexicon
    }

    fn add(&mut self, phrase: &'static str, value: V) {
        let folded = Words::of(phrase);
        if let Some(letter) = folded.letters.chars().next().filter(|_| phrase.chars().any(is_unspaced)) {
            let unspaced = Unspaced { phrase, letters: folded.letters, value };
            self.unspaced.entry(letter).or_default().push(unspaced);
            return;
        }
        let mut words = folded.iter().map(Box::from);
        let Some(first) = words.next() else { return };
        let rest: Vec<_> = words.collect();
        if !rest.is_empty() {
            self.run_together.entry(folded.letters.clone()).or_insert((phrase, value));
        }
        self.by_first.entry(first).or_default().push(Entry { phrase, rest, value });
    }

    /// Lets words that change nothing stand between those of a phrase: "cancel *my* order".
    pub(super) fn allowing(mut self, fillers: &[&str]) -> Self {
        let words = fillers.iter().flat_map(|line| line.split(' '));
        self.fillers.extend(words.map(|word| Words::of(word).letters.into_boxed_str()));
        self
    }

    /// How many words a phrase takes up that begins at this word, if the rest of it follows.
    fn extent(&self, words: &Words, at: usize, rest: &[Box<str>]) -> Option<usize> {
        let mut next = at + 1;
        for (place, wanted) in rest.iter().enumerate() {
            // "annuler la commande" is said with "ma" as well.
            let may_lack = place + 1 < rest.len() && self.fillers.contains(wanted);
            if may_lack && words.get(next) != Some(wanted) {
                continue;
            }
            let until = next + MOST_FILLERS;
            while words.get(next)? != &**wanted {
                if next == until || !self.fillers.contains(words.get(next)?) {
                    return None;
                }
                next += 1;
            }
            next += 1;
        }
        Some(next - at)
    }

    /// The longest phrase that begins at this word.
    fn at(&self, words: &Words, at: usize) -> Option<Hit<V>> {
        let first = words.get(at)?;
        for entry in self.by_first.get(first).into_iter().flatten() {
            if let Some(len) = self.extent(words, at, &entry.rest) {
                return Some(Hit { phrase: entry.phrase, value: entry.value, at, len });
            }
        }
        let &(phrase, value) = self.run_together.get(first)?;
        Some(Hit { phrase, value, at, len: 1 })
    }

    /// Phrases of scripts without spaces: wherever their letters stand, none within another.
    fn unspaced_hits<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = Hit<V>> + 'a {
        let is_plain = self.unspaced.is_empty() || words.letters.is_ascii();
        let mut left = if is_plain { "" } else { words.letters.as_str() };
        std::iter::from_fn(move || {
            while let Some(letter) = left.chars().next() {
                let here = words.letters.len() - left.len();
                let phrases = self.unspaced.get(&letter).into_iter().flatten();
                let found = phrases
                    .into_iter()
                    .find_map(|known| left.strip_prefix(known.letters.as_str()).map(|after| (known, after)));
                let Some((known, after)) = found else {
                    left = left.get(letter.len_utf8()..).unwrap_or_default();
                    continue;
                };
                left = after;
                let word_at = |place: usize| words.ends.partition_point(|&end| end as usize <= place);
                let at = word_at(here);
                let len = word_at(here + known.letters.len() - 1) + 1 - at;
                return Some(Hit { phrase: known.phrase, value: known.value, at, len });
            }
            None
        })
    }

    /// All phrases in a text, none within another.
    pub(super) fn hits<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = Hit<V>> + 'a {
        let mut at = 0;
        let spaced = std::iter::from_fn(move || {
            while at < words.len() {
                if let Some(hit) = self.at(words, at) {
                    at += hit.len;
                    return Some(hit);
                }
                at += 1;
            }
            None
        });
        spaced.chain(self.unspaced_hits(words))
    }

    /// Whether any of the phrases is in a text.
    pub(super) fn is_in(&self, words: &Words) -> bool {
        self.hits(words).next().is_some()
    }

    /// What the list says, if the text is one of its phrases and nothing else.
    pub(super) fn whole(&self, words: &Words) -> Option<Hit<V>> {
        let spaced = self.at(words, 0).filter(|hit| hit.len == words.len());
        spaced.or_else(|| {
            let known = self.unspaced.get(&words.letters.chars().next()?)?;
            let known = known.iter().find(|known| known.letters == words.letters)?;
            Some(Hit { phrase: known.phrase, value: known.value, at: 0, len: words.len() })
        })
    }

    /// For tests of the lists: most are written in plain letters, so that none is in one of them twice unseen.
    #[cfg(test)]
    pub(super) fn assert_plain_letters(&self) {
        for phrase in self.by_first.values().flatten().map(|entry| entry.phrase) {
            assert_eq!(Words::of(phrase).iter().collect::<Vec<_>>().join(" "), phrase);
        }
    }
}

/// Phrases that are found anywhere in a text, in the middle of a word and across the gaps between words too: some scripts put
/// no spaces between words.
#[derive(Debug)]
pub(super) struct Fragments<V>(Vec<(String, V)>);

impl<V: Copy> Fragments<V> {
    /// Takes lists of phrases, each phrase on its own between `|`, in any letters.
    pub(super) fn of(lists: &[(V, &[&str])]) -> Self {
        let phrases = lists.iter().flat_map(|&(value, lines)| {
            lines
                .iter()
                .flat_map(|line| line.split('|'))
                .map(move |phrase| (Words::of(phrase).letters, value))
        });
        let mut phrases: Vec<_> = phrases.filter(|(letters, _)| !letters.is_empty()).collect();
        phrases.sort_by_key(|(letters, _)| std::cmp::Reverse(letters.len()));
        Self(phrases)
    }

    /// What the list says about the longest of its phrases that is in a text.
    pub(super) fn longest_in(&self, words: &Words) -> Option<V> {
        if words.letters.is_ascii() {
            return None;
        }
        self.0.iter().find(|(phrase, _)| words.letters.contains(phrase.as_str())).map(|(_, value)| *value)
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

    #[test]
    fn small_words_may_stand_within_a_phrase() {
        let lexicon = Lexicon::of(&[(1, &["place order"]), (2, &["order"])]).allowing(&["my the", "this"]);
        let values = |text: &str| lexicon.hits(&Words::of(text)).map(|hit| hit.value).collect::<Vec<_>>();
        assert_eq!(values("Place the order"), [1]);
        assert_eq!(values("Place this, my order"), [1]);
        assert_eq!(values("Place no order"), [2]);
        assert_eq!(values("Place my my my my order"), [2]);
        assert_eq!(values("Place my"), Vec::<i32>::new());
        let lexicon = Lexicon::of(&[(1, &["annuler la commande|cancel all"])]).allowing(&["la ma all"]);
        assert!(
            lexicon.is_in(&Words::of("Annuler ma commande")) && lexicon.is_in(&Words::of("Annuler commande"))
        );
        assert!(!lexicon.is_in(&Words::of("Annuler")) && !lexicon.is_in(&Words::of("Cancel")));
    }

    #[test]
    fn scripts_without_spaces_are_searched_letter_by_letter() {
        let lexicon = Lexicon::of(&[(1, &["購入|ซื้อ|удалить"]), (2, &["購入履歴"])]);
        let values = |text: &str| lexicon.hits(&Words::of(text)).map(|hit| hit.value).collect::<Vec<_>>();
        assert_eq!(values("今すぐ購入する"), [1]);
        assert_eq!(values("購入履歴を見る"), [2]);
        assert_eq!(values("購入履歴と購入"), [2, 1]);
        assert_eq!(values("สั่งซื้อสินค้า"), [1]);
        assert_eq!(values("Удалить всё"), [1]);
        assert_eq!(values("Неудалить"), Vec::<i32>::new());
        assert!(lexicon.whole(&Words::of("購入")).is_some());
        assert!(lexicon.whole(&Words::of("購入する")).is_none());
    }

    #[test]
    fn a_number_that_touches_a_word_is_no_part_of_it() {
        let apart =
            |text: &str| Words::of(text).with_digits_apart().map(|w| w.iter().collect::<Vec<_>>().join(" "));
        assert_eq!(apart("Pay49€").as_deref(), Some("pay 49"));
        assert_eq!(apart("2fa now"), Some("2 fa now".into()));
        assert_eq!(apart("Pay 49"), None);
    }

    #[test]
    fn fragments_need_no_spaces_and_the_longest_wins() {
        let fragments = Fragments::of(&[(1, &["密码|номер карты"]), (2, &["忘记密码"])]);
        let value = |text: &str| fragments.longest_in(&Words::of(text));
        assert_eq!(value("请输入密码："), Some(1));
        assert_eq!(value("忘记密码？"), Some(2));
        assert_eq!(value("Введите НОМЕР КАРТЫ"), Some(1));
        assert_eq!(value("Номер дома"), None);
        assert_eq!(value("Password"), None);
    }
}
