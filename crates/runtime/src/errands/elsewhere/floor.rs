//! Whether an act may settle something: pressed, sent, said yes to. Pure, by what the page calls things, and by where a link leads.
//! Words of a page add caution here. One thing alone takes it away: a link that says that something is left and leads to another
//! page is the way to the page that asks. It is a floor, and no gate: a button may do something else than it says.

use legwork_observe::risk_of_words;
use legwork_policy::wire::unpercent_all;
use legwork_types::contract::RiskLevel;

use super::{ForeignAct, ForeignPage, ForeignPart};

/// How words begin that settle something on a button. On a link they announce a page that will.
const SETTLING: [&str; 33] = [
    "finish",
    "complet",
    "confirm",
    "submit",
    "cancel",
    "order",
    "buy",
    "purchas",
    "pay",
    "send",
    "delet",
    "remov",
    "subscri",
    "unsubscri",
    "terminat",
    "transfer",
    "book",
    "reserv",
    "agree",
    "publish",
    "post",
    "donat",
    "withdraw",
    "renew",
    "upgrad",
    "downgrad",
    "kündig",
    "kuendig",
    "bestell",
    "kauf",
    "bezahl",
    "lösch",
    "erase",
];

/// Buttons that say such a word and take back, or only show: "Cancel" alone closes what is open.
const TAKES_BACK: [&str; 6] =
    ["cancel", "remove filter", "remove filters", "order by", "sort order", "abbrechen"];

/// What a link says on the way out of a membership, as risks name it, where another page asks whether one is sure.
const WAYS_OUT: [&str; 19] = [
    "cancel subscription",
    "cancel my subscription",
    "cancel membership",
    "cancel plan",
    "end subscription",
    "kundigen",
    "kuendigen",
    "vertrag kundigen",
    "abo beenden",
    "resilier",
    "annuler l abonnement",
    "cancelar suscripcion",
    "darse de baja",
    "disdici",
    "annulla abbonamento",
    "opzeggen",
    "abonnement opzeggen",
    "cancelar assinatura",
    "anuluj subskrypcje",
];

/// As many reasons as a risk names: where there are so many, there may be more.
const MOST_REASONS: usize = 4;

/// Keys that move, or close what is open, and press nothing.
const MOVES: [&str; 12] = [
    "Tab",
    "Shift+Tab",
    "Escape",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Backspace",
];

/// Why an act may settle something; nothing where it only prepares.
///
/// What follows on what the model itself has announced as the last step is one, whatever it is called.
pub fn may_commit(act: &ForeignAct, page: &ForeignPage, announced: Option<&str>) -> Option<String> {
    let found = |reference: &str| page.parts.iter().find(|part| part.reference.as_deref() == Some(reference));
    let touches = match act {
        ForeignAct::Click(on, _) => match found(&on.reference) {
            None => Some("nobody knows what it is".to_owned()),
            Some(part) => by_press(part, page),
        },
        ForeignAct::Drag(..) => Some("nobody knows what comes of dropping it there".to_owned()),
        ForeignAct::Choose(_, words) => by_risk(words),
        ForeignAct::Key(key) if MOVES.contains(&key.as_str()) => None,
        ForeignAct::Key(_) => Some("the key may press or send something".to_owned()),
        ForeignAct::Answer { accept: true, .. } => Some("it says yes to a dialog of the page".to_owned()),
        ForeignAct::Go(url) => by_risk(&words_of(url, page)).or_else(|| takes_along(url, page)),
        ForeignAct::Fill(..)
        | ForeignAct::Hover(_)
        | ForeignAct::Back
        | ForeignAct::Wait(_)
        | ForeignAct::WaitFor(_)
        | ForeignAct::Answer { accept: false, .. }
        | ForeignAct::Tab(_)
        | ForeignAct::CloseTab(_) => None,
    };
    let is_last_step = announced.is_some()
        && matches!(act, ForeignAct::Click(..) | ForeignAct::Choose(..) | ForeignAct::Go(_));
    touches.or_else(|| is_last_step.then(|| "the model says that this is the last step".to_owned()))
}

