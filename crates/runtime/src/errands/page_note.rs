//! A look, as the loop knows it.

use legwork_agent::{Look, PageNote, VIEW_TOKENS, service::ServiceRules};
use legwork_types::{
    Problem,
    contract::{BlockerKind, Cursor, Find, ObserveOptions, Within},
};

use super::signs;
use crate::{Seen, boundary, harmless};

/// The longest address or title, in characters.
const LONGEST: usize = 300;

/// How the model wants to see the page.
pub(super) fn options(part: &Look) -> ObserveOptions {
    ObserveOptions {
        max_tokens: Some(VIEW_TOKENS),
        find: part.find.clone().map(Find::Text),
        cursor: part.cursor.clone().map(Cursor),
        within: part.within.map(Within::Action),
        ..ObserveOptions::default()
    }
}

/// An address, as the loop knows it.
pub(super) fn address(url: &str) -> String {
    harmless(url, LONGEST)
}

/// What was seen, with what it shows of a service.
pub(super) fn note(
    seen: &Seen,
    options: &ObserveOptions,
    service: Option<&ServiceRules>,
) -> Result<PageNote, Problem> {
    let look = &seen.look;
    let reading =
        look.read(options, seen.earlier.as_deref(), &boundary()).map_err(|error| error.problem())?;
    let page = &look.scene().page;
    let title = page.title.as_ref().map(|title| title.untrusted()).unwrap_or_default();
    let names = look.scene().items.iter().map(|item| item.affordance.name.untrusted());
    let blockers = &look.scene().blockers;
    let asks_for_login = blockers.iter().any(|blocker| matches!(blocker.kind, BlockerKind::LoginRequired));
    Ok(PageNote {
        observation: look.id().0.clone(),
        url: address(page.final_url.untrusted()),
        title: harmless(title, LONGEST),
        view: reading.text,
        words: None,
        is_cut: false,
        digest: look.digest(),
        pixels: None,
        picture: None,
        is_drawn: look.is_drawn(),
        logged_in: logged_in(names, asks_for_login),
        signs: service.and_then(|rules| signs::of(look, rules)),
        named: vec![],
        dialog: None,
    })
}

/// What controls are called by which somebody logs out: they are there only where somebody is logged in.
const OUT: [&str; 12] = [
    "sign out",
    "log out",
    "logout",
    "signout",
    "log off",
    "abmelden",
    "ausloggen",
    "se déconnecter",
    "déconnexion",
    "cerrar sesión",
    "uitloggen",
    "esci",
];
/// The same for logging in.
const IN: [&str; 10] = [
    "sign in",
    "log in",
    "login",
    "signin",
    "anmelden",
    "einloggen",
    "se connecter",
    "iniciar sesión",
    "inloggen",
    "accedi",
];

/// Whether a page shows that somebody is logged in, or that nobody is, by what its controls are called.
pub(super) fn logged_in<'a>(names: impl Iterator<Item = &'a str>, asks_for_login: bool) -> Option<bool> {
    let names: Vec<String> = names.map(|name| name.trim().to_lowercase()).collect();
    let called = |known: &[&str]| names.iter().any(|name| known.contains(&name.as_str()));
    match () {
        () if called(&OUT) => Some(true),
        () if asks_for_login || called(&IN) => Some(false),
        () => None,
    }
}
