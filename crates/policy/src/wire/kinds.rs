//! Positive evidence for what is no danger: leaving, answering about cookies, counting visitors, putting something into a basket.

use legwork_types::OutgoingKind;

use super::{
    Decoded, Field,
    evidence::{Reach, is_action, is_number, segments},
    lists::{
        ADDING, ANALYTICS, BASKET, CONSENT, CONSENT_CHOICES, CONSENT_FIELDS, CONSENT_PLACES, CONSENT_WORDS,
        COUNTED, DISPATCHERS, LOGOUT,
    },
    words::{any_in_line, first_on, first_on_or_plural, is_in_line, is_on, pair_on, words},
};

/// The words of a whole path.
pub(super) fn path_words(decoded: &Decoded) -> Vec<String> {
    segments(decoded).into_iter().flat_map(|segment| segment.words).collect()
}

/// Whether it leaves.
pub(super) fn is_logout(decoded: &Decoded) -> bool {
    let leaves = |said: &[String]| {
        said.len() <= 3
            && (first_on(said, &LOGOUT).is_some()
                || pair_on(
                    said,
                    &[
                        ("log|sign", "out|off"),
                        ("cerrar", "sesion"),
                        ("se", "deconnecter"),
                        ("end", "session"),
                    ],
                )
                .is_some())
    };
    let segments = segments(decoded);
    let by_path = segments.iter().any(|segment| leaves(&segment.words));
    let by_field = decoded.fields.iter().any(|field| {
        leaves(&words(&field.name))
            || (is_action(&field.name, Reach::Reading)
                && field.value.len() < 40
                && leaves(&words(&field.value)))
    });
    let by_operation = decoded.operations.iter().flat_map(|one| &one.asks).any(|ask| leaves(&words(ask)));
    by_path || by_field || by_operation
}

/// Whether it answers the question about cookies: at an address every word of which is about that, with a choice among cookies. Much else
/// is consented to, and whoever sends something may add such a word to it.
pub(super) fn is_consent(decoded: &Decoded) -> bool {
    let said = path_words(decoded);
    let asked_by_others = ["oauth", "oauth2", "authorize", "scope", "client", "terms", "grant", "challenge"];
    let names: Vec<String> = decoded.fields.iter().flat_map(|field| words(&field.name)).collect();
    if said.iter().chain(&names).any(|word| asked_by_others.contains(&word.as_str())) {
        return false;
    }
    let answers_by_name = said.iter().any(|word| is_on(word, &CONSENT_WORDS));
    // Much else is consented to: there only a choice among cookies tells.
    let of_cookies = first_on(&said, &CONSENT).is_some()
        || pair_on(&said, &[("privacy|tracking", "preferences|settings|consent|choices")]).is_some();
    let about = of_cookies || said.iter().any(|word| word == "consent");
    let is_known = |word: &String| {
        is_on(word, &CONSENT)
            || is_on(word, &CONSENT_WORDS)
            || is_on(word, &CONSENT_PLACES)
            || is_on(word, &DISPATCHERS)
    };
    let is_told = |field: &Field| {
        let said = words(&field.name);
        let is_vague = any_in_line(&said, "status|consent");
        let fits = !is_vague
            || is_yes_or_no(&field.value)
            || words(&field.value).iter().all(|word| is_on(word, &CONSENT_CHOICES));
        (fits && said.iter().all(|word| is_on(word, &CONSENT_FIELDS) || is_number(word)))
            || chooses_cookies(field)
    };
    // "status" or "all" are no choice by themselves, unless the address is about cookies.
    let chooses = |field: &Field| {
        let said = words(&field.name);
        let names_one = said
            .iter()
            .any(|word| is_on(word, &CONSENT_CHOICES) && !matches!(word.as_str(), "all" | "none" | "only"));
        let names_all =
            answers_by_name && any_in_line(&said, "all|accept|reject|accepted|consent|status|choice");
        let named = said.iter().any(|word| matches!(word.as_str(), "cookie" | "cookies"));
        names_one
            || (of_cookies && names_all)
            || (named && is_yes_or_no(&field.value))
            || chooses_cookies(field)
    };
    if decoded.fields.is_empty() {
        return of_cookies && answers_by_name && said.iter().all(is_known);
    }
    // Where all requests go to one program, only a field can say that it is about cookies.
    let is_place = match about {
        true => said.iter().all(is_known),
        false => {
            said.iter().all(|word| is_on(word, &DISPATCHERS))
                && names.iter().any(|word| matches!(word.as_str(), "cookie" | "cookies"))
        }
    };
    is_place && decoded.all().all(is_told) && decoded.fields.iter().any(chooses)
}

fn is_yes_or_no(value: &str) -> bool {
    let known = "accept|accepted|reject|rejected|all|none|true|false|1|0|yes|no|on|off";
    is_in_line(&value.to_ascii_lowercase(), known)
}

/// Whether it says which cookies somebody chose, in words that are about nothing else.
fn chooses_cookies(field: &Field) -> bool {
    let (name, value) = (words(&field.name), words(&field.value));
    let is_choice = name.len() == 1 && any_in_line(&name, "choice|choices|selection|decision|level|answer");
    is_choice && !value.is_empty() && value.iter().all(|word| is_on(word, &CONSENT_CHOICES))
}

/// Whether it counts visitors and nothing else, by where it goes: what else is in its address might be what it is really about.
pub(super) fn counts_visitors(decoded: &Decoded) -> bool {
    let labels = words(decoded.address.host.split('.').next().unwrap_or_default());
    let segments = segments(decoded);
    let mut parts = segments.iter().filter(|segment| !segment.is_id && !segment.words.is_empty());
    let is_known = |word: &String| is_on(word, &ANALYTICS) || is_on(word, &COUNTED);
    let by_path = parts.clone().any(|segment| first_on(&segment.words, &ANALYTICS).is_some())
        && parts.all(|segment| segment.words.iter().all(is_known));
    by_path || (decoded.kind == OutgoingKind::Beacon && first_on(&labels, &ANALYTICS).is_some())
}

/// Whether it puts something into a basket by its address alone.
pub(super) fn adds_to_basket(decoded: &Decoded) -> bool {
    let adds =
        |said: &[String]| first_on_or_plural(said, &BASKET).is_some() && first_on(said, &ADDING).is_some();
    let by_field = |field: &Field| {
        adds(&words(&field.name))
            || (is_action(&field.name, Reach::Reading)
                && field.value.len() < 60
                && adds(&words(&field.value)))
    };
    adds(&path_words(decoded)) || decoded.fields.iter().any(by_field)
}
