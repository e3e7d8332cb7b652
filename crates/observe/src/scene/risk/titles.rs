//! The act that a title names: a heading, the name of a dialog, the legend of a form. A title is short and about what is done
//! below it, so an act need not be its first word.

use super::{
    super::words::{Hit, Words},
    announced::{ABOUT, DEEDS, OF, TO_BE_DONE},
    lists::{ACTS, Meaning},
    named_act,
};

/// A title with more words than this, numbers aside, is a sentence, and mentions more than it names.
const LONGEST_NAMING: usize = 4;

/// The warning or the act that a title speaks of, and whether it names it.
pub(super) fn act_in_title(words: &Words) -> Option<(&'static str, bool)> {
    match named_act(words) {
        Some((phrase, true)) => Some((phrase, true)),
        mentioned => last_word(words).or_else(|| deed(words)).map(|phrase| (phrase, true)).or(mentioned),
    }
}

/// What a text says will be done, unless it is about how or when that is.
pub(super) fn to_be_done(words: &Words) -> Option<&'static str> {
    TO_BE_DONE.hits(words).find(|hit| !is_talked_about(words, hit)).map(|hit| hit.phrase)
}

/// A command at the end: many languages put the verb there ("Konto löschen").
fn last_word(words: &Words) -> Option<&'static str> {
    let mut hits = ACTS.hits(words).filter(|hit| hit.value == Meaning::Danger);
    let hit = hits.find(|hit| is_short(words) && is_last(words, hit) && !is_talked_about(words, hit))?;
    Some(hit.phrase)
}

/// A noun that the title ends with ("Account deletion"), or that begins it and has its object behind it ("Payment of 30").
fn deed(words: &Words) -> Option<&'static str> {
    let names = |hit: &Hit<Meaning>| {
        let is_first = hit.at == 0 && (hit.len > 1 || has_object_behind(words, hit));
        (is_first || is_last(words, hit)) && !is_talked_about(words, hit)
    };
    let mut hits = DEEDS.hits(words).filter(|hit| hit.value == Meaning::Danger);
    hits.find(|hit| is_short(words) && names(hit)).map(|hit| hit.phrase)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

fn is_short(words: &Words) -> bool {
    words.iter().filter(|word| !is_number(word)).count() <= LONGEST_NAMING
}

fn is_last<V>(words: &Words, hit: &Hit<V>) -> bool {
    hit.at + hit.len == words.len()
}

fn has_object_behind<V>(words: &Words, hit: &Hit<V>) -> bool {
    let next = hit.at + hit.len;
    words.get(next).is_some_and(is_number) || OF.hits(words).any(|of| of.at == next)
}

fn is_talked_about<V>(words: &Words, hit: &Hit<V>) -> bool {
    ABOUT.hits(words).any(|about| about.at < hit.at)
}
