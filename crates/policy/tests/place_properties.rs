//! Whatever an address looks like: what is private stays out, rules match hosts and not texts, deny wins.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use legwork_policy::places::{
    AddressClass, Admitted, DenialReason, Place, PlaceRule, Reach, classify, decide_addresses, decide_place,
};
use proptest::{collection::vec, prelude::*, sample::select};

/// An IPv4 address that nobody on the internet has.
fn private_v4() -> impl Strategy<Value = Ipv4Addr> {
    let blocks = vec![
        (0x7f00_0000u32, 8u32),
        (0x0a00_0000, 8),
        (0xac10_0000, 12),
        (0xc0a8_0000, 16),
        (0xa9fe_0000, 16),
        (0x6440_0000, 10),
        (0, 8),
        (0xe000_0000, 4),
        (0xf000_0000, 4),
    ];
    (select(blocks), any::<u32>())
        .prop_map(|((base, bits), rest)| Ipv4Addr::from(base | (rest & (u32::MAX >> bits))))
}

/// One number in decimal, octal or hexadecimal.
fn number(value: u32, form: u8) -> String {
    match form % 4 {
        0 => value.to_string(),
        1 => format!("0{value:o}"),
        2 => format!("0x{value:x}"),
        _ => format!("0X{value:X}"),
    }
}

/// The same address as a browser would read it, in one to four numbers of any form.
fn v4_spelling(address: Ipv4Addr, parts: usize, forms: &[u8]) -> String {
    let bytes = address.octets();
    let tail = bytes[parts - 1..].iter().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
    let heads = bytes[..parts - 1].iter().map(|byte| u32::from(*byte));
    let numbers: Vec<String> =
        heads.chain([tail]).zip(forms).map(|(value, form)| number(value, *form)).collect();
    numbers.join(".")
}

/// The text in other characters that mean the same.
fn disguised(text: &str, how: u8) -> String {
    let wide = |c: char| char::from_u32(c as u32 + 0xfee0).unwrap();
    match how % 5 {
        0 => text.to_owned(),
        1 => text.chars().map(|c| if c.is_ascii_graphic() { wide(c) } else { c }).collect(),
        2 => text.bytes().map(|byte| format!("%{byte:02x}")).collect(),
        3 => text.replace('.', "。"),
        _ => format!("{text}."),
    }
}

fn v6_carrier(address: Ipv4Addr, how: u8) -> Ipv6Addr {
    let v4 = u128::from(u32::from(address));
    Ipv6Addr::from(match how % 9 {
        0 => 0xffff_u128 << 32 | v4,
        1 => 0xffff_0000_u128 << 32 | v4,
        2 => 0x0064_ff9b_u128 << 96 | v4,
        3 => 0x0064_ff9b_0001_u128 << 80 | v4,
        4 => 0x2002_u128 << 112 | v4 << 80 | 1,
        5 => 0x2001_0000_u128 << 96 | v4 << 64 | u128::from(!0x0808_0808_u32),
        6 => 0x2001_0000_0808_0808_u128 << 64 | u128::from(!u32::from(address)),
        7 => 0x2606_4700_u128 << 96 | 0x5efe_u128 << 32 | v4,
        _ => 0x2606_4700_u128 << 96 | 0x0200_5efe_u128 << 32 | v4,
    })
}

/// An IPv6 address that nobody on the internet has.
fn private_v6() -> impl Strategy<Value = Ipv6Addr> {
    let blocks = vec![
        (0xfc00_u128 << 112, 7u32),
        (0xfe80_u128 << 112, 10),
        (0xfec0_u128 << 112, 10),
        (0xff00_u128 << 112, 8),
        (0x2001_0db8_u128 << 96, 32),
        (0x0100_u128 << 112, 64),
        (1, 128),
        (0, 128),
    ];
    (select(blocks), any::<u128>()).prop_map(|((base, bits), rest)| {
        let free = if bits == 128 { 0 } else { u128::MAX >> bits };
        Ipv6Addr::from(base | (rest & free))
    })
}

/// The same address in one of its spellings.
fn v6_spelling(address: Ipv6Addr, how: u8) -> String {
    let pieces = address.segments();
    let joined = |form: &dyn Fn(u16) -> String| pieces.map(form).join(":");
    let [.., a, b, c, d] = address.octets();
    match how % 6 {
        0 => address.to_string(),
        1 => address.to_string().to_uppercase(),
        2 => joined(&|piece| format!("{piece:04x}")),
        3 => joined(&|piece| format!("{piece:X}")),
        4 => format!(
            "{}:{a}.{b}.{c}.{d}",
            pieces[..6].iter().map(|piece| format!("{piece:x}")).collect::<Vec<_>>().join(":")
        ),
        _ => joined(&|piece| format!("{piece:x}")),
    }
}

fn label() -> impl Strategy<Value = String> {
    "[a-z]([a-z0-9]{0,6})"
}

fn name() -> impl Strategy<Value = String> {
    vec(label(), 2..4).prop_map(|labels| labels.join(".") + ".test")
}

