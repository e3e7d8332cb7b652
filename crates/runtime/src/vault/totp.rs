//! Codes that are good once (RFC 6238), from what a site gave when they were set up.

use std::time::{SystemTime, UNIX_EPOCH};

use legwork_policy::secrets::SecretText;
use sha1::{Digest as _, Sha1};
use zeroize::Zeroizing;

/// What codes are made from.
pub(super) struct Seed {
    key: Zeroizing<Vec<u8>>,
    /// The key as it is written.
    text: SecretText,
    digits: u32,
    period: u64,
}

/// Why there is no code. Never holds what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoSeed {
    #[error("it is neither an otpauth://totp/ address nor a key in base32")]
    Form,
    #[error("the key is not written in base32, or is shorter than ten bytes")]
    Key,
    #[error("only codes of six to eight digits, by SHA-1, for one to 300 seconds are known")]
    Kind,
}

impl Seed {
    /// Reads a key, or the address in the picture that a site shows.
    pub(super) fn read(written: &SecretText) -> Result<Self, NoSeed> {
        let text = written.expose().trim();
        let Some(address) = text.strip_prefix("otpauth://") else {
            if text.contains("://") {
                return Err(NoSeed::Form);
            }
            return Self::of(text, 6, 30);
        };
        let (kind, query) = address.split_once('?').ok_or(NoSeed::Form)?;
        if !kind.to_ascii_lowercase().starts_with("totp/") {
            return Err(NoSeed::Form);
        }
        let (mut key, mut digits, mut period) = (None, 6, 30);
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match name.to_ascii_lowercase().as_str() {
                "secret" => key = Some(value),
                "digits" => digits = value.parse().map_err(|_| NoSeed::Kind)?,
                "period" => period = value.parse().map_err(|_| NoSeed::Kind)?,
                "algorithm" if !value.eq_ignore_ascii_case("SHA1") => return Err(NoSeed::Kind),
                _ => {}
            }
        }
        Self::of(key.ok_or(NoSeed::Form)?, digits, period)
    }

    fn of(key: &str, digits: u32, period: u64) -> Result<Self, NoSeed> {
        if !(6..=8).contains(&digits) || !(1..=300).contains(&period) {
            return Err(NoSeed::Kind);
        }
        let bare: Zeroizing<String> = Zeroizing::new(
            key.replace("%3D", "=").chars().filter(|c| !matches!(c, ' ' | '-' | '=')).collect(),
        );
        let bytes = base32(&bare).filter(|bytes| bytes.len() >= 10).ok_or(NoSeed::Key)?;
        Ok(Self { key: bytes, text: SecretText::new(bare.as_str()), digits, period })
    }

    /// The key as it is written, which must be seen nowhere.
    pub(super) fn text(&self) -> &SecretText {
        &self.text
    }

    /// The code of this moment.
    pub(super) fn code(&self, now: SystemTime) -> SecretText {
        let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let mac = hmac(&self.key, &(seconds / self.period).to_be_bytes());
        let offset = usize::from(mac.last().copied().unwrap_or_default() & 15);
        let part = mac.get(offset..offset + 4).unwrap_or_default();
        let number = part.iter().fold(0_u32, |so_far, byte| (so_far << 8) | u32::from(*byte)) & 0x7fff_ffff;
        let width = self.digits as usize;
        SecretText::new(format!("{:0width$}", number % 10_u32.pow(self.digits)))
    }
}

/// RFC 2104 over SHA-1.
fn hmac(key: &[u8], message: &[u8]) -> [u8; 20] {
    const BLOCK: usize = 64;
    let mut block = Zeroizing::new([0_u8; BLOCK]);
    let hashed: [u8; 20] = Sha1::digest(key).into();
    let short = if key.len() > BLOCK { &hashed[..] } else { key };
    block.iter_mut().zip(short).for_each(|(to, from)| *to = *from);
    let pad = |sign: u8| block.map(|byte| byte ^ sign);
    let inner = Sha1::new().chain_update(pad(0x36)).chain_update(message).finalize();
    Sha1::new().chain_update(pad(0x5c)).chain_update(inner).finalize().into()
}

fn base32(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let (mut bytes, mut held, mut bits) = (Zeroizing::new(Vec::new()), 0_u32, 0);
    for c in text.bytes() {
        let value = match c.to_ascii_uppercase() {
            letter @ b'A'..=b'Z' => letter - b'A',
            digit @ b'2'..=b'7' => digit - b'2' + 26,
            _ => return None,
        };
        held = (held << 5) | u32::from(value);
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((held >> bits) & 0xff).ok()?);
            held &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B.
        let address =
            "otpauth://totp/Bank:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Bank&digits=8&period=30";
        let seed = Seed::read(&address.into()).unwrap();
        for (seconds, code) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            assert_eq!(seed.code(UNIX_EPOCH + Duration::from_secs(seconds)).expose(), code);
        }
        let plain = Seed::read(&"gezd gnbv gy3t qojq gezd gnbv gy3t qojq".into()).unwrap();
        assert_eq!(plain.code(UNIX_EPOCH + Duration::from_secs(59)).expose(), "287082");
    }

    #[test]
    fn what_is_no_seed_is_refused() {
        for (text, error) in [
            ("https://bank.test/", NoSeed::Form),
            ("otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ", NoSeed::Form),
            ("otpauth://totp/x", NoSeed::Form),
            ("otpauth://totp/x?digits=6", NoSeed::Form),
            ("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=SHA256", NoSeed::Kind),
            ("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=4", NoSeed::Kind),
            ("GEZDGNB1", NoSeed::Key),
            ("GEZDGNBV", NoSeed::Key),
        ] {
            assert_eq!(Seed::read(&text.into()).err(), Some(error), "{text}");
        }
    }
}
