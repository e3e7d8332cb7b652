//! What a JPEG says of itself.

/// Width and height, read from its frame header. Panics where it is none.
pub fn jpeg_size(bytes: &[u8]) -> (u16, u16) {
    assert_eq!(bytes[..2], [0xff, 0xd8], "no JPEG: {:?}", &bytes[..bytes.len().min(16)]);
    let mut at = 2;
    while !matches!(bytes[at + 1], 0xc0..=0xc3) {
        assert_eq!(bytes[at], 0xff);
        at += 2 + usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
    }
    let number = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    (number(at + 7), number(at + 5))
}
