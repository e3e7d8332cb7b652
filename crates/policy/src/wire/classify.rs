//! The class of a request. Danger comes first; what is no danger needs positive evidence; the rest is unknown.

use legwork_types::OutgoingKind;

use super::{
    ActKind, Content, Decoded, OperationKind, WireFacts,
    evidence::{Reach, clipped, dangers, is_action, segments},
    kinds::{adds_to_basket, counts_visitors, is_consent, is_logout},
    logins::{is_bound, is_login},
    prepares::prepares,
    searches::{asks_around, is_list, is_search},
    secrets::{Held, held, passwords, payments, same_origin},
    site_of,
    words::any_in_line,
};

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Changes nothing.
    Read,
    /// Counts visitors.
    Telemetry,
    /// Comes in, leaves, or answers about cookies.
    Session(SessionKind),
    /// Fills in or moves on.
    Prepare,
    /// Does what can't be undone, or may.
    Commit,
    /// Writes, and there is evidence for nothing.
    Unknown,
}

impl Class {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Telemetry => "telemetry",
            Self::Session(SessionKind::Login) => "login",
            Self::Session(SessionKind::Consent) => "consent",
            Self::Session(SessionKind::Logout) => "logout",
            Self::Prepare => "prepare",
            Self::Commit => "commit",
            Self::Unknown => "unknown",
        }
    }
}

/// What a request does to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionKind {
    /// Comes in.
    Login,
    /// Answers the question about cookies.
    Consent,
    /// Leaves.
    Logout,
}

/// A class with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classed {
    /// What the request does.
    pub class: Class,
    /// Why, in words for a person; at least one.
    pub reasons: Vec<String>,
}

impl Classed {
    fn new(class: Class, reason: impl Into<String>) -> Self {
        Self { class, reasons: vec![reason.into()] }
    }
}

/// Puts a request into its class.
pub fn classify(decoded: &Decoded, facts: &WireFacts) -> Classed {
    let carried = carried(decoded, facts);
    if !carried.is_empty() {
        return Classed { class: Class::Commit, reasons: carried };
    }
    if is_write(decoded) { written(decoded, facts) } else { read(decoded, facts) }
}

/// Whether a request may change something by its method, by what it carries or by what it asks for.
pub(super) fn is_write(decoded: &Decoded) -> bool {
    let asks_to_write = decoded.operations.iter().any(|one| one.kind == OperationKind::Mutation);
    !decoded.is_safe_method() || decoded.content != Content::Empty || asks_to_write
}

/// What it takes along of what was read elsewhere. A page may send on what it shows itself, by its links and scripts: that is its own.
fn carried(decoded: &Decoded, facts: &WireFacts) -> Vec<String> {
    let host = |address: &Option<String>| {
        let url = address.as_deref().and_then(|address| url::Url::parse(address).ok())?;
        url.host_str().map(site_of)
    };
    let senders = [host(&facts.document), host(&facts.page)];
    let is_own = |site: &String| senders.iter().all(|sender| sender.as_ref() == Some(site));
    let is_page = matches!(decoded.kind, OutgoingKind::Page | OutgoingKind::Frame);
    let follows = facts.act.as_ref().is_some_and(|act| act.is_link && act.kind == ActKind::Pressed);
    let by_itself = follows || (!is_page && !is_write(decoded));
    let taken = facts.carried.iter().filter(|carried| !(by_itself && is_own(&carried.from_site)));
    taken.map(|carried| format!("carries what was read on {}", clipped(&carried.from_site))).take(5).collect()
}

