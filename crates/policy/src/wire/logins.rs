//! Positive evidence for coming in, and for where that is done: what else is done with a name and a password looks much the same.

use super::{
    Decoded, Field, Place, WireFacts,
    evidence::{is_number, segments},
    kinds::path_words,
    lists::{DISPATCHERS, DOORS, LOGIN, LOGIN_FIELDS, LOGIN_PATHS},
    secrets::{is_password, passwords, same_origin},
    words::{any_in_line, first_on, is_in_line, is_on, pair_on, words},
};

/// Whether it comes in: a name at a place to come in, or a name with one password. Whoever says more than that may change something with
/// it: an address, a role, who gets money.
pub(super) fn is_login(decoded: &Decoded) -> bool {
    let asked: Vec<String> =
        decoded.operations.iter().flat_map(|one| one.asks.iter().flat_map(|ask| words(ask))).collect();
    let at_a_door = comes_in(&path_words(decoded)) || comes_in(&asked);
    let has_user = decoded.fields.iter().any(|field| {
        let known = "user|username|login|email|mail|identifier|account|handle|benutzer|usuario|utilisateur|phone|логин|用户名";
        !field.value.is_empty() && any_in_line(&words(&field.name), known)
    });
    let says_no_more = decoded.all().all(|field| field.place == Place::GraphQl || belongs_to_login(field));
    if decoded.method != "POST" || !says_no_more {
        return false;
    }
    match passwords(decoded).as_slice() {
        [] => at_a_door && has_user,
        [(name, _)] => {
            let fresh =
                "new|old|current|confirm|confirmation|repeat|again|neu|nuevo|nouveau|registration|signup";
            (at_a_door || has_user) && !any_in_line(&words(name), fresh)
        }
        _ => false,
    }
}

pub(super) fn comes_in(said: &[String]) -> bool {
    first_on(said, &LOGIN).is_some() || pair_on(said, &[("log|sign", "in|on"), ("two", "factor")]).is_some()
}

/// Whether a field is one of those that forms for coming in have.
fn belongs_to_login(field: &Field) -> bool {
    let said: Vec<String> = words(&field.name).into_iter().filter(|word| !is_number(word)).collect();
    // What is to be done there is nothing but to come in.
    let is_deed = any_in_line(&said, "action|mode|type|operation|method|op|do|cmd|task");
    let comes_in = |word: &String| {
        is_on(word, &LOGIN) || is_on(word, &LOGIN_FIELDS) || is_password(word) || is_number(word)
    };
    if is_deed && !words(&field.value).iter().all(comes_in) {
        return false;
    }
    if any_in_line(&said, TOLD_TO_DO) && !is_told_to_come_in(&field.value) {
        return false;
    }
    if is_in_line(&field.name, ROUTES) {
        return is_told_to_come_in(&field.value);
    }
    is_password(&field.name)
        || (!said.is_empty() && said.iter().all(|word| is_on(word, &LOGIN_FIELDS) || is_on(word, &LOGIN)))
}

/// Whether it comes in by an address that is for that, or by one that is for everything. To any other a name and a password go only after
/// a yes: what is near a door is not always one (`/auth/mfa/disable`).
pub(super) fn is_at_a_door(decoded: &Decoded) -> bool {
    let is_known = |word: &String| is_on(word, &LOGIN) || is_on(word, &LOGIN_PATHS);
    if !decoded.operations.is_empty() {
        let mut asks = decoded.operations.iter().flat_map(|one| &one.asks);
        return asks.all(|ask| comes_in(&words(ask)) && words(ask).iter().all(is_known));
    }
    let segments = segments(decoded);
    let mut parts = segments.iter().rev().filter(|segment| !segment.is_id && !segment.words.is_empty());
    let ends_there = parts.next().is_some_and(|last| {
        let opens = first_on(&last.words, &DOORS).is_some()
            || pair_on(&last.words, &[("log|sign", "in|on")]).is_some();
        opens && last.words.iter().all(is_known)
    });
    if ends_there {
        return true;
    }
    // Shops let people come in at the checkout too, and there it is all that is said.
    let is_common = |word: &String| is_on(word, &DISPATCHERS) || word == "checkout";
    let path = path_words(decoded);
    // Where one address is for everything, what is to be done there is said by a field.
    let is_led = |field: &Field| {
        !any_in_line(&words(&field.name), LED_BY)
            || field.value.is_empty()
            || is_told_to_come_in(&field.value)
    };
    let is_own = |word: &String| is_common(word) || is_in_line(word, OWN_DOORS);
    (path.iter().all(is_common) && decoded.all().all(is_led))
        || (path.iter().all(is_own) && decoded.all().all(is_led) && decoded.fields.iter().any(is_pressed))
}

/// Names of fields that say what is to be done, and of those that say where.
const TOLD_TO_DO: &str = "action|operation|op|do|cmd|task";
const ROUTES: &str = "route|r|controller";
const LED_BY: &str = "action|operation|op|do|cmd|task|mode|type|method|step|form|flow|route|r|controller";

/// Words of somebody's own place, where shops also let people come in. What else is done there has other buttons.
const OWN_DOORS: &str = "my|account|mein|konto|meinkonto|mon|compte|mi|cuenta|minha|conta|il|mio|mijn|moje|customer|client|kunde|kunden";

/// Whether a value says that somebody is to come in, or nothing at all.
fn is_told_to_come_in(value: &str) -> bool {
    const NOTHING: &str = "post|password|submit|check|continue|next|verify|default|form|ok|go";
    let said = words(value);
    let is_known = |word: &String| is_on(word, &LOGIN) || is_on(word, &LOGIN_PATHS) || is_number(word);
    (comes_in(&said) && said.iter().all(is_known)) || said.iter().all(|word| is_in_line(word, NOTHING))
}

/// Whether it is the button of a form to come in: its name says so, and so does what is written on it.
fn is_pressed(field: &Field) -> bool {
    let said = words(&field.name);
    let names_it = comes_in(&said)
        && said.iter().all(|word| is_on(word, &LOGIN) || is_in_line(word, "log|sign|in|on|submit"));
    field.place != Place::Query && names_it && comes_in(&words(&field.value))
}

/// Whether all passwords of a login are secrets that are bound to where it goes. Without any there is nothing to be bound.
pub(super) fn is_bound(decoded: &Decoded, facts: &WireFacts) -> bool {
    let origin = decoded.address.origin();
    let sent = passwords(decoded);
    let bound = |value: &str| {
        let mut mine = facts.secrets.iter().filter(|secret| secret.value.expose() == value);
        mine.any(|secret| secret.origins.iter().any(|bound| same_origin(bound, &origin)))
    };
    !sent.is_empty() && sent.iter().all(|(_, value)| bound(value))
}
