//! What the connection met and passed over, for diagnosis.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) malformed: AtomicU64,
    pub(crate) oversized: AtomicU64,
    pub(crate) unknown_replies: AtomicU64,
    pub(crate) dropped_events: AtomicU64,
}

impl Tally {
    pub(crate) fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Relaxed);
    }

    pub(crate) fn read(&self) -> Counters {
        Counters {
            malformed: self.malformed.load(Relaxed),
            oversized: self.oversized.load(Relaxed),
            unknown_replies: self.unknown_replies.load(Relaxed),
            dropped_events: self.dropped_events.load(Relaxed),
        }
    }
}

/// How often something on the wire had to be passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Messages that are no protocol messages.
    pub malformed: u64,
    /// Messages above the size limit.
    pub oversized: u64,
    /// Replies that nobody waits for: late, repeated or invented.
    pub unknown_replies: u64,
    /// Events that a slow subscriber had no room for.
    pub dropped_events: u64,
}
