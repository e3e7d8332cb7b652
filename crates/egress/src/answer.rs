//! What the browser is told where a place can't be: one line of words, and the reason for programs.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    HeaderMap, Response, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS},
};
use legwork_policy::places::Denial;

use crate::{body::Inbound, ledger::Failure};

const DENIED: HeaderName = HeaderName::from_static("x-legwork-denied");
const FAILED: HeaderName = HeaderName::from_static("x-legwork-failed");

/// The place may not be reached.
pub(crate) fn denied(denial: &Denial) -> Response<Inbound> {
    let mut response = words(StatusCode::FORBIDDEN, format!("Legwork: {denial}.\n"));
    response.headers_mut().insert(DENIED, HeaderValue::from_static(denial.reason.as_str()));
    response
}

/// The place may be reached and could not be.
pub(crate) fn failed(place: &str, failure: Failure) -> Response<Inbound> {
    let (status, why) = match failure {
        Failure::Unreachable => (StatusCode::BAD_GATEWAY, "nobody took the connection"),
        Failure::Timeout => (StatusCode::GATEWAY_TIMEOUT, "nothing came in time"),
        Failure::Broken => (StatusCode::BAD_GATEWAY, "the connection broke"),
        Failure::UpstreamRefused => (StatusCode::BAD_GATEWAY, "the network's own proxy refused"),
        Failure::Abandoned => (StatusCode::BAD_GATEWAY, "nobody waited for it"),
        Failure::ProxyChallenge => (StatusCode::BAD_GATEWAY, "it asked for credentials as only a proxy may"),
    };
    let mut response = words(status, format!("Legwork: no answer of {place}: {why}.\n"));
    response.headers_mut().insert(FAILED, HeaderValue::from_static(failure.as_str()));
    response
}

/// Nothing but a status.
pub(crate) fn bare(status: StatusCode) -> Response<Inbound> {
    let mut response = Response::new(Inbound::Words(Full::default()));
    *response.status_mut() = status;
    response
}

fn words(status: StatusCode, line: String) -> Response<Inbound> {
    let mut response = bare(status);
    let headers: &mut HeaderMap = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    *response.body_mut() = Inbound::Words(Full::new(Bytes::from(line)));
    response
}
