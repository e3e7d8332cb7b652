//! Nouns that cross crates: ids, addresses, error codes. No IO, no clock, no rules that need context.

mod code;
pub mod contract;
mod host_port;
mod ids;
mod page_text;
mod page_url;
mod problem;
mod timestamp;

pub use code::Code;
pub use host_port::{HostPort, HostPortError};
pub use ids::{FrameId, TabId};
pub use page_text::PageText;
pub use page_url::{PageUrl, UrlRefusal, without_credentials};
pub use problem::Problem;
pub use timestamp::Timestamp;
