//! Positive evidence for what only prepares something. Of what is done every word has to be known: one that nobody knows may be what is
//! really done, whatever friendly words stand around it.

use super::{
    Content, Decoded, Field, OperationKind, Place,
    evidence::{Segment, clipped, is_number, segments, segments_of},
    lists::{
        ADDING, ANYWHERE, BASKET, BESIDE, DISPATCHERS, LED, NEUTRAL, OWN_PLACES, PREFERENCES, PREPARE,
        PRODUCTS,
    },
    words::{any_in_line, first_on, first_on_or_plural, is_in_line, is_on, pair_on, words},
};

/// Up to how many bytes a text without any structure is a few words.
const SHORT_TEXT: usize = 200;

/// Where a basket becomes an order.
const CHECKOUTS: &str = "checkout|checkouts|kasse|caisse|cassa";

/// Moves on, to wherever: the last step of all may be the order.
const MOVES_ON: &str =
    "next|weiter|suivant|siguiente|avanti|dalej|далее|下一步|step|wizard|schritt|etape|paso|krok|шаг";

/// What is done to what somebody prepares.
const DEEDS: &str = "add|put|update|change|set|save|create|apply|select|choose|remove|replace|estimate|calculate|increase|decrease|attach|assign";

/// Names of fields that say what is to be done, and nothing else.
const CLEAR_ACTIONS: &str = "action|act|op|oper|operation|cmd|command|func|function|verb|rpc|call|procedure|intent|eventtarget|ajax|aktion|accion|azione|event|task|trigger|job|handler|do|todo|commit|submit|button|btn";

/// Why it prepares something, if there is positive evidence.
pub(super) fn prepares(decoded: &Decoded) -> Option<String> {
    if decoded.operations.iter().any(|one| one.kind != OperationKind::Query) {
        return asks_to_prepare(decoded).map(|ask| format!("what it asks for says \"{ask}\""));
    }
    // Words without any structure are looked at for what they say; of a long text nobody knows what it says.
    if decoded.content == Content::Text && decoded.fields.iter().any(|field| field.value.len() > SHORT_TEXT) {
        return None;
    }
    let way = way(decoded);
    // What says more than its address does may say something else.
    if !actions(decoded).iter().all(|deed| is_known(&words(deed))) {
        return None;
    }
    if decoded.content == Content::Text && !decoded.fields.iter().all(|field| is_known(&words(&field.value)))
    {
        return None;
    }
    // What is sent to a checkout as a whole may well be the order, whatever addresses are in it.
    if ends_at_checkout(&way) {
        let steps: Vec<&Field> = decoded.fields.iter().filter(|field| is_step(field)).collect();
        let fits = steps.iter().all(|field| is_deed(&words(&field.value), Within::Checkout));
        let step = steps.first().filter(|_| fits)?;
        return Some(format!("it says which step it is, \"{}\"", clipped(&step.value)));
    }
    if chooses_method(&way) {
        return Some("it chooses a way to pay, within a checkout".to_owned());
    }
    if let Some(word) = in_path(&way, decoded) {
        return Some(format!("its address says \"{word}\""));
    }
    if is_first_step(&decoded.address.path) {
        return Some("its address says that it is the first of several steps".to_owned());
    }
    by_fields(decoded, &way)
}

/// What a deed is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Checkout,
    Nothing,
}

/// The parts of its path; where all requests go to one program, those of the path within its query.
fn way(decoded: &Decoded) -> Vec<Segment> {
    let path = segments(decoded);
    let routed = || {
        let mut routes = decoded.fields.iter().filter(|field| {
            field.place == Place::Query
                && matches!(field.name.as_str(), "route" | "r")
                && field.value.contains('/')
        });
        routes.next().filter(|_| routes.next().is_none()).map(|field| segments_of(&field.value))
    };
    match dispatches(&path).then(routed).flatten() {
        Some(route) => route,
        None => path,
    }
}

/// Whether all of these words are known to settle nothing within a basket or a checkout.
fn is_known(said: &[String]) -> bool {
    // Where to something is shipped is no order to ship it.
    let ships_to = pair_on(said, &[("ship", "to")]).is_some();
    said.iter().all(|word| {
        is_plain(word) || is_in_line(word, CHECKOUTS) || is_number(word) || (ships_to && word == "ship")
    })
}

/// Whether a word settles nothing there.
fn is_plain(word: &String) -> bool {
    let plural =
        |list: &'static super::words::List| first_on_or_plural(std::slice::from_ref(word), list).is_some();
    is_on(word, &NEUTRAL) || is_on(word, &ADDING) || plural(&BASKET) || plural(&PREPARE)
}

