//! The browser's only way out: a forward proxy inside of this process that resolves names, has every address checked, dials what was
//! checked and writes down what it did. It has no opinions: what may be reached is decided by `legwork_policy::places`.
//!
//! Each session has a [`Door`] of its own: one listener on loopback whose port is the session's identity. Inside of TLS a proxy sees
//! where something goes, never what.

mod activity;
mod answer;
mod body;
mod canary;
mod dial;
mod door;
mod egress;
mod forward;
mod headers;
mod ledger;
mod lines;
mod passage;
mod pool;
mod resolver;
mod room;
mod settings;
mod tasks;
mod tunnel;
mod upstream;

pub use canary::{Canary, CanaryLost};
pub use door::{Alone, Door, OpenLines};
pub use egress::Egress;
pub use ledger::{Decision, Entry, Failure, Ledger};
pub use resolver::{Resolve, ResolveError, Resolver, SystemResolver};
pub use settings::{Limits, PortsBeside, Settings};