/// One that promises to change nothing.
fn read(decoded: &Decoded, facts: &WireFacts) -> Classed {
    let is_page = matches!(decoded.kind, OutgoingKind::Page | OutgoingKind::Frame);
    let act = facts
        .act
        .as_ref()
        .filter(|act| matches!(act.kind, ActKind::Pressed | ActKind::Typed | ActKind::Other));
    let mut reasons = Vec::new();
    if let Some(why) = decoded.opaque {
        reasons.push(why.words().to_owned());
    }
    if held(decoded, facts) != Held::Nothing {
        reasons.push("its address holds a secret".to_owned());
    }
    reasons.extend(
        payments(decoded, Reach::Reading)
            .into_iter()
            .filter(|_| decoded.kind != OutgoingKind::Beacon || !decoded.fields.is_empty()),
    );
    // Where a server of this site sends on to is its own affair: it could do at once whatever it does there.
    let is_sent_on = facts.is_sent_on(decoded);
    if (is_page || commands(decoded))
        && !is_sent_on
        && let Some(act) = act
    {
        if !act.danger.is_empty() && !act.is_link {
            reasons.extend(act.danger.iter().take(5).map(|reason| format!("what was pressed {reason}")));
        }
        if facts.asked {
            reasons.push("the page just asked a question before it".to_owned());
        }
    }
    if !reasons.is_empty() {
        return Classed { class: Class::Commit, reasons };
    }
    // A page that leads to something is not that: where the operator names its very address, its words are no sign.
    let is_known = facts
        .prepare
        .iter()
        .any(|rule| rule.path == decoded.address.path && is_named(decoded, &rule.origin, &rule.path));
    let reasons = if is_sent_on || is_known { vec![] } else { dangers(decoded, Reach::Reading) };
    if !reasons.is_empty() {
        return Classed { class: Class::Commit, reasons };
    }
    if is_logout(decoded) {
        return Classed::new(Class::Session(SessionKind::Logout), "it signs out");
    }
    if decoded.kind == OutgoingKind::Beacon && (!facts.stays_within(decoded) || counts_visitors(decoded)) {
        return Classed::new(Class::Telemetry, "nobody waits for an answer to it");
    }
    if adds_to_basket(decoded) {
        return if facts.stays_within(decoded) {
            Classed::new(Class::Prepare, "it puts something into a basket")
        } else {
            Classed::new(Class::Commit, "it puts something into the basket of another site")
        };
    }
    Classed::new(Class::Read, format!("{} changes nothing", decoded.method))
}

/// Whether an address says that something is to be done, whatever that is.
fn commands(decoded: &Decoded) -> bool {
    decoded.fields.iter().any(|field| !field.value.is_empty() && is_action(&field.name, Reach::Reading))
}

/// One that may change something.
fn written(decoded: &Decoded, facts: &WireFacts) -> Classed {
    let within = facts.stays_within(decoded);
    let on_the_wire = wire_dangers(decoded, facts);
    if counts(decoded, within) && on_the_wire.is_empty() {
        return Classed::new(Class::Telemetry, "it counts visitors, and nobody waits for its answer");
    }
    let is_query = asks_only(decoded);
    // What another site is told, or what some other address is, may be taken for anything there.
    let at_graphql = within && segments(decoded).iter().any(|one| any_in_line(&one.words, "graphql|gql"));
    if is_query && at_graphql && decoded.opaque.is_none() && on_the_wire.is_empty() && !facts.is_history() {
        return Classed::new(Class::Read, "it is a GraphQL query, which changes nothing");
    }
    let mut reasons = Vec::new();
    if facts.is_history() {
        reasons.push("going back or loading a page again would send it once more".to_owned());
    }
    if let Some(act) = facts.act.as_ref() {
        reasons.extend(act.danger.iter().take(5).map(|reason| format!("what was pressed {reason}")));
    }
    if facts.asked {
        reasons.push("the page just asked a question before it".to_owned());
    }
    if let Some(why) = decoded.opaque {
        reasons.push(why.words().to_owned());
    }
    if !within {
        reasons.push(format!("it writes to another site, {}", clipped(&decoded.address.host)));
    }
    reasons.extend(on_the_wire);
    if !reasons.is_empty() {
        return Classed { class: Class::Commit, reasons };
    }
    harmless(decoded, facts)
}

/// Whether it asks a GraphQL server for something, and says nothing besides: what else it says might be meant for another server.
fn asks_only(decoded: &Decoded) -> bool {
    let parts = ["query", "variables", "operationName", "extensions"];
    let is_part = |field: &super::Field| {
        let mut pieces = field.name.split('.').skip_while(|piece| piece.parse::<usize>().is_ok());
        let is_named = pieces.next().is_some_and(|first| parts.contains(&first));
        // Some servers let what is said in the address win.
        match field.place {
            super::Place::Query => {
                !is_named && !matches!(field.name.as_str(), "mutation" | "id" | "documentId" | "doc_id")
            }
            _ => is_named,
        }
    };
    !decoded.operations.is_empty()
        && decoded.operations.iter().all(|one| one.kind == OperationKind::Query)
        && decoded.content == Content::GraphQl
        && matches!(decoded.method.as_str(), "POST" | "GET")
        && decoded.fields.iter().all(is_part)
}

