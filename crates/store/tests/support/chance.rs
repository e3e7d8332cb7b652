//! Chance that can be had again: all of it follows from one number, which a test that fails shows.

use std::{
    collections::hash_map::RandomState,
    env,
    hash::{BuildHasher as _, Hasher as _},
};

/// The number that everything is to follow from, if it is not to be a new one.
const SEED: &str = "LEGWORK_SEED";

/// A source of numbers.
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new() -> Self {
        let again = env::var(SEED).ok().and_then(|seed| seed.parse().ok());
        let seed = again.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        println!("{SEED}={seed}");
        Self(seed)
    }

    pub(crate) fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number: one step of SplitMix64.
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another one.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.number() % end
    }
}
