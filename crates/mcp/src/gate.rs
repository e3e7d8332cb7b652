//! Who may come in over HTTP: a request to this machine by its own name, from no foreign page, with the token. Pure.

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use legwork_runtime::Caller;

use crate::Token;

/// Who calls, as the gate found out.
#[derive(Debug, Clone)]
pub(crate) struct Bearer(pub(crate) Caller);

/// Why a request is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It was meant for another machine: a name that somebody made to point here.
    Host,
    /// A page of somewhere else sent it.
    Origin,
    /// It has no token, or another one.
    Token,
}

impl Refusal {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Host => "Forbidden: the Host header must name this machine",
            Self::Origin => "Forbidden: the Origin is another one",
            Self::Token => "Unauthorized: give the token as Authorization: Bearer TOKEN",
        }
    }
}

/// Lets a request in, or says why not. The token is looked at last, so that no page of elsewhere can try any.
pub(crate) fn admit(headers: &HeaderMap, uri: &Uri, token: &Token) -> Result<Bearer, Refusal> {
    let host = one(headers, header::HOST).or_else(|| uri.authority().map(|authority| authority.as_str()));
    let host = host.filter(|host| is_this_machine(host)).ok_or(Refusal::Host)?;
    if headers.contains_key(header::ORIGIN) {
        let origin = one(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        if origin.is_none_or(|origin| !origin.eq_ignore_ascii_case(host)) {
            return Err(Refusal::Origin);
        }
    }
    let shown = one(headers, header::AUTHORIZATION).and_then(bearer).ok_or(Refusal::Token)?;
    if token.is(shown.as_bytes()) { Ok(Bearer(token.caller())) } else { Err(Refusal::Token) }
}

/// The only value of a header; none where there are several.
fn one(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first: Option<&HeaderValue> = values.next();
    first.filter(|_| values.next().is_none())?.to_str().ok()
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whether `name` or `name:port` is a name of this machine that no name server is asked about.
fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    ["127.0.0.1", "localhost", "::1"].iter().any(|own| name.eq_ignore_ascii_case(own))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn admitted(given: &[(&str, &str)]) -> Result<(), Refusal> {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        }
        admit(&headers, &Uri::from_static("/mcp"), &Token::given(TOKEN).unwrap()).map(drop)
    }

    #[test]
    fn only_this_machine_without_foreign_pages_and_with_the_token() {
        let key = ("authorization", "Bearer 0123456789abcdef");
        let here = ("host", "127.0.0.1:8080");
        for (given, expected) in [
            (vec![here, key], Ok(())),
            (vec![("host", "localhost:8080"), key], Ok(())),
            (vec![("host", "[::1]:8080"), key], Ok(())),
            (vec![("host", "LOCALHOST"), ("authorization", "bearer  0123456789abcdef")], Ok(())),
            (vec![here, key, ("origin", "http://127.0.0.1:8080")], Ok(())),
            (vec![key], Err(Refusal::Host)),
            (vec![("host", "evil.example:8080"), key], Err(Refusal::Host)),
            (vec![("host", "127.0.0.1.evil.example"), key], Err(Refusal::Host)),
            (vec![("host", "localhost.evil.example:8080"), key], Err(Refusal::Host)),
            (vec![here, ("host", "localhost"), key], Err(Refusal::Host)),
            (vec![here, key, ("origin", "https://evil.example")], Err(Refusal::Origin)),
            (vec![here, key, ("origin", "null")], Err(Refusal::Origin)),
            (vec![here, key, ("origin", "http://127.0.0.1:9090")], Err(Refusal::Origin)),
            (vec![here, key, ("origin", "http://localhost:8080")], Err(Refusal::Origin)),
            (vec![here, key, ("origin", "")], Err(Refusal::Origin)),
            (vec![here], Err(Refusal::Token)),
            (vec![here, ("authorization", "Bearer")], Err(Refusal::Token)),
            (vec![here, ("authorization", "Basic 0123456789abcdef")], Err(Refusal::Token)),
            (vec![here, ("authorization", "Bearer 0123456789abcdee")], Err(Refusal::Token)),
            (vec![here, key, key], Err(Refusal::Token)),
        ] {
            assert_eq!(admitted(&given), expected, "{given:?}");
        }
    }
}
