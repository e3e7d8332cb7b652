//! The order of any page: total, by the keys that are documented, by nothing else.

use legwork_types::contract::{
    ActionId, ElementRect, Fingerprint, FrameNumber,
    Landmark::{self, *},
    RiskLevel, Toggle,
};
use proptest::{collection::vec, prelude::*, sample::select};

use crate::support::Scribe;

/// All of a control that its rank may depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Facts {
    landmark: Landmark,
    in_viewport: bool,
    visible: bool,
    disabled: bool,
    /// What makes it the twin of another.
    identity: (&'static str, &'static str, Option<&'static str>),
}

/// Some of what its rank may not depend on.
#[derive(Debug, Clone)]
struct Trimmings {
    number: u64,
    flags: [bool; 6],
    risk: RiskLevel,
    words: String,
}

fn facts() -> impl Strategy<Value = Facts> {
    let landmark = select(vec![Modal, Banner, Main, Nav, Footer, Unknown]);
    let identity = (
        select(vec!["link", "button"]),
        select(vec!["", " ", "Cart", "Help"]),
        select(vec![None, Some("/cart"), Some("/help")]),
    );
    (landmark, any::<bool>(), any::<bool>(), any::<bool>(), identity).prop_map(
        |(landmark, in_viewport, visible, disabled, identity)| Facts {
            landmark,
            in_viewport,
            visible,
            disabled,
            identity,
        },
    )
}

fn trimmings() -> impl Strategy<Value = Trimmings> {
    let risk = select(vec![RiskLevel::Safe, RiskLevel::Caution, RiskLevel::Danger]);
    (any::<u64>(), any::<[bool; 6]>(), risk, "[a-z ]{0,9}")
        .prop_map(|(number, flags, risk, words)| Trimmings { number, flags, risk, words })
}

/// Where the order of a page puts each of its controls, by their place in the document.
fn order(page: &[(Facts, Trimmings)]) -> Vec<usize> {
    let mut scribe = Scribe::default();
    for (facts, trimmings) in page {
        let (role, name, href) = facts.identity;
        scribe.text(&trimmings.words);
        let one = scribe.control(role, name);
        one.landmark = facts.landmark;
        (one.in_viewport, one.visible, one.disabled) = (facts.in_viewport, facts.visible, facts.disabled);
        one.href = href.map(Into::into);
        let [focused, required, invalid, covered, sensitive, pressed] = trimmings.flags;
        (one.focused, one.required, one.invalid) = (focused, required, invalid);
        (one.covered, one.sensitive) = (covered, sensitive);
        one.pressed = pressed.then_some(Toggle::On);
        one.risk.level = trimmings.risk;
        one.value = Some(trimmings.words.as_str().into());
        one.near_text = Some(trimmings.words.as_str().into());
        one.fingerprint = Fingerprint(trimmings.number);
        let place = (trimmings.number % 5_000) as i32;
        one.rect = Some(ElementRect { x: place, y: -place, width: place, height: 1 });
        one.frame_id = Some(FrameNumber(place as u32 % 3)).filter(|frame| frame.0 > 0);
    }
    let look = scribe.look();
    let element = |n| look.element(ActionId(n)).map(|element| element.index as usize);
    (1..).map_while(element).collect()
}

/// How far from the best a part of the page is; a second way comes after every first one but before what is in no part,
/// and where it stands in the foot, with that.
fn part(page: &[(Facts, Trimmings)], place: usize) -> usize {
    let parts = [Modal, Banner, Main, Nav, Footer];
    let rank = |landmark: Landmark| parts.iter().position(|part| *part == landmark).unwrap_or(6);
    let facts = &page[place].0;
    let leads_there_too = |(other, _): &(Facts, Trimmings)| {
        other.visible && other.identity == facts.identity && rank(other.landmark) < rank(facts.landmark)
    };
    let has_name = !facts.identity.1.trim().is_empty();
    match facts.landmark {
        Nav if has_name && page.iter().any(leads_there_too) => 5,
        Footer if has_name && page.iter().any(leads_there_too) => 6,
        landmark => rank(landmark),
    }
}

/// The documented keys, the first one first: part of the page, in sight, visible, enabled, place in the document.
fn keys(page: &[(Facts, Trimmings)], place: usize) -> (usize, bool, bool, bool, usize) {
    let facts = &page[place].0;
    (part(page, place), !facts.in_viewport, !facts.visible, facts.disabled, place)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn every_control_has_one_number_and_every_pair_is_in_order(page in vec((facts(), trimmings()), 0..24)) {
        let order = order(&page);
        let mut places = order.clone();
        places.sort_unstable();
        prop_assert_eq!(places, (0..page.len()).collect::<Vec<_>>());
        for pair in order.windows(2) {
            let (better, worse) = (keys(&page, pair[0]), keys(&page, pair[1]));
            prop_assert!(better < worse, "{:?} before {:?}", better, worse);
        }
    }

    #[test]
    fn nothing_else_counts(
        (facts, first, second) in (0usize..24).prop_flat_map(|count| {
            (vec(facts(), count), vec(trimmings(), count), vec(trimmings(), count))
        }),
    ) {
        let with = |trimmings: &[Trimmings]| {
            order(&facts.iter().cloned().zip(trimmings.iter().cloned()).collect::<Vec<_>>())
        };
        let expected = with(&first);
        prop_assert_eq!(&with(&first), &expected, "a second run");
        prop_assert_eq!(&with(&second), &expected, "other trimmings");
        let permuted: Vec<_> = first.iter().rev().cloned().collect();
        prop_assert_eq!(&with(&permuted), &expected, "trimmings of others");
    }

    #[test]
    fn what_is_added_last_leaves_the_others_in_their_order(
        page in vec((facts(), trimmings()), 1..24),
        more in (facts(), trimmings()),
    ) {
        // A name of its own is nobody's twin.
        let mut longer = page.clone();
        longer.push((Facts { identity: ("button", "Alone", None), ..more.0 }, more.1));
        let mut after = order(&longer);
        after.retain(|&place| place < page.len());
        prop_assert_eq!(after, order(&page));
    }
}
