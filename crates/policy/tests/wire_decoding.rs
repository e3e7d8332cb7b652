//! Requests taken apart, of every kind and of none.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{Class, Content, Opaque, WireFacts, classify, decode};
use legwork_types::{Outgoing, OutgoingBody, OutgoingKind};
use proptest::{collection::vec, prelude::*, sample::select};
use wire::*;

#[test]
fn fields_are_found_wherever_they_are() {
    let part = |name: &str, value: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let parts = format!("{}{}--b--\r\n", part("a", "1"), part("b", "x\r\ny"));
    for (outgoing, content, expected) in [
        (sent("GET", "/x?a=1&b=%C3%A9+c&d"), Content::Empty, vec!["a=1", "b=é c", "d="]),
        (sent("GET", "/x?a=%E9"), Content::Empty, vec!["a=\u{fffd}E9"]),
        (sent("GET", "https://u:p@shop.test/"), Content::Empty, vec!["user=u", "password=p"]),
        (form("/x?q=1", "a=1&a=2&%5B%5D=3"), Content::Form, vec!["q=1", "a=1", "a=2", "[]=3"]),
        (
            with(sent("POST", "/x"), "multipart/form-data; boundary=b", &parts),
            Content::Multipart,
            vec!["a=1", "b=x\r\ny"],
        ),
        (
            json("/x", r#"{"a":{"b":[1.50,"t"]},"a":null}"#),
            Content::Json,
            vec!["a.b.0=1.50", "a.b.1=t", "a=null"],
        ),
        (with(sent("POST", "/x"), "text/plain;charset=UTF-8", r#"{"a":1}"#), Content::Json, vec!["a=1"]),
        (with(sent("POST", "/x"), "text/plain", "a=1\r\nb=2\r\n"), Content::Form, vec!["a=1", "b=2"]),
        (with(sent("POST", "/x"), "text/plain", "hello you"), Content::Text, vec!["=hello you"]),
        (with(sent("POST", "/x"), "application/vnd.api+json", "[true]"), Content::Json, vec!["0=true"]),
    ] {
        let decoded = decode(&outgoing);
        assert_eq!((decoded.content, decoded.opaque), (content, None), "{}", outgoing.url);
        assert_eq!(fields(&decoded), expected);
    }
}

#[test]
fn what_cannot_be_inspected_says_why() {
    let many = "a=1&".repeat(2_001);
    let file = "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nx\r\n--b";
    for (outgoing, expected) in [
        (json("/x", "{"), Opaque::Broken),
        (json("/x", "{}x"), Opaque::Broken),
        (form("/x", &many), Opaque::TooLarge),
        (with(sent("POST", "/x"), "application/json", vec![b' '; (1 << 20) + 1]), Opaque::TooLarge),
        (with(sent("POST", "/x"), "application/octet-stream", "x"), Opaque::UnknownKind),
        (with(sent("POST", "/x"), "application/x-protobuf", "x"), Opaque::UnknownKind),
        (with(sent("POST", "/x"), "multipart/mixed; boundary=b", "--b--"), Opaque::UnknownKind),
        (with(sent("POST", "/x"), "multipart/form-data; boundary=b", file), Opaque::Broken),
        (with(sent("POST", "/x"), "multipart/form-data", file), Opaque::Broken),
        (
            with(sent("POST", "/x"), "application/x-www-form-urlencoded; charset=utf-16", "a=1"),
            Opaque::Encoded,
        ),
        (with(with(sent("POST", "/x"), "application/json", ""), "text/plain", "{}"), Opaque::Encoded),
        (Outgoing { body: OutgoingBody::Unread, ..sent("POST", "/x") }, Opaque::Unread),
        (sent("GET", "nonsense"), Opaque::Address),
    ] {
        let found = decode(&outgoing).opaque;
        assert_eq!(found, Some(expected), "{}", outgoing.url);
    }
    let mut zipped = json("/x", "{}");
    zipped.headers.push(("content-encoding".into(), "gzip".into()));
    assert_eq!(decode(&zipped).opaque, Some(Opaque::Encoded));
}

#[test]
fn the_worse_method_counts() {
    for (sent_as, header, field, expected) in [
        ("post", None, None, "POST"),
        ("POST", Some("DELETE"), None, "DELETE"),
        ("POST", Some("get"), None, "POST"),
        ("POST", None, Some("put"), "PUT"),
        ("POST", Some("PATCH, DELETE"), Some("put"), "DELETE"),
        ("DELETE", Some("POST"), None, "DELETE"),
        ("GET", None, Some("delete"), "DELETE"),
    ] {
        let url = field.map_or_else(|| "/x".to_owned(), |field| format!("/x?_method={field}"));
        let mut outgoing = sent(sent_as, &url);
        outgoing.headers.extend(header.map(|value| ("X-HTTP-Method-Override".to_owned(), value.to_owned())));
        assert_eq!(decode(&outgoing).method, expected);
    }
}

#[test]
fn every_byte_counts_in_a_digest() {
    let all = [
        form("/x", "a=1"),
        form("/x", "a=2"),
        form("/y", "a=1"),
        json("/x", "1"),
        sent("POST", "/x"),
        sent("PUT", "/x"),
    ];
    for (at, one) in all.iter().enumerate() {
        for other in all.iter().skip(at + 1) {
            assert_ne!(decode(one).digest, decode(other).digest);
        }
    }
}

fn some_text() -> impl Strategy<Value = String> {
    let known = vec![
        "",
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=b",
        "text/plain",
        "application/graphql",
        "gzip",
        "DELETE",
        "x-http-method-override",
        "content-type",
        "/graphql",
        "https://shop.test/cart?a=%",
        "POST",
        "GET",
    ];
    prop_oneof![select(known).prop_map(str::to_owned), "\\PC{0,40}".prop_map(|text| text)]
}

fn some_bytes() -> impl Strategy<Value = Vec<u8>> {
    let hints = vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "a",
        "&",
        "=",
        "%",
        "%4",
        "\\",
        "\\u",
        "--b",
        "\r\n",
        "\r\n\r\n",
        "...",
        "query",
        "mutation",
        "(",
        "\"\"\"",
        "é",
        "Content-Disposition: form-data; name=\"a\"",
        "{\"query\":\"",
        "1",
    ];
    prop_oneof![
        vec(any::<u8>(), 0..200),
        vec(select(hints), 0..60).prop_map(|parts| parts.concat().into_bytes()),
    ]
}

fn anything() -> impl Strategy<Value = Outgoing> {
    let kinds = select(vec![
        OutgoingKind::Page,
        OutgoingKind::Frame,
        OutgoingKind::Script,
        OutgoingKind::Beacon,
        OutgoingKind::Other,
    ]);
    let headers = vec((some_text(), some_text()), 0..4);
    let typed = select(vec![
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=b",
        "text/plain",
        "application/graphql",
        "",
    ]);
    (some_text(), some_text(), headers, typed, some_bytes(), kinds).prop_map(
        |(method, url, headers, typed, body, of)| {
            let url = if url.starts_with("https") { url } else { format!("{SHOP}/{url}") };
            let mut outgoing = kind(with(sent(&method, &url), typed, body), of);
            outgoing.headers.extend(headers);
            outgoing
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn nothing_breaks_it(outgoing in anything()) {
        let decoded = decode(&outgoing);
        prop_assert!(decoded.fields.len() <= 2_000 && decoded.files.len() <= 200 && decoded.operations.len() <= 10_100);
        prop_assert_eq!(&decoded, &decode(&outgoing));
        let facts = WireFacts::of(&outgoing);
        let classed = classify(&decoded, &facts);
        prop_assert!(!classed.reasons.is_empty());
        prop_assert_eq!(classify(&decoded, &facts), classed);
    }

    #[test]
    fn nothing_that_writes_is_a_read_unless_it_asks_or_searches(
        method in select(vec!["POST", "PUT", "PATCH", "DELETE", "post", "MERGE"]),
        path in "(/(search|query|cart|pay|x|suggest|graphql|[a-z]{1,8})){1,3}",
        names in vec("(q|query|page|sort|amount|a|[a-z]{1,6})", 0..4),
    ) {
        let body = names.iter().map(|name| format!("{name}=1")).collect::<Vec<_>>().join("&");
        let outgoing = with(sent(method, &path), "application/x-www-form-urlencoded", body);
        if classed(&outgoing).class == Class::Read {
            let known = ["search", "query", "suggest", "find", "filter", "lookup", "cerca"];
            prop_assert!(path.split('/').any(|segment| known.iter().any(|known| segment.contains(known))), "{}", path);
            prop_assert!(method.eq_ignore_ascii_case("POST"));
        }
    }
}
