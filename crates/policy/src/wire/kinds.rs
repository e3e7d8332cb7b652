//! Positive evidence for what is no danger: looking for something, coming in, leaving, answering about cookies, preparing.

use legwork_types::OutgoingKind;

use super::{
    Content, Decoded, Field, OperationKind, Place, WireFacts,
    evidence::{Reach, Segment, is_action, is_number, segments},
    lists::{
        ADDING, ANALYTICS, BASKET, BESIDE, CONSENT, CONSENT_CHOICES, CONSENT_FIELDS, CONSENT_WORDS, COUNTED,
        LISTED, LOGIN, LOGIN_FIELDS, LOGIN_PATHS, LOGOUT, NEUTRAL, OWN_PLACES, PREPARE, PREPARE_FIELDS,
        SEARCH, SEARCH_FIELDS,
    },
    secrets::{is_password, passwords, same_origin},
    words::{any_in_line, first_on, first_on_or_plural, is_in_line, is_on, pair_on, words},
};

/// The words of a whole path.
fn path_words(decoded: &Decoded) -> Vec<String> {
    segments(decoded).into_iter().flat_map(|segment| segment.words).collect()
}

/// Whether it only looks for something: by its path, and by all of its fields. What comes after the word may be what is really done.
pub(super) fn is_search(decoded: &Decoded) -> bool {
    let segments = segments(decoded);
    let place = segments.iter().position(|segment| first_on(&segment.words, &SEARCH).is_some());
    let is_told = |word: &String| is_on(word, &SEARCH) || is_on(word, &LISTED);
    let is_about = |segment: &Segment| segment.is_id || segment.words.iter().all(is_told);
    let looks = place.is_some_and(|at| segments.iter().skip(at).all(is_about));
    let is_known = |field: &Field| {
        if field.name.is_empty() {
            return false;
        }
        let mut pieces = field.name.split(['.', '[', ']']).filter(|piece| !piece.is_empty());
        pieces.all(|piece| {
            let said = words(piece);
            said.iter().all(|word| is_on(word, &SEARCH_FIELDS) || is_number(word))
        })
    };
    let has_question = decoded.fields.iter().any(|field| !field.name.is_empty());
    looks
        && has_question
        && decoded.operations.is_empty()
        && decoded.content != Content::Text
        && !decoded.fields.iter().any(|field| commands_a_store(&field.value))
        && decoded.method == "POST"
        && decoded.files.is_empty()
        && decoded.fields.iter().all(is_known)
}

