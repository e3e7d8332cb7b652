//! Where traffic may go: addresses of the web, classes of network addresses, the operator's rules, and the decision.
//!
//! The tools, the proxy and whatever else calls out ask here, with the same parser and the same classes. Nothing is resolved
//! here: whoever resolves brings what it found to [`decide_addresses`], and dials only what comes back.

mod address;
mod decide;
mod denial;
mod embedded;
mod host;
mod place;
mod reach;
mod rule;
mod vendor;

pub use address::{AddressClass, classify};
pub use decide::{Admitted, decide_addresses, decide_place, decide_socket, decide_write};
pub use denial::{Denial, DenialReason};
pub use place::{Place, PlaceRefusal, Scheme};
pub use reach::{Confines, OwnPorts, Reach, Resolution, ResolutionError, Sockets};
pub use rule::{PlaceRule, PlaceRuleError};
