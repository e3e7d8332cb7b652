//! What nobody else should see stays out of a scene, wherever the page repeats it.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;

use common::*;
use legwork_observe::{
    Scene,
    capture::{Flag, GroupKind},
};
use legwork_types::contract::Dialog;
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

fn leaky(secret: &'static str, kind: usize) -> Scene {
    let say =
        |before: &str| -> &'static str { Box::leak(format!("{before} {secret} after").into_boxed_str()) };
    let secret_field = match kind % 3 {
        0 => field("Card number"),
        1 => field("x").set(|a| a.autocomplete = Some("one-time-code".into())),
        _ => field("x").set(|a| a.kind = Some("password".into())),
    };
    let mut inner = page(vec![text(say("in a frame")), button(say("framed"))]);
    inner.url = format!("https://other.example/{secret}");
    let long: &'static str = Box::leak(format!("{}{secret}", "x".repeat(90)).into_boxed_str());
    let doc = page(vec![
        secret_field.value(secret),
        heading(1, say("heading")),
        text(say("text")),
        button(say("name")).set(|a| a.description = Some(say("described").into())),
        clickable(vec![text(say("written")), text(long)]),
        clickable(vec![text(long)]),
        link("go").set(|a| a.href = Some(format!("/x/{secret}?p={secret}").into())),
        field("Nickname").value(say("value")).set(|a| {
            a.placeholder = Some(say("hint").into());
            a.pattern = Some(secret.into());
            a.options = vec![secret.into()];
        }),
        group(GroupKind::Modal, vec![text(say("dialog")), button("OK")]).named(say("title")),
        group(GroupKind::Alert, vec![text(say("alert"))]),
        group(GroupKind::Form, vec![field("A").form(0), submit("Go", 0)]).named(say("form")).form(0),
        El::Frame(Box::new(owner("", upright(0.0, 0.0, 9.0, 9.0), [9.0, 9.0])), Box::new(inner)),
    ])
    .form("post", "/x")
    .url(&format!("https://shop.example/{secret}?q={secret}#/{secret}"));
    let mut capture = doc.capture();
    capture.frames[0].look.document.title = say("document").into();
    capture.frames[1].facts.name = Some(say("frame").into());
    capture.dialogs.push(Dialog { kind: "alert".into(), message: say("browser").into() });
    Scene::of(&capture)
}

#[test]
fn a_secret_is_masked_wherever_it_occurs() {
    let scene = leaky("hunter2-geheim", 0);
    let all = everything(&scene);
    assert!(!all.contains("hunter2"), "{all}");
    assert_eq!(scene.page.primary_heading, Some("heading ••• after".into()));
    assert_eq!(item(&scene, "Nickname").affordance.value, Some("value ••• after".into()));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn no_canary_survives(secret in "[a-zA-Z0-9#%&+/:=?@ äß_-]{3,24}", kind in 0usize..3) {
        // What is left of a value without its edges has to be something that no page says by chance.
        let secret = format!("Q7{}Z9", secret.replace("•", ""));
        let leaked: &'static str = Box::leak(secret.clone().into_boxed_str());
        let all = everything(&leaky(leaked, kind));
        prop_assert!(!all.contains(&secret), "{}", all);
        let middle: String = secret.split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert!(!all.contains(&middle), "{}", all);
    }
}
