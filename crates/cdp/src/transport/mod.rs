//! Ways to carry messages to a browser and back: a pipe to one that we started, a WebSocket to one that we were given.

mod pipe;
mod websocket;

use std::{future::Future, io};

pub use pipe::PipeTransport;
pub use websocket::{WebSocketError, WebSocketTransport};

use crate::Frame;

/// Two ends that work independently, so that a full pipe one way never blocks the other.
pub trait Transport: Send + 'static {
    /// The end that messages come from.
    type Source: FrameSource;
    /// The end that messages go to.
    type Sink: FrameSink;

    /// Takes the two ends apart.
    fn split(self) -> (Self::Source, Self::Sink);
}

/// Where messages come from.
pub trait FrameSource: Send + 'static {
    /// The next message; `None` when the other side has closed.
    fn next(&mut self) -> impl Future<Output = io::Result<Option<Frame>>> + Send;
}

/// Where messages go to.
pub trait FrameSink: Send + 'static {
    /// Sends one message (JSON without a NUL in it).
    fn send(&mut self, message: String) -> impl Future<Output = io::Result<()>> + Send;
}
