//! Words of danger on the wire: in the path, in the names of fields, in what is said to be done, in what is asked of GraphQL.

use super::{
    Decoded, Field, OperationKind, Place, Within,
    lists::{
        ACTION_NAMES, ACTION_NAMES_ON_READS, BASKET, BECOMES, ON_WRITES, PAIRS, PAIRS_ON_READS, READING,
        SETTLED, SOFT, STATES, STRONG, TOLD,
    },
    unravel::{unpercent_all, unpercent_wide},
    words::{any_in_line, first_on, first_on_or_plural, is_harmless, is_in_line, is_on, pair_on, words},
};

/// Whether a request is looked at as one that writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Reading,
    Writing,
}

/// One part of a path.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) words: Vec<String>,
    pub(super) is_id: bool,
    /// Whether it names a program: whatever follows is only told to that.
    pub(super) is_program: bool,
    /// Whether it has a word that somebody chose: "ship-it-77", but not "0a1b-77fe" and not "hG3kLmPq9".
    pub(super) has_word: bool,
}

impl Segment {
    fn of(part: &str) -> Self {
        let is_word = |piece: &str| {
            piece.len() >= 3
                && piece.chars().all(|c| c.is_ascii_lowercase())
                && piece.chars().any(|c| !c.is_ascii_hexdigit())
        };
        let has_word = part.split(['-', '_', '.', '~', '=']).any(is_word);
        let words = named(part);
        let is_program = words.len() < self::words(part).iter().filter(|word| !is_number(word)).count();
        Self { words, is_id: is_id(part), is_program, has_word }
    }
}

pub(super) fn is_number(word: &str) -> bool {
    word.chars().all(char::is_numeric)
}

/// The parts of a path, percent signs undone.
pub(super) fn segments(decoded: &Decoded) -> Vec<Segment> {
    segments_of(&decoded.address.path)
}

/// The same of any path.
pub(super) fn segments_of(path: &str) -> Vec<Segment> {
    let path = unpercent_all(path);
    let parts = path.split(['/', '\\']).filter(|part| !part.is_empty()).take(200);
    parts.map(Segment::of).collect()
}

/// Words without numbers and without endings of files.
fn named(text: &str) -> Vec<String> {
    let is_ending = |word: &String| {
        matches!(word.as_str(), "php" | "html" | "htm" | "asp" | "aspx" | "jsp" | "cgi" | "json")
    };
    let mut words = words(text);
    while words.len() > 1 && words.last().is_some_and(is_ending) {
        words.pop();
    }
    words.retain(|word| !is_number(word));
    words
}

/// Whether a part of a path names one thing among many.
pub(super) fn is_id(part: &str) -> bool {
    let digits = part.chars().filter(char::is_ascii_digit).count();
    let plain = part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '='));
    // "process01" is a word with a number.
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_word = letters.len() >= 4
        && letters.chars().all(|c| c.is_ascii_alphabetic())
        && letters.chars().any(|c| !c.is_ascii_hexdigit());
    !is_word && digits > 0 && (digits == part.len() || (plain && part.len() >= 8 && digits * 6 >= part.len()))
}

/// Names in addresses that say where somebody came from or how it should look.
fn is_idle(field: &Field) -> bool {
    let name = field.name.to_ascii_lowercase();
    let idle = [
        "lang", "locale", "hl", "ref", "referrer", "page", "q", "v", "ver", "_", "t", "ts", "gclid",
        "fbclid", "sort", "view", "tab", "theme", "source", "from", "filter",
    ];
    name.starts_with("utm_") || idle.contains(&name.as_str())
}

