//! Lists of phrases, found in texts word by word.

use foldhash::{HashMap, HashSet};

use super::{Words, letters::Letters};

/// A phrase of a list that was found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hit<V> {
    /// The phrase as the list has it: words of ours.
    pub(crate) phrase: &'static str,
    /// What the list says about it.
    pub(crate) value: V,
    /// The word of the text that it begins at.
    pub(crate) at: usize,
    /// How many words of the text it took.
    pub(crate) len: usize,
}

#[derive(Debug)]
struct Entry<V> {
    phrase: &'static str,
    rest: Vec<Box<str>>,
    value: V,
}

/// What may begin with a word.
#[derive(Debug)]
struct Beginning<V> {
    /// Phrases of which it is the first word, the longest first.
    entries: Vec<Entry<V>>,
    /// The phrase that it is by itself, run together.
    whole: Option<(&'static str, V)>,
}

impl<V> Default for Beginning<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), whole: None }
    }
}

/// The most words that may stand between two words of a phrase.
const MOST_FILLERS: usize = 3;

/// Phrases by their first word.
#[derive(Debug)]
pub(crate) struct Lexicon<V> {
    by_first: HashMap<Box<str>, Beginning<V>>,
    unspaced: Letters<V>,
    fillers: HashSet<Box<str>>,
}

/// Letters of scripts that are written without spaces, or with endings that run into the word.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

impl<V: Copy> Lexicon<V> {
    /// Takes lists of phrases, each phrase on its own between `|`. They are folded as texts are.
    pub(crate) fn of(lists: &[(V, &'static [&'static str])]) -> Self {
        let mut lexicon =
            Self { by_first: HashMap::default(), unspaced: Letters::default(), fillers: HashSet::default() };
        for &(value, lines) in lists {
            let phrases = lines.iter().flat_map(|line| line.split('|')).map(str::trim);
            phrases.for_each(|phrase| lexicon.add(phrase, value));
        }
        for beginning in lexicon.by_first.values_mut() {
            beginning.entries.sort_by_key(|entry| std::cmp::Reverse(entry.rest.len()));
        }
        lexicon
    }

    fn add(&mut self, phrase: &'static str, value: V) {
        let folded = Words::of(phrase);
        if phrase.chars().any(is_unspaced) {
            return self.unspaced.add(phrase, folded.letters, value);
        }
        let mut words = folded.iter().map(Box::from);
        let Some(first) = words.next() else { return };
        let rest: Vec<_> = words.collect();
        if !rest.is_empty() {
            let run_together = self.by_first.entry(folded.letters.as_str().into()).or_default();
            run_together.whole.get_or_insert((phrase, value));
        }
        self.by_first.entry(first).or_default().entries.push(Entry { phrase, rest, value });
    }

    /// Lets words that change nothing stand between those of a phrase: "cancel *my* order".
    pub(crate) fn allowing(mut self, fillers: &[&str]) -> Self {
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
        let beginning = self.by_first.get(first)?;
        for entry in &beginning.entries {
            if let Some(len) = self.extent(words, at, &entry.rest) {
                return Some(Hit { phrase: entry.phrase, value: entry.value, at, len });
            }
        }
        let (phrase, value) = beginning.whole?;
        Some(Hit { phrase, value, at, len: 1 })
    }

    /// Phrases of scripts without spaces: wherever their letters stand, none within another.
    fn unspaced_hits<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = Hit<V>> + 'a {
        let word_at = |place: usize| words.ends.partition_point(|&end| end as usize <= place);
        self.unspaced.found_in(&words.letters).map(move |(here, known)| {
            let at = word_at(here);
            let len = word_at(here + known.letters.len() - 1) + 1 - at;
            Hit { phrase: known.phrase, value: known.value, at, len }
        })
    }

    /// All phrases in a text, none within another.
    pub(crate) fn hits<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = Hit<V>> + 'a {
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
    pub(crate) fn is_in(&self, words: &Words) -> bool {
        self.hits(words).next().is_some()
    }

    /// What the list says, if the text is one of its phrases and nothing else.
    pub(crate) fn whole(&self, words: &Words) -> Option<Hit<V>> {
        let spaced = self.at(words, 0).filter(|hit| hit.len == words.len());
        spaced.or_else(|| {
            let known = self.unspaced.whole(&words.letters)?;
            Some(Hit { phrase: known.phrase, value: known.value, at: 0, len: words.len() })
        })
    }

    /// For tests of the lists: most are written in plain letters, so that none is in one of them twice unseen.
    #[cfg(test)]
    pub(crate) fn assert_plain_letters(&self) {
        for phrase in
            self.by_first.values().flat_map(|beginning| &beginning.entries).map(|entry| entry.phrase)
        {
            assert_eq!(Words::of(phrase).iter().collect::<Vec<_>>().join(" "), phrase);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
