//! Nouns that cross crates: ids, addresses, error codes. No IO, no clock, no rules that need context.

mod code;
pub mod contract;
mod field_purpose;
mod host_port;
mod ids;
mod intent;
pub mod model;
mod outgoing;
mod page_text;
mod page_url;
mod problem;
#[cfg(feature = "schema")]
pub mod schema;
mod timestamp;

pub use code::{Code, ErrorClass};
pub use field_purpose::FieldPurpose;
pub use host_port::{HostPort, HostPortError};
pub use ids::{FrameId, TabId};
pub use intent::{
    Awaited, Choice, Chord, Click, Deed, Intent, KEY_NAMES, LONGEST_WAIT, Mismatch, Presses, Scroll, Tick,
    Wait,
};
pub use outgoing::{Outgoing, OutgoingBody, OutgoingKind, Sender};
pub use page_text::PageText;
pub use page_url::{PageUrl, UrlRefusal, without_credentials};
pub use problem::{Details, Problem};
pub use timestamp::Timestamp;
