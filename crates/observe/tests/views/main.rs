//! From a scene to what callers get: order, questions, pages, differences, text and JSON.

#![allow(unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod budget;
mod counted;
mod delta;
mod json;
mod once;
mod order;
mod pages;
mod prose;
mod questions;
mod ranking;
mod scenes;
mod support;
mod text;
