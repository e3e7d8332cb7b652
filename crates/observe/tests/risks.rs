//! How much harm a control might do: words in several languages, facts, and their benign twins.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;

use common::*;
use legwork_observe::capture::{Flag, GroupKind};
use legwork_types::contract::RiskLevel::{self, Caution, Danger, Safe};

#[test]
fn words_on_buttons() {
    for (name, expected) in [
        ("Place order", Danger),
        ("PLACE  ORDER", Danger),
        ("Place your order", Danger),
        ("Ｐｌａｃｅ　ｏｒｄｅｒ", Danger),
        ("Pl\u{200b}ace\u{a0}or\u{200d}der", Danger),
        ("Рlасе оrdеr", Danger),
        ("P l a c e o r d e r", Danger),
        ("Pay €30.00", Danger),
        ("Pay now", Danger),
        ("Buy now", Danger),
        ("Submit payment", Danger),
        ("Confirm", Danger),
        ("Delete", Danger),
        ("Remove item", Danger),
        ("Publish", Danger),
        ("Merge pull request", Danger),
        ("Refund", Danger),
        ("Cancel subscription", Danger),
        ("Send", Danger),
        ("Transfer funds", Danger),
        ("Deactivate account", Danger),
        ("Close account", Danger),
        ("Zahlungspflichtig bestellen", Danger),
        ("Jetzt kaufen", Danger),
        ("Konto löschen", Danger),
        ("Kündigen", Danger),
        ("Passer la commande", Danger),
        ("Supprimer", Danger),
        ("Realizar pedido", Danger),
        ("Eliminar cuenta", Danger),
        ("Acquista ora", Danger),
        ("Elimina", Danger),
        ("Bestelling plaatsen", Danger),
        ("Verwijderen", Danger),
        ("Finalizar compra", Danger),
        ("Excluir", Danger),
        ("Kupuję i płacę", Danger),
        ("Usuń konto", Danger),
        ("Unsubscribe", Caution),
        ("Log out", Caution),
        ("Save changes", Caution),
        ("Checkout", Caution),
        ("I agree", Caution),
        ("Remove filter", Safe),
        ("Remove filter and pay", Danger),
        ("Filter entfernen", Safe),
        ("Delivery", Safe),
        ("Cancel", Safe),
        ("Payment methods", Safe),
        ("Saved items", Safe),
        ("Autocomplete", Safe),
        ("Sign in", Safe),
        ("Order by price", Safe),
        ("Confirmation", Safe),
        ("Sendung verfolgen", Safe),
        ("Close", Safe),
        ("Add to basket", Safe),
        ("Search", Safe),
        ("", Caution),
    ] {
        let scene = page(vec![button(name)]).scene();
        let risk = &scene.items[0].affordance.risk;
        assert_eq!(risk.level, expected, "{name:?}: {:?}", risk.reasons);
        assert_eq!(risk.reasons.is_empty(), expected == Safe, "{name:?}");
    }
    let scene = page(vec![button("Place your order")]).scene();
    assert_eq!(scene.items[0].affordance.risk.reasons, [r#"says "place your order""#]);
}

#[test]
fn words_on_other_controls() {
    let check = |el: El, expected: RiskLevel| {
        let scene = page(vec![el]).scene();
        let affordance = &scene.items[0].affordance;
        assert_eq!(affordance.risk.level, expected, "{affordance:?}");
    };
    check(link("Place order"), Danger);
    check(link("How to delete your account and all of its data"), Caution);
    check(link("Send us your thoughts on the new book review"), Caution);
    check(link("Delivery and returns"), Safe);
    check(link("Save 20 %"), Safe);
    check(link("Log out"), Caution);
    check(link("Konto").set(|a| a.href = Some("https://shop.example/account/logout".into())), Caution);
    check(link("Story").set(|a| a.href = Some("/blog/how-to-delete-things".into())), Safe);
    check(link("Entry 5").set(|a| a.href = Some("/entries/5/delete?x=1".into())), Caution);
    check(link("Write to us").set(|a| a.href = Some("mailto:a@b.example".into())), Caution);
    check(control("checkbox", "Delete after 30 days"), Caution);
    check(control("combobox", "Pay with"), Safe);
    check(control("tab", "Publish"), Danger);
    check(control("tab", "Reviews"), Safe);
    check(control("tab", "Everything that you need to know before you pay"), Caution);
    check(control("switch", "Pay now"), Danger);
    check(control("switch", "Dark mode"), Safe);
    check(control("slider", "Slide to pay"), Danger);
    check(control("slider", "Volume"), Safe);
    check(control("option", "Delete account"), Danger);
    check(control("option", "Large"), Safe);
    check(control("menuitemradio", "Delete account"), Danger);
    check(control("menuitemcheckbox", "Publish"), Danger);
    check(control("menuitemradio", "Sort by name"), Safe);
    check(field("Confirm email"), Safe);
    check(clickable(vec![text("Buy now")]), Danger);
    check(button("").set(|a| a.test_id = Some("btn-deleteItem".into())), Danger);
    check(button("⋯").set(|a| a.id = Some("row-delete".into())), Danger);
    check(button("Row menu").set(|a| a.id = Some("row-delete".into())), Caution);
    check(field("CV").set(|a| a.kind = Some("file".into())), Caution);
    check(password("Password"), Caution);
}

#[test]
fn facts_of_forms() {
    let post = |body: Vec<El>| page(body).form("post", "/x");
    let check = |doc: Doc, name: &str, expected: RiskLevel| {
        let scene = doc.scene();
        let affordance = &item(&scene, name).affordance;
        assert_eq!(affordance.risk.level, expected, "{:?}", affordance.risk);
    };
    check(post(vec![field("Name").form(0), submit("Weiter", 0)]), "Weiter", Caution);
    check(page(vec![field("Name").form(0), submit("Go", 0)]).form("get", "/search"), "Go", Safe);
    check(post(vec![field("Card number").form(0), submit("Go on", 0)]), "Go on", Danger);
    check(post(vec![password("Password").form(0), submit("Go on", 0)]), "Go on", Caution);
    let change = vec![password("Old password").form(0), password("New password").form(0), submit("Go on", 0)];
    check(post(change), "Go on", Danger);
    check(
        page(vec![field("A").form(0), submit("Go", 0)]).form("post", "https://evil.example/"),
        "Go",
        Danger,
    );
    check(page(vec![field("A").form(0), submit("Go", 0)]).form("post", "/account/delete"), "Go", Danger);
    let elsewhere = submit("Go", 0).set(|a| a.form_action = Some("/cancel-order".into()));
    check(post(vec![field("A").form(0), elsewhere]), "Go", Danger);
    // What a form asks for is harmless until a button posts it.
    let get = |button: El| page(vec![field("A").form(0), button]).form("get", "/delete-account");
    check(get(submit("Go", 0)), "Go", Caution);
    check(get(submit("Go", 0).set(|a| a.form_method = Some("post".into()))), "Go", Danger);
    let image = submit("Go", 0).set(|a| a.kind = Some("image".into()));
    let El::Control(mut image, children) = image else { panic!("a control") };
    image.tag = "input".into();
    check(page(vec![field("A").form(0), El::Control(image, children)]).form("get", "/"), "Go", Caution);
    let about_money =
        group(GroupKind::Form, vec![heading(2, "Payment"), field("Voucher").form(0), submit("Next", 0)]);
    check(post(vec![about_money.form(0)]), "Next", Danger);
    // A control of the same form that does not send it.
    check(post(vec![field("Card number").form(0), button("Help").form(0), submit("Go", 0)]), "Help", Safe);
}

#[test]
fn forms_that_a_script_sends() {
    let card = |more: Vec<El>, after: Vec<El>| {
        let mut inside = vec![field("Card number").form(0), field("Name").form(0)];
        inside.extend(more);
        let mut body = vec![group(GroupKind::Form, inside).form(0)];
        body.extend(after);
        page(vec![group(GroupKind::Main, body)]).form("post", "/x").scene()
    };
    let script = |name: &str| link(name).set(|a| a.href = Some("javascript:go()".into()));
    let risky = |el: El| level(&card(vec![el], vec![]), "Continue");
    assert_eq!(risky(button("Continue").form(0)), Danger);
    assert_eq!(risky(clickable(vec![text("Continue")])), Danger);
    assert_eq!(risky(script("Continue")), Danger);
    let after = |el: El| level(&card(vec![], vec![button("Back"), el]), "Continue");
    assert_eq!(after(button("Continue")), Danger);
    assert_eq!(after(clickable(vec![text("Continue")])), Danger);
    assert_eq!(after(script("Continue")), Danger);
    // Beside a control that surely sends it, another button of the form is not safe either.
    let both = card(vec![button("Use this card").form(0), submit("Go", 0), link("Our terms")], vec![]);
    assert_eq!((level(&both, "Use this card"), level(&both, "Our terms")), (Danger, Safe));
    // What steps back, shows something or opens it.
    for name in ["Back", "Cancel", "Close", "Show number", "What is this?", "Help", "Edit address", "Zurück"]
    {
        assert_eq!(level(&card(vec![button(name).form(0)], vec![]), name), Safe, "{name}");
        assert_eq!(level(&card(vec![], vec![button(name)]), name), Safe, "{name}");
    }
    let opens = card(vec![button("Country").flag(Flag::Popup).form(0)], vec![]);
    assert_eq!(level(&opens, "Country"), Safe);
    // Far from the form, or after one that has its own: another matter.
    let far = card(vec![], vec![link("Home"), link("News"), link("Shop"), button("Play")]);
    assert_eq!(level(&far, "Play"), Safe);
    let own = card(vec![submit("Go", 0)], vec![button("Play")]);
    assert_eq!(level(&own, "Play"), Safe);
    let search = page(vec![field("Find").form(0), button("Play").form(0)]).form("get", "/search").scene();
    assert_eq!(level(&search, "Play"), Safe);
}

#[test]
fn a_vague_name_does_what_its_form_is_headed() {
    let headed = |heads: &'static str, name: &str| {
        let form = vec![heading(1, heads), field("Reason").form(0), submit(name, 0)];
        level(&page(vec![group(GroupKind::Form, form).form(0)]).form("post", "/x").scene(), name)
    };
    for name in ["Continue", "OK", "Yes", "Weiter", "次へ"] {
        assert_eq!(headed("Delete your account", name), Danger, "{name}");
        assert_eq!(headed("Tell us about you", name), Caution, "{name}");
    }
    assert_eq!(headed("Delete your account", "Give a reason"), Caution);
    assert_eq!(headed("Why people delete it", "Continue"), Caution);
    let asked = |heads: &'static str, el: El| {
        let dialog = group(GroupKind::Modal, vec![heading(2, heads), el]);
        level(&page(vec![group(GroupKind::Main, vec![link("a")]), dialog]).scene(), "Yes")
    };
    assert_eq!(asked("Delete your account", button("Yes")), Danger);
    assert_eq!(asked("Delete your account", link("Yes")), Danger);
    assert_eq!(asked("Tell us about you", button("Yes")), Safe);
}

