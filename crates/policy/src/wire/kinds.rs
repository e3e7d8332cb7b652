//! Positive evidence for what is no danger: looking for something, coming in, leaving, answering about cookies, preparing.

use legwork_types::OutgoingKind;

use super::{
    Content, Decoded, Field, Place, WireFacts,
    evidence::{Reach, Segment, is_action, is_number, segments},
    lists::{
        ADDING, ANALYTICS, BASKET, CONSENT, CONSENT_CHOICES, CONSENT_FIELDS, CONSENT_PLACES, CONSENT_WORDS,
        COUNTED, DISPATCHERS, DOORS, LISTED, LOGIN, LOGIN_FIELDS, LOGIN_PATHS, LOGOUT, SEARCH, SEARCH_FIELDS,
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
    is_looking(decoded, &segments, looks) && decoded.fields.iter().all(is_known)
}

/// Whether it looks for something by its address, and by nothing that it says is anything else.
fn is_looking(decoded: &Decoded, segments: &[Segment], looks: bool) -> bool {
    let has_question = decoded.fields.iter().any(|field| !field.name.is_empty());
    // A filter may be one that is kept, and a query may be a command: only where nothing else is around, and of nothing that commands.
    let named = |line: &str| segments.iter().any(|segment| any_in_line(&segment.words, line));
    let is_plain = |segment: &Segment| {
        segment.is_id || segment.words.iter().all(|word| is_on(word, &SEARCH) || is_on(word, &LISTED))
    };
    let fits = !named("filter|facets|find|lookup") || segments.iter().all(is_plain);
    let commands = |field: &Field| match named("query|queries") {
        true => says_a_command(&field.value),
        false => commands_a_store(&field.value),
    };
    looks
        && fits
        && has_question
        && decoded.operations.is_empty()
        && decoded.content != Content::Text
        && decoded.method == "POST"
        && decoded.files.is_empty()
        && !decoded.fields.iter().any(commands)
}

/// Whether it looks for something by an address that says so to its end, whatever it wants to know.
pub(super) fn asks_around(decoded: &Decoded) -> bool {
    const LOOKS: &str = "search|suggest|suggestions|autocomplete|autosuggest|typeahead|suche|suchen|recherche|buscar|busqueda|ricerca|zoeken|szukaj|pesquisa|поиск|搜索|検索|검색";
    let segments = segments(decoded);
    let last = segments.iter().rev().find(|segment| !segment.is_id);
    // Who wants to be told, or has something kept, wants more than to know.
    let wants_more = |field: &Field| {
        field.value.contains('@')
            || any_in_line(
                &words(&field.name),
                "email|mail|notify|alert|save|book|reserve|subscribe|order|action",
            )
    };
    if decoded.fields.iter().any(wants_more) {
        return false;
    }
    last.is_some_and(|last| {
        any_in_line(&last.words, LOOKS)
            && last.words.iter().all(|word| is_in_line(word, LOOKS) || is_on(word, &LISTED))
    }) && is_looking(decoded, &segments, true)
}

/// Whether a value that goes to a database may be a command: any word of one, and any sign that only commands have.
fn says_a_command(value: &str) -> bool {
    const VERBS: &str = "update|delete|insert|drop|create|alter|truncate|merge|replace|grant|revoke|call|exec|execute|set|begin|commit|rename|load|copy|vacuum|detach|remove|upsert|put|import|restore|kill|attach|do|into|foreach|unwind";
    let said = words(value);
    (said.len() > 1 && any_in_line(&said, VERBS)) || value.contains([';', '('])
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
    // What is to be done there is nothing but to come in.
    let is_deed = any_in_line(&said, "action|mode|type|operation|method|op|do|cmd|task");
    let comes_in = |word: &String| {
        is_on(word, &LOGIN) || is_on(word, &LOGIN_FIELDS) || is_password(word) || is_number(word)
    };
    if is_deed && !words(&field.value).iter().all(comes_in) {
        return false;
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
    // Shops let people come in at the checkout too, and there it is all that is said.
    let is_common = |word: &String| is_on(word, &DISPATCHERS) || word == "checkout";
    ends_there || path_words(decoded).iter().all(is_common)
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
    is_place && decoded.fields.iter().all(is_told) && decoded.fields.iter().any(chooses)
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
