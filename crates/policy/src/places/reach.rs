//! How far traffic may reach: the operator's rules about places.

use std::{
    collections::BTreeSet,
    fmt,
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

use legwork_types::HostPort;
use url::Host;

use super::{Place, PlaceRule, host};

/// Where traffic may go. The default is any public host at ports 80 and 443, and no plain-text socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The only places that may be reached; empty for every public host. Grants do not stand above it.
    pub allow: Vec<PlaceRule>,
    /// Places that may not be reached, whatever else allows them.
    pub deny: Vec<PlaceRule>,
    /// The ports that may be reached where neither a rule nor a grant names the port.
    pub ports: Vec<u16>,
    /// Hosts with their ports that may be reached though they are not public. A name stands for itself alone, whatever loopback or
    /// private address it has; an address for itself in every spelling, but not for names that resolve to it: such a name may be
    /// somebody else's.
    pub private: Vec<HostPort>,
    /// Names that are not looked up, because their address is given. Each is a grant too.
    pub resolve: Vec<Resolution>,
    /// A proxy of the operator's network that everything goes through, after it was checked.
    pub upstream: Option<HostPort>,
    /// Where this user's own Legwork listens: denied above everything else.
    pub own: OwnPorts,
    /// Which plain-text sockets may be opened.
    pub sockets: Sockets,
    /// The narrower rules of one errand. They stand beside all others and allow nothing by themselves.
    pub confines: Option<Confines>,
}

/// Where one errand may go, of all that may be reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confines {
    /// The only places that may be loaded.
    pub read: Vec<PlaceRule>,
    /// Hosts of the only sites that anything may be sent to that could change something.
    pub write: Vec<String>,
}

impl Default for Reach {
    fn default() -> Self {
        Self {
            allow: vec![],
            deny: vec![],
            ports: vec![80, 443],
            private: vec![],
            resolve: vec![],
            upstream: None,
            own: OwnPorts::default(),
            sockets: Sockets::None,
            confines: None,
        }
    }
}

impl Reach {
    /// What the operator should know about these rules before trusting them.
    pub fn warnings(&self) -> Vec<String> {
        let sockets = match &self.sockets {
            Sockets::None | Sockets::All => &[][..],
            Sockets::Listed(rules) => rules,
        };
        self.allow.iter().chain(sockets).filter_map(PlaceRule::warning).collect()
    }

    /// Whether a grant names exactly this host and port.
    pub(crate) fn grants(&self, place: &Place) -> bool {
        let is_it = |grant: &HostPort| {
            grant.port() == place.port()
                && host::canonical(grant.host().clone()).is_some_and(|host| host::same(&host, place.host()))
        };
        self.private.iter().any(is_it)
    }

    /// The given address of this place, if there is one.
    pub(crate) fn resolution(&self, place: &Place) -> Option<&Resolution> {
        self.resolve.iter().find(|given| given.covers(place))
    }
}

/// Which sockets may be opened that speak without TLS (`ws:`). Inside of TLS a socket can't be told from a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Sockets {
    /// None.
    #[default]
    None,
    /// Those to these places.
    Listed(Vec<PlaceRule>),
    /// Those to every place that may be reached.
    All,
}

/// Ports of this machine that belong to Legwork itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnPorts {
    /// The ports. Each is denied at every address that is not public.
    pub ports: BTreeSet<u16>,
    /// Public addresses of this machine, where the ports are denied too.
    pub addresses: Vec<IpAddr>,
}

/// A name and where it is dialled: `shop.test=127.0.0.1:8080`, for one port only `shop.test:443=127.0.0.1:8443`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    name: Host,
    port: Option<u16>,
    to: SocketAddr,
}

/// Why a given address of a name could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not NAME=ADDRESS:PORT, for example shop.test=127.0.0.1:8080")]
pub struct ResolutionError(String);

impl Resolution {
    /// Where the name is dialled.
    pub fn to(&self) -> SocketAddr {
        self.to
    }

    /// Whether this port of the name is granted with it: the one that is written, else the one that is dialled.
    pub(super) fn names(&self, port: u16) -> bool {
        port == self.port.unwrap_or(self.to.port())
    }

    fn covers(&self, place: &Place) -> bool {
        self.port.is_none_or(|port| port == place.port()) && self.name == *place.host()
    }
}

/// Reads as the same again.
impl fmt::Display for Resolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))?;
        write!(f, "={}", self.to)
    }
}

impl FromStr for Resolution {
    type Err = ResolutionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ResolutionError(text.to_owned());
        let (name, to) = text.split_once('=').ok_or_else(error)?;
        let (name, port) = match name.split_once(':') {
            None => (name, None),
            Some((name, port)) => (name, Some(port.parse::<u16>().map_err(|_| error())?)),
        };
        let name = host::read(name).filter(|name| matches!(name, Host::Domain(_))).ok_or_else(error)?;
        let to: SocketAddr = to.parse().map_err(|_| error())?;
        let is_whole = to.port() != 0 && port != Some(0);
        is_whole.then_some(Self { name, port, to }).ok_or_else(error)
    }
}
