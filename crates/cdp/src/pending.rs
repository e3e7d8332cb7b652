//! Commands that wait for their replies. Once the connection is lost nothing can be added.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use tokio::sync::oneshot;

use crate::{
    SessionId,
    error::{Failure, Lost},
};

pub(crate) type Answer = Result<Bytes, Failure>;

struct Waiting {
    session: Option<SessionId>,
    answer: oneshot::Sender<Answer>,
}

struct Book {
    waiting: HashMap<u64, Waiting>,
    lost: Option<Lost>,
    next_id: u64,
}

pub(crate) struct Pending(Mutex<Book>);

impl Pending {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Book { waiting: HashMap::new(), lost: None, next_id: 1 }))
    }

    /// No code that runs under this lock can panic half-way, so a poisoned book is still a whole one.
    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a place for one command.
    pub(crate) fn open(&self, session: Option<SessionId>) -> Result<(u64, oneshot::Receiver<Answer>), Lost> {
        let mut book = self.book();
        if let Some(lost) = &book.lost {
            return Err(lost.clone());
        }
        let id = book.next_id;
        book.next_id += 1;
        let (answer, receiver) = oneshot::channel();
        book.waiting.insert(id, Waiting { session, answer });
        Ok((id, receiver))
    }

    /// Nobody waits for this one any more.
    pub(crate) fn forget(&self, id: u64) {
        self.book().waiting.remove(&id);
    }

    /// Hands an answer to its waiter; false if there is none.
    pub(crate) fn answer(&self, id: u64, answer: Answer) -> bool {
        let waiting = self.book().waiting.remove(&id);
        waiting.is_some_and(|waiting| waiting.answer.send(answer).is_ok())
    }

    /// Fails every command of one session.
    pub(crate) fn fail_session(&self, session: &SessionId, failure: &Failure) {
        let failed: Vec<Waiting> = self
            .book()
            .waiting
            .extract_if(|_, waiting| waiting.session.as_ref() == Some(session))
            .map(|(_, w)| w)
            .collect();
        for waiting in failed {
            let _ = waiting.answer.send(Err(failure.clone()));
        }
    }

    /// Fails every command at once and lets none be added; the first reason stays.
    pub(crate) fn lose(&self, lost: Lost) -> Lost {
        let (failed, lost) = {
            let mut book = self.book();
            let lost = book.lost.get_or_insert(lost).clone();
            (std::mem::take(&mut book.waiting), lost)
        };
        for waiting in failed.into_values() {
            let _ = waiting.answer.send(Err(Failure::Lost(lost.clone())));
        }
        lost
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.book().waiting.len()
    }
}
