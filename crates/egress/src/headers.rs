//! Headers that are for one connection alone, and those by which a place could pose as a proxy: neither goes on.

use hyper::{
    HeaderMap,
    header::{CONNECTION, HeaderName},
};

const OURS_ALONE: &[&str] = &[
    "connection",
    "expect",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authentication-info",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Takes out what ends here, also what `Connection` names. Who asks to be told to continue is told so here.
pub(crate) fn strip(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    let ends_here = |name: &HeaderName| OURS_ALONE.contains(&name.as_str()) || named.contains(name);
    if !headers.keys().any(ends_here) {
        return;
    }
    // Taking one out of a map would move others: places tell browsers by the order.
    let mut left = HeaderMap::with_capacity(headers.len());
    let mut last = None;
    for (name, value) in std::mem::take(headers) {
        last = name.or(last);
        if let Some(name) = last.as_ref().filter(|name| !ends_here(name)) {
            left.append(name, value);
        }
    }
    *headers = left;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_one_connection_ends_here() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "keep-alive, X-Only-Here"),
            ("connection", "x-too"),
            ("x-only-here", "1"),
            ("x-too", "1"),
            ("x-stays", "1"),
            ("keep-alive", "timeout=5"),
            ("proxy-authorization", "Basic c2VjcmV0"),
            ("proxy-connection", "keep-alive"),
            ("te", "trailers"),
            ("upgrade", "h2c"),
            ("authorization", "Basic x"),
            ("content-length", "3"),
        ] {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        strip(&mut headers);
        let left: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        assert_eq!(left, ["x-stays", "authorization", "content-length"]);
    }
}
