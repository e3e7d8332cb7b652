//! The ledger of a page server: every request that reached it, in order of arrival.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

/// As much of a request's body as the ledger keeps.
const BODY_KEPT: usize = 64 * 1024;
/// As large a body as the server takes at all.
const BODY_TAKEN: usize = 64 * 1024 * 1024;

/// One request as it reached the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The method in capitals.
    pub method: String,
    /// The `Host` header: which of the server's two sites was asked.
    pub host: String,
    /// The path with its query.
    pub path: String,
    /// All headers of the request.
    pub headers: HeaderMap,
    /// The body's first 64 KiB; empty until the body has come in whole.
    pub body: Bytes,
}

impl Hit {
    /// The value of a header, if it is there and is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body as text.
    pub fn body_text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Whether the request was for `path`: compared with the query only where `path` has one.
    pub fn is_for(&self, path: &str) -> bool {
        let own =
            if path.contains('?') { &self.path } else { self.path.split('?').next().unwrap_or_default() };
        own == path
    }
}

/// The list of hits; clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    hits: Arc<Mutex<Vec<Hit>>>,
}

impl Ledger {
    /// A copy of all hits so far.
    pub(crate) fn hits(&self) -> Vec<Hit> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Hit>> {
        self.hits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, hit: Hit) -> usize {
        let mut hits = self.lock();
        hits.push(hit);
        hits.len() - 1
    }
}

/// Middleware: enters the request when its head is there, adds the body, passes both on.
pub(crate) async fn record(State(ledger): State<Ledger>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let host = head.headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let index = ledger.enter(Hit {
        method: head.method.to_string(),
        host: host.to_owned(),
        path: head.uri.path_and_query().map_or_else(|| head.uri.to_string(), ToString::to_string),
        headers: head.headers.clone(),
        body: Bytes::new(),
    });
    let Ok(body) = to_bytes(body, BODY_TAKEN).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    ledger.lock()[index].body = body.slice(..body.len().min(BODY_KEPT));
    next.run(Request::from_parts(head, Body::from(body))).await
}
