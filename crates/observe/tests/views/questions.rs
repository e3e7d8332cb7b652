//! Scope, find, within, hidden and disabled things.

use legwork_observe::{Look, ObserveError, capture::GroupKind};
use legwork_types::contract::{ActionId, Find, Landmark, ObserveOptions, Scope, Within};

use crate::support::Scribe;

fn usual() -> ObserveOptions {
    ObserveOptions::default()
}

fn names(look: &Look, options: &ObserveOptions) -> Vec<String> {
    let observation = look.observe(options, None).unwrap();
    observation.affordances.iter().map(|one| one.name.untrusted().to_owned()).collect()
}

fn page() -> Look {
    let mut page = Scribe::default();
    page.within(GroupKind::Nav, "", |page| {
        page.control("link", "Café");
    });
    page.within(GroupKind::Table, "", |page| {
        for city in ["Oslo", "Lima"] {
            page.within(GroupKind::Row, "", |page| {
                page.text(city);
                page.control("link", &format!("Order {city}"));
                page.within(GroupKind::Generic, "", |page| {
                    page.control("button", "Cancel").near_text = Some(city.into());
                });
            });
        }
    });
    page.within(GroupKind::Form, "", |page| {
        page.control("textbox", "Name").value = Some("Łukasz".into());
        page.control("button", "Link account");
    });
    page.control("button", "Off").disabled = true;
    page.control("button", "Secret").visible = false;
    page.control("button", "Far below").in_viewport = false;
    page.within(GroupKind::Modal, "", |page| {
        page.control("button", "Close");
    });
    page.look()
}

#[test]
fn words_are_found_without_case_and_accents() {
    let look = page();
    for (words, found) in [
        ("cafe", vec!["Café"]),
        ("CAFÉ", vec!["Café"]),
        ("lukasz", vec!["Name"]),
        ("cancel oslo", vec!["Cancel"]),
        ("button cancel", vec!["Cancel", "Cancel"]),
        ("link order", vec!["Order Oslo", "Order Lima"]),
        ("link account", vec!["Link account"]),
        ("field name", vec!["Name"]),
        ("no such thing", vec![]),
    ] {
        let options = ObserveOptions { find: Some(Find::Text(words.into())), ..usual() };
        assert_eq!(names(&look, &options), found, "{words}");
    }
    let find = Find::RoleAndName { role: "button".into(), name: "account".into() };
    assert_eq!(names(&look, &ObserveOptions { find: Some(find), ..usual() }), ["Link account"]);
}

/// Twenty articles with an excerpt each, and a link whose name has words of one excerpt.
fn articles() -> Look {
    let mut page = Scribe::default();
    page.within(GroupKind::Main, "", |page| {
        for nth in 1..=20 {
            page.within(GroupKind::Item, "", |page| {
                page.control("link", &format!("Article {nth}"));
                page.within(GroupKind::Generic, "", |page| {
                    page.text(&format!("What to know about the setting number {nth} of the machine"));
                });
                page.control("button", "Save");
            });
        }
        page.control("link", "All about setting number 12");
        page.control("button", "Button for articles");
    });
    page.look()
}

#[test]
fn words_of_a_card_find_its_controls_after_those_with_the_words_in_their_name() {
    let look = articles();
    for (words, found) in [
        ("setting number 12", vec!["All about setting number 12", "Article 12", "Save"]),
        ("save machine 17", vec!["Save"]),
        ("button number 12", vec!["Save"]),
        ("button for machine 3 article", vec![]),
        // A name goes before a card that happens to hold the word behind the role.
        ("button for articles", vec!["Button for articles"]),
        ("setting 99", vec![]),
    ] {
        let options = ObserveOptions { find: Some(Find::Text(words.into())), ..usual() };
        assert_eq!(names(&look, &options), found, "{words}");
    }
    let find = Find::RoleAndName { role: "button".into(), name: "machine".into() };
    assert!(names(&look, &ObserveOptions { find: Some(find), ..usual() }).is_empty(), "only names count");
}

#[test]
fn hits_by_words_of_a_card_are_read_part_by_part() {
    let look = articles();
    let find = Some(Find::Text("number 1".into()));
    let mut options = ObserveOptions { find, max_affordances: 3, ..usual() };
    let mut all = Vec::new();
    loop {
        let part = look.observe(&options, None).unwrap();
        all.extend(part.affordances.iter().map(|one| one.action_id));
        match part.next_cursor {
            None => break,
            cursor => options.cursor = cursor,
        }
    }
    // The link by its name, and two controls each of 1 and 10 to 19.
    assert_eq!(all.len(), 1 + 2 * 11);
    assert_eq!(all.iter().collect::<std::collections::HashSet<_>>().len(), all.len());
}

#[test]
fn a_crowd_of_controls_is_no_card() {
    let mut page = Scribe::default();
    page.within(GroupKind::Item, "", |page| {
        page.text("Flicker is a matter of contacts");
        (0..40).for_each(|nth| {
            page.control("link", &format!("Source {nth}"));
        });
    });
    let options = ObserveOptions { find: Some(Find::Text("flicker".into())), ..usual() };
    assert!(names(&page.look(), &options).is_empty());
}

