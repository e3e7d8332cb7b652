//! Ctrl-C, a request to end and a terminal that is closed: the first calls the work off and lets it tidy up, the second ends it at once.

use std::{fs, future::Future, io, time::Duration};

use legwork_runtime::CancellationToken;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::timeout,
};

use crate::output::Output;

/// How long the work may tidy up after it was called off.
pub(crate) const TIDYING: Duration = Duration::from_secs(8);
/// How long an errand may take to finish the step that it is at. With all that follows it is over within 45 seconds.
pub(crate) const STEP: Duration = Duration::from_secs(33);

/// How long work that is broken off may take to say what is known of it.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Two ways to call work off.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls {
    /// What was begun may be finished.
    pub(crate) off: CancellationToken,
    /// At once.
    pub(crate) now: CancellationToken,
}

/// What made us end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Ctrl-C.
    Interrupted,
    /// The system or another program asked.
    Terminated,
    /// The terminal was closed.
    HungUp,
}

impl Ended {
    /// The exit code by the custom of the shell: 128 and the signal's number.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Interrupted => 130,
            Self::Terminated => 143,
            Self::HungUp => 129,
        }
    }
}

/// The signals, caught from now on.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// None where whoever started us wants us to outlive the terminal.
    hangup: Option<Signal>,
}

impl Signals {
    pub(crate) fn catch() -> io::Result<Self> {
        // Once it is caught nobody can tell any more that it was not wanted.
        let outlives = outlives_the_terminal(&fs::read_to_string("/proc/self/status").unwrap_or_default());
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: if outlives { None } else { Some(signal(SignalKind::hangup())?) },
        })
    }

    async fn next(&mut self) -> Ended {
        tokio::select! {
            _ = self.interrupt.recv() => Ended::Interrupted,
            _ = self.terminate.recv() => Ended::Terminated,
            () = hung_up(self.hangup.as_mut()) => Ended::HungUp,
        }
    }

    /// Does the work until it is done or a signal ends it. Work that is dropped kills its browser.
    pub(crate) async fn attend<T>(
        &mut self,
        calls: &Calls,
        finishing: Duration,
        output: Output,
        work: impl Future<Output = T>,
    ) -> (Option<T>, Option<Ended>) {
        tokio::pin!(work);
        let ended = tokio::select! {
            biased;
            ended = self.next() => ended,
            done = &mut work => return (Some(done), None),
        };
        calls.off.cancel();
        output.note("called off: what was begun is closed; a second signal ends it at once");
        let patience = match ended {
            Ended::Interrupted => finishing,
            // Whoever ends us from outside does not wait for long, and who closed the terminal does not see what we do.
            Ended::Terminated | Ended::HungUp => {
                calls.now.cancel();
                TIDYING
            }
        };
        tokio::select! {
            biased;
            _ = self.next() => {}
            done = timeout(patience, &mut work) => if let Ok(done) = done {
                return (Some(done), Some(ended));
            },
        }
        // What is under way is broken off; an errand has a moment to say what is known of it.
        calls.now.cancel();
        let last_words = if finishing > TIDYING { LAST_WORDS } else { Duration::ZERO };
        tokio::select! {
            biased;
            _ = self.next() => (None, Some(ended)),
            done = timeout(last_words, &mut work) => (done.ok(), Some(ended)),
        }
    }
}

async fn hung_up(hangup: Option<&mut Signal>) {
    match hangup {
        Some(hangup) => {
            hangup.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Whether hangups were ignored when this process began, as `nohup` has it, by what Linux says of it.
fn outlives_the_terminal(status: &str) -> bool {
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    // The first bit is that of the first signal, which is this one.
    ignored.is_some_and(|set| set & 1 == 1)
}
