//! The address of a browser that somebody else started. It may hold a token, so it is never shown.

use std::{fmt, str::FromStr};

use legwork_types::{Code, Problem};
use url::{Host, Url};

/// Where a browser listens: `http://host:port` (asked for its WebSocket) or `ws://host:port/…` (used as it is).
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint(Way);

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// Ask this address for the WebSocket.
    Discover(Url),
    /// This is the WebSocket.
    Direct(Url),
}

/// Why a text is not an endpoint. It never quotes the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Not a URL with a host.
    #[error("an endpoint is not a URL: {reason}")]
    Malformed {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// `https:` or `wss:`.
    #[error("endpoints over TLS (https:, wss:) are not supported")]
    Tls,
    /// Another scheme, or none.
    #[error("an endpoint must begin with http:// or ws://")]
    Scheme,
    /// The WebSocket of one page instead of the browser's.
    #[error("an endpoint is the address of a single page, not of a browser")]
    Page,
    /// `name:password@` before the host. A WebSocket's handshake has no place for it.
    #[error("a name and a password can't be sent to an endpoint")]
    Userinfo,
}

impl Endpoint {
    pub(super) fn way(&self) -> &Way {
        &self.0
    }
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The URL standard strips these without a word; such an address is not what its writer believes it to be.
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(EndpointError::Malformed { reason: "it contains blanks or control characters" });
        }
        // "localhost:9222" parses as the scheme "localhost": told apart from a wrong scheme only by its slashes.
        let Some((scheme, rest)) = text.split_once("://") else { return Err(EndpointError::Scheme) };
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "ws" => {}
            "https" | "wss" => return Err(EndpointError::Tls),
            _ => return Err(EndpointError::Scheme),
        }
        // The parser would skip further slashes and take the first part of the path for the host.
        if rest.starts_with(['/', '\\']) {
            return Err(EndpointError::Malformed { reason: "the host is missing" });
        }
        let mut url =
            Url::parse(text).map_err(|error| EndpointError::Malformed { reason: explain(error) })?;
        if url.port() == Some(0) {
            return Err(EndpointError::Malformed { reason: "0 is not a port to connect to" });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EndpointError::Userinfo);
        }
        url.set_fragment(None);
        if url.scheme() == "http" {
            return Ok(Self(Way::Discover(url)));
        }
        if url.path().starts_with("/devtools/page/") {
            return Err(EndpointError::Page);
        }
        Ok(Self(Way::Direct(url)))
    }
}

/// The parser's own words may change and may quote; these do not.
fn explain(error: url::ParseError) -> &'static str {
    match error {
        url::ParseError::EmptyHost => "the host is missing",
        url::ParseError::InvalidPort => "the port is not a number from 1 to 65535",
        url::ParseError::InvalidIpv4Address | url::ParseError::InvalidIpv6Address => {
            "the IP address is not one"
        }
        url::ParseError::IdnaError | url::ParseError::InvalidDomainCharacter => "the host name is not one",
        _ => "it can't be parsed",
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("endpoint")
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("endpoint")
    }
}

impl From<&EndpointError> for Problem {
    fn from(error: &EndpointError) -> Self {
        let hint = match error {
            EndpointError::Tls => {
                "use an ssh tunnel to a local port (ssh -L 9222:127.0.0.1:9222 HOST) and give http://127.0.0.1:9222"
            }
            EndpointError::Page => {
                "give the browser's own address, for example http://127.0.0.1:9222 or ws://127.0.0.1:9222/devtools/browser/…"
            }
            EndpointError::Userinfo => "put the token into the query, for example http://HOST:PORT/?token=…",
            EndpointError::Malformed { .. } | EndpointError::Scheme => {
                "write the whole address, for example http://127.0.0.1:9222"
            }
        };
        Problem::new(Code::Usage, error.to_string(), hint)
    }
}

/// The host and, unless it is the usual one, the port: what belongs into a `Host` header.
pub(super) fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Whether the host is this machine itself.
pub(super) fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_is_asked_and_ws_is_used_as_it_is() {
        for (text, direct) in [
            ("http://127.0.0.1:9222", false),
            ("HTTP://localhost:9222/", false),
            ("http://host:1/base?token=x", false),
            ("http://[::1]:9222", false),
            ("ws://127.0.0.1:9222/devtools/browser/abc", true),
            ("ws://host:3000/?token=x", true),
        ] {
            let endpoint = text.parse::<Endpoint>().unwrap();
            assert_eq!(matches!(endpoint.way(), Way::Direct(_)), direct, "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        let malformed = |reason| EndpointError::Malformed { reason };
        for (text, expected) in [
            ("https://host:1", EndpointError::Tls),
            ("WSS://host:1/devtools/browser/a", EndpointError::Tls),
            ("", EndpointError::Scheme),
            ("localhost:9222", EndpointError::Scheme),
            ("http:localhost:9222", EndpointError::Scheme),
            ("ftp://host:1", EndpointError::Scheme),
            ("file:///tmp/x", EndpointError::Scheme),
            ("http://", malformed("the host is missing")),
            ("http:///host", malformed("the host is missing")),
            ("http://host:99999", malformed("the port is not a number from 1 to 65535")),
            ("http://host:0", malformed("0 is not a port to connect to")),
            ("http://256.1.1.1:1", malformed("the IP address is not one")),
            (" http://host:1", malformed("it contains blanks or control characters")),
            ("http://ho\nst:1", malformed("it contains blanks or control characters")),
            ("ws://host:1/devtools/page/abc", EndpointError::Page),
            ("ws://user@host:1/", EndpointError::Userinfo),
            ("http://user:word@host:1/base?token=x", EndpointError::Userinfo),
            ("http://:word@host:1", EndpointError::Userinfo),
        ] {
            assert_eq!(text.parse::<Endpoint>(), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn neither_an_endpoint_nor_its_error_shows_the_address() {
        let endpoint = "http://hidden.test:4711/secret?token=secret".parse::<Endpoint>().unwrap();
        assert_eq!(
            format!("{endpoint} {endpoint:?} {:#?}", [&endpoint]).replace("endpoint", "").trim(),
            "[\n    ,\n]"
        );
        for text in [
            "wss://secret.test",
            "secret",
            "http://secret test",
            "ws://secret@secret",
            "http://secret:secret",
            "http://secret:secret@host:1",
        ] {
            let error = text.parse::<Endpoint>().unwrap_err();
            let problem = Problem::from(&error);
            assert!(!format!("{error} {error:?} {problem:?}").contains("secret"), "{text}");
        }
    }
}
