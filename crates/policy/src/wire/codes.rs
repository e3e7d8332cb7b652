//! Codes that are good once: a few digits or letters that a page shows so that they are typed elsewhere.

/// How many characters a code has.
const LENGTH: std::ops::RangeInclusive<usize> = 4..=8;
/// How far from a code the word for it may stand.
const NEAR: usize = 100;

/// What codes are called.
const CODE: &[&str] = &[
    "code",
    "otp",
    "one-time",
    "one time",
    "passcode",
    "pin",
    "tan",
    "2fa",
    "verif",
    "einmal",
    "kennwort",
    "código",
    "codigo",
    "codice",
    "kod",
    "kód",
    "код",
    "пароль",
    "验证码",
    "驗證碼",
    "校验",
    "コード",
    "認証",
    "인증",
    "رمز",
    "קוד",
    "รหัส",
    "कोड",
];

/// What is called a code and is none.
const NO_CODE: &[&str] = &[
    "postcode",
    "post code",
    "postal code",
    "zip code",
    "zipcode",
    "pin code",
    "pincode",
    "area code",
    "country code",
    "promo code",
    "discount code",
    "voucher code",
    "coupon code",
    "product code",
    "item code",
    "source code",
    "dress code",
    "qr code",
    "barcode",
    "código postal",
    "codigo postal",
    "code postal",
    "codice postale",
    "shipping",
    "shopping",
    "opinion",
    "pinterest",
    "standard",
    "instant",
    "important",
    "distance",
    "substance",
];

/// A run of letters and digits, and where it stands.
struct Token {
    from: usize,
    to: usize,
}

fn tokens(letters: &[char]) -> Vec<Token> {
    let mut all = vec![];
    let mut from = None;
    for (at, letter) in letters.iter().chain(std::iter::once(&' ')).enumerate() {
        match (letter.is_alphanumeric(), from) {
            (true, None) => from = Some(at),
            (false, Some(start)) => {
                all.push(Token { from: start, to: at });
                from = None;
            }
            _ => {}
        }
    }
    all
}

fn lower(letters: &[char]) -> String {
    letters.iter().flat_map(|letter| letter.to_lowercase()).collect()
}

/// Everything in a text that has the shape of a code; digits in two groups are one.
pub(super) fn codes_in(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    candidates(&letters).into_iter().map(|(code, _)| code).collect()
}

fn candidates(letters: &[char]) -> Vec<(String, Token)> {
    let tokens = tokens(letters);
    let of = |token: &Token| letters.get(token.from..token.to).unwrap_or_default();
    let is_digits = |token: &Token| of(token).iter().all(char::is_ascii_digit);
    let mut all = vec![];
    for (at, token) in tokens.iter().enumerate() {
        if LENGTH.contains(&(token.to - token.from)) {
            all.push((lower(of(token)), Token { ..*token }));
        }
        if let Some(next) = tokens.get(at + 1)
            && next.from == token.to + 1
            && matches!(letters.get(token.to), Some(' ' | '-' | '\u{a0}' | '\u{2011}'))
            && is_digits(token)
            && is_digits(next)
            && (6..=8).contains(&(token.to - token.from + next.to - next.from))
        {
            all.push((lower(of(token)) + &lower(of(next)), Token { from: token.from, to: next.to }));
        }
    }
    all
}

/// The codes that a page shows: what has the shape of one and stands near the word for it, and six to eight digits alone on a line.
/// Sums, dates, years and parts of other numbers are none.
pub(super) fn codes_shown(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let is_shown = |code: &str, token: &Token| {
        let (digits, alphabetic) =
            (code.chars().all(|c| c.is_ascii_digit()), code.chars().all(char::is_alphabetic));
        if is_tied(&letters, token) || (digits && (is_part_of_more(&letters, token) || is_date_like(code))) {
            return false;
        }
        if digits && code.len() >= 6 && is_alone(&letters, token) {
            return true;
        }
        if alphabetic && !stands_out(&letters, token) {
            return false;
        }
        is_near_the_word(&letters, token)
    };
    candidates(&letters)
        .into_iter()
        .filter(|(code, token)| is_shown(code, token))
        .map(|(code, _)| code)
        .collect()
}

