//! Where a request goes to, and whether two addresses belong to the same site.

use url::{Host, Url};

/// An address without its query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// `https` or another.
    pub scheme: String,
    /// The host as browsers write it: names in punycode, a dot at the end kept, IPv6 in brackets. Empty if it makes no sense.
    pub host: String,
    /// The port, the usual one of the scheme if none is written.
    pub port: Option<u16>,
    /// The path as it is sent.
    pub path: String,
}

impl Address {
    /// The parts of an address.
    pub(super) fn of(url: &Url) -> Self {
        Self {
            scheme: url.scheme().to_owned(),
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default(),
            path: url.path().to_owned(),
        }
    }

    /// `https://shop.example`, with the port where it is not the usual one.
    pub fn origin(&self) -> String {
        let usual = match self.scheme.as_str() {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        match self.port {
            Some(port) if Some(port) != usual => format!("{}://{}:{port}", self.scheme, self.host),
            _ => format!("{}://{}", self.scheme, self.host),
        }
    }

    /// What can be registered of the host; the whole host if that is a number or a name within this machine.
    pub fn site(&self) -> String {
        site_of(&self.host)
    }
}

/// What can be registered of a host, in lower case and without a dot at the end: `shop.example` of `www.shop.example`. An address in
/// numbers, `localhost` and a suffix under which anybody registers stand for themselves only.
pub fn site_of(host: &str) -> String {
    let host = host.trim_end_matches('.').to_lowercase();
    if is_alone(&host) {
        return host;
    }
    psl::domain_str(&host).map(str::to_owned).unwrap_or(host)
}

/// Whether a host has no name that somebody registered.
fn is_alone(host: &str) -> bool {
    let in_numbers = !matches!(Host::parse(host), Ok(Host::Domain(_)));
    in_numbers || host == "localhost" || host.ends_with(".localhost") || !host.contains('.')
}

/// Whether what a page at `from` sends to this address stays within its site. From https to http it never does.
pub fn same_site(from: &str, to: &Address) -> bool {
    let Ok(from) = Url::parse(from) else { return false };
    let from = Address::of(&from);
    let is_web = |scheme: &str| matches!(scheme, "http" | "https");
    if !is_web(&from.scheme) || !is_web(&to.scheme) || from.host.is_empty() || to.host.is_empty() {
        return false;
    }
    if from.scheme == "https" && to.scheme == "http" {
        return false;
    }
    let usual = |address: &Address| matches!(address.port, Some(80 | 443));
    let alone = is_alone(to.host.trim_end_matches('.'));
    // On one machine each port is a service of its own.
    let same_service = from.port == to.port || (usual(&from) && usual(to));
    from.site() == to.site() && (!alone || same_service)
}
