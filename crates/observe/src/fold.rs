//! Words as a search sees them: without case, accents and the width of letters.

use icu_normalizer::DecomposingNormalizerBorrowed;

/// The text in lower case, decomposed, without marks.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in DecomposingNormalizerBorrowed::new_nfkd().normalize(text).chars() {
        match character {
            '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' => {}
            'ß' | 'ẞ' => folded.push_str("ss"),
            'ø' | 'Ø' => folded.push('o'),
            'ł' | 'Ł' => folded.push('l'),
            'đ' | 'Đ' => folded.push('d'),
            'ı' => folded.push('i'),
            'æ' | 'Æ' => folded.push_str("ae"),
            'œ' | 'Œ' => folded.push_str("oe"),
            _ => folded.extend(character.to_lowercase().filter(|lower| *lower != '\u{307}')),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn case_accents_and_width_do_not_count() {
        for (text, folded) in [
            ("Café", "cafe"),
            ("Cafe\u{301}", "cafe"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("Øre", "ore"),
            ("İstanbul", "istanbul"),
            ("ＡＢＣ１", "abc1"),
            ("Ελλάδα", "ελλαδα"),
            ("購入", "購入"),
        ] {
            assert_eq!(fold(text), folded);
        }
    }
}
