//! What was done once is told from what would do it again, however it is written and whatever it carries.

use super::{Address, Class, Decoded, WireFacts, evidence::is_id, logins::is_login, unravel::unpercent_all};

/// Stands for the part of a path that names one thing among many.
const ONE: &str = "{id}";

/// Where a deed is done: its address without what is asked there, written in one way, and without what names one thing among many. A second basket
/// has another name, and its order is an order all the same.
pub fn spot_of_deed(address: &Address) -> String {
    let parts = address.path.split(['/', '\\']).filter(|part| !part.is_empty()).map(|part| {
        let part = unpercent_all(part);
        if is_id(&part) { ONE.to_owned() } else { part.to_lowercase() }
    });
    let host = address.host.trim_end_matches('.').to_lowercase();
    let port = address.port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{host}{port}/{}", address.scheme, parts.collect::<Vec<_>>().join("/"))
}

/// Whether somebody's yes to a request is a yes to a deed: whoever comes in may come in again, and so may a question that only takes along what
/// was read elsewhere.
pub fn is_deed(decoded: &Decoded, facts: &WireFacts) -> bool {
    !is_login(decoded) && (!decoded.is_safe_method() || facts.carried.is_empty())
}

/// Whether a request of this class may do what was done before.
pub fn may_do_again(class: Class, decoded: &Decoded) -> bool {
    match class {
        Class::Read | Class::Telemetry | Class::Session(_) => false,
        Class::Prepare | Class::Unknown => !decoded.is_safe_method() && !is_login(decoded),
        Class::Commit => !is_login(decoded),
    }
}

#[cfg(test)]
mod tests {
    use legwork_types::{Outgoing, OutgoingBody, OutgoingKind, Sender};

    use super::*;
    use crate::wire::decode;

    fn decoded(method: &str, url: &str, body: &str) -> Decoded {
        decode(&Outgoing {
            method: method.into(),
            url: url.into(),
            headers: vec![("content-type".into(), "application/x-www-form-urlencoded".into())],
            body: OutgoingBody::Bytes(body.as_bytes().to_vec()),
            kind: OutgoingKind::Page,
            sender: Sender::default(),
            redirected: false,
            hops: vec![],
        })
    }

    #[test]
    fn a_second_basket_and_another_way_of_writing_are_the_same_spot() {
        let spot = |url: &str| spot_of_deed(&decoded("POST", url, "a=1").address);
        for (one, other) in [
            ("https://a.example/checkout/place", "https://a.example/Checkout//pl%61ce/"),
            ("https://a.example/checkout/place", "https://a.example./checkout/place?step=2"),
            (
                "https://a.example/carts/8f14e45fceea167a/order",
                "https://a.example/carts/c9f0f895fb98ab91/order",
            ),
            (
                "https://a.example/payment_intents/pi_3Nq8x1L2eZ/confirm",
                "https://a.example/payment_intents/pi_9Kb7w2M4tY/confirm",
            ),
            ("https://a.example/orders/4711/capture", "https://a.example/orders/4712/capture"),
        ] {
            assert_eq!(spot(one), spot(other));
        }
        for (one, other) in [
            ("https://a.example/checkout/place", "https://b.example/checkout/place"),
            ("https://a.example/checkout/place", "https://a.example/checkout/address"),
            ("https://a.example/checkout/place", "http://a.example/checkout/place"),
        ] {
            assert_ne!(spot(one), spot(other));
        }
    }

    #[test]
    fn who_came_in_may_come_in_again_and_what_was_settled_is_not_settled_twice() {
        let facts = WireFacts::default();
        let login = decoded("POST", "https://a.example/login", "email=robin%40example.org&password=secret");
        assert!(!is_deed(&login, &facts) && !may_do_again(Class::Commit, &login));
        let order = decoded("POST", "https://a.example/order", "total=3");
        assert!(is_deed(&order, &facts) && may_do_again(Class::Prepare, &order));
        // What settles something by its address alone is a deed as well.
        let cancel = decoded("GET", "https://a.example/subscription/cancel?confirm=1", "");
        assert!(is_deed(&cancel, &facts) && may_do_again(Class::Commit, &cancel));
        assert!(!may_do_again(Class::Read, &cancel) && !may_do_again(Class::Unknown, &cancel));
    }
}
