//! Takes a request apart. Never fails: what can't be taken apart says so.

use legwork_types::{Outgoing, OutgoingBody};
use sha2::{Digest, Sha256};
use url::Url;

use super::{
    Address,
    body::{self, Body},
    decoded::{
        Decoded, Field, LONGEST_ADDRESS, MOST_FIELDS, MOST_SEGMENTS, Opaque, Operation, OperationKind, Place,
        is_safe,
    },
    fields::Fields,
    unfold::unfold,
    unravel::pairs,
};

/// Takes a request apart.
pub fn decode(outgoing: &Outgoing) -> Decoded {
    let sent_method = upper(&outgoing.method);
    let mut fields = Fields::default();
    let mut opaque = None;
    let url =
        Some(&outgoing.url).filter(|url| url.len() <= LONGEST_ADDRESS).and_then(|url| Url::parse(url).ok());
    let address = url.as_ref().map(Address::of).unwrap_or_default();
    match &url {
        None => opaque = Some(Opaque::Address),
        Some(url) => opaque = query(url, &mut fields).err().or(opaque),
    }
    for (name, value) in outgoing.headers.iter().filter(|(name, _)| says_what(name)) {
        opaque = fields.add(Place::Header, name.to_ascii_lowercase(), value.clone()).err().or(opaque);
    }
    let body = match &outgoing.body {
        OutgoingBody::None => Body::empty(),
        OutgoingBody::Unread => Body::opaque(Opaque::Unread),
        OutgoingBody::Bytes(bytes) if is_encoded(outgoing) && !bytes.is_empty() => {
            Body::opaque(Opaque::Encoded)
        }
        OutgoingBody::Bytes(bytes) => body::read(content_type(outgoing), bytes, &address.path, &mut fields),
    };
    let mut operations = body.operations;
    operations.extend(body::asked_elsewhere(&fields, &address.path));
    // What a mutation is told in its text is as good as a field; what a question is told changes nothing.
    let writes = operations.iter().filter(|one| one.kind != OperationKind::Query);
    for (name, value) in writes.flat_map(|one| &one.told) {
        opaque = fields.add(Place::GraphQl, format!("query.{name}"), value.clone()).err().or(opaque);
    }
    let unfolded = unfold(&fields.0).and_then(|mut within| {
        let told: usize = operations.iter().map(|one| one.given.len()).sum();
        if told <= MOST_FIELDS {
            within.extend(given(&operations, &fields.0));
        }
        if told > MOST_FIELDS || within.len() > 2 * MOST_FIELDS { Err(Opaque::TooLarge) } else { Ok(within) }
    });
    let within = unfolded.unwrap_or_else(|why| {
        opaque = Some(why);
        vec![]
    });
    if address.path.split(['/', '\\']).count() > MOST_SEGMENTS {
        opaque = Some(Opaque::Address);
    }
    Decoded {
        method: worst_method(&sent_method, outgoing, &fields.0),
        sent_method,
        address,
        kind: outgoing.kind,
        fields: fields.0,
        within,
        content: body.content,
        media_type: media_type(outgoing),
        operations,
        files: body.files,
        opaque: opaque.or(body.opaque),
        digest: digest(outgoing),
        build: body.build,
        headers: own_headers(outgoing),
        document: None,
    }
}

/// What a mutation is told by way of variables, by the names that it knows it by: whoever writes it calls a variable what they like.
fn given(operations: &[Operation], fields: &[Field]) -> Vec<Field> {
    let writes = operations.iter().filter(|one| one.kind != OperationKind::Query);
    let all = writes.flat_map(|one| &one.given).flat_map(|(name, variable)| {
        fields.iter().filter(|field| field.place == Place::GraphQl).filter_map(move |field| {
            let held = held_by(&field.name, variable)?;
            let name = format!("query.{name}{held}");
            Some(Field { name, value: field.value.clone(), place: Place::GraphQl })
        })
    });
    all.take(2 * MOST_FIELDS + 1).collect()
}

/// What is left of the way to a field, if a variable holds it: `.mode` of `0.variables.input.mode`.
fn held_by<'n>(name: &'n str, variable: &str) -> Option<&'n str> {
    let plain = match name.split_once('.') {
        Some((first, rest)) if first.parse::<usize>().is_ok() => rest,
        _ => name,
    };
    let way = plain.strip_prefix("variables.").or_else(|| plain.strip_prefix("query."))?;
    way.strip_prefix(variable).filter(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn query(url: &Url, fields: &mut Fields) -> Result<(), Opaque> {
    for (name, value) in [("user", url.username()), ("password", url.password().unwrap_or_default())] {
        if !value.is_empty() {
            fields.add(Place::Credentials, name.into(), value.into())?;
        }
    }
    for (name, value) in pairs(url.query().unwrap_or_default().as_bytes()) {
        fields.add(Place::Query, name, value)?;
    }
    Ok(())
}

fn headers<'o>(outgoing: &'o Outgoing, wanted: &'o str) -> impl Iterator<Item = &'o str> {
    let all = outgoing.headers.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted));
    all.map(|(_, value)| value.as_str())
}

