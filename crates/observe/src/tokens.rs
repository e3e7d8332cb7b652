//! How many tokens a text costs a model: an estimate that leans to the high side.
//!
//! No vocabulary is carried. The text is cut as tokenizers of the o200k family cut it (words with the space before them,
//! groups of three digits, runs of signs), and each piece is priced by its script, its length and how usual its letters
//! are. Measured against o200k, ordinary text of any language comes out between the true count and 1.3 times that.

mod common;

use common::{HAN, HANGUL, PAIRS};

/// The unit of the account: sixteenths of a token.
const TOKEN: u32 = 16;

/// About how many tokens this text has; rarely fewer than it really has.
pub fn estimate(text: &str) -> u32 {
    let mut account = Account::default();
    for character in text.chars() {
        account.take(character);
    }
    account.end_word();
    account.end_blank(Kind::Sign);
    account.cost.div_ceil(TOKEN)
}

/// The beginning of a text that costs at most so many tokens, at a border of characters; the whole if it fits.
pub(crate) fn clip(text: &str, most: u32) -> &str {
    let mut account = Account::default();
    for (at, character) in text.char_indices() {
        account.take(character);
        let mut so_far = account.clone();
        so_far.end_word();
        if so_far.cost.div_ceil(TOKEN) > most {
            return &text[..at];
        }
    }
    text
}

/// What a character is to a tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    #[default]
    Start,
    Blank,
    NewLine,
    Digit,
    Lower,
    Upper,
    /// A letter outside of ASCII that stands in words.
    Letter,
    /// A character that is a piece by itself.
    Single,
    Sign,
}

/// The account of one text.
#[derive(Debug, Clone, Default)]
struct Account {
    cost: u32,
    last: Kind,
    last_character: Option<char>,
    /// Blanks since the last other character.
    blanks: u32,
    /// Digits, or signs, in a row.
    run: u32,
    word: Word,
}

/// The word that is being read.
#[derive(Debug, Clone, Default)]
struct Word {
    letters: u32,
    uppers: u32,
    /// Pairs of letters that few words have.
    odd_pairs: u32,
    /// What its letters outside of ASCII cost.
    foreign: u32,
    foreign_letters: u32,
}

impl Account {
    fn take(&mut self, character: char) {
        let kind = kind(character);
        match kind {
            Kind::Blank => {
                self.end_word();
                self.blanks += 1;
            }
            Kind::NewLine => {
                self.end_word();
                // Signs take the line's end along; so do the blanks before it.
                if self.last != Kind::Sign && self.last != Kind::NewLine || self.blanks > 0 {
                    self.cost += TOKEN;
                }
                self.blanks = 0;
            }
            Kind::Digit => {
                self.end_word();
                self.end_blank(kind);
                self.run = if self.last == Kind::Digit { self.run + 1 } else { 0 };
                if self.run.is_multiple_of(3) {
                    self.cost += TOKEN;
                }
            }
            Kind::Lower | Kind::Upper | Kind::Letter => self.take_letter(character, kind),
            Kind::Single => {
                self.end_word();
                // A blank before a character that is a piece by itself is often a piece too.
                if self.blanks > 0 {
                    self.cost += TOKEN / 2;
                }
                self.end_blank(kind);
                self.cost += single(character);
            }
            Kind::Sign | Kind::Start => self.take_sign(character),
        }
        if kind != Kind::Blank {
            self.last = kind;
        }
        self.last_character = Some(character);
    }

    fn take_letter(&mut self, character: char, kind: Kind) {
        let begins = self.blanks > 0
            || !matches!(self.last, Kind::Lower | Kind::Upper | Kind::Letter)
            || kind == Kind::Upper && self.last == Kind::Lower;
        if begins {
            // A lone sign often belongs to the word after it: `.js`, `/p`, `-off`.
            if self.last == Kind::Sign && self.blanks == 0 && self.run == 0 {
                self.cost = self.cost.saturating_sub(4);
            }
            self.end_word();
            self.end_blank(kind);
        }
        let pair = self.last_character.filter(|_| !begins);
        self.word.letters += 1;
        match kind {
            Kind::Letter => {
                self.word.foreign_letters += 1;
                self.word.foreign += foreign(character, self.word.foreign_letters);
            }
            _ => {
                self.word.uppers += u32::from(kind == Kind::Upper);
                if pair.is_some_and(|first| is_odd(first, character)) {
                    self.word.odd_pairs += 1;
                }
            }
        }
    }

    fn take_sign(&mut self, character: char) {
        self.end_word();
        let continues = self.last == Kind::Sign && self.blanks == 0;
        self.end_blank(Kind::Sign);
        self.run = if continues { self.run + 1 } else { 0 };
        self.cost += match (character.is_ascii(), continues) {
            (true, false) => TOKEN,
            // Tokenizers know rows of one sign, and usual pairs of two.
            (true, true) if self.last_character == Some(character) => 4,
            (true, true) if self.run < 3 => 10,
            (true, true) => 14,
            (false, true) if self.last_character == Some(character) => sign(character) / 2,
            (false, _) => sign(character),
        };
    }

