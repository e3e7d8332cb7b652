//! Bytes from one connection to another, as they come. Where the system can, they are moved without being copied to us and back.

use std::io;

use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use crate::activity::Activity;

/// How much is moved at once.
const PIECE: usize = 256 * 1024;

/// Passes on everything that comes, to its end. `may_pass` is asked whenever something came, and says whether that may be passed on as soon
/// as it is known. Who drops its half then says that there is no more.
pub(crate) async fn pass<May: Future<Output = bool>>(
    from: &mut OwnedReadHalf,
    to: &mut OwnedWriteHalf,
    activity: &Activity,
    may_pass: impl Fn() -> May,
) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if let Some(pipe) = splice::Pipe::new() {
        return splice::pass(&pipe, from, to, activity, may_pass).await;
    }
    copied::pass(from, to, activity, may_pass).await
}

fn not_passed() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

mod copied {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::{Activity, OwnedReadHalf, OwnedWriteHalf, PIECE, io, not_passed};

    pub(super) async fn pass<May: Future<Output = bool>>(
        from: &mut OwnedReadHalf,
        to: &mut OwnedWriteHalf,
        activity: &Activity,
        may_pass: impl Fn() -> May,
    ) -> io::Result<()> {
        let mut piece = vec![0; PIECE];
        loop {
            let count = from.read(&mut piece).await?;
            let Some(bytes) = piece.get(..count).filter(|bytes| !bytes.is_empty()) else { return Ok(()) };
            activity.moved();
            if !may_pass().await {
                return Err(not_passed());
            }
            to.write_all(bytes).await?;
            activity.moved();
        }
    }
}

#[cfg(target_os = "linux")]
mod splice {
    use std::os::fd::OwnedFd;

    use rustix::pipe::{PipeFlags, SpliceFlags, fcntl_setpipe_size, pipe_with, splice};
    use tokio::{io::Interest, net::TcpStream};

    use super::{Activity, OwnedReadHalf, OwnedWriteHalf, PIECE, io, not_passed};

    /// Where bytes are between one connection and the other.
    pub(super) struct Pipe {
        out: OwnedFd,
        into: OwnedFd,
    }

    impl Pipe {
        /// None where the system has no more of them.
        pub(super) fn new() -> Option<Self> {
            let (out, into) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).ok()?;
            // What is smaller than that serves as well, only slower.
            let _ = fcntl_setpipe_size(&into, PIECE);
            Some(Self { out, into })
        }
    }

    const FLAGS: SpliceFlags = SpliceFlags::MOVE.union(SpliceFlags::NONBLOCK);

    pub(super) async fn pass<May: Future<Output = bool>>(
        pipe: &Pipe,
        from: &OwnedReadHalf,
        to: &OwnedWriteHalf,
        activity: &Activity,
        may_pass: impl Fn() -> May,
    ) -> io::Result<()> {
        let (source, target): (&TcpStream, &TcpStream) = (from.as_ref(), to.as_ref());
        loop {
            let taken = || Ok(splice(source, None, &pipe.into, None, PIECE, FLAGS)?);
            let mut left = source.async_io(Interest::READABLE, taken).await?;
            if left == 0 {
                return Ok(());
            }
            activity.moved();
            if !may_pass().await {
                return Err(not_passed());
            }
            while left > 0 {
                let given = || Ok(splice(&pipe.out, None, target, None, left, FLAGS)?);
                left -= target.async_io(Interest::WRITABLE, given).await?;
                activity.moved();
            }
        }
    }
}
