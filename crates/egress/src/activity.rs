//! Whether anything still moves on a connection.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

/// When something last moved.
#[derive(Debug, Clone, Default)]
pub(crate) struct Activity(Arc<AtomicU64>);

/// Moments are counted from here, in thousandths of a second.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

fn now() -> u64 {
    u64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(u64::MAX)
}

impl Activity {
    /// Something has moved.
    pub(crate) fn moved(&self) {
        self.0.store(now(), Ordering::Relaxed);
    }

    /// Whether nothing has moved for this long.
    pub(crate) fn is_quiet_for(&self, span: Duration) -> bool {
        let quiet = now().saturating_sub(self.0.load(Ordering::Relaxed));
        Duration::from_millis(quiet) >= span
    }

    fn note<T>(&self, moved: Poll<T>) -> Poll<T> {
        if moved.is_ready() {
            self.moved();
        }
        moved
    }

    /// Waits until nothing has moved for this long; at most twice as long after the last move.
    pub(crate) async fn idle(&self, limit: Duration) {
        loop {
            let before = self.0.load(Ordering::Relaxed);
            tokio::time::sleep(limit).await;
            if self.0.load(Ordering::Relaxed) == before && self.is_quiet_for(limit) {
                return;
            }
        }
    }
}

/// A connection on which every move is counted.
#[derive(Debug)]
pub(crate) struct Watched {
    stream: TcpStream,
    activity: Activity,
}

impl Watched {
    pub(crate) fn new(stream: TcpStream, activity: Activity) -> Self {
        Self { stream, activity }
    }

    /// The connection alone.
    pub(crate) fn into_stream(self) -> TcpStream {
        self.stream
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_read(cx, into);
        self.activity.note(moved)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.activity.note(moved)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.activity.note(moved)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
