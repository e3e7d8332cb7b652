//! Positive evidence for looking for something: by all of an address, and by all that is sent along.

use super::{
    Content, Decoded, Field,
    along::actions,
    evidence::{Segment, is_number, segments},
    lists::{DISPATCHERS, LISTED, SEARCH, SEARCH_FIELDS},
    words::{any_in_line, first_on, is_in_line, is_on, words},
};

/// Whether it only looks for something: by its path, and by all of its fields. What comes after the word may be what is really done.
pub(super) fn is_search(decoded: &Decoded) -> bool {
    let segments = segments(decoded);
    let place = segments.iter().position(|segment| first_on(&segment.words, &SEARCH).is_some());
    let is_told = |word: &String| is_on(word, &SEARCH) || is_on(word, &LISTED);
    let is_about = |segment: &Segment| segment.is_id || segment.words.iter().all(is_told);
    let looks = place.is_some_and(|at| segments.iter().skip(at).all(is_about));
    is_looking(decoded, &segments, looks) && decoded.all().all(is_question)
}

/// Whether a field is one of those that people have who look for something.
fn is_question(field: &Field) -> bool {
    let mut pieces = field.name.split(['.', '[', ']']).filter(|piece| !piece.is_empty());
    let is_known = |piece: &str| {
        let said = words(piece);
        said.iter().all(|word| is_on(word, &SEARCH_FIELDS) || is_number(word))
    };
    !field.name.is_empty() && pieces.all(is_known)
}

/// Whether it asks for a list, page by page: every word of its address is about what is listed, and every field about which of it.
pub(super) fn is_list(decoded: &Decoded) -> bool {
    const PAGED: &str =
        "page|pagesize|per|limit|offset|size|cursor|sort|q|query|filter|filters|facet|facets|start|count";
    let segments = segments(decoded);
    let Some(last) = segments.iter().rposition(|segment| !segment.is_id) else { return false };
    let is_listed = |word: &String| {
        is_on(word, &LISTED) || is_on(word, &DISPATCHERS) || is_in_line(word, "store|listing|product")
    };
    // "items/5/list" may be how something is put up for sale.
    let (before, rest) = segments.split_at(last);
    rest.first().is_some_and(|last| any_in_line(&last.words, "list|listing|listings|count"))
        && before.iter().all(|segment| !segment.is_id)
        && segments.iter().all(|segment| segment.is_id || segment.words.iter().all(is_listed))
        && decoded.fields.iter().any(|field| any_in_line(&words(&field.name), PAGED))
        && is_looking(decoded, &segments, true)
        && decoded.all().all(is_question)
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
    let is_code = |field: &Field| any_in_line(&words(&field.name), "sql|cypher|statement|script|stmt");
    let commands = |field: &Field| match named("query|queries") || is_code(field) {
        true => says_a_command(&field.value),
        false => commands_a_store(&field.value),
    };
    // What follows the name of a program is only told to that.
    let is_plain_program = |segment: &Segment| {
        !segment.is_program || segment.words.iter().all(|word| is_on(word, &DISPATCHERS)) || is_plain(segment)
    };
    looks
        && fits
        && segments.iter().all(is_plain_program)
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
                "email|mail|notify|alert|save|book|reserve|subscribe|order|hire|assign|watch|follow|upgrade|renew|launch|run|convert|dispatch|settle|frequency",
            )
    };
    let is_kept = |word: &String| is_in_line(word, "saved|save|alert|alerts|watch|agent|agents");
    let looks_only =
        |deed: &&str| words(deed).iter().all(|word| is_on(word, &SEARCH) || is_on(word, &LISTED));
    if decoded.all().any(wants_more)
        || !actions(decoded).iter().all(looks_only)
        || segments.iter().flat_map(|segment| &segment.words).any(is_kept)
    {
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
