//! Values that are secrets whatever their field is called: numbers of cards and accounts, keys, tokens.

use super::Secrecy;

/// What kind of secret a value is by its own shape, if any.
pub(super) fn by_value(value: &str) -> Option<Secrecy> {
    if is_private_key(value) || value.split(is_between_tokens).any(is_token) {
        return Some(Secrecy::Key);
    }
    (holds_card_number(value) || holds_iban(value)).then_some(Secrecy::Payment)
}

/// Whether this is one word that is too long to be said: what a field called "Token" holds if it is for a secret.
pub(super) fn is_one_long_word(value: &str) -> bool {
    let value = value.trim();
    value.len() >= 16 && !value.contains(char::is_whitespace) && !value.contains("://")
}

fn is_private_key(value: &str) -> bool {
    value.split("-----BEGIN ").skip(1).any(|after| {
        after.split_once("-----").is_some_and(|(what, _)| what.trim_end().ends_with("PRIVATE KEY"))
    })
}

fn is_between_tokens(c: char) -> bool {
    !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Beginnings of well-known tokens, and the fewest characters that follow.
const TOKENS: &[(&str, usize)] = &[
    ("sk-", 20),
    ("sk_live_", 10),
    ("sk_test_", 10),
    ("rk_live_", 10),
    ("rk_test_", 10),
    ("whsec_", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxa-", 10),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("npm_", 30),
    ("hf_", 30),
    ("AIza", 30),
];

fn is_token(word: &str) -> bool {
    // Words joined by hyphens have no digits: `sk-learn-for-people-in-a-hurry`.
    let by_beginning = || {
        TOKENS.iter().any(|&(beginning, least)| {
            word.strip_prefix(beginning)
                .is_some_and(|rest| rest.len() >= least && rest.contains(|c: char| c.is_ascii_digit()))
        })
    };
    by_beginning() || is_aws_key(word) || is_jwt(word)
}

fn is_aws_key(word: &str) -> bool {
    let rest = word.strip_prefix("AKIA").or_else(|| word.strip_prefix("ASIA"));
    rest.is_some_and(|rest| {
        rest.len() == 16 && rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    })
}

/// Two objects of JSON in Base64 begin so.
fn is_jwt(word: &str) -> bool {
    let mut parts = word.split('.');
    let mut begins = || parts.next().is_some_and(|part| part.starts_with("eyJ") && part.len() >= 8);
    begins() && begins()
}

/// The number of a card: all of the value, or a part of it that is written as cards have it.
fn holds_card_number(value: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '\u{a0}');
    let whole = value.trim();
    if whole.chars().all(is_of_number) && is_card_number(whole) {
        return true;
    }
    let words: Vec<&str> =
        value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    (0..words.len()).filter(|&first| may_begin_a_card(words[..first].last())).any(|first| {
        (first + 1..=words.len().min(first + 5))
            .map(|end| &words[first..end])
            .any(|groups| is_grouped_like_a_card(groups) && is_card_number(&groups.concat()))
    })
}

/// Groups of four after another group of four are the middle of something, such as the number of an account.
fn may_begin_a_card(before: Option<&&str>) -> bool {
    before.is_none_or(|word| matches!(word.len(), 2 | 3) || !word.contains(|c: char| c.is_ascii_digit()))
}

/// `4111 1111 1111 1111`, `3782 822463 10005`, or all in one.
fn is_grouped_like_a_card(groups: &[&str]) -> bool {
    if !groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    match lengths.as_slice() {
        [13..=19] | [4, 6, 4 | 5] => true,
        [first @ .., last] if first.len() >= 3 => first.iter().all(|&length| length == 4) && *last <= 4,
        _ => false,
    }
}

fn is_card_number(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    // No card begins so, but times in milliseconds and numbers of books do.
    let may_begin_so = digits.first().is_some_and(|&first| !matches!(first, 0 | 1 | 9));
    (13..=19).contains(&digits.len()) && may_begin_so && passes_luhn(&digits)
}

fn passes_luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| match place % 2 {
            0 => digit,
            _ if digit > 4 => 2 * digit - 9,
            _ => 2 * digit,
        })
        .sum();
    sum.is_multiple_of(10)
}

fn holds_iban(value: &str) -> bool {
    let bare: String = value.chars().filter(|c| !matches!(c, ' ' | '-' | '\u{a0}')).collect();
    is_iban(&bare) || value.split(|c: char| !c.is_ascii_alphanumeric()).any(is_iban)
}

/// By its shape and its checksum: the number that its letters and digits spell, the first four last, is 1 modulo 97.
fn is_iban(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_shape = (15..=34).contains(&bytes.len())
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && bytes[..2].iter().all(u8::is_ascii_alphabetic)
        && bytes[2..4].iter().all(u8::is_ascii_digit);
    has_shape
        && text[4..].chars().chain(text[..4].chars()).filter_map(|c| c.to_digit(36)).fold(0, |rest, digit| {
            match digit {
                0..=9 => (rest * 10 + digit) % 97,
                _ => (rest * 100 + digit) % 97,
            }
        }) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_shape() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
        for (value, expected) in [
            ("4111 1111 1111 1111", Secrecy::Payment),
            ("4111-1111-1111-1111", Secrecy::Payment),
            ("378282246310005", Secrecy::Payment),
            ("3782 822463 10005", Secrecy::Payment),
            ("41111111 11111111", Secrecy::Payment),
            ("visa 5555 5555 5555 4444 12/27", Secrecy::Payment),
            ("12/27 4111 1111 1111 1111", Secrecy::Payment),
            ("DE89 3704 0044 0532 0130 00", Secrecy::Payment),
            ("gb82west12345698765432", Secrecy::Payment),
            ("pay to FR1420041010050500013M02606 soon", Secrecy::Payment),
            ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow", Secrecy::Key),
            ("-----BEGIN PRIVATE KEY----- MIIEow", Secrecy::Key),
            ("sk-proj-abcdEFGH1234abcdEFGH1234", Secrecy::Key),
            ("sk_live_51H8abcdEFGH12", Secrecy::Key),
            ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", Secrecy::Key),
            ("github_pat_11ABCDEFG0abcdefghijkl_mnop", Secrecy::Key),
            ("token=xoxb-123456789012-abcdef", Secrecy::Key),
            ("AKIAIOSFODNN7EXAMPLE", Secrecy::Key),
            (jwt, Secrecy::Key),
        ] {
            assert_eq!(by_value(value), Some(expected), "{value}");
        }
    }

    #[test]
    fn what_only_looks_like_a_secret_is_none() {
        for value in [
            "",
            "4111 1111 1111 1112",
            "1700000000003",
            "9783161484100",
            "+49 171 2345678",
            "3.4111111111111111",
            "2024-01-02 2024-01-03",
            "DE89 3704 0044 0532 0130 01",
            "AKIA",
            "AKIAIOSFODNN7EXAMPLETOOLONG",
            "sk-learn-for-people-in-a-hurry",
            "-----BEGIN PUBLIC KEY----- MIIB",
            "-----BEGIN CERTIFICATE-----",
            "eyJust a word",
            "Hello, world",
        ] {
            assert_eq!(by_value(value), None, "{value}");
        }
    }
}
