//! What becomes of a request that waits, as commands to the browser. What a page gave up meanwhile is sent by nobody: an answer would say
//! no more, so nobody waits for one.

use base64::{Engine, engine::general_purpose::STANDARD};
use legwork_cdp::{Link, protocol::fetch};
use legwork_types::{Outgoing, OutgoingBody, OutgoingKind};

use crate::world::WaitingPlace;

/// It leaves as it is.
pub(crate) fn let_go(link: &Link, place: &WaitingPlace) {
    let go = fetch::ContinueRequest { request_id: &place.id };
    drop(link.post(place.session.as_ref(), &go));
}

/// It leaves as another one.
pub(crate) fn let_go_as(link: &Link, place: &WaitingPlace, outgoing: &Outgoing) {
    let body = match &outgoing.body {
        OutgoingBody::Bytes(bytes) => Some(STANDARD.encode(bytes)),
        OutgoingBody::None | OutgoingBody::Unread => None,
    };
    let headers = outgoing.headers.iter().map(|(name, value)| fetch::Header { name, value });
    let go = fetch::ContinueRequestAs {
        request_id: &place.id,
        method: &outgoing.method,
        post_data: body.as_deref(),
        headers: headers.collect(),
    };
    drop(link.post(place.session.as_ref(), &go));
}

/// It does not leave; an empty document is its answer.
pub(crate) fn answer_with_nothing(link: &Link, place: &WaitingPlace) {
    const HEADERS: &[fetch::Header<'_>] = &[
        fetch::Header { name: "content-type", value: "text/html; charset=utf-8" },
        fetch::Header { name: "content-security-policy", value: "default-src 'none'" },
        fetch::Header { name: "cache-control", value: "no-store" },
    ];
    let answer = fetch::FulfillRequest {
        request_id: &place.id,
        response_code: 200,
        response_headers: HEADERS,
        body: "",
    };
    drop(link.post(place.session.as_ref(), &answer));
}

/// It comes to nothing.
pub(crate) fn turn_back(link: &Link, place: &WaitingPlace, kind: OutgoingKind) {
    let error_reason = match kind {
        // Any other word brings up an error page, and what was filled in is lost.
        OutgoingKind::Page | OutgoingKind::Frame => "Aborted",
        _ => "BlockedByClient",
    };
    let fail = fetch::FailRequest { request_id: &place.id, error_reason };
    drop(link.post(place.session.as_ref(), &fail));
}
