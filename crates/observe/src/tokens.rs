//! How many tokens a text costs a model: an estimate that leans to the high side.
//!
//! No vocabulary is carried. The text is cut as tokenizers of the o200k family cut it (words with the space before them,
//! groups of three digits, runs of signs), and each piece is priced by its script, its length and how usual its letters
//! are. Measured against o200k, ordinary text of most languages comes out between the true count and 1.5 times that. Letters
//! outside of ASCII that make no usual words are priced one by one: there the estimate is above the true count.

mod common;
mod pairs;

use common::{HAN, HANGUL, PAIRS, SINGLES};
use pairs::SCRIPTS;

/// The unit of the account: sixteenths of a token.
const TOKEN: u32 = 16;

/// What a letter adds that does not usually follow the one before it.
const UNUSUAL: u32 = 20;

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
    /// A digit or another number outside of ASCII.
    Numeral,
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
    /// The blank before it included.
    bytes: u32,
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
            Kind::Numeral => {
                self.end_word();
                self.end_blank(Kind::Digit);
                self.cost += alone(character);
            }
            Kind::Lower | Kind::Upper | Kind::Letter => self.take_letter(character, kind),
            Kind::Single => {
                self.end_word();
                let before = self.last_character;
                let cost = single(before, character);
                // A blank before a character that is a piece by itself is often a piece too; before rare ones always.
                if self.blanks > 0 {
                    self.cost += if cost > 2 * TOKEN || is_kana(character) { TOKEN } else { TOKEN / 2 };
                }
                self.end_blank(kind);
                self.cost += cost;
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
            let is_lone_sign = self.last == Kind::Sign && self.blanks == 0 && self.run == 0;
            if is_lone_sign && self.last_character.is_some_and(|sign| sign.is_ascii()) {
                self.cost = self.cost.saturating_sub(4);
            }
            self.end_word();
            self.word.bytes = u32::from(self.blanks > 0);
            self.end_blank(kind);
        }
        let pair = self.last_character.filter(|_| !begins);
        self.word.letters += 1;
        self.word.bytes += character.len_utf8() as u32;
        match kind {
            Kind::Letter => {
                self.word.foreign_letters += 1;
                self.word.foreign += foreign(pair, character, self.word.foreign_letters);
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
        let is_rare = !character.is_ascii() && sign(character) > TOKEN;
        if is_rare && self.blanks > 0 {
            self.cost += TOKEN;
        }
        self.end_blank(Kind::Sign);
        self.run = if continues { self.run + 1 } else { 0 };
        self.cost += match (character.is_ascii(), continues) {
            (true, false) => TOKEN,
            // Tokenizers know rows of one sign, and usual pairs of two.
            (true, true) if self.last_character == Some(character) => 4,
            (true, true) if self.run < 3 => 10,
            (true, true) => 14,
            (false, true) if !is_rare && self.last_character == Some(character) => sign(character) / 2,
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
        let by_length = match all_upper {
            true => ascii.saturating_sub(2) * 5 + ascii.saturating_sub(7) * 3,
            false => ascii.saturating_sub(5) * 4,
        };
        let odd = word.odd_pairs * if all_upper { 5 } else { 10 };
        let inner = TOKEN + by_length + odd + word.foreign;
        // Nothing is more pieces than its bytes.
        let most = if word.foreign_letters == 0 { ascii.max(1) } else { word.bytes };
        self.cost += inner.min(most * TOKEN);
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
        _ if character.is_numeric() => Kind::Numeral,
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

fn single(before: Option<char>, character: char) -> u32 {
    let code = u32::from(character);
    match code {
        // Syllables that usually follow each other are often one piece.
        0x3040..=0x30FF => match before.filter(|&before| is_kana(before)) {
            Some(before) if follows(before, character) => 13,
            Some(_) => 22,
            None => TOKEN,
        },
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

/// What a character outside of ASCII costs that nothing around it makes cheaper.
fn alone(character: char) -> u32 {
    let is_known = u32::from(character).checked_sub(0x80).is_some_and(|at| has(&SINGLES, at));
    if is_known { TOKEN } else { character.len_utf8() as u32 * TOKEN }
}

/// What a letter adds to its word that does not usually follow the letter before it: rather more than it costs alone, since the
/// letter before it would have been joined to a usual one.
fn unusual(character: char) -> u32 {
    alone(character).max(UNUSUAL)
}

/// What a letter adds to its word, of which it is the `nth` outside of ASCII.
fn foreign(before: Option<char>, character: char, nth: u32) -> u32 {
    let lower = small(character);
    let is_capital = lower != character;
    match before {
        _ if is_latin(character) => latin(before, character, nth),
        Some(before) if !follows(small(before), lower) => unusual(character) + if is_capital { 4 } else { 0 },
        // Few words in capitals are known to tokenizers.
        Some(_) if is_capital => 8 + 2 * usual(lower),
        // Few words are this long: more of it is no word.
        _ if nth > 14 => 14,
        _ if place_in_script(lower).is_none() => unusual(character),
        _ => usual(lower),
    }
}

fn is_kana(character: char) -> bool {
    matches!(u32::from(character), 0x3040..=0x30FF)
}

fn is_latin(character: char) -> bool {
    matches!(u32::from(character), 0x00C0..=0x036F | 0x1E00..=0x1EFF)
}

/// What a Latin letter with an accent adds. Words have few of them, and seldom two side by side.
fn latin(before: Option<char>, character: char, nth: u32) -> u32 {
    // Vietnamese has.
    let is_after_another =
        before.is_some_and(|before| is_latin(before) && !matches!(before, 'ư' | 'Ư' | 'đ' | 'Đ'));
    match u32::from(character) {
        0x0300..=0x036F => 2 * TOKEN,
        _ if alone(character) > TOKEN && !matches!(character, '\u{1EA0}'..='\u{1EF9}') => alone(character),
        _ if nth > 3 => 24,
        _ if is_after_another || character.is_uppercase() && before.is_some() => UNUSUAL,
        0x00C0..=0x00FF => 6,
        0x0100..=0x024F => 10,
        _ => 12,
    }
}

/// What a letter adds to its word that usually follows the letter before it.
fn usual(character: char) -> u32 {
    match u32::from(character) {
        0x0430..=0x0451 => 3,
        0x0370..=0x03CE | 0x0452..=0x045F => 6,
        0x0561..=0x0587 => 5,
        0x05D0..=0x05EA => 5,
        0x064B..=0x0652 => 10,
        0x0621..=0x064A => 4,
        0x0900..=0x09FF => 4,
        0x0B80..=0x0D7F => 5,
        0x0A80..=0x0AFF => 5,
        0x0E00..=0x0E7F => 7,
        0x10D0..=0x10FF => 5,
        _ => 10,
    }
}

/// The small letter; only of scripts where each letter has one of its own.
fn small(character: char) -> char {
    match u32::from(character) {
        0x0370..=0x058F => character.to_lowercase().next().unwrap_or(character),
        _ => character,
    }
}

/// The letter that this one is a form of, where the tables have only that.
fn known_form(character: char) -> char {
    match character {
        'ک' | 'گ' => 'ك',
        'ی' => 'ي',
        'چ' => 'ج',
        'پ' => 'ب',
        'ژ' => 'ز',
        'ґ' => 'г',
        _ => character,
    }
}

/// The followers of a small letter, and which of its script's letters it is.
fn place_in_script(character: char) -> Option<(u32, u128, u32)> {
    let code = u32::from(known_form(character));
    SCRIPTS.iter().find_map(|script| {
        let place = code.checked_sub(script.first)?;
        Some((script.first, *script.followers.get(place as usize)?, place))
    })
}

/// Whether usual words have these two small letters side by side.
fn follows(first: char, second: char) -> bool {
    match (place_in_script(first), place_in_script(second)) {
        (Some((script, followers, _)), Some((other, _, place))) => {
            script == other && followers >> place & 1 == 1
        }
        _ => false,
    }
}

/// What a sign outside of ASCII costs.
fn sign(character: char) -> u32 {
    match u32::from(character) {
        0x3001..=0x3011 | 0xFF01..=0xFF1F => TOKEN,
        _ => alone(character),
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
