//! What a page of somebody else's browser shows of the end and of a service, and what whoever is asked is told of it. Pure; what was left out or could not be read is
//! unknown, and never taken for absent.

use legwork_agent::{
    Seeing,
    service::{Element, Seen, ServiceRules, Signs},
};
use legwork_observe::on_one_line;
use legwork_types::contract::ActionId;

use super::{ForeignPage, view, wants};

/// As much of a page is searched, in characters.
const ALL: usize = 200_000;

/// How much of a name or of a dialog somebody is told, in characters.
const TOLD: usize = 100;

/// What all elements are, by their numbers, where a service asks about some: the view may not show the one that is meant.
pub(super) fn named(page: &ForeignPage, seeing: Seeing<'_>) -> Vec<(u32, String)> {
    let asks = seeing.errand.spec().service.is_some();
    let called = page
        .controls()
        .map(|(at, part)| (at, format!("{} {}", part.role, on_one_line(part.name.untrusted(), TOLD))));
    if asks { called.collect() } else { vec![] }
}

/// What an open dialog says, where a service asks about answers to it.
pub(super) fn dialog(page: &ForeignPage, seeing: Seeing<'_>) -> Option<String> {
    seeing.errand.spec().service.as_ref()?;
    page.dialog.as_ref().map(|says| on_one_line(says.untrusted(), TOLD))
}

/// All the words of a page, and whether these are not really all; no words where nothing is known of it.
pub(super) fn all_words(page: &ForeignPage) -> (Option<String>, bool) {
    let words = view::words(page, None);
    let is_cut = page.cut || words.as_ref().is_none_or(|words| words.chars().nth(ALL).is_some());
    (words.map(|words| words.chars().take(ALL).collect()), is_cut)
}

/// What a page shows of a service; none where nothing is known of it.
pub(super) fn signs(page: &ForeignPage, rules: &ServiceRules) -> Option<Signs> {
    let (words, is_cut) = all_words(page);
    let words = words?;
    let controls = || page.controls();
    let elements: Vec<Element<'_>> =
        controls().map(|(_, part)| Element { role: &part.role, name: part.name.untrusted() }).collect();
    let numbers: Vec<ActionId> = controls().map(|(number, _)| ActionId(number)).collect();
    let seen = Seen {
        url: page.url.untrusted(),
        words: Some(&words),
        is_cut,
        elements: (!page.is_unlisted).then_some(&elements),
        tool: None,
        acted: None,
    };
    Some(Signs::of(rules, &seen, &numbers, wants::of(page)))
}

#[cfg(test)]
mod tests {
    use legwork_agent::{
        Act, Call,
        service::{ElementRule, Predicate, Shown},
    };

    use super::{super::ForeignPart, *};

    fn text(words: &str) -> Predicate {
        Predicate { text: vec![words.into()], ..Predicate::default() }
    }

    /// Ended where it says so and does not say that it was refused; a click on "Finish" is asked about.
    fn rules(success: Predicate) -> ServiceRules {
        let element = Some(ElementRule { role: vec![], name: vec!["finish".into()] });
        ServiceRules {
            checkpoint: vec![Predicate { element, ..Predicate::default() }],
            success: vec![success],
            failure: vec![text("was refused")],
            ..ServiceRules::default()
        }
    }

    fn page(says: &str) -> ForeignPage {
        let text = ForeignPart { role: "text".into(), name: says.into(), ..ForeignPart::default() };
        let button = ForeignPart {
            role: "button".into(),
            name: "Continue".into(),
            reference: Some("e1".into()),
            ..ForeignPart::default()
        };
        ForeignPage {
            url: "https://a.example/ended".into(),
            parts: vec![text, button],
            ..ForeignPage::default()
        }
    }

    fn click() -> Act {
        match Call::read("act", r#"{"action":"click","element":1}"#).unwrap() {
            Call::Act(act) => act,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_not_known_proves_nothing_and_is_asked_about() {
        let rules = rules(text("has ended"));
        let whole = page("Your membership has ended");
        let signs = |page: &ForeignPage| super::signs(page, &rules);
        let known = signs(&whole).unwrap();
        assert!(matches!(known.shown, Shown::Success(_)), "{known:?}");
        assert_eq!(rules.checkpoint_of(&click(), Some(&known)), None);

        let cut = ForeignPage { cut: true, ..whole.clone() };
        let long = page(&format!("has ended {}", "x".repeat(ALL)));
        for page in [cut, long] {
            assert_eq!(
                signs(&page).unwrap().shown,
                Shown::Unknown,
                "it may say further down that it was refused"
            );
        }
        let unlisted = signs(&ForeignPage { is_unlisted: true, ..whole.clone() }).unwrap();
        assert!(matches!(unlisted.shown, Shown::Success(_)), "its words are whole");
        assert!(rules.checkpoint_of(&click(), Some(&unlisted)).unwrap().starts_with("nobody can tell"));

        let refused = page("It has ended, or it was refused");
        assert!(matches!(signs(&refused).unwrap().shown, Shown::Failure(_)));
    }

    #[test]
    fn behind_a_dialog_nothing_is_known_not_even_where_the_page_is() {
        let there = Predicate { url: vec!["a.example/ended".parse().unwrap()], ..Predicate::default() };
        let rules = rules(there);
        assert!(matches!(signs(&page("fine"), &rules).unwrap().shown, Shown::Success(_)));
        let behind = ForeignPage { is_unread: true, dialog: Some("Sure?".into()), ..page("") };
        assert_eq!(signs(&behind, &rules), None);
        assert_eq!(all_words(&behind), (None, true));
        assert!(rules.checkpoint_of(&click(), None).is_some());
    }
}
