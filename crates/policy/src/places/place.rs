//! A place on the web: scheme, host and port of an address, read as a browser reads it, or refused.

use std::fmt;

use url::{Host, Url};

use super::host;

/// How a place is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// `http:`
    Http,
    /// `https:`
    Https,
    /// `ws:`
    Ws,
    /// `wss:`
    Wss,
}

impl Scheme {
    /// As it is written, without the colon.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ws => "ws",
            Self::Wss => "wss",
        }
    }

    /// The port where none is written.
    pub fn usual_port(self) -> u16 {
        match self {
            Self::Http | Self::Ws => 80,
            Self::Https | Self::Wss => 443,
        }
    }

    /// Whether what is said can be read on the way. A socket and a page of the same kind can't be told apart inside of TLS, so
    /// rules only know these two kinds.
    pub fn is_plain(self) -> bool {
        matches!(self, Self::Http | Self::Ws)
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        [Self::Http, Self::Https, Self::Ws, Self::Wss]
            .into_iter()
            .find(|scheme| scheme.as_str().eq_ignore_ascii_case(text))
    }
}

/// Where an address of the web leads to: scheme, host and port. Path, query and credentials are no part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    scheme: Scheme,
    host: Host,
    port: u16,
}

/// Why an address leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceRefusal {
    /// Not an address that a browser and we would understand in the same way.
    #[error("not a web address: {0}")]
    Malformed(&'static str),
    /// An address, but of another scheme.
    #[error("scheme \"{0}\" is not allowed")]
    Scheme(String),
    /// It shows one host and leads to another.
    #[error("it looks like another host, but leads to {0}")]
    Misleading(Box<Place>),
}

impl Place {
    /// Reads the place of a whole address.
    ///
    /// What the URL standard mends without a word (tabs, line breaks, outer blanks, backslashes, missing slashes) is refused: such an
    /// address is not what its writer believes it to be. So is a name before `@` that looks like a host: `http://shop.test@evil.test/`
    /// leads to `evil.test` and is written to be misread, while browsers send no such name to a proxy. Other names before `@` are no
    /// part of the place.
    pub fn of_url(text: &str) -> Result<Self, PlaceRefusal> {
        if text.chars().any(char::is_control) || text.trim() != text {
            return Err(PlaceRefusal::Malformed("it contains control characters or outer blanks"));
        }
        let (scheme, rest) =
            text.split_once(':').ok_or(PlaceRefusal::Malformed("it does not begin with a scheme"))?;
        let Some(scheme) = Scheme::read(scheme) else { return Err(other_scheme(scheme)) };
        let before_query = rest.split(['?', '#']).next().unwrap_or_default();
        if before_query.contains('\\') {
            return Err(PlaceRefusal::Malformed("it contains a backslash"));
        }
        if !rest.starts_with("//") || rest.starts_with("///") {
            return Err(PlaceRefusal::Malformed("the scheme has to be followed by two slashes"));
        }
        let url = Url::parse(text).map_err(|_| PlaceRefusal::Malformed("it can't be read"))?;
        let place =
            url.host().and_then(|host| Self::new(scheme, host.to_owned(), url.port_or_known_default()));
        let place = place.ok_or(PlaceRefusal::Malformed("its host or port can't be used"))?;
        if looks_like_a_host(url.username()) {
            return Err(PlaceRefusal::Misleading(Box::new(place)));
        }
        Ok(place)
    }

    /// Reads `HOST:PORT`, as a browser asks a proxy for a tunnel. What goes through it is taken for TLS until it is seen.
    pub fn of_authority(text: &str) -> Result<Self, PlaceRefusal> {
        let malformed = PlaceRefusal::Malformed("it is not HOST:PORT");
        let (name, port) = text.rsplit_once(':').ok_or(malformed.clone())?;
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || "@/\\?#".contains(c)) {
            return Err(malformed);
        }
        let port = port.bytes().all(|b| b.is_ascii_digit()).then(|| port.parse().ok()).flatten();
        host::read(name).and_then(|host| Self::new(Scheme::Https, host, port)).ok_or(malformed)
    }

    fn new(scheme: Scheme, host: Host, port: Option<u16>) -> Option<Self> {
        let port = port.filter(|port| *port != 0)?;
        Some(Self { scheme, host: host::canonical(host)?, port })
    }

    /// The same place, spoken to in another way.
    #[must_use]
    pub fn over(&self, scheme: Scheme) -> Self {
        Self { scheme, ..self.clone() }
    }

    /// How it is spoken to.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The canonical host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port, also where it is the usual one.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `HOST:PORT`, always with the port.
    pub fn authority(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// What stands in a `Host` header: the port only where it is not the usual one.
    pub fn host_header(&self) -> String {
        if self.port == self.scheme.usual_port() { self.host.to_string() } else { self.authority() }
    }
}

/// For people, logs and errors: names in punycode, so that two that look alike read differently.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.host_header())
    }
}

fn other_scheme(scheme: &str) -> PlaceRefusal {
    let is_one = |c: char| c.is_ascii_alphanumeric() || "+-".contains(c);
    match scheme {
        // `localhost:8080` and `example.com:443` begin like schemes.
        "" | "localhost" => PlaceRefusal::Malformed("it does not begin with a scheme"),
        scheme if scheme.chars().all(is_one) => PlaceRefusal::Scheme(scheme.chars().take(40).collect()),
        _ => PlaceRefusal::Malformed("it does not begin with a scheme"),
    }
}

/// A name with a dot, an address or `localhost`, also with what stands for `.`, `@` and `/` in an encoded form.
fn looks_like_a_host(user: &str) -> bool {
    let user = user.to_ascii_lowercase();
    let has = |part: &str| user.contains(part);
    has(".")
        || has("%2e")
        || has("%40")
        || has("%2f")
        || has("%5c")
        || has("xn--")
        || has("localhost")
        || has("%5b")
        || has("%e3%80%82")
        || (!user.is_empty() && Host::parse(&user).is_ok_and(|host| host::literal(&host).is_some()))
}
