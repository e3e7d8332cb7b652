//! Which values can be kept secret at all: what is short or common stands on every page, and to mask it would hide nothing.

use super::{SecretText, forms::folded};

/// The fewest characters of a secret, signs between them not counted.
const SHORTEST: usize = 4;
/// The most.
const LONGEST: usize = 4_096;

/// Values that everybody tries first, and words that stand on many a page.
const COMMON: &str = "password passwort passwd secret geheim admin administrator root user username login email mail test \
    demo guest default changeme welcome letmein qwerty qwertz azerty asdf asdfgh iloveyou monkey dragon football master hello \
    shadow sunshine princess 1234 12345 123456 1234567 12345678 123456789 1234567890 0000 00000 000000 1111 11111 111111 \
    123123 654321 abcd abc123 password1 passw0rd p4ssword qwerty123 true false null none name home shop cart basket order \
    search submit sign continue cancel account total price free open close next back help";

/// Why a value can't be a secret. Never holds the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Nothing could be masked.
    #[error("it is shorter than {SHORTEST} characters: to mask it would hide nothing")]
    Short,
    /// Nobody has a secret of this length.
    #[error("it is longer than {LONGEST} bytes")]
    Long,
    /// It stands on every other page.
    #[error("it is a common word: to mask it would hide nothing")]
    Common,
    /// A key that is no letter would press something.
    #[error("it holds a new line, a tab or another control character")]
    Control,
}

/// The value as it is typed: without the new line that files and commands end with, if it can be kept secret.
pub fn fit(value: &SecretText) -> Result<SecretText, Unfit> {
    let text = value.expose();
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.len() > LONGEST {
        return Err(Unfit::Long);
    }
    if text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Err(Unfit::Control);
    }
    let bare = folded(text);
    if bare.len() < SHORTEST {
        return Err(Unfit::Short);
    }
    let is_one_letter = bare.iter().all(|c| Some(c) == bare.first());
    let small: zeroize::Zeroizing<String> = zeroize::Zeroizing::new(bare.iter().collect());
    if is_one_letter || COMMON.split_whitespace().any(|word| word == small.as_str()) {
        return Err(Unfit::Common);
    }
    Ok(SecretText::new(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_or_common_or_presses_keys_is_no_secret() {
        for (value, expected) in [
            ("abc", Unfit::Short),
            ("", Unfit::Short),
            ("\n", Unfit::Short),
            ("a - b", Unfit::Short),
            ("password", Unfit::Common),
            ("PassWord", Unfit::Common),
            ("1234", Unfit::Common),
            ("xxxxxxxx", Unfit::Common),
            ("hunter22\nsecond line", Unfit::Control),
            ("hunter\t22", Unfit::Control),
            ("hunter22\n\n", Unfit::Control),
            ("hunter\u{2028}22", Unfit::Control),
        ] {
            assert_eq!(fit(&value.into()).unwrap_err(), expected, "{value:?}");
        }
        assert_eq!(fit(&"x1".repeat(4_000).as_str().into()).unwrap_err(), Unfit::Long);
    }

    #[test]
    fn the_new_line_at_the_end_is_not_a_part_of_it() {
        for value in ["hunter22", "hunter22\n", "hunter22\r\n"] {
            assert_eq!(fit(&value.into()).unwrap().expose(), "hunter22");
        }
        assert_eq!(fit(&" two words ".into()).unwrap().expose(), " two words ");
    }
}
