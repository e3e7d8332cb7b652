//! How much harm a control might do, and why: by its words, and by facts that no wording hides.

mod lists;

use legwork_types::{
    PageText,
    contract::{Risk, RiskLevel},
};
use url::Url;

use self::lists::{ACTS, BACK, MONEY, Meaning, VAGUE, WARNINGS};
use super::{
    dialogs::title,
    forms::{FormDraft, Forms},
    roles::Use,
    sensitive::Secrecy,
    stage::{Standout, StandoutKind},
    survey::{Survey, Traits},
    words::Words,
};
use crate::capture::Flag;

/// The most reasons given.
const MOST_REASONS: usize = 4;

/// A link whose name is longer than this is a headline, not a command.
const LONGEST_COMMAND: usize = 5;

/// A verdict in the making: it only ever gets worse.
struct Verdict(Risk);

impl Verdict {
    fn add(&mut self, level: RiskLevel, reason: impl Into<String>) {
        self.0.level = self.0.level.max(level);
        let reason = reason.into();
        if self.0.reasons.len() < MOST_REASONS && !self.0.reasons.contains(&reason) {
            self.0.reasons.push(reason);
        }
    }
}

/// What a form says about whatever sends it.
struct FormRisk {
    reasons: Vec<(RiskLevel, String)>,
}

/// What a dialog asks.
struct Question {
    asks: bool,
    words: Words,
}

/// The risk of each item.
pub(super) fn risks(
    survey: &Survey<'_>,
    forms: &Forms<'_>,
    near_texts: &[Option<PageText>],
    standouts: &[Standout],
) -> Vec<Risk> {
    let form_risks: Vec<_> = forms.all.iter().map(|form| form_risk(survey, form)).collect();
    let questions = questions(survey, standouts);
    survey
        .traits
        .iter()
        .enumerate()
        .map(|(item, traits)| {
            let mut verdict = Verdict(Risk { level: RiskLevel::Safe, reasons: Vec::new() });
            let form = forms.of_items[item];
            let submits =
                traits.has(Flag::Submits) || form.is_some_and(|form| forms.all[form].submit == Some(item));
            by_kind(traits, &mut verdict);
            by_words(traits, &mut verdict);
            by_attributes(traits, &mut verdict);
            by_address(survey, traits, &mut verdict);
            if let Some(near) = &near_texts[item] {
                by_near_text(traits, near, &mut verdict);
            }
            if let Some(form) = form.filter(|_| submits && traits.usage == Use::Press) {
                form_risks[form]
                    .reasons
                    .iter()
                    .for_each(|(level, reason)| verdict.add(*level, reason.as_str()));
                by_form_action(survey, traits, &mut verdict);
            }
            if let Some(question) = questions.of(item) {
                by_question(traits, question, &mut verdict);
            }
            verdict.0
        })
        .collect()
}

fn by_kind(traits: &Traits<'_>, verdict: &mut Verdict) {
    match traits.secrecy {
        Some(Secrecy::Payment) => verdict.add(RiskLevel::Caution, "takes payment details"),
        Some(_) => verdict.add(RiskLevel::Caution, "takes a secret"),
        None => {}
    }
    if traits.usage == Use::Upload {
        verdict.add(RiskLevel::Caution, "uploads a file");
    }
    if &*traits.control.tag == "input" && kind_of(traits) == "image" {
        verdict.add(RiskLevel::Caution, "is a picture that submits");
    }
}

fn kind_of<'t>(traits: &'t Traits<'_>) -> &'t str {
    traits.control.attributes.kind.as_ref().map_or("", PageText::untrusted)
}

/// What the control's own words say. A choice only adds caution: nothing happens before it is sent. A long link is a headline.
fn by_words(traits: &Traits<'_>, verdict: &mut Verdict) {
    let worst = match traits.usage {
        Use::Press => RiskLevel::Danger,
        Use::Follow if traits.words.len() <= LONGEST_COMMAND => RiskLevel::Danger,
        Use::Follow | Use::Other | Use::Choose if traits.role != "combobox" && traits.role != "listbox" => {
            RiskLevel::Caution
        }
        _ => return,
    };
    // Nobody says a command in more words than this; what follows belongs to a text.
    for hit in ACTS.hits(&traits.words).take(8) {
        let level = match hit.value {
            Meaning::Danger => RiskLevel::Danger,
            // A link or a choice with a weak word leads somewhere and does nothing yet.
            Meaning::Caution if traits.usage == Use::Press || is_leaving(hit.phrase) => RiskLevel::Caution,
            Meaning::Caution | Meaning::Harmless => continue,
        };
        verdict.add(level.min(worst), format!("says \"{}\"", hit.phrase));
    }
}

