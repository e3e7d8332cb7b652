//! Which cookies belong to an origin: those that a browser would send there, and no others.

use url::{Host, Url};

use super::Cookie;

/// An origin taken apart once.
pub(super) struct Home {
    scheme: String,
    host: String,
    is_this_machine: bool,
}

impl Home {
    /// None for what is no origin of the web.
    pub(super) fn of(origin: &str) -> Option<Self> {
        let url = Url::parse(origin).ok()?;
        let host = url.host()?;
        let is_this_machine = match &host {
            Host::Domain(name) => *name == "localhost" || name.ends_with(".localhost"),
            Host::Ipv4(four) => four.is_loopback(),
            Host::Ipv6(six) => six.is_loopback(),
        };
        let is_web = matches!(url.scheme(), "http" | "https");
        is_web.then(|| Self { scheme: url.scheme().to_owned(), host: host.to_string(), is_this_machine })
    }

    /// Whether a browser would send this cookie there, to some path.
    pub(super) fn owns(&self, cookie: &Cookie) -> bool {
        let is_safe_enough = !cookie.secure || self.scheme == "https" || self.is_this_machine;
        let is_of_host = match cookie.domain.strip_prefix('.') {
            // A cookie of a domain is sent to all hosts of it.
            Some(domain) => self.host == domain || is_below(&self.host, domain),
            None => self.host == cookie.domain,
        };
        // One that a site sets only within another site belongs to that other site's login.
        let is_in_own_part =
            cookie.partition.as_ref().is_none_or(|partition| self.is_of_site(&partition.top_level_site));
        is_safe_enough && is_of_host && is_in_own_part
    }

    /// Whether it is of this site: `https://shop.example` for all hosts of shop.example.
    fn is_of_site(&self, site: &str) -> bool {
        let Some(site) = Self::of(site) else { return false };
        site.scheme == self.scheme && (self.host == site.host || is_below(&self.host, &site.host))
    }
}

/// Names alone have parts: an address is never below another.
fn is_below(host: &str, domain: &str) -> bool {
    let is_name = host.parse::<std::net::Ipv4Addr>().is_err() && !host.starts_with('[');
    let rest = host.strip_suffix(domain);
    is_name && !domain.is_empty() && rest.is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logins::Partition;

    #[test]
    fn a_cookie_belongs_to_the_origins_that_it_is_sent_to() {
        let cookie = |domain: &str, secure| Cookie { domain: domain.into(), secure, ..Cookie::default() };
        for (origin, domain, secure, expected) in [
            ("https://shop.example", "shop.example", true, true),
            ("https://shop.example:8443", "shop.example", true, true),
            ("https://shop.example", ".shop.example", false, true),
            ("https://www.shop.example", ".shop.example", true, true),
            ("https://www.shop.example", "shop.example", true, false),
            ("https://shop.example", ".www.shop.example", true, false),
            ("https://shop.example", "www.shop.example", true, false),
            ("https://evilshop.example", ".shop.example", true, false),
            ("https://shop.example.evil.test", ".shop.example", true, false),
            ("https://shop.example", ".evil.test", false, false),
            ("http://nas.test", "nas.test", true, false),
            ("http://nas.test", "nas.test", false, true),
            ("http://127.0.0.1:8080", "127.0.0.1", true, true),
            ("http://127.0.0.1:8080", ".0.0.1", false, false),
            ("http://localhost:8080", "localhost", true, true),
            ("http://[::1]:8080", "[::1]", false, true),
            ("https://shop.example", "", false, false),
            ("https://shop.example", ".", false, false),
            ("about:blank", "shop.example", false, false),
        ] {
            let owns = Home::of(origin).is_some_and(|home| home.owns(&cookie(domain, secure)));
            assert_eq!(owns, expected, "{domain:?} for {origin}");
        }
    }

    #[test]
    fn a_cookie_within_another_site_does_not_belong() {
        let within = |site: &str| Cookie {
            domain: "pay.example".into(),
            secure: true,
            partition: Some(Partition { top_level_site: site.into(), has_cross_site_ancestor: true }),
            ..Cookie::default()
        };
        let home = Home::of("https://pay.example").unwrap();
        assert!(home.owns(&within("https://pay.example")));
        assert!(!home.owns(&within("https://shop.example")));
        assert!(!home.owns(&within("http://pay.example")));
        assert!(!home.owns(&within("")));
    }
}
