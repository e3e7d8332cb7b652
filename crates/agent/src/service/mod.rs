//! What is known of one service: conditions over what the model calls, where a page is, what is on it and what it says. Whatever can't
//! be told counts for caution: it stops an act, and it proves nothing.

mod auth;
mod evaluate;
mod place;
mod predicate;
mod rules;
mod seen;
mod signs;

pub use auth::{Auth, AuthRule, Wanted};
pub use evaluate::{About, Finding, any_of, evaluate};
pub use place::{UrlRule, UrlRuleError};
pub use predicate::{ElementRule, Predicate, ROLES, TOOLS};
pub use rules::{Asked, Named, Prepare, Reaching, ServiceRules, Shown};
pub use seen::{Element, Seen, Touched, tool_of};
pub use signs::{Guarded, Ready, Signs};

/// A text as it is compared: its words in small letters, with one blank between them and one kind of apostrophe.
pub fn folded(text: &str) -> String {
    let words = text.to_lowercase().replace(['\u{2018}', '\u{2019}'], "'");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
