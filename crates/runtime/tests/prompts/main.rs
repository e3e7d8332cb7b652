//! What models are told: whole requests as they stand on both wires, and how many tokens a turn costs on the pages of the benchmark.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod long_errand;
mod tokens;
#[path = "../support/vendor.rs"]
mod vendor;
mod whole;
