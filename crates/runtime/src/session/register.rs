//! Which sessions there are and whose they are. What a caller is told of a session that is not its own is what it is told of one
//! that never was.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use legwork_types::{Code, Problem, contract::SessionId};
use tokio::{sync::Notify, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    Caller,
    one::{InUse, Session, locked},
};

/// The list of sessions.
pub(crate) struct Register {
    most: usize,
    entries: Mutex<Entries>,
    /// Told whenever there is one more or one less.
    pub(crate) changed: Arc<Notify>,
}

#[derive(Default)]
struct Entries {
    sessions: HashMap<SessionId, Arc<Session>>,
    /// Those that are being opened.
    opening: Vec<(u64, CancellationToken)>,
    next: u64,
    /// Since when there is none, if there were any.
    empty_since: Option<Instant>,
    is_shut: bool,
}

impl Entries {
    fn note_change(&mut self) {
        let is_empty = self.sessions.is_empty() && self.opening.is_empty();
        self.empty_since = is_empty.then(Instant::now);
    }
}

impl Register {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, entries: Mutex::default(), changed: Arc::new(Notify::new()) }
    }

    /// Takes a seat for a session that is to be opened. Sessions whose browser is gone take none.
    pub(crate) fn reserve(self: &Arc<Self>, cancel: &CancellationToken) -> Result<Seat, Problem> {
        let mut entries = locked(&self.entries);
        if entries.is_shut {
            return Err(ending());
        }
        let taken = entries.opening.len() + entries.sessions.len();
        if taken >= self.most {
            let lost = entries.sessions.values().filter(|session| session.is_lost()).count();
            if taken - lost >= self.most {
                return Err(Problem::new(
                    Code::SessionLimit,
                    format!("{} sessions are open, as many as may be", self.most),
                    "close one that is not needed any more, or wait: sessions that nobody uses are closed",
                ));
            }
        }
        let (number, cancel) = (entries.next, cancel.child_token());
        entries.next += 1;
        entries.opening.push((number, cancel.clone()));
        entries.note_change();
        Ok(Seat { register: self.clone(), number, cancel })
    }

    /// Begins to use a session of this caller.
    pub(crate) fn enter(
        &self,
        caller: &Caller,
        id: &SessionId,
        cancel: &CancellationToken,
    ) -> Result<InUse, Problem> {
        let entries = locked(&self.entries);
        let found = entries.sessions.get(id).filter(|session| session.owner == *caller);
        found.map(|session| session.begin_use(cancel)).ok_or_else(not_found)
    }

    /// Takes a session of this caller from the list.
    pub(crate) fn take(&self, caller: &Caller, id: &SessionId) -> Result<Arc<Session>, Problem> {
        let mut entries = locked(&self.entries);
        if entries.sessions.get(id).is_none_or(|session| session.owner != *caller) {
            return Err(not_found());
        }
        let taken = entries.sessions.remove(id).ok_or_else(not_found);
        entries.note_change();
        self.changed.notify_one();
        taken
    }

    /// Takes this session from the list.
    pub(crate) fn remove(&self, session: &Session) {
        let mut entries = locked(&self.entries);
        if entries.sessions.remove(&session.id).is_some() {
            entries.note_change();
            self.changed.notify_one();
        }
    }

    /// The caller's sessions.
    pub(crate) fn of(&self, caller: &Caller) -> Vec<Arc<Session>> {
        let entries = locked(&self.entries);
        entries.sessions.values().filter(|session| session.owner == *caller).cloned().collect()
    }

    /// Takes the sessions from the list that nobody has used for so long.
    pub(crate) fn take_idle(&self, idle: Duration) -> Vec<Arc<Session>> {
        let mut entries = locked(&self.entries);
        let due: Vec<_> =
            entries.sessions.values().filter(|session| session.idle() >= idle).cloned().collect();
        for session in &due {
            entries.sessions.remove(&session.id);
        }
        if !due.is_empty() {
            entries.note_change();
        }
        due
    }

    /// When the next session may have been idle for so long.
    pub(crate) fn next_idle(&self, idle: Duration) -> Option<Instant> {
        let entries = locked(&self.entries);
        let left = entries.sessions.values().map(|session| idle.saturating_sub(session.idle()));
        left.min().map(|left| Instant::now() + left)
    }

    /// Since when there is no session, if there were any.
    pub(crate) fn empty_since(&self) -> Option<Instant> {
        locked(&self.entries).empty_since
    }

    /// Notes that nothing is left of the sessions there were.
    pub(crate) fn forget_emptiness(&self) {
        locked(&self.entries).empty_since = None;
    }

    /// Takes all from the list and lets no other in.
    pub(crate) fn shut(&self) -> Vec<Arc<Session>> {
        let mut entries = locked(&self.entries);
        entries.is_shut = true;
        entries.opening.iter().for_each(|(_, cancel)| cancel.cancel());
        entries.empty_since = None;
        entries.sessions.drain().map(|(_, session)| session).collect()
    }
}

/// A seat for a session that is being opened.
pub(crate) struct Seat {
    register: Arc<Register>,
    number: u64,
    /// Called off by the caller, or when all is shut.
    pub(crate) cancel: CancellationToken,
}

impl Seat {
    /// Puts the session on the list, and begins to use it.
    pub(crate) fn fill(self, session: Session) -> Result<InUse, Box<(Session, Problem)>> {
        let mut entries = locked(&self.register.entries);
        if entries.is_shut {
            return Err(Box::new((session, ending())));
        }
        let session = Arc::new(session);
        entries.sessions.insert(session.id.clone(), session.clone());
        let in_use = session.begin_use(&self.cancel);
        drop(entries);
        self.register.changed.notify_one();
        Ok(in_use)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut entries = locked(&self.register.entries);
        entries.opening.retain(|(number, _)| *number != self.number);
        if !entries.is_shut {
            entries.note_change();
        }
        self.register.changed.notify_one();
    }
}

/// The same words for a session that is closed, that never was, or that is somebody else's.
pub(crate) fn not_found() -> Problem {
    Problem::new(
        Code::SessionNotFound,
        "there is no such session",
        "open a session and use the id that it is given; sessions that nobody uses are closed after a while",
    )
}

fn ending() -> Problem {
    Problem::new(Code::Cancelled, "sessions are being closed", "start Legwork again")
}