/// Years and days.
pub(super) fn is_date_like(code: &str) -> bool {
    let part =
        |from: usize, to: usize| code.get(from..to).and_then(|part| part.parse::<u32>().ok()).unwrap_or(0);
    let year = |year: u32| (1900..2100).contains(&year);
    let day = |month: u32, day: u32| (1..=12).contains(&month) && (1..=31).contains(&day);
    match code.len() {
        4 => year(part(0, 4)),
        8 => {
            (year(part(0, 4)) && day(part(4, 6), part(6, 8)))
                || (year(part(4, 8)) && (day(part(0, 2), part(2, 4)) || day(part(2, 4), part(0, 2))))
        }
        _ => false,
    }
}

/// Whether it is a piece of something longer, such as a number of an invoice.
fn is_tied(letters: &[char], token: &Token) -> bool {
    let at = |place: Option<usize>| place.and_then(|place| letters.get(place)).copied();
    let ties = |letter: Option<char>| matches!(letter, Some('-' | '_' | '\u{2011}'));
    let part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let before = |back: usize| at(token.from.checked_sub(back));
    (ties(before(1)) && part(before(2))) || (ties(at(Some(token.to))) && part(at(Some(token.to + 1))))
}

/// Whether digits belong to a longer number, a sum, a date or a telephone number.
fn is_part_of_more(letters: &[char], token: &Token) -> bool {
    let before = |back: usize| token.from.checked_sub(back).and_then(|at| letters.get(at)).copied();
    let after = |on: usize| letters.get(token.to + on).copied();
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    let is_money = |letter: Option<char>| letter.is_some_and(|letter| "$€£¥₹₽₩₺".contains(letter));
    let joins = |letter: Option<char>| letter.is_some_and(|letter| "., /:-\u{a0}".contains(letter));
    is_money(before(1))
        || is_money(before(2))
        || is_money(after(0))
        || is_money(after(1))
        || before(1) == Some('+')
        || (joins(before(1)) && is_digit(before(2)))
        || (joins(after(0)) && is_digit(after(1)))
}

fn is_alone(letters: &[char], token: &Token) -> bool {
    let ends = |rest: Option<&char>| rest.is_none_or(|letter| *letter == '\n');
    let before = letters.get(..token.from).unwrap_or_default();
    let after = letters.get(token.to..).unwrap_or_default();
    let blank = |letter: &&char| !matches!(letter, ' ' | '\t' | '\u{a0}');
    ends(before.iter().rev().find(blank)) && ends(after.iter().find(blank))
}

/// Whether capitals stand among small letters.
fn stands_out(letters: &[char], token: &Token) -> bool {
    let own = letters.get(token.from..token.to).unwrap_or_default();
    own.iter().all(|letter| letter.is_uppercase())
        && around(letters, token).iter().any(|letter| letter.is_lowercase())
}

/// What stands near, on its line and those beside it.
fn around<'a>(letters: &'a [char], token: &Token) -> &'a [char] {
    let second_end = |line: &mut dyn Iterator<Item = &char>| {
        let mut ends = line.enumerate().filter(|(_, letter)| **letter == '\n').map(|(at, _)| at);
        ends.nth(1).unwrap_or(NEAR).min(NEAR)
    };
    let before = letters.get(..token.from).unwrap_or_default();
    let after = letters.get(token.to..).unwrap_or_default();
    let from = token.from.saturating_sub(second_end(&mut before.iter().rev()));
    let to = (token.to + second_end(&mut after.iter())).min(letters.len());
    letters.get(from..to).unwrap_or_default()
}

fn is_near_the_word(letters: &[char], token: &Token) -> bool {
    let mut words = lower(around(letters, token));
    for none in NO_CODE {
        words = words.replace(none, " ");
    }
    CODE.iter().any(|word| words.contains(word))
}
