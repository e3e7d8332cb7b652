//! Whether a condition holds: yes, no, or nobody can tell. A no is said only where more knowledge could not turn it into a yes.

use serde::{Deserialize, Serialize};
use url::Url;

use super::{
    folded,
    predicate::{ElementRule, Predicate},
    seen::{Element, Seen},
};

/// What came of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// It holds.
    Holds,
    /// It does not.
    DoesNot,
    /// Nobody can tell.
    Unknown,
}

/// What a condition is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// What is about to be done.
    Act,
    /// The page as it is.
    Page,
}

impl Finding {
    fn of(holds: bool, otherwise: Self) -> Self {
        if holds { Self::Holds } else { otherwise }
    }

    /// Both must hold.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::DoesNot, _) | (_, Self::DoesNot) => Self::DoesNot,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Holds, Self::Holds) => Self::Holds,
        }
    }
}

/// Whether a condition holds. One without parts, or with a blank one, says nothing that could be told.
pub fn evaluate(predicate: &Predicate, about: About, seen: &Seen<'_>) -> Finding {
    let Predicate { tool, url, element, text } = predicate;
    let mut all = Vec::new();
    if !tool.is_empty() {
        all.push(match seen.tool.filter(|_| about == About::Act) {
            Some(called) => Finding::of(tool.iter().any(|tool| tool == called), Finding::DoesNot),
            None => Finding::Unknown,
        });
    }
    if !url.is_empty() {
        all.push(at(predicate, seen));
    }
    if let Some(rule) = element {
        all.push(has(rule, about, seen));
    }
    if !text.is_empty() {
        all.push(says(text, seen));
    }
    all.into_iter().reduce(Finding::and).unwrap_or(Finding::Unknown)
}

/// Whether one of several conditions holds, and which one decided that.
pub fn any_of<'p>(
    predicates: &'p [Predicate],
    about: About,
    seen: &Seen<'_>,
) -> (Finding, Option<&'p Predicate>) {
    let mut unknown = None;
    for predicate in predicates {
        match evaluate(predicate, about, seen) {
            Finding::Holds => return (Finding::Holds, Some(predicate)),
            Finding::Unknown => unknown = unknown.or(Some(predicate)),
            Finding::DoesNot => {}
        }
    }
    (if unknown.is_some() { Finding::Unknown } else { Finding::DoesNot }, unknown)
}

/// Whether the page is there. One that could not be read may be another one by now.
fn at(predicate: &Predicate, seen: &Seen<'_>) -> Finding {
    let Ok(url) = Url::parse(seen.url) else { return Finding::Unknown };
    let place = seen.url.split(['?', '#']).next().unwrap_or_default();
    let is_known = seen.words.is_some() && !place.ends_with('…');
    let otherwise = if is_known { Finding::DoesNot } else { Finding::Unknown };
    Finding::of(predicate.url.iter().any(|rule| rule.covers(&url)), otherwise)
}

fn has(rule: &ElementRule, about: About, seen: &Seen<'_>) -> Finding {
    let ElementRule { role, name } = rule;
    let names: Vec<String> = name.iter().map(|name| folded(name)).collect();
    if role.is_empty() && name.is_empty() || names.iter().any(String::is_empty) {
        return Finding::Unknown;
    }
    let (elements, otherwise) = match about {
        About::Act => (seen.acted, Finding::DoesNot),
        About::Page if seen.is_cut => (seen.elements, Finding::Unknown),
        About::Page => (seen.elements, Finding::DoesNot),
    };
    let fits = |element: &Element<'_>| {
        let own = folded(element.name);
        (role.is_empty() || role.iter().any(|role| role == element.role))
            && (names.is_empty() || names.iter().any(|name| own.contains(name.as_str())))
    };
    elements.map_or(Finding::Unknown, |elements| Finding::of(elements.iter().any(fits), otherwise))
}

fn says(texts: &[String], seen: &Seen<'_>) -> Finding {
    let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
    let Some(words) = seen.words.map(folded).filter(|_| !texts.iter().any(String::is_empty)) else {
        return Finding::Unknown;
    };
    let otherwise = if seen.is_cut { Finding::Unknown } else { Finding::DoesNot };
    Finding::of(texts.iter().any(|text| words.contains(text.as_str())), otherwise)
}