/// Whether a value tells a database to change something. Some take that where others take questions.
fn commands_a_store(value: &str) -> bool {
    let said = words(value);
    let pairs = [
        (
            "drop|create|alter|truncate",
            "database|table|user|role|index|schema|view|measurement|series|policy|function|trigger|keyspace",
        ),
        ("delete", "from"),
        ("insert|merge|replace", "into"),
        ("grant|revoke", "on|to|from|all"),
    ];
    let follows = |(one, other): &(&str, &str)| {
        said.windows(2)
            .any(|two| matches!(two, [first, second] if is_in_line(first, one) && is_in_line(second, other)))
    };
    let sets = said
        .windows(3)
        .any(|three| matches!(three, [first, _, third] if first == "update" && third == "set"));
    sets || pairs.iter().any(follows)
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
    let says_no_more =
        decoded.fields.iter().all(|field| field.place == Place::GraphQl || belongs_to_login(field));
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

fn comes_in(said: &[String]) -> bool {
    first_on(said, &LOGIN).is_some() || pair_on(said, &[("log|sign", "in|on"), ("two", "factor")]).is_some()
}

/// Whether a field is one of those that forms for coming in have.
fn belongs_to_login(field: &Field) -> bool {
    let said: Vec<String> = words(&field.name).into_iter().filter(|word| !is_number(word)).collect();
    is_password(&field.name)
        || (!said.is_empty() && said.iter().all(|word| is_on(word, &LOGIN_FIELDS) || is_on(word, &LOGIN)))
}

/// Whether it comes in by an address that is for that, or at least not for changing what is known of somebody. To any other a name and a
/// password go only after a yes.
pub(super) fn is_at_a_door(decoded: &Decoded) -> bool {
    let is_known = |word: &String| is_on(word, &LOGIN) || is_on(word, &LOGIN_PATHS);
    if !decoded.operations.is_empty() {
        let mut asks = decoded.operations.iter().flat_map(|one| &one.asks);
        return asks.all(|ask| comes_in(&words(ask)) && words(ask).iter().all(is_known));
    }
    let segments = segments(decoded);
    let mut parts = segments.iter().rev().filter(|segment| !segment.is_id && !segment.words.is_empty());
    let ends_there = parts.next().is_some_and(|last| last.words.iter().all(is_known));
    let said = path_words(decoded);
    (ends_there && comes_in(&said)) || first_on(&said, &OWN_PLACES).is_none()
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

/// Whether it answers the question about cookies.
pub(super) fn is_consent(decoded: &Decoded) -> bool {
    let said = path_words(decoded);
    let asked_by_others = ["oauth", "oauth2", "authorize", "scope", "client", "terms", "grant", "challenge"];
    let names: Vec<String> = decoded.fields.iter().flat_map(|field| words(&field.name)).collect();
    if said.iter().chain(&names).any(|word| asked_by_others.contains(&word.as_str())) {
        return false;
    }
    let about = first_on(&said, &CONSENT).is_some()
        || pair_on(&said, &[("privacy|tracking", "preferences|settings|consent|choices")]).is_some();
    let is_told = |said: &[String]| said.iter().all(|word| is_on(word, &CONSENT_FIELDS) || is_number(word));
    let answers = !decoded.fields.is_empty()
        && decoded.fields.iter().all(|field| is_told(&words(&field.name)) || chooses_cookies(field));
    let is_there = about || said.iter().any(|word| word == "consent");
    // Whoever sells cookies has an address for them too: without a choice in it, the address alone has to say that it is about consent.
    let names_choice = said.iter().any(|word| is_on(word, &CONSENT_WORDS));
    let by_path = is_there && if decoded.fields.is_empty() { names_choice } else { answers };
    // An offer is accepted too: a page that adds such a field to that makes no banner of it.
    let by_fields = answers
        && !said.iter().any(|word| word == "accept")
        && names.iter().any(|word| matches!(word.as_str(), "cookie" | "cookies" | "consent"));
    by_path || by_fields
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

/// Why it prepares something, if there is positive evidence.
pub(super) fn prepares(decoded: &Decoded) -> Option<String> {
    let segments = segments(decoded);
    let prepared = |said: &[String]| {
        let found = first_on_or_plural(said, &BASKET).or_else(|| first_on_or_plural(said, &PREPARE));
        found.map(str::to_owned)
    };
    if decoded.operations.iter().any(|one| one.kind != OperationKind::Query) {
        return asks_to_prepare(decoded).map(|ask| format!("what it asks for says \"{ask}\""));
    }
    // Words without any structure are looked at for what they say; of a long text nobody knows what it says.
    if decoded.content == Content::Text && decoded.fields.iter().any(|field| field.value.len() > SHORT_TEXT) {
        return None;
    }
    // What is sent to a checkout as a whole may well be the order, whatever addresses are in it.
    if ends_at_checkout(&segments) && !decoded.fields.iter().any(is_step) {
        return None;
    }
    if chooses_method(&segments) {
        return Some("it chooses a way to pay, within a checkout".to_owned());
    }
    let in_path =
        segments.iter().find_map(|segment| prepared(&segment.words)).filter(|_| ends_known(&segments));
    if let Some(word) = in_path {
        return Some(format!("its address says \"{word}\""));
    }
    // Whoever sends something may hang anything on its address: only what is in the body says what it is for.
    let in_body = || decoded.fields.iter().filter(|field| field.place != Place::Query);
    if !decoded.fields.iter().all(is_beside) {
        return None;
    }
    let mut in_action =
        in_body().filter(|field| field.value.len() < 60 && is_action(&field.name, Reach::Writing));
    if let Some(word) = in_action.find_map(|field| prepared(&words(&field.value))) {
        return Some(format!("it says that it is to \"{word}\""));
    }
    let in_name = in_body().flat_map(|field| words(&field.name)).find(|word| is_on(word, &PREPARE_FIELDS));
    in_name.map(|word| format!("one of its fields says \"{word}\""))
}

/// What all that is asked of a GraphQL server prepares, if it does: every word of it is known, and nothing else is told anything.
fn asks_to_prepare(decoded: &Decoded) -> Option<String> {
    let is_prepared = |ask: &String| {
        let said = words(ask);
        let moves = first_on_or_plural(&said, &PREPARE).is_some() || first_on(&said, &ADDING).is_some();
        let is_checkout = any_in_line(&said, CHECKOUTS);
        let is_about =
            first_on_or_plural(&said, &BASKET).is_some() || first_on_or_plural(&said, &PREPARE).is_some();
        is_about && said.iter().all(is_plain) && (moves || !is_checkout)
    };
    let all = &decoded.operations;
    let is_known = all.iter().all(|one| one.kind != OperationKind::Unknown && !one.asks.is_empty());
    let calm = all
        .iter()
        .flat_map(|one| &one.within)
        .filter(|within| within.is_told)
        .all(|within| is_prepared(&within.name));
    let mut writes = all.iter().filter(|one| one.kind != OperationKind::Query).flat_map(|one| &one.asks);
    (is_known && calm && writes.all(is_prepared))
        .then(|| all.iter().flat_map(|one| &one.asks).next().map(|ask| super::evidence::clipped(ask)))
        .flatten()
}

/// Up to how many bytes a text without any structure is a few words.
const SHORT_TEXT: usize = 200;

/// Where a basket becomes an order.
const CHECKOUTS: &str = "checkout|checkouts|kasse|caisse|cassa";

/// Whether a path ends with nothing but a checkout, whatever version or program that is.
fn ends_at_checkout(segments: &[Segment]) -> bool {
    let says_nothing = |word: &String| {
        is_in_line(word, "v|do|action|index|page|now|api|form|handler|process|view|json|onepage")
    };
    let mut parts = segments.iter().rev().filter(|one| !one.is_id && !one.words.iter().all(says_nothing));
    parts.next().is_some_and(|last| {
        any_in_line(&last.words, CHECKOUTS)
            && last.words.iter().all(|word| is_in_line(word, CHECKOUTS) || says_nothing(word))
    })
}

/// Whether it ends with the choice of a way to pay, within a checkout. Whatever it says of a card or an account is a danger of its own.
fn chooses_method(segments: &[Segment]) -> bool {
    let mut parts = segments.iter().rev().filter(|segment| !segment.is_id && !segment.words.is_empty());
    let is_choice = |said: &[String]| {
        pair_on(
            said,
            &[("payment|pay|zahlung|paiement|pago|pagamento", "method|methods|option|options|type|art")],
        )
        .is_some()
            && said.len() <= 3
            && !any_in_line(said, "add|new|attach|create")
    };
    parts.next().is_some_and(|last| is_choice(&last.words))
        && parts
            .any(|part| any_in_line(&part.words, "checkout|basket|cart|carts|kasse|warenkorb|caisse|panier"))
}

/// Whether a field is known to settle nothing, by the last part of its name.
fn is_beside(field: &Field) -> bool {
    let mut pieces = field.name.rsplit(['.', '[', ']']).filter(|piece| !piece.is_empty());
    let said = pieces.find(|piece| piece.chars().any(char::is_alphabetic)).map(words).unwrap_or_default();
    let known = |word: &str| {
        is_on(word, &BESIDE) || is_on(word, &PREPARE_FIELDS) || is_on(word, &PREPARE) || is_on(word, &BASKET)
    };
    (!said.is_empty() && said.iter().all(|word| known(word) || is_number(word)))
        || is_action(&field.name, Reach::Writing)
}

fn is_step(field: &Field) -> bool {
    field.place != Place::Query && any_in_line(&words(&field.name), "step|schritt|etape|paso")
}

/// Whether a word settles nothing wherever it stands.
fn is_plain(word: &String) -> bool {
    let plural =
        |list: &'static super::words::List| first_on_or_plural(std::slice::from_ref(word), list).is_some();
    is_on(word, &NEUTRAL) || is_on(word, &ADDING) || plural(&BASKET) || plural(&PREPARE)
}

/// Whether the last part of a path is known: an unknown word there may be what is really done.
fn ends_known(segments: &[Segment]) -> bool {
    let mut parts = segments.iter().rev().filter(|segment| !segment.is_id && !segment.words.is_empty());
    let Some(last) = parts.next() else { return false };
    let names_a_thing = |said: &[String]| any_in_line(said, "add|item|items|product|products|sku|line|lines");
    last.words.iter().any(is_plain) || parts.next().is_some_and(|before| names_a_thing(&before.words))
}
