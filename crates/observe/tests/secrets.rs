//! What nobody else should see stays out of a scene, wherever the page repeats it.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;

use std::sync::LazyLock;

use common::*;
use legwork_observe::{
    PageCapture, Scene,
    capture::{Flag, GroupKind},
};
use legwork_types::contract::{Dialog, Fingerprint, Include, ObserveOptions};
use proptest::prelude::*;

/// Everything that a scene says, in one string.
fn everything(scene: &Scene) -> String {
    let json = serde_json::to_string(&scene.page).expect("a page");
    let items: Vec<_> =
        scene.items.iter().map(|item| serde_json::to_string(&item.affordance).expect("an item")).collect();
    format!("{scene:?}{json}{items:?}")
}

#[test]
fn sensitive_fields_have_no_value() {
    let tokens = [
        "cc-number",
        "section-a billing cc-csc",
        "one-time-code",
        "current-password",
        "new-password",
        "CC-EXP",
    ];
    let by_token = tokens.map(|token| field("x").set(|a| a.autocomplete = Some(token.into())));
    let labels = [
        "Card number",
        "CVV",
        "IBAN",
        "Kartennummer",
        "Mot de passe",
        "Código de verificación",
        "PIN",
        "SSN",
        "Hasło",
    ];
    let by_label = labels.map(field);
    let by_name =
        ["cardNumber", "user_password", "cvc2"].map(|name| field("x").set(|a| a.name = Some(name.into())));
    for el in by_token.into_iter().chain(by_label).chain(by_name) {
        let shown = format!("{el:?}");
        let scene = page(vec![el.value("canary-7431")]).scene();
        let affordance = &scene.items[0].affordance;
        assert!(affordance.sensitive && affordance.value_redacted && affordance.has_value, "{shown}");
        assert!(affordance.value.is_none(), "{shown}");
        assert!(!everything(&scene).contains("canary"));
    }
    let empty = page(vec![field("CVC")]).scene();
    let empty = &empty.items[0].affordance;
    assert!(empty.sensitive && empty.value_redacted && !empty.has_value);
    for (el, filled) in [(password("Password"), false), (password("Password").flag(Flag::Filled), true)] {
        let affordance = page(vec![el]).scene().items[0].affordance.clone();
        assert!(affordance.sensitive && affordance.value_redacted);
        assert_eq!(affordance.has_value, filled);
    }
    for name in ["Postcode", "Business card text", "Email", "Company", "Search"] {
        let affordance = page(vec![field(name).value("shown")]).scene().items[0].affordance.clone();
        assert_eq!((affordance.sensitive, affordance.value), (false, Some("shown".into())), "{name}");
    }
}

#[test]
fn what_is_offered_for_a_secret_is_counted_only() {
    let offering = |el: El| {
        el.set(|a| {
            a.options = vec!["4111 1111 1111 1111".into(), "5500 0000 0000 0004".into()];
            a.option_count = Some(2);
        })
    };
    for el in [field("Card number"), control("combobox", "Saved card number"), field("One-time code")] {
        let capture = page(vec![offering(el)]).capture();
        let constraints = &Scene::of(&capture).items[0].affordance.constraints;
        assert_eq!((constraints.options.len(), constraints.option_count), (0, Some(2)));
        let text = read(&look(&capture), &ObserveOptions::default()).text;
        assert!(text.contains(" secret of 2"), "{text}");
        assert!(!text.contains("0004") && !everything(&Scene::of(&capture)).contains("0004"));
    }
    let plain = page(vec![offering(field("Colour"))]).scene();
    let constraints = &plain.items[0].affordance.constraints;
    assert_eq!((constraints.options.len(), constraints.option_count), (2, None));
}

#[test]
fn a_chosen_secret_is_masked_unless_it_is_a_month_or_year() {
    let chosen = |value: &str, says: &'static str| {
        let scene = page(vec![control("combobox", "Card number").value(value), text(says)]).scene();
        everything(&scene).contains(says)
    };
    assert!(!chosen("4111 1111 1111 1111", "Paid with 4111111111111111"));
    assert!(chosen("2027", "Copyright 2027"));
}

