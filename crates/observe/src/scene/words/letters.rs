//! Phrases of scripts that put nothing between their words: found wherever their letters stand.

use foldhash::HashMap;

use super::Words;

/// A phrase by its letters alone.
#[derive(Debug)]
pub(super) struct Phrase<V> {
    pub(super) phrase: &'static str,
    pub(super) letters: String,
    pub(super) value: V,
}

/// Phrases by their first letter, the longest first, and earlier ones before later ones.
#[derive(Debug)]
pub(super) struct Letters<V>(HashMap<char, Vec<Phrase<V>>>);

impl<V> Default for Letters<V> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<V> Letters<V> {
    /// Adds a phrase, with its letters as texts have them.
    pub(super) fn add(&mut self, phrase: &'static str, letters: String, value: V) {
        let Some(first) = letters.chars().next() else { return };
        let phrases = self.0.entry(first).or_default();
        let place = phrases.partition_point(|known| known.letters.len() >= letters.len());
        phrases.insert(place, Phrase { phrase, letters, value });
    }

    /// The phrases that letters begin with, the longest first.
    fn beginning<'s, 'l>(&'s self, letters: &'l str) -> impl Iterator<Item = &'s Phrase<V>> + use<'s, 'l, V> {
        let known = letters.chars().next().and_then(|first| self.0.get(&first)).into_iter().flatten();
        known.filter(move |known| letters.starts_with(known.letters.as_str()))
    }

    /// The phrase that these letters are, all of them.
    pub(super) fn whole(&self, letters: &str) -> Option<&Phrase<V>> {
        self.beginning(letters).find(|known| known.letters.len() == letters.len())
    }

    /// All phrases in these letters with their places, none within another.
    pub(super) fn found_in<'s>(&'s self, letters: &'s str) -> impl Iterator<Item = (usize, &'s Phrase<V>)> {
        // No list has plain letters here: those have spaces.
        let mut here = if self.0.is_empty() || letters.is_ascii() { letters.len() } else { 0 };
        std::iter::from_fn(move || {
            while let Some(left) = letters.get(here..).filter(|left| !left.is_empty()) {
                let at = here;
                let found = self.beginning(left).next();
                here += found.map_or_else(
                    || left.chars().next().map_or(1, char::len_utf8),
                    |found| found.letters.len(),
                );
                if let Some(found) = found {
                    return Some((at, found));
                }
            }
            None
        })
    }
}

/// Phrases of which the longest counts, in the middle of a word and across the gaps between words too.
#[derive(Debug)]
pub(crate) struct Fragments<V>(Letters<(usize, V)>);

impl<V: Copy> Fragments<V> {
    /// Takes lists of phrases, each phrase on its own between `|`, in any letters but plain ones.
    pub(crate) fn of(lists: &[(V, &'static [&'static str])]) -> Self {
        let mut fragments = Letters::default();
        let phrases = lists.iter().flat_map(|&(value, lines)| {
            lines.iter().flat_map(|line| line.split('|')).map(move |phrase| (phrase, value))
        });
        for (place, (phrase, value)) in phrases.enumerate() {
            fragments.add(phrase, Words::of(phrase).letters, (place, value));
        }
        Self(fragments)
    }

    /// What the list says about the longest of its phrases that is in a text; of two that are as long, about the earlier one.
    pub(crate) fn longest_in(&self, words: &Words) -> Option<V> {
        let letters = words.letters.as_str();
        if letters.is_ascii() {
            return None;
        }
        let places = letters.char_indices().filter_map(|(at, _)| letters.get(at..));
        let found = places.filter_map(|left| self.0.beginning(left).next());
        let longest = found.max_by_key(|found| (found.letters.len(), std::cmp::Reverse(found.value.0)));
        longest.map(|found| found.value.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