fn only(rule: &str) -> Reach {
    Reach { allow: vec![rule.parse().unwrap()], ..Reach::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn no_spelling_of_a_private_address_passes(
        address in private_v4(), parts in 1usize..5, forms in vec(any::<u8>(), 4), how in any::<u8>(),
        scheme in select(vec!["http", "https", "ws", "wss"]),
    ) {
        let text = format!("{scheme}://{}/", disguised(&v4_spelling(address, parts, &forms), how));
        let place = Place::of_url(&text);
        prop_assert!(place.is_ok(), "{text} is no place");
        let denied = decide_place(&place.unwrap(), &Reach::default());
        prop_assert!(matches!(&denied, Err(denial) if matches!(denial.reason, DenialReason::PrivateAddress(_))), "{text}: {denied:?}");
    }

    #[test]
    fn no_spelling_of_a_private_address_of_the_new_kind_passes(
        address in private_v6(), how in any::<u8>(), scheme in select(vec!["http", "https", "ws", "wss"]),
    ) {
        let text = format!("{scheme}://[{}]/", v6_spelling(address, how));
        let place = Place::of_url(&text);
        prop_assert!(place.is_ok(), "{text} is no place");
        let denied = decide_place(&place.unwrap(), &Reach::default());
        prop_assert!(matches!(&denied, Err(denial) if matches!(denial.reason, DenialReason::PrivateAddress(_))), "{text}: {denied:?}");
        // Nor where a name leads to it, whatever else the name leads to.
        let name = Place::of_url("http://shop.test/").unwrap();
        for found in [[address.into(), [8, 8, 8, 8].into()], [[8, 8, 8, 8].into(), address.into()]] {
            prop_assert!(decide_addresses(&name, &found, &Reach::default()).is_err(), "{address}");
        }
    }

    #[test]
    fn no_spelling_of_this_machine_passes(
        before in vec(label(), 0..3), how in any::<u8>(), upper in vec(any::<bool>(), 9), user in select(vec!["", "me@", "me:pw@"]),
    ) {
        let name: String = "localhost".chars().zip(&upper).map(|(c, up)| if *up { c.to_ascii_uppercase() } else { c }).collect();
        let host = before.iter().map(|label| format!("{label}.")).collect::<String>() + &name;
        let text = format!("http://{user}{}/", disguised(&host, how));
        let place = Place::of_url(&text);
        prop_assert!(place.is_ok(), "{text} is no place");
        let denied = decide_place(&place.unwrap(), &Reach::default());
        prop_assert!(matches!(&denied, Err(denial) if matches!(denial.reason, DenialReason::PrivateAddress(_))), "{text}: {denied:?}");
    }

    #[test]
    fn no_carrier_of_a_private_address_is_public(address in private_v4(), how in any::<u8>()) {
        let carrier = v6_carrier(address, how);
        prop_assert_ne!(classify(IpAddr::V6(carrier)), AddressClass::Public, "{}", carrier);
        let place = Place::of_url(&format!("http://[{carrier}]/")).unwrap();
        prop_assert!(decide_place(&place, &Reach::default()).is_err());
        let name = Place::of_url("http://shop.test/").unwrap();
        let found = [IpAddr::from([8, 8, 8, 8]), IpAddr::V6(carrier)];
        prop_assert!(decide_addresses(&name, &found, &Reach::default()).is_err());
    }

    #[test]
    fn a_public_address_is_as_public_inside_of_another(rest in any::<u32>(), how in any::<u8>()) {
        let address = Ipv4Addr::from(0x0800_0000 | rest & 0x00ff_ffff);
        prop_assert_eq!(classify(IpAddr::V6(v6_carrier(address, how))), AddressClass::Public);
    }

    #[test]
    fn a_rule_matches_hosts_and_never_pieces_of_text(name in name(), more in label()) {
        let passes = |host: &str, rule: &str| {
            decide_place(&Place::of_url(&format!("https://{host}/")).unwrap(), &only(rule)).is_ok()
        };
        for same in [name.clone(), format!("{name}."), name.to_uppercase()] {
            prop_assert!(passes(&same, &name), "{} by {}", same, name);
        }
        for other in [format!("{more}{name}"), format!("{name}.{more}.test"), format!("{name}{more}"), format!("{more}.{name}")] {
            prop_assert!(!passes(&other, &name), "{} by {}", other, name);
        }
        let below = format!("*.{name}");
        for host in [format!("{more}.{name}"), format!("{more}.{more}.{name}")] {
            prop_assert!(passes(&host, &below), "{} by {}", host, below);
        }
        for other in [name.clone(), format!("{more}{name}"), format!("{more}.{name}.{more}.test"), format!("{more}.{name}{more}")] {
            prop_assert!(!passes(&other, &below), "{} by {}", other, below);
        }
    }

    #[test]
    fn deny_wins(name in name(), port in select(vec![80u16, 443, 8443])) {
        let rule: PlaceRule = name.parse().unwrap();
        let reach = Reach {
            allow: vec![rule.clone(), format!("{name}:{port}").parse().unwrap()],
            deny: vec![rule],
            private: vec![format!("{name}:{port}").parse().unwrap()],
            resolve: vec![format!("{name}=127.0.0.1:{port}").parse().unwrap()],
            ..Reach::default()
        };
        let place = Place::of_url(&format!("https://{name}:{port}/")).unwrap();
        prop_assert_eq!(decide_place(&place, &reach).unwrap_err().reason, DenialReason::DeniedByRule);
    }

    #[test]
    fn whatever_is_read_reads_the_same_again(text in "\\PC{0,40}|(http|https|ws|wss)://[a-z0-9.:@%\\[\\]。-]{0,30}/?") {
        if let Ok(place) = Place::of_url(&text) {
            prop_assert_eq!(&Place::of_url(&place.to_string()).unwrap(), &place);
            prop_assert_eq!(&Place::of_authority(&place.authority()).unwrap().over(place.scheme()), &place);
            let shown = place.to_string();
            prop_assert!(shown.is_ascii() && !shown.contains('@'));
        }
    }

    #[test]
    fn only_what_is_public_or_looked_up_passes_without_grants(text in "(http|https)://[a-z0-9.xX。\\[\\]:-]{1,30}/?") {
        if let Ok(place) = Place::of_url(&text)
            && let Ok(Admitted::Known(addresses)) = decide_place(&place, &Reach::default())
        {
            prop_assert!(addresses.iter().all(|address| classify(address.ip()) == AddressClass::Public));
        }
    }
}
