//! NUL-terminated messages over two byte streams, as `--remote-debugging-pipe` speaks them.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::{FrameSink, FrameSource, Transport};
use crate::{Frame, MAX_FRAME, NulFramer};

/// How much is asked for in one read.
const READ: usize = 256 * 1024;

/// A pair of pipes, or anything that behaves like one.
pub struct PipeTransport<R, W> {
    source: PipeSource<R>,
    sink: PipeSink<W>,
}

impl<R, W> PipeTransport<R, W> {
    /// Joins the end that we read from and the end that we write to.
    pub fn new(reader: R, writer: W) -> Self {
        Self { source: PipeSource { reader, framer: NulFramer::new(MAX_FRAME) }, sink: PipeSink { writer } }
    }
}

impl<R, W> Transport for PipeTransport<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Source = PipeSource<R>;
    type Sink = PipeSink<W>;

    fn split(self) -> (Self::Source, Self::Sink) {
        (self.source, self.sink)
    }
}

pub struct PipeSource<R> {
    reader: R,
    framer: NulFramer,
}

impl<R: AsyncRead + Unpin + Send + 'static> FrameSource for PipeSource<R> {
    async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            if let Some(frame) = self.framer.next_frame() {
                return Ok(Some(frame));
            }
            let buffer = self.framer.buffer();
            buffer.reserve(READ);
            if self.reader.read_buf(buffer).await? == 0 {
                return Ok(None);
            }
        }
    }
}

pub struct PipeSink<W> {
    writer: W,
}

impl<W: AsyncWrite + Unpin + Send + 'static> FrameSink for PipeSink<W> {
    async fn send(&mut self, message: String) -> io::Result<()> {
        let mut bytes = message.into_bytes();
        bytes.push(0);
        self.writer.write_all(&bytes).await?;
        self.writer.flush().await
    }
}
