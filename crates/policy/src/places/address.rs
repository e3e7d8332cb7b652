//! What kind of network address this is: only what the whole internet can reach is public.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use super::embedded::embedded;

/// What kind of network an address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AddressClass {
    /// The internet.
    Public,
    /// This machine.
    Loopback,
    /// A private network (RFC 1918).
    Private,
    /// A private network, IPv6.
    UniqueLocal,
    /// A private network, IPv6, in the form that was given up.
    SiteLocal,
    /// The same cable.
    LinkLocal,
    /// Between a provider and its customers.
    Cgnat,
    /// Where clouds give credentials to their machines.
    Metadata,
    /// Many at once.
    Multicast,
    /// All at once.
    Broadcast,
    /// No address: systems take it for this machine.
    Unspecified,
    /// For examples in documents.
    Documentation,
    /// For measurements of devices.
    Benchmark,
    /// Set aside.
    Reserved,
}

impl AddressClass {
    /// A stable word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Loopback => "loopback",
            Self::Private => "private",
            Self::UniqueLocal => "unique-local",
            Self::SiteLocal => "site-local",
            Self::LinkLocal => "link-local",
            Self::Cgnat => "carrier-grade-nat",
            Self::Metadata => "metadata",
            Self::Multicast => "multicast",
            Self::Broadcast => "broadcast",
            Self::Unspecified => "unspecified",
            Self::Documentation => "documentation",
            Self::Benchmark => "benchmark",
            Self::Reserved => "reserved",
        }
    }

    /// Whether a grant that names a host covers it. Somebody else may decide what a name resolves to, so a name never leads to
    /// credentials of a cloud, to the same cable or to what is no single machine; a grant of the address itself does.
    pub(super) fn may_be_named(self) -> bool {
        use AddressClass::{Cgnat, Loopback, Private, Public, SiteLocal, UniqueLocal};
        matches!(self, Public | Loopback | Private | UniqueLocal | SiteLocal | Cgnat)
    }
}

impl fmt::Display for AddressClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The class of an address. One that carries an IPv4 address is public only if that is public too.
pub fn classify(address: IpAddr) -> AddressClass {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => v6(address),
    }
}

fn v4(address: Ipv4Addr) -> AddressClass {
    use AddressClass::*;
    match address.octets() {
        // Clouds: most of them, containers of one, another one, a third one, an old one.
        [169, 254, 169, 254]
        | [169, 254, 170, 2 | 23]
        | [100, 100, 100, 200]
        | [168, 63, 129, 16]
        | [192, 0, 0, 192] => Metadata,
        [0, ..] => Unspecified,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Private,
        [100, 64..=127, ..] => Cgnat,
        [127, ..] => Loopback,
        [169, 254, ..] => LinkLocal,
        [192, 0, 0, _] | [192, 88, 99, _] => Reserved,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Documentation,
        [198, 18 | 19, ..] => Benchmark,
        [224..=239, ..] => Multicast,
        [255, 255, 255, 255] => Broadcast,
        [240..=255, ..] => Reserved,
        _ => Public,
    }
}

fn v6(address: Ipv6Addr) -> AddressClass {
    let own = own_v6(address);
    if own != AddressClass::Public {
        return own;
    }
    let carried = embedded(address).into_iter().map(v4);
    carried.into_iter().find(|class| *class != AddressClass::Public).unwrap_or(AddressClass::Public)
}

/// The class by the prefix alone; what carries IPv4 passes as public here.
fn own_v6(address: Ipv6Addr) -> AddressClass {
    use AddressClass::*;
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Loopback,
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => Metadata,
        [0, 0, 0, 0, 0, 0xffff | 0, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Public,
        [0x64, 0xff9b, 0, 0, 0, 0, ..] | [0x64, 0xff9b, 1, ..] => Public,
        [0xfc00..=0xfdff, ..] => UniqueLocal,
        [0xfe80..=0xfebf, ..] => LinkLocal,
        [0xfec0..=0xfeff, ..] => SiteLocal,
        [0xff00..=0xffff, ..] => Multicast,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Documentation,
        [0x2001, 2, 0, ..] => Benchmark,
        // Teredo carries IPv4; the rest of this block is for protocols.
        [0x2001, 0, ..] => Public,
        [0x2001, 1..=0x1ff, ..] => Reserved,
        [0x2000..=0x3fff, ..] => Public,
        _ => Reserved,
    }
}
