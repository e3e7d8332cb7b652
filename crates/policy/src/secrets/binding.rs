//! Which origins a secret may be bound to: those with TLS, and without it only what the operator granted on this machine or network.

use std::net::{IpAddr, Ipv4Addr};

use url::{Host, Url};

use crate::places::{Place, Reach};

/// An origin that a secret may go to, in canonical form: `https://shop.example`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoundTo(String);

impl BoundTo {
    /// The origin in words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a secret can't be bound to an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotBound {
    /// It is no origin.
    #[error("it is no origin; write scheme and host alone, such as https://shop.example")]
    NoOrigin,
    /// Everybody on the way could read it.
    #[error(
        "without TLS a secret goes only to an address of this machine or network that is granted by --allow-private"
    )]
    Plain,
}

/// The origin that a text names, if a secret may go there.
pub fn bound_to(text: &str, reach: &Reach) -> Result<BoundTo, NotBound> {
    let url = Url::parse(text).map_err(|_| NotBound::NoOrigin)?;
    let is_bare = url.username().is_empty()
        && url.password().is_none()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    let is_named = url.host_str().is_some_and(|host| !host.is_empty() && !host.contains('*'));
    match url.scheme() {
        _ if !is_bare || !is_named => Err(NotBound::NoOrigin),
        "https" => Ok(BoundTo(url.origin().ascii_serialization())),
        "http" if is_granted(&url, reach) => Ok(BoundTo(url.origin().ascii_serialization())),
        "http" => Err(NotBound::Plain),
        _ => Err(NotBound::NoOrigin),
    }
}

fn is_granted(url: &Url, reach: &Reach) -> bool {
    let Ok(place) = Place::of_url(url.as_str()) else { return false };
    let is_near = |ip| match ip {
        IpAddr::V4(four) => Ipv4Addr::is_loopback(&four) || four.is_private(),
        IpAddr::V6(six) => six.is_loopback() || six.is_unique_local(),
    };
    reach.grants(&place) || reach.resolution(&place).is_some_and(|given| is_near(given.to().ip()))
}

/// The origin of an address, if it is one of the web.
pub(super) fn origin_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https");
    let has_host = !matches!(url.host(), None | Some(Host::Domain("")));
    (is_web && has_host).then(|| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_bound_to_whole_origins() {
        let reach = Reach {
            private: vec!["127.0.0.1:8080".parse().unwrap(), "nas.test:80".parse().unwrap()],
            resolve: vec![
                "shop.test=127.0.0.1:9000".parse().unwrap(),
                "far.test=8.8.8.8:80".parse().unwrap(),
            ],
            ..Reach::default()
        };
        for (text, expected) in [
            ("https://Shop.example", Ok("https://shop.example")),
            ("https://shop.example:443/", Ok("https://shop.example")),
            ("https://shop.example:8443", Ok("https://shop.example:8443")),
            ("http://127.0.0.1:8080", Ok("http://127.0.0.1:8080")),
            ("http://nas.test", Ok("http://nas.test")),
            ("http://shop.test:9000", Ok("http://shop.test:9000")),
            ("http://127.0.0.1:8081", Err(NotBound::Plain)),
            ("http://shop.example", Err(NotBound::Plain)),
            ("http://far.test", Err(NotBound::Plain)),
            ("https://shop.example/login", Err(NotBound::NoOrigin)),
            ("https://me@shop.example", Err(NotBound::NoOrigin)),
            ("https://*.shop.example", Err(NotBound::NoOrigin)),
            ("shop.example", Err(NotBound::NoOrigin)),
            ("file:///etc", Err(NotBound::NoOrigin)),
            ("", Err(NotBound::NoOrigin)),
        ] {
            let bound = bound_to(text, &reach);
            assert_eq!(bound.as_ref().map(BoundTo::as_str), expected.as_ref().map(|text| *text), "{text}");
        }
    }
}
