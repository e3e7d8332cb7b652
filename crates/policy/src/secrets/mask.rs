//! One mask for everything that is told: it finds secrets by their values, also where they are written in another way.
//!
//! What it does not find: a secret that is taken apart with other words in between, or changed by a rule that is not known here.

use std::{borrow::Cow, fmt};

use super::{
    forms::{Letters, in_base64, without_case},
    glyphs::{Glyph, decoded, folded, unbroken, written},
};

/// What stands for a secret.
pub const MASK: &str = "•••";

/// How often what is encoded is decoded: addresses within addresses.
const LAYERS: usize = 3;

/// The fewest letters of a beginning that is hidden where a text says that it was cut.
const SHORTEST_BEGINNING: usize = 4;
/// The same where it does not say so, if no word is written like that. What may be a word is hidden from half of the secret on:
/// "Enter your pass" is no leak of "passage-way-22".
const SHORTEST_NO_WORD: usize = 8;

/// What is looked for, told apart quickly by the first two letters.
#[derive(Default)]
struct Needles {
    all: Vec<Letters>,
    /// Which of them begin with a pair of letters, by what the pair is folded to.
    pairs: Vec<Vec<u16>>,
}

/// The length of [`Needles::pairs`].
const PAIRS: usize = 4_096;

impl Needles {
    fn add(&mut self, letters: Letters) {
        let [first, second, ..] = letters.as_slice() else { return };
        self.pairs.resize(PAIRS, vec![]);
        let Some(those) = self.pairs.get_mut(pair(*first, *second)) else { return };
        if those.iter().any(|number| self.all.get(usize::from(*number)) == Some(&letters)) {
            return;
        }
        // Far more than there ever are.
        let Ok(number) = u16::try_from(self.all.len()) else { return };
        those.push(number);
        self.all.push(letters);
    }

    /// Where the longest of them is that begins with these glyphs: how many.
    fn length_at(&self, glyphs: &[Glyph]) -> Option<usize> {
        let [first, second, ..] = glyphs else { return None };
        let those = self.pairs.get(pair(first.letter, second.letter))?;
        let begins = |letters: &&Letters| {
            let start = glyphs.get(..letters.len());
            start.is_some_and(|start| start.iter().zip(letters.iter()).all(|(glyph, c)| glyph.letter == *c))
        };
        let those = those.iter().filter_map(|number| self.all.get(usize::from(*number)));
        those.filter(begins).map(|letters| letters.len()).max()
    }
}

fn pair(first: char, second: char) -> usize {
    ((first as usize).wrapping_mul(61) ^ second as usize) % PAIRS
}

/// Finds secrets in texts and hides them.
#[derive(Default)]
pub struct Mask {
    /// Compared without regard to case and to what stands between letters.
    folded: Needles,
    /// Compared letter by letter.
    exact: Needles,
    /// The secrets as they are, for texts that were cut within one.
    plain: Vec<Letters>,
}

