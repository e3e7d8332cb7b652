//! Numbers that mean something: cards, accounts, amounts.

/// Whether a text is the number of a payment card: 13 to 19 digits whose sum is right.
pub(super) fn is_card(text: &str) -> bool {
    let plain = text.trim();
    let separated = plain.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '.'));
    let digits: Vec<u32> = plain.chars().filter_map(|c| c.to_digit(10)).collect();
    separated && (13..=19).contains(&digits.len()) && digits.iter().any(|&digit| digit != 0) && luhn(&digits)
}

fn luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, &digit)| if at % 2 == 1 { doubled(digit) } else { digit })
        .sum();
    sum.is_multiple_of(10)
}

/// Whether a text is the number of a bank account as most of the world writes it.
pub(super) fn is_iban(text: &str) -> bool {
    let plain: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    if !(15..=34).contains(&plain.len()) || !plain.iter().all(char::is_ascii_alphanumeric) {
        return false;
    }
    // A token mixes large and small letters, nobody does so here.
    if plain.iter().any(char::is_ascii_lowercase) && plain.iter().any(char::is_ascii_uppercase) {
        return false;
    }
    let (head, rest) = plain.split_at(4);
    let [a, b, c, d] = head else { return false };
    if !(a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && c.is_ascii_digit() && d.is_ascii_digit()) {
        return false;
    }
    let left = rest.iter().chain(head).filter_map(|c| c.to_digit(36)).fold(0u32, |left, value| {
        if value > 9 { (left * 100 + value) % 97 } else { (left * 10 + value) % 97 }
    });
    left == 1
}

/// Whether a text is the address of a wallet or a contract, by the ways in which the larger chains write theirs.
pub(super) fn is_wallet(text: &str) -> bool {
    let hex = |rest: &str| rest.len() == 40 && rest.chars().all(|c| c.is_ascii_hexdigit());
    let short = |rest: &str| {
        (24..=100).contains(&rest.len())
            && rest.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            && rest.chars().any(|c| c.is_ascii_digit())
    };
    let begins = ["bc1", "tb1", "ltc1", "addr1", "cosmos1"].iter().find_map(|begin| text.strip_prefix(begin));
    text.strip_prefix("0x").is_some_and(hex) || begins.is_some_and(short)
}

/// Whether a text may be such an address as others write them: letters and digits, without those that look alike. So do many tokens: what
/// it is called has to tell.
pub(super) fn may_be_wallet(text: &str) -> bool {
    let any = |test: fn(&char) -> bool| text.chars().any(|c| test(&c));
    (26..=44).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric() && !matches!(c, '0' | 'O' | 'I' | 'l'))
        && any(char::is_ascii_digit)
        && any(char::is_ascii_uppercase)
        && any(char::is_ascii_lowercase)
}

/// Whether a text is an amount, or could be one: a number of at most 12 digits, with or without a currency.
pub(super) fn is_amount(text: &str) -> bool {
    let text = text.trim();
    let is_currency = |c: char| matches!(c, '$' | '€' | '£' | '¥' | '₽' | '₹' | '₩' | '₺' | '₴' | 'z' | 'ł');
    let number: &str = text.trim_start_matches(|c: char| {
        is_currency(c) || c.is_ascii_uppercase() || c == ' ' || c == '-' || c == '+'
    });
    let number =
        number.trim_end_matches(|c: char| is_currency(c) || c.is_ascii_uppercase() || c == ' ' || c == '%');
    let letters = text.chars().filter(char::is_ascii_uppercase).count();
    let digits = number.chars().filter(char::is_ascii_digit).count();
    let shaped =
        number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | ' ' | '\u{a0}' | '_'));
    (1..=12).contains(&digits) && shaped && letters <= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_mean_something() {
        for card in ["4111111111111111", "4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005"] {
            assert!(is_card(card), "{card}");
        }
        for none in ["4111111111111112", "1234", "0000000000000000", "", "4111111111111111x", "1763340000000"]
        {
            assert!(!is_card(none), "{none}");
        }
        for iban in ["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819", "fr1420041010050500013m02606"] {
            assert!(is_iban(iban), "{iban}");
        }
        for none in ["DE89370400440532013001", "", "hello world 12345", "12345678901234567890"] {
            assert!(!is_iban(none), "{none}");
        }
        for wallet in
            ["0x3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c12345678", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"]
        {
            assert!(is_wallet(wallet), "{wallet}");
        }
        assert!(may_be_wallet("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"));
        for none in ["0x3f2b", "bc1", "Main Street 5", "3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c"] {
            assert!(!is_wallet(none) && !may_be_wallet(none), "{none}");
        }
        for amount in ["10", "10.00", "1,000.50", "€ 10", "10 EUR", "USD 5", "-3", "123456789012", "£9.99"]
        {
            assert!(is_amount(amount), "{amount}");
        }
        for none in ["", "abc", "1234567890123", "10 things", "a1b2c3", "1.2.x"] {
            assert!(!is_amount(none), "{none}");
        }
    }
}
