//! Which fields keep their values back: by the words beside them, by their names in many languages, by what they hold.

#![allow(clippy::expect_used, clippy::panic)]

mod common;

use common::*;
use legwork_observe::capture::GroupKind;
use legwork_types::contract::BlockerKind;

/// The value that the last field of a page shows.
fn shown(body: Vec<El>) -> Option<String> {
    let scene = page(body).scene();
    let last = &scene.items.last().expect("a field").affordance;
    assert_eq!(last.sensitive, last.value.is_none());
    last.value.as_ref().map(|value| value.untrusted().to_owned())
}

fn nameless() -> El {
    field("").value("hunter2pw")
}

fn row(cells: Vec<El>) -> El {
    group(GroupKind::Row, cells)
}

#[test]
fn a_field_without_a_name_is_known_by_the_text_before_it() {
    let fieldset = group(GroupKind::Fieldset, vec![nameless()]).named("Card number");
    for (what, body) in [
        ("a row", vec![row(vec![text("Card number"), nameless()])]),
        ("a row with a remark", vec![row(vec![text("Card number"), text("16 digits"), nameless()])]),
        ("a line", vec![boxed(vec![text("Password: "), nameless()])]),
        (
            "a line with a mark",
            vec![boxed(vec![text("Password"), text("*"), text("(8 or more)"), nameless()])],
        ),
        (
            "a paragraph",
            vec![boxed(vec![text("You know it from our letter. Please type your PIN:"), nameless()])],
        ),
        ("a box of its own", vec![boxed(vec![text("Passwort"), boxed(vec![nameless(), text("?")])])]),
        ("a name of dots", vec![text("Password"), field("••••").value("hunter2pw")]),
        ("several boxes", vec![boxed(vec![text("Card number"), nameless(), text("-"), nameless()])]),
        ("a legend", vec![fieldset]),
        ("after other fields", vec![text("Name"), nameless(), text("Password"), nameless()]),
    ] {
        assert_eq!(shown(body), None, "{what}");
    }
}

#[test]
fn words_that_are_about_something_else_hide_nothing() {
    let other = || field("").value("shown-17");
    for (what, body) in [
        ("another row", vec![row(vec![text("Password")]), row(vec![text("City"), other()])]),
        ("another field", vec![text("Password"), nameless(), text("City"), other()]),
        ("the next line", vec![boxed(vec![text("Password"), nameless()]), boxed(vec![other(), text("x")])]),
        ("an earlier sentence", vec![text("We never ask for your password. Your town:"), other()]),
        ("a field with a name", vec![text("Password"), field("City").value("shown-17")]),
        ("a list before", vec![group(GroupKind::List, vec![text("Password")]), other()]),
        ("nothing beside", vec![other()]),
    ] {
        assert_eq!(shown(body).as_deref(), Some("shown-17"), "{what}");
    }
}

