//! A no to a place: the reason as a stable word, the place in punycode, and what to do about it.

use std::fmt;

use legwork_types::{Code, Details, Problem};

use super::{AddressClass, Place, PlaceRefusal};

const LONGEST_TEXT: usize = 200;

/// Why traffic may not go to a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Why.
    pub reason: DenialReason,
    /// Which place, as parsed; as it was written where it could not be.
    pub place: String,
}

/// Why a place may not be reached.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DenialReason {
    /// Legwork itself listens there.
    OwnPort,
    /// It is not on the internet, and no grant names it.
    PrivateAddress(AddressClass),
    /// A rule forbids it.
    DeniedByRule,
    /// There is a list of places, and it is not on it.
    NotOnTheList,
    /// The errand is about other places.
    NotOfTheErrand,
    /// The errand may load it and send nothing there that could change something.
    OnlyToBeRead,
    /// The host may be reached, but not at this port.
    PortNotListed,
    /// The browser calls its maker there; nobody asked for it.
    VendorHost,
    /// A socket without TLS.
    PlainSocket,
    /// There is no such name.
    NameUnknown,
    /// The name has no address.
    NoAddress,
    /// Nobody said in time which address the name has.
    ResolverTimeout,
    /// Nobody could say which address the name has.
    ResolverFailed,
    /// Not an address that can be understood.
    Malformed,
    /// It shows one host and leads to another.
    Misleading,
    /// Of a scheme that is not spoken here.
    Scheme,
    /// It asks for another protocol on the same connection.
    Upgrade,
}

impl DenialReason {
    /// A stable word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::OwnPort => "own-port",
            Self::PrivateAddress(_) => "private-address",
            Self::DeniedByRule => "denied-by-rule",
            Self::NotOnTheList => "not-on-the-list",
            Self::NotOfTheErrand => "not-of-the-errand",
            Self::OnlyToBeRead => "only-to-be-read",
            Self::PortNotListed => "port-not-listed",
            Self::VendorHost => "vendor-host",
            Self::PlainSocket => "plain-socket",
            Self::NameUnknown => "name-unknown",
            Self::NoAddress => "no-address",
            Self::ResolverTimeout => "resolver-timeout",
            Self::ResolverFailed => "resolver-failed",
            Self::Malformed => "malformed",
            Self::Misleading => "misleading",
            Self::Scheme => "scheme",
            Self::Upgrade => "upgrade",
        }
    }

    /// Whether the same may be allowed later without a change of the rules.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::NameUnknown | Self::NoAddress | Self::ResolverTimeout | Self::ResolverFailed)
    }
}

impl Denial {
    pub(super) fn new(reason: DenialReason, place: &Place) -> Self {
        Self { reason, place: place.to_string() }
    }

    /// A denial that the rules have no part in: what was found out on the way to a place.
    pub fn on_the_way(reason: DenialReason, place: &Place) -> Self {
        Self::new(reason, place)
    }

    /// A denial of what could not be read as a place.
    pub fn of_text(refusal: &PlaceRefusal, text: &str) -> Self {
        let reason = match refusal {
            PlaceRefusal::Malformed(_) => DenialReason::Malformed,
            PlaceRefusal::Scheme(_) => DenialReason::Scheme,
            PlaceRefusal::Misleading(place) => return Self::new(DenialReason::Misleading, place),
        };
        let text = legwork_types::without_credentials(text);
        Self { reason, place: text.escape_debug().take(LONGEST_TEXT).collect() }
    }

    /// Why, in one clause.
    pub fn why(&self) -> String {
        match &self.reason {
            DenialReason::OwnPort => "Legwork itself listens there".into(),
            DenialReason::PrivateAddress(class) => format!("its address is not public ({class})"),
            DenialReason::DeniedByRule => "a rule forbids it".into(),
            DenialReason::NotOnTheList => "it is not on the list of allowed places".into(),
            DenialReason::NotOfTheErrand => "the service of this errand does not name it".into(),
            DenialReason::OnlyToBeRead => {
                "the service of this errand lets it be loaded and not changed".into()
            }
            DenialReason::PortNotListed => "its port is not one of those that may be reached".into(),
            DenialReason::VendorHost => "the browser calls its maker there, and nobody asked for it".into(),
            DenialReason::PlainSocket => "sockets without TLS are not allowed there".into(),
            DenialReason::NameUnknown => "there is no such name".into(),
            DenialReason::NoAddress => "its name has no address".into(),
            DenialReason::ResolverTimeout => "its address was not found in time".into(),
            DenialReason::ResolverFailed => "its address could not be looked up".into(),
            DenialReason::Malformed => "it is not an address that can be understood".into(),
            DenialReason::Misleading => "it is written to look like another host".into(),
            DenialReason::Scheme => "only http and https are spoken".into(),
            DenialReason::Upgrade => "it asks for another protocol".into(),
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match &self.reason {
            DenialReason::OwnPort => "this can't be allowed: use a second instance to look at Legwork itself",
            DenialReason::PrivateAddress(_) => {
                "the operator can allow exactly this host and port with --allow-private HOST:PORT"
            }
            DenialReason::DeniedByRule => "the operator's list of denied places has it",
            DenialReason::NotOnTheList => "the operator can add it to the list of allowed places",
            DenialReason::NotOfTheErrand => {
                "the operator can name it under domains in the file of the service"
            }
            DenialReason::OnlyToBeRead => {
                "the operator can name it under domains, write, in the file of the service"
            }
            DenialReason::PortNotListed => "the operator can allow HOST:PORT in the list of allowed places",
            DenialReason::VendorHost => "the operator can name this host in the list of allowed places",
            DenialReason::PlainSocket => "use wss:, or let the operator allow sockets to this place",
            DenialReason::NameUnknown | DenialReason::NoAddress => "check the name",
            DenialReason::ResolverTimeout | DenialReason::ResolverFailed => "try again, or check the network",
            DenialReason::Malformed => "write the whole address: http:// or https://, a host, a path",
            DenialReason::Misleading => "write the address without what stands before the @",
            DenialReason::Scheme => "use an address that begins with http:// or https://",
            DenialReason::Upgrade => "ask without an Upgrade header",
        }
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} may not be reached: {}", self.place, self.why())
    }
}

impl std::error::Error for Denial {}

impl From<&Denial> for Problem {
    fn from(denial: &Denial) -> Self {
        let rule = denial.reason.as_str();
        let message = format!("{} may not be reached", denial.place);
        let mut problem = Problem::new(Code::NavigationBlocked, message, denial.hint())
            .because(format!("rule: {rule}; {}", denial.why()))
            .with(Details::Rule { rule: rule.into() });
        problem.retryable = denial.reason.may_pass();
        problem
    }
}
