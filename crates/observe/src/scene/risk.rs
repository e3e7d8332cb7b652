//! How much harm a control might do, and why: by its words, and by facts that no wording hides.

mod foreign;
mod lists;
mod sending;
mod signs;

use legwork_types::{
    PageText,
    contract::{Risk, RiskLevel},
};

use self::lists::{ACTS, BACK, Meaning, VAGUE, WARNINGS};
use super::{
    dialogs::title,
    forms::Forms,
    roles::Use,
    sensitive::Secrecy,
    stage::{Standout, StandoutKind},
    survey::{Survey, Traits},
    words::{Hit, Words},
};

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
    let sending = sending::Sending::of(survey, forms);
    let questions = questions(survey, standouts);
    survey
        .traits
        .iter()
        .enumerate()
        .map(|(item, traits)| {
            let mut verdict = Verdict(Risk { level: RiskLevel::Safe, reasons: Vec::new() });
            by_kind(traits, &mut verdict);
            by_words(traits, &mut verdict);
            signs::by_pictures(traits, survey.names.of_items[item].untrusted(), &mut verdict);
            signs::by_attributes(traits, &mut verdict);
            signs::by_address(survey, traits, &mut verdict);
            if let Some(near) = &near_texts[item] {
                by_near_text(traits, near, &mut verdict);
            }
            sending.judge(survey, item, &mut verdict);
            if let Some(question) = questions.of(item) {
                by_question(traits, question, &mut verdict);
            }
            signs::by_script(traits, &mut verdict);
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

/// Whether a phrase names an act that nothing takes back: where it may be a mere noun, it has to stand first.
fn is_grave(hit: &Hit<Meaning>) -> bool {
    hit.value == Meaning::Danger || hit.value == Meaning::DangerOnButton && hit.at == 0
}

/// What the control's own words say. A choice only adds caution: nothing happens before it is sent. A long link is a headline,
/// unless it begins with a command.
fn by_words(traits: &Traits<'_>, verdict: &mut Verdict) {
    let is_press = traits.usage == Use::Press;
    let is_list = traits.role == "combobox" || traits.role == "listbox";
    if is_list || !matches!(traits.usage, Use::Press | Use::Follow | Use::Other | Use::Choose) {
        return;
    }
    let apart = traits.words.with_digits_apart();
    let words = apart.as_ref().unwrap_or(&traits.words);
    let commands = |hit: &Hit<Meaning>| match traits.usage {
        Use::Press => hit.value != Meaning::Caution,
        Use::Follow => hit.value == Meaning::Danger && (hit.at == 0 || words.len() <= LONGEST_COMMAND),
        _ => false,
    };
    // Harmless words take no room, however many they are, and the worst come first: a name can't be padded.
    let mut hits: Vec<_> = ACTS.hits(words).filter(|hit| hit.value != Meaning::Harmless).collect();
    hits.sort_by_key(|hit| (!commands(hit), hit.value));
    for hit in hits {
        match hit.value {
            _ if commands(&hit) => verdict.add(RiskLevel::Danger, format!("says \"{}\"", hit.phrase)),
            // A link or a choice with a weak word leads somewhere and does nothing yet.
            Meaning::Caution if is_press || is_leaving(hit.phrase) => {
                verdict.add(RiskLevel::Caution, format!("says \"{}\"", hit.phrase));
            }
            Meaning::Caution | Meaning::Harmless => {}
            Meaning::Danger | Meaning::DangerOnButton => {
                verdict.add(RiskLevel::Caution, format!("speaks of \"{}\"", hit.phrase));
            }
        }
    }
}

/// Whether a name says nothing about what the control does.
fn says_nothing(words: &Words) -> bool {
    const EMPTY: &[&str] = &["button", "icon", "image", "img", "svg", "link", "click", "here", "btn", "ico"];
    words.iter().all(|word| {
        word.chars().nth(1).is_none() && word.is_ascii()
            || word.bytes().all(|b| b.is_ascii_digit())
            || EMPTY.contains(&word)
    })
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

/// What is written beside it: it makes a vague "Continue" as bad as what it continues to.
fn by_near_text(traits: &Traits<'_>, near: &PageText, verdict: &mut Verdict) {
    if traits.usage != Use::Press || BACK.whole(&traits.words).is_some() {
        return;
    }
    let words = Words::of(near.untrusted());
    let warning = WARNINGS.hits(&words).next().map(|hit| (hit.phrase, true));
    let act = || ACTS.hits(&words).find(is_grave);
    // A text mentions acts all the time; it names one if it begins with it, or says it in more than a word.
    let Some((phrase, is_named)) =
        warning.or_else(|| act().map(|hit| (hit.phrase, hit.at == 0 || hit.len > 1)))
    else {
        return;
    };
    let level = if is_vague(&traits.words) && is_named { RiskLevel::Danger } else { RiskLevel::Caution };
    verdict.add(level, format!("stands beside \"{phrase}\""));
}

/// Whether a name only says "go on", or nothing: what it does is written elsewhere.
fn is_vague(words: &Words) -> bool {
    words.is_empty() || VAGUE.whole(words).is_some()
}

/// Whether a name says no more than "go on" or "go back".
pub(super) fn only_goes_on_or_back(words: &Words) -> bool {
    VAGUE.whole(words).is_some() || BACK.whole(words).is_some()
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
        let names_act = ACTS.hits(&words).any(|hit| is_grave(&hit));
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
        Use::Follow if !is_vague(&traits.words) && !signs::runs_script(traits) => RiskLevel::Caution,
        _ => RiskLevel::Danger,
    };
    verdict.add(level, "answers a question before something is done");
}
