//! What a page shows of a service's conditions, small enough for a log: which of them hold, and on which numbers. Whoever has the whole page
//! works it out; whoever has the log decides by it, and decides the same again.

use legwork_types::contract::ActionId;
use serde::{Deserialize, Serialize};

use super::{
    auth::{Auth, Wanted},
    evaluate::{About, Finding, evaluate},
    predicate::Predicate,
    rules::{ServiceRules, Shown},
    seen::{Element, Seen, Touched, tool_of},
};
use crate::call::Act;

/// The most numbers that are listed for one condition.
const MOST: usize = 200;

/// What a page shows of a service's conditions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Signs {
    /// What it shows of the end.
    pub shown: Shown,
    /// What it wants to know of whoever visits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
    /// For each condition under which somebody is asked: where it holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guarded: Vec<Guarded>,
    /// What is clicked before the model is asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ready: Vec<Ready>,
}

/// Where a condition holds under which somebody is asked, as far as that is so of the page and not of what is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Guarded {
    /// Whether the page is where it has to be, and says what it has to.
    pub page: Finding,
    /// The elements that it is about; none where it is about all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Vec<ActionId>>,
    /// Whether there may be more of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

/// Something small that is to be clicked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    /// Which rule says so.
    pub rule: usize,
    /// What is clicked.
    pub element: ActionId,
}

impl Signs {
    /// What a page shows. `numbers` are those of its elements, in the same order; `wants` is what the page itself seems to want of its
    /// visitors.
    pub fn of(rules: &ServiceRules, seen: &Seen<'_>, numbers: &[ActionId], wants: Option<Wanted>) -> Self {
        Self {
            shown: rules.shown(seen),
            auth: Auth::of(&rules.auth, seen, wants),
            guarded: rules.checkpoint.iter().map(|one| Guarded::of(one, seen, numbers)).collect(),
            ready: rules
                .all_prepared(seen)
                .filter_map(|(rule, at)| Some(Ready { rule, element: *numbers.get(at)? }))
                .collect(),
        }
    }
}

impl Guarded {
    fn of(predicate: &Predicate, seen: &Seen<'_>, numbers: &[ActionId]) -> Self {
        let place =
            Predicate { url: predicate.url.clone(), text: predicate.text.clone(), ..Predicate::default() };
        let page = match (place.is_empty(), predicate.is_empty()) {
            (false, _) => evaluate(&place, About::Page, seen),
            (true, false) => Finding::Holds,
            (true, true) => Finding::Unknown,
        };
        let Some(rule) = &predicate.element else { return Self { page, elements: None, is_cut: false } };
        let about = Predicate { element: Some(rule.clone()), ..Predicate::default() };
        let (mut elements, mut is_cut) = (vec![], seen.elements.is_none());
        for (element, number) in seen.elements.unwrap_or_default().iter().zip(numbers) {
            let acted: &[Element<'_>] = &[*element];
            match evaluate(&about, About::Act, &Seen { acted: Some(acted), ..*seen }) {
                Finding::Holds if elements.len() < MOST => elements.push(*number),
                Finding::Holds | Finding::Unknown => is_cut = true,
                Finding::DoesNot => {}
            }
        }
        Self { page, elements: Some(elements), is_cut }
    }

    fn holds(&self, touched: &Touched) -> Finding {
        let on_it = match (&self.elements, touched) {
            (None, _) => Finding::Holds,
            (Some(_), Touched::Unknown) => Finding::Unknown,
            (Some(own), Touched::Elements(touched)) if touched.iter().any(|one| own.contains(one)) => {
                Finding::Holds
            }
            (Some(_), Touched::Elements(touched)) if self.is_cut && !touched.is_empty() => Finding::Unknown,
            (Some(_), Touched::Elements(_)) => Finding::DoesNot,
        };
        self.page.and(on_it)
    }
}

impl ServiceRules {
    /// Why somebody is asked before this is done to the page that shows this, if so. What can't be told is asked about.
    pub fn checkpoint_of(&self, act: &Act, signs: Option<&Signs>) -> Option<String> {
        let (tool, touched) = (tool_of(act), Touched::of(act));
        let mut unknown = None;
        for (at, predicate) in self.checkpoint.iter().enumerate() {
            if !predicate.tool.is_empty() && !predicate.tool.iter().any(|one| one == tool) {
                continue;
            }
            let guarded = signs.and_then(|signs| signs.guarded.get(at));
            match guarded.map_or(Finding::Unknown, |guarded| guarded.holds(&touched)) {
                Finding::Holds => return Some(predicate.to_string()),
                Finding::Unknown => unknown = unknown.or(Some(predicate)),
                Finding::DoesNot => {}
            }
        }
        unknown.map(|predicate| format!("nobody can tell whether {predicate}"))
    }
}
