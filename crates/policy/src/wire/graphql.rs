//! What is asked of a GraphQL server: the kind of each operation, its name, and what it asks for first.

use super::decoded::{Operation, OperationKind, Within};

/// The most operations of one request.
const MOST_OPERATIONS: usize = 100;
/// The most fields of one operation: of one that asks for more nobody knows what it does.
const MOST_ASKED: usize = 100;
/// The most fields within those.
const MOST_WITHIN: usize = 1_000;

impl Operation {
    /// One of which only the server knows what it does.
    pub(super) fn unknown(name: Option<String>) -> Self {
        Self { kind: OperationKind::Unknown, name, asks: vec![], within: vec![], told: vec![], given: vec![] }
    }
}

/// All operations of a text, whichever of them is to be run: one request may name only one of them, but which one is up to the server.
pub(super) fn operations(text: &str) -> Vec<Operation> {
    read(text).unwrap_or_else(|| vec![Operation::unknown(None)])
}

/// Whether a text could be GraphQL at all.
pub(super) fn is_graphql(text: &str) -> bool {
    read(text).is_some_and(|found| !found.is_empty())
}

fn read(text: &str) -> Option<Vec<Operation>> {
    let tokens = tokens(text)?;
    let mut rest = tokens.as_slice();
    let mut found = Vec::new();
    let mut fragments: Vec<(&str, Asked)> = Vec::new();
    while let Some((&first, after)) = rest.split_first() {
        let kind = match first {
            "{" => Some(OperationKind::Query),
            "query" => Some(OperationKind::Query),
            "mutation" => Some(OperationKind::Mutation),
            "subscription" => Some(OperationKind::Subscription),
            "fragment" => None,
            _ => return None,
        };
        let name = match (first, after.first()) {
            ("{", _) => None,
            (_, Some(name)) if is_name(name) => Some(*name),
            _ => None,
        };
        let open = opening(rest)?;
        let body = rest.get(open..)?;
        let close = closing(body)?;
        let mut asked = asked(body.get(1..close)?)?;
        asked.told.extend(defaults(rest.get(..open)?));
        match kind {
            Some(kind) => {
                let Asked { asks, within, told, given } = asked;
                found.push(Operation { kind, name: name.map(str::to_owned), asks, within, told, given });
            }
            None => fragments.push((name?, asked)),
        }
        if found.len() > MOST_OPERATIONS || fragments.len() > MOST_OPERATIONS {
            return None;
        }
        rest = body.get(close + 1..)?;
    }
    // What is asked for by way of a fragment is asked for as well, wherever it is spread.
    for operation in &mut found {
        let spreads = operation.asks.iter().any(|ask| ask == SPREAD);
        operation.asks.retain(|ask| ask != SPREAD);
        for (_, fragment) in &fragments {
            let asks = fragment.asks.iter().filter(|ask| *ask != SPREAD);
            match spreads {
                true => operation.asks.extend(asks.cloned()),
                false => {
                    operation.within.extend(asks.map(|ask| Within { name: ask.clone(), is_told: false }))
                }
            }
            operation.within.extend(fragment.within.iter().cloned());
            operation.told.extend(fragment.told.iter().cloned());
            operation.given.extend(fragment.given.iter().cloned());
        }
        if operation.asks.len() > MOST_ASKED || operation.within.len() > MOST_WITHIN {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_value(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '"'))
}

/// A value as it is meant, without its quotes.
fn plain(value: &str) -> String {
    serde_json::from_str(value).unwrap_or_else(|_| value.trim_matches('"').to_owned())
}

/// What variables hold where nobody says what they hold: `($mode: Mode = SELL)`.
fn defaults(tokens: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut called, mut is_default) = ("", false);
    for (at, &token) in tokens.iter().enumerate() {
        let follows = |sign: &str| tokens.get(at + 1) == Some(&sign);
        match token {
            "$" => {
                called = tokens.get(at + 1).copied().unwrap_or_default();
                is_default = false;
            }
            "=" => is_default = true,
            name if is_default && is_name(name) && follows(":") => called = name,
            value if is_default && is_value(value) => found.push((called.to_owned(), plain(value))),
            _ => {}
        }
    }
    found
}

/// Where what is asked begins: the first brace that is not within the parentheses of variables.
fn opening(tokens: &[&str]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1)?,
            "{" if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// The end of what begins with an opening brace.
