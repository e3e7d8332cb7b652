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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncWriteExt, DuplexStream, duplex};

    use super::*;
    use crate::{CdpError, Connection, Limit, Lost, protocol::browser::GetVersion};

    type Peer = WebSocketStream<DuplexStream>;

    async fn connect() -> (Connection, Peer) {
        let (ours, theirs) = duplex(1 << 20);
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let peer = tokio::spawn(tokio_tungstenite::accept_async_with_config(theirs, Some(config)));
        let transport = WebSocketTransport::handshake("ws://peer/", ours).await.unwrap();
        (Connection::start(transport), peer.await.unwrap().unwrap())
    }

    fn soon() -> Limit {
        Limit::within(Duration::from_secs(30))
    }

    async fn id_of_next(peer: &mut Peer) -> u64 {
        let asked = peer.next().await.unwrap().unwrap().into_text().unwrap();
        serde_json::from_str::<serde_json::Value>(&asked).unwrap()["id"].as_u64().unwrap()
    }

    #[tokio::test]
    async fn garbage_between_messages_is_passed_over() {
        let (connection, mut peer) = connect().await;
        let posted = connection.link().post(None, &GetVersion {}).unwrap();
        let id = id_of_next(&mut peer).await;
        for garbage in ["", "{", "null", "{\"id\":-1}", "{\"id\":999,\"result\":{}}", "{\"method\":5}"] {
            peer.send(Message::text(garbage)).await.unwrap();
        }
        peer.send(Message::binary(vec![0xff, 0xfe, 0])).await.unwrap();
        peer.send(Message::Ping(vec![1].into())).await.unwrap();
        peer.send(Message::binary(format!("{{\"id\":{id},\"result\":{{}}}}").into_bytes())).await.unwrap();
        assert!(posted.reply(&soon()).await.is_ok());
        assert!(connection.link().is_lost().is_none());
    }

    #[tokio::test]
    async fn a_message_beyond_the_limit_ends_the_connection_with_its_reason() {
        let (connection, mut peer) = connect().await;
        let link = connection.link().clone();
        let posted = link.post(None, &GetVersion {}).unwrap();
        id_of_next(&mut peer).await;
        // The head of a frame that announces 300 MB, and a part of it.
        let mut frame = vec![0x81, 127];
        frame.extend_from_slice(&(300u64 << 20).to_be_bytes());
        frame.extend_from_slice(&[b'x'; 4096]);
        peer.get_mut().write_all(&frame).await.unwrap();
        assert!(matches!(posted.reply(&soon()).await, Err(CdpError::Lost(Lost::Broken(_)))));
    }

    #[tokio::test]
    async fn a_text_that_is_none_ends_the_connection_with_its_reason() {
        let (connection, mut peer) = connect().await;
        let posted = connection.link().post(None, &GetVersion {}).unwrap();
        id_of_next(&mut peer).await;
        peer.get_mut().write_all(&[0x81, 2, 0xff, 0xfe]).await.unwrap();
        assert!(matches!(posted.reply(&soon()).await, Err(CdpError::Lost(Lost::Broken(_)))));
    }

    #[tokio::test]
    async fn a_peer_that_goes_away_is_one_typed_error() {
        let (connection, mut peer) = connect().await;
        let posted = connection.link().post(None, &GetVersion {}).unwrap();
        peer.close(None).await.unwrap();
        assert!(matches!(posted.reply(&soon()).await, Err(CdpError::Lost(Lost::Closed))));
        let (connection, peer) = connect().await;
        let posted = connection.link().post(None, &GetVersion {}).unwrap();
        drop(peer);
        assert!(matches!(posted.reply(&soon()).await, Err(CdpError::Lost(_))));
    }
}
