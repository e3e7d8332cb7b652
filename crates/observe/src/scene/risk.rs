//! How much harm a control might do, and why: by its words, and by facts that no wording hides.

mod announced;
mod enter;
mod foreign;
mod lists;
mod over;
mod says;
mod sending;
mod signs;
mod titles;
mod unnamed;

use legwork_types::{
    PageText,
    contract::{Risk, RiskLevel},
};

use self::lists::{ACTS, BACK, Meaning, VAGUE, WARNINGS};
use super::{
    dialogs::title,
    forms::Forms,
    outline::Heading,
    roles::Use,
    sensitive::Secrecy,
    stage::{Standout, StandoutKind},
    survey::{Survey, Traits},
    tree::NodeIndex,
    words::{Hit, Words},
};

/// The most reasons given.
const MOST_REASONS: usize = 4;

/// What a dialog begins with is its title if it has no more words than this.
const LONGEST_TITLE: usize = 12;

/// A verdict in the making: it only ever gets worse.
struct Verdict(Risk);

impl Verdict {
    fn safe() -> Self {
        Self(Risk { level: RiskLevel::Safe, reasons: Vec::new() })
    }

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

pub use says::risk_of_words;

/// The risk of each item, and that of Enter in those that it does not press.
pub(super) fn risks(
    survey: &Survey<'_>,
    forms: &Forms<'_>,
    headings: &[Heading],
    near_texts: &[Option<PageText>],
    standouts: &[Standout],
) -> (Vec<Risk>, Vec<Option<Risk>>) {
    let sending = sending::Sending::of(survey, forms);
    let questions = questions(survey, standouts);
    let mut beside = Beside::default();
    let risks: Vec<Risk> = survey
        .traits
        .iter()
        .enumerate()
        .map(|(item, traits)| {
            let name = survey.names.of_items[item].untrusted();
            let mut verdict = Verdict::safe();
            by_kind(traits, &mut verdict);
            says::by_words(traits, &mut verdict);
            signs::by_pictures(traits, name, &mut verdict);
            signs::by_attributes(traits, &mut verdict);
            signs::by_address(survey, traits, &mut verdict);
            if let Some(near) = &near_texts[item] {
                by_near_text(traits, name, near, &mut beside, &mut verdict);
            }
            sending.judge(survey, item, &mut verdict);
            if let Some(question) = questions.of(item) {
                by_question(traits, name, question, &mut verdict);
            }
            over::by_heading(survey, headings, item, &mut verdict);
            signs::by_script(traits, &mut verdict);
            verdict.0
        })
        .collect();
    let by_enter = enter::by_enter(survey, forms, &sending, &risks);
    (risks, by_enter)
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

/// Whether a name says nothing about what the control does.
fn says_nothing(words: &Words) -> bool {
    words.iter().all(|word| {
        word.chars().nth(1).is_none() && word.is_ascii()
            || word.bytes().all(|b| b.is_ascii_digit())
            || unnamed::KINDS.contains(&word)
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

/// The last text beside a control, with the act that it speaks of: controls of one row have the same.
#[derive(Default)]
struct Beside<'n>(Option<(&'n PageText, Option<(&'static str, bool)>)>);

impl<'n> Beside<'n> {
    fn act(&mut self, near: &'n PageText) -> Option<(&'static str, bool)> {
        match self.0 {
            Some((last, act)) if last == near => act,
            _ => {
                let act = named_act(&Words::of(near.untrusted()));
                self.0 = Some((near, act));
                act
            }
        }
    }
}

/// What is written beside it: it makes a vague "Continue" as bad as what it continues to.
fn by_near_text<'n>(
    traits: &Traits<'_>,
    name: &str,
    near: &'n PageText,
    beside: &mut Beside<'n>,
    verdict: &mut Verdict,
) {
    if traits.usage != Use::Press || BACK.whole(&traits.words).is_some() {
        return;
    }
    let Some((phrase, is_named)) = beside.act(near) else { return };
    let goes_on = is_vague(&traits.words) && !unnamed::closes(traits, name);
    let level = if goes_on && is_named { RiskLevel::Danger } else { RiskLevel::Caution };
    verdict.add(level, format!("stands beside \"{phrase}\""));
}

/// Whether a text warns, or speaks of an act that nothing takes back.
pub(super) fn speaks_of_acts(text: &str) -> bool {
    named_act(&Words::of(text)).is_some()
}

/// The warning or the act that a text speaks of, and whether it names it: a text mentions acts all the time, and names one if
/// it begins with it, or says it in more than a word, or says that it will be done.
fn named_act(words: &Words) -> Option<(&'static str, bool)> {
    let warning = WARNINGS.hits(words).next().map(|hit| (hit.phrase, true));
    let act = || ACTS.hits(words).find(is_grave);
    let announced = || titles::to_be_done(words).map(|phrase| (phrase, true));
    warning.or_else(announced).or_else(|| act().map(|hit| (hit.phrase, hit.at == 0 || hit.len > 1)))
}

/// Whether a name only says "go on", or nothing: what it does is written elsewhere.
fn is_vague(words: &Words) -> bool {
    unnamed::is_unnamed(words) || VAGUE.whole(words).is_some()
}

/// Whether what a press on a control does is not told by its name.
pub(super) fn says_little(traits: &Traits<'_>) -> bool {
    traits.usage == Use::Press && is_vague(&traits.words)
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
        // Its title, or what it begins with, may name the act itself; in the rest only a warning counts, for texts mention
        // acts all the time.
        let mut words = match title(survey, standout.node) {
            Some(title) => Words::of(title.untrusted()),
            None => first_words(survey, standout.node),
        };
        let names_act = titles::act_in_title(&words).is_some();
        words.add(&survey.texts(standout.node, 400));
        let asks = names_act || WARNINGS.is_in(&words);
        items.for_each(|item| of_items[item] = Some(all.len()));
        all.push(Question { asks, words });
    }
    Questions { all, of_items }
}

/// What a dialog without a title begins with, if that is short enough to be one.
fn first_words(survey: &Survey<'_>, node: NodeIndex) -> Words {
    let mut words = Words::of(&survey.texts(node, 1));
    if words.len() > LONGEST_TITLE {
        words = Words::default();
    }
    words
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
fn by_question(traits: &Traits<'_>, name: &str, question: &Question, verdict: &mut Verdict) {
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
        _ if unnamed::closes(traits, name) => RiskLevel::Caution,
        Use::Follow if !is_vague(&traits.words) && !signs::runs_script(traits) => RiskLevel::Caution,
        _ => RiskLevel::Danger,
    };
    verdict.add(level, "answers a question before something is done");
}
