//! Which page this is, what its elements are known by, and what was left out.

mod common;

use common::*;
use legwork_observe::{
    Scene,
    capture::{Flag, GroupKind, LeftOut},
};
use legwork_types::contract::{Fingerprint, LoadState};

fn prints(scene: &Scene) -> Vec<Fingerprint> {
    scene.items.iter().map(|item| item.affordance.fingerprint).collect()
}

#[test]
fn the_page_says_who_it_is() {
    let scene = page(vec![
        group(GroupKind::Nav, vec![link("Orders (2)").flag(Flag::Current), link("Profile")]),
        heading(2, "Hello"),
        heading(1, "Your orders (12)"),
    ])
    .url("https://shop.example:8443/orders/?token=s3cr3t&page=2#top")
    .titled("  Orders \n of yours ")
    .scene();
    let page = &scene.page;
    assert_eq!(page.domain, "shop.example:8443");
    assert_eq!(page.title, Some("Orders of yours".into()));
    assert_eq!(page.lang, Some("en".into()));
    assert_eq!(page.primary_heading, Some("Your orders (12)".into()));
    assert_eq!(page.load_state, LoadState::NetworkIdle);
    assert_eq!((page.viewport.width, page.viewport.height, page.viewport.page_height), (1000, 800, 3000));
    assert_eq!(page.route_key, Some("shop.example/orders/?page&token | Your orders | at Orders".into()));
}

#[test]
fn route_keys_tell_views_apart() {
    let key = |url: &str, body: Vec<El>| page(body).url(url).scene().page.route_key;
    let plain = key("https://a.example/x?id=1", vec![]);
    assert_eq!(plain, key("https://a.example/x?id=2#part", vec![]));
    assert_ne!(plain, key("https://a.example/y?id=1", vec![]));
    assert_ne!(plain, key("https://a.example/x?id=1#/inbox", vec![]));
    let open = group(GroupKind::Modal, vec![text("x")]).named("Edit");
    assert_ne!(plain, key("https://a.example/x?id=1", vec![open]));
}

#[test]
fn fingerprints_last_as_long_as_the_element_does() {
    let doc = |value: &str, x: f32, id: &str, state: Flag| {
        page(vec![
            field("Name").value(value).at(x, x, 50.0, 10.0).set(|a| a.id = Some(id.into())).flag(state),
            link("Home").set(|a| a.href = Some(format!("/home?visit={value}").into())),
        ])
        .scene()
    };
    let first = prints(&doc("a", 1.0, ":r1:", Flag::Focused));
    assert_eq!(first, prints(&doc("b", 300.0, ":r9:", Flag::Invalid)));
    assert_eq!(first, prints(&doc("a", 5000.0, "ember4812", Flag::Covered)));
    assert_ne!(first, prints(&doc("a", 1.0, "name", Flag::Focused)));
    // The same in every version: grants and playbooks keep them.
    assert_eq!(prints(&page(vec![button("Save")]).scene())[0].to_string(), "82b04038282ca614");
}

#[test]
fn twins_are_told_apart() {
    let card = |price: &'static str| boxed(vec![text(price), button("Add")]);
    let order = |prices: &[&'static str]| prints(&page(prices.iter().map(|p| card(p)).collect()).scene());
    let first = order(&["€ 1", "€ 2", "€ 3"]);
    assert!(first[0] != first[1] && first[1] != first[2]);
    let turned = order(&["€ 3", "€ 1", "€ 2"]);
    assert_eq!([turned[1], turned[2], turned[0]], [first[0], first[1], first[2]]);
    let same = prints(&page(vec![button("x"), button("x"), button("x")]).scene());
    assert!(same[0] != same[1] && same[1] != same[2] && same[0] != same[2]);
}

#[test]
fn what_was_left_out_is_counted() {
    let mut doc = page(vec![]);
    doc.left_out =
        LeftOut { hidden: 1, over_budget: 2, hidden_texts: 4, cut_texts: 8, closed_roots_unchecked: 16 };
    let omitted = doc.scene().omitted;
    assert_eq!((omitted.hidden, omitted.over_budget, omitted.hidden_text), (1, 10, 4));
    assert_eq!(omitted.closed_roots_unchecked, 16);
}

#[test]
fn an_element_is_another_one_where_it_would_be_sent_elsewhere_or_otherwise() {
    let identity = |button: El, method: &str, action: &str| {
        let scene = page(vec![field("A").form(0), button]).form(method, action).scene();
        scene.items[1].element.as_ref().map(|element| element.identity)
    };
    let plain = || submit("Go", 0);
    let same = identity(plain(), "get", "/find");
    assert_eq!(identity(plain(), "get", "/find"), same);
    for other in [
        identity(plain(), "post", "/find"),
        identity(plain(), "get", "/pay"),
        identity(plain().set(|a| a.form_action = Some("/pay".into())), "get", "/find"),
        identity(plain().set(|a| a.form_method = Some("post".into())), "get", "/find"),
        identity(plain().set(|a| a.presses = Some(Box::default())), "get", "/find"),
    ] {
        assert_ne!(other, same);
    }
}
