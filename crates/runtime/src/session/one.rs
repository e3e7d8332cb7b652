//! One session: whose it is, who uses it now, and what was last seen in it.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use legwork_browser::{Epoch, Landing};
use legwork_observe::Look;
use legwork_types::{
    PageText, Timestamp,
    contract::{ObservationId, SessionId},
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Caller, Numbering, SessionSettings, port::Place};
use crate::{Logins, Vault, gate::Gate, logins::Begun, observe::now};

/// How many looks are kept to compare with.
const KEPT: usize = 4;

/// One session. One thing is done in it at a time: whoever does it holds `state`.
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) owner: Caller,
    pub(crate) gate: Arc<Gate>,
    /// The operator's secrets.
    pub(crate) vault: Arc<Vault>,
    /// The logins that it began with.
    pub(crate) logins: Arc<Logins>,
    pub(crate) opened_at: Timestamp,
    pub(crate) state: Arc<tokio::sync::Mutex<State>>,
    uses: Mutex<Uses>,
    /// The latest look, for those who do not wait for their turn.
    shown: Mutex<Option<Arc<Look>>>,
}

/// Who uses a session now, and when somebody last did.
struct Uses {
    running: Vec<(u64, CancellationToken)>,
    next: u64,
    last: Instant,
}

/// What was last seen in a session.
pub(crate) struct State {
    /// None once the session is closed.
    pub(crate) place: Option<Box<dyn Place>>,
    /// What of saved logins it began with.
    pub(crate) begun: Begun,
    /// The look that acts must name. Taken out while something is done to the page: whatever interrupts that, the look is not
    /// the latest any more.
    pub(crate) current: Option<Current>,
    /// How the next look is numbered.
    pub(crate) numbering: Numbering,
    /// The address that was asked for.
    pub(crate) asked: PageText,
    /// The latest looks that were replaced, the newest last.
    earlier: VecDeque<Arc<Look>>,
    /// The last look that really saw the page.
    pub(crate) seen: Option<Arc<Look>>,
    /// The answer of a server that had nothing but a status; the page that the browser shows for it is its own.
    pub(crate) bodiless: Option<Landing>,
    /// Until when the page may take to be left for another.
    pub(crate) leaving: Option<Instant>,
    /// How many acts were asked for.
    pub(crate) acts: u32,
    /// The page right before what may need a yes was done to it: what it looks like afterwards is up to the page.
    pub(crate) pictured: Option<Vec<u8>>,
}

/// A look, and the name under which the page remembers its elements; none where there are none.
#[derive(Clone)]
pub(crate) struct Current {
    pub(crate) look: Arc<Look>,
    pub(crate) epoch: Option<Epoch>,
}

impl Session {
    pub(crate) fn new(
        id: SessionId,
        owner: Caller,
        gate: Arc<Gate>,
        settings: &SessionSettings,
        place: Box<dyn Place>,
        begun: Begun,
    ) -> Self {
        let state = State {
            place: Some(place),
            begun,
            current: None,
            numbering: Numbering::default(),
            asked: PageText::from("about:blank"),
            earlier: VecDeque::new(),
            seen: None,
            bodiless: None,
            leaving: None,
            acts: 0,
            pictured: None,
        };
        Self {
            id,
            owner,
            gate,
            vault: settings.vault.clone(),
            logins: settings.logins.clone(),
            opened_at: now(),
            state: Arc::new(tokio::sync::Mutex::new(state)),
            uses: Mutex::new(Uses { running: Vec::new(), next: 0, last: Instant::now() }),
            shown: Mutex::new(None),
        }
    }

    /// Notes that somebody uses it, until what is returned is dropped.
    pub(crate) fn begin_use(self: &Arc<Self>, cancel: &CancellationToken) -> InUse {
        let mut uses = self.uses();
        let (number, cancel) = (uses.next, cancel.child_token());
        uses.next += 1;
        uses.running.push((number, cancel.clone()));
        InUse { session: self.clone(), number, cancel }
    }

    /// For how long nobody has used it.
    pub(crate) fn idle(&self) -> Duration {
        let uses = self.uses();
        if uses.running.is_empty() { uses.last.elapsed() } else { Duration::ZERO }
    }

    /// Calls off whatever is done in it.
    pub(crate) fn call_off(&self) {
        self.uses().running.iter().for_each(|(_, cancel)| cancel.cancel());
    }

    /// Whether its browser is known to be gone. One that is in use will find out by itself.
    pub(crate) fn is_lost(&self) -> bool {
        let state = self.state.try_lock();
        state.is_ok_and(|state| state.place.as_ref().is_none_or(|place| place.is_lost().is_some()))
    }

    /// The latest look, without waiting for whoever works in the session.
    pub(crate) fn shown(&self) -> Option<Arc<Look>> {
        locked(&self.shown).clone()
    }

    /// Makes a look the current one.
    pub(crate) fn show(&self, state: &mut State, current: Current) {
        self.gate.saw(&current.look);
        *locked(&self.shown) = Some(current.look.clone());
        if !current.look.is_stale() {
            state.seen = Some(current.look.clone());
        }
        state.keep(&current.look);
        state.numbering = state.numbering.after(&current.look);
        state.current = Some(current);
    }

    fn uses(&self) -> MutexGuard<'_, Uses> {
        locked(&self.uses)
    }
}

impl State {
    /// The look of this name, if it is still kept.
    pub(crate) fn kept(&self, id: &ObservationId) -> Option<Arc<Look>> {
        self.earlier.iter().find(|look| look.id() == id).cloned()
    }

    /// The latest look and those before it are kept.
    fn keep(&mut self, look: &Arc<Look>) {
        if self.earlier.iter().any(|kept| kept.id() == look.id()) {
            return;
        }
        while self.earlier.len() > KEPT {
            self.earlier.pop_front();
        }
        self.earlier.push_back(look.clone());
    }
}

/// A use of a session; while it lasts the session is not idle.
pub(crate) struct InUse {
    pub(crate) session: Arc<Session>,
    number: u64,
    /// Called off by the caller, or when the session is closed.
    pub(crate) cancel: CancellationToken,
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut uses = self.session.uses();
        uses.running.retain(|(number, _)| *number != self.number);
        uses.last = Instant::now();
    }
}

/// What a thread that panicked left is as good as any: every change is a single step.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
