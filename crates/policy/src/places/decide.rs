//! The decision about a place: first by what it is called, then by every address that it has.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use url::Host;

use crate::wire::site_of;

use super::{
    AddressClass, Confines, Denial, DenialReason, Place, Reach, Scheme, Sockets, address::classify, host,
    vendor::is_vendor,
};

/// How a place that may be reached by its name is dialled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admitted {
    /// At one of these, in this order; they were checked.
    Known(Vec<SocketAddr>),
    /// The name has to be looked up, and what comes of it given to [`decide_addresses`].
    Name(String),
}

/// Whether a place may be reached, as far as that can be told before its name is looked up.
///
/// What is not public is said first, whatever is on the lists: who asks for a private address learns that, and not that a list
/// lacks it.
pub fn decide_place(place: &Place, reach: &Reach) -> Result<Admitted, Denial> {
    let known = known_addresses(place, reach);
    for address in known.iter().flatten() {
        check_own(place, *address, reach)?;
    }
    if reach.resolution(place).is_none() {
        for address in known.iter().flatten() {
            check_class(place, address.ip(), reach)?;
        }
    }
    decide_by_rules(place, reach)?;
    match (known, place.host()) {
        (Some(addresses), _) => Ok(Admitted::Known(addresses)),
        (None, host) => Ok(Admitted::Name(host.to_string())),
    }
}

/// Which of the addresses that a place was found to have may be dialled: all of them, or none. What comes back is to be dialled as
/// it is, without another look-up.
pub fn decide_addresses(place: &Place, found: &[IpAddr], reach: &Reach) -> Result<Vec<SocketAddr>, Denial> {
    // What is known without a look-up is not overruled by one.
    if let Admitted::Known(addresses) = decide_place(place, reach)? {
        return Ok(addresses);
    }
    if found.is_empty() {
        return Err(Denial::new(DenialReason::NoAddress, place));
    }
    let addresses: Vec<SocketAddr> =
        found.iter().map(|ip| SocketAddr::new(ip.to_canonical(), place.port())).collect();
    for address in &addresses {
        check_own(place, *address, reach)?;
    }
    for address in &addresses {
        check_class(place, address.ip(), reach)?;
    }
    Ok(addresses)
}

/// Whether a socket may be opened that speaks without TLS, at a place that may be reached.
pub fn decide_socket(place: &Place, reach: &Reach) -> Result<(), Denial> {
    let place = place.over(Scheme::Ws);
    decide_by_rules(&place, reach)?;
    let may_be = match &reach.sockets {
        Sockets::None => false,
        Sockets::Listed(rules) => rules.iter().any(|rule| rule.covers(&place)),
        Sockets::All => true,
    };
    may_be.then_some(()).ok_or_else(|| Denial::new(DenialReason::PlainSocket, &place))
}

/// Whether anything may be sent there that could change something, at a place that may be reached.
pub fn decide_write(place: &Place, reach: &Reach) -> Result<(), Denial> {
    let site = site_of(&place.host().to_string());
    let is_named = |confines: &Confines| confines.write.iter().any(|host| site_of(host) == site);
    match reach.confines.as_ref().is_none_or(is_named) {
        true => Ok(()),
        false => Err(Denial::new(DenialReason::OnlyToBeRead, place)),
    }
}

/// The addresses that a place has without anybody being asked.
fn known_addresses(place: &Place, reach: &Reach) -> Option<Vec<SocketAddr>> {
    if let Some(given) = reach.resolution(place) {
        return Some(vec![given.to()]);
    }
    if let Some(address) = host::literal(place.host()) {
        return Some(vec![SocketAddr::new(address, place.port())]);
    }
    let loopback = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    host::is_localhost(place.host()).then(|| loopback.map(|ip| SocketAddr::new(ip, place.port())).to_vec())
}

fn check_own(place: &Place, address: SocketAddr, reach: &Reach) -> Result<(), Denial> {
    let is_here = || {
        classify(address.ip()) != AddressClass::Public
            || reach.own.addresses.iter().any(|own| own.to_canonical() == address.ip().to_canonical())
    };
    if reach.own.ports.contains(&address.port()) && is_here() {
        return Err(Denial::new(DenialReason::OwnPort, place));
    }
    Ok(())
}

fn check_class(place: &Place, address: IpAddr, reach: &Reach) -> Result<(), Denial> {
    let class = classify(address);
    let is_named = matches!(place.host(), Host::Domain(_));
    let is_granted = || reach.grants(place) && (!is_named || class.may_be_named());
    if class == AddressClass::Public || is_granted() {
        return Ok(());
    }
    Err(Denial::new(DenialReason::PrivateAddress(class), place))
}

/// Deny wins; then the list, if there is one; then the port.
fn decide_by_rules(place: &Place, reach: &Reach) -> Result<(), Denial> {
    let deny = |reason| Err(Denial::new(reason, place));
    if reach.deny.iter().any(|rule| rule.covers(place)) {
        return deny(DenialReason::DeniedByRule);
    }
    let is_within = |confines: &Confines| confines.read.iter().any(|rule| rule.covers(place));
    if reach.confines.as_ref().is_some_and(|confines| !is_within(confines)) {
        return deny(DenialReason::NotOfTheErrand);
    }
    let rules: Vec<_> = reach.allow.iter().filter(|rule| rule.covers(place)).collect();
    if is_vendor(place.host()) && !rules.iter().any(|rule| rule.names_one_host()) {
        return deny(DenialReason::VendorHost);
    }
    if !reach.allow.is_empty() && rules.is_empty() {
        let at_another_port = reach.allow.iter().any(|rule| rule.covers_at_any_port(place));
        return deny(if at_another_port { DenialReason::PortNotListed } else { DenialReason::NotOnTheList });
    }
    let is_listed = reach.ports.contains(&place.port())
        || rules.iter().any(|rule| rule.names_a_port())
        || reach.grants(place)
        || reach.resolution(place).is_some_and(|given| given.names(place.port()));
    if is_listed { Ok(()) } else { deny(DenialReason::PortNotListed) }
}