/// Every sign of danger, in words.
pub(super) fn dangers(decoded: &Decoded, reach: Reach) -> Vec<String> {
    let segments = segments(decoded);
    let mut reasons: Vec<String> = match reach {
        Reach::Reading => in_path_read(decoded, &segments).into_iter().collect(),
        Reach::Writing => in_path_written(&segments),
    };
    let mut within: Vec<Field> = decoded.all().flat_map(read_otherwise).collect();
    if reach == Reach::Writing {
        let field = |(name, value): &(String, String)| Field {
            name: name.clone(),
            value: value.clone(),
            place: Place::Form,
        };
        within.extend(decoded.headers.iter().map(field));
    }
    // A basket leads to a checkout: that is where its button goes.
    let of_a_basket = segments
        .last()
        .is_some_and(|last| first_on_or_plural(&last.words, &BASKET).is_some() && last.words.len() == 1);
    let is_form = |field: &Field| matches!(field.place, Place::Form | Place::Multipart);
    let leads_on = move |field: &&Field| {
        of_a_basket && is_form(field) && field.name == "checkout" && field.value.len() < 40
    };
    let fields = || decoded.all().chain(&within).filter(|field| !leads_on(field));
    reasons.extend(fields().filter_map(|field| in_route(field, reach)).take(5));
    reasons.extend(fields().filter_map(|field| in_field(field, reach)).take(5));
    reasons.extend(decoded.operations.iter().filter_map(|operation| {
        let of = |text: &String| in_operation(text, operation.kind);
        let first = operation.asks.iter().chain(&operation.name).find_map(of);
        first.or_else(|| operation.within.iter().find_map(|within| in_nested(within, operation.kind)))
    }));
    reasons
}

/// How some servers read a field otherwise: with signs of four digits, with parts between semicolons.
fn read_otherwise(field: &Field) -> Vec<Field> {
    let mut found = Vec::new();
    let has = |sign: &str| field.name.contains(sign) || field.value.contains(sign);
    let of = |name: String, value: String| Field { name, value, place: field.place };
    if has("%u") || has("%U") {
        found.push(of(unpercent_wide(&field.name), unpercent_wide(&field.value)));
    }
    if matches!(field.place, Place::Form | Place::Query) && has(";") {
        let whole = format!("{}={}", field.name, field.value);
        let parts = whole.split(';').filter_map(|part| part.split_once('='));
        found.extend(parts.take(50).map(|(name, value)| of(name.trim().to_owned(), value.to_owned())));
    }
    found
}

/// The words that may make one of a path harmless. Those of its own part, and those before it: servers decide what is there. What
/// comes after a deed may be hung on by whoever asks, so only what is a thing (`orders/search`) can be told more about there.
fn beside(segments: &[Segment], at: usize, word: &str) -> Vec<String> {
    let own = segments.get(at..=at);
    // "cart/items/5/remove": what something is taken out of stands a little further away.
    let is_between = |one: &&Segment| {
        one.is_id || one.words.iter().all(|word| is_in_line(word, "item|items|line|lines|entry|entries"))
    };
    let skipped = segments.get(..at).unwrap_or_default().iter().rev().take(2).take_while(is_between).count();
    let before = at.checked_sub(1 + skipped).and_then(|before| segments.get(before..=before));
    let before = before.filter(|_| !is_in_line(word, DONE_AT_ONCE));
    // A voucher is taken out of a basket, and deleted where vouchers are kept.
    let is_place = |one: &Segment| {
        first_on_or_plural(&one.words, &BASKET).is_some()
            || any_in_line(&one.words, "checkout|checkouts|kasse")
    };
    let is_kept =
        |one: &&[Segment]| is_on(word, &STRONG) && one.iter().any(|one| any_in_line(&one.words, VOUCHERS));
    let before = before.filter(|one| !is_kept(one) || segments.iter().any(is_place));
    let is_program = segments.get(at).is_some_and(|segment| segment.is_program);
    let is_deed = is_on(word, &STRONG) || is_on(word, &SOFT) || is_in_line(word, DEEDS);
    let after = segments.get(at + 1..at + 2).filter(|_| !is_program && !is_deed);
    [own, before, after].into_iter().flatten().flatten().flat_map(|segment| segment.words.clone()).collect()
}

const VOUCHERS: &str = "coupon|coupons|voucher|vouchers|promo|promocode|discount|gutschein|cupon";

/// Whether it is how some programs call what takes a form of a basket: `cart/updatePost`.
fn takes_a_form(segments: &[Segment], at: usize) -> bool {
    let own = segments.get(at).map(|one| one.words.as_slice()).unwrap_or_default();
    let of_a_basket = segments.iter().take(at).any(|one| first_on_or_plural(&one.words, &BASKET).is_some());
    of_a_basket
        && matches!(own, [first, post] if is_in_line(first, "update|coupon|estimate") && post == "post")
}

/// What is done, as opposed to what it is done to.
const DEEDS: &str = "apply|accept|register|submit|close|cancel|share|forward|sign|clear|einlosen";

