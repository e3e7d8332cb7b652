//! Sessions: many isolated places in one browser, each with one current look. They outlive whoever opened them.

mod acting;
mod asking;
mod clerk;
mod deciding;
mod face;
mod facts;
mod found_again;
mod house;
mod looking;
mod one;
mod opening;
mod port;
mod real;
mod register;
mod telling;
#[cfg(test)]
mod tests;
mod wiring;

use std::sync::{Arc, Mutex};

pub use clerk::{Clerk, Noting};
pub use deciding::{Besides, Decided, Doings};
pub use face::{Acted, Caller, Numbering, OpenRequest, Opened, Seen, SessionSettings, SessionSummary};
pub use house::noted;

use legwork_types::{
    Problem,
    contract::{ActRequest, ObservationId, ObserveOptions, SessionId, Tab, Within},
};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

pub(crate) use self::port::Place;
use self::{
    clerk::NoRecord,
    house::{House, keep_tidy},
    one::locked,
    port::Driver,
    real::RealDriver,
};
use crate::{ApprovalId, Approvals, BrowserSource, KeeperEvent, Vault};

/// All sessions of one browser. Dropping it leaves no process behind; [`Sessions::shut`] ends all in good order.
pub struct Sessions {
    // Dropped in this order: who tidies up leaves the house before it falls.
    janitor: Mutex<JoinSet<()>>,
    house: Arc<House>,
}

impl Sessions {
    /// Nothing is started yet; the browser comes with the first session. `watch` is told what happens to it.
    pub fn new(
        source: BrowserSource,
        settings: SessionSettings,
        watch: impl FnMut(KeeperEvent) + Send + 'static,
    ) -> Self {
        let upstream = settings.wire.reach.upstream.clone();
        Self::behind(Box::new(RealDriver::new(source, upstream, watch)), settings)
    }

    fn behind(driver: Box<dyn Driver>, settings: SessionSettings) -> Self {
        let desk = Arc::new(Approvals::new(settings.question_life));
        Self { janitor: Mutex::default(), house: Arc::new(House::new(driver, settings, desk)) }
    }

    /// The operator's secrets: whoever tells anything lays their mask over it.
    pub fn vault(&self) -> &Arc<Vault> {
        &self.house.settings.vault
    }

    /// Whether its rules let traffic go to an address, as far as that can be told by its host.
    pub(crate) fn admits(&self, address: &str) -> Result<(), Problem> {
        crate::gate::admits(&self.house.settings.wire.reach, address).map_err(|denial| Problem::from(&denial))
    }

    /// Whether its browser is started here, and dies where memory runs out here.
    pub(crate) fn starts_browsers(&self) -> bool {
        self.house.driver.is_ours()
    }

    /// The questions that its sessions ask.
    pub fn approvals(&self) -> &Arc<Approvals> {
        &self.house.desk
    }

    /// Opens a session, goes to its first page if one is named, and looks at it.
    pub async fn open(
        &self,
        caller: &Caller,
        request: OpenRequest,
        cancel: &CancellationToken,
    ) -> Result<Opened, Problem> {
        self.employ_janitor();
        let vault = self.vault();
        let opened = self.house.open(caller, request, cancel).await;
        let hidden = |opened: Opened| Opened {
            landing: opened.landing.map(|landing| vault.hidden_landing(landing)),
            ..opened
        };
        opened.map(hidden).map_err(|problem| vault.hidden_problem(problem))
    }

    /// Looks at the page of a session. A cursor or a number in `within` belongs to the current look and is answered from it; all
    /// else takes a new one, which becomes the current one.
    pub async fn observe(
        &self,
        caller: &Caller,
        session: &SessionId,
        options: &ObserveOptions,
        cancel: &CancellationToken,
    ) -> Result<Seen, Problem> {
        let seen = self.house.observe(caller, session, options, cancel).await;
        seen.map_err(|problem| noted(self.vault().hidden_problem(problem), "observe", Some(session)))
    }

    /// Acts. Always answers, also when it refuses.
    pub async fn act(&self, caller: &Caller, request: ActRequest, cancel: &CancellationToken) -> Acted {
        self.act_on_record(caller, request, None, &mut NoRecord, cancel).await
    }

    /// The same where a permit is written down before anything is done by it. What can't be written down is not done. With a `caution`
    /// it is taken for dangerous whatever it seems: whatever would leave because of it is asked about, or stopped.
    pub async fn act_on_record(
        &self,
        caller: &Caller,
        request: ActRequest,
        caution: Option<&str>,
        clerk: &mut dyn Clerk,
        cancel: &CancellationToken,
    ) -> Acted {
        self.house.act(caller, request, caution, clerk, cancel).await
    }

