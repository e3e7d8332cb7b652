//! A host in its one canonical form.

use std::net::IpAddr;

use url::Host;

const LONGEST_LABEL: usize = 63;
const LONGEST_NAME: usize = 253;

/// The host that a browser would understand: lower case, punycode, any spelling of an IPv4 address as that address, one dot at
/// the end taken away. None where it is no host, or a name that can't be looked up.
pub(super) fn read(text: &str) -> Option<Host> {
    canonical(Host::parse(text).ok()?)
}

/// The same for a host that was parsed already.
pub(super) fn canonical(host: Host) -> Option<Host> {
    let Host::Domain(name) = host else { return Some(host) };
    let Some(dotless) = name.strip_suffix('.') else { return is_a_name(&name).then_some(Host::Domain(name)) };
    // Without its dot it must still be what it was: a name, and not a number.
    let again = Host::parse(dotless).ok()?;
    (is_a_name(dotless) && matches!(&again, Host::Domain(name) if name == dotless)).then_some(again)
}

/// Whether it can be looked up.
fn is_a_name(name: &str) -> bool {
    let fits = |label: &str| !label.is_empty() && label.len() <= LONGEST_LABEL;
    name.len() <= LONGEST_NAME && name.split('.').all(fits) && !name.contains('*')
}

/// The address, where the host is one. IPv4 inside IPv6 in the form that the system dials as IPv4 is that IPv4 address.
pub(super) fn literal(host: &Host) -> Option<IpAddr> {
    match host {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address).to_canonical()),
    }
}

/// `localhost` and every name below it are this machine, whatever a resolver says.
pub(super) fn is_localhost(host: &Host) -> bool {
    match host {
        Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        Host::Ipv4(_) | Host::Ipv6(_) => false,
    }
}

/// Whether two hosts are the same: names by their letters, addresses by what is dialled.
pub(super) fn same(one: &Host, other: &Host) -> bool {
    match (literal(one), literal(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one == other,
        _ => false,
    }
}
