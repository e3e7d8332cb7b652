//! How much harm Enter might do in a field, and what is pressed by way of something else; with their benign twins.

#![allow(clippy::expect_used, clippy::panic)]

mod common;

use common::*;
use legwork_observe::{
    capture::{ButtonFacts, Flag, GroupKind},
    risk_of_words,
};
use legwork_types::contract::RiskLevel::{self, Caution, Danger, Safe};

#[track_caller]
fn sends(doc: Doc, name: &str, expected: Option<RiskLevel>) {
    let scene = doc.scene();
    let found = item(&scene, name);
    assert_eq!(found.sends.as_ref().map(|risk| risk.level), expected, "{name}: {:?}", found.sends);
}

fn placeholder(el: El, words: &str) -> El {
    el.set(|a| a.placeholder = Some(words.into()))
}

fn editor(name: &str) -> El {
    field(name).flag(Flag::Editable)
}

/// A page whose first form has these buttons that Enter may press.
fn with_default(body: Vec<El>, method: &str, action: &str, buttons: Vec<ButtonFacts>) -> Doc {
    let mut doc = page(body).form(method, action);
    doc.forms[0].default_buttons = Some(buttons);
    doc
}

fn says(name: &str) -> ButtonFacts {
    ButtonFacts { name: name.into(), ..ButtonFacts::default() }
}

#[test]
fn without_a_form_enter_may_send_what_was_written() {
    for el in [field("Message Bob"), editor("Message Bob"), field("Body"), field("Amount"), password("PIN")] {
        let El::Control(control, _) = &el else { panic!("a control") };
        let name = control.name.untrusted().to_owned();
        sends(page(vec![el.clone()]), &name, Some(Danger));
        sends(page(vec![boxed(vec![el.clone(), button("Attach")])]), &name, Some(Danger));
        sends(page(vec![boxed(vec![el, field("Subject"), button("Attach")])]), &name, Some(Danger));
    }
    let input = control("combobox", "To").set(|a| a.kind = None);
    let El::Control(mut input, children) = input else { panic!("a control") };
    input.tag = "input".into();
    sends(page(vec![El::Control(input, children)]), "To", Some(Danger));
}

#[test]
fn a_search_is_no_letter() {
    for el in [
        control("searchbox", "Products"),
        field("Search products"),
        field("Produkte suchen"),
        field("Filter by name"),
        placeholder(field("Query"), "Search…"),
    ] {
        let El::Control(control, _) = &el else { panic!("a control") };
        let name = control.name.untrusted().to_owned();
        sends(page(vec![el]), &name, None);
    }
    sends(page(vec![group(GroupKind::Search, vec![field("Where to?")])]), "Where to?", None);
    // It says that it does more, or holds more, than a search.
    sends(page(vec![field("Search and delete")]), "Search and delete", Some(Danger));
    sends(page(vec![editor("Search")]), "Search", Some(Danger));
    sends(
        page(vec![placeholder(field("Send a message"), "Search or write")]),
        "Send a message",
        Some(Danger),
    );
}

#[test]
fn what_is_not_written_in_sends_nothing_by_itself() {
    for (role, name) in [("checkbox", "News"), ("slider", "Volume"), ("combobox", "Size"), ("button", "Next")]
    {
        sends(page(vec![control(role, name)]), name, None);
    }
}

#[test]
fn enter_presses_the_first_button_also_where_nobody_sees_it() {
    let text = || vec![field("Q").form(0)];
    let form = |buttons| with_default(text(), "get", "/search", buttons);
    sends(form(vec![says("Search")]), "Q", Some(Safe));
    sends(form(vec![says("Pay now")]), "Q", Some(Danger));
    sends(
        form(vec![ButtonFacts { form_action: Some("/delete-account".into()), ..says("Go") }]),
        "Q",
        Some(Danger),
    );
    let foreign = ButtonFacts { form_action: Some("https://evil.example/".into()), ..says("Go") };
    sends(form(vec![foreign]), "Q", Some(Danger));
    let nameless = ButtonFacts { identifiers: Some("btnDelete".into()), ..says("") };
    sends(form(vec![nameless]), "Q", Some(Danger));
    let posted = ButtonFacts { posts: true, ..says("Go") };
    sends(with_default(text(), "get", "/account/delete", vec![posted]), "Q", Some(Danger));
    // A button that is seen does not hide one that is not.
    let both = vec![field("Q").form(0), submit("Search", 0)];
    sends(with_default(both.clone(), "post", "/search", vec![says("Delete account")]), "Q", Some(Danger));
    sends(with_default(both, "post", "/search", vec![says("Search")]), "Q", Some(Caution));
}

