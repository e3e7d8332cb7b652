//! How long a wait may take and who may call it off: every wait takes one of these.

use std::{future::Future, time::Duration};

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// A deadline and a way to cancel, together.
#[derive(Debug, Clone)]
pub struct Limit {
    deadline: Instant,
    cancel: CancellationToken,
}

/// Why a wait ended without its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expired {
    /// The deadline passed.
    Deadline,
    /// The caller called it off.
    Cancelled,
}

impl Limit {
    /// From now, at most so long; nobody else can call it off.
    pub fn within(duration: Duration) -> Self {
        Self { deadline: after(duration), cancel: CancellationToken::new() }
    }

    /// The same deadline, ended early when `cancel` is.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// A part of this wait: at most so long from now, and never beyond the whole.
    #[must_use]
    pub fn at_most(&self, duration: Duration) -> Self {
        Self { deadline: self.deadline.min(after(duration)), cancel: self.cancel.clone() }
    }

    /// This wait without its last part, which is kept for finding out why it failed: `duration`, or half of what is
    /// left if that is less.
    #[must_use]
    pub fn keeping(&self, duration: Duration) -> Self {
        let kept = duration.min(self.remaining() / 2);
        Self { deadline: self.deadline - kept, cancel: self.cancel.clone() }
    }

    /// The time that is left, zero when it is over.
    pub fn remaining(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Waits for `future`, but no longer than this limit.
    pub async fn run<F: Future>(&self, future: F) -> Result<F::Output, Expired> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Expired::Cancelled),
            output = future => Ok(output),
            () = self.over() => Err(Expired::Deadline),
        }
    }

    /// A timer lasts at least a tick, which is long enough for a quick answer: what is over already needs none.
    async fn over(&self) {
        if self.remaining() > Duration::ZERO {
            sleep_until(self.deadline).await;
        }
    }
}

/// So far ahead if the clock reaches that far, else as far as nobody will wait.
fn after(duration: Duration) -> Instant {
    const AGES: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);
    let now = Instant::now();
    now.checked_add(duration).unwrap_or_else(|| now + AGES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_limit_that_is_over_waits_for_nothing() {
        let spent = Limit::within(Duration::ZERO);
        assert_eq!(spent.run(std::future::ready(1)).await, Ok(1));
        assert_eq!(spent.run(tokio::task::yield_now()).await, Err(Expired::Deadline));
    }

    #[tokio::test(start_paused = true)]
    async fn no_duration_is_too_long() {
        let limit = Limit::within(Duration::MAX);
        assert!(limit.remaining() > Duration::from_secs(1_000_000));
        assert_eq!(limit.at_most(Duration::MAX).run(std::future::ready(1)).await, Ok(1));
        assert!(limit.keeping(Duration::MAX).remaining() > Duration::from_secs(1_000_000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_part_never_goes_beyond_the_whole() {
        let whole = Limit::within(Duration::from_secs(6));
        assert_eq!(whole.at_most(Duration::from_secs(60)).remaining(), Duration::from_secs(6));
        assert_eq!(whole.keeping(Duration::from_secs(2)).remaining(), Duration::from_secs(4));
        assert_eq!(whole.keeping(Duration::from_secs(20)).remaining(), Duration::from_secs(3));
        assert_eq!(whole.run(std::future::pending::<()>()).await, Err(Expired::Deadline));
        assert_eq!(whole.keeping(Duration::from_secs(2)).remaining(), Duration::ZERO);
    }
}
