//! Percent signs and plus signs undone, without losing a bit: two different texts stay different.

/// Undoes percent signs; bytes that are no text become a mark with their number.
pub(super) fn unpercent(text: &str) -> String {
    exact(&unpercent_bytes(text.as_bytes()))
}

/// Undoes percent signs a few times over, for whoever looks for words.
pub fn unpercent_all(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..4 {
        if !text.contains('%') {
            break;
        }
        text = unpercent(&text);
    }
    text
}

/// Undoes percent signs with four digits, which some servers know.
pub(super) fn unpercent_wide(text: &str) -> String {
    let mut parts = text.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let wide = part.strip_prefix(['u', 'U']).and_then(|rest| {
            let letter = char::from_u32(u32::from_str_radix(rest.get(..4)?, 16).ok()?)?;
            Some((letter, rest.get(4..)?))
        });
        match wide {
            Some((letter, rest)) => {
                plain.push(letter);
                plain.push_str(rest);
            }
            None => {
                plain.push('%');
                plain.push_str(part);
            }
        }
    }
    plain
}

fn unpercent_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digit = |place: usize| bytes.get(place).and_then(|&digit| (digit as char).to_digit(16));
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                plain.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    plain
}

/// Bytes as text; those that are none become a mark with their number.
pub(super) fn exact(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            text.push(c);
            if c == '\u{fffd}' {
                text.push('=');
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\u{fffd}{byte:02X}"));
        }
    }
    text
}

/// The names and values of a query or of the body of a form.
pub(super) fn pairs(bytes: &[u8]) -> impl Iterator<Item = (String, String)> + '_ {
    let parts = bytes.split(|&byte| byte == b'&').filter(|part| !part.is_empty());
    parts.map(|part| {
        let equals = part.iter().position(|&byte| byte == b'=');
        let (name, value) = match equals {
            Some(at) => (part.get(..at).unwrap_or_default(), part.get(at + 1..).unwrap_or_default()),
            None => (part, &[][..]),
        };
        (unform(name), unform(value))
    })
}

fn unform(bytes: &[u8]) -> String {
    let spaced: Vec<u8> = bytes.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect();
    exact(&unpercent_bytes(&spaced))
}