fn closing(tokens: &[&str]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (*token == "}").then_some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// What stands for a fragment.
const SPREAD: &str = "...";

/// What a selection asks for.
#[derive(Debug, Default)]
struct Asked {
    /// The names at its top; a spread fragment as `...`.
    asks: Vec<String>,
    within: Vec<Within>,
    told: Vec<(String, String)>,
    given: Vec<(String, String)>,
}

/// What a selection asks for. An alias is not a name: what it stands for is. None for more than anybody asks for.
fn asked(tokens: &[&str]) -> Option<Asked> {
    let mut found = Asked::default();
    let mut depth = 0usize;
    // Within parentheses there are values, and names of values.
    let mut told = 0usize;
    // Braces within an inline fragment are still at the top.
    let mut inline: Vec<usize> = Vec::new();
    // What is told nothing and only holds others is a drawer: those are the deeds.
    let mut is_drawer = false;
    // What the values in parentheses are called; those of a list are all called the same.
    let mut called = "";
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        let top = depth == inline.len();
        match token {
            "..." if told == 0 && matches!(tokens.get(at + 1), Some(&("on" | "{" | "@"))) => {
                let begin = tokens.iter().skip(at).position(|&token| token == "{").map(|more| at + more)?;
                depth += 1;
                if top {
                    inline.push(depth);
                }
                at = begin;
            }
            "..." if told == 0 => {
                if top {
                    found.asks.push(SPREAD.to_owned());
                }
                at += 1;
            }
            "(" => {
                depth += 1;
                told += 1;
            }
            ")" => {
                depth = depth.saturating_sub(1);
                told = told.saturating_sub(1);
            }
            "{" | "[" => depth += 1,
            "}" | "]" => {
                if inline.last() == Some(&depth) {
                    inline.pop();
                }
                depth = depth.saturating_sub(1);
            }
            "@" => at += 1,
            name if told > 0 && is_name(name) && tokens.get(at + 1) == Some(&":") => {
                called = name;
                at += 1;
            }
            // What a variable holds is a field of the request.
            "$" if told > 0 => {
                let variable = tokens.get(at + 1).copied().unwrap_or_default();
                found.given.push((called.to_owned(), variable.to_owned()));
                at += 1;
            }
            value if told > 0 && is_value(value) => found.told.push((called.to_owned(), plain(value))),
            name if told == 0 && is_name(name) => {
                let aliased = tokens.get(at + 1) == Some(&":");
                let real = if aliased { tokens.get(at + 2).copied().unwrap_or(name) } else { name };
                at += if aliased { 2 } else { 0 };
                let next = tokens.get(at + 1).copied();
                match top {
                    true => {
                        is_drawer = next == Some("{");
                        found.asks.push(real.to_owned());
                    }
                    false => {
                        let in_drawer = is_drawer && depth == inline.len() + 1 && next == Some("{");
                        let is_told = next == Some("(") || in_drawer;
                        found.within.push(Within { name: real.to_owned(), is_told });
                    }
                }
            }
            _ => {}
        }
        if found.asks.len() > MOST_ASKED
            || found.within.len() > MOST_WITHIN
            || found.told.len() + found.given.len() > MOST_WITHIN
        {
            return None;
        }
        at += 1;
    }
    Some(found)
}

/// Names, brackets, dots and texts; comments left out. None if it is no GraphQL.
fn tokens(text: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let begin = at;
        at += match byte {
            b'#' => bytes
                .get(at..)?
                .iter()
                .position(|&byte| byte == b'\n' || byte == b'\r')
                .unwrap_or(bytes.len() - at),
            b'"' => {
                let rest = text.get(at..)?;
                if let Some(block) = rest.strip_prefix("\"\"\"") {
                    6 + block.replace("\\\"\"\"", "\\___").find("\"\"\"")?
                } else {
                    line(rest)?
                }
            }
            b'.' => text.get(at..)?.starts_with("...").then_some(3)?,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b':' | b'@' | b'$' | b'!' | b'=' | b'|' | b'&' => 1,
            _ if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+') => {
                let is_part =
                    |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.');
                let rest = bytes.get(at + 1..)?;
                let is_number = byte.is_ascii_digit() || matches!(byte, b'-' | b'+');
                1 + rest.iter().position(|&b| !is_part(b) || (b == b'.' && !is_number)).unwrap_or(rest.len())
            }
            _ if byte.is_ascii_whitespace() || byte == b',' => 1,
            0xef if text.get(at..)?.starts_with('\u{feff}') => 3,
            _ => return None,
        };
        let token = text.get(begin..at)?;
        if !token.starts_with(['#', ',', '\u{feff}']) && !token.trim().is_empty() {
            found.push(token);
        }
    }
    Some(found)
}

/// How long a text between quotes is.
fn line(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' | '\r' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(OperationKind, Option<&str>, &[&str])]) {
        let found = operations(text);
        let found: Vec<_> = found
            .iter()
            .map(|one| {
                (one.kind, one.name.as_deref(), one.asks.iter().map(String::as_str).collect::<Vec<_>>())
            })
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|(kind, name, asks)| (*kind, *name, asks.to_vec())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn kinds_names_and_what_is_asked_first() {
        use OperationKind::*;
        check("{ me { name } shop }", &[(Query, None, &["me", "shop"])]);
        check("query A($x: I = {a: 1}) { a(b: {c: 1}) { d } }", &[(Query, Some("A"), &["a"])]);
        check("mutation { safe: deleteAll(id: 1) { ok } }", &[(Mutation, None, &["deleteAll"])]);
        check("# query\nmutation M @x { pay }", &[(Mutation, Some("M"), &["pay"])]);
        check("query A { a } mutation B { b }", &[(Query, Some("A"), &["a"]), (Mutation, Some("B"), &["b"])]);
        check("mutation { ...F } fragment F on M { pay { ok } }", &[(Mutation, None, &["pay"])]);
        check("mutation { ... on M { pay { ok } } x }", &[(Mutation, None, &["pay", "x"])]);
        check("query { a(text: \"} mutation { pay }\") }", &[(Query, None, &["a"])]);
        check("query { a(text: \"\"\"\n} mutation { \\\"\"\" \"\"\") }", &[(Query, None, &["a"])]);
        check("subscription S { s }", &[(Subscription, Some("S"), &["s"])]);
        for nonsense in
            ["", "hello", "{", "query", "a { b }", "{ a } }", "mutation ( { pay }", "query { a \u{1} }"]
        {
            check(nonsense, &[(Unknown, None, &[])]);
        }
    }
}
