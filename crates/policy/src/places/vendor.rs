//! Hosts that a browser calls by itself, for its maker: nobody asked for that traffic.

use url::Host;

const HOSTS: &[&str] = &[
    "clients1.google.com",
    "clients2.google.com",
    "clients4.google.com",
    "clientservices.googleapis.com",
    "content-autofill.googleapis.com",
    "edgedl.me.gvt1.com",
    "optimizationguide-pa.googleapis.com",
    "redirector.gvt1.com",
    "safebrowsing.googleapis.com",
    "update.googleapis.com",
];

/// Whether this is one of them. Sites where people sign in are not among them.
pub(super) fn is_vendor(host: &Host) -> bool {
    matches!(host, Host::Domain(name) if HOSTS.binary_search(&name.as_str()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_and_every_host_is_found() {
        assert!(HOSTS.is_sorted());
        assert!(HOSTS.iter().all(|host| is_vendor(&Host::parse(host).unwrap())));
        assert!(!is_vendor(&Host::parse("accounts.google.com").unwrap()));
    }
}
