//! The front desk of a site: reads a request, finds the visitor, checks token and login, writes the answer.
//!
//! Behind the desk everything is plain functions from the site, the visitor and the question to an answer.

use std::sync::{Arc, Mutex, PoisonError};

use axum::{
    body::{Body, to_bytes},
    extract::{RawPathParams, Request},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get, post},
};
use serde_json::Value;
use url::form_urlencoded::{byte_serialize, parse};

use crate::{
    html::Html,
    noise::Noise,
    sessions::{Sessions, Visit},
};

/// As large a body as a site takes.
const BODY: usize = 64 * 1024;
/// As large a body as is read to its end before it is refused, so that the refusal arrives.
const BODY_READ: usize = 1024 * 1024;

/// A site behind a desk.
pub(crate) trait Site: Send + 'static {
    /// What the site keeps for one visitor.
    type Own: Default + Send;
    /// The name of the cookie. Two sites on one host share cookies whatever their ports, so each has its own.
    const COOKIE: &'static str;

    /// The page for a form whose token is wrong.
    fn refuse(&mut self, visit: &mut Visit<Self::Own>, asked: &Asked) -> Answer;
}

/// What the site does about one question.
pub(crate) type Act<S> = fn(&mut S, &mut Visit<<S as Site>::Own>, &Asked) -> Answer;

/// A question of a visitor.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The path with its query.
    pub(crate) address: String,
    /// The token of the page that this answer will be, should it be one.
    pub(crate) token: String,
    names: Vec<(String, String)>,
    query: Vec<(String, String)>,
    fields: Vec<(String, String)>,
    json: Value,
    cookies: String,
}

impl Asked {
    /// The part of the path that the route calls so.
    pub(crate) fn name(&self, name: &str) -> &str {
        find(&self.names, name)
    }

    /// A value of the query; empty where there is none.
    pub(crate) fn query(&self, name: &str) -> &str {
        find(&self.query, name).trim()
    }

    /// A field of the form; empty where there is none.
    pub(crate) fn field(&self, name: &str) -> &str {
        find(&self.fields, name).trim()
    }

    /// A value of the JSON that was sent.
    pub(crate) fn json(&self, name: &str) -> &Value {
        &self.json[name]
    }

    /// The text of the JSON under this name; empty where there is none.
    pub(crate) fn json_text(&self, name: &str) -> &str {
        self.json[name].as_str().unwrap_or_default().trim()
    }

    /// A cookie; empty where there is none.
    pub(crate) fn cookie(&self, name: &str) -> &str {
        let pairs = self.cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find(|(own, _)| *own == name).map_or("", |(_, value)| value)
    }
}

fn find<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
}

/// What a visitor gets.
#[derive(Debug)]
pub(crate) struct Answer {
    status: StatusCode,
    body: Content,
    cookies: Vec<String>,
}

#[derive(Debug)]
enum Content {
    Page(Html),
    Elsewhere(String),
    Json(Value),
}

impl Answer {
    pub(crate) fn page(page: Html) -> Self {
        Self { status: StatusCode::OK, body: Content::Page(page), cookies: Vec::new() }
    }

    /// Sends the visitor to another page, which must be one of our own.
    pub(crate) fn go(address: impl Into<String>) -> Self {
        Self { status: StatusCode::SEE_OTHER, body: Content::Elsewhere(address.into()), cookies: Vec::new() }
    }

    pub(crate) fn json(value: Value) -> Self {
        Self { status: StatusCode::OK, body: Content::Json(value), cookies: Vec::new() }
    }