impl Mask {
    /// Hides these values and their usual disguises.
    pub fn of<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut mask = Self::default();
        for value in values {
            let mut forms = without_case(value).into_iter();
            if let Some(plain) = forms.next() {
                mask.plain.push(plain.clone());
                mask.folded.add(plain);
            }
            forms.for_each(|form| mask.folded.add(form));
            in_base64(value).into_iter().for_each(|face| mask.exact.add(face));
        }
        mask
    }

    /// Whether there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.folded.all.is_empty()
    }

    /// Whether a text holds a whole secret.
    pub fn finds(&self, text: &str) -> bool {
        !self.is_empty() && !self.spans(text).is_empty()
    }

    /// The text with a mask in the place of each secret.
    pub fn over<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() || text.len() < SHORTEST_BEGINNING {
            return Cow::Borrowed(text);
        }
        let mut spans = self.spans(text);
        spans.extend(self.cut_off(text));
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        spans.sort_unstable();
        let (mut hidden, mut copied) = (String::with_capacity(text.len()), 0);
        for (from, to) in spans {
            if to <= copied {
                continue;
            }
            // What overlaps the one before is hidden by the same mask.
            if from >= copied && (from > copied || copied == 0) {
                hidden.push_str(text.get(copied..from).unwrap_or_default());
                hidden.push_str(MASK);
            }
            copied = to;
        }
        hidden.push_str(text.get(copied..).unwrap_or_default());
        Cow::Owned(hidden)
    }

    /// Where secrets are written, in bytes: from, and to.
    pub fn spans(&self, text: &str) -> Vec<(usize, usize)> {
        let mut spans = Vec::new();
        let mut layer = written(text);
        for _ in 0..LAYERS {
            search(&self.folded, &folded(&layer), 0, &mut spans);
            // The letters beside what is found hold some of its bits.
            search(&self.exact, &unbroken(&layer), 1, &mut spans);
            match decoded(&layer) {
                Some(next) => layer = next,
                None => break,
            }
        }
        spans
    }

    /// The beginning of a secret at the end of a text: texts are cut where they are too long.
    fn cut_off(&self, text: &str) -> Option<(usize, usize)> {
        let longest = self.plain.iter().map(|plain| plain.len()).max()?;
        // A letter takes at most a dozen bytes, and as much again may stand before it.
        let start = text.len().saturating_sub(longest.saturating_mul(24));
        let start = (start..text.len()).find(|at| text.is_char_boundary(*at))?;
        let glyphs = written(text.get(start..)?);
        let end = folded(&decoded(&glyphs).unwrap_or(glyphs));
        let says_so = text.trim_end().ends_with('…') || text.trim_end().ends_with("...");
        let fits = |plain: &Letters| {
            let half = plain.len().div_ceil(2).max(SHORTEST_BEGINNING);
            let fewest = match says_so {
                true => SHORTEST_BEGINNING,
                false => no_word(plain).map_or(half, |letters| letters.max(SHORTEST_NO_WORD).min(half)),
            };
            let ends_with = |length: &usize| {
                let tail = end.get(end.len().checked_sub(*length)?..)?;
                let same = tail.iter().zip(plain.iter()).all(|(glyph, c)| glyph.letter == *c);
                same.then(|| tail.first().map(|first| first.from))?
            };
            (fewest..plain.len().min(end.len() + 1)).rev().find_map(|length| ends_with(&length))
        };
        let from = self.plain.iter().filter_map(fits).min()?;
        Some((start + from, text.len()))
    }
}

/// How many letters of a secret are no word: as many as it takes to have a digit and a letter. None where it has not both.
fn no_word(plain: &Letters) -> Option<usize> {
    let digit = plain.iter().position(char::is_ascii_digit)?;
    let letter = plain.iter().position(|c| c.is_alphabetic())?;
    Some(digit.max(letter) + 1)
}