#[test]
fn a_vague_name_does_what_the_heading_over_it_says() {
    let under = |heads: &'static str, more: Vec<El>, el: El| {
        let mut body = vec![heading(1, heads)];
        body.extend(more);
        body.push(boxed(vec![text("Please choose."), el, button("Back")]));
        page(vec![group(GroupKind::Main, body), link("Home")]).scene()
    };
    let name = |name: &str, heads: &'static str| level(&under(heads, vec![], button(name)), name);
    for vague in ["OK", "Continue", "Yes", "Weiter", "次へ"] {
        assert_eq!(name(vague, "Delete account?"), Danger, "{vague}");
        assert_eq!(name(vague, "Pay now"), Danger, "{vague}");
        assert_eq!(name(vague, "Tell us about you"), Safe, "{vague}");
        assert_eq!(name(vague, "Why people delete it"), Safe, "{vague}");
    }
    assert_eq!((name("Back", "Pay now"), name("Choose a colour", "Pay now")), (Safe, Safe));
    let scene = under("Delete account?", vec![], button("OK"));
    assert_eq!(item(&scene, "OK").affordance.risk.reasons, [r#"stands under the heading "delete account""#]);
    let script = |href: &'static str| link("Yes").set(|a| a.href = Some(href.into()));
    assert_eq!(level(&under("Delete account?", vec![], script("#")), "Yes"), Danger);
    assert_eq!(level(&under("Delete account?", vec![], script("/why")), "Yes"), Safe);
    // Far below it, under a heading of its own, or where the heading is that of a card beside it.
    let long = "A word or two about what happens then. ".repeat(20).leak();
    assert_eq!(level(&under("Delete account?", vec![text(long)], button("Yes")), "Yes"), Caution);
    let own = vec![text("Really?"), heading(2, "Was this of help?")];
    assert_eq!(level(&under("Delete account?", own, button("Yes")), "Yes"), Safe);
    let card = vec![group(GroupKind::Item, vec![heading(3, "Delete old files"), text("By Ada")])];
    assert_eq!(level(&under("News", card, button("Next")), "Next"), Safe);
}

#[test]
fn a_dialog_without_a_title_asks_by_its_first_words() {
    let ask = |says: &'static str, more: &'static str| {
        let far = vec![boxed(vec![text(says)]), boxed(vec![text(more), button("OK"), button("Cancel")])];
        let scene = page(vec![group(GroupKind::Main, vec![link("a")]), group(GroupKind::Modal, far)]).scene();
        (level(&scene, "OK"), level(&scene, "Cancel"))
    };
    assert_eq!(ask("Delete account?", "You can come back."), (Danger, Safe));
    assert_eq!(ask("Pay now", "It takes a minute."), (Danger, Safe));
    assert_eq!(ask("Pick a colour", "It takes a minute."), (Safe, Safe));
    let letter = "We will send you news about everything that we make, once a week, and never anything else.";
    assert_eq!(ask(letter, "It takes a minute."), (Safe, Safe));
}

#[test]
fn dialogs_that_ask() {
    let ask = |title: &'static str, says: &'static str, answer: &str| {
        page(vec![
            group(GroupKind::Main, vec![text("Files"), link("a")]),
            group(GroupKind::Modal, vec![text(says), button("Cancel"), button(answer)]).named(title),
        ])
        .scene()
    };
    let scene = ask("Delete file?", "This cannot be undone.", "OK");
    assert_eq!((level(&scene, "OK"), level(&scene, "Cancel")), (Danger, Safe));
    let scene = ask("Datei", "Sind Sie sicher?", "Ja");
    assert_eq!((level(&scene, "Ja"), level(&scene, "Cancel")), (Danger, Safe));
    let scene = ask("Cancel booking?", "You can book again.", "Yes");
    assert_eq!((level(&scene, "Yes"), level(&scene, "Cancel")), (Danger, Caution));
    let scene = ask("Choose a size", "We send it tomorrow.", "OK");
    assert_eq!((level(&scene, "OK"), level(&scene, "Cancel")), (Caution, Safe));
    let scene = ask("Choose a size", "There are three.", "OK");
    assert_eq!((level(&scene, "OK"), level(&scene, "Cancel")), (Safe, Safe));
}

#[test]
fn what_stands_beside_a_vague_name() {
    let beside = |words: &'static str, name: &str| {
        let scene = page(vec![boxed(vec![text(words), button(name)]), text("Far away")]).scene();
        level(&scene, name)
    };
    assert_eq!(beside("Place your order: 30.00", "Continue"), Danger);
    assert_eq!(beside("Your card will be charged", "OK"), Danger);
    assert_eq!(beside("Place your order: 30.00", "Change colour"), Caution);
    assert_eq!(beside("Your parcel is on its way", "Continue"), Safe);
    assert_eq!(beside("Delete it?", "Cancel"), Safe);
}

