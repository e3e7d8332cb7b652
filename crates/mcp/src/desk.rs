//! What is remembered between calls: the latest look of each session, and the one session of callers who name none.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use legwork_runtime::{Caller, Look, Numbering};
use legwork_types::contract::{ObservationId, SessionId};

/// The most sessions whose latest look is remembered: far more than can be open.
const MOST: usize = 1_024;

/// How the looks of callers who name none are numbered at first.
const NUMBERING: Numbering = Numbering::OnwardFrom(1);

/// The session of a caller who names none.
#[derive(Debug, Clone)]
pub(crate) struct Unnamed {
    pub(crate) session: SessionId,
    /// The look that the caller saw last.
    pub(crate) look: Arc<Look>,
}

#[derive(Debug, Default)]
struct Papers {
    latest: HashMap<(Caller, SessionId), ObservationId>,
    unnamed: HashMap<Caller, Unnamed>,
    /// How the looks of these sessions go on, also from one session to the next.
    numbering: HashMap<Caller, Numbering>,
}

/// What is remembered between calls.
#[derive(Debug, Default)]
pub(crate) struct Desk(Mutex<Papers>);

impl Desk {
    fn papers(&self) -> MutexGuard<'_, Papers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what a caller saw last of a session.
    pub(crate) fn saw(&self, caller: &Caller, look: &Arc<Look>) {
        let mut papers = self.papers();
        if papers.latest.len() >= MOST {
            // Sessions that closed by themselves; a caller who misses its look is told to observe.
            papers.latest.clear();
        }
        papers.latest.insert((caller.clone(), look.session().clone()), look.id().clone());
        if let Some(unnamed) =
            papers.unnamed.get_mut(caller).filter(|unnamed| unnamed.session == *look.session())
        {
            unnamed.look = look.clone();
            let numbering = papers.numbering.entry(caller.clone()).or_insert(NUMBERING);
            *numbering = numbering.after(look);
        }
    }

    /// How the next look of a caller is numbered who names no session.
    pub(crate) fn numbering(&self, caller: &Caller) -> Numbering {
        self.papers().numbering.get(caller).copied().unwrap_or(NUMBERING)
    }

    /// The look that a caller saw last of a session.
    pub(crate) fn latest(&self, caller: &Caller, session: &SessionId) -> Option<ObservationId> {
        self.papers().latest.get(&(caller.clone(), session.clone())).cloned()
    }

    /// The session of a caller who names none.
    pub(crate) fn unnamed(&self, caller: &Caller) -> Option<Unnamed> {
        self.papers().unnamed.get(caller).cloned()
    }

    /// From now on calls without a name are about this session.
    pub(crate) fn choose(&self, caller: &Caller, look: &Arc<Look>) {
        let unnamed = Unnamed { session: look.session().clone(), look: look.clone() };
        self.papers().unnamed.insert(caller.clone(), unnamed);
        self.saw(caller, look);
    }

    /// The session is closed.
    pub(crate) fn forget(&self, caller: &Caller, session: &SessionId) {
        let mut papers = self.papers();
        papers.latest.remove(&(caller.clone(), session.clone()));
        if papers.unnamed.get(caller).is_some_and(|unnamed| unnamed.session == *session) {
            papers.unnamed.remove(caller);
        }
    }
}