    pub(crate) fn status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn cookie(mut self, cookie: String) -> Self {
        self.cookies.push(cookie);
        self
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let (kind, body, location) = match self.body {
            Content::Page(page) => ("text/html; charset=utf-8", page.into_string(), None),
            Content::Elsewhere(address) => ("text/plain; charset=utf-8", String::new(), Some(address)),
            Content::Json(value) => ("application/json", value.to_string(), None),
        };
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
        if let Some(location) = location.and_then(|location| HeaderValue::try_from(location).ok()) {
            headers.insert(header::LOCATION, location);
        }
        for cookie in self.cookies.into_iter().filter_map(|cookie| HeaderValue::try_from(cookie).ok()) {
            headers.append(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// Whether a door is for everybody or for who is logged in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    /// For everybody.
    Open,
    /// For who is logged in; others are led to the login.
    Members,
}

/// The desk of one site; clones are the same desk.
pub(crate) struct Desk<S: Site> {
    inside: Arc<Mutex<Inside<S>>>,
}

struct Inside<S: Site> {
    site: S,
    sessions: Sessions<S::Own>,
    tokens: Noise,
}

impl<S: Site> Clone for Desk<S> {
    fn clone(&self) -> Self {
        Self { inside: Arc::clone(&self.inside) }
    }
}

impl<S: Site> Desk<S> {
    pub(crate) fn new(site: S, seed: u64) -> Self {
        let inside = Inside { site, sessions: Sessions::new(), tokens: Noise::from_number(seed) };
        Self { inside: Arc::new(Mutex::new(inside)) }
    }

    /// A page to look at.
    pub(crate) fn page(&self, door: Door, act: Act<S>) -> MethodRouter {
        let desk = self.clone();
        get(async move |names: RawPathParams, request: Request| desk.answer(door, act, names, request).await)
    }

    /// A form to send, or a script's call: without the token of a page nothing happens.
    pub(crate) fn form(&self, door: Door, act: Act<S>) -> MethodRouter {
        let desk = self.clone();
        post(async move |names: RawPathParams, request: Request| desk.answer(door, act, names, request).await)
    }

    async fn answer(&self, door: Door, act: Act<S>, names: RawPathParams, request: Request) -> Response {
        let writes = request.method() == Method::POST;
        let Some(mut asked) = read(names, request).await else {
            return StatusCode::PAYLOAD_TOO_LARGE.into_response();
        };
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let Inside { site, sessions, tokens } = &mut *inside;
        asked.token = tokens.token();
        let cookie = Some(asked.cookie(S::COOKIE)).filter(|cookie| !cookie.is_empty());
        let mut visit = sessions.take(cookie);

        let sent = [asked.field("csrf"), asked.json_text("token")].into_iter().find(|sent| !sent.is_empty());
        let answer = if door == Door::Members && visit.account.is_none() {
            login_first(&asked, writes)
        } else if writes && !sent.is_some_and(|sent| visit.gave(sent)) {
            site.refuse(&mut visit, &asked).status(StatusCode::FORBIDDEN)
        } else {
            act(site, &mut visit, &asked)
        };
        if matches!(answer.body, Content::Page(_)) {
            visit.give(asked.token.clone());
        }
        match sessions.put(cookie, visit) {
            Some(new) => answer.cookie(format!("{}={new}; Path=/; HttpOnly; SameSite=Lax", S::COOKIE)),
            None => answer,
        }
        .into_response()
    }
}

fn login_first(asked: &Asked, writes: bool) -> Answer {
    if !asked.json.is_null() {
        let problem = serde_json::json!({ "error": "Please log in." });
        return Answer::json(problem).status(StatusCode::UNAUTHORIZED);
    }
    let next = if writes { "/account" } else { &asked.address };
    Answer::go(format!("/login?next={}", byte_serialize(next.as_bytes()).collect::<String>()))
}

/// The place on our own site that `next` names, or `usual` where it names any other.
pub(crate) fn own_place<'a>(next: &'a str, usual: &'a str) -> &'a str {
    let ours = next.starts_with('/') && !next.starts_with("//");
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if ours && plain { next } else { usual }
}

async fn read(names: RawPathParams, request: Request) -> Option<Asked> {
    let (head, body) = request.into_parts();
    let body = to_bytes(Body::new(body), BODY_READ).await.ok().filter(|body| body.len() <= BODY)?;
    let is = |kind: &str| text(&head.headers, header::CONTENT_TYPE).starts_with(kind);
    let pairs = |bytes: &[u8]| parse(bytes).into_owned().collect::<Vec<_>>();
    Some(Asked {
        address: head.uri.path_and_query().map_or_else(|| head.uri.path().to_owned(), ToString::to_string),
        token: String::new(),
        names: names.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        query: pairs(head.uri.query().unwrap_or_default().as_bytes()),
        fields: if is("application/x-www-form-urlencoded") { pairs(&body) } else { Vec::new() },
        json: is("application/json")
            .then(|| serde_json::from_slice(&body).ok())
            .flatten()
            .unwrap_or(Value::Null),
        cookies: text(&head.headers, header::COOKIE).to_owned(),
    })
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_login_nobody_is_sent_away_from_our_site() {
        for next in ["/account", "/orders?page=2"] {
            assert_eq!(own_place(next, "/"), next);
        }
        for next in
            ["", "//evil.test", "/\\evil.test", "https://evil.test/", "/a b", "/a\r\nX: y", "javascript:x"]
        {
            assert_eq!(own_place(next, "/home"), "/home", "{next:?}");
        }
    }
}