/// Whether a header says what a server is to do: some ask for all of it at one address.
fn says_what(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut words = name.split(['-', '_']);
    let known = [
        "action",
        "soapaction",
        "target",
        "operation",
        "command",
        "destination",
        "rpc",
        "procedure",
        "rewrite",
        "event",
        "cmd",
        "task",
        "handler",
        "intent",
    ];
    let is_path = matches!(
        name.strip_prefix("x-").and_then(|rest| rest.split_once('-')),
        Some(("original" | "forwarded" | "override", "uri" | "path" | "url"))
    );
    let is_told = is_path || words.any(|word| known.contains(&word));
    // Which of its questions a GraphQL client asks is in the body too.
    // Where in the page an answer belongs is no business of the server.
    let is_of_the_page = ["x-apollo-", "hx-", "x-up-", "turbo-"].iter().any(|begin| name.starts_with(begin));
    is_told && !is_of_the_page && !OVERRIDES.contains(&name.as_str())
}

/// Headers that a page chose itself, other than those that say what is to be done.
fn own_headers(outgoing: &Outgoing) -> Vec<(String, String)> {
    let usual = [
        "accept",
        "accept-encoding",
        "accept-language",
        "cache-control",
        "content-length",
        "content-type",
        "cookie",
        "dnt",
        "host",
        "if-modified-since",
        "if-none-match",
        "origin",
        "pragma",
        "priority",
        "referer",
        "save-data",
        "upgrade-insecure-requests",
        "user-agent",
        "x-requested-with",
    ];
    let all = outgoing.headers.iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    let is_own = |name: &str| !name.starts_with("sec-") && !usual.contains(&name) && !says_what(name);
    let mut own: Vec<_> = all.filter(|(name, _)| is_own(name)).collect();
    own.sort();
    own
}

fn content_type(outgoing: &Outgoing) -> Option<&str> {
    headers(outgoing, "content-type").next()
}

/// What a body is said to be, without the mark between its parts, which is another one each time.
fn media_type(outgoing: &Outgoing) -> String {
    let said = content_type(outgoing).unwrap_or_default().to_ascii_lowercase();
    let parts = said.split(';').map(str::trim).filter(|part| !part.starts_with("boundary="));
    parts.collect::<Vec<_>>().join(";")
}

fn is_encoded(outgoing: &Outgoing) -> bool {
    headers(outgoing, "content-encoding").any(|value| !matches!(value.trim(), "" | "identity"))
        // Two of them: nobody knows which one counts.
        || headers(outgoing, "content-type").count() > 1
}

fn upper(method: &str) -> String {
    method.trim().chars().take(40).collect::<String>().to_uppercase()
}

/// How much harm a method may do.
fn harm(method: &str) -> u8 {
    match method {
        _ if is_safe(method) => 0,
        "POST" => 1,
        "PUT" | "PATCH" => 2,
        "DELETE" => 4,
        _ => 3,
    }
}

/// Headers and fields by which a request says that another method should count.
const OVERRIDES: &[&str] = &[
    "x-http-method-override",
    "x-method-override",
    "x-http-method",
    "_method",
    "_httpmethod",
    "_http_method",
    "$httpmethod",
    "http_method",
];

fn worst_method(sent: &str, outgoing: &Outgoing, fields: &[Field]) -> String {
    let is_override = |name: &str| OVERRIDES.iter().any(|known| name.eq_ignore_ascii_case(known));
    let in_headers =
        outgoing.headers.iter().filter(|(name, _)| is_override(name)).map(|(_, value)| value.as_str());
    let in_fields = fields.iter().filter(|field| is_override(&field.name)).map(|field| field.value.as_str());
    let said = in_headers.chain(in_fields).flat_map(|value| value.split(',')).map(upper);
    let is_method = |method: &String| !method.is_empty() && method.chars().all(|c| c.is_ascii_alphabetic());
    let worst = said.filter(is_method).max_by_key(|method| harm(method));
    worst.filter(|method| harm(method) > harm(sent)).unwrap_or_else(|| sent.to_owned())
}

fn digest(outgoing: &Outgoing) -> [u8; 32] {
    let mut digest = Sha256::new();
    // Each part with its length: no two requests have the same parts put together.
    let mut add = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_be_bytes());
        digest.update(bytes);
    };
    add(outgoing.method.as_bytes());
    add(outgoing.url.as_bytes());
    add(content_type(outgoing).unwrap_or_default().as_bytes());
    match &outgoing.body {
        OutgoingBody::None => add(b"none"),
        OutgoingBody::Unread => add(b"unread"),
        OutgoingBody::Bytes(bytes) => {
            add(b"bytes");
            add(bytes);
        }
    }
    digest.finalize().into()
}
