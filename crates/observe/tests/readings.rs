//! Landmarks, names, near texts, the outline, forms.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;

use common::*;
use legwork_observe::{
    Line, Scene,
    capture::{ControlState, Flag, GroupKind},
};
use legwork_types::contract::{
    Landmark::{self, *},
    ObserveOptions,
};

fn landmark(scene: &Scene, name: &str) -> Landmark {
    item(scene, name).affordance.landmark
}

#[test]
fn landmarks_of_a_page_with_all_parts() {
    let scene = page(vec![
        group(GroupKind::Header, vec![link("logo"), group(GroupKind::Search, vec![field("search")])]),
        group(GroupKind::Nav, vec![link("nav")]),
        group(GroupKind::Main, vec![link("main"), group(GroupKind::Header, vec![link("article head")])]),
        group(GroupKind::Aside, vec![text("Ad"), link("ad")]),
        group(GroupKind::Aside, vec![text("Total"), button("to the till")]),
        boxed(vec![link("loose"), text("x")]),
        group(GroupKind::Status, vec![text("Saved."), button("undo")]),
        group(GroupKind::Footer, vec![link("foot")]),
        group(GroupKind::Dialog, vec![text("Chat"), group(GroupKind::Nav, vec![button("chat")])]),
    ])
    .scene();
    for (name, expected) in [
        ("logo", Nav),
        ("search", Main),
        ("nav", Nav),
        ("main", Main),
        ("article head", Main),
        ("ad", Unknown),
        ("to the till", Main),
        ("loose", Unknown),
        ("undo", Banner),
        ("foot", Footer),
        ("chat", Modal),
    ] {
        assert_eq!(landmark(&scene, name), expected, "{name}");
    }
}

#[test]
fn a_page_without_a_main_part_is_main_all_over() {
    let scene = page(vec![
        group(GroupKind::Main, vec![]),
        group(GroupKind::Header, vec![link("logo")]),
        boxed(vec![link("loose"), group(GroupKind::Aside, vec![link("aside")])]),
        group(GroupKind::Footer, vec![link("foot")]),
    ])
    .scene();
    let found = ["logo", "loose", "aside", "foot"].map(|name| landmark(&scene, name));
    assert_eq!(found, [Nav, Main, Main, Footer]);
}

#[test]
fn names_fall_back_to_what_is_written_then_to_attributes() {
    let long = "A card with a very long text that goes on and on, and on, and on, and on, until nobody reads it any more at all";
    let scene = page(vec![
        clickable(vec![heading(3, "Red shoes"), text("€ 30"), button("Heart")]),
        clickable(vec![text(long)]),
        field("").set(|a| a.placeholder = Some("Your town".into())),
        field("").set(|a| a.name = Some("billing_postCode".into())),
        button("").set(|a| a.test_id = Some("open-menu".into())),
        button(""),
        button("Buy").with(vec![text("Buy"), text("in one click")]),
    ])
    .scene();
    let expected =
        ["Red shoes € 30", "Heart", "A card", "Your town", "billing post code", "open menu", "", "Buy"];
    for (name, expected) in names(&scene).iter().zip(expected) {
        assert!(name.starts_with(expected), "{name} {expected}");
    }
    assert!(names(&scene)[2].chars().count() <= 100);
    let texts: Vec<_> = scene
        .outline
        .iter()
        .filter_map(|line| match &line.line {
            Line::Text(text) | Line::Heading { text, .. } => Some(text.untrusted()),
            Line::Control(_) => None,
        })
        .collect();
    assert_eq!(texts, ["in one click"]);
    assert_eq!(scene.items[0].affordance.role, "clickable");
    assert_eq!(scene.page.primary_heading, Some("Red shoes".into()));
}

#[test]
fn roles_in_readable_words() {
    for (role, expected) in [
        ("DisclosureTriangle", "disclosure"),
        ("Date", "date"),
        ("InputTime", "time"),
        ("DateTime", "datetime"),
        ("ColorWell", "color"),
        ("LabelText", "label"),
        ("generic", "clickable"),
        ("button", "button"),
        ("menuitemcheckbox", "menuitemcheckbox"),
        ("SomethingNew", "somethingnew"),
    ] {
        assert_eq!(page(vec![control(role, "x")]).scene().items[0].affordance.role, expected);
    }
    let scene = page(vec![control("generic", "x").flag(Flag::Editable)]).scene();
    assert_eq!(scene.items[0].affordance.role, "textbox");
}

