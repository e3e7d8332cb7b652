//! Controls without a name: what they do is written around them, unless they show that they close something.

use super::{
    super::{
        roles::Use,
        survey::{Survey, Traits},
        words::Words,
    },
    sending::opens,
};
use crate::capture::Flag;

/// Signs that people read as "close".
const CLOSING_SIGNS: &str = "×✕✖✗✘❌❎⨯⨉╳🗙🗴";

/// Words of identifiers that say the same. None that could be the act itself, such as "cancel".
const CLOSING_WORDS: &[&str] = &[
    "close",
    "closer",
    "closebtn",
    "closebutton",
    "closeicon",
    "dismiss",
    "schliessen",
    "fermer",
    "cerrar",
    "chiudi",
    "sluiten",
    "fechar",
    "zamknij",
];

/// Words that only say what kind of thing a control is.
pub(super) const KINDS: &[&str] =
    &["button", "icon", "image", "img", "svg", "link", "click", "here", "btn", "ico"];

/// Whether a name has no word that tells anything.
pub(super) fn is_unnamed(words: &Words) -> bool {
    words.iter().all(|word| KINDS.contains(&word))
}

/// Whether a control without a name shows that it closes what it is in: by its sign, or by what the page itself calls it. What
/// sends a form does not, whatever it shows.
pub(super) fn closes(traits: &Traits<'_>, name: &str) -> bool {
    if !is_unnamed(&traits.words) || traits.has(Flag::Submits) {
        return false;
    }
    let attributes = &traits.control.attributes;
    let mut known = [&attributes.id, &attributes.test_id, &attributes.hint].into_iter().flatten();
    name.contains(|c| CLOSING_SIGNS.contains(c))
        || known.any(|text| {
            Words::of_identifier(text.untrusted()).iter().any(|word| CLOSING_WORDS.contains(&word))
        })
}

/// Whether a control is pressed to do something: not to open or switch something, and not beside what it holds.
pub(super) fn acts(survey: &Survey<'_>, traits: &Traits<'_>) -> bool {
    traits.usage == Use::Press
        && matches!(&*traits.role, "button" | "clickable" | "img" | "menuitem")
        && survey.tree.items_within(traits.node).is_empty()
        && !opens(traits)
}
