//! Which requests the approval page takes at all: to this machine by its own name and, where they change something, from this page.
//! Pure.

use axum::http::{HeaderMap, Method, StatusCode, header};

/// The names under which the page is reached.
#[derive(Debug, Clone)]
pub(super) struct Hosts([String; 2]);

impl Hosts {
    pub(super) fn at(port: u16) -> Self {
        Self([format!("127.0.0.1:{port}"), format!("localhost:{port}")])
    }

    /// Lets a request in, or says why not.
    pub(super) fn admit(&self, method: &Method, headers: &HeaderMap) -> Result<(), StatusCode> {
        let host = one(headers, header::HOST).ok_or(StatusCode::FORBIDDEN)?;
        if !self.0.iter().any(|own| own.eq_ignore_ascii_case(host)) {
            return Err(StatusCode::FORBIDDEN);
        }
        if method == Method::GET || method == Method::HEAD {
            return Ok(());
        }
        let origin = one(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        match origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host)) {
            true => Ok(()),
            false => Err(StatusCode::FORBIDDEN),
        }
    }
}

/// The only value of a header; none where there are several.
fn one(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    first.filter(|_| values.next().is_none())?.to_str().ok()
}

/// The value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[test]
    fn only_this_machine_and_only_this_page() {
        let here = ("host", "127.0.0.1:80");
        for (method, given, admitted) in [
            (Method::GET, vec![here], true),
            (Method::GET, vec![("host", "LOCALHOST:80")], true),
            (Method::GET, vec![], false),
            (Method::GET, vec![("host", "127.0.0.1")], false),
            (Method::GET, vec![("host", "127.0.0.1:81")], false),
            (Method::GET, vec![("host", "evil.test:80")], false),
            (Method::GET, vec![("host", "127.0.0.1:80.evil.test")], false),
            (Method::GET, vec![here, here], false),
            (Method::POST, vec![here, ("origin", "http://127.0.0.1:80")], true),
            (Method::POST, vec![here], false),
            (Method::POST, vec![here, ("origin", "http://localhost:80")], false),
            (Method::POST, vec![here, ("origin", "https://127.0.0.1:80")], false),
            (Method::POST, vec![here, ("origin", "http://127.0.0.1:80.evil.test")], false),
            (Method::POST, vec![here, ("origin", "null")], false),
            (Method::OPTIONS, vec![here, ("origin", "http://evil.test")], false),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in &given {
                headers.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
            }
            assert_eq!(Hosts::at(80).admit(&method, &headers).is_ok(), admitted, "{method} {given:?}");
        }
    }

    #[test]
    fn cookies_are_told_apart() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "a=1; b=2".parse().unwrap());
        headers.append(header::COOKIE, "c=3=4".parse().unwrap());
        assert_eq!(
            ["a", "b", "c", "d"].map(|name| cookie(&headers, name)),
            [Some("1"), Some("2"), Some("3=4"), None]
        );
    }
}
