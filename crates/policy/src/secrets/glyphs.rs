//! A text as the letters that it stands for, each with the bytes that it is written by. Encoded letters are read as what they are.

use super::forms::{fold, is_between, is_unseen};

/// A letter, and where in the text it is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    pub(super) letter: char,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The longest name or number of an entity.
const LONGEST_ENTITY: usize = 10;

/// A text letter by letter.
pub(super) fn written(text: &str) -> Vec<Glyph> {
    let mut glyphs = Vec::with_capacity(text.len());
    glyphs.extend(text.char_indices().map(|(from, letter)| Glyph {
        letter,
        from,
        to: from + letter.len_utf8(),
    }));
    glyphs
}

/// The same without regard to case and to what stands between letters.
pub(super) fn folded(glyphs: &[Glyph]) -> Vec<Glyph> {
    let letters = glyphs.iter().filter(|glyph| !is_between(glyph.letter));
    letters.map(|glyph| Glyph { letter: fold(glyph.letter), ..*glyph }).collect()
}

/// The same without what can't be seen and without white space: as what is encoded in base64 is broken into lines.
pub(super) fn unbroken(glyphs: &[Glyph]) -> Vec<Glyph> {
    glyphs.iter().filter(|glyph| !glyph.letter.is_whitespace() && !is_unseen(glyph.letter)).copied().collect()
}

/// The letters that addresses (`%61`), pages (`&#97;`) and scripts (`\u0061`) write otherwise; none where there are none.
pub(super) fn decoded(glyphs: &[Glyph]) -> Option<Vec<Glyph>> {
    if !glyphs.iter().any(|glyph| matches!(glyph.letter, '%' | '&' | '\\')) {
        return None;
    }
    let (mut plain, mut at, mut found) = (Vec::with_capacity(glyphs.len()), 0, false);
    while let Some(first) = glyphs.get(at) {
        let rest = glyphs.get(at + 1..).unwrap_or_default();
        let letter = match first.letter {
            '%' => percent(glyphs.get(at..).unwrap_or_default()),
            '&' => entity(rest).map(|(letter, length)| (letter, length + 1)),
            '\\' => escape(rest).map(|(letter, length)| (letter, length + 1)),
            _ => None,
        };
        let (letter, length) = letter.unwrap_or((first.letter, 1));
        found |= length > 1;
        let to = glyphs.get(at + length - 1).map_or(first.to, |last| last.to);
        plain.push(Glyph { letter, from: first.from, to });
        at += length;
    }
    found.then_some(plain)
}

/// `%C3%A4`: as many bytes as the letter has.
fn percent(glyphs: &[Glyph]) -> Option<(char, usize)> {
    let mut bytes = [0; 4];
    for count in 1..=bytes.len() {
        let start = 3 * (count - 1);
        (glyphs.get(start)?.letter == '%').then_some(())?;
        *bytes.get_mut(count - 1)? = u8::try_from(hex(glyphs.get(start + 1..start + 3)?)?).ok()?;
        let so_far = str::from_utf8(bytes.get(..count)?).ok();
        if let Some(letter) = so_far.and_then(|text| text.chars().next()) {
            return Some((letter, 3 * count));
        }
    }
    None
}

/// `&#97;`, `&#x61;`, `&amp;`: what follows the first sign.
fn entity(rest: &[Glyph]) -> Option<(char, usize)> {
    let end = rest.iter().take(LONGEST_ENTITY).position(|glyph| glyph.letter == ';')?;
    let name: String = rest.get(..end)?.iter().map(|glyph| glyph.letter.to_ascii_lowercase()).collect();
    let number = |text: &str, radix| u32::from_str_radix(text, radix).ok().and_then(char::from_u32);
    let letter = match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix('x') {
            Some(digits) => number(digits, 16),
            None => number(digits, 10),
        },
        None => match name.as_str() {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            "nbsp" => Some(' '),
            _ => None,
        },
    };
    Some((letter?, end + 1))
}

/// `\u0061`, `\u{61}`, `\x61`, `\n`, `\"`: what follows the first sign.
fn escape(rest: &[Glyph]) -> Option<(char, usize)> {
    let first = rest.first()?.letter;
    let number = |digits: &[Glyph]| hex(digits).and_then(char::from_u32);
    match first {
        'u' if rest.get(1)?.letter == '{' => {
            let end = rest.iter().take(LONGEST_ENTITY).position(|glyph| glyph.letter == '}')?;
            Some((number(rest.get(2..end)?)?, end + 1))
        }
        'u' => Some((number(rest.get(1..5)?)?, 5)),
        'x' => Some((number(rest.get(1..3)?)?, 3)),
        'n' | 'r' | 't' => Some((' ', 1)),
        '"' | '\\' | '/' | '\'' => Some((first, 1)),
        _ => None,
    }
}

fn hex(digits: &[Glyph]) -> Option<u32> {
    let add = |so_far: u32, glyph: &Glyph| Some((so_far << 4) | glyph.letter.to_digit(16)?);
    (!digits.is_empty() && digits.len() <= 6).then_some(())?;
    digits.iter().try_fold(0, add)
}