/// What there is when there is no danger at all.
fn harmless(decoded: &Decoded, facts: &WireFacts) -> Classed {
    let session = |kind, reason: &str| Classed::new(Class::Session(kind), reason);
    if decoded.fields.iter().any(|field| field.place == super::Place::Header) {
        return Classed::new(
            Class::Unknown,
            "a header says what is to be done, and nothing tells what that is",
        );
    }
    if decoded.kind == OutgoingKind::Beacon {
        return Classed::new(
            Class::Unknown,
            "nobody waits for an answer to it, and it is not known what it does",
        );
    }
    if is_logout(decoded) {
        return session(SessionKind::Logout, "it signs out");
    }
    if is_login(decoded) {
        return session(SessionKind::Login, "it signs in");
    }
    if is_consent(decoded) {
        return session(SessionKind::Consent, "it answers a question about cookies");
    }
    if is_search(decoded) || is_list(decoded) {
        return Classed::new(Class::Read, "it looks for something");
    }
    if asks_around(decoded) {
        return Classed::new(Class::Prepare, "it looks for something, by words that nobody knows");
    }
    if let Some(reason) = prepares(decoded) {
        return Classed::new(Class::Prepare, reason);
    }
    if facts.prepare.iter().any(|rule| is_named(decoded, &rule.origin, &rule.path)) {
        return Classed::new(Class::Prepare, "the operator says that it only prepares something");
    }
    Classed::new(Class::Unknown, "it changes something, and nothing tells what")
}

/// Whether it counts visitors: a message without an answer to another site, or whatever goes to a counter.
fn counts(decoded: &Decoded, within: bool) -> bool {
    let is_beacon = decoded.kind == OutgoingKind::Beacon;
    let is_page = matches!(decoded.kind, OutgoingKind::Page | OutgoingKind::Frame);
    let plain = decoded.files.is_empty() && decoded.method == "POST";
    plain && !is_page && ((is_beacon && !within) || counts_visitors(decoded))
}

/// Every sign of danger that is on the wire itself.
fn wire_dangers(decoded: &Decoded, facts: &WireFacts) -> Vec<String> {
    let mut reasons = Vec::new();
    if decoded.method == "DELETE" {
        reasons.push("its method is DELETE".to_owned());
    }
    if !matches!(decoded.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE") {
        reasons.push(format!("its method is {}, which may do anything", clipped(&decoded.method)));
    }
    if !decoded.files.is_empty() {
        reasons.push(format!("it gives {} away", if decoded.files.len() == 1 { "a file" } else { "files" }));
    }
    reasons.extend(payments(decoded, Reach::Writing));
    let login = is_login(decoded) && facts.stays_within(decoded);
    match held(decoded, facts) {
        Held::Foreign => reasons.push("it holds a secret that is not meant for this site".to_owned()),
        Held::Bound if !(login && is_bound(decoded, facts)) => {
            reasons.push("it holds a secret and is no login".to_owned())
        }
        Held::Bound | Held::Nothing => {}
    }
    if !login && !passwords(decoded).is_empty() {
        reasons.push("it holds a password and is no login".to_owned());
    }
    let consents = is_consent(decoded) || (is_logout(decoded) && !login);
    let words = dangers(decoded, Reach::Writing);
    // "log out" and "reject all" are what they are: only money and what is deleted count there.
    let heavy =
        |reason: &String| !(consents && reason.starts_with("its field") && reason.contains("\"accept\""));
    reasons.extend(words.into_iter().filter(heavy));
    reasons
}

/// Whether a request goes to this origin and below this path, by whole segments. A path that may be read in two ways goes nowhere.
pub(super) fn is_named(decoded: &Decoded, origin: &str, path: &str) -> bool {
    let asked = decoded.address.path.to_ascii_lowercase();
    let twisted = ["%2f", "%5c", "%2e", "%00", "//", "\\", ";"].iter().any(|sign| asked.contains(sign));
    let wanted = path.trim_end_matches('/');
    let below = decoded
        .address
        .path
        .strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    !twisted && below && same_origin(origin, &decoded.address.origin())
}