#[test]
fn what_a_field_holds_can_be_enough() {
    for value in ["4111 1111 1111 1111", "DE89370400440532013000", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"]
    {
        assert_eq!(shown(vec![field("Notes").value(value)]), None, "{value}");
    }
    for value in ["4111 1111 1111 1112", "+49 30 1234567", "Order 4111"] {
        assert_eq!(shown(vec![field("Notes").value(value)]).as_deref(), Some(value));
    }
    let repeated =
        page(vec![field("Notes").value("4111 1111 1111 1111"), text("Paid with 4111111111111111")]);
    assert!(!format!("{:?}", repeated.scene()).contains("4111"));
}

fn digits(count: usize) -> Vec<El> {
    (1..=count).map(|nth| field(&format!("Digit {nth}")).value("7").set(|a| a.max_length = Some(1))).collect()
}

#[test]
fn all_boxes_of_a_code_are_kept_back() {
    let hidden = |body: Vec<El>| {
        let scene = page(body).scene();
        scene.items.iter().filter(|item| item.affordance.sensitive).count()
    };
    assert_eq!(hidden(digits(6)), 6);
    assert_eq!(hidden([vec![field("Name")], digits(4), vec![field("City")]].concat()), 4);
    let mut first_takes_all = digits(6);
    first_takes_all[0] = field("").set(|a| {
        a.autocomplete = Some("one-time-code".into());
        a.max_length = Some(6);
    });
    assert_eq!(hidden(first_takes_all), 6);
    // One box is an initial; very many are a game.
    assert_eq!(hidden(digits(1)), 0);
    assert_eq!(hidden(digits(30)), 0);
    assert_eq!(hidden((0..6).map(|_| field("Part").set(|a| a.max_length = Some(4))).collect()), 0);
}

#[test]
fn boxes_of_a_code_are_a_second_factor_where_the_page_says_so() {
    let blockers = |body: Vec<El>| -> Vec<BlockerKind> {
        page(body).scene().blockers.iter().map(|blocker| blocker.kind).collect()
    };
    let mut asked = digits(6);
    asked[0] = asked[0].clone().set(|a| a.autocomplete = Some("one-time-code".into()));
    assert_eq!(blockers(asked), [BlockerKind::Mfa]);
    assert_eq!(blockers(digits(6)), []);
}

#[test]
fn names_of_secrets_in_many_words() {
    for name in [
        "API token",
        "Client secret",
        "Webhook secret",
        "Access token",
        "Bearer token",
        "Access code",
        "Login code",
        "Security answer",
        "Passport number",
        "Card #",
        "Card no.",
        "CVN",
        "PW",
        "TAN",
        "Sicherheitscode",
        "密码",
        "请输入密码",
        "カード番号",
        "パスワード",
        "Пароль",
        "ПАРОЛЬ",
        "Номер карты",
        "비밀번호",
        "Lösenord",
        "Şifre",
        "Heslo",
        "Salasana",
        "Adgangskode",
        "Parola",
        "Jelszó",
        "Κωδικός",
        "ΚΩΔΙΚΟΣ",
        "Kennwort",
        "Sicherheitsantwort",
        "Numéro de la carte",
        "Code de sécurité",
        "Código de seguridad",
        "Número de cuenta",
        "Numero carta",
        "Risposta segreta",
        "Nieuw wachtwoord",
        "Beveiligingscode",
        "Número do cartão",
        "Nowe hasło",
        "Numer karty",
        "API key",
        "Seed phrase",
        "كلمة المرور",
        "סיסמה",
        "รหัสผ่าน",
        "Mật khẩu",
    ] {
        assert_eq!(shown(vec![field(name).value("hunter2pw")]), None, "{name}");
    }
    for name in [
        "Ski pass",
        "Tan lines",
        "Promo code",
        "API key name",
        "Access token description",
        "Token",
        "Secret Santa",
        "Parola chiave",
        "Ταχυδρομικός κωδικός",
        "Номер дома",
        "图形验证码",
        "Card",
        "Gift card number",
        "Passenger",
        "PWA name",
        "Passport country",
        "Answer",
        "Webhook URL",
        "Apartment #",
    ] {
        assert_eq!(shown(vec![field(name).value("hunter2pw")]).as_deref(), Some("hunter2pw"), "{name}");
    }
}

#[test]
fn a_token_is_one_long_word() {
    let token = "9f86d081884c7d659a2feaa0c55ad015";
    assert_eq!(shown(vec![field("Token").value(token)]), None);
    for (name, value) in
        [("Token", "Gold coin"), ("Token", "https://tokens.example/gold/1"), ("Checksum", token)]
    {
        assert_eq!(shown(vec![field(name).value(value)]).as_deref(), Some(value));
    }
}

#[test]
fn identifiers_with_numbers_tell_too() {
    let called = |name: &str| shown(vec![field("x").value("hunter2pw").set(|a| a.name = Some(name.into()))]);
    for name in [
        "pass",
        "pass2",
        "password1",
        "userPassword2",
        "cardnum",
        "ccnum1",
        "verificationCode2",
        "cvv2",
        "2fa",
    ] {
        assert_eq!(called(name), None, "{name}");
    }
    for name in ["passType", "bus_pass", "compass", "address1", "passengers2", "discountCode2"] {
        assert_eq!(called(name).as_deref(), Some("hunter2pw"), "{name}");
    }
}

#[test]
fn a_key_is_no_password_and_its_page_no_login() {
    let blockers = |name: &str| page(vec![field(name), button("Go")]).scene().blockers.len();
    assert_eq!(blockers("API key"), 0);
    assert_eq!(blockers("Password"), 1);
    assert_eq!(page(vec![password("API key")]).scene().blockers.len(), 0);
}
