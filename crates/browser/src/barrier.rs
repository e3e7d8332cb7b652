//! The barrier on the wire: everything that could write waits before it leaves, until somebody rules on it.

use std::{fmt, sync::Arc};

use legwork_types::Outgoing;

/// The name of one request that waits, in one browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// It leaves as it is.
    Go,
    /// The same, and its answer is told.
    GoTold,
    /// It comes to nothing, and nobody need hear of it.
    Drop,
    /// It comes to nothing. A page whose next document it would have been stays as it is.
    Stop,
    /// It waits for a decision. A document is stopped instead: its page would answer nothing while it waits.
    Hold,
}

/// Why a request that was held is held no more, though nobody decided on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenUp {
    /// The page waits for it and answers nothing meanwhile.
    Frozen,
    /// It was held for as long as anything is.
    Overdue,
    /// Whoever sent it is gone.
    Orphaned,
}

/// Decides what may leave a context. It is asked on the way of every request, so it must not wait.
pub trait Barrier: fmt::Debug + Send + Sync {
    /// Rules on a request.
    fn rule(&self, ticket: Ticket, outgoing: &Outgoing) -> Ruling;

    /// A request that was held came to nothing.
    fn given_up(&self, ticket: Ticket, why: GivenUp);

    /// What left with [`Ruling::GoTold`], or after it was held, or again, has its answer, or will get none. Not told where the browser
    /// itself does not tell.
    fn answered(&self, _: Ticket) {}

    /// Whether a request may leave that might be of this context or of any other: whoever sent it has just come, or has just gone.
    fn admits_unclaimed(&self, outgoing: &Outgoing) -> bool;
}

/// Lets nothing through that could write. What a context has unless it is given something better.
#[derive(Debug, Default)]
pub struct ReadsOnly;

impl Barrier for ReadsOnly {
    fn rule(&self, _: Ticket, outgoing: &Outgoing) -> Ruling {
        if is_reading(outgoing) { Ruling::Go } else { Ruling::Stop }
    }

    fn given_up(&self, _: Ticket, _: GivenUp) {}

    fn admits_unclaimed(&self, outgoing: &Outgoing) -> bool {
        is_reading(outgoing)
    }
}

/// Whether it asks for something and carries nothing.
pub(crate) fn is_reading(outgoing: &Outgoing) -> bool {
    use legwork_types::OutgoingBody;
    matches!(outgoing.method.as_str(), "GET" | "HEAD" | "OPTIONS") && outgoing.body == OutgoingBody::None
}

/// The barrier of a context, shared by all that ask it.
#[derive(Debug, Clone)]
pub(crate) struct SharedBarrier(pub(crate) Arc<dyn Barrier>);

impl PartialEq for SharedBarrier {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedBarrier {}
