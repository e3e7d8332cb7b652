//! Whoever writes down what is permitted, before it is done.

use std::{future::Future, pin::Pin};

use legwork_policy::Permit;
use legwork_types::Problem;

/// A permit that is being written down.
pub type Noting<'a> = Pin<Box<dyn Future<Output = Result<(), Problem>> + Send + 'a>>;

/// Writes permits down.
pub trait Clerk: Send {
    /// Writes this permit down. When it has, it lasts; where it can't, nothing is done by it.
    fn note<'a>(&'a mut self, permit: &'a Permit) -> Noting<'a>;
}

/// For callers that keep no record.
pub(super) struct NoRecord;

impl Clerk for NoRecord {
    fn note<'a>(&'a mut self, _: &'a Permit) -> Noting<'a> {
        Box::pin(std::future::ready(Ok(())))
    }
}
