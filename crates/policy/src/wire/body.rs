//! What a request carries, taken apart by what it says it is.

use super::{
    decoded::{Content, Field, FilePart, LARGEST_BODY, Opaque, Operation, Place},
    fields::Fields,
    graphql, json, multipart,
    unravel::{exact, pairs},
};

/// A body, taken apart as far as it could be.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) content: Content,
    pub(super) files: Vec<FilePart>,
    pub(super) operations: Vec<Operation>,
    pub(super) opaque: Option<Opaque>,
    /// How its JSON is built.
    pub(super) build: String,
}

impl Body {
    pub(super) fn empty() -> Self {
        Self {
            content: Content::Empty,
            files: vec![],
            operations: vec![],
            opaque: None,
            build: String::new(),
        }
    }

    pub(super) fn opaque(why: Opaque) -> Self {
        Self { content: Content::Other, opaque: Some(why), ..Self::empty() }
    }
}

/// What the header says that a body is.
struct Said {
    /// `application/json`, in lower case.
    kind: String,
    boundary: Option<String>,
    charset: Option<String>,
    /// Whether it names several: nobody knows which one counts.
    has_charsets: bool,
}

fn said(header: &str) -> Said {
    let (kind, rest) = header.split_once(';').unwrap_or((header, ""));
    let parameter = |wanted: &str| {
        rest.split(';').find_map(|one| {
            let (name, value) = one.split_once('=')?;
            let matches = name.trim().eq_ignore_ascii_case(wanted);
            matches.then(|| value.trim().trim_matches('"').to_owned())
        })
    };
    // Servers look for this word in different ways: it is there once, or nobody knows which one counts.
    let spelled: String = header.to_ascii_lowercase().split_whitespace().collect();
    let is_plain = spelled.matches("boundary=").count() == 1;
    let boundary = parameter("boundary").filter(|_| is_plain);
    Said {
        kind: kind.trim().to_ascii_lowercase(),
        boundary: boundary.filter(|boundary| !boundary.is_empty() && boundary.len() <= 200),
        has_charsets: spelled.matches("charset=").count() > 1,
        charset: parameter("charset").map(|charset| charset.to_ascii_lowercase()),
    }
}

/// Takes a body apart. Its path helps to tell what speaks GraphQL.
pub(super) fn read(header: Option<&str>, bytes: &[u8], path: &str, fields: &mut Fields) -> Body {
    if bytes.is_empty() {
        return Body::empty();
    }
    if bytes.len() > LARGEST_BODY {
        return Body::opaque(Opaque::TooLarge);
    }
    let said = said(header.unwrap_or_default());
    // Letters that are not written as everywhere else mean something else to the server than they do here.
    let usual = ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "latin1"];
    if said.has_charsets
        || said.charset.as_deref().is_some_and(|set| !usual.contains(&set) && !set.starts_with("windows-125"))
    {
        return Body::opaque(Opaque::Encoded);
    }
    let before = fields.0.len();
    let read = match said.kind.as_str() {
        "application/x-www-form-urlencoded" => form(bytes, path, fields),
        "multipart/form-data" => several(bytes, said.boundary.as_deref(), fields),
        "application/graphql" => graphql_text(bytes, fields),
        "text/plain" | "" => plain(bytes, &said.kind, path, fields),
        kind if is_json(kind) => json_text(bytes, path, fields),
        _ => Err(Opaque::UnknownKind),
    };
    read.unwrap_or_else(|why| {
        // Half of it would look like all of it.
        fields.0.truncate(before);
        Body::opaque(why)
    })
}

fn is_json(kind: &str) -> bool {
    matches!(kind, "application/json" | "text/json" | "text/x-json" | "application/csp-report")
        || kind.ends_with("+json") && kind.starts_with("application/")
}

fn form(bytes: &[u8], path: &str, fields: &mut Fields) -> Result<Body, Opaque> {
    // Pages call JSON a form where that spares them a question, and servers take it.
    if text(bytes).is_ok_and(json::is_structure) {
        let read = json_text(bytes, path, fields)?;
        // Others take it for the form that it says it is: then a sign within a text begins a field.
        for (name, value) in pairs(bytes).skip(1) {
            fields.add(Place::Form, name, value)?;
        }
        return Ok(read);
    }
    for (name, value) in pairs(bytes) {
        fields.add(Place::Form, name, value)?;
    }
    Ok(Body { content: Content::Form, ..Body::empty() })
}

fn several(bytes: &[u8], boundary: Option<&str>, fields: &mut Fields) -> Result<Body, Opaque> {
    let files = multipart::read(bytes, boundary.ok_or(Opaque::Broken)?, fields)?;
    Ok(Body { content: Content::Multipart, files, ..Body::empty() })
}

fn text(bytes: &[u8]) -> Result<&str, Opaque> {
    std::str::from_utf8(bytes).map_err(|_| Opaque::Broken)
}

fn graphql_text(bytes: &[u8], fields: &mut Fields) -> Result<Body, Opaque> {
    let text = text(bytes)?;
    fields.add(Place::GraphQl, "query".into(), text.to_owned())?;
    let operations = graphql::operations(text);
    Ok(Body { content: Content::GraphQl, operations, ..Body::empty() })
}

