//! Ctrl-C, a request to end and a terminal that is closed: the first calls the work off and lets it tidy up, the second ends it at once.

use std::{
    fs,
    future::Future,
    io, process,
    sync::{Arc, OnceLock},
    thread,
    time::Duration,
};

use legwork_runtime::CancellationToken;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc,
    time::timeout,
};

use crate::output::Output;

/// How long the work may tidy up after it was called off.
pub(crate) const TIDYING: Duration = Duration::from_secs(8);
/// How long an errand may take to finish the step that it is at. With all that follows it is over within 45 seconds.
pub(crate) const STEP: Duration = Duration::from_secs(33);

/// How long work that is broken off may take to say what is known of it.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long everything may take that comes after the work.
const PARTING: Duration = Duration::from_secs(6);

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
    heard: mpsc::UnboundedReceiver<Ended>,
    /// Ends the process after this long, whatever it is at.
    at_latest: fn(Duration, Ended),
}

impl Signals {
    pub(crate) fn catch() -> io::Result<Self> {
        // Once it is caught nobody can tell any more that it was not wanted.
        let outlives = outlives_the_terminal(&fs::read_to_string("/proc/self/status").unwrap_or_default());
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let mut hangup = if outlives { None } else { Some(signal(SignalKind::hangup())?) };
        let (tell, heard) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let ended = tokio::select! {
                    _ = interrupt.recv() => Ended::Interrupted,
                    _ = terminate.recv() => Ended::Terminated,
                    () = hung_up(hangup.as_mut()) => Ended::HungUp,
                };
                if tell.send(ended).is_err() {
                    return;
                }
            }
        });
        Ok(Self { heard, at_latest: end_at_latest })
    }

    /// Does the work until it is done or a signal ends it. Work that is dropped kills its browser.
    pub(crate) async fn attend<T>(
        self,
        calls: &Calls,
        finishing: Duration,
        output: Output,
        work: impl Future<Output = T>,
    ) -> (Option<T>, Option<Ended>) {
        let end = End::default();
        // In a task of its own: work that waits for whoever reads what it says hears nothing and ends nothing.
        tokio::spawn(self.call_off(calls.clone(), finishing, end.clone()));
        tokio::pin!(work);
        tokio::select! {
            biased;
            () = end.begun.cancelled() => {}
            done = &mut work => return (Some(done), None),
        }
        output.note("called off: what was begun is closed; a second signal ends it at once");
        let done = tokio::select! {
            biased;
            () = end.over.cancelled() => None,
            done = &mut work => Some(done),
        };
        (done, end.by.get().copied())
    }

    /// Waits for a signal, and sees to it that the work comes to its end.
    async fn call_off(mut self, calls: Calls, finishing: Duration, end: End) {
        let Some(ended) = self.heard.recv().await else { return };
        let _ = end.by.set(ended);
        calls.off.cancel();
        let patience = match ended {
            Ended::Interrupted => finishing,
            // Whoever ends us from outside does not wait for long, and who closed the terminal does not see what we do.
            Ended::Terminated | Ended::HungUp => {
                calls.now.cancel();
                TIDYING
            }
        };
        let last_words = if finishing > TIDYING { LAST_WORDS } else { Duration::ZERO };
        (self.at_latest)(patience + last_words + PARTING, ended);
        end.begun.cancel();
        // What is under way is broken off after that; an errand has a moment to say what is known of it.
        if timeout(patience, self.heard.recv()).await.is_ok() {
            (self.at_latest)(last_words + PARTING, ended);
        }
        calls.now.cancel();
        let _ = timeout(last_words, self.heard.recv()).await;
        end.over.cancel();
    }
}

/// How far the end of the work has come.
#[derive(Debug, Clone, Default)]
struct End {
    by: Arc<OnceLock<Ended>>,
    begun: CancellationToken,
    over: CancellationToken,
}

/// Ends the process after this long. Its browser ends with it, and what is left behind is swept by whoever is beside us.
fn end_at_latest(after: Duration, ended: Ended) {
    thread::spawn(move || {
        thread::sleep(after);
        process::exit(ended.exit_code().into());
    });
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

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use tokio::{sync::mpsc::UnboundedSender, time::Instant};

    use super::*;
    use crate::output::{Color, Form};

    fn caught() -> (UnboundedSender<Ended>, Signals) {
        let (tell, heard) = mpsc::unbounded_channel();
        (tell, Signals { heard, at_latest: |_, _| {} })
    }

    async fn attend<T>(
        signals: Signals,
        calls: &Calls,
        finishing: Duration,
        work: impl Future<Output = T>,
    ) -> (Option<T>, Option<Ended>) {
        signals.attend(calls, finishing, Output::new(Form::Text, Color::Never), work).await
    }

    /// After how many seconds work that never ends is asked to finish, is broken off and is dropped.
    async fn endless(finishing: Duration, signals: &[(u64, Ended)]) -> (u64, u64, u64, Option<Ended>) {
        let (tell, caught) = caught();
        let (calls, start) = (Calls::default(), Instant::now());
        let at = |token: CancellationToken| async move {
            token.cancelled().await;
            start.elapsed().as_secs()
        };
        let told = async {
            for (second, ended) in signals {
                tokio::time::sleep_until(start + Duration::from_secs(*second)).await;
                tell.send(*ended).unwrap();
            }
            pending::<()>().await;
        };
        let work = attend(caught, &calls, finishing, pending::<()>());
        let done = async {
            tokio::select! {
                (done, ended) = work => (done.is_some(), ended, start.elapsed().as_secs()),
                () = told => unreachable!(),
            }
        };
        let (off, now, (is_done, ended, over)) =
            tokio::join!(at(calls.off.clone()), at(calls.now.clone()), done);
        assert!(!is_done);
        (off, now, over, ended)
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_never_ends_is_broken_off_in_time() {
        use Ended::{HungUp, Interrupted, Terminated};
        let [step, tidying] = [STEP, TIDYING];
        for (finishing, signals, expected) in [
            (step, &[(1, Interrupted)][..], (1, 34, 36, Some(Interrupted))),
            (step, &[(1, Interrupted), (5, Interrupted)], (1, 5, 7, Some(Interrupted))),
            (step, &[(1, Interrupted), (5, Terminated), (6, Interrupted)], (1, 5, 6, Some(Interrupted))),
            (step, &[(0, Terminated)], (0, 0, 10, Some(Terminated))),
            (step, &[(0, HungUp)], (0, 0, 10, Some(HungUp))),
            (tidying, &[(0, Interrupted)], (0, 8, 8, Some(Interrupted))),
            (tidying, &[(0, Interrupted), (1, Interrupted)], (0, 1, 1, Some(Interrupted))),
        ] {
            assert_eq!(endless(finishing, signals).await, expected, "{signals:?}");
        }
        assert!(STEP + LAST_WORDS + PARTING < Duration::from_secs(45));
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_ends_by_itself_is_done_whoever_called_it_off() {
        let (_tell, signals) = caught();
        assert_eq!(attend(signals, &Calls::default(), STEP, async { 7 }).await, (Some(7), None));
        let (tell, signals) = caught();
        let calls = Calls::default();
        let step = async {
            calls.off.cancelled().await;
            tokio::time::sleep(STEP - Duration::from_secs(1)).await;
            assert!(!calls.now.is_cancelled());
            7
        };
        tell.send(Ended::Interrupted).unwrap();
        assert_eq!(attend(signals, &calls, STEP, step).await, (Some(7), Some(Ended::Interrupted)));
    }
}