    /// Waits until a question of a session is decided, and what was decided is carried out.
    pub async fn decided(
        &self,
        caller: &Caller,
        session: &SessionId,
        approval: &ApprovalId,
        cancel: &CancellationToken,
    ) -> Result<Decided, Problem> {
        self.house.decided(caller, session, approval, cancel).await
    }

    /// What leaves and what is decided in a session, whatever it comes of; none if the caller has no such session.
    pub fn doings(&self, caller: &Caller, session: &SessionId) -> Option<Doings> {
        self.house.doings(caller, session)
    }

    /// The words of the page, or of a part of the current look, at most so many characters of them. They are the page's: whoever
    /// shows them to a model puts a fence around them.
    pub async fn read(
        &self,
        caller: &Caller,
        session: &SessionId,
        within: Option<Within>,
        most: usize,
        cancel: &CancellationToken,
    ) -> Result<String, Problem> {
        let words = self.house.read(caller, session, within, most, cancel).await;
        words
            .map(|words| self.vault().hidden(words.untrusted().to_owned()))
            .map_err(|problem| noted(self.vault().hidden_problem(problem), "read", Some(session)))
    }

    /// All words of the page, wherever they stand on it, secrets hidden, at most so many characters; and whether these are really all.
    pub async fn read_all(
        &self,
        caller: &Caller,
        session: &SessionId,
        most: usize,
        cancel: &CancellationToken,
    ) -> Result<(String, bool), Problem> {
        let words = self.house.read_all(caller, session, most, cancel).await;
        words
            .map(|(words, is_whole)| (self.vault().hidden(words.untrusted().to_owned()), is_whole))
            .map_err(|problem| noted(self.vault().hidden_problem(problem), "read", Some(session)))
    }

    /// A picture of what is in sight, secrets covered: a JPEG. With the numbers of the current look on it if `marked` names it.
    pub async fn screenshot(
        &self,
        caller: &Caller,
        session: &SessionId,
        marked: Option<&ObservationId>,
        cancel: &CancellationToken,
    ) -> Result<Vec<u8>, Problem> {
        let jpeg = self.house.screenshot(caller, session, marked, cancel).await;
        jpeg.map_err(|problem| noted(self.vault().hidden_problem(problem), "screenshot", Some(session)))
    }

    /// The tabs of a session.
    pub async fn tabs(
        &self,
        caller: &Caller,
        session: &SessionId,
        cancel: &CancellationToken,
    ) -> Result<Vec<Tab>, Problem> {
        let tabs = self.house.tabs(caller, session, cancel).await;
        tabs.map(|tabs| self.vault().hidden_tabs(tabs))
            .map_err(|problem| noted(self.vault().hidden_problem(problem), "tabs", Some(session)))
    }

    /// Closes a session and frees all that it held. What is under way in it is called off.
    pub async fn close(&self, caller: &Caller, session: &SessionId) -> Result<(), Problem> {
        let taken = self.house.register.take(caller, session);
        let taken = taken.map_err(|problem| noted(problem, "close", Some(session)))?;
        self.house.end(&taken, "its caller closed it").await;
        Ok(())
    }

    /// The caller's sessions, the oldest first.
    pub async fn list(&self, caller: &Caller) -> Vec<SessionSummary> {
        let mut sessions = self.house.register.of(caller);
        sessions.sort_by(|one, other| (one.opened_at, &one.id.0).cmp(&(other.opened_at, &other.id.0)));
        let summary = |session: &Arc<one::Session>| SessionSummary {
            session: session.id.clone(),
            url: session
                .shown()
                .map(|look| look.scene().page.final_url.untrusted().to_owned())
                .unwrap_or_default(),
            opened_at: session.opened_at,
            idle: session.idle(),
        };
        sessions.iter().map(summary).collect()
    }

    /// Closes all sessions and the browser. No other session is opened afterwards.
    pub async fn shut(&self) {
        let sessions = self.house.register.shut();
        self.house.end_all(sessions, "all sessions are being closed").await;
        let mut janitor = std::mem::take(&mut *locked(&self.janitor));
        janitor.shutdown().await;
        self.house.driver.shut().await;
    }

    /// Somebody has to close what nobody uses, as soon as there may be something.
    fn employ_janitor(&self) {
        let mut janitor = locked(&self.janitor);
        if janitor.is_empty() {
            janitor.spawn(keep_tidy(Arc::downgrade(&self.house)));
        }
    }
}