/// Text that may be JSON or a form all the same: that is how pages send without being asked.
fn plain(bytes: &[u8], kind: &str, path: &str, fields: &mut Fields) -> Result<Body, Opaque> {
    let text = match text(bytes) {
        Ok(text) => text,
        Err(_) if kind.is_empty() => return Err(Opaque::UnknownKind),
        Err(why) => return Err(why),
    };
    if json::is_structure(text) {
        return json_text(bytes, path, fields);
    }
    if kind.is_empty() {
        return Err(Opaque::UnknownKind);
    }
    let lines: Vec<&str> = text.split("\r\n").filter(|line| !line.is_empty()).collect();
    let is_name = |name: &str| {
        !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']'))
    };
    if text.ends_with("\r\n")
        && lines.iter().all(|line| line.split_once('=').is_some_and(|(name, _)| is_name(name)))
    {
        for (name, value) in lines.iter().filter_map(|line| line.split_once('=')) {
            fields.add(Place::Form, name.to_owned(), value.to_owned())?;
        }
        return Ok(Body { content: Content::Form, ..Body::empty() });
    }
    if !text.contains(char::is_whitespace)
        && text.split('&').all(|part| part.split_once('=').is_some_and(|(name, _)| is_name(name)))
    {
        return form(bytes, path, fields);
    }
    fields.add(Place::Form, String::new(), exact(bytes))?;
    Ok(Body { content: Content::Text, ..Body::empty() })
}

fn json_text(bytes: &[u8], path: &str, fields: &mut Fields) -> Result<Body, Opaque> {
    let text = text(bytes)?;
    let found = json::flatten(text)?;
    let build = json::build(text);
    let speaks = speaks_graphql(&found, path);
    let place = if speaks { Place::GraphQl } else { Place::Json };
    let operations = if speaks { operations(&found) } else { vec![] };
    for (name, value) in found {
        fields.add(place, name, value)?;
    }
    let content = if speaks { Content::GraphQl } else { Content::Json };
    Ok(Body { content, operations, build, ..Body::empty() })
}

/// The entry of a batch that a way begins with, and what is left of the way.
fn entry(way: &str) -> (Option<usize>, &str) {
    match way.split_once('.') {
        Some((first, rest)) if first.parse::<usize>().is_ok() => (first.parse().ok(), rest),
        _ => (None, way),
    }
}

/// Whether it is a request to a GraphQL server: by its text, by how stored texts are asked for, or by where it goes.
fn speaks_graphql(found: &[(String, String)], path: &str) -> bool {
    let by_path = path
        .to_ascii_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| matches!(word, "graphql" | "gql"));
    let asks = |wanted: &str| found.iter().find(|(way, _)| entry(way).1 == wanted).map(|(_, value)| value);
    let by_text = asks("query")
        .or_else(|| asks("mutation"))
        .is_some_and(|text| text.contains('{') && graphql::is_graphql(text));
    by_path || by_text || asks("extensions.persistedQuery.sha256Hash").is_some()
}

/// What each entry asks for. One without a text may be anything.
fn operations(found: &[(String, String)]) -> Vec<Operation> {
    let mut entries: Vec<Option<usize>> = Vec::new();
    for (way, _) in found {
        let (at, _) = entry(way);
        if !entries.contains(&at) {
            entries.push(at);
        }
        if entries.len() > 100 {
            return vec![Operation::unknown(None)];
        }
    }
    let mut operations = Vec::new();
    for at in entries {
        let of = |wanted: &'static str| {
            let mine = found.iter().filter(move |(way, _)| entry(way) == (at, wanted));
            mine.map(|(_, value)| value.as_str())
        };
        let name = of("operationName").next().filter(|name| *name != "null").map(str::to_owned);
        let texts: Vec<&str> = of("query").chain(of("mutation")).filter(|text| *text != "null").collect();
        if texts.is_empty() {
            operations.push(Operation::unknown(name));
            continue;
        }
        operations.extend(texts.iter().flat_map(|text| graphql::operations(text)));
    }
    operations
}

/// What is asked elsewhere than in a body of GraphQL: in the query of an address, in a form, in JSON within a field. Servers take it from
/// any of them, and some let the address win.
pub(super) fn asked_elsewhere(fields: &Fields, path: &str) -> Vec<Operation> {
    let elsewhere = || fields.0.iter().filter(|field| field.place != Place::GraphQl);
    let mut asked = asked_by_name(elsewhere(), path);
    for field in elsewhere().filter(|field| json::is_structure(&field.value)) {
        let inner = json::flatten(&field.value).unwrap_or_default();
        if speaks_graphql(&inner, "") {
            asked.extend(operations(&inner));
        }
    }
    asked
}

fn asked_by_name<'f>(fields: impl Iterator<Item = &'f Field> + Clone, path: &str) -> Vec<Operation> {
    let all = |wanted: &'static str| {
        fields.clone().filter(move |field| field.name == wanted).map(|field| field.value.as_str())
    };
    let of = |wanted: &'static str| all(wanted).next();
    // Of several with one name any may count.
    let texts = all("query").chain(all("mutation"));
    let asked: Vec<Operation> = texts
        .filter(|text| text.contains('{') && graphql::is_graphql(text))
        .flat_map(graphql::operations)
        .collect();
    match () {
        () if !asked.is_empty() => asked,
        () if of("extensions").is_some_and(|text| text.contains("persistedQuery")) => {
            vec![Operation::unknown(of("operationName").map(str::to_owned))]
        }
        () if path.trim_end_matches('/').ends_with("/graphql") && of("operationName").is_some() => {
            vec![Operation::unknown(of("operationName").map(str::to_owned))]
        }
        () => vec![],
    }
}
