//! Asks an endpoint for the address of its browser's WebSocket: one GET, small answer, nothing followed.

use std::{error::Error, io, pin::pin};

use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use hyper::{
    Request, StatusCode,
    body::Bytes,
    client::conn::http1,
    header::{ACCEPT, CONNECTION, HOST},
};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;
use url::{Host, Url};

use super::{
    AttemptError,
    endpoint::{authority, is_loopback},
};

/// The most that the head, and again the body, of an answer may have. Chromium's have 400 bytes.
const MAX_ANSWER: usize = 64 * 1024;

const VERSION_PATH: &str = "/json/version";

/// The part of the answer that we need.
#[derive(Deserialize)]
struct Version {
    #[serde(rename = "webSocketDebuggerUrl")]
    debugger: Option<String>,
}

/// Asks over `stream`, which leads to `endpoint`. The caller bounds the time.
pub(super) async fn discover(endpoint: &Url, stream: TcpStream) -> Result<Url, AttemptError> {
    let body = get(request(endpoint)?, stream).await?;
    settle(endpoint, &read(&body)?)
}

fn request(endpoint: &Url) -> Result<Request<Empty<Bytes>>, AttemptError> {
    Request::builder()
        .uri(target(endpoint))
        .header(HOST, authority(endpoint))
        .header(ACCEPT, "application/json")
        .header(CONNECTION, "close")
        .body(Empty::new())
        .map_err(|_| AttemptError::BadAddress)
}

/// What to ask for. A path before it belongs to a gateway, and a query may be its token.
fn target(endpoint: &Url) -> String {
    let base = endpoint.path().trim_end_matches('/');
    let base = base.strip_suffix(VERSION_PATH).unwrap_or(base);
    match endpoint.query() {
        Some(query) => format!("{base}{VERSION_PATH}?{query}"),
        None => format!("{base}{VERSION_PATH}"),
    }
}

async fn get(request: Request<Empty<Bytes>>, stream: TcpStream) -> Result<Bytes, AttemptError> {
    let (mut sender, line) = http1::Builder::new()
        // Checked between reads, one of which may double the buffer: half of it is the largest that holds.
        .max_buf_size(MAX_ANSWER / 2)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| reason(&error))?;
    let mut exchange = pin!(async move {
        let response = sender.send_request(request).await.map_err(|error| reason(&error))?;
        if response.status() != StatusCode::OK {
            return Err(AttemptError::of_status(response.status().as_u16()));
        }
        match Limited::new(response.into_body(), MAX_ANSWER).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) => Err(reason(error.as_ref())),
        }
    });
    // Driven here and not by a task of its own: whoever drops this future drops the line with it.
    let ended = tokio::select! {
        biased;
        answer = &mut exchange => return answer,
        ended = line => ended,
    };
    // The line has ended, but what came over it may still wait to be read.
    match (exchange.await, ended) {
        (Err(AttemptError::ConnectionClosed), Err(error)) => Err(reason(&error)),
        (answer, _) => answer,
    }
}

/// The reason behind an error of the HTTP client: the innermost cause that is known.
fn reason(error: &(dyn Error + 'static)) -> AttemptError {
    let mut cause = Some(error);
    let mut outer = AttemptError::NotHttp;
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return AttemptError::from(error);
        }
        if error.is::<LengthLimitError>() {
            return AttemptError::TooLarge;
        }
        if let Some(error) = error.downcast_ref::<hyper::Error>() {
            // hyper has a word of its own for it only in its server.
            if error.is_parse() && error.to_string().contains("too large") {
                return AttemptError::TooLarge;
            }
            if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
                outer = AttemptError::ConnectionClosed;
            }
        }
        cause = error.source();
    }
    outer
}

fn read(body: &[u8]) -> Result<String, AttemptError> {
    match serde_json::from_slice::<Version>(body) {
        Ok(Version { debugger: Some(address) }) => Ok(address),
        Ok(Version { debugger: None }) => Err(AttemptError::NoDebuggerUrl),
        Err(error) if error.is_data() => Err(AttemptError::WrongJson),
        Err(_) if body.trim_ascii_start().starts_with(b"<") => Err(AttemptError::Html),
        Err(_) => Err(AttemptError::NotJson),
    }
}