/// Weak words that do something even as a link.
fn is_leaving(phrase: &str) -> bool {
    const LEAVING: &[&str] = &[
        "log out",
        "logout",
        "sign out",
        "signout",
        "log off",
        "unsubscribe",
        "abmelden",
        "ausloggen",
        "abbestellen",
        "se deconnecter",
        "deconnexion",
        "se desabonner",
        "cerrar sesion",
        "esci",
        "disconnetti",
        "uitloggen",
        "afmelden",
        "sair",
        "terminar sessao",
        "wyloguj",
        "wypisz sie",
    ];
    LEAVING.contains(&phrase)
}

/// What the page's own identifiers say; they weigh more where there is no name.
fn by_attributes(traits: &Traits<'_>, verdict: &mut Verdict) {
    if !matches!(traits.usage, Use::Press) || verdict.0.level == RiskLevel::Danger {
        return;
    }
    let attributes = &traits.control.attributes;
    let level = if traits.words.is_empty() { RiskLevel::Danger } else { RiskLevel::Caution };
    for text in [&attributes.id, &attributes.name, &attributes.test_id].into_iter().flatten() {
        let words = Words::of_identifier(text.untrusted());
        let hit = ACTS.hits(&words).take(8).find(|hit| hit.value == Meaning::Danger);
        if let Some(hit) = hit {
            verdict.add(level, format!("is known to the page as \"{}\"", hit.phrase));
        }
    }
}

/// Where a link leads.
fn by_address(survey: &Survey<'_>, traits: &Traits<'_>, verdict: &mut Verdict) {
    let Some(href) = &traits.control.attributes.href else { return };
    let href = href.untrusted();
    let scheme = href.split_once(':').map_or("", |(scheme, _)| scheme);
    if ["mailto", "tel", "sms"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return verdict.add(RiskLevel::Caution, "opens another program");
    }
    // A page that tells its own story in an address, such as `/blog/how-to-delete`, is no command: only whole segments count.
    let frame = &survey.frames.all[survey.tree.nodes[traits.node].frame];
    let path = href.split(['?', '#']).next().unwrap_or_default();
    let path = match &frame.base {
        Some(base) if path.starts_with(base.scheme()) => path.splitn(4, '/').nth(3).unwrap_or_default(),
        _ => path,
    };
    for segment in path.split('/').filter(|segment| segment.len() <= 30).take(12) {
        if !segment.bytes().any(|b| b.is_ascii_alphabetic()) {
            continue;
        }
        let words = Words::of_identifier(segment);
        match ACTS.whole(&words) {
            Some(hit) if hit.value == Meaning::Danger || is_leaving(hit.phrase) => {
                verdict.add(RiskLevel::Caution, format!("leads to \"{}\"", hit.phrase));
            }
            _ => {}
        }
    }
}

/// What is written beside it: it makes a vague "Continue" as bad as what it continues to.
fn by_near_text(traits: &Traits<'_>, near: &PageText, verdict: &mut Verdict) {
    if traits.usage != Use::Press || BACK.whole(&traits.words).is_some() {
        return;
    }
    let words = Words::of(near.untrusted());
    let warning = WARNINGS.hits(&words).next().map(|hit| (hit.phrase, true));
    let act = || ACTS.hits(&words).find(|hit| hit.value == Meaning::Danger);
    // A text mentions acts all the time; it names one if it begins with it, or says it in more than a word.
    let Some((phrase, is_named)) =
        warning.or_else(|| act().map(|hit| (hit.phrase, hit.at == 0 || hit.len > 1)))
    else {
        return;
    };
    let is_vague = traits.words.is_empty() || VAGUE.whole(&traits.words).is_some();
    let level = if is_vague && is_named { RiskLevel::Danger } else { RiskLevel::Caution };
    verdict.add(level, format!("stands beside \"{phrase}\""));
}

fn resolved(survey: &Survey<'_>, node: usize, address: &PageText) -> Option<Url> {
    let frame = &survey.frames.all[survey.tree.nodes[node].frame];
    match &frame.base {
        Some(base) => base.join(address.untrusted().trim()).ok(),
        None => Url::parse(address.untrusted().trim()).ok(),
    }
}

fn is_foreign(survey: &Survey<'_>, node: usize, address: &Url) -> bool {
    let frame = &survey.frames.all[survey.tree.nodes[node].frame];
    matches!(address.scheme(), "http" | "https")
        && frame.url.as_ref().is_some_and(|own| own.scheme() != "about" && own.origin() != address.origin())
}

