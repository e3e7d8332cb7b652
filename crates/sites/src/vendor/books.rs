//! The vendor's books: what it was asked, and what it charged.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Asked, Reply};

/// What was charged for a call, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Billed {
    /// Read for the first time.
    pub input: u64,
    /// Read and kept.
    pub cache_write: u64,
    /// Read from what was kept.
    pub cache_read: u64,
    /// Written.
    pub output: u64,
}

/// One call, as it stands in the books.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What was asked.
    pub asked: Asked,
    /// What was answered.
    pub reply: Reply,
    /// What was charged.
    pub billed: Billed,
    /// The key that came along.
    pub key: Option<String>,
}

/// The books. Copies are of the same books.
#[derive(Debug, Clone, Default)]
pub struct Books(Arc<Mutex<Vec<Call>>>);

impl Books {
    /// All calls so far.
    pub fn calls(&self) -> Vec<Call> {
        self.lock().clone()
    }

    /// How many calls there were.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// All that was charged.
    pub fn billed(&self) -> Billed {
        self.lock().iter().fold(Billed::default(), |sum, call| Billed {
            input: sum.input + call.billed.input,
            cache_write: sum.cache_write + call.billed.cache_write,
            cache_read: sum.cache_read + call.billed.cache_read,
            output: sum.output + call.billed.output,
        })
    }

    pub(super) fn enter(&self, call: Call) {
        self.lock().push(call);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Call>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
