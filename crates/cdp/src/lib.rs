//! Chrome DevTools Protocol: transports, flat sessions, replies and events. Knows nothing of pages, tabs or clicks.

mod connection;
mod counters;
mod error;
mod events;
mod frame;
mod limit;
mod lossy;
mod message;
mod pending;
pub mod protocol;
mod reply;
mod session;
mod transport;

pub use connection::{Connection, Link, Posted};
pub use counters::Counters;
pub use error::{CdpError, Lost};
pub use events::{Event, Events, Signal};
pub use frame::{Frame, MAX_FRAME, NulFramer};
pub use limit::{Expired, Limit};
pub use lossy::Lossy;
pub use protocol::Command;
pub use reply::Reply;
pub use session::SessionId;
pub use transport::{FrameSink, FrameSource, PipeTransport, Transport, WebSocketError, WebSocketTransport};