/// Whether these words say what is prepared, and nothing besides.
fn is_deed(said: &[String], within: Within) -> bool {
    if !is_known(said) {
        return false;
    }
    let moves = |word: &&String| is_in_line(word, MOVES_ON);
    let prepared = |list: &'static super::words::List| {
        said.iter()
            .filter(|word| !moves(word))
            .any(|word| first_on_or_plural(std::slice::from_ref(word), list).is_some())
    };
    let is_checkout = any_in_line(said, CHECKOUTS);
    let in_checkout = within == Within::Checkout || is_checkout;
    // A basket that is checked out is an order, unless something is done to it on the way.
    let of_basket = prepared(&BASKET) && (!is_checkout || first_on(said, &ADDING).is_some());
    of_basket
        || (in_checkout && prepared(&PREPARE))
        || (prepared(&ANYWHERE) && first_on(said, &OWN_PLACES).is_none())
}

/// The words of some parts, without what names one thing among many.
fn said(parts: &[Segment]) -> Vec<String> {
    parts.iter().filter(|part| !part.is_id).flat_map(|part| part.words.clone()).collect()
}

/// The word of a path that says what is prepared. Before a basket or a checkout servers put what they like; from there on, or else from the
/// beginning, every word is known.
fn in_path(way: &[Segment], decoded: &Decoded) -> Option<String> {
    let is_place = |part: &Segment| {
        first_on_or_plural(&part.words, &BASKET).is_some() || any_in_line(&part.words, CHECKOUTS)
    };
    let place = way.iter().position(is_place);
    let from = place.unwrap_or(0);
    // What stands right before may be what is done to the basket, and outside of one it counts what is sent along.
    let before = from.checked_sub(1).and_then(|before| way.get(before));
    let is_calm = before.is_none_or(|part| {
        part.is_id || part.words.iter().all(|word| is_plain(word) || is_on(word, &DISPATCHERS))
    });
    if !is_calm || (place.is_none() && !decoded.fields.iter().all(is_beside)) {
        return None;
    }
    let mut said = said(way.get(from..)?);
    // What is put into a basket may have any name.
    if let [.., verb, thing] = said.as_slice()
        && is_in_line(
            verb,
            "add|put|hinzufugen|hinzufuegen|ajouter|anadir|agregar|adicionar|aggiungi|toevoegen|dodaj",
        )
        && first_on_or_plural(&said, &BASKET).is_some()
        && !is_plain(thing)
        && !is_in_line(thing, "collaborator|member|recipient|guest|friend|user|owner|admin")
    {
        said.pop();
    }
    let evidence = [&BASKET, &PREPARE].into_iter().find_map(|list| first_on_or_plural(&said, list));
    is_deed(&said, Within::Nothing).then(|| evidence.unwrap_or("step").to_owned())
}

/// Whether a path ends with the first of several steps, whatever they lead to: that one is not the last.
fn is_first_step(path: &str) -> bool {
    let path = path.trim_end_matches('/').to_ascii_lowercase();
    let step = path.strip_suffix("/1").and_then(|rest| rest.rsplit('/').next());
    step.is_some_and(|word| is_in_line(word, "step|schritt|etape|paso|krok|passo|stap"))
}

/// Whether a path leads to a program that is told elsewhere what to do.
fn dispatches(way: &[Segment]) -> bool {
    way.iter().all(|part| part.words.iter().all(|word| is_on(word, &DISPATCHERS)))
}

/// Whether it is the page of a product, whatever that is called.
fn is_of_a_product(way: &[Segment]) -> bool {
    let at = way.iter().position(|part| part.words.len() == 1 && first_on(&part.words, &PRODUCTS).is_some());
    at.is_some_and(|at| way.len() == at + 2 && dispatches(way.get(..at).unwrap_or_default()))
}

/// What fields say that is to be done, and what hangs on an address as the name of a deed.
fn actions(decoded: &Decoded) -> Vec<&str> {
    let said = decoded.fields.iter().filter_map(|field| {
        let last = field.name.rsplit(['.', '[', ']']).find(|piece| !piece.is_empty()).unwrap_or_default();
        match field.place {
            Place::Query if field.name.starts_with('/') => Some(field.name.as_str()),
            _ if any_in_line(&words(last), CLEAR_ACTIONS) => Some(field.value.as_str()),
            _ => None,
        }
    });
    said.filter(|deed| !deed.is_empty()).collect()
}

/// What fields say that is prepared, where the address says nothing.
fn by_fields(decoded: &Decoded, way: &[Segment]) -> Option<String> {
    if let Some(word) = prefers(decoded, way) {
        return Some(format!("all that it says is a choice of \"{word}\""));
    }
    if !decoded.fields.iter().all(is_beside) {
        return None;
    }
    if let (true, [deed]) = (dispatches(way), actions(decoded).as_slice())
        && is_deed(&words(deed), Within::Nothing)
    {
        return Some(format!("it says that it is to \"{}\"", clipped(deed)));
    }
    // Only what is in the body counts here: whoever sends something may hang anything on its address.
    let adds = |field: &&Field| {
        let said = words(&field.name);
        field.place != Place::Query
            && is_known(&said)
            && first_on(&said, &BASKET).is_some()
            && first_on(&said, &ADDING).is_some()
    };
    let added = decoded.fields.iter().find(adds).filter(|_| dispatches(way) || is_of_a_product(way))?;
    Some(format!("its field \"{}\" says so", clipped(&added.name)))
}

