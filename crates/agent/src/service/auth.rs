//! A page that wants to know who one is: by what one sees it, and whether what it wants is something that only a person has.

use serde::{Deserialize, Serialize};
use url::Url;

use super::{
    evaluate::{About, Finding, evaluate},
    folded,
    predicate::Predicate,
    seen::Seen,
};

/// Names of fields for a password.
const PASSWORDS: &[&str] =
    &["password", "passwort", "kennwort", "mot de passe", "contraseña", "wachtwoord", "senha", "parola"];
/// What the last step of the address of a login is called.
const LOGINS: &[&str] = &["login", "log-in", "log_in", "logon", "signin", "sign-in", "sign_in"];

/// By what one sees that a page wants to know who one is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthRule {
    /// The condition.
    #[serde(flatten)]
    pub when: Predicate,
    /// What the page wants then; where nothing is said, the page itself tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wants: Option<Wanted>,
}

/// A page that wants to know who one is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Auth {
    /// What it wants.
    pub wants: Wanted,
    /// By what one sees it.
    pub why: String,
    /// Whether nobody can really tell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_guess: bool,
}

/// What a page wants to know of whoever visits it. What comes later here is waited for where a page wants several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// A name and a password.
    Login,
    /// A code that was sent to a person, or alike.
    Code,
    /// A proof of being human.
    Captcha,
}

impl Wanted {
    /// All of them, by the words of files.
    pub const ALL: [(&'static str, Self); 3] =
        [("login", Self::Login), ("code", Self::Code), ("captcha", Self::Captcha)];

    /// In words, behind "wants".
    pub fn words(self) -> &'static str {
        match self {
            Self::Login => "a login",
            Self::Captcha => "a proof of being human",
            Self::Code => "a code or another proof of who you are",
        }
    }
}

impl Auth {
    /// What a page wants, if anything. `recognised` is what it seems to want whatever the service says: what only a person can give counts
    /// in any case, a login where the service says something of logins.
    pub fn of(rules: &[AuthRule], seen: &Seen<'_>, recognised: Option<Wanted>) -> Option<Self> {
        let recognised = recognised.filter(|wants| *wants != Wanted::Login || !rules.is_empty());
        let found = |finding: Finding| -> Vec<&AuthRule> {
            let is_found = |rule: &&AuthRule| evaluate(&rule.when, About::Page, seen) == finding;
            rules.iter().filter(is_found).collect()
        };
        let of_page = || match recognised == Some(Wanted::Login) || is_login(seen) {
            true => Wanted::Login,
            false => Wanted::Code,
        };
        let of_rules =
            |rules: &[&AuthRule]| rules.iter().map(|rule| rule.wants.unwrap_or_else(of_page)).max();
        let holding = found(Finding::Holds);
        if let Some(wants) = recognised.max(of_rules(&holding)) {
            let by_itself = || format!("the page itself wants {}", wants.words());
            let why = holding.first().map_or_else(by_itself, |rule| rule.when.to_string());
            return Some(Self { wants, why, is_guess: false });
        }
        let unsure = found(Finding::Unknown);
        let why = format!("nobody can tell whether {}", unsure.first()?.when);
        Some(Self { wants: of_rules(&unsure)?, why, is_guess: true })
    }
}

/// Whether a page has a field for a password, or is where logins are and has a field at all.
fn is_login(seen: &Seen<'_>) -> bool {
    let mut fields = seen.elements.unwrap_or_default().iter().filter(|one| one.role == "textbox").peekable();
    let is_there = || {
        let url = Url::parse(seen.url).ok();
        let last = url.as_ref().and_then(|url| url.path_segments()?.rfind(|step| !step.is_empty()));
        last.is_some_and(|last| LOGINS.contains(&last.to_lowercase().as_str()))
    };
    let is_password = |name: &str| PASSWORDS.iter().any(|word| folded(name).contains(word));
    fields.peek().is_some() && is_there() || fields.any(|one| is_password(one.name))
}

impl From<Predicate> for AuthRule {
    fn from(when: Predicate) -> Self {
        Self { when, wants: None }
    }
}
