//! IPv4 addresses that are written inside of IPv6 ones: whoever dials such an address may arrive at the IPv4 one.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Every IPv4 address that may be meant by this one.
pub(super) fn embedded(address: Ipv6Addr) -> Vec<Ipv4Addr> {
    let s = address.segments();
    let last = v4(s[6], s[7]);
    match s {
        // Mapped, compatible and translated: ::ffff:a.b.c.d, ::a.b.c.d, ::ffff:0:a.b.c.d.
        [0, 0, 0, 0, 0, 0xffff | 0, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => vec![last],
        // The well-known translator prefix.
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => vec![last],
        // Translators of a site choose their prefix within this one.
        [0x64, 0xff9b, 1, ..] => site_translator(address),
        // 6to4, Teredo (the server, and the client with all bits turned), then ISATAP below any other prefix.
        [0x2002, ..] => [Some(v4(s[1], s[2])), isatap(s)].into_iter().flatten().collect(),
        [0x2001, 0, ..] => vec![v4(s[2], s[3]), v4(!s[6], !s[7])],
        _ => isatap(s).into_iter().collect(),
    }
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))
}

fn isatap(s: [u16; 8]) -> Option<Ipv4Addr> {
    // The two bits that say "universal" and "group" may be set.
    (s[4] & !0x0300 == 0 && s[5] == 0x5efe).then(|| v4(s[6], s[7]))
}

/// The last four bytes, and what stands behind shorter prefixes where nothing follows it. Byte 8 is always skipped.
fn site_translator(address: Ipv6Addr) -> Vec<Ipv4Addr> {
    let bytes = address.octets();
    let without_eighth: Vec<u8> = bytes[..8].iter().chain(&bytes[9..]).copied().collect();
    let mut found = vec![Ipv4Addr::new(bytes[12], bytes[13], bytes[14], bytes[15])];
    for start in [6, 7, 8] {
        let is_all = bytes[8] == 0 && without_eighth[start + 4..].iter().all(|byte| *byte == 0);
        if let (true, [a, b, c, d]) = (is_all, &without_eighth[start..start + 4]) {
            found.push(Ipv4Addr::new(*a, *b, *c, *d));
        }
    }
    found
}