fn search(needles: &Needles, glyphs: &[Glyph], beside: usize, spans: &mut Vec<(usize, usize)>) {
    let mut at = 0;
    while let Some(rest) = glyphs.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(length) = needles.length_at(rest) else {
            at += 1;
            continue;
        };
        let first = glyphs.get(at.saturating_sub(beside)).or(rest.first());
        let last = glyphs.get(at + length - 1 + beside).or_else(|| rest.get(length - 1));
        if let (Some(first), Some(last)) = (first, last) {
            spans.push((first.from, last.to));
        }
        // Another one may begin within it.
        at += 1;
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mask").field("secrets", &self.plain.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "Hunter-22 <Öl>&co";

    fn check(secret: &str, cases: &[(&str, &str)]) {
        let mask = Mask::of([secret]);
        for (text, expected) in cases {
            assert_eq!(mask.over(text), *expected, "{secret} in {text:?}");
        }
    }

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        check(
            "hunter22x",
            &[
                ("", ""),
                ("nothing here", "nothing here"),
                ("my hunter22x!", "my •••!"),
                ("HUNTER22X and hUNTER22x", "••• and •••"),
                ("h u n t e r 2 2 x", "•••"),
                ("h\u{200b}unter\u{ad}22x", "•••"),
                ("hun-ter-22-x", "•••"),
                ("[\"h\",\"u\",\"n\",\"t\",\"e\",\"r\",\"2\",\"2\",\"x\"]", "[\"•••\"]"),
                ("?p=%68unter22x&q", "?p=•••&q"),
                ("?p=%2568unter22x&q", "?p=•••&q"),
                ("&#104;&#x75;nter22x", "•••"),
                ("\\u0068unter\\x322x", "•••"),
                ("x22retnuh", "•••"),
                ("68756e746572323278", "•••"),
                ("68:75:6E:74:65:72:32:32:78", "•••"),
                ("hunter22xhunter22x", "•••"),
                ("hunter2", "•••"),
                ("hunter…", "•••"),
                ("hunt the hunter", "hunt the •••"),
                ("hunter is here", "hunter is here"),
            ],
        );
    }

    #[test]
    fn base64_is_found_wherever_the_secret_begins_in_it() {
        use base64::{Engine as _, engine::general_purpose::STANDARD};
        for before in ["", "a", "ab", "abc", "{\"password\":\""] {
            for after in ["", "z", "zy", "\"}"] {
                let mask = Mask::of([SECRET]);
                let encoded = STANDARD.encode(format!("{before}{SECRET}{after}"));
                let broken: String = encoded.chars().flat_map(|c| [c, '\n']).collect();
                for text in [encoded, broken] {
                    assert!(mask.finds(&text), "{before:?} {after:?}");
                    assert!(mask.over(&format!("see {text} there")).starts_with("se"));
                    // What is left of it does not hold a piece of the secret.
                    let left = mask.over(&text).into_owned();
                    let seen = left.replace(MASK, "").replace('\n', "");
                    let most = STANDARD.encode(before).len() + STANDARD.encode(after).len();
                    assert!(seen.len() <= most, "{left}");
                }
            }
        }
    }

    #[test]
    fn signs_of_a_secret_are_found_as_pages_write_them() {
        check(
            SECRET,
            &[
                ("Hunter-22 &lt;&Ouml;l&gt;&amp;co", "Hunter-22 &lt;&Ouml;l&gt;&amp;co"),
                ("Hunter-22 &lt;Öl&gt;&amp;co", "•••"),
                ("?p=Hunter-22+%3C%C3%96l%3E%26co", "?p=•••"),
                ("Hunter-22%20%3c%c3%b6l%3e%26co.", "•••."),
                ("HUNTER22<öl>&CO", "•••"),
            ],
        );
    }

    #[test]
    fn nothing_to_hide_changes_nothing() {
        let mask = Mask::default();
        assert!(mask.is_empty() && !mask.finds("anything"));
        assert!(matches!(mask.over("anything"), Cow::Borrowed("anything")));
        assert!(!format!("{:?}", Mask::of(["hunter22"])).contains("hunter"));
    }

    #[test]
    fn the_beginning_of_a_secret_is_hidden_where_a_text_was_cut_and_words_are_not() {
        check(
            "passage-way-22-over-the-hills",
            &[
                ("Your secret: passage-w…", "Your secret: •••"),
                ("Your secret: passage-w...", "Your secret: •••"),
                ("Your secret: passage-way-2", "Your secret: •••"),
                ("Your secret: pass …", "Your secret: •••"),
                ("Enter your pass", "Enter your pass"),
                ("This way to the passage", "This way to the passage"),
                ("pas…", "pas…"),
                ("pass… and on", "pass… and on"),
            ],
        );
        let key = "4f1c9a02be77d1540e4f1c9a02be77d1540e";
        check(key, &[("sid 4f1c9a02", "sid •••"), ("sid 4f1c9a0", "sid 4f1c9a0"), ("sid 4f1c…", "sid •••")]);
        check("20261117-of-november", &[("Today is 2026-11-17", "Today is 2026-11-17")]);
    }

    #[test]
    fn secrets_that_overlap_are_hidden_as_a_whole() {
        let mask = Mask::of(["alpha-22-beta", "beta-33-gamma"]);
        assert_eq!(mask.over("see alpha-22-beta-33-gamma there"), "see ••• there");
        assert_eq!(mask.over("alpha-22-beta, gamma"), "•••, gamma");
        assert_eq!(Mask::of(["x1x1"]).over("x1x1x1 and on"), "••• and on");
    }

    #[test]
    fn one_of_many_secrets_is_found_in_a_long_text() {
        let secrets: Vec<String> = (0..20).map(|n| format!("s3cret-{n}-{}", n * 7919)).collect();
        let mask = Mask::of(secrets.iter().map(String::as_str));
        let text =
            format!("{}{}", "Some words of a page with %20 and &amp; in it. ".repeat(2_200), secrets[7]);
        assert!(text.len() > 100_000);
        assert!(mask.over(&text).ends_with(&format!("it. {MASK}")));
    }
}
