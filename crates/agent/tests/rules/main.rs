//! The rules of an errand, one by one: what is heard, and what follows.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bench;
mod crashes;
mod fallback;
mod long;
mod lost;
mod people;
mod proof;
mod service;
mod turns;
mod ways;
