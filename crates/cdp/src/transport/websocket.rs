//! One message per WebSocket message, as debugging endpoints speak them.

use std::io;

use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{Error, Message, error::ProtocolError, protocol::WebSocketConfig},
};

use super::{FrameSink, FrameSource, Transport};
use crate::{Frame, MAX_FRAME};

/// Why the other side did not become a WebSocket.
#[derive(Debug, thiserror::Error)]
pub enum WebSocketError {
    /// It answered with another HTTP status.
    #[error("the endpoint answered HTTP {0}")]
    Status(u16),
    /// The network failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It does not speak the protocol.
    #[error("the endpoint does not speak WebSocket: {0}")]
    Protocol(String),
    /// The address can't be used.
    #[error("not a WebSocket address: {0}")]
    Address(String),
}

/// A WebSocket over an open stream.
pub struct WebSocketTransport<S> {
    stream: WebSocketStream<S>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> WebSocketTransport<S> {
    /// Shakes hands over `stream`. The caller bounds the time.
    pub async fn handshake(address: &str, stream: S) -> Result<Self, WebSocketError> {
        let config =
            WebSocketConfig::default().max_message_size(Some(MAX_FRAME)).max_frame_size(Some(MAX_FRAME));
        match client_async_with_config(address, stream, Some(config)).await {
            Ok((stream, _)) => Ok(Self { stream }),
            Err(Error::Http(response)) => Err(WebSocketError::Status(response.status().as_u16())),
            Err(Error::Io(error)) => Err(WebSocketError::Io(error)),
            Err(error @ (Error::Url(_) | Error::HttpFormat(_))) => {
                Err(WebSocketError::Address(error.to_string()))
            }
            // Closed in the middle of the handshake: what a dying endpoint does.
            Err(
                Error::ConnectionClosed
                | Error::AlreadyClosed
                | Error::Protocol(ProtocolError::HandshakeIncomplete),
            ) => Err(WebSocketError::Io(io::ErrorKind::ConnectionReset.into())),
            Err(error) => Err(WebSocketError::Protocol(error.to_string())),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Transport for WebSocketTransport<S> {
    type Source = WebSocketSource<S>;
    type Sink = WebSocketSink<S>;

    fn split(self) -> (Self::Source, Self::Sink) {
        let (sink, source) = self.stream.split();
        (WebSocketSource(source), WebSocketSink(sink))
    }
}

pub struct WebSocketSource<S>(SplitStream<WebSocketStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> FrameSource for WebSocketSource<S> {
    async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            match self.0.next().await {
                None | Some(Ok(Message::Close(_)) | Err(Error::ConnectionClosed)) => return Ok(None),
                Some(Ok(Message::Text(text))) => return Ok(Some(Frame::Whole(text.into()))),
                Some(Ok(Message::Binary(bytes))) => return Ok(Some(Frame::Whole(bytes))),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Err(Error::Io(error))) => return Err(error),
                Some(Err(error)) => return Err(io::Error::other(error)),
            }
        }
    }
}

pub struct WebSocketSink<S>(SplitSink<WebSocketStream<S>, Message>);

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> FrameSink for WebSocketSink<S> {
    async fn send(&mut self, message: String) -> io::Result<()> {
        self.0.send(Message::text(message)).await.map_err(|error| match error {
            Error::Io(error) => error,
            error => io::Error::other(error),
        })
    }
}
