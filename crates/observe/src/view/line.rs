//! One control on one line.

use legwork_types::{
    PageText,
    contract::{ActionId, Affordance, Risk, RiskLevel, Toggle},
};
use url::Url;

use super::escape::quoted;

/// Names that say nothing about where a link leads.
const UNTELLING: &[&str] = &[
    "",
    "here",
    "click here",
    "more",
    "read more",
    "learn more",
    "see more",
    "details",
    "link",
    "view",
    "open",
    "go",
];

/// Types of input that a page can't make up.
const KINDS: &[&str] = &[
    "email",
    "tel",
    "url",
    "number",
    "date",
    "time",
    "month",
    "week",
    "datetime-local",
    "color",
    "file",
    "range",
];

/// When a link's address is worth its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Addresses {
    /// Where the name does not say it.
    Needed,
    /// Always: few controls were asked for.
    Always,
}

/// Whether controls that may change something are the exception: a flag on every eighth line warns of nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caution {
    Rare,
    Usual,
}

/// How lines are written.
#[derive(Debug)]
pub(super) struct Manner {
    /// The most tokens of a name; other parts get shares of it.
    pub(super) name: u32,
    pub(super) addresses: Addresses,
    pub(super) caution: Caution,
    /// The address of the page: what is on the same site is written without it.
    pub(super) base: Option<Url>,
}

/// How a control differs from an earlier look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    New,
    Changed,
}

/// `12 link "Add to basket"` and whatever else tells something.
pub(super) fn control(
    affordance: &Affordance,
    manner: &Manner,
    near: Option<&PageText>,
    mark: Option<Mark>,
) -> String {
    let name = affordance.name.untrusted();
    let mut line =
        format!("{} {} {}", affordance.action_id, role(&affordance.role), quoted(name, manner.name));
    let mut add = |word: &str| {
        line.push(' ');
        line.push_str(word);
    };
    if affordance.has_value {
        add("=[redacted]");
    } else if let Some(value) = affordance.value.as_ref().filter(|value| !value.is_blank()) {
        add(&format!("={}", quoted(value.untrusted(), manner.name * 2 / 3)));
    } else if affordance.sensitive {
        add("secret");
    }
    for word in states(affordance) {
        add(word);
    }
    if let Some(choices) = choices(affordance, manner) {
        add(&choices);
    }
    let tells_nothing = UNTELLING.contains(&name.trim().to_lowercase().as_str());
    if let Some(href) = affordance.href.as_ref()
        && (tells_nothing || manner.addresses == Addresses::Always)
    {
        add(&format!("→ {}", quoted(&short(href.untrusted(), manner.base.as_ref()), manner.name / 2)));
    }
    if let Some(near) = near.filter(|near| !near.is_blank()) {
        add(&format!("near {}", quoted(near.untrusted(), manner.name / 2)));
    }
    match affordance.risk.level {
        RiskLevel::Safe => {}
        RiskLevel::Caution if manner.caution == Caution::Usual && !is_grave(&affordance.risk) => {}
        RiskLevel::Caution => add("!"),
        RiskLevel::Danger => add("!danger"),
    }
    match mark {
        None => {}
        Some(Mark::New) => add("+new"),
        Some(Mark::Changed) => add("~changed"),
    }
    line
}

/// Whether a caution comes from what is irreversible elsewhere: a word for it, or an address. However many there are, each counts.
fn is_grave(risk: &Risk) -> bool {
    const GRAVE: &[&str] = &[
        "speaks of ",
        "leads to ",
        "is known to the page as ",
        "stands beside ",
        "stands under ",
        "shows a picture of ",
        "sends a form headed ",
    ];
    risk.reasons.iter().any(|reason| GRAVE.iter().any(|start| reason.starts_with(start)))
}

/// A role in letters; what a page made up is not repeated.
fn role(role: &str) -> &str {
    let plain = !role.is_empty() && role.len() <= 20 && role.bytes().all(|byte| byte.is_ascii_alphabetic());
    if plain { role } else { "other" }
}

fn states(affordance: &Affordance) -> impl Iterator<Item = &'static str> {
    let toggle = |toggle: Option<Toggle>, on: &'static str| match toggle {
        Some(Toggle::On) => Some(on),
        Some(Toggle::Mixed) => Some("mixed"),
        _ => None,
    };
    let when = |holds: bool, word: &'static str| holds.then_some(word);
    let kind = affordance.constraints.kind.as_ref().map(|kind| kind.untrusted());
    [
        KINDS.iter().copied().find(|known| Some(*known) == kind && !is_told(&affordance.role, known)),
        toggle(affordance.checked, "checked"),
        toggle(affordance.pressed, "pressed"),
        when(affordance.selected == Some(true), "selected"),
        affordance.expanded.map(|expanded| if expanded { "expanded" } else { "collapsed" }),
        when(affordance.required, "required"),
        when(affordance.invalid, "invalid"),
        when(affordance.readonly, "readonly"),
        when(affordance.disabled, "disabled"),
        when(affordance.focused, "focused"),
        when(affordance.covered, "covered"),
        when(!affordance.visible, "hidden"),
        when(!affordance.targetable, "untargetable"),
    ]
    .into_iter()
    .flatten()
}

/// Whether a role says already which type of input it is.
fn is_told(role: &str, kind: &str) -> bool {
    role == kind
        || matches!(
            (role, kind),
            ("spinbutton", "number") | ("slider", "range") | ("datetime", "datetime-local")
        )
}

/// What can be chosen: all if it is little, else how many.
fn choices(affordance: &Affordance, manner: &Manner) -> Option<String> {
    let options = &affordance.constraints.options;
    let count = affordance.constraints.option_count.map_or(options.len(), |count| count as usize);
    if count == 0 {
        return None;
    }
    if count == options.len() && count <= 6 {
        let each = (manner.name / 6).max(3);
        let words: Vec<String> = options.iter().map(|option| quoted(option.untrusted(), each)).collect();
        return Some(format!("of {}", words.join(" ")));
    }
    Some(format!("of {count}"))
}

/// The address without what it shares with the page's.
fn short(href: &str, base: Option<&Url>) -> String {
    match (Url::parse(href), base) {
        (Ok(url), Some(base)) if url.origin() == base.origin() => {
            url.as_str().get(url[..url::Position::BeforePath].len()..).unwrap_or(href).to_owned()
        }
        _ => href.to_owned(),
    }
}

/// Several numbers on one line.
pub(super) fn numbers(actions: &[ActionId], most: usize) -> String {
    let mut words: Vec<String> = actions.iter().take(most).map(ActionId::to_string).collect();
    if actions.len() > most {
        words.push(format!("+{}", actions.len() - most));
    }
    words.join(" ")
}
