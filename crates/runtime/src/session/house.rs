//! Where sessions live: their list, the browser behind them, and whose turn it is in each.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use legwork_browser::{BrowserError, Expired, Limit};
use legwork_types::{Code, Problem, contract::SessionId};
use tokio::{
    sync::{OwnedMutexGuard, Semaphore},
    task::JoinSet,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use super::{
    Caller, SessionSettings,
    one::{InUse, Session, State, locked},
    port::{Driver, Place},
    register::{Register, not_found},
};
use crate::{Approvals, gate::Remembered, random, vault::without_credentials_of_others};

/// How long a call waits for the one before it in the same session.
const TURN: Duration = Duration::from_secs(120);

/// How many sessions are opened side by side. Were all opened at once, each would be late: new pages cost a machine far more than
/// those that are there.
const OPENED_AT_ONCE: usize = 4;

/// How long a session may take to be closed.
const CLOSING: Duration = Duration::from_secs(10);

/// Of how many callers it is known what they have read.
const MEMORIES: usize = 64;

/// A browser without a session is ended after so long.
const BROWSER_REST: Duration = Duration::from_secs(60);

/// All sessions and the browser behind them.
pub(crate) struct House {
    pub(crate) driver: Box<dyn Driver>,
    pub(crate) settings: SessionSettings,
    /// Where people are asked.
    pub(crate) desk: Arc<Approvals>,
    pub(crate) register: Arc<Register>,
    /// Whoever opens a session holds one of these.
    pub(crate) openings: Semaphore,
    /// What callers have read, the one who came last at the end.
    memories: Mutex<Vec<(Caller, Arc<Remembered>)>>,
}

/// A call whose turn it is in a session.
pub(crate) struct Turn {
    pub(crate) session: Arc<Session>,
    pub(crate) state: OwnedMutexGuard<State>,
    in_use: InUse,
}

impl Turn {
    /// So long at most, and until the caller calls it off or the session is closed.
    pub(crate) fn within(&self, duration: Duration) -> Limit {
        Limit::within(duration).cancelled_by(self.in_use.cancel.clone())
    }

    /// The place of the session; there is one as long as the session is open.
    pub(crate) fn place(&self) -> Result<&dyn Place, BrowserError> {
        let ended = || BrowserError::from(legwork_browser::Lost::Ended);
        self.state.place.as_deref().ok_or_else(ended)
    }
}

impl House {
    pub(crate) fn new(driver: Box<dyn Driver>, settings: SessionSettings, desk: Arc<Approvals>) -> Self {
        let register = Arc::new(Register::new(settings.most));
        Self {
            driver,
            settings,
            desk,
            register,
            openings: Semaphore::new(OPENED_AT_ONCE),
            memories: Mutex::default(),
        }
    }

    /// What a caller has read: it outlives its sessions.
    pub(crate) fn memory_of(&self, caller: &Caller) -> Arc<Remembered> {
        let mut memories = locked(&self.memories);
        let known = memories.iter().position(|(of, _)| of == caller).map(|at| memories.remove(at));
        let (caller, memory) = known.unwrap_or_else(|| (caller.clone(), Arc::default()));
        if memories.len() >= MEMORIES {
            memories.remove(0);
        }
        memories.push((caller, memory.clone()));
        memory
    }

    /// Waits for a turn in a session of this caller.
    pub(crate) async fn enter(
        &self,
        caller: &Caller,
        id: &SessionId,
        cancel: &CancellationToken,
    ) -> Result<Turn, Problem> {
        self.turn(self.register.enter(caller, id, cancel)?).await
    }

    /// Waits for a turn in a session that is in use already.
    pub(crate) async fn turn(&self, in_use: InUse) -> Result<Turn, Problem> {
        const WHAT: &str = "waiting for the call before this one";
        let session = in_use.session.clone();
        let limit = Limit::within(TURN).cancelled_by(in_use.cancel.clone());
        let state = limit.run(session.state.clone().lock_owned()).await.map_err(|expired| match expired {
            Expired::Cancelled => Problem::from(&BrowserError::Cancelled { what: WHAT }),
            Expired::Deadline => Problem::from(&BrowserError::Timeout { what: WHAT, url: String::new() }),
        })?;
        let mut turn = Turn { session, state, in_use };
        match turn.state.place.as_ref().map(|place| place.is_lost()) {
            None => Err(not_found()),
            Some(Some(cause)) => Err(self.failed(&mut turn, &BrowserError::Lost { cause, url: None })),
            Some(None) => Ok(turn),
        }
    }

    /// What a failure means for the caller. A session whose browser is gone is gone with it.
    pub(crate) fn failed(&self, turn: &mut Turn, error: &BrowserError) -> Problem {
        let problem = Problem::from(error);
        if !error.is_lost() {
            return problem;
        }
        self.register.remove(&turn.session);
        turn.session.gate.close();
        turn.state.place = None;
        turn.state.current = None;
        tracing::info!(session = turn.session.id.0, why = "the browser is gone", "session closed");
        Problem { hint: "open a new session: it gets a new browser".into(), ..problem }
    }

    /// Closes a session that is on the list no more.
    pub(crate) async fn end(&self, session: &Session, why: &'static str) {
        session.call_off();
        // From now on nothing can be said yes to any more.
        session.gate.close();
        let limit = Limit::within(CLOSING);
        if let Ok(mut state) = limit.run(session.state.lock()).await {
            state.current = None;
            // Without a place it was closed already.
            let Some(place) = state.place.take() else { return };
            let begun = std::mem::take(&mut state.begun);
            session.logins.end(&*place, begun, &session.vault, &limit).await;
            if let Err(error) = place.close(&limit).await {
                let code = Problem::from(&error).code;
                tracing::debug!(session = session.id.0, %code, "the place of a session was not closed in order");
            }
        }
        // Whoever does not let go of it in time takes it along when it ends.
        tracing::info!(session = session.id.0, why, "session closed");
    }

    /// Closes sessions side by side.
    pub(crate) async fn end_all(self: &Arc<Self>, sessions: Vec<Arc<Session>>, why: &'static str) {
        let mut closing = JoinSet::new();
        for session in sessions {
            let house = self.clone();
            closing.spawn(async move { house.end(&session, why).await });
        }
        while closing.join_next().await.is_some() {}
    }

    /// When there may be something to tidy up; none as long as nothing changes.
    fn next_tidying(&self) -> Option<Instant> {
        let rest = self.register.empty_since().map(|since| since + BROWSER_REST);
        self.register.next_idle(self.settings.idle).into_iter().chain(rest).min()
    }

    /// Closes what nobody uses.
    async fn tidy(self: &Arc<Self>) {
        let idle = self.register.take_idle(self.settings.idle);
        self.end_all(idle, "nobody used it").await;
        if self.register.empty_since().is_some_and(|since| since.elapsed() >= BROWSER_REST) {
            self.register.forget_emptiness();
            self.driver.rest().await;
        }
    }
}

/// Closes what nobody uses, as long as the house stands.
pub(crate) async fn keep_tidy(house: std::sync::Weak<House>) {
    loop {
        // The house is held only for a moment at a time: its owner decides how long it stands.
        let Some((next, changed)) =
            house.upgrade().map(|house| (house.next_tidying(), house.register.changed.clone()))
        else {
            return;
        };
        let due = async {
            match next {
                Some(next) => sleep_until(next).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = due => {}
            () = changed.notified() => {}
        }
        if let Some(house) = house.upgrade() {
            house.tidy().await;
        }
    }
}

/// Gives a problem a name by which it is found in the log. Only the name, the code and the call are there: the rest may hold what
/// a page wrote. What looks like a credential in it is hidden, whoever's it is.
pub fn noted(problem: Problem, call: &str, session: Option<&SessionId>) -> Problem {
    let mut problem = without_credentials_of_others(problem);
    let correlation = random::name("c");
    let session = session.map(|session| session.0.as_str());
    match problem.code {
        Code::InternalError => {
            tracing::error!(correlation, code = %problem.code, call, session, "a call failed");
        }
        _ => tracing::info!(correlation, code = %problem.code, call, session, "a call was refused or failed"),
    }
    problem.correlation_id = Some(correlation);
    problem
}
