//! The two pipes of `--remote-debugging-pipe`: the browser reads commands on fd 3 and writes answers on fd 4.

use std::{
    io,
    os::fd::{AsFd, OwnedFd},
};

use command_fds::FdMapping;
use tokio::net::unix::pipe::{Receiver, Sender};

/// Screenshots and big pages come as one message; a larger buffer spares the browser many waits.
#[cfg(target_os = "linux")]
const BUFFER: usize = 1024 * 1024;

/// Both pipes, all four ends closed on exec, so that no other child can inherit one and keep it open.
pub(super) struct Pipes {
    /// The browser's ends under the numbers that it expects.
    pub(super) for_browser: Vec<FdMapping>,
    pub(super) to_browser: Sender,
    pub(super) from_browser: Receiver,
}

/// Makes the pipes. Needs a runtime with IO.
pub(super) fn make() -> io::Result<Pipes> {
    let (browser_reads, we_write) = std::io::pipe()?;
    let (we_read, browser_writes) = std::io::pipe()?;
    enlarge(&we_write);
    enlarge(&we_read);
    Ok(Pipes {
        for_browser: vec![
            FdMapping { parent_fd: browser_reads.into(), child_fd: 3 },
            FdMapping { parent_fd: browser_writes.into(), child_fd: 4 },
        ],
        to_browser: Sender::from_owned_fd(OwnedFd::from(we_write))?,
        from_browser: Receiver::from_owned_fd(OwnedFd::from(we_read))?,
    })
}

/// A refusal (the system limits how much one user may have) only costs speed.
fn enlarge(pipe: &impl AsFd) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::pipe::fcntl_setpipe_size(pipe, BUFFER) {
        tracing::debug!(%error, "the pipe keeps its usual size");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}
