//! What a service adds to an errand: what stops it, what proves it, what is done before, and where it may go.

use serde::{Deserialize, Serialize};

use super::{
    auth::AuthRule,
    evaluate::{About, Finding, any_of},
    folded,
    place::UrlRule,
    predicate::Predicate,
    seen::{Element, Seen},
};

/// What a service adds to an errand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceRules {
    /// What the service is called.
    pub service: String,
    /// Any of these: somebody is asked before it is done.
    pub checkpoint: Vec<Predicate>,
    /// Any of these: the page wants to know who one is, and somebody is asked.
    pub auth: Vec<AuthRule>,
    /// Any of these on the last page: it succeeded.
    pub success: Vec<Predicate>,
    /// Any of these on the last page: it failed, whatever else is there.
    pub failure: Vec<Predicate>,
    /// What is done before the model is asked.
    pub prepare: Vec<Prepare>,
    /// What the model is told of the service, behind what it is told anyway.
    pub prompt: String,
    /// Where the browser may go.
    pub domains: Reaching,
    /// When somebody is asked.
    #[serde(default)]
    pub asked: Asked,
}

/// When somebody is asked about what fits a checkpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// When something would leave the browser because of it, about that. Nothing is asked where nothing would leave.
    #[default]
    AtTheWire,
    /// Before it is done: for browsers whose wire nobody guards.
    BeforeTheAct,
}

/// Where the browser may go, in the words of rules about places.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reaching {
    /// What may be loaded.
    pub read: Vec<String>,
    /// The hosts of the sites that the errand is about: something may be prepared there.
    pub write: Vec<String>,
}

/// A small thing that is done before the model is asked, wherever there is what it is done to. It needs a permit like everything else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prepare {
    /// Only there; anywhere if empty.
    pub url: Vec<UrlRule>,
    /// What is clicked.
    pub click: Named,
}

/// An element by its whole name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Named {
    /// What it is.
    pub role: String,
    /// It is called one of these, whatever the case of letters and the blanks.
    pub name: Vec<String>,
}

/// What a page shows of the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// A sign of success, and certainly none of failure.
    Success(String),
    /// A sign of failure.
    Failure(String),
    /// There is no sign.
    Nothing,
    /// Nobody can tell.
    Unknown,
}

impl ServiceRules {
    /// Why somebody is asked before this is done, if so. What can't be told is asked about.
    pub fn checkpoint(&self, seen: &Seen<'_>) -> Option<String> {
        let (finding, why) = any_of(&self.checkpoint, About::Act, seen);
        let why = why.map(ToString::to_string).unwrap_or_default();
        match finding {
            Finding::Holds => Some(why),
            Finding::Unknown => Some(format!("nobody can tell whether {why}")),
            Finding::DoesNot => None,
        }
    }

    /// What the page shows of the end. Failure comes first, and as long as there may be one nothing is proved.
    pub fn shown(&self, seen: &Seen<'_>) -> Shown {
        let (failure, why) = any_of(&self.failure, About::Page, seen);
        let words = |why: Option<&Predicate>| why.map(ToString::to_string).unwrap_or_default();
        match failure {
            Finding::Holds => return Shown::Failure(words(why)),
            Finding::Unknown => return Shown::Unknown,
            Finding::DoesNot => {}
        }
        // A page that could not be read may be another one by now.
        match any_of(&self.success, About::Page, seen) {
            _ if seen.words.is_none() => Shown::Unknown,
            (Finding::Holds, why) => Shown::Success(words(why)),
            (Finding::DoesNot, _) => Shown::Nothing,
            (Finding::Unknown, _) => Shown::Unknown,
        }
    }

    /// What is to be clicked before the model is asked: its place among the elements of the page. Nothing where nobody can tell, and
    /// nothing where several have the name.
    pub fn prepared(&self, seen: &Seen<'_>) -> Option<usize> {
        self.all_prepared(seen).next().map(|(_, at)| at)
    }

    /// The same of every rule: its place among the rules, and that of the element.
    pub(super) fn all_prepared<'s>(
        &'s self,
        seen: &'s Seen<'_>,
    ) -> impl Iterator<Item = (usize, usize)> + 's {
        let elements = seen.elements.unwrap_or_default();
        let is_there = |prepare: &Prepare| {
            let url = Predicate { url: prepare.url.clone(), ..Predicate::default() };
            prepare.url.is_empty() || any_of(&[url], About::Page, seen).0 == Finding::Holds
        };
        self.prepare.iter().enumerate().filter_map(move |(rule, prepare)| {
            if !is_there(prepare) {
                return None;
            }
            let mut fitting = elements.iter().enumerate().filter(|(_, element)| prepare.click.is(element));
            let (at, _) = fitting.next()?;
            fitting.next().is_none().then_some((rule, at))
        })
    }
}

impl Named {
    fn is(&self, element: &Element<'_>) -> bool {
        let own = folded(element.name);
        self.role == element.role && !own.is_empty() && self.name.iter().any(|name| folded(name) == own)
    }
}