/// What is done at once, whatever its place is called: `payment/method/pay`.
const DONE_AT_ONCE: &str = "pay|send|submit|confirm";

/// Every risky word of a path, at most a few: what makes one of them harmless must not hide another.
fn in_path_written(segments: &[Segment]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let risky = |word: &&String| {
            (is_on(word, &STRONG) || is_on(word, &SOFT) || is_on(word, &ON_WRITES))
                && !is_harmless(word, &beside(segments, at, word))
                && !(word.as_str() == "post" && takes_a_form(segments, at))
        };
        found.extend(segment.words.iter().filter(risky).cloned());
    }
    if found.is_empty() {
        let all: Vec<String> = segments.iter().flat_map(|segment| segment.words.clone()).collect();
        found.extend(pair(&all, PAIRS));
    }
    found.sort();
    found.dedup();
    found.into_iter().take(5).map(|word| format!("its address says \"{word}\"")).collect()
}

/// Names of fields that hold where somebody comes from or is led to afterwards.
const LED_TO: &str = "next|return|returnto|returnurl|redirect|redirecturi|url|uri|link|href|continue|back|ref|referrer|referer|from|dest|goto|callback|src|source|image|img|file|path|page|location|success|failure|origin|media|icon|scope|date|type|format|mime|accept|tz|timezone";

/// What an address says is to be done by a path within its query: `index.php?route=checkout/confirm`.
fn in_route(field: &Field, reach: Reach) -> Option<String> {
    let value = unpercent_all(&field.value);
    let is_path = value.len() <= 200
        && !value.contains("://")
        && !value.starts_with("//")
        && value.contains(['/', '|'])
        && value.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '|' | '-' | '_' | '.' | ':'));
    if field.place != Place::Query || !is_path || any_in_line(&words(&field.name), LED_TO) {
        return None;
    }
    let parts = value.split(['/', '|']).filter(|part| !part.is_empty()).take(50);
    let segments: Vec<Segment> = parts.map(Segment::of).collect();
    let found = match reach {
        Reach::Reading => in_read(&segments, IsTold::Yes),
        Reach::Writing => in_path_written(&segments).into_iter().next(),
    };
    found.map(|reason| format!("by its field \"{}\" {reason}", clipped(&field.name)))
}

/// Two words that settle something together, none of them made harmless by a third.
fn pair(words: &[String], pairs: &[(&str, &str)]) -> Option<String> {
    let (one, other) = pair_on(words, pairs)?;
    (!is_harmless(one, words) && !is_harmless(other, words)).then(|| format!("{one} {other}"))
}

fn in_path_read(decoded: &Decoded, segments: &[Segment]) -> Option<String> {
    let is_told = decoded.fields.iter().any(|field| field.place == Place::Query && !is_idle(field));
    if !is_told
        && (is_static(&decoded.address.path)
            || segments.iter().any(|one| first_on(&one.words, &READING).is_some()))
        && !segments.iter().any(is_order)
    {
        return None;
    }
    in_read(segments, if is_told { IsTold::Yes } else { IsTold::No })
}

/// Whether an address tells what something is to be done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IsTold {
    Yes,
    No,
}

/// Whether a part of a path is nothing but a word that takes something away.
fn is_order(part: &Segment) -> bool {
    matches!(part.words.as_slice(), [word] if is_on(word, &STRONG))
}

fn in_read(segments: &[Segment], told: IsTold) -> Option<String> {
    let is_told = told == IsTold::Yes;
    let last = segments.iter().rposition(|segment| !segment.is_id);
    for (at, segment) in segments.iter().enumerate() {
        // A headline is no command, unless it begins with one and is told to whom.
        if segment.words.len() > 3 {
            match segment.words.first().filter(|word| is_told && is_on(word, &STRONG)) {
                Some(word) if !is_harmless(word, &segment.words) => {
                    return Some(format!("its address says \"{word}\""));
                }
                _ => continue,
            }
        }
        let ends = last == Some(at) || segments.get(at + 1).is_some_and(|next| next.is_id) || is_told;
        let has_id = is_told || segments.iter().any(|segment| segment.is_id);
        let risky = |place: usize, word: &String| {
            // "send" and "send message", but not "newest to send".
            let commands = place == 0 || place + 1 == segment.words.len();
            let soft = ends && commands && segment.words.len() <= 2 && is_on(word, &SOFT);
            let cancels = has_id && word == "cancel" && segment.words.len() <= 2;
            let told = has_id && ends && place == 0 && segment.words.len() <= 2 && is_on(word, &TOLD);
            (is_on(word, &STRONG) || soft || cancels || told)
                && !is_harmless(word, &beside(segments, at, word))
        };
        if let Some((_, word)) = segment.words.iter().enumerate().find(|(place, word)| risky(*place, word)) {
            return Some(format!("its address says \"{word}\""));
        }
    }
    let short = segments.iter().filter(|segment| segment.words.len() <= 3);
    let all: Vec<String> = short.flat_map(|segment| segment.words.clone()).collect();
    pair(&all, PAIRS_ON_READS).map(|words| format!("its address says \"{words}\""))
}

