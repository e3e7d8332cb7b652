//! Positive evidence for what only prepares something. Of what is done every word has to be known: one that nobody knows may be what is
//! really done, whatever friendly words stand around it.

use super::{
    Content, Decoded, Field, OperationKind, Place,
    along::{CLEAR_ACTIONS, actions, is_calm},
    evidence::{Segment, clipped, is_number, segments, segments_of},
    lists::{
        ADDING, ANYWHERE, BASKET, BESIDE, DISPATCHERS, LED, NEUTRAL, OWN_PLACES, PREFERENCES, PREPARE,
        PRODUCTS, SHARED,
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

/// Words that settle nothing beside each other, though one of them might alone.
const TOGETHER: &[(&str, &str)] = &[
    // Where to something is shipped is no order to ship it.
    ("ship", "to"),
    ("payment", "method|methods"),
    ("create", "empty"),
    ("guest", "email"),
];

/// Why it prepares something, if there is positive evidence.
pub(super) fn prepares(decoded: &Decoded) -> Option<String> {
    if decoded.operations.iter().any(|one| one.kind != OperationKind::Query) {
        return asks_to_prepare(decoded)
            .filter(|_| is_calm(decoded))
            .map(|ask| format!("what it asks for says \"{ask}\""));
    }
    // Words without any structure are looked at for what they say; of a long text nobody knows what it says.
    if decoded.content == Content::Text && decoded.fields.iter().any(|field| field.value.len() > SHORT_TEXT) {
        return None;
    }
    let way = way(decoded);
    if works_out_a_sum(decoded, &way) {
        return Some("it has the sum of an order worked out".to_owned());
    }
    // What says more than its address does may say something else.
    if !is_calm(decoded) {
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
    let fills_in = decoded.fields.iter().any(|field| field.place != Place::Query && !field.name.is_empty());
    if fills_in && is_first_step(&decoded.address.path) {
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
                && ((matches!(field.name.as_str(), "route" | "r") && field.value.contains('/'))
                    || field.name == "controller")
        });
        routes.next().filter(|_| routes.next().is_none()).map(|field| segments_of(&field.value))
    };
    match dispatches(&path).then(routed).flatten() {
        Some(route) => route,
        None => path,
    }
}

/// Whether all of these words are known to settle nothing within a basket or a checkout.
pub(super) fn is_known(said: &[String]) -> bool {
    let is_together = |word: &String| {
        TOGETHER.iter().any(|(one, other)| {
            (is_in_line(word, one) && any_in_line(said, other))
                || (is_in_line(word, other) && any_in_line(said, one))
        })
    };
    said.iter()
        .all(|word| is_plain(word) || is_in_line(word, CHECKOUTS) || is_number(word) || is_together(word))
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
    let of_item = pair_on(said, &[("line", "item|items")]).is_some();
    let is_changed = first_on(said, &ADDING).is_some() || any_in_line(said, "edit|remove") || of_item;
    let of_basket = prepared(&BASKET) && (!is_checkout || is_changed);
    of_basket
        || (in_checkout && (prepared(&PREPARE) || of_item))
        || (prepared(&ANYWHERE) && first_on(said, &OWN_PLACES).is_none())
}

/// The words of some parts, without what names one thing among many. A word with a number may be a deed: it names a thing only after
/// what says that one follows.
fn said(parts: &[Segment]) -> Vec<String> {
    let names_one = |at: usize, part: &Segment| {
        let before = at.checked_sub(1).and_then(|before| parts.get(before));
        let follows = before.is_some_and(|before| any_in_line(&before.words, FOLLOWED));
        part.is_id && (follows || !part.has_word)
    };
    let parts = parts.iter().enumerate().filter(|(at, part)| !names_one(*at, part));
    parts.flat_map(|(_, part)| part.words.clone()).collect()
}

/// Words after which one thing is named.
const FOLLOWED: &str = "add|product|products|item|items|entry|entries|line|lines|sku|variant|remove|update|carts|baskets|wishlists|uenc|checkouts|coupon|voucher";

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
    let is_plain_place =
        |part: &Segment| part.words.iter().all(|word| is_plain(word) || is_on(word, &DISPATCHERS));
    // Where one of many is named, what they are called stands before it: "stores/5", but not "dispatch/5".
    let is_many = |part: &Segment| part.words.last().is_some_and(|word| word.ends_with('s'));
    let owner = from.checked_sub(2).and_then(|before| way.get(before));
    let is_calm = before.is_none_or(|part| match part.is_id {
        true => owner.is_none_or(|owner| owner.is_id || is_plain_place(owner) || is_many(owner)),
        false => is_plain_place(part),
    });
    let is_route = |field: &&Field| {
        field.place == Place::Query && matches!(field.name.as_str(), "route" | "r" | "controller")
    };
    let mut beside =
        decoded.fields.iter().filter(|field| !is_route(field) || !dispatches(&segments(decoded)));
    // Who is written to is no address of a parcel.
    let writes_to = decoded.all().any(|field| field.value.contains('@'));
    let shared = |word: &String| first_on_or_plural(std::slice::from_ref(word), &SHARED).is_some();
    let is_bought = |word: &String| {
        is_in_line(word, CHECKOUTS)
            || (!shared(word) && first_on_or_plural(std::slice::from_ref(word), &BASKET).is_some())
    };
    let has = |test: &dyn Fn(&String) -> bool| way.iter().flat_map(|part| &part.words).any(test);
    let is_shared = has(&shared) && !has(&is_bought);
    if !is_calm || (place.is_none() && !beside.all(is_beside)) || (is_shared && writes_to) {
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
        && !writes_to
        && !decoded.address.path.contains(';')
        && !is_in_line(thing, "collaborator|member|recipient|guest|friend|user|owner|admin|editor|viewer")
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

/// What fields say that is prepared, where the address says nothing.
fn by_fields(decoded: &Decoded, way: &[Segment]) -> Option<String> {
    if let Some(word) = prefers(decoded, way) {
        return Some(format!("all that it says is a choice of \"{word}\""));
    }
    if !decoded.fields.iter().all(is_beside) {
        return None;
    }
    if let (true, [deed]) = (dispatches(way), actions(decoded).as_slice()) {
        let of_a_shop = decoded.fields.iter().any(|field| field.name == "wc-ajax");
        let within = if of_a_shop { Within::Checkout } else { Within::Nothing };
        let said = words(deed);
        let fetches = of_a_shop && said.first().is_some_and(|first| first == "get") && is_known(&said);
        if fetches || is_deed(&said, within) {
            return Some(format!("it says that it is to \"{}\"", clipped(deed)));
        }
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

/// Whether it sends the form of a checkout along to have its sum worked out, as WooCommerce does with every change. What is in that form
/// is not carried out; what could be kept of it is looked for before.
fn works_out_a_sum(decoded: &Decoded, way: &[Segment]) -> bool {
    let is_whole = |field: &Field| field.name == "post_data";
    let is_asked = |deed: &&str| words(deed) == ["update", "order", "review"];
    let mut own = decoded.fields.iter().filter(|field| !is_whole(field));
    let asked: Vec<&Field> = decoded.fields.iter().filter(|field| field.name == "wc-ajax").collect();
    let [asked] = asked.as_slice() else { return false };
    matches!(actions(decoded).as_slice(), [deed] if is_asked(deed) && *deed == asked.value)
        && dispatches(way)
        && own.all(|field| is_beside(field) || words(&field.name) == ["payment", "method"])
}

/// What somebody prefers (a language, a currency, an order), if that is all that is said, and the address is about nothing else.
fn prefers(decoded: &Decoded, way: &[Segment]) -> Option<String> {
    let is_about = |word: &String| {
        is_on(word, &PREFERENCES) || is_in_line(word, "setlang|settings|preferences|localization")
    };
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
    let is_choice = |field: &Field| {
        let said = words(&field.name);
        let said: Vec<&String> = said.iter().filter(|word| !is_in_line(word, "code|iso")).collect();
        !said.is_empty() && said.iter().all(|word| is_on(word, &PREFERENCES) || is_number(word))
    };
    let is_named = |field: &Field| match field.name.as_str() {
        "_method" => matches!(field.value.to_ascii_lowercase().as_str(), "put" | "patch" | "post"),
        "form_type" => words(&field.value).iter().all(is_about),
        _ => false,
    };
    let is_led = |field: &Field| is_named(field) || is_said(&LED)(field);
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
    let known = |word: &String| {
        is_on(word, &BESIDE)
            || is_on(word, &LED)
            || is_plain(word)
            || is_number(word)
            || is_in_line(word, "pa|uenc|s|has|full")
    };
    let is_key = matches!(field.name.as_str(), "form_key" | "cart_item_key");
    is_key || (!said.is_empty() && said.iter().all(known)) || any_in_line(&said, CLEAR_ACTIONS)
}

fn is_step(field: &Field) -> bool {
    field.place != Place::Query && any_in_line(&words(&field.name), "step|schritt|etape|paso")
}