/// What pressing this may settle.
fn by_press(part: &ForeignPart, page: &ForeignPage) -> Option<String> {
    if part.is_field() && part.role != "listbox" {
        return by_risk(part.name.untrusted());
    }
    let name = part.name.untrusted();
    let leads =
        part.address.as_ref().map(|address| address.untrusted()).filter(|address| leads_away(address, page));
    match (leads, part.role.as_str()) {
        // The page chose the address, and its scripts may do something else: what the link says counts as well.
        (Some(address), "link") => by_risk(&words_of(address, page)).or_else(|| said_by_link(name)),
        _ if name.trim().is_empty() => Some("it has no name, and nobody knows what it does".to_owned()),
        _ => by_risk(name).or_else(|| settles(name)),
    }
}

fn by_risk(text: &str) -> Option<String> {
    let risk = risk_of_words(text);
    (risk.level == RiskLevel::Danger).then(|| risk.reasons.join(", "))
}

/// What a link to another page says that it does. "Cancel membership" leads to the page that asks; "Place order" is not believed to.
fn said_by_link(name: &str) -> Option<String> {
    let risk = risk_of_words(name);
    let is_way_out = |reason: &String| WAYS_OUT.iter().any(|way| reason.contains(&format!("\"{way}\"")));
    let only_leads_out = risk.reasons.len() < MOST_REASONS && risk.reasons.iter().all(is_way_out);
    (risk.level == RiskLevel::Danger && !only_leads_out).then(|| risk.reasons.join(", "))
}

fn settles(name: &str) -> Option<String> {
    let name = name.trim().to_lowercase();
    if TAKES_BACK.contains(&name.as_str()) {
        return None;
    }
    let word = name
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| SETTLING.iter().any(|begins| word.starts_with(begins)));
    word.map(|word| format!("says \"{}\"", word.chars().take(40).collect::<String>()))
}

/// Whether an address leads to another page, and not to a script or a place on this one.
fn leads_away(address: &str, page: &ForeignPage) -> bool {
    let here = page.url.untrusted().split('#').next().unwrap_or_default();
    let there = address.split('#').next().unwrap_or_default();
    let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_of_the_web = match scheme.as_deref() {
        None => true,
        Some(scheme) => matches!(scheme, "http" | "https") || scheme.contains(['/', '?']),
    };
    is_of_the_web && !there.is_empty() && there != here
}

/// The words of an address without its host, whichever way it is written. All of it where it can't be read.
fn words_of(address: &str, page: &ForeignPage) -> String {
    let text = match resolved(address, page) {
        Some(url) => format!(
            "{} {} {}",
            url.path(),
            url.query().unwrap_or_default(),
            url.fragment().unwrap_or_default()
        ),
        None => address.to_owned(),
    };
    unpercent_all(&text).chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect()
}

/// Why somebody is asked before the model goes to an address that it wrote itself: what it read here might go along.
fn takes_along(address: &str, page: &ForeignPage) -> Option<String> {
    let (here, there) = (url::Url::parse(page.url.untrusted()).ok()?, resolved(address, page)?);
    let says_something = there.path().len() > 1 || there.query().is_some() || there.fragment().is_some();
    let is_shown = || {
        let links = page.parts.iter().filter_map(|part| part.address.as_ref());
        links.into_iter().any(|link| resolved(link.untrusted(), page).as_ref() == Some(&there))
    };
    let is_elsewhere = here.has_host() && here.host_str() != there.host_str();
    (is_elsewhere && says_something && !is_shown())
        .then(|| "it goes to another place, and what was read here might go along".to_owned())
}

pub(super) fn resolved(address: &str, page: &ForeignPage) -> Option<url::Url> {
    match url::Url::parse(page.url.untrusted()) {
        Ok(here) => here.join(address).ok(),
        Err(_) => url::Url::parse(address).ok(),
    }
}