/// Whether a path names a file that is the same for everybody.
fn is_static(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let known = [
        "js", "mjs", "css", "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "woff", "woff2",
        "ttf", "otf", "map", "mp4", "webm", "mp3", "wasm",
    ];
    ending.is_some_and(|ending| known.contains(&ending.as_str()))
}

/// Whether the name of a field says that its value tells what is to be done.
pub(super) fn is_action(name: &str, reach: Reach) -> bool {
    let list = if reach == Reach::Writing { &ACTION_NAMES } else { &ACTION_NAMES_ON_READS };
    // In a list of what is to be done the places have numbers for names.
    let mut pieces = name.rsplit('.').skip_while(|piece| is_number(piece) && reach == Reach::Writing);
    first_on_or_plural(&words(pieces.next().unwrap_or(name)), list).is_some()
}

fn in_field(field: &Field, reach: Reach) -> Option<String> {
    if field.place == Place::GraphQl && field.name.ends_with("query") {
        return None;
    }
    in_name(field, reach).or_else(|| in_action(field, reach))
}

/// What a field says that is to be done.
fn in_action(field: &Field, reach: Reach) -> Option<String> {
    let is_bare = field.name.is_empty() && reach == Reach::Writing;
    let is_state =
        reach == Reach::Reading && any_in_line(&words(&field.name), "mode|event|what|status|state");
    let is_told = is_bare || field.place == Place::Header || is_state || is_action(&field.name, reach);
    let is_long = field.value.len() > 200;
    if !is_told || (is_long && reach == Reach::Reading) {
        return None;
    }
    let mut said = words(&unpercent_all(&beginning(&field.value)));
    if said.len() > 4 && reach == Reach::Reading {
        // A whole sentence is no command, but the long name of one is.
        let word = first_on(&said, &STRONG).filter(|word| !is_harmless(word, &said));
        let word = word.filter(|_| !field.value.trim().contains(char::is_whitespace))?;
        return Some(format!("its field \"{}\" says \"{word}\"", clipped(&field.name)));
    }
    // Of a whole text its beginning says what is to be done.
    said.truncate(40);
    let risky = |word: &&String| {
        let written = reach == Reach::Writing
            && (is_on(word, &ON_WRITES)
                || is_on(word, &BECOMES)
                || word.as_str() == "checkout"
                || (said.len() <= 2 && is_on(word, &STATES)));
        if is_state {
            return said.len() == 1 && (is_on(word, &STRONG) || is_on(word, &BECOMES));
        }
        let is_risky = is_on(word, &STRONG)
            || is_on(word, &SOFT)
            || word.as_str() == "cancel"
            || is_on(word, &TOLD)
            || written;
        is_risky && !is_harmless(word, &said)
    };
    // "submit" says nothing about what a button sends.
    let says_nothing = said.len() == 1 && said.first().is_some_and(|word| word == "submit");
    let word = said.iter().find(risky).cloned().filter(|_| !says_nothing);
    let pairs = if reach == Reach::Writing { PAIRS } else { PAIRS_ON_READS };
    let word = word.or_else(|| pair(&said, pairs))?;
    Some(format!("its field \"{}\" says \"{word}\"", clipped(&field.name)))
}

/// Names of fields that are an order if their value is a yes.
const ORDERS: &str = "finalise|valider|finalizar|tramitar|abschliessen|concluir|оформить|order|book|reserve|subscribe|submit|place|purchase|register|apply|sign|process|proceed|convert|enroll|execute|launch|autoship";

