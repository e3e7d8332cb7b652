//! Services: what is done often at one place, described in a file. Files that come with the program, those of the user's folder, and one
//! that is named; each is understood as a whole, or refused with the line and the reason.

mod goal;
mod read;
mod registry;
mod service;
mod shape;

pub use goal::Goal;
pub use legwork_agent::service::{
    About, Asked, Auth, AuthRule, Element, ElementRule, Finding, Named, Predicate, Prepare, Reaching, Seen,
    ServiceRules, Shown, Signs, Touched, UrlRule, Wanted, evaluate, tool_of,
};
pub use read::{LARGEST, is_name, read};
pub use registry::{Entry, Registry, Source, template};
pub use service::{Datum, Given, Service, confines, spec_of};

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