#[test]
fn a_submit_flag_makes_no_danger_by_itself() {
    let scene = page(vec![button("Go").flag(Flag::Submits)]).scene();
    assert_eq!(level(&scene, "Go"), Safe);
}

#[test]
fn what_has_no_name_may_do_anything() {
    let check = |el: El, expected: RiskLevel| {
        let scene = page(vec![el]).form("get", "/search").form("post", "/x").scene();
        let affordance = &scene.items[0].affordance;
        assert_eq!(affordance.risk.level, expected, "{affordance:?}");
        assert_eq!(affordance.risk.reasons.is_empty(), expected == Safe);
    };
    let known = |id: &'static str| button("").set(|a| a.id = Some(id.into()));
    let leads = |href: &'static str| control("link", "").set(|a| a.href = Some(href.into()));
    check(button(""), Caution);
    check(clickable(vec![]), Caution);
    check(control("img", ""), Caution);
    check(button("\u{e872}"), Caution);
    check(button("\u{200b} "), Caution);
    check(known("b7"), Caution);
    check(known("save-and-close"), Caution);
    check(known("trash-5"), Danger);
    check(known("payNow"), Danger);
    check(button("").set(|a| a.test_id = Some("btn-3".into())), Caution);
    check(leads("#"), Caution);
    check(leads("javascript:void(0)"), Caution);
    check(leads("#").set(|a| a.id = Some("delete-5".into())), Danger);
    check(leads("/cart/remove?id=5"), Danger);
    check(submit("", 1), Caution);
    let scene = page(vec![button("")]).scene();
    assert_eq!(scene.items[0].affordance.risk.reasons, ["has no name"]);

    check(leads("/stories/5"), Safe);
    check(known("modal-close"), Safe);
    check(known("navToggle"), Safe);
    check(button("").flag(Flag::Popup), Safe);
    check(submit("", 0), Safe);
    check(button("×"), Safe);
    check(clickable(vec![text("×")]), Safe);
    check(clickable(vec![text("5")]), Safe);
    check(clickable(vec![boxed(vec![link("Story"), link("Comments")])]), Safe);
    check(control("label", ""), Safe);
    check(field(""), Safe);
    check(button("").set(|a| a.test_id = Some("carousel-left".into())), Safe);
}

#[test]
fn a_small_thing_in_the_corner_of_a_dialog_closes_it() {
    let dialog = |x: f32, y: f32, side: f32, says: &'static str| {
        let inner = vec![button("").at(x, y, side, side), text(says), button("Large")];
        let dialog = group(GroupKind::Modal, inner).at(200.0, 100.0, 600.0, 400.0);
        let scene = page(vec![group(GroupKind::Main, vec![link("a")]), dialog]).scene();
        level(&scene, "")
    };
    assert_eq!(dialog(760.0, 108.0, 32.0, "There are three sizes."), Safe);
    assert_eq!(dialog(760.0, 450.0, 32.0, "There are three sizes."), Caution);
    assert_eq!(dialog(220.0, 108.0, 32.0, "There are three sizes."), Caution);
    assert_eq!(dialog(600.0, 108.0, 200.0, "There are three sizes."), Caution);
    assert_eq!(dialog(760.0, 108.0, 32.0, "Delete it? This cannot be undone."), Danger);
}
