//! What stands around controls is told with them, as far as the budget goes.

use legwork_observe::{Look, capture::GroupKind, tokens};
use legwork_types::contract::ObserveOptions;

use crate::support::{Scribe, boundary};

/// An article of twelve chapters with two paragraphs each and 145 links; every chapter is written after one pattern.
fn article() -> Look {
    let mut page = Scribe::new("On lamps");
    page.control("link", "Contents");
    page.within(GroupKind::Main, "", |page| {
        for chapter in 1..=12 {
            page.within(GroupKind::Generic, "", |page| {
                page.heading(2, &format!("Chapter {chapter}"));
                for paragraph in 1..=2 {
                    page.within(GroupKind::Generic, "", |page| {
                        for link in 1..=6 {
                            page.text(&format!("The lamp of kind {chapter} was first described in"));
                            page.control("link", &format!("source {chapter}.{paragraph}.{link}"));
                        }
                        page.text("and has been in use since then in many houses of the country.");
                    });
                }
            });
        }
    });
    page.look()
}

/// Sixty cards with a link, an excerpt and a button each.
fn cards(excerpt: impl Fn(usize) -> String) -> Look {
    let mut page = Scribe::new("News");
    page.within(GroupKind::Main, "", |page| {
        for card in 1..=60 {
            page.within(GroupKind::Item, "", |page| {
                page.control("link", &format!("Article {card}"));
                page.within(GroupKind::Generic, "", |page| {
                    page.text(&excerpt(card));
                });
                page.control("button", "Save");
            });
        }
    });
    page.look()
}

fn first(look: &Look) -> String {
    look.read(&ObserveOptions::default(), None, &boundary()).unwrap().text
}

fn alike(card: usize) -> String {
    format!(
        "How the council came to the decision number {card} about the old bridge over the river, and what the people who live there think of it today."
    )
}

#[test]
fn the_first_part_of_an_article_has_its_sentences() {
    let text = first(&article());
    assert!(
        text.contains("\"The lamp of kind 1 was first described in\"\n2 link \"source 1.1.1\""),
        "{text}"
    );
    assert!(text.contains("\"The lamp of kind 4 was first described in\""), "{text}");
    let cost = tokens::estimate(&text);
    assert!((1_000..=2_000).contains(&cost), "{cost}");
}

#[test]
fn cards_come_with_their_excerpts_though_these_are_much_alike() {
    let text = first(&cards(alike));
    for card in 1..=25 {
        assert!(text.contains(&format!("decision number {card} about")), "{card}: {text}");
    }
    assert!(tokens::estimate(&text) <= 2_000, "{text}");
}

#[test]
fn what_every_card_repeats_takes_only_what_is_left_of_the_first_part() {
    let same = |_: usize| alike(0);
    let look = cards(same);
    let reading = look.read(&ObserveOptions::default(), None, &boundary()).unwrap();
    assert!(reading.text.contains("decision number 0"), "{}", reading.text);
    assert!(tokens::estimate(&reading.text) <= 1_300, "{}", reading.text);
    let next = ObserveOptions { cursor: reading.observation.next_cursor, ..ObserveOptions::default() };
    let next = look.read(&next, None, &boundary()).unwrap().text;
    assert!(!next.contains("decision"), "{next}");
}

#[test]
fn short_captions_after_one_pattern_are_left_to_whoever_asks() {
    let text = first(&cards(|card| format!("Ships from stock in {card} days. Free returns.")));
    assert!(!text.contains("Ships"), "{text}");
    assert!(text.contains("not shown: 25 texts"), "{text}");
}

#[test]
fn cells_of_a_row_are_no_running_text() {
    let mut page = Scribe::new("Jobs");
    page.within(GroupKind::Table, "", |page| {
        for row in 1..=60 {
            page.within(GroupKind::Row, "", |page| {
                page.control("link", &format!("Job {row}"));
                [
                    "queued",
                    "in the yard",
                    "north side",
                    "by hand",
                    "low",
                    "weekly",
                    "no notes",
                    "nobody",
                    "open",
                    "paid",
                    "by rail",
                ]
                .iter()
                .for_each(|cell| {
                    page.text(cell);
                });
            });
        }
    });
    let text = first(&page.look());
    assert!(!text.contains("by hand"), "{text}");
}