/// What a form says about its submit control, once per form.
fn form_risk(survey: &Survey<'_>, form: &FormDraft<'_>) -> FormRisk {
    let mut reasons = Vec::new();
    let mut add = |level: RiskLevel, reason: &str| reasons.push((level, reason.to_owned()));
    if form.count(survey, |secrecy| secrecy == Secrecy::Payment) > 0 {
        add(RiskLevel::Danger, "sends payment details");
    }
    let passwords = form.count(survey, |secrecy| matches!(secrecy, Secrecy::Password | Secrecy::NewPassword));
    let new = form.count(survey, |secrecy| secrecy == Secrecy::NewPassword);
    match (passwords, new) {
        (0, _) => {}
        (1, 0) => add(RiskLevel::Caution, "sends a password"),
        _ => add(RiskLevel::Danger, "sets a password"),
    }
    if form.count(survey, |secrecy| matches!(secrecy, Secrecy::OneTimeCode | Secrecy::Personal)) > 0 {
        add(RiskLevel::Caution, "sends a secret");
    }
    if form.fields.iter().any(|&item| survey.traits[item].usage == Use::Upload) {
        add(RiskLevel::Caution, "uploads a file");
    }
    let section = form.section.as_ref().map(|section| Words::of(section.untrusted())).unwrap_or_default();
    if let Some(hit) = MONEY.hits(&section).next() {
        add(RiskLevel::Danger, &format!("sends a form about \"{}\"", hit.phrase));
    }
    if let Some(hit) = ACTS.hits(&section).find(|hit| hit.value == Meaning::Danger) {
        add(RiskLevel::Caution, &format!("sends a form headed \"{}\"", hit.phrase));
    }
    let Some(facts) = form.facts else { return FormRisk { reasons } };
    let posts = facts.method.eq_ignore_ascii_case("post");
    if posts {
        add(RiskLevel::Caution, "sends a form");
    }
    let Some(&first) = form.items.first() else { return FormRisk { reasons } };
    let node = survey.traits[first].node;
    if let Some(action) = facts.action.as_ref().and_then(|action| resolved(survey, node, action)) {
        if posts && is_foreign(survey, node, &action) {
            add(RiskLevel::Danger, "sends to another site");
        }
        let words = Words::of_identifier(action.path());
        if let Some(hit) = ACTS.hits(&words).take(16).find(|hit| hit.value == Meaning::Danger) {
            let level = if posts { RiskLevel::Danger } else { RiskLevel::Caution };
            add(level, &format!("goes to \"{}\"", hit.phrase));
        }
    }
    FormRisk { reasons }
}

/// A control that sends its form elsewhere than the form says.
fn by_form_action(survey: &Survey<'_>, traits: &Traits<'_>, verdict: &mut Verdict) {
    let Some(action) = &traits.control.attributes.form_action else { return };
    verdict.add(RiskLevel::Caution, "sends the form elsewhere");
    if resolved(survey, traits.node, action).is_some_and(|address| is_foreign(survey, traits.node, &address))
    {
        verdict.add(RiskLevel::Danger, "sends to another site");
    }
    let words = Words::of_identifier(action.untrusted());
    if let Some(hit) = ACTS.hits(&words).take(16).find(|hit| hit.value == Meaning::Danger) {
        verdict.add(RiskLevel::Danger, format!("goes to \"{}\"", hit.phrase));
    }
}

/// The dialog that each item is in, if that asks something.
fn questions(survey: &Survey<'_>, standouts: &[Standout]) -> Questions {
    let mut all = Vec::new();
    let mut of_items = vec![None; survey.traits.len()];
    for standout in standouts.iter().filter(|s| s.kind == StandoutKind::Dialog && !s.consent).take(32) {
        let items = survey.tree.items_within(standout.node);
        if items.len() > 40 {
            continue;
        }
        // Its title may name the act itself; in the rest only a warning counts, for texts mention acts all the time.
        let mut words = Words::of(title(survey, standout.node).as_ref().map_or("", PageText::untrusted));
        let names_act = ACTS.hits(&words).any(|hit| hit.value == Meaning::Danger);
        words.add(&survey.texts(standout.node, 400));
        let asks = names_act || WARNINGS.is_in(&words);
        items.for_each(|item| of_items[item] = Some(all.len()));
        all.push(Question { asks, words });
    }
    Questions { all, of_items }
}

struct Questions {
    all: Vec<Question>,
    of_items: Vec<Option<usize>>,
}

impl Questions {
    fn of(&self, item: usize) -> Option<&Question> {
        self.all.get((*self.of_items.get(item)?)?)
    }
}

/// A yes in a dialog that asks before something is done; a plain "Cancel" steps back, unless cancelling is the question.
fn by_question(traits: &Traits<'_>, question: &Question, verdict: &mut Verdict) {
    if !question.asks || !matches!(traits.usage, Use::Press | Use::Follow) {
        return;
    }
    if BACK.whole(&traits.words).is_some() {
        let own = traits.words.get(0);
        let about_it = question.words.iter().filter(|word| Some(*word) == own).count() > 0;
        if about_it && own.is_some_and(|word| word.len() > 3) {
            verdict.add(RiskLevel::Caution, "answers a question about itself");
        }
        return;
    }
    let level = match traits.usage {
        Use::Follow => RiskLevel::Caution,
        _ => RiskLevel::Danger,
    };
    verdict.add(level, "answers a question before something is done");
}
