//! The fence around whatever a page wrote.

use std::fmt;

/// What tells a fence of ours from one that a page made up: 64 random bits, new for each message. Where they come from is
/// the caller's matter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Boundary(u64);

impl Boundary {
    /// A boundary of these random bits.
    pub fn new(bits: u64) -> Self {
        Self(bits)
    }

    /// A boundary of these random bytes.
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }

    /// The line that opens the fence. Digits, because they cost a model less than letters: seven tokens.
    pub fn opening(self) -> String {
        format!("<untrusted {self}>\n")
    }

    /// The line that closes it: the digits alone say which fence.
    pub fn closing(self) -> String {
        format!("</{self}>\n")
    }
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:020}", self.0)
    }
}

impl fmt::Debug for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A boundary in a log would be one that a page could learn of.
        f.write_str("Boundary")
    }
}
