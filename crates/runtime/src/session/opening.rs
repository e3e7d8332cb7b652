//! Opening a session: a fresh place, its first page, and the first look.

use std::time::Duration;

use legwork_browser::{BrowserError, Expired, Limit};
use legwork_types::{Code, Intent, PageText, Problem, contract::SessionId};
use tokio_util::sync::CancellationToken;

use super::{
    Caller, OpenRequest, Opened, SessionSettings,
    house::{House, Turn, noted},
    one::Session,
    register::Seat,
    wiring::refused_by_gate,
};
use crate::{
    Body, Landing, STARTUP, Wire,
    gate::{Caught, Gate},
    random,
    visit::COMPLETE,
};

/// How long somebody waits who opens a session while many others do.
const QUEUE: Duration = Duration::from_secs(300);

/// How long a place may take to be opened beyond the start of a browser.
const PLACE: Duration = Duration::from_secs(30);

impl House {
    /// Opens a session, goes to its first page if one is named, and looks at it.
    pub(crate) async fn open(
        &self,
        caller: &Caller,
        request: OpenRequest,
        cancel: &CancellationToken,
    ) -> Result<Opened, Problem> {
        let unopened = |problem| noted(problem, "open", None);
        let seat = self.register.reserve(cancel).map_err(unopened)?;
        let queue = Limit::within(QUEUE).cancelled_by(seat.cancel.clone());
        let _opening =
            queue.run(self.openings.acquire()).await.map_err(|expired| unopened(not_yet(expired)))?;
        let mut turn = self.new_session(caller, seat, &request).await.map_err(unopened)?;
        match self.first_look(&mut turn, request).await {
            Ok(opened) => Ok(opened),
            Err(problem) => {
                // Nobody knows of it yet, so nobody could close it.
                self.register.remove(&turn.session);
                let Turn { session, state, .. } = turn;
                drop(state);
                self.end(&session, "its first page could not be opened").await;
                Err(noted(problem, "open", Some(&session.id)))
            }
        }
    }

    async fn new_session(&self, caller: &Caller, seat: Seat, request: &OpenRequest) -> Result<Turn, Problem> {
        let limit = Limit::within(STARTUP + PLACE).cancelled_by(seat.cancel.clone());
        let id = SessionId(random::name("bs_"));
        let SessionSettings { wire, vault, .. } = &self.settings;
        let memory = self.memory_of(caller);
        let gate = Gate::new(id.clone(), self.desk.clone(), wire.clone(), vault.clone(), memory);
        if let Some(sent) = &request.never_again {
            gate.never_again(sent.clone());
        }
        let place = self
            .driver
            .open(gate.clone(), request.thrift, &limit)
            .await
            .map_err(|error| Problem::from(&error))?;
        let begun = match self.settings.logins.begin(&*place, &self.settings.vault, &limit).await {
            Ok(begun) => begun,
            Err(problem) => {
                // What could not be closed in order ends with its browser.
                let _ = place.close(&Limit::within(PLACE)).await;
                return Err(problem);
            }
        };
        let session = Session::new(id, caller.clone(), gate, &self.settings, place, begun);
        match seat.fill(session) {
            Ok(in_use) => {
                tracing::info!(session = in_use.session.id.0, "session opened");
                self.turn(in_use).await
            }
            Err(refused) => {
                let (session, problem) = *refused;
                self.end(&session, "all sessions are being closed").await;
                Err(problem)
            }
        }
    }

    async fn first_look(&self, turn: &mut Turn, request: OpenRequest) -> Result<Opened, Problem> {
        let OpenRequest { url, observe, numbering, .. } = request;
        turn.state.numbering = numbering;
        let mut landing: Option<Landing> = None;
        if let Some(url) = &url {
            turn.session.gate.is_about(url.as_str());
            if let Some(problem) = refused_by_gate(turn, &Intent::Navigate(url.clone()))
                .filter(|problem| problem.code == Code::NavigationBlocked)
            {
                return Err(problem);
            }
            turn.session.gate.may_begin_at(url.as_str())?;
            turn.state.asked = PageText::from(url.to_string());
            let limit = turn.within(self.settings.navigation.saturating_add(2 * COMPLETE));
            if turn.session.gate.uses_what_it_read()
                && let Err(error) = turn.watch_everything(&limit).await
            {
                return Err(self.failed(turn, &error));
            }
            let went = match turn.place() {
                Ok(place) => place.go(url, &limit).await,
                Err(error) => Err(error),
            };
            match went {
                Ok(landed) => landing = Some(landed),
                // The page asks before it is there: that is for the caller to answer.
                Err(BrowserError::DialogOpen { .. }) => {}
                Err(error) => {
                    let problem = self.failed(turn, &error);
                    let caught = turn.session.gate.take_caught();
                    return Err(caught.first().map_or(problem, Caught::problem));
                }
            }
        }
        turn.state.bodiless = landing.clone().filter(|landing| landing.body == Body::Empty);
        turn.look(&observe).await.map_err(|error| self.failed(turn, &error))?;
        let seen = turn.seen(None, &observe.include).await.ok_or_else(super::register::not_found)?;
        let wire = turn.place().map_or(Wire::Open, |place| place.wire());
        Ok(Opened { session: turn.session.id.clone(), landing, seen, wire })
    }
}

/// The turn to open a session did not come.
fn not_yet(expired: Expired) -> Problem {
    const WHAT: &str = "waiting for other sessions to be opened";
    Problem::from(&match expired {
        Expired::Cancelled => BrowserError::Cancelled { what: WHAT },
        Expired::Deadline => BrowserError::Timeout { what: WHAT, url: String::new() },
    })
}