/// What the name of a field says that is to be done.
fn in_name(field: &Field, reach: Reach) -> Option<String> {
    if matches!(field.value.as_str(), "0" | "false" | "off" | "no") {
        let ends_a_draft = reach == Reach::Writing
            && field.name.rsplit(['.', '[', ']']).find(|piece| !piece.is_empty()) == Some("draft");
        return ends_a_draft.then(|| "its field \"draft\" says that it is none any more".to_owned());
    }
    for piece in field.name.split(['.', '[', ']', '$', ':']).take(80) {
        let said = named(piece);
        // What proves that a form is a site's own is named after the form.
        if said.last().is_some_and(|last| last == "nonce") && said.len() > 2 {
            continue;
        }
        let risky = |place: usize, word: &String| match reach {
            Reach::Writing => {
                // Guests check out on a day, and which checkout it is settles nothing either.
                let is_day = word == "checkout"
                    && (is_date(&field.value) || any_in_line(&said, "id|token|url|session|key"));
                // "order=1", but not "order=price".
                let orders = said.len() == 1 && is_in_line(word, ORDERS) && is_yes(&field.value);
                let settles = (is_on(word, &SETTLED) || is_on(word, &BECOMES)) && said.len() <= 2 && !is_day;
                orders || (said.len() <= 3 && (is_on(word, &STRONG) || is_on(word, &SOFT) || settles))
            }
            Reach::Reading => {
                let alone = said.len() == 1 && is_on(word, &SOFT) && is_yes(&field.value);
                let first = said.first().map(String::as_str).unwrap_or_default();
                let begins = place == 0 || (place == 1 && is_in_line(first, "confirm|do|really|force|sure"));
                alone || (begins && said.len() <= 3 && is_on(word, &STRONG))
            }
        };
        let word = said.iter().enumerate().find(|(at, word)| risky(*at, word) && !is_harmless(word, &said));
        let word = word.map(|(_, word)| word.clone());
        let pairs = if reach == Reach::Writing { PAIRS } else { PAIRS_ON_READS };
        let word = word.or_else(|| if said.len() <= 5 { pair(&said, pairs) } else { None });
        if let Some(word) = word {
            return Some(format!("its field \"{}\" says \"{word}\"", clipped(&field.name)));
        }
    }
    None
}

/// Whether a value is a day, however it is written.
fn is_date(value: &str) -> bool {
    let parts: Vec<&str> = value.split(['-', '/', '.']).collect();
    parts.len() == 3
        && parts.iter().all(|part| (1..=4).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit()))
}

/// Whether a value says yes, or which one.
fn is_yes(value: &str) -> bool {
    let value = value.trim().to_ascii_lowercase();
    matches!(value.as_str(), "" | "true" | "yes" | "on" | "y") || is_id(&value)
}

/// What is asked for within something else. What is told nothing is mostly part of an answer: only what is clear counts there.
fn in_nested(within: &Within, kind: OperationKind) -> Option<String> {
    if kind == OperationKind::Query {
        return None;
    }
    if within.is_told {
        return in_operation(&within.name, kind);
    }
    let said = words(&within.name);
    let is_clear = first_on(&said, &STRONG).is_some() || first_on(&said, &SOFT).is_some();
    (is_clear || pair(&said, PAIRS).is_some()).then(|| in_operation(&within.name, kind)).flatten()
}

fn in_operation(text: &str, kind: OperationKind) -> Option<String> {
    let said = words(text);
    let reads = kind == OperationKind::Query;
    let risky = |place: usize, word: &String| {
        let listed = is_on(word, &STRONG) || is_on(word, &SOFT);
        let is_risky = if reads { place == 0 && listed } else { listed || is_on(word, &ON_WRITES) };
        is_risky && !is_harmless(word, &said)
    };
    let word = said.iter().enumerate().find(|(at, word)| risky(*at, word)).map(|(_, word)| word.clone());
    let pairs = if reads { PAIRS_ON_READS } else { PAIRS };
    let word = word.or_else(|| pair(&said, pairs))?;
    Some(format!("what it asks for is called \"{}\", which says \"{word}\"", clipped(text)))
}

/// The beginning of a value: of a whole text that says what it is about.
pub(super) fn beginning(value: &str) -> String {
    crate::clip::beginning(value, 400)
}

/// A name that a page wrote, short enough and without what can't be seen.
pub(super) fn clipped(name: &str) -> String {
    crate::clip::beginning(&crate::confirmation::plain(name), 60)
}
