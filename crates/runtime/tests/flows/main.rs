//! Whole errands on sites that keep ledgers, with nothing configured but where they begin and a bound secret to log in with: who is
//! asked how often, when, and what really happened on the server.

mod broken_off;
mod bundled;
mod errand;
mod fallback;
mod joined;
mod lost;
mod lost_login;
mod lost_pages;
mod memory;
mod odd_models;
mod oscar;
mod person;
mod proofs;
mod service;
mod stage;
mod steps;
mod thinking;
mod torn;
mod trouble;

use crate::vendor;
