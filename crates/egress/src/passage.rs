//! Bytes from one connection to another, as they come. Where the system can, they are moved without being copied to us and back.

use std::io;

use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// How much is moved at once.
const PIECE: usize = 256 * 1024;

/// Whoever wants to know of what is passed on.
pub(crate) trait Warden: Sync {
    /// Something came.
    fn came(&self);

    /// Some of it was passed on.
    fn moved(&self);

    /// Whether what came may be passed on, as soon as that is known.
    fn may_pass(&self) -> impl Future<Output = bool> + Send;
}

/// Passes on everything that comes, to its end. Who drops its half then says that there is no more.
pub(crate) async fn pass(
    from: &mut OwnedReadHalf,
    to: &mut OwnedWriteHalf,
    warden: &impl Warden,
) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if let Some(pipe) = splice::Pipe::new() {
        return splice::pass(&pipe, from, to, warden).await;
    }
    copied::pass(from, to, warden).await
}

fn not_passed() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

mod copied {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::{OwnedReadHalf, OwnedWriteHalf, PIECE, Warden, io, not_passed};

    pub(super) async fn pass(
        from: &mut OwnedReadHalf,
        to: &mut OwnedWriteHalf,
        warden: &impl Warden,
    ) -> io::Result<()> {
        let mut piece = vec![0; PIECE];
        loop {
            let count = from.read(&mut piece).await?;
            let Some(bytes) = piece.get(..count).filter(|bytes| !bytes.is_empty()) else { return Ok(()) };
            warden.came();
            if !warden.may_pass().await {
                return Err(not_passed());
            }
            to.write_all(bytes).await?;
            warden.moved();
        }
    }
}

#[cfg(target_os = "linux")]
mod splice {
    use std::os::fd::OwnedFd;

    use rustix::pipe::{PipeFlags, SpliceFlags, fcntl_setpipe_size, pipe_with, splice};
    use tokio::{io::Interest, net::TcpStream};

    use super::{OwnedReadHalf, OwnedWriteHalf, PIECE, Warden, io, not_passed};

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

    pub(super) async fn pass(
        pipe: &Pipe,
        from: &OwnedReadHalf,
        to: &OwnedWriteHalf,
        warden: &impl Warden,
    ) -> io::Result<()> {
        let (source, target): (&TcpStream, &TcpStream) = (from.as_ref(), to.as_ref());
        loop {
            let taken = || Ok(splice(source, None, &pipe.into, None, PIECE, FLAGS)?);
            let mut left = source.async_io(Interest::READABLE, taken).await?;
            if left == 0 {
                return Ok(());
            }
            warden.came();
            if !warden.may_pass().await {
                return Err(not_passed());
            }
            while left > 0 {
                let given = || Ok(splice(&pipe.out, None, target, None, left, FLAGS)?);
                left -= target.async_io(Interest::WRITABLE, given).await?;
                warden.moved();
            }
        }
    }
}
