//! The words that have to be echoed, and what is no echo.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::*;
use legwork_policy::{Confirmation, Facts, Rules, TargetFacts, Verdict, confirmation_text, judge};
use legwork_types::{
    Code, Deed, Details, Intent,
    contract::{ActionId, FieldValue, FormFill},
};

fn named(name: &str) -> Facts {
    facts(vec![TargetFacts { name: name.into(), ..target(5, "button", Danger) }])
}

#[test]
fn a_name_is_told_in_plain_characters() {
    for (name, label) in [
        ("Pay now", "Pay now"),
        ("  Pay \n\t now ", "Pay now"),
        ("Pay\u{a0}now", "Pay now"),
        ("Say \"yes\" now", "Say yes now"),
        ("OK\u{201d} on bank.example", "OK on bank.example"),
        ("Pay\u{202e}won\u{202c}", "Paywon"),
        ("P\u{200b}a\u{200d}y\u{feff}", "Pay"),
        ("Pay\u{0}\u{7}\u{1b}[2J", "Pay [2J"),
        ("Pay\u{2028}CONFIRM", "Pay CONFIRM"),
        ("Zürich – 5 €", "Zürich – 5 €"),
        ("支払う", "支払う"),
        ("", "5"),
        (" \u{200b} \u{3164}\u{2800}", "5"),
        ("\"\"", "5"),
    ] {
        assert_eq!(
            confirmation_text(&click(5), &named(name)),
            format!("CONFIRM click \"{label}\" on shop.example"),
            "{name:?}"
        );
    }
    let long = confirmation_text(&click(5), &named(&"ab ".repeat(1_000)));
    let label = long.split('"').nth(1).unwrap();
    assert!(label.chars().count() <= 80 && label.starts_with("ab ab") && label.ends_with('…'), "{long}");
}

#[test]
fn the_text_tells_what_is_done_to_what_and_where() {
    let named =
        facts(vec![target(1, "listitem", Safe), target(2, "button", Danger), target(3, "textbox", Safe)]);
    let fill = |fields: &[u32]| {
        let field =
            |&field: &u32| FormFill { action_id: ActionId(field), value: FieldValue::Text("x".into()) };
        Intent::FillForm(fields.iter().map(field).collect())
    };
    for (intent, text) in [
        (click(2), "CONFIRM click \"Name 2\" on shop.example"),
        (key(2, "Enter"), "CONFIRM pressKey \"Name 2\" on shop.example"),
        (on(1, Deed::DragTo(ActionId(2))), "CONFIRM drag \"Name 1\" to \"Name 2\" on shop.example"),
        (fill(&[2]), "CONFIRM fillForm \"Name 2\" on shop.example"),
        (fill(&[3, 2, 1]), "CONFIRM fillForm \"Name 3\" and 2 more on shop.example"),
        (Intent::PressKeyOnPage(chord("Alt+p")), "CONFIRM pressKey \"Alt+p\" on shop.example"),
    ] {
        assert_eq!(confirmation_text(&intent, &named), text);
    }
    let press = Intent::PressKeyOnPage(chord("Enter"));
    let focused = with_focus(target(4, "button", Danger));
    assert_eq!(confirmation_text(&press, &focused), "CONFIRM pressKey \"Name 4\" on shop.example");
    for (message, label) in [("Delete \"all\"?", "Delete all ?"), (" ", "confirm")] {
        let text = confirmation_text(&answer(true), &with_dialog("confirm", message));
        assert_eq!(text, format!("CONFIRM handleDialog \"{label}\" on shop.example"));
    }
    for (domain, told) in
        [("127.0.0.1:8080", "127.0.0.1:8080"), ("", "a page without a name"), ("a\u{202e}b\n", "ab")]
    {
        let facts = Facts { domain: domain.into(), ..named.clone() };
        assert_eq!(confirmation_text(&click(2), &facts), format!("CONFIRM click \"Name 2\" on {told}"));
    }
}

#[test]
fn only_the_exact_text_is_a_yes() {
    let facts = named("Pay now");
    let text = "CONFIRM click \"Pay now\" on shop.example";
    let given = |confirm, text: Option<&str>| {
        let confirmation = Confirmation { confirm, text: text.map(str::to_owned) };
        judge(click(5), &facts, &by_caller(), &confirmation)
    };
    assert_eq!(kind(&given(true, Some(text))), "go");
    for wrong in [
        "",
        " ",
        "yes",
        "CONFIRM",
        &format!("{text} "),
        &format!(" {text}"),
        &format!("{text}\n"),
        &text.to_lowercase(),
        &text.replace('"', "'"),
        &text.replace(' ', "\u{a0}"),
        &text.replace("Pay now", "Pay  now"),
        &text.replace("Pay now", "Pay later"),
        &text.replace("shop.example", "shop.example.org"),
        &text.replace("click", "hover"),
    ] {
        let Verdict::Ask(problem) = given(true, Some(wrong)) else { unreachable!("{wrong:?} is a yes") };
        let Some(Details::Confirmation { required_confirmation_text, missing, mismatch, provided, .. }) =
            problem.details.map(|details| *details)
        else {
            unreachable!("details are given")
        };
        assert_eq!(required_confirmation_text.as_deref(), Some(text));
        assert!(mismatch && missing.is_none() && provided.as_deref() == Some(wrong), "{wrong:?}");
    }
    for (verdict, what) in [
        (given(false, None), "confirm"),
        (given(false, Some(text)), "confirm"),
        (given(true, None), "confirmationText"),
    ] {
        let problem = problem(verdict).unwrap();
        assert_eq!(problem.code, Code::SafetyConfirmationRequired);
        let Some(Details::Confirmation { missing, mismatch: false, provided: None, .. }) =
            problem.details.map(|details| *details)
        else {
            unreachable!("details are given")
        };
        assert_eq!(missing, Some(what));
    }
}

#[test]
fn where_nobody_may_confirm_no_text_helps_and_none_is_told() {
    let facts = named("Pay now");
    let yes = echo("CONFIRM click \"Pay now\" on shop.example");
    let Verdict::Ask(problem) = judge(click(5), &facts, &Rules::default(), &yes) else {
        unreachable!("nobody may confirm")
    };
    assert!(matches!(
        problem.details.map(|details| *details),
        Some(Details::Confirmation { required_confirmation_text: None, mismatch: false, provided: None, .. })
    ));
}

#[test]
fn every_reason_of_the_worst_is_told() {
    let mut both = facts(vec![target(1, "button", Danger), target(2, "button", Danger)]);
    both.targets[0].risk.reasons = vec!["pays".into(), "sends".into()];
    both.targets[1].risk.reasons = vec!["sends".into(), "deletes".into()];
    let problem = problem(unasked(on(1, Deed::DragTo(ActionId(2))), &both)).unwrap();
    assert_eq!(problem.cause.as_deref(), Some("pays; sends; deletes"));
}
