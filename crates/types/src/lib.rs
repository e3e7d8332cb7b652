//! Nouns that cross crates: ids, addresses, error codes. No IO, no clock, no rules that need context.

mod code;
mod host_port;
mod ids;
mod page_url;
mod problem;

pub use code::Code;
pub use host_port::{HostPort, HostPortError};
pub use ids::{FrameId, TabId};
pub use page_url::{PageUrl, UrlRefusal};
pub use problem::Problem;
