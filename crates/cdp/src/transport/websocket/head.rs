//! A stream that keeps what comes after the head of the HTTP answer: whoever shakes hands reads in large pieces, and the
//! first frames must not stay with him.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

const END_OF_HEAD: &[u8; 4] = b"\r\n\r\n";
const READ: usize = 4096;

pub(super) struct HeadStop<S> {
    inner: S,
    held: BytesMut,
    /// How much of the end of the head has been handed out.
    matched: usize,
}

impl<S> HeadStop<S> {
    pub(super) fn new(inner: S) -> Self {
        Self { inner, held: BytesMut::new(), matched: 0 }
    }

    /// How many of the held bytes may be handed out: not beyond the end of the head.
    fn allowed(&mut self, most: usize) -> usize {
        let mut allowed = 0;
        for byte in self.held.iter().take(most) {
            if self.matched == END_OF_HEAD.len() {
                break;
            }
            self.matched = match *byte {
                byte if byte == END_OF_HEAD[self.matched] => self.matched + 1,
                b'\r' => 1,
                _ => 0,
            };
            allowed += 1;
        }
        allowed
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for HeadStop<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let past_head = this.matched == END_OF_HEAD.len();
        if this.held.is_empty() {
            if past_head {
                return Pin::new(&mut this.inner).poll_read(cx, out);
            }
            let mut piece = [0; READ];
            let mut piece = ReadBuf::new(&mut piece);
            ready!(Pin::new(&mut this.inner).poll_read(cx, &mut piece))?;
            this.held.extend_from_slice(piece.filled());
        }
        let most = out.remaining().min(this.held.len());
        let count = if past_head { most } else { this.allowed(most) };
        out.put_slice(&this.held[..count]);
        this.held.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeadStop<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn nothing_behind_the_head_is_read_ahead() {
        let stream: &[u8] = b"HTTP/1.1 101 x\r\n\r\r\n\r\nframes follow";
        let mut stop = HeadStop::new(stream);
        let mut head = vec![0; 100];
        let mut got = Vec::new();
        while !got.ends_with(b"\r\n\r\n") {
            let count = stop.read(&mut head).await.unwrap();
            got.extend_from_slice(&head[..count]);
        }
        assert_eq!(got, b"HTTP/1.1 101 x\r\n\r\r\n\r\n");
        let mut rest = String::new();
        stop.read_to_string(&mut rest).await.unwrap();
        assert_eq!(rest, "frames follow");
    }
}
