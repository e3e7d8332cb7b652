//! A stream of random-looking tokens from one number: the same number, the same tokens.

use std::hash::{BuildHasher, RandomState};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The stream (splitmix64).
#[derive(Debug)]
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// A stream that is another one in every run.
    pub(crate) fn of_this_run() -> Self {
        Self(RandomState::new().hash_one(0_u8))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A token of 32 letters.
    pub(crate) fn token(&mut self) -> String {
        (0..4)
            .flat_map(|_| {
                let number = self.next().to_be_bytes();
                number.map(|byte| char::from(LETTERS[usize::from(byte & 63)]))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_tokens_and_no_token_twice() {
        let (mut one, mut other) = (Noise::from_number(7), Noise::from_number(7));
        let tokens: Vec<String> = (0..50).map(|_| one.token()).collect();
        assert!(tokens.iter().all(|token| token.len() == 32 && *token == other.token()));
        assert_eq!(tokens.iter().collect::<std::collections::BTreeSet<_>>().len(), 50);
        assert_ne!(Noise::of_this_run().token(), Noise::of_this_run().token());
    }
}