/// What somebody prefers (a language, a currency, an order), if that is all that is said, and the address is about nothing else.
fn prefers(decoded: &Decoded, way: &[Segment]) -> Option<String> {
    let is_about =
        |word: &String| is_on(word, &PREFERENCES) || is_in_line(word, "setlang|settings|preferences");
    let is_place = |word: &String| {
        is_about(word)
            || is_on(word, &DISPATCHERS)
            || is_in_line(word, "set|change|update|save|switch|select|i|n")
    };
    let is_said = |list: &'static super::words::List| {
        move |field: &Field| {
            let said = words(&field.name);
            !said.is_empty() && said.iter().all(|word| is_on(word, list) || is_number(word))
        }
    };
    let (is_choice, is_led) = (is_said(&PREFERENCES), is_said(&LED));
    let mut sent = decoded.fields.iter().filter(|field| field.place != Place::Query);
    let choice = sent.find(|field| is_choice(field) && field.value.len() <= 40)?;
    let said = said(way);
    let fits = said.iter().all(is_place) && (said.iter().any(is_about) || dispatches(way));
    (fits && decoded.fields.iter().all(|field| is_choice(field) || is_led(field)))
        .then(|| clipped(&choice.name))
}

/// What all that is asked of a GraphQL server prepares, if it does: every word of it is known, and nothing else is told anything.
fn asks_to_prepare(decoded: &Decoded) -> Option<String> {
    let is_prepared = |ask: &String| is_deed(&words(ask), Within::Nothing);
    let all = &decoded.operations;
    let is_known = all.iter().all(|one| one.kind != OperationKind::Unknown && !one.asks.is_empty());
    let told = all.iter().flat_map(|one| &one.within).filter(|within| within.is_told);
    let calm = told.map(|within| &within.name).all(is_prepared);
    let writes = || all.iter().filter(|one| one.kind != OperationKind::Query);
    // What names no deed is only where the deeds are: those are within it.
    let names_a_deed = |ask: &String| any_in_line(&words(ask), DEEDS);
    let drawers = writes().filter(|one| !one.asks.iter().all(names_a_deed));
    let within = drawers.flat_map(|one| &one.within).all(|within| self::is_known(&words(&within.name)));
    (is_known && calm && within && writes().flat_map(|one| &one.asks).all(is_prepared))
        .then(|| all.iter().flat_map(|one| &one.asks).next().map(|ask| clipped(ask)))
        .flatten()
}

/// Whether a path ends with nothing but a checkout, whatever version or program that is.
fn ends_at_checkout(way: &[Segment]) -> bool {
    let says_nothing = |word: &String| {
        is_in_line(word, "v|do|action|index|page|now|api|form|handler|process|view|json|onepage")
    };
    let mut parts = way.iter().rev().filter(|one| !one.is_id && !one.words.iter().all(says_nothing));
    parts.next().is_some_and(|last| {
        any_in_line(&last.words, CHECKOUTS)
            && last.words.iter().all(|word| is_in_line(word, CHECKOUTS) || says_nothing(word))
    })
}

/// Words of the choice of a way to pay.
const CHOSEN: &str = "payment|pay|zahlung|paiement|pago|pagamento|method|methods|option|options|type|art|set|select|selected|choose|chosen|update|change|save";

/// Whether it ends with the choice of a way to pay, within a checkout. Whatever it says of a card or an account is a danger of its own.
fn chooses_method(way: &[Segment]) -> bool {
    let mut parts = way.iter().rev().filter(|segment| !segment.is_id && !segment.words.is_empty());
    let is_choice = |said: &[String]| {
        pair_on(
            said,
            &[("payment|pay|zahlung|paiement|pago|pagamento", "method|methods|option|options|type|art")],
        )
        .is_some()
            && said.iter().all(|word| is_in_line(word, CHOSEN))
    };
    parts.next().is_some_and(|last| is_choice(&last.words))
        && parts
            .any(|part| any_in_line(&part.words, "checkout|basket|cart|carts|kasse|warenkorb|caisse|panier"))
}

/// Whether a field is known to settle nothing, by the last part of its name.
fn is_beside(field: &Field) -> bool {
    let mut pieces = field.name.rsplit(['.', '[', ']']).filter(|piece| !piece.is_empty());
    let said = pieces.find(|piece| piece.chars().any(char::is_alphabetic)).map(words).unwrap_or_default();
    let known =
        |word: &String| is_on(word, &BESIDE) || is_on(word, &LED) || is_plain(word) || is_number(word);
    (!said.is_empty() && said.iter().all(known)) || any_in_line(&said, CLEAR_ACTIONS)
}

fn is_step(field: &Field) -> bool {
    field.place != Place::Query && any_in_line(&words(&field.name), "step|schritt|etape|paso")
}