#[test]
fn masks_stay_in_the_text_form() {
    let capture = page(vec![
        field("CVC").value("737"),
        text("737"),
        button("Change"),
        text("Your code is 737 today"),
        button("Pay"),
        group(GroupKind::Alert, vec![text("Refused:"), text("737"), button("Retry")]),
    ])
    .capture();
    let text = read(&look(&capture), &ObserveOptions::default()).text;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for expected in ["\"•••\"", "\"Your code is ••• today\""] {
        assert!(lines.contains(&expected), "{expected} in {text}");
    }
    assert!(text.contains("Refused: •••") && !text.contains("737"), "{text}");
}

/// A page with this field, which writes this wherever a page can write anything.
fn leaky(secret_field: El, written: &str) -> PageCapture {
    let say =
        |before: &str| -> &'static str { Box::leak(format!("{before} {written} after").into_boxed_str()) };
    let mut inner = page(vec![text(say("in a frame")), button(say("framed"))]);
    inner.url = format!("https://other.example/{written}");
    let long: &'static str = Box::leak(format!("{} {written}", "x".repeat(90)).into_boxed_str());
    let doc = page(vec![
        secret_field,
        heading(1, say("heading")),
        text(say("text")),
        button(say("name")).set(|a| a.description = Some(say("described").into())),
        clickable(vec![text(say("written")), text(long)]),
        clickable(vec![text(long)]),
        link("go").set(|a| a.href = Some(format!("/x/{written}?p={written}").into())),
        link("more").set(|a| a.href = Some(format!("/x?p={}", percent(written)).into())),
        field("Nickname").value(say("value")).set(|a| {
            a.placeholder = Some(say("hint").into());
            a.pattern = Some(written.into());
            a.options = vec![written.into()];
        }),
        group(GroupKind::Modal, vec![text(say("dialog")), button("OK")]).named(say("title")),
        group(GroupKind::Alert, vec![text(say("alert"))]),
        group(GroupKind::Form, vec![field("A").form(0), submit("Go", 0)]).named(say("form")).form(0),
        El::Frame(Box::new(owner("", upright(0.0, 0.0, 9.0, 9.0), [9.0, 9.0])), Box::new(inner)),
    ])
    .form("post", "/x")
    .url(&format!("https://shop.example/{written}?q={written}#/{written}"));
    let mut capture = doc.capture();
    capture.frames[0].look.document.title = say("document").into();
    capture.frames[1].facts.name = Some(say("frame").into());
    capture.dialogs.push(Dialog { kind: "alert".into(), message: say("browser").into() });
    capture
}