#[test]
fn a_question_can_be_about_a_row_a_form_or_a_part_of_the_page() {
    let look = page();
    let number = |name: &str| {
        let observation = look.observe(&usual(), None).unwrap();
        observation.affordances.iter().find(|one| one.name.untrusted() == name).unwrap().action_id
    };
    for (within, found) in [
        (Within::Action(number("Order Lima")), vec!["Order Lima", "Cancel"]),
        (Within::Action(number("Name")), vec!["Name", "Link account"]),
        (Within::Action(number("Close")), vec!["Close"]),
        (Within::Landmark(Landmark::Nav), vec!["Café"]),
        (Within::Landmark(Landmark::Footer), vec![]),
    ] {
        assert_eq!(names(&look, &ObserveOptions { within: Some(within), ..usual() }), found, "{within:?}");
    }
    let missing =
        look.observe(&ObserveOptions { within: Some(Within::Action(ActionId(99))), ..usual() }, None);
    let error = missing.unwrap_err();
    assert_eq!(error, ObserveError::UnknownAction { current: look.id().clone(), action: ActionId(99) });
    assert_eq!(error.code().as_str(), "ACTION_NOT_FOUND");
}

#[test]
fn a_row_or_card_is_one_however_few_controls_it_has() {
    let mut page = Scribe::default();
    page.within(GroupKind::Nav, "", |page| {
        for name in ["Home", "Help"] {
            page.within(GroupKind::Item, "", |page| {
                page.control("link", name);
            });
        }
    });
    page.within(GroupKind::List, "", |page| {
        for (name, price) in [("Lamp", "12 EUR"), ("Kettle", "20 EUR")] {
            page.within(GroupKind::Item, "", |page| {
                page.heading(3, name).text(price);
                page.within(GroupKind::Generic, "", |page| {
                    page.control("button", &format!("Buy {name}"));
                });
            });
        }
    });
    // A form around the whole table does not make the row less of a row.
    page.within(GroupKind::Form, "", |page| {
        for order in ["Order 1", "Order 2"] {
            page.within(GroupKind::Row, "", |page| {
                page.text(order);
                page.control("button", &format!("Cancel {order}"));
            });
        }
        page.within(GroupKind::Row, "", |page| {
            page.text("As on your card");
            page.control("textbox", "Owner");
        });
    });
    for nth in 1..=4 {
        page.within(GroupKind::Generic, "", |page| {
            page.text(&format!("Tile {nth}"));
            page.within(GroupKind::Generic, "", |page| {
                page.control("button", &format!("Open {nth}"));
            });
        });
    }
    let look = page.look();
    let all = look.observe(&usual(), None).unwrap().affordances;
    for (name, found) in [
        ("Buy Kettle", vec!["Buy Kettle"]),
        ("Cancel Order 2", vec!["Cancel Order 2"]),
        ("Open 3", vec!["Open 3"]),
        // What is no more than its one control is no answer.
        ("Help", vec!["Home", "Help"]),
        // A field alone in its row is a line of its form.
        ("Owner", vec!["Cancel Order 1", "Cancel Order 2", "Owner"]),
    ] {
        let number = all.iter().find(|one| one.name.untrusted() == name).unwrap().action_id;
        let options = ObserveOptions { within: Some(Within::Action(number)), ..usual() };
        assert_eq!(names(&look, &options), found, "{name}");
    }
}

#[test]
fn scope_hidden_and_disabled_are_as_asked_and_counted() {
    let look = page();
    let all = 11;
    let cases = [
        (usual(), 9 + 1, 0, 1, 0),
        (ObserveOptions { include_hidden: true, ..usual() }, 11, 0, 0, 0),
        (ObserveOptions { include_disabled: false, ..usual() }, 9, 0, 1, 1),
        (ObserveOptions { scope: Scope::ModalOnly, ..usual() }, 1, 10, 0, 0),
        (ObserveOptions { scope: Scope::Viewport, ..usual() }, 9, 1, 1, 0),
    ];
    for (options, listed, paged, hidden, disabled) in cases {
        let observation = look.observe(&options, None).unwrap();
        let omitted = observation.omitted;
        let counts = (observation.affordances.len(), omitted.paged, omitted.hidden, omitted.disabled);
        assert_eq!(counts, (listed, paged, hidden, disabled), "{options:?}");
        assert_eq!(listed + (paged + hidden + disabled) as usize, all);
    }
}

#[test]
fn forms_and_boxes_come_by_number_and_on_request() {
    let look = page();
    let observation = look.observe(&usual(), None).unwrap();
    let named = |action: ActionId| look.affordance(action).unwrap().name.untrusted();
    let [form] = &observation.forms[..] else { panic!("{:?}", observation.forms) };
    assert_eq!(form.form_id, "form1");
    assert_eq!(form.submit_action_id.map(named), Some("Link account"));
    assert_eq!(form.fields.iter().map(|field| named(field.action_id)).collect::<Vec<_>>(), ["Name"]);
    assert!(observation.affordances.iter().all(|one| one.rect.is_none()));
    let nav = ObserveOptions { within: Some(Within::Landmark(Landmark::Nav)), ..usual() };
    assert!(look.observe(&nav, None).unwrap().forms.is_empty());
    let boxes = ObserveOptions { include: vec![legwork_types::contract::Include::Boxes], ..usual() };
    assert!(look.observe(&boxes, None).unwrap().affordances.iter().all(|one| one.rect.is_some()));
}
