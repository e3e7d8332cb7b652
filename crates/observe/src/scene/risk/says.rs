//! What the words on a control say that it does.

use legwork_types::contract::{Risk, RiskLevel};

use super::{
    super::{
        roles::Use,
        survey::Traits,
        words::{Hit, Words},
    },
    Verdict, is_leaving,
    lists::{ACTS, Meaning},
};

/// A name that is longer than this is a headline, not a command, unless it begins with one.
const LONGEST_COMMAND: usize = 5;

/// Ways to pay that are chosen before anything is paid.
const WAYS_TO_PAY: &[&str] = &["paypal", "pay with", "pay later", "pay in full"];

/// How words are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// A button's: it does what it says.
    Command,
    /// A link's, a tab's, a switch's: it does what it says if it says it shortly, or first.
    Way,
    /// A box's: nothing happens before it is sent.
    Choice,
}

/// What a control's own words say, and those of the button that it presses.
pub(super) fn by_words(traits: &Traits<'_>, verdict: &mut Verdict) {
    if let Some(manner) = manner_of(traits) {
        judge(&traits.words, manner, verdict);
    }
    if let Some(button) = &traits.control.attributes.presses {
        judge(&Words::of(button.name.untrusted()), Manner::Command, verdict);
    }
}

/// None for what is written in: its words say what for.
fn manner_of(traits: &Traits<'_>) -> Option<Manner> {
    match (traits.usage, &*traits.role) {
        (Use::Press, _) => Some(Manner::Command),
        (_, "combobox" | "listbox") => None,
        // What moves or flips may act at once.
        (_, "switch" | "slider") | (Use::Follow | Use::Other, _) => Some(Manner::Way),
        (Use::Choose, _) => Some(Manner::Choice),
        (Use::Write | Use::Upload, _) => None,
    }
}

/// Adds what words say, the worst first: a name can't be padded.
pub(super) fn judge(words: &Words, manner: Manner, verdict: &mut Verdict) {
    let apart = words.with_digits_apart();
    let words = apart.as_ref().unwrap_or(words);
    let commands = |hit: &Hit<Meaning>| match manner {
        Manner::Command => hit.value != Meaning::Caution,
        Manner::Way => hit.value == Meaning::Danger && (hit.at == 0 || words.len() <= LONGEST_COMMAND),
        Manner::Choice => false,
    };
    // Harmless words take no room, however many they are.
    let mut hits: Vec<_> = ACTS.hits(words).filter(|hit| hit.value != Meaning::Harmless).collect();
    hits.sort_by_key(|hit| (!commands(hit), hit.value));
    for hit in hits {
        match hit.value {
            _ if commands(&hit) => verdict.add(RiskLevel::Danger, format!("says \"{}\"", hit.phrase)),
            // A link or a choice with a weak word leads somewhere and does nothing yet.
            Meaning::Caution if manner == Manner::Command || is_leaving(hit.phrase) => {
                verdict.add(RiskLevel::Caution, format!("says \"{}\"", hit.phrase));
            }
            Meaning::Caution | Meaning::Harmless => {}
            Meaning::Danger | Meaning::DangerOnButton => {
                verdict.add(RiskLevel::Caution, format!("speaks of \"{}\"", hit.phrase));
            }
        }
    }
}

/// How much harm it might do to choose an entry of a list that says this: many a page does at once what is chosen.
pub fn risk_of_words(text: &str) -> Risk {
    let mut verdict = Verdict::safe();
    let words = Words::of(text);
    let is_way_to_pay = |hit: Hit<Meaning>| hit.value > Meaning::Danger || WAYS_TO_PAY.contains(&hit.phrase);
    let manner = if ACTS.hits(&words).all(is_way_to_pay) { Manner::Choice } else { Manner::Way };
    judge(&words, manner, &mut verdict);
    verdict.0
}
