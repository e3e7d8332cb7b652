//! Pages of one look: together they are the whole, whatever cuts them.

use legwork_observe::{Look, ObserveError, tokens};
use legwork_types::{
    Code,
    contract::{ActionId, Cursor, Find, Observation, ObserveOptions, Scope},
};
use proptest::prelude::*;

use crate::{
    scenes::{steps, written},
    support::{Scribe, boundary, shop},
};

/// All pages from the first to the last.
fn all_pages(options: &ObserveOptions, page: impl Fn(&ObserveOptions) -> Observation) -> Vec<Observation> {
    let mut options = options.clone();
    let mut pages = Vec::new();
    loop {
        let page = page(&options);
        options.cursor = page.next_cursor.clone();
        assert_eq!(page.has_more, page.next_cursor.is_some());
        pages.push(page);
        if options.cursor.is_none() {
            return pages;
        }
        assert!(!pages.last().unwrap().affordances.is_empty(), "no way forward");
    }
}

fn numbers(pages: &[Observation]) -> Vec<ActionId> {
    pages.iter().flat_map(|page| &page.affordances).map(|one| one.action_id).collect()
}

fn options() -> impl Strategy<Value = ObserveOptions> {
    let scopes =
        prop_oneof![3 => Just(Scope::Document), 1 => Just(Scope::Viewport), 1 => Just(Scope::ModalOnly)];
    let find = proptest::option::weighted(0.2, "(button )?[a-e]".prop_map(Find::Text));
    (1_u32..30, any::<bool>(), any::<bool>(), scopes, find).prop_map(
        |(max_affordances, include_hidden, include_disabled, scope, find)| ObserveOptions {
            max_affordances,
            include_hidden,
            include_disabled,
            scope,
            find,
            ..ObserveOptions::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_partition_the_selection_and_nothing_is_uncounted(
        steps in steps(60), options in options(), budget in proptest::option::of(200_u32..1_500),
    ) {
        let look = written(&steps).look();
        let items = look.scene().items.len();
        let whole = ObserveOptions { max_affordances: 200, ..options.clone() };
        let whole = numbers(&all_pages(&whole, |options| look.observe(options, None).unwrap()));
        // A search lists what only its card speaks for after the rest.
        let restarts = whole.windows(2).filter(|two| two[0] >= two[1]).count();
        prop_assert!(restarts <= usize::from(options.find.is_some()), "in order of rank");
        let options = ObserveOptions { max_tokens: budget, ..options };
        let programs = all_pages(&options, |options| look.observe(options, None).unwrap());
        let models = all_pages(&options, |options| look.read(options, None, &boundary()).unwrap().observation);
        for pages in [programs, models] {
            prop_assert_eq!(&numbers(&pages), &whole);
            for page in &pages {
                let omitted = page.omitted;
                let counted = omitted.paged + omitted.hidden + omitted.disabled;
                prop_assert_eq!(page.affordances.len() + counted as usize, items);
                prop_assert!(page.affordances.len() <= options.max_affordances as usize);
            }
        }
    }

    #[test]
    fn every_view_keeps_its_budget_and_shows_a_control(steps in steps(80), budget in 200_u32..2_500) {
        let look = written(&steps).look();
        let mut options = ObserveOptions { max_tokens: Some(budget), max_affordances: 200, ..ObserveOptions::default() };
        loop {
            let reading = look.read(&options, None, &boundary()).unwrap();
            prop_assert!(tokens::estimate(&reading.text) <= budget, "{} of {budget}\n{}", tokens::estimate(&reading.text), reading.text);
            for one in &reading.observation.affordances {
                let begin = format!("{} ", one.action_id);
                prop_assert!(reading.text.lines().any(|line| line.trim_start().starts_with(&begin)), "{begin}\n{}", reading.text);
            }
            match reading.observation.next_cursor {
                None => break,
                cursor => options.cursor = cursor,
            }
        }
    }
}

#[test]
fn a_page_holds_as_many_as_asked_between_1_and_200() {
    let look = shop(150).look();
    for (asked, given) in [(0, 1), (1, 1), (50, 50), (200, 200), (9_999, 200)] {
        let options = ObserveOptions { max_affordances: asked, ..ObserveOptions::default() };
        assert_eq!(look.observe(&options, None).unwrap().affordances.len(), given, "{asked}");
    }
}

fn refused(look: &Look, options: &ObserveOptions) -> ObserveError {
    look.observe(options, None).unwrap_err()
}

#[test]
fn a_cursor_belongs_to_its_look_and_its_question() {
    let cursor = shop(20).named("o1").observe(&ObserveOptions::default(), None).unwrap().next_cursor;
    let with = |cursor: Option<Cursor>| ObserveOptions { cursor, ..ObserveOptions::default() };
    let (same, later) = (shop(20).named("o1"), shop(20).named("o2"));
    assert!(same.observe(&with(cursor.clone()), None).is_ok());

    let error = refused(&later, &with(cursor.clone()));
    assert_eq!(error.code(), Code::StaleObservation);
    let provided = cursor.clone().unwrap().0;
    assert_eq!(error, ObserveError::StaleCursor { current: later.id().clone(), provided });

    for made_up in
        ["", "o1", "o1+", "o1+x", "o1+0", "o1+9999", "o1+-5", "o1+5~zz", "+5", "o1+99999999999999999999999"]
    {
        let error = refused(&same, &with(Some(Cursor(made_up.into()))));
        assert_eq!(error.code(), Code::StaleObservation, "{made_up}");
    }
    let error = refused(&same, &ObserveOptions { scope: Scope::Viewport, ..with(cursor.clone()) });
    assert_eq!((error.clone(), error.code()), (ObserveError::OtherOptions, Code::ContractMismatch));
    let more = ObserveOptions { max_affordances: 9, ..with(cursor) };
    assert!(same.observe(&more, None).is_ok(), "how many come at once may change");
}

#[test]
fn a_cursor_of_a_search_goes_with_that_search_alone() {
    let look = shop(20).look();
    let search = ObserveOptions {
        find: Some(Find::Text("button add".into())),
        max_affordances: 5,
        ..ObserveOptions::default()
    };
    let cursor = look.observe(&search, None).unwrap().next_cursor;
    assert!(look.observe(&ObserveOptions { cursor: cursor.clone(), ..search.clone() }, None).is_ok());
    let other = ObserveOptions { find: Some(Find::Text("save".into())), cursor: cursor.clone(), ..search };
    assert_eq!(refused(&look, &other), ObserveError::OtherOptions);
    let none = ObserveOptions { cursor, ..ObserveOptions::default() };
    assert_eq!(refused(&look, &none), ObserveError::OtherOptions);
}

#[test]
fn a_page_without_controls_has_one_page() {
    let mut page = Scribe::default();
    page.text("Nothing to do here.");
    let look = page.look();
    let reading = look.read(&ObserveOptions::default(), None, &boundary()).unwrap();
    assert!(reading.text.contains("\"Nothing to do here.\""), "{}", reading.text);
    assert!(!reading.observation.has_more);
}