#[test]
fn the_outline_follows_the_document() {
    let scene = page(vec![
        heading(1, "Shop"),
        group(
            GroupKind::List,
            vec![group(
                GroupKind::Item,
                vec![group(GroupKind::Heading, vec![link("Shoes")]), text("€ 30"), button("Add")],
            )],
        ),
        text("The end"),
    ])
    .scene();
    let lines: Vec<_> = scene
        .outline
        .iter()
        .map(|line| match &line.line {
            Line::Heading { level, text } => format!("h{level} {}", text.untrusted()),
            Line::Text(text) => text.untrusted().to_owned(),
            Line::Control(item) => format!("[{}]", names(&scene)[*item]),
        })
        .collect();
    assert_eq!(lines, ["h1 Shop", "[Shoes]", "€ 30", "[Add]", "The end"]);
    let card = &scene.groups[scene.items[1].group];
    assert_eq!(card.kind, GroupKind::Item);
    assert_eq!(scene.groups[card.parent.expect("a list")].kind, GroupKind::List);
    assert!(scene.groups[0].parent.is_none());
}

#[test]
fn near_text_tells_a_control_from_its_like() {
    let card = |title: &'static str, price: &'static str| {
        group(GroupKind::Item, vec![heading(3, title), boxed(vec![text(price), button("Add to basket")])])
    };
    let row = |name: &'static str| {
        group(GroupKind::Row, vec![text(name), text("12 May"), button("Edit"), button("Delete")])
    };
    let scene = page(vec![
        group(GroupKind::List, vec![card("Red shoes", "€ 30"), card("Blue shoes", "€ 40")]),
        group(GroupKind::Table, vec![row("Invoice 17"), row("Invoice 18")]),
        group(GroupKind::Fieldset, vec![control("radio", "Yes"), control("radio", "No")]).named("Gift wrap?"),
        field("Email").set(|a| a.description = Some("Not a valid address".into())),
        boxed(vec![text("Some words before"), link("a unique link in a text"), text("and after.")]),
        boxed(vec![text("Save"), button("Save")]),
    ])
    .scene();
    let nears: Vec<_> = scene
        .items
        .iter()
        .map(|item| item.affordance.near_text.as_ref().map_or("-", |near| near.untrusted()))
        .collect();
    assert_eq!(
        nears,
        [
            "€ 30",
            "€ 40",
            "Invoice 17 · 12 May",
            "Invoice 17 · 12 May",
            "Invoice 18 · 12 May",
            "Invoice 18 · 12 May",
            "Gift wrap?",
            "Gift wrap?",
            "Not a valid address",
            "-",
            "-"
        ]
    );
}

#[test]
fn forms_of_the_document() {
    let scene = page(vec![
        heading(1, "Welcome"),
        group(
            GroupKind::Form,
            vec![
                heading(2, "Your address"),
                field("Street").form(0),
                control("checkbox", "Remember").form(0),
                button("Help").form(0),
                submit("Off", 0).flag(Flag::Disabled),
                submit("Go", 0),
            ],
        )
        .form(0),
        submit("Outside", 1),
    ])
    .form("post", "/address")
    .form("post", "/other")
    .scene();
    assert_eq!(scene.forms.len(), 2);
    assert_eq!(scene.forms[0].section, Some("Your address".into()));
    assert_eq!(
        scene.forms[0].fields.iter().map(|&i| names(&scene)[i]).collect::<Vec<_>>(),
        ["Street", "Remember"]
    );
    assert_eq!(scene.forms[0].submit.map(|i| names(&scene)[i]), Some("Go"));
    assert_eq!(item(&scene, "Help").form, Some(0));
    assert_eq!(scene.groups[item(&scene, "Street").group].form, Some(0));
    assert_eq!(scene.forms[1].submit.map(|i| names(&scene)[i]), Some("Outside"));
}

#[test]
fn what_looks_like_a_form_counts_as_one() {
    let scene = page(vec![
        heading(2, "Contact"),
        boxed(vec![field("Name"), boxed(vec![field("Message"), text("500 left")]), button("Send it off")]),
        boxed(vec![field("Search"), link("Help")]),
        group(
            GroupKind::Table,
            vec![group(GroupKind::Row, vec![control("checkbox", "a"), field("quantity"), button("Update")])],
        ),
    ])
    .scene();
    assert_eq!(scene.forms.len(), 1);
    assert_eq!(scene.forms[0].section, Some("Contact".into()));
    assert_eq!(scene.forms[0].submit.map(|i| names(&scene)[i]), Some("Send it off"));
    assert_eq!(item(&scene, "quantity").form, None);
}