#[test]
fn a_secret_is_masked_wherever_it_occurs() {
    let secret = "hunter2-geheim";
    let scene = Scene::of(&leaky(field("Card number").value(secret), secret));
    let all = everything(&scene);
    assert!(!all.contains("hunter2"), "{all}");
    assert_eq!(scene.page.primary_heading, Some("heading ••• after".into()));
    assert_eq!(item(&scene, "Nickname").affordance.value, Some("value ••• after".into()));
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// What a person reads in an output: without the encoding of addresses, in small letters. What something is known by is a
/// digest and tells nothing.
fn outputs(capture: &PageCapture) -> String {
    let options = ObserveOptions {
        include: vec![Include::Text, Include::Boxes],
        include_hidden: true,
        ..ObserveOptions::default()
    };
    let mut reading = read(&look(capture), &options);
    reading.observation.affordances.iter_mut().for_each(|one| one.fingerprint = Fingerprint(0));
    let json = serde_json::to_string(&reading.observation).expect("an observation");
    decoded(&format!("{}\n{json}", reading.text)).to_lowercase()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether an output tells a secret: its letters in their order whatever stands between, or, if it is short, as a word.
fn tells(output: &str, secret: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let secret = letters(&secret.to_lowercase());
    match secret.len() {
        0..6 => output.split(|c: char| !c.is_alphanumeric()).any(|word| word == secret),
        _ => letters(output).contains(&secret),
    }
}

/// Letters in groups of these sizes; the last size goes on.
fn grouped(text: &str, sizes: &[usize], sign: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut rest = &letters[..];
    let mut sizes = sizes.iter().copied();
    let mut size = 4;
    let mut groups: Vec<String> = Vec::new();
    while !rest.is_empty() {
        size = sizes.next().unwrap_or(size);
        let (group, after) = rest.split_at(size.min(rest.len()));
        groups.push(group.iter().collect());
        rest = after;
    }
    groups.join(sign)
}

/// The ways in which pages write the same value.
const HANDS: usize = 8;

fn in_hand(value: &str, hand: usize) -> String {
    match hand {
        0 => value.to_owned(),
        1 => value.to_lowercase(),
        2 => value.to_uppercase(),
        3 => grouped(value, &[4], " "),
        4 => grouped(value, &[4], "\u{a0}"),
        5 => grouped(value, &[4], "-"),
        6 => grouped(value, &[4, 6, 5], " "),
        _ => grouped(value, &[3], "\u{200b}"),
    }
}

/// What the page says anyway: a number in it, such as its width, is no secret.
static HARMLESS: LazyLock<String> = LazyLock::new(|| outputs(&leaky(field("x"), "harmless")));

/// Fields as the walker tells of them, with values as people have them.
fn a_secret_field() -> impl Strategy<Value = (El, String)> {
    let with = |token: &'static str| field("x").set(|a| a.autocomplete = Some(token.into()));
    let card = prop_oneof!["[0-9]{16}", "[0-9]{15}"];
    prop_oneof![
        card.prop_map(move |value| (with("cc-number"), value)),
        "[0-9]{3,4}".prop_map(move |value| (with("cc-csc"), value)),
        "[0-9]{3,4}".prop_map(|value| (field("CVC"), value)),
        "[0-9]{6}".prop_map(move |value| (with("one-time-code"), value)),
        "[A-Z]{2}[0-9]{2}[0-9A-Z]{11,22}".prop_map(|value| (field("IBAN"), value)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn no_secret_of_a_known_field_is_told(
        (secret_field, value) in a_secret_field(),
        typed in 0..HANDS,
        written in 0..HANDS,
    ) {
        // Short values are not written in groups.
        let hand = |hand: usize| if value.len() < 6 { value.clone() } else { in_hand(&value, hand) };
        let secret_field = secret_field.value(&hand(typed));
        prop_assume!(!tells(&HARMLESS, &value));
        let output = outputs(&leaky(secret_field, &hand(written)));
        prop_assert!(!tells(&output, &value), "{} in {}", value, output);
    }

    #[test]
    fn no_canary_survives(secret in "[a-zA-Z0-9#%&+/:=?@ äß_-]{3,24}", kind in 0usize..2) {
        // What is left of a value without its edges has to be something that no page says by chance.
        let secret = format!("Q7{secret}Z9");
        let secret_field = match kind {
            0 => field("Card number"),
            _ => field("x").set(|a| a.autocomplete = Some("one-time-code".into())),
        };
        let capture = leaky(secret_field.value(&secret), &secret);
        let all = format!("{}{}", everything(&Scene::of(&capture)), outputs(&capture));
        prop_assert!(!all.contains(&secret), "{}", all);
        let middle: String = secret.split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert!(!all.contains(&middle) && !all.contains(&middle.to_lowercase()), "{}", all);
    }

    #[test]
    fn a_password_leaves_only_whether_it_is_there(filled in any::<bool>(), words in "[a-z ]{1,20}") {
        // The walker keeps the value back, so there is nothing that could be told.
        let name: &'static str = Box::leak(words.into_boxed_str());
        let plain = password(name);
        let capture = page(vec![if filled { plain.flag(Flag::Filled) } else { plain }]).capture();
        let reading = read(&look(&capture), &ObserveOptions::default());
        let one = &reading.observation.affordances[0];
        prop_assert!(one.sensitive && one.value_redacted && one.value.is_none());
        prop_assert_eq!(one.has_value, filled);
        prop_assert_eq!(reading.text.contains("=[redacted]"), filled);
    }
}
