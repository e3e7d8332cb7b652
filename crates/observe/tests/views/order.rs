//! Which controls come first.

use legwork_observe::capture::GroupKind;
use legwork_types::contract::{ActionId, Landmark};

use crate::support::Scribe;

fn names(page: Scribe) -> Vec<String> {
    let look = page.look();
    (1..).map_while(|n| look.affordance(ActionId(n))).map(|one| one.name.untrusted().to_owned()).collect()
}

#[test]
fn dialogs_come_before_notices_before_the_matter_before_navigation_before_the_foot() {
    let mut page = Scribe::default();
    page.within(GroupKind::Footer, "", |page| {
        page.control("link", "Imprint");
    });
    page.within(GroupKind::Nav, "", |page| {
        page.control("link", "Home");
    });
    page.control("button", "Elsewhere").landmark = Landmark::Unknown;
    page.within(GroupKind::Main, "", |page| {
        page.control("button", "Buy");
    });
    page.within(GroupKind::Alert, "", |page| {
        page.control("button", "Dismiss");
    });
    page.within(GroupKind::Modal, "", |page| {
        page.control("button", "Accept");
    });
    assert_eq!(names(page), ["Accept", "Dismiss", "Buy", "Home", "Imprint", "Elsewhere"]);
}

#[test]
fn within_a_part_what_is_in_sight_comes_first_then_what_can_be_used() {
    let mut page = Scribe::default();
    page.control("button", "Below").in_viewport = false;
    page.control("button", "Off").disabled = true;
    page.control("button", "Here");
    let hidden = page.control("button", "Hidden");
    (hidden.visible, hidden.in_viewport) = (false, false);
    page.within(GroupKind::Footer, "", |page| {
        page.control("link", "Foot in sight");
    });
    assert_eq!(names(page), ["Here", "Off", "Below", "Hidden", "Foot in sight"]);
}

#[test]
fn a_second_way_in_navigation_comes_after_everything_that_is_the_first() {
    let mut page = Scribe::default();
    page.within(GroupKind::Nav, "", |page| {
        page.control("link", "Cart").href = Some("/cart".into());
        page.control("link", "Help").href = Some("/help".into());
    });
    page.within(GroupKind::Footer, "", |page| {
        page.control("link", "Help").href = Some("/help".into());
        page.control("link", "Jobs").href = Some("/jobs".into());
    });
    page.control("link", "Cart").href = Some("/cart".into());
    let look = page.look();
    let order: Vec<_> = (1..=5).filter_map(|n| look.affordance(ActionId(n))).collect();
    let order: Vec<_> = order.iter().map(|one| (one.name.untrusted(), one.landmark)).collect();
    assert_eq!(
        order,
        [
            ("Cart", Landmark::Main),
            ("Help", Landmark::Nav),
            ("Jobs", Landmark::Footer),
            ("Cart", Landmark::Nav),
            ("Help", Landmark::Footer),
        ]
    );
}

#[test]
fn a_number_leads_to_its_element() {
    let mut page = Scribe::default();
    page.within(GroupKind::Nav, "", |page| {
        page.control("link", "Home");
    });
    page.control("button", "Buy");
    let look = page.look();
    assert_eq!(look.element(ActionId(1)).map(|element| element.index), Some(1));
    assert_eq!(look.element(ActionId(2)).map(|element| element.index), Some(0));
    assert_eq!((look.element(ActionId(0)), look.element(ActionId(3))), (None, None));
}