#[test]
fn states_values_and_addresses() {
    let scene = page(vec![
        link("relative").set(|a| a.href = Some("../b?x=1#y".into())),
        link("script").set(|a| a.href = Some(format!("javascript:{}", "x".repeat(500)).into())),
        link("data").set(|a| a.href = Some(format!("data:text/html,{}", "x".repeat(500)).into())),
        link("login").set(|a| a.href = Some("https://me:hunter22@shop.example/".into())),
        field("value").value("line one\nline two"),
        control("checkbox", "box").value("on").state(ControlState(SEEN.0 | 2 << 8 | Flag::Required as u32)),
        field("limits").set(|a| {
            a.kind = Some("email".into());
            a.max_length = Some(20);
            a.pattern = Some("[a-z]+".into());
        }),
        control("combobox", "list").set(|a| {
            a.options = vec!["One".into(), "Two".into()];
            a.option_count = Some(9);
        }),
        button("ghost").flag(Flag::NoElement),
    ])
    .scene();
    let href = |name: &str| item(&scene, name).affordance.href.clone().expect("an address");
    assert_eq!(href("relative"), "https://shop.example/b?x=1#y".into());
    assert_eq!(href("script").untrusted().chars().count(), 200);
    assert_eq!(href("data").untrusted().chars().count(), 60);
    assert_eq!(href("login"), "https://shop.example/".into());
    assert_eq!(item(&scene, "value").affordance.value, Some("line one\nline two".into()));
    let tick = &item(&scene, "box").affordance;
    assert_eq!((tick.value.clone(), tick.required), (None, true));
    assert_eq!(tick.checked, Some(legwork_types::contract::Toggle::On));
    let limits = &item(&scene, "limits").affordance.constraints;
    assert_eq!((limits.kind.clone(), limits.max_length), (Some("email".into()), Some(20)));
    assert_eq!(item(&scene, "list").affordance.constraints.option_count, Some(9));
    let ghost = item(&scene, "ghost");
    assert!(!ghost.affordance.targetable && ghost.element.is_none());
}

#[test]
fn a_form_is_named_by_what_stands_above_its_fields() {
    let of = |inside: Vec<El>| {
        let form = group(GroupKind::Form, inside).form(0);
        let scene = page(vec![heading(1, "Members"), form]).form("post", "/x").scene();
        scene.forms[0].section.clone()
    };
    let fields = || vec![field("Name").form(0), field("Town").form(0)];
    let set = |inside: Vec<El>| group(GroupKind::Fieldset, inside).named("Person");
    for (what, inside, expected) in [
        ("a heading above", vec![vec![heading(2, "Join")], fields()], "Join"),
        ("a heading below", vec![fields(), vec![heading(2, "Not a member yet?")]], "Members"),
        ("all in one fieldset", vec![vec![set(fields())]], "Person"),
        ("some in a fieldset", vec![vec![set(fields()), field("Voucher").form(0)]], "Members"),
    ] {
        let inside = inside.into_iter().flatten().collect();
        assert_eq!(of(inside), Some(expected.into()), "{what}");
    }
}

/// The controls of a page with a main part and a foot in sight, in the order of their numbers.
fn order_with(bar: El) -> Vec<String> {
    let below = button("Reviews").state(ControlState(Flag::Visible as u32)).at(10.0, 2_000.0, 100.0, 20.0);
    let doc = page(vec![
        group(GroupKind::Main, vec![heading(1, "Kettle"), link("Photo"), below]),
        bar,
        group(GroupKind::Footer, vec![link("Imprint")]),
    ]);
    let observation = read(&look(&doc.capture()), &ObserveOptions::default()).observation;
    observation.affordances.iter().map(|one| one.name.untrusted().to_owned()).collect()
}

#[test]
fn a_bar_to_buy_that_is_always_in_sight_ranks_like_the_matter() {
    let bar = |kind: GroupKind, el: El| group(kind, vec![text("€ 39.90"), el]).at(0.0, 720.0, 1000.0, 80.0);
    for (kind, el) in [
        (GroupKind::Generic, button("Buy now")),
        (GroupKind::Generic, link("Zur Kasse (2)")),
        (GroupKind::Footer, button("Add to basket")),
        (GroupKind::Region, button("カートに入れる")),
    ] {
        let fixed = order_with(bar(kind, el.clone()).fixed());
        assert_eq!((&*fixed[0], &*fixed[2], &*fixed[3]), ("Photo", "Reviews", "Imprint"), "{fixed:?}");
    }
    // Not what merely stands there, at the top, or over half of the page, nor ways to other pages.
    let buy = || button("Buy now");
    let last = |bar: El| order_with(bar).pop().expect("four controls");
    assert_eq!(last(bar(GroupKind::Generic, buy())), "Buy now");
    assert_eq!(last(bar(GroupKind::Generic, buy()).fixed().at(0.0, 0.0, 1000.0, 80.0)), "Buy now");
    assert_eq!(last(bar(GroupKind::Generic, buy()).fixed().at(0.0, 300.0, 1000.0, 500.0)), "Buy now");
    assert_eq!(order_with(bar(GroupKind::Nav, link("Order")).fixed())[2], "Order");
    // Nor other bars.
    for el in [button("Chat with us"), button("Send"), button("Cookie settings"), link("Get the app")] {
        let order = order_with(bar(GroupKind::Generic, el).fixed());
        assert_eq!((&*order[0], &*order[1], &*order[2]), ("Photo", "Reviews", "Imprint"), "{order:?}");
    }
}

