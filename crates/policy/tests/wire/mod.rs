//! Requests for the tests of the gate on the wire, written short.
#![allow(dead_code)]

use legwork_policy::wire::{
    ActFacts, ActKind, Class, Classed, Decoded, Mode, Ruling, WireFacts, WireRules, classify, decode, rule,
};
use legwork_types::{Outgoing, OutgoingBody, OutgoingKind, Sender};

pub(crate) const SHOP: &str = "https://shop.test";

/// A request of a script of the shop.
pub(crate) fn sent(method: &str, url: &str) -> Outgoing {
    let url = if url.starts_with('/') { format!("{SHOP}{url}") } else { url.to_owned() };
    Outgoing {
        method: method.into(),
        url,
        kind: OutgoingKind::Script,
        headers: vec![],
        body: OutgoingBody::None,
        sender: Sender {
            page: Some(format!("{SHOP}/a")),
            document: Some(format!("{SHOP}/a")),
            ..Sender::default()
        },
        redirected: false,
        hops: vec![],
    }
}

pub(crate) fn with(mut outgoing: Outgoing, kind: &str, body: impl AsRef<[u8]>) -> Outgoing {
    if !kind.is_empty() {
        outgoing.headers.push(("content-type".into(), kind.into()));
    }
    outgoing.body = OutgoingBody::Bytes(body.as_ref().to_vec());
    outgoing
}

/// A form that is sent.
pub(crate) fn form(url: &str, body: &str) -> Outgoing {
    with(sent("POST", url), "application/x-www-form-urlencoded", body)
}

/// JSON that is sent.
pub(crate) fn json(url: &str, body: &str) -> Outgoing {
    with(sent("POST", url), "application/json", body)
}

pub(crate) fn kind(mut outgoing: Outgoing, kind: OutgoingKind) -> Outgoing {
    outgoing.kind = kind;
    outgoing
}

pub(crate) fn own_facts(outgoing: &Outgoing) -> WireFacts {
    WireFacts { own_sites: vec!["shop.test".into()], ..WireFacts::of(outgoing) }
}

pub(crate) fn classed(outgoing: &Outgoing) -> Classed {
    classify(&decode(outgoing), &own_facts(outgoing))
}

pub(crate) fn pressed(danger: &[&str]) -> ActFacts {
    ActFacts {
        danger: danger.iter().map(|one| (*one).to_owned()).collect(),
        is_link: false,
        kind: ActKind::Pressed,
    }
}

pub(crate) fn named(class: Class) -> &'static str {
    class.word()
}

/// The fields as `name=value`.
pub(crate) fn fields(decoded: &Decoded) -> Vec<String> {
    decoded.fields.iter().map(|field| format!("{}={}", field.name, field.value)).collect()
}

/// Holds a request to its class, which has a reason.
#[track_caller]
pub(crate) fn check(expected: &str, outgoing: &Outgoing) {
    let found = classed(outgoing);
    let body = match &outgoing.body {
        OutgoingBody::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => format!("{other:?}"),
    };
    assert_eq!(
        named(found.class),
        expected,
        "{} {} {body}: {:?}",
        outgoing.method,
        outgoing.url,
        found.reasons
    );
    assert!(!found.reasons.is_empty() && found.reasons.iter().all(|reason| !reason.is_empty()));
}

/// What a dry run says to a request of the errand's own site.
pub(crate) fn ruling(outgoing: &Outgoing, facts: WireFacts) -> Ruling {
    let decoded = decode(outgoing);
    let facts = WireFacts { own_sites: vec!["shop.test".into()], ..facts };
    let classed = classify(&decoded, &facts);
    rule(&classed, &decoded, Mode::DryRun, &WireRules::default(), &facts)
}

pub(crate) fn goes(outgoing: &Outgoing) -> bool {
    ruling(outgoing, own_facts(outgoing)) == Ruling::Go
}

#[track_caller]
pub(crate) fn none_goes(all: &[Outgoing]) {
    let gone: Vec<String> = all.iter().filter(|one| goes(one)).map(told).collect();
    assert!(gone.is_empty(), "{gone:#?}");
}

#[track_caller]
pub(crate) fn all_go(all: &[Outgoing]) {
    let stopped: Vec<String> = all.iter().filter(|one| !goes(one)).map(told).collect();
    assert!(stopped.is_empty(), "{stopped:#?}");
}

fn told(outgoing: &Outgoing) -> String {
    let classed = classify(&decode(outgoing), &own_facts(outgoing));
    format!("{} {} {:?} {:?}", outgoing.method, outgoing.url, outgoing.body, classed)
}

pub(crate) fn put(path: &str, body: &str) -> Outgoing {
    Outgoing { method: "PUT".into(), ..json(path, body) }
}