/// The address to use, given what the endpoint said. Browsers behind port mappings name the address that *they*
/// listen on; from here that would be nowhere, or another program on our own machine.
fn settle(endpoint: &Url, said: &str) -> Result<Url, AttemptError> {
    let mut url = Url::parse(said).map_err(|_| AttemptError::BadDebuggerUrl)?;
    let (Some(host), Some(own)) = (url.host(), endpoint.host()) else {
        return Err(AttemptError::BadDebuggerUrl);
    };
    if url.scheme() != "ws" || url.port() == Some(0) {
        return Err(AttemptError::BadDebuggerUrl);
    }
    if is_unspecified(&host) || is_loopback(&host) && !is_loopback(&own) {
        url.set_host(endpoint.host_str()).map_err(|_| AttemptError::BadDebuggerUrl)?;
        url.set_port(endpoint.port()).map_err(|()| AttemptError::BadDebuggerUrl)?;
    }
    // Credentials in an answer are not ours to send.
    url.set_username("").and_then(|()| url.set_password(None)).map_err(|()| AttemptError::BadDebuggerUrl)?;
    url.set_fragment(None);
    // A gateway that wants its token for the question wants it for the WebSocket too; nobody else gets to see it.
    if url.query().is_none() && authority(&url) == authority(endpoint) {
        url.set_query(endpoint.query());
    }
    Ok(url)
}

fn is_unspecified(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(_) => false,
        Host::Ipv4(address) => address.is_unspecified(),
        Host::Ipv6(address) => address.is_unspecified(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn asks_below_the_given_path_with_the_given_query() {
        for (endpoint, expected) in [
            ("http://h:1", "/json/version"),
            ("http://h:1/", "/json/version"),
            ("http://h:1/json/version", "/json/version"),
            ("http://h:1/json/version/", "/json/version"),
            ("http://h:1/gate/7/", "/gate/7/json/version"),
            ("http://h:1/?token=a%20b", "/json/version?token=a%20b"),
        ] {
            assert_eq!(target(&url(endpoint)), expected);
        }
    }

    #[test]
    fn the_answer_is_told_apart_from_what_is_none() {
        for (body, expected) in [
            (r#"{"webSocketDebuggerUrl":"ws://a","Browser":"x"}"#, Ok("ws://a".to_owned())),
            (r#"{"Browser":"x"}"#, Err(AttemptError::NoDebuggerUrl)),
            (r#"{"webSocketDebuggerUrl":null}"#, Err(AttemptError::NoDebuggerUrl)),
            (r#"{"webSocketDebuggerUrl":7}"#, Err(AttemptError::WrongJson)),
            ("[]", Err(AttemptError::WrongJson)),
            ("\"ws://a\"", Err(AttemptError::WrongJson)),
            (" \n<!doctype html><p>hello", Err(AttemptError::Html)),
            ("hello", Err(AttemptError::NotJson)),
            ("", Err(AttemptError::NotJson)),
        ] {
            assert_eq!(read(body.as_bytes()), expected, "{body}");
        }
    }

    #[test]
    fn unroutable_answers_lead_back_to_the_endpoint() {
        for (endpoint, said, expected) in [
            ("http://h:1", "ws://h:1/devtools/browser/x", "ws://h:1/devtools/browser/x"),
            ("http://h:1", "ws://0.0.0.0:9222/b/x?s=1", "ws://h:1/b/x?s=1"),
            ("http://h:1", "ws://[::]:9222/b", "ws://h:1/b"),
            ("http://h:1", "ws://localhost:9222/b", "ws://h:1/b"),
            ("http://h:1", "ws://127.0.0.1/b", "ws://h:1/b"),
            ("http://h", "ws://127.0.0.1:9222/b", "ws://h/b"),
            ("http://127.0.0.1:1", "ws://0.0.0.0:9222/b", "ws://127.0.0.1:1/b"),
            ("http://[::1]:1", "ws://0.0.0.0:9222/b", "ws://[::1]:1/b"),
            ("http://localhost:1", "ws://127.0.0.1:9222/b", "ws://127.0.0.1:9222/b"),
            ("http://h:1", "ws://other:9222/b", "ws://other:9222/b"),
            ("http://h:1", "ws://u:p@h:1/b#f", "ws://h:1/b"),
            ("http://h:1?token=t", "ws://h:1/b", "ws://h:1/b?token=t"),
            ("http://h:1?token=t", "ws://0.0.0.0:3/b", "ws://h:1/b?token=t"),
            ("http://h:1?token=t", "ws://h:1/b?own=1", "ws://h:1/b?own=1"),
            ("http://h:1?token=t", "ws://other:1/b", "ws://other:1/b"),
        ] {
            assert_eq!(settle(&url(endpoint), said).unwrap().as_str(), expected, "{endpoint} {said}");
        }
        for said in ["wss://h:1/b", "http://h:1/b", "/devtools/browser/x", "", "ws://", "ws://h:0/b"] {
            assert_eq!(settle(&url("http://h:1"), said), Err(AttemptError::BadDebuggerUrl), "{said}");
        }
    }
}