#[test]
fn a_form_without_a_button_is_as_dangerous_as_what_it_sends() {
    sends(with_default(vec![field("Q").form(0)], "get", "/search", vec![]), "Q", Some(Caution));
    sends(with_default(vec![field("Q").form(0)], "post", "/x", vec![]), "Q", Some(Danger));
    let card = vec![field("Card number").form(0), field("Name").form(0)];
    sends(with_default(card.clone(), "get", "/x", vec![]), "Name", Some(Danger));
    sends(with_default(card, "get", "/x", vec![says("Go")]), "Name", Some(Danger));
    let foreign = with_default(vec![field("Q").form(0)], "post", "https://evil.example/", vec![says("Go")]);
    sends(foreign, "Q", Some(Danger));
    let box_too = vec![field("Q").form(0), control("checkbox", "News").form(0)];
    sends(with_default(box_too, "post", "/x", vec![]), "News", Some(Danger));
}

#[test]
fn what_sends_a_form_is_judged_as_a_button_whatever_it_calls_itself() {
    for role in ["switch", "tab", "combobox", "link", "checkbox", "textbox", "option", "slider"] {
        let press = control(role, "Go on").flag(Flag::Submits).form(0);
        let scene = page(vec![field("Card number").form(0), press]).form("post", "/pay").scene();
        let risk = &item(&scene, "Go on").affordance.risk;
        assert_eq!(risk.level, Danger, "{role}: {risk:?}");
        let press = control(role, "Search").flag(Flag::Submits).form(0);
        let scene = page(vec![field("Words").form(0), press]).form("get", "/search").scene();
        let risk = &item(&scene, "Search").affordance.risk;
        assert_eq!(risk.level, Safe, "{role}: {risk:?}");
    }
}

#[test]
fn a_label_does_what_its_button_does() {
    let label = |button: ButtonFacts| {
        control("LabelText", "Proceed")
            .set(|a| a.presses = Some(Box::new(button)))
            .flag(Flag::Submits)
            .form(0)
    };
    let risk = |button: ButtonFacts, method: &str, more: Vec<El>| {
        let scene = page([more, vec![label(button)]].concat()).form(method, "/x").scene();
        item(&scene, "Proceed").affordance.risk.level
    };
    assert_eq!(risk(says("Pay now"), "get", vec![]), Danger);
    assert_eq!(risk(says("Go"), "post", vec![field("Card number").form(0)]), Danger);
    let elsewhere = ButtonFacts { form_action: Some("/delete-account".into()), ..says("Go") };
    assert_eq!(risk(elsewhere, "get", vec![]), Danger);
    assert_eq!(risk(says("Search"), "get", vec![field("Words").form(0)]), Safe);
    let scene =
        page(vec![control("LabelText", "Menu").set(|a| a.presses = Some(Box::new(says("Delete all"))))]);
    assert_eq!(item(&scene.scene(), "Menu").affordance.risk.level, Danger);
}

#[test]
fn entries_of_lists_are_judged_by_their_words() {
    for (words, expected) in [
        ("Delete account", Danger),
        ("Konto löschen", Danger),
        ("Pay now", Danger),
        ("Small", Safe),
        ("Germany", Safe),
        ("Price: low to high", Safe),
        ("PayPal", Caution),
        ("What to do before you delete your account", Caution),
    ] {
        assert_eq!(risk_of_words(words).level, expected, "{words}: {:?}", risk_of_words(words));
    }
}