#[test]
fn hints_and_legends_are_about_their_own_fields() {
    let hint = |words: &str| field("Wishes").set(|a| a.description = Some(words.into())).form(0);
    let stay = |words: &'static str| {
        let fieldset = group(GroupKind::Fieldset, vec![text("Breakfast"), control("radio", "With").form(0)]);
        let inside = vec![
            field("Name").form(0),
            fieldset.named("Breakfast"),
            hint(words),
            text(words),
            text("Total € 80"),
            submit("Book", 0),
        ];
        let form = group(GroupKind::Form, inside).form(0);
        page(vec![boxed(vec![heading(1, "A room"), form])]).form("post", "/x").scene()
    };
    let scene = stay("At most 500 characters.");
    let found = ["With", "Wishes", "Book"].map(|name| near(&scene, name));
    assert_eq!(found, [Some("Breakfast"), Some("At most 500 characters."), Some("Total € 80")]);
    // What warns is for all that stand near.
    let scene = stay("Your card will be charged.");
    assert_eq!(near(&scene, "Book"), Some("Your card will be charged. · Total € 80"));
    // Around its form nothing is about a field, unless there is another one like it.
    let alone = |name: &str| boxed(vec![heading(2, "Tea"), group(GroupKind::Form, vec![field(name)])]);
    assert_eq!(near(&page(vec![alone("Amount")]).scene(), "Amount"), None);
    let twins = page(vec![alone("Amount"), boxed(vec![field("Amount")])]).scene();
    assert_eq!(near(&twins, "Amount"), Some("Tea"));
}

#[test]
fn fields_of_a_table_without_a_name_are_called_after_their_column() {
    let row = |cells: Vec<El>| group(GroupKind::Row, cells);
    let table = |head: Vec<El>, cells: Vec<El>| {
        let scene = page(vec![group(GroupKind::Table, vec![row(head), row(cells)])]).scene();
        names(&scene).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let head = || vec![text("Product"), button("Quantity"), text("Note")];
    let fields = |note: El| vec![text("Tea"), boxed(vec![field("")]), note];
    let known = |el: El| el.set(|a| a.name = Some("row_1_n".into()));
    assert_eq!(table(head(), fields(known(field("")))), ["Quantity", "Quantity", "Note"]);
    // A name of its own, or what its attributes say to people, comes first.
    assert_eq!(table(head(), fields(field("Wishes"))), ["Quantity", "Quantity", "Wishes"]);
    let asks = field("").set(|a| a.placeholder = Some("Any wishes?".into()));
    assert_eq!(table(head(), fields(asks)), ["Quantity", "Quantity", "Any wishes?"]);
    // Where the cells don't tell the columns, where the first row is one of many, and for what is no field.
    let wide = vec![text("Tea"), text("green"), field(""), field("")];
    assert_eq!(table(head(), wide), ["Quantity", "", ""]);
    let first = vec![text("Tea"), field("Amount"), text("hot")];
    assert_eq!(table(first, fields(field(""))), ["Amount", "", ""]);
    assert_eq!(table(head(), fields(button(""))), ["Quantity", "Quantity", ""]);
}

#[test]
fn the_text_of_a_long_link_is_not_missed_where_the_link_is_listed() {
    let long = "word by word a very long story is told in one link ".repeat(12).leak().trim_end();
    let after = |name: &str, words: &'static str| {
        let doc = page(vec![link(name).with(vec![heading(2, "News"), text(words)]), text("Other words")]);
        let reading = read(&look(&doc.capture()), &ObserveOptions::default());
        (reading.text.matches("very long story").count(), reading.observation.omitted.over_budget)
    };
    let (shown, left_out) = after(&format!("News {long}"), long);
    assert!(shown > 0 && left_out == 0, "{shown} {left_out}");
    let (alone, _) = after("News", long);
    assert!(alone > 0, "what no name says is said");
    assert_eq!(after(&format!("News {long}"), long).0, after(&format!("News {long}"), "News").0);
}
