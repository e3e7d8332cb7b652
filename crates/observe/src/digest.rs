//! A number that stands for a sequence of texts.

/// FNV-1a, 64 bits: the same in every version and on every machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digest(pub(crate) u64);

impl Digest {
    /// Of nothing.
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds one part; a mark after it keeps `ab`, `c` and `a`, `bc` apart.
    #[must_use]
    pub(crate) fn add(mut self, part: &str) -> Self {
        for byte in part.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_the_one_that_everybody_knows() {
        let plain = |text: &str| {
            text.bytes()
                .fold(Digest::new(), |d, b| Digest((d.0 ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)))
        };
        assert_eq!(plain("a").0, 0xaf63_dc4c_8601_ec8c);
        assert_ne!(Digest::new().add("ab").add("c").0, Digest::new().add("a").add("bc").0);
    }
}
