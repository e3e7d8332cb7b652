//! Letters brought down to the plain ones that a person reads in them, so that look-alikes can't hide a word and a search
//! need not be spelled as the page is.

use icu_normalizer::DecomposingNormalizerBorrowed;

/// What is left of one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folded {
    /// Nothing; the word goes on.
    Nothing,
    /// The word ends here.
    Break,
    /// One plain letter or digit.
    One(char),
    /// Two of them.
    Two(char, char),
}

/// Brings one character down: case, accents, width, decoration, and letters of other scripts that look like Latin ones.
pub(crate) fn fold(c: char) -> Folded {
    if c.is_ascii() {
        return match c {
            'a'..='z' | '0'..='9' => Folded::One(c),
            'A'..='Z' => Folded::One(c.to_ascii_lowercase()),
            _ => Folded::Break,
        };
    }
    if is_invisible(c) {
        return Folded::Nothing;
    }
    if let Some(plain) = undecorated(c) {
        return fold(plain);
    }
    let Some(lower) = c.to_lowercase().next() else { return Folded::Break };
    match lower {
        'ß' => Folded::Two('s', 's'),
        'æ' => Folded::Two('a', 'e'),
        'œ' => Folded::Two('o', 'e'),
        'ﬁ' => Folded::Two('f', 'i'),
        'ﬂ' => Folded::Two('f', 'l'),
        _ if lower.is_ascii_alphanumeric() => Folded::One(lower),
        _ => match plain_twin(lower) {
            Some(plain) => Folded::One(plain),
            None if lower.is_alphanumeric() => Folded::One(lower),
            None => Folded::Break,
        },
    }
}

/// Characters without a shape of their own: joiners, marks of direction, accents written apart.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{180B}'..='\u{180E}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Full-width, mathematical, circled and squared letters without their dress.
fn undecorated(c: char) -> Option<char> {
    let code = c as u32;
    let letter = |offset: u32| char::from_u32('a' as u32 + offset % 26);
    match code {
        0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0),
        0x1D400..=0x1D6A3 => letter((code - 0x1D400) % 52),
        0x1D7CE..=0x1D7FF => char::from_u32('0' as u32 + (code - 0x1D7CE) % 10),
        0x24B6..=0x24E9 => letter(code - 0x24B6),
        0x1F130..=0x1F149 => letter(code - 0x1F130),
        0x1F150..=0x1F169 => letter(code - 0x1F150),
        0x1F170..=0x1F189 => letter(code - 0x1F170),
        _ => None,
    }
}

/// The plain Latin letter that this one is a form of, or looks like.
fn plain_twin(c: char) -> Option<char> {
    Some(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ' | 'ả' | 'а' | 'α' | 'ᴀ' | 'ɑ' => 'a',
        'ʙ' | 'в' | 'β' => 'b',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' | 'с' | 'ϲ' | 'ᴄ' => 'c',
        'ď' | 'đ' | 'ð' | 'ԁ' | 'ᴅ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ' | 'е' | 'ё' | 'є' | 'ε' | 'ᴇ' => 'e',
        'ꜰ' => 'f',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' | 'ɢ' | 'ɡ' => 'g',
        'ĥ' | 'ħ' | 'һ' | 'ʜ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'і' | 'ї' | 'ι' | 'ɪ' => 'i',
        'ĵ' | 'ј' | 'ᴊ' => 'j',
        'ķ' | 'к' | 'κ' | 'ᴋ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' | 'ӏ' | 'ʟ' => 'l',
        'м' | 'ᴍ' => 'm',
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ɴ' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ọ' | 'о' | 'ο' | 'σ' | 'ᴏ' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ŕ' | 'ŗ' | 'ř' | 'г' | 'ʀ' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ѕ' | 'ꜱ' => 's',
        'ţ' | 'ť' | 'ț' | 'т' | 'τ' | 'ᴛ' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'υ' | 'ᴜ' => 'u',
        'ν' | 'ᴠ' => 'v',
        'ŵ' | 'ԝ' | 'ω' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'ý' | 'ÿ' | 'ŷ' | 'у' | 'ʏ' => 'y',
        'ź' | 'ż' | 'ž' | 'ᴢ' => 'z',
        _ => return None,
    })
}

/// A text as a search sees it: every letter brought down, the signs between them as they are.
pub(crate) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in DecomposingNormalizerBorrowed::new_nfkd().normalize(text).chars() {
        match fold(c) {
            Folded::Nothing => {}
            Folded::One(a) => folded.push(a),
            Folded::Two(a, b) => folded.extend([a, b]),
            Folded::Break => folded.push(c),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn case_accents_and_width_do_not_count() {
        for (text, expected) in [
            ("Café", "cafe"),
            ("Cafe\u{301}", "cafe"),
            ("Straße", "strasse"),
            ("Øre", "ore"),
            ("İstanbul", "istanbul"),
            ("ＡＢＣ１", "abc1"),
            ("ﬃ", "ffi"),
            ("Mật khẩu", "mat khau"),
            ("購入", "購入"),
            ("C++, 5 €", "c++, 5 €"),
        ] {
            assert_eq!(folded(text), expected);
        }
        for (one, other) in [("ΕΛΛΆΔΑ", "Ελλάδα"), ("ＳＴＲＡＳＳＥ", "straße"), ("ｶｰﾄ", "カート")]
        {
            assert_eq!(folded(one), folded(other));
        }
    }
}
