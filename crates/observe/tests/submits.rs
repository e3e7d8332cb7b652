//! Which control sends a form.

#![allow(clippy::expect_used, clippy::panic)]

mod common;

use common::*;
use legwork_observe::capture::{Flag, GroupKind};

/// What sends the first form of a page.
fn sends(body: Vec<El>) -> Option<String> {
    let scene = page(body).form("post", "/x").scene();
    let submit = scene.forms[0].submit?;
    assert_eq!(scene.items[submit].form, Some(0));
    Some(names(&scene)[submit].to_owned())
}

/// What sends a form element with these in it.
fn form(inside: Vec<El>) -> Option<String> {
    sends(vec![group(GroupKind::Form, inside).form(0)])
}

fn login(rest: Vec<El>) -> Vec<El> {
    [vec![field("Email").form(0), password("Password").form(0)], rest].concat()
}

fn off(name: &str) -> El {
    submit(name, 0).flag(Flag::Disabled)
}

#[test]
fn the_last_way_on_behind_the_fields_sends_a_form() {
    let text = || field("Text").form(0);
    for (inside, expected) in [
        (vec![text(), submit("Go", 0)], "Go"),
        (login(vec![submit("Show password", 0), submit("Log in", 0)]), "Log in"),
        (login(vec![submit("Passwort anzeigen", 0), submit("Anmelden", 0)]), "Anmelden"),
        (login(vec![submit("Log in", 0), submit("Forgot password?", 0)]), "Log in"),
        (login(vec![submit("Log in", 0), submit("Sign up", 0)]), "Log in"),
        (login(vec![submit("Log in", 0), submit("Continue with Google", 0)]), "Log in"),
        (vec![text(), submit("Apply coupon", 0), submit("Place order", 0)], "Place order"),
        (vec![text(), submit("Place order", 0), submit("Apply coupon", 0)], "Place order"),
        (vec![text(), submit("Apply coupon", 0), off("Place order")], "Place order"),
        (vec![text(), submit("Remove", 0), submit("Update cart", 0), submit("Checkout", 0)], "Checkout"),
        (vec![submit("Menu", 0), text(), submit("Search", 0)], "Search"),
        (vec![submit("Search by voice", 0), text(), submit("", 0)], ""),
        (vec![submit("Update", 0), text(), submit("Save", 0), submit("Cancel", 0)], "Save"),
        (vec![submit("Filter", 0), text(), submit("Send", 0)], "Send"),
        (vec![text(), off("Off"), submit("Go", 0)], "Go"),
        (vec![text(), submit("Go", 0), off("Off")], "Go"),
    ] {
        let shown = format!("{inside:?}");
        assert_eq!(form(inside).as_deref(), Some(expected), "{shown}");
    }
}

#[test]
fn a_form_with_one_way_to_send_it_is_sent_that_way() {
    for name in ["Remove", "Apply coupon", "Cancel", "Sign up", "Delete account", "Back"] {
        assert_eq!(form(vec![field("Text").form(0), submit(name, 0)]).as_deref(), Some(name));
    }
    let join = vec![password("New password").form(0), submit("Sign up", 0), submit("Log in with Google", 0)];
    assert_eq!(form(join).as_deref(), Some("Sign up"));
}

#[test]
fn without_a_form_the_first_button_behind_the_fields_sends() {
    let of = |rest: Vec<El>| sends(vec![boxed([vec![field("A"), field("B")], rest].concat())]);
    assert_eq!(of(vec![button("Cancel"), button("Next")]).as_deref(), Some("Next"));
    assert_eq!(of(vec![button("Next"), button("Cancel")]).as_deref(), Some("Next"));
    assert_eq!(of(vec![button("Send"), button("Share")]).as_deref(), Some("Send"));
    assert_eq!(of(vec![button("Cancel")]).as_deref(), Some("Cancel"));
}

#[test]
fn script_may_send_a_form_with_secrets() {
    let by_script = |name: &str| link(name).set(|a| a.href = Some("javascript:void(0)".into()));
    let pay = || vec![field("Card number").form(0)];
    let click = |name: &'static str| clickable(vec![text(name)]);
    for (inside, expected) in [
        (login(vec![button("Log in").form(0)]), Some("Log in")),
        (login(vec![submit("Show password", 0), button("Log in").form(0)]), Some("Log in")),
        (login(vec![link("Help"), click("Log in")]), Some("Log in")),
        ([pay(), vec![by_script("Pay")]].concat(), Some("Pay")),
        ([pay(), vec![link("Terms")]].concat(), None),
        (login(vec![click("Show password")]), None),
        (vec![field("Text").form(0), button("Share").form(0)], None),
    ] {
        let shown = format!("{inside:?}");
        assert_eq!(form(inside).as_deref(), expected, "{shown}");
    }
}

#[test]
fn what_sends_a_form_with_secrets_may_stand_right_behind_it() {
    let with =
        |behind: Vec<El>| sends([vec![group(GroupKind::Form, login(vec![])).form(0)], behind].concat());
    assert_eq!(with(vec![button("Log in")]).as_deref(), Some("Log in"));
    assert_eq!(with(vec![link("Help"), clickable(vec![text("Log in")])]).as_deref(), Some("Log in"));
    assert_eq!(with(vec![field("Search"), button("Find")]), None);
    assert_eq!(with(vec![link("Register")]), None);
}
