//! Whether a request may leave: its class, the mode, and what was said before.

use super::{
    Class, Classed, Decoded, SessionKind, WireFacts,
    classify::{is_named, is_write},
    evidence::{Reach, is_action},
    logins::{is_at_a_door, is_bound},
    secrets::{Held, held},
    site_of,
};

/// How far an errand may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Nothing is written at all.
    ReadOnly,
    /// Everything is prepared, nothing is settled.
    #[default]
    DryRun,
    /// It ends with the first act that is proposed.
    PlanOnly,
    /// What is settled is asked first.
    Live,
}

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// It goes.
    Go,
    /// It is failed, and nobody is told.
    Drop,
    /// It goes if somebody says yes.
    Ask(AskReason),
    /// It doesn't go.
    Stop(StopReason),
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskReason {
    /// Whether this may be settled, just this once.
    Commit,
    /// Whether this may go, though nobody knows what it does.
    Unknown,
    /// Whether something may be prepared on a site that the errand is not about.
    PrepareElsewhere,
    /// Whether to sign in with what is not a bound secret.
    Login,
    /// Whether to sign out.
    Logout,
}

/// Why something doesn't go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// Nothing is written in this mode.
    NoWrites,
    /// Nothing is settled in this mode.
    NoCommits,
    /// It is not known what it does; this would allow it.
    Unknown {
        /// `--allow-prepare https://shop.example/path`; none where that would be the whole site.
        rule: Option<String>,
    },
    /// Going back or loading again must not send anything a second time.
    SentAgain,
    /// Somebody said no to it before.
    Denied,
    /// It holds a secret that is not meant for where it goes.
    SecretElsewhere,
}

impl StopReason {
    /// The reason in words.
    pub fn words(&self) -> String {
        match self {
            Self::NoWrites => "nothing is written in this mode".into(),
            Self::NoCommits => "nothing is settled in a dry run".into(),
            Self::Unknown { rule: Some(rule) } => {
                format!("it is not known what it does; to let it pass as a preparation: {rule}")
            }
            Self::Unknown { rule: None } => {
                "it is not known what it does, and its address is that of the whole site".into()
            }
            Self::SentAgain => "going back or loading again would send it a second time".into(),
            Self::Denied => "somebody said no to it before".into(),
            Self::SecretElsewhere => "it holds a secret that is not meant for this site".into(),
        }
    }
}

/// A class without what it is in detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClassKind {
    /// Signs in.
    Login,
    /// Signs out.
    Logout,
    /// Prepares.
    Prepare,
    /// Does something that is not known.
    Unknown,
}

/// What somebody allowed for the rest of an errand. What settles something is never on such a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// What it does.
    pub class: ClassKind,
    /// Where it goes to.
    pub origin: String,
    /// The path, exactly; any of that origin if there is none.
    pub path: Option<String>,
}

/// What happens to messages that count visitors when an errand is live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TelemetryRule {
    /// They are dropped.
    #[default]
    Drop,
    /// They go, as long as nothing dangerous is being done.
    Go,
}

/// What was decided before.
#[derive(Debug, Clone, Default)]
pub struct WireRules {
    /// What may go without being asked about again.
    pub allowed_endpoints: Vec<Endpoint>,
    /// What somebody said no to.
    pub denied: Vec<Decoded>,
    /// What happens to messages that count visitors.
    pub telemetry: TelemetryRule,
}

/// Rules on a request.
pub fn rule(
    classed: &Classed,
    decoded: &Decoded,
    mode: Mode,
    rules: &WireRules,
    facts: &WireFacts,
) -> Ruling {
    // No mode and no yes makes this right.
    if facts.leaks || held(decoded, facts) == Held::Foreign {
        return Ruling::Stop(StopReason::SecretElsewhere);
    }
    if is_write(decoded) && facts.is_history() {
        return Ruling::Stop(StopReason::SentAgain);
    }
    if classed.class == Class::Read {
        return Ruling::Go;
    }
    if rules.denied.iter().any(|denied| is_same_deed(denied, decoded)) {
        return Ruling::Stop(StopReason::Denied);
    }
    if classed.class == Class::Telemetry {
        return telemetry(decoded, mode, rules, facts);
    }
    match mode {
        Mode::ReadOnly | Mode::PlanOnly => Ruling::Stop(StopReason::NoWrites),
        Mode::DryRun | Mode::Live => writes(classed.class, decoded, mode, rules, facts),
    }
}

fn telemetry(decoded: &Decoded, mode: Mode, rules: &WireRules, facts: &WireFacts) -> Ruling {
    let calm = decoded.opaque.is_none() && !facts.is_dangerous() && !facts.asked;
    let beacon = decoded.kind == legwork_types::OutgoingKind::Beacon;
    let goes = mode == Mode::Live && rules.telemetry == TelemetryRule::Go && calm && beacon;
    if goes { Ruling::Go } else { Ruling::Drop }
}

