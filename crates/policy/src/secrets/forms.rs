//! The forms in which a secret may turn up: as it is, backwards, in hexadecimal, and in base64 by where it begins.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use zeroize::Zeroizing;

/// Letters, wiped when they are dropped.
pub(super) type Letters = Zeroizing<Vec<char>>;

/// The fewest letters that are looked for.
const SHORTEST: usize = 4;

/// A letter as it is compared: in lower case where that is one letter.
pub(super) fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}

/// What may stand between the letters of a secret without changing what a reader sees.
pub(super) fn is_between(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() || " -.,:;_|/\"'`*+[]{}".contains(c);
    }
    c.is_whitespace()
        || is_unseen(c)
        || matches!(c, '\u{2010}'..='\u{2015}' | '\u{2018}'..='\u{201f}' | '…' | '·' | '•')
}

/// What nobody sees.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// The letters of a text as they are compared, without what stands between them.
pub(super) fn folded(text: &str) -> Letters {
    Zeroizing::new(text.chars().filter(|c| !is_between(*c)).map(fold).collect())
}

/// How a value looks without regard to case and signs in between: as it is, backwards, and its bytes in hexadecimal.
pub(super) fn without_case(value: &str) -> Vec<Letters> {
    let plain = folded(value);
    let backwards = Zeroizing::new(plain.iter().rev().copied().collect());
    let hex = Zeroizing::new(value.bytes().flat_map(|byte| [byte >> 4, byte & 15]).map(digit).collect());
    [plain, backwards, hex].into_iter().filter(|form: &Letters| form.len() >= SHORTEST).collect()
}

fn digit(half: u8) -> char {
    char::from_digit(half.into(), 16).unwrap_or('0')
}

/// How a value looks in base64: three faces by where it begins, in both alphabets; only what does not depend on its neighbours.
pub(super) fn in_base64(value: &str) -> Vec<Letters> {
    let mut faces: Vec<Letters> = Vec::new();
    for shift in 0..3_usize {
        let padded = Zeroizing::new([&[0; 2][..shift], value.as_bytes()].concat());
        let (first, last) = ((8 * shift).div_ceil(6), 8 * padded.len() / 6);
        for engine in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
            let whole = Zeroizing::new(engine.encode(padded.as_slice()));
            let face: Letters = Zeroizing::new(whole.chars().take(last).skip(first).collect());
            if face.len() >= SHORTEST && !faces.contains(&face) {
                faces.push(face);
            }
        }
    }
    faces
}
