//! Ctrl-C and a request to end: the first calls the work off and lets it tidy up, the second ends it at once.

use std::{future::Future, io, time::Duration};

use legwork_runtime::CancellationToken;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::timeout,
};

use crate::output::Output;

/// How long the work may tidy up after it was called off.
const TIDYING: Duration = Duration::from_secs(8);

/// What made us end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Ctrl-C.
    Interrupted,
    /// The system or another program asked.
    Terminated,
}

impl Ended {
    /// The exit code by the custom of the shell: 128 and the signal's number.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

/// Both signals, caught from now on.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> Ended {
        tokio::select! {
            _ = self.interrupt.recv() => Ended::Interrupted,
            _ = self.terminate.recv() => Ended::Terminated,
        }
    }

    /// Does the work until it is done or a signal ends it. Work that is dropped kills its browser.
    pub(crate) async fn attend<T>(
        &mut self,
        cancel: &CancellationToken,
        output: Output,
        work: impl Future<Output = T>,
    ) -> (Option<T>, Option<Ended>) {
        tokio::pin!(work);
        let ended = tokio::select! {
            biased;
            ended = self.next() => ended,
            done = &mut work => return (Some(done), None),
        };
        cancel.cancel();
        output.note("called off: what was begun is closed; a second signal ends it at once");
        tokio::select! {
            biased;
            _ = self.next() => (None, Some(ended)),
            done = timeout(TIDYING, &mut work) => (done.ok(), Some(ended)),
        }
    }
}