    /// One blank before a word belongs to the word; before digits it stands alone; more of them are one piece.
    fn end_blank(&mut self, next: Kind) {
        let alone = match next {
            Kind::Digit => self.blanks.min(2),
            _ => u32::from(self.blanks > 1),
        };
        // Very long rows of blanks are several pieces.
        self.cost += (alone + self.blanks / 16) * TOKEN;
        if self.blanks > 0 {
            self.last = Kind::Blank;
        }
        self.blanks = 0;
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.letters == 0 {
            return;
        }
        let ascii = word.letters - word.foreign_letters;
        let all_upper = word.uppers > 1;
        let by_length = if all_upper { ascii.saturating_sub(2) * 5 } else { ascii.saturating_sub(5) * 4 };
        let odd = word.odd_pairs * if all_upper { 5 } else { 10 };
        let inner = TOKEN + by_length + odd + word.foreign;
        // No piece is longer than its bytes.
        self.cost += if word.foreign_letters == 0 { inner.min(ascii.max(1) * TOKEN) } else { inner };
    }
}

fn kind(character: char) -> Kind {
    match character {
        '\n' | '\r' => Kind::NewLine,
        'a'..='z' => Kind::Lower,
        'A'..='Z' => Kind::Upper,
        '0'..='9' => Kind::Digit,
        _ if character.is_ascii() && !character.is_ascii_whitespace() => Kind::Sign,
        _ if character.is_whitespace() => Kind::Blank,
        _ if is_piece(character) => Kind::Single,
        _ if character.is_alphabetic() || is_mark(character) => Kind::Letter,
        _ => Kind::Sign,
    }
}

/// Scripts that are priced character by character.
fn is_piece(character: char) -> bool {
    matches!(u32::from(character),
        0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFF66..=0xFF9D | 0x10000..)
}

fn is_mark(character: char) -> bool {
    matches!(u32::from(character), 0x0300..=0x036F | 0x0591..=0x05C7 | 0x064B..=0x065F | 0x0900..=0x0DFF | 0x0E31..=0x0E4E)
}

fn single(character: char) -> u32 {
    let code = u32::from(character);
    match code {
        0x3040..=0x309F => 13,
        0x30A0..=0x30FF => 14,
        0x4E00..=0x9FFF => {
            if has(&HAN, code - 0x4E00) {
                TOKEN
            } else {
                2 * TOKEN + 1
            }
        }
        0xAC00..=0xD7A3 => {
            if has(&HANGUL, code - 0xAC00) {
                13
            } else {
                2 * TOKEN + 6
            }
        }
        0x1F300..=0x1FAFF => 36,
        0xFF66..=0xFF9D => 2 * TOKEN,
        0x3400..=0x4DBF | 0xF900..=0xFAFF => 3 * TOKEN,
        0x1D400..=0x1D7FF | 0x1F000..=0x1F2FF => 3 * TOKEN,
        _ => 4 * TOKEN,
    }
}

/// What a letter adds to its word, of which it is the `nth` outside of ASCII.
fn foreign(character: char, nth: u32) -> u32 {
    match u32::from(character) {
        // Words have few accents, and few words are this long: more of them are no words.
        0x00C0..=0x024F if nth > 3 => 24,
        0x0370..=0x0DFF if nth > 14 => 14,
        0x00C0..=0x00FF => 6,
        0x0100..=0x024F => 10,
        0x1EA0..=0x1EFF => 12,
        0x0300..=0x036F => 2 * TOKEN,
        0x0430..=0x0451 => 3,
        0x0452..=0x045F | 0x0490..=0x0491 => 6,
        0x0400..=0x042F => 5,
        0x0391..=0x03C9 => 6,
        0x0386..=0x0390 | 0x03CA..=0x03CE => 9,
        0x0561..=0x0587 | 0x0531..=0x0556 => 6,
        0x05D0..=0x05EA => 5,
        0x0621..=0x064A => 4,
        0x064B..=0x0652 => 10,
        0x0671..=0x06D3 => 6,
        0x0900..=0x097F => 4,
        0x0980..=0x09FF => 4,
        0x0B80..=0x0D7F => 5,
        0x0A00..=0x0B7F => 8,
        0x0E00..=0x0E7F => 10,
        0x10D0..=0x10FF => 7,
        0x1000..=0x109F | 0x1780..=0x17FF => 10,
        0x0D80..=0x0DFF => 10,
        0x0080..=0x07FF => 2 * TOKEN,
        0x0E80..=0x0EFF | 0x1200..=0x137F => 2 * TOKEN,
        _ => 3 * TOKEN,
    }
}

/// What a sign outside of ASCII costs.
fn sign(character: char) -> u32 {
    match u32::from(character) {
        0x00A0..=0x00BF | 0x2013..=0x201E | 0x2022 | 0x2026 | 0x20AC => TOKEN,
        0x3001..=0x3011 | 0xFF01..=0xFF1F => TOKEN,
        0x0080..=0x07FF => 2 * TOKEN,
        0x2000..=0x2BFF => 2 * TOKEN,
        _ => 3 * TOKEN,
    }
}

fn has(bits: &[u64], at: u32) -> bool {
    bits.get((at / 64) as usize).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

/// Whether few words have these two letters side by side.
fn is_odd(first: char, second: char) -> bool {
    let place = |letter: char| letter.is_ascii_alphabetic().then(|| letter.to_ascii_lowercase() as u32 - 97);
    match (place(first), place(second)) {
        (Some(first), Some(second)) => {
            PAIRS.get(first as usize).is_some_and(|seconds| seconds >> second & 1 == 0)
        }
        _ => false,
    }
}
