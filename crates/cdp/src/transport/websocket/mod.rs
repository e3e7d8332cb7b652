//! One message per WebSocket message, as debugging endpoints speak them. A library shakes hands; the frames are cut here, so
//! that a message that is too large or damaged costs only whoever it belonged to.

mod framer;
mod head;

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    io,
    sync::{Arc, PoisonError},
};

use bytes::Bytes;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf},
    sync::Mutex,
};
use tokio_tungstenite::{
    client_async,
    tungstenite::{Error, error::ProtocolError},
};

use self::{
    framer::{Framer, Item, encode},
    head::HeadStop,
};
use super::{FrameSink, FrameSource, Transport};
use crate::{Frame, MAX_FRAME};

/// How much is asked for in one read.
const READ: usize = 256 * 1024;
const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PONG: u8 = 10;

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
    stream: HeadStop<S>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> WebSocketTransport<S> {
    /// Shakes hands over `stream`. The caller bounds the time.
    pub async fn handshake(address: &str, stream: S) -> Result<Self, WebSocketError> {
        match client_async(address, HeadStop::new(stream)).await {
            Ok((stream, _)) => Ok(Self { stream: stream.into_inner() }),
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
        let (reader, writer) = tokio::io::split(self.stream);
        let way_out = Arc::new(WayOut { writer: Mutex::new(writer), pong: Default::default() });
        let source =
            WebSocketSource { reader, framer: Framer::new(MAX_FRAME), way_out: Arc::clone(&way_out) };
        (source, WebSocketSink { way_out })
    }
}

/// Where both ends write: commands, and answers to pings.
struct WayOut<S> {
    writer: Mutex<WriteHalf<HeadStop<S>>>,
    /// The latest ping that waits for its answer; older ones need none.
    pong: std::sync::Mutex<Option<Bytes>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> WayOut<S> {
    async fn send(&self, opcode: u8, payload: &[u8]) -> io::Result<()> {
        let mut writer = self.writer.lock().await;
        writer.write_all(&encode(opcode, payload, mask())).await?;
        self.answer_ping(&mut writer).await?;
        writer.flush().await
    }

    async fn answer_ping(&self, writer: &mut WriteHalf<HeadStop<S>>) -> io::Result<()> {
        let pong = self.pong.lock().unwrap_or_else(PoisonError::into_inner).take();
        match pong {
            Some(payload) => writer.write_all(&encode(PONG, &payload, mask())).await,
            None => Ok(()),
        }
    }

    /// Answers at once where nobody writes; else whoever writes answers when he is done. The reader never waits for a
    /// writer that waits for a peer that waits for the reader.
    async fn pong(&self, payload: Bytes) -> io::Result<()> {
        *self.pong.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
        match self.writer.try_lock() {
            Ok(mut writer) => {
                self.answer_ping(&mut writer).await?;
                writer.flush().await
            }
            Err(_) => Ok(()),
        }
    }
}

/// A key that a page behind a proxy can't foresee, which is all that masking is for.
fn mask() -> [u8; 4] {
    let random = RandomState::new().build_hasher().finish().to_be_bytes();
    [random[0], random[1], random[2], random[3]]
}

pub struct WebSocketSource<S> {
    reader: ReadHalf<HeadStop<S>>,
    framer: Framer,
    way_out: Arc<WayOut<S>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> FrameSource for WebSocketSource<S> {
    async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            match self.framer.next_item().map_err(io::Error::other)? {
                Some(Item::Message(frame)) => return Ok(Some(frame)),
                Some(Item::Ping(payload)) => self.way_out.pong(payload).await?,
                Some(Item::Close) => {
                    let _ = self.way_out.send(CLOSE, &[]).await;
                    return Ok(None);
                }
                None => {
                    let buffer = self.framer.buffer();
                    buffer.reserve(READ);
                    if self.reader.read_buf(buffer).await? == 0 {
                        return Ok(None);
                    }
                }
            }
        }
    }
}

pub struct WebSocketSink<S> {
    way_out: Arc<WayOut<S>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> FrameSink for WebSocketSink<S> {
    async fn send(&mut self, message: String) -> io::Result<()> {
        self.way_out.send(TEXT, message.as_bytes()).await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::{SinkExt, StreamExt};
    use tokio::io::{DuplexStream, duplex};
    use tokio_tungstenite::{
        WebSocketStream, accept_async_with_config,
        tungstenite::{Message, protocol::WebSocketConfig},
    };

    use super::*;
    use crate::{CdpError, Connection, Limit, Lost, SessionId, protocol::browser::GetVersion};

    type Peer = WebSocketStream<DuplexStream>;

    async fn connect() -> (Connection, Peer) {
        let (ours, theirs) = duplex(1 << 20);
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let peer = tokio::spawn(accept_async_with_config(theirs, Some(config)));
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
    async fn a_giant_costs_only_the_command_that_it_answers() {
        let (connection, mut peer) = connect().await;
        let link = connection.link().clone();
        let giant = link.post(None, &GetVersion {}).unwrap();
        let id = id_of_next(&mut peer).await;
        let writer = tokio::spawn(async move {
            // The head of a frame that announces 300 MB, and then all of it.
            let start = format!("{{\"id\":{id},\"result\":\"");
            let chunk = vec![b'x'; 1 << 20];
            let length = start.len() as u64 + (300 << 20) + 2;
            let stream = peer.get_mut();
            stream.write_all(&[0x81, 127]).await.unwrap();
            stream.write_all(&length.to_be_bytes()).await.unwrap();
            stream.write_all(start.as_bytes()).await.unwrap();
            for _ in 0..300 {
                stream.write_all(&chunk).await.unwrap();
            }
            stream.write_all(b"\"}").await.unwrap();
            peer
        });
        assert!(
            matches!(giant.reply(&soon()).await, Err(CdpError::TooLarge { bytes, .. }) if bytes > 300 << 20)
        );
        let mut peer = writer.await.unwrap();
        let next = link.post(None, &GetVersion {}).unwrap();
        let id = id_of_next(&mut peer).await;
        peer.send(Message::text(format!("{{\"id\":{id},\"result\":{{}}}}"))).await.unwrap();
        assert!(next.reply(&soon()).await.is_ok());
        assert_eq!(link.counters().oversized, 1);
    }

    #[tokio::test]
    async fn a_text_that_is_none_costs_only_its_session() {
        let (connection, mut peer) = connect().await;
        let link = connection.link();
        let (one, two) = (SessionId::new("S1"), SessionId::new("S2"));
        let reset = link.post(Some(&one), &GetVersion {}).unwrap();
        id_of_next(&mut peer).await;
        let kept = link.post(Some(&two), &GetVersion {}).unwrap();
        let id = id_of_next(&mut peer).await;
        let damaged = b"{\"method\":\"A.a\",\"params\":\"\xff\",\"sessionId\":\"S1\"}";
        peer.get_mut().write_all(&[&[0x81, damaged.len() as u8], &damaged[..]].concat()).await.unwrap();
        peer.send(Message::text(format!("{{\"id\":{id},\"result\":{{}},\"sessionId\":\"S2\"}}")))
            .await
            .unwrap();
        assert!(matches!(reset.reply(&soon()).await, Err(CdpError::Unreadable { .. })));
        assert!(kept.reply(&soon()).await.is_ok());
    }

    #[tokio::test]
    async fn pings_are_answered_and_violations_end_the_connection() {
        let (connection, mut peer) = connect().await;
        peer.send(Message::Ping(vec![1, 2, 3].into())).await.unwrap();
        assert_eq!(peer.next().await.unwrap().unwrap(), Message::Pong(vec![1, 2, 3].into()));
        let posted = connection.link().post(None, &GetVersion {}).unwrap();
        id_of_next(&mut peer).await;
        peer.get_mut().write_all(&[0xf1, 0]).await.unwrap();
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
