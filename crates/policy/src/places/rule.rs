//! One line of the operator's about places: a host or everything below it, if wanted with its port and scheme.

use std::{fmt, str::FromStr};

use url::Host;

use super::{Place, Scheme, host};

/// `shop.test`, `*.shop.test`, `shop.test:8443`, `https://shop.test`.
///
/// Hosts are compared as parsed hosts, label by label, never as text. `*.shop.test` is everything below `shop.test` and not
/// `shop.test` itself. Without a port a rule is about every port that is listed; without a scheme about every scheme. `http` and
/// `ws` are the same to a rule, and so are `https` and `wss`: inside of TLS nobody on the way can tell them apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlaceRule {
    scheme: Option<Scheme>,
    hosts: Hosts,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Hosts {
    One(Host),
    Below(String),
}

/// Why a rule could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceRuleError {
    /// Not a host.
    #[error("\"{0}\" is not a place; write a host, *.host, host:port or https://host, nothing more")]
    Malformed(String),
    /// A star without a host: leave the list empty instead.
    #[error(
        "\"{0}\" would be every host; an empty list allows every public host, and a list has to name some"
    )]
    Everything(String),
    /// A star that does not stand alone at the beginning.
    #[error("\"{0}\": a star stands for whole labels at the beginning only, as in *.shop.example")]
    Star(String),
    /// The port is not a number from 1 to 65535.
    #[error("\"{0}\": the port has to be a number from 1 to 65535")]
    Port(String),
}

impl FromStr for PlaceRule {
    type Err = PlaceRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (scheme, rest) = match text.split_once("://") {
            None => (None, text),
            Some((scheme, rest)) => {
                let scheme = Scheme::read(scheme).ok_or_else(|| PlaceRuleError::Malformed(text.into()))?;
                (Some(scheme), rest)
            }
        };
        // What was copied from the address bar ends with a slash.
        let rest = if scheme.is_some() { rest.strip_suffix('/').unwrap_or(rest) } else { rest };
        let (name, port) = match rest.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (rest, None),
        };
        let port = port.map(|port| read_port(port).ok_or_else(|| PlaceRuleError::Port(text.into())));
        Ok(Self { scheme, hosts: read_hosts(name, text)?, port: port.transpose()? })
    }
}

fn read_port(text: &str) -> Option<u16> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok().filter(|port| *port != 0)).flatten()
}

fn read_hosts(name: &str, text: &str) -> Result<Hosts, PlaceRuleError> {
    let is_plain =
        |name: &str| !name.chars().any(|c| c.is_control() || c.is_whitespace() || "@/\\?#%".contains(c));
    let read = |name: &str| {
        let host = is_plain(name).then(|| host::read(name)).flatten();
        host.ok_or_else(|| PlaceRuleError::Malformed(text.into()))
    };
    match name.strip_prefix('*') {
        None if name.contains('*') => Err(PlaceRuleError::Star(text.into())),
        None => Ok(Hosts::One(read(name)?)),
        Some("" | ".") => Err(PlaceRuleError::Everything(text.into())),
        Some(below) => match below.strip_prefix('.') {
            Some(below) if !below.contains('*') => match read(below)? {
                Host::Domain(below) => Ok(Hosts::Below(below)),
                Host::Ipv4(_) | Host::Ipv6(_) => Err(PlaceRuleError::Star(text.into())),
            },
            _ => Err(PlaceRuleError::Star(text.into())),
        },
    }
}

impl PlaceRule {
    /// Whether the rule is about this place.
    pub fn covers(&self, place: &Place) -> bool {
        self.port.is_none_or(|port| port == place.port()) && self.covers_at_any_port(place)
    }

    pub(super) fn covers_at_any_port(&self, place: &Place) -> bool {
        let scheme = self.scheme.is_none_or(|scheme| scheme.is_plain() == place.scheme().is_plain());
        scheme
            && match (&self.hosts, place.host()) {
                (Hosts::One(host), other) => host::same(host, other),
                (Hosts::Below(above), Host::Domain(name)) => is_below(name, above),
                (Hosts::Below(_), Host::Ipv4(_) | Host::Ipv6(_)) => false,
            }
    }

    pub(super) fn names_a_port(&self) -> bool {
        self.port.is_some()
    }

    /// Whether it is about one host, and not about all below one.
    pub fn names_one_host(&self) -> bool {
        matches!(self.hosts, Hosts::One(_))
    }

    /// What the operator should know about the rule before trusting it: anybody can have a host below a public suffix.
    pub fn warning(&self) -> Option<String> {
        match &self.hosts {
            Hosts::Below(name) if self.is_of_everybody() => Some(format!(
                "the rule {self} is very broad: anybody can have a host below {name}; name the sites that are needed"
            )),
            Hosts::Below(_) | Hosts::One(_) => None,
        }
    }

    /// Whether it is about what nobody owns alone: a public suffix such as `co.uk`, or everything below one.
    pub fn is_of_everybody(&self) -> bool {
        match &self.hosts {
            Hosts::One(name) if host::is_localhost(name) => false,
            Hosts::One(Host::Domain(name)) | Hosts::Below(name) => psl::domain_str(name).is_none(),
            Hosts::One(Host::Ipv4(_) | Host::Ipv6(_)) => false,
        }
    }
}

fn is_below(name: &str, above: &str) -> bool {
    name.strip_suffix(above).is_some_and(|labels| labels.len() > 1 && labels.ends_with('.'))
}

/// In canonical form; reads as the same rule again.
impl fmt::Display for PlaceRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = self.scheme {
            write!(f, "{}://", scheme.as_str())?;
        }
        match &self.hosts {
            Hosts::One(host) => write!(f, "{host}")?,
            Hosts::Below(name) => write!(f, "*.{name}")?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}
