//! Two bundled sites to try an errand on: a coffee shop with subscriptions and a streaming service that one can
//! cancel. Each keeps a [`Ledger`] of what really happened in it.
//!
//! Everything is in memory and the same in every run; the sites are told what day it is and ask no clock. They
//! are invented, and so are their brands, people and cards.

pub mod brain;
mod bundled;
mod coffee;
mod day;
mod desk;
mod html;
mod ledger;
mod money;
mod noise;
mod server_thread;
mod sessions;
mod stream;
pub mod vendor;

pub use bundled::{Bundled, Served};
pub use coffee::{CoffeeOptions, CoffeeShop, PayStep};
pub use day::Day;
pub use ledger::{Effect, Ledger};
pub use stream::{StreamOptions, StreamService};