fn writes(class: Class, decoded: &Decoded, mode: Mode, rules: &WireRules, facts: &WireFacts) -> Ruling {
    let once = |kind: ClassKind, reason: AskReason| {
        if is_allowed(kind, decoded, rules) { Ruling::Go } else { Ruling::Ask(reason) }
    };
    match class {
        Class::Read => Ruling::Go,
        Class::Telemetry => Ruling::Drop,
        Class::Session(SessionKind::Consent) => Ruling::Go,
        Class::Session(SessionKind::Login) if is_bound(decoded, facts) && is_at_a_door(decoded) => Ruling::Go,
        Class::Session(SessionKind::Login) => once(ClassKind::Login, AskReason::Login),
        Class::Session(SessionKind::Logout) => once(ClassKind::Logout, AskReason::Logout),
        Class::Prepare if is_own(decoded, facts) => Ruling::Go,
        Class::Prepare => once(ClassKind::Prepare, AskReason::PrepareElsewhere),
        Class::Commit if mode == Mode::Live => Ruling::Ask(AskReason::Commit),
        Class::Commit => Ruling::Stop(StopReason::NoCommits),
        Class::Unknown if mode == Mode::Live && !may_be_allowed(decoded, facts) => {
            Ruling::Ask(AskReason::Unknown)
        }
        Class::Unknown if mode == Mode::Live => once(ClassKind::Unknown, AskReason::Unknown),
        Class::Unknown => Ruling::Stop(StopReason::Unknown { rule: allowing(decoded) }),
    }
}

/// Whether a yes to a request of which nobody knows what it does may hold for the rest of an errand: only on the errand's own sites, and
/// never for what can't be inspected or takes something along from another site.
pub fn may_be_allowed(decoded: &Decoded, facts: &WireFacts) -> bool {
    decoded.opaque.is_none() && facts.carried.is_empty() && is_own(decoded, facts)
}

/// The rule that would let a request pass as a preparation.
fn allowing(decoded: &Decoded) -> Option<String> {
    if decoded.address.path.trim_matches('/').is_empty() {
        return None;
    }
    let safe = |c: char| c.is_ascii_alphanumeric() || "/-_.~%@+,:".contains(c);
    let path: String = decoded.address.path.chars().filter(|c| safe(*c)).take(300).collect();
    Some(format!("--allow-prepare {}{path}", decoded.address.origin()))
}

fn is_allowed(kind: ClassKind, decoded: &Decoded, rules: &WireRules) -> bool {
    let origin = decoded.address.origin();
    rules.allowed_endpoints.iter().any(|endpoint| {
        let same_path = endpoint.path.as_ref().is_none_or(|path| *path == decoded.address.path);
        endpoint.class == kind && endpoint.origin == origin && same_path
    })
}

/// Whether a request goes to a site that the errand is about, or to where the operator lets things be prepared.
fn is_own(decoded: &Decoded, facts: &WireFacts) -> bool {
    let site = decoded.address.site();
    let host = |own: &String| match url::Url::parse(own).ok().filter(url::Url::has_host) {
        Some(url) => url.host_str().unwrap_or_default().to_owned(),
        None => own.clone(),
    };
    let own = !site.is_empty() && facts.own_sites.iter().any(|own| site_of(&host(own)) == site);
    own || facts.prepare.iter().any(|rule| is_named(decoded, &rule.origin, &rule.path))
}

/// Whether two requests do the same: the same place, and the same said to be done. Other words in other fields change nothing.
fn is_same_deed(denied: &Decoded, asked: &Decoded) -> bool {
    let path = |one: &Decoded| {
        let parts = one.address.path.split('/').filter(|part| !part.is_empty());
        parts.map(|part| super::unravel::unpercent_all(part).to_lowercase()).collect::<Vec<_>>()
    };
    let place = |one: &Decoded| {
        (
            one.method.clone(),
            one.address.scheme.clone(),
            one.address.host.trim_end_matches('.').to_owned(),
            one.address.port,
        )
    };
    place(denied) == place(asked) && path(denied) == path(asked) && said(denied) == said(asked)
}

/// What a request says that is to be done.
fn said(decoded: &Decoded) -> Vec<String> {
    let asks = decoded.operations.iter().flat_map(|one| one.asks.iter().chain(&one.name)).cloned();
    let stored = |name: &str| name.ends_with("sha256Hash") || name.ends_with("operationName");
    let of_fields = decoded.fields.iter().filter(|field| {
        (stored(&field.name) || is_action(&field.name, Reach::Writing)) && field.value.len() <= 200
    });
    let shown = of_fields.map(|field| {
        let words = super::words::words(&field.value).join(" ");
        format!("{}={words}", field.name.to_lowercase())
    });
    let mut all: Vec<String> = asks.chain(shown).collect();
    all.sort();
    all.dedup();
    all
}
