//! One tab: where it is, what is in it, and the one way in which commands reach its page.

use std::time::Duration;

use legwork_cdp::{
    CdpError, Command, Limit, Link, Lost, Reply, SessionId,
    protocol::{accessibility, browser, page, runtime},
};
use legwork_types::{FrameId, TabId};
use serde::Deserialize;
use tokio::sync::watch;

use crate::{
    BrowserError,
    hub::HubHandle,
    world::{Frame, Gone, OpenDialog, Phase, TabState},
};

/// The part of every wait that is kept to tell a slow page from a hung one and from a lost browser.
const DIAGNOSIS: Duration = Duration::from_secs(2);

/// The name of our world in every frame.
const WORLD: &str = "legwork";

/// An answer to a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialogAnswer {
    /// OK, with the text that a prompt asked for.
    Accept(Option<String>),
    /// Cancel.
    Dismiss,
}

/// A handle to one tab. It stays valid after the tab's end: it then tells how the tab ended.
#[derive(Clone)]
pub struct Tab {
    id: TabId,
    state: watch::Receiver<TabState>,
    pub(crate) hub: HubHandle,
    pub(crate) link: Link,
}

impl Tab {
    pub(crate) fn new(id: TabId, state: watch::Receiver<TabState>, hub: HubHandle, link: Link) -> Self {
        Self { id, state, hub, link }
    }

    /// Its id.
    pub fn id(&self) -> TabId {
        self.id
    }

    /// Where it is.
    pub fn url(&self) -> String {
        self.state.borrow().url.clone()
    }

    /// The dialog that waits for an answer, if any.
    pub fn dialog(&self) -> Option<OpenDialog> {
        self.state.borrow().dialog.clone()
    }

    /// How it ended, if it did.
    pub fn gone(&self) -> Option<Gone> {
        match self.state.borrow().phase {
            Phase::Gone(gone) => Some(gone),
            Phase::Preparing | Phase::Ready => None,
        }
    }

    /// Its frames now, parents before children.
    pub async fn frames(&self) -> Result<Vec<Frame>, BrowserError> {
        let id = self.id;
        match self.hub.look(move |world| world.frames_of(id)).await {
            Some(Some(frames)) => Ok(frames),
            Some(None) => Err(self.ended()),
            None => Err(self.lost(None)),
        }
    }

    /// Answers the dialog that waits. False if there is none (any more).
    pub async fn answer_dialog(&self, answer: DialogAnswer) -> Result<bool, BrowserError> {
        let id = self.id;
        let (accept, text) = match answer {
            DialogAnswer::Accept(text) => (true, text),
            DialogAnswer::Dismiss => (false, None),
        };
        let answered = self.hub.ask(move |world| {
            let effects = world.answer_dialog(id, accept, text);
            (effects.is_some(), effects.unwrap_or_default())
        });
        answered.await.ok_or_else(|| self.lost(None))
    }

    /// Waits until our settings are in force.
    pub(crate) async fn ready(&self, limit: &Limit) -> Result<(), BrowserError> {
        self.until(limit, "opening the tab", |state| (state.phase == Phase::Ready).then_some(())).await
    }

    /// Waits until the page loads nothing any more, or the limit is over: for those who would like it complete but can do
    /// without. Whether it is.
    pub async fn loaded(&self, limit: &Limit) -> bool {
        let mut state = self.state.clone();
        let quiet =
            state.wait_for(|state| !state.loading || state.phase != Phase::Ready || state.dialog.is_some());
        matches!(limit.run(quiet).await, Ok(Ok(state)) if !state.loading)
    }

    /// Evaluates our own expression in our own world of one frame, where the page can't patch anything.
    pub async fn evaluate(
        &self,
        frame: &FrameId,
        expression: &str,
        limit: &Limit,
    ) -> Result<Reply, BrowserError> {
        let (id, wanted) = (self.id, frame.clone());
        let session = match self.hub.look(move |world| world.session_of_frame(id, &wanted)).await {
            Some(Some(session)) => session,
            Some(None) => return Err(self.gone().map_or(BrowserError::FrameGone, |_| self.ended())),
            None => return Err(self.lost(None)),
        };
        let world = page::CreateIsolatedWorld { frame_id: frame.as_str(), world_name: WORLD };
        let world = self.call_in(&session, &world, "reading the page", limit).await?;
        let world = world.read::<page::IsolatedWorld>().map_err(BrowserError::Protocol)?;
        let evaluate = runtime::Evaluate {
            expression,
            context_id: Some(world.execution_context_id),
            return_by_value: true,
            await_promise: false,
        };
        self.call_in(&session, &evaluate, "reading the page", limit).await
    }

    /// The same, with the value read.
    pub async fn value<T: for<'a> Deserialize<'a>>(
        &self,
        frame: &FrameId,
        expression: &str,
        limit: &Limit,
    ) -> Result<T, BrowserError> {
        let reply = self.evaluate(frame, expression, limit).await?;
        let unreadable = |detail: String| {
            BrowserError::Protocol(CdpError::Unreadable { method: "Runtime.evaluate", detail })
        };
        let evaluated = reply.read::<runtime::Evaluated<'_>>().map_err(BrowserError::Protocol)?;
        if let Some(thrown) = evaluated.exception_details {
            return Err(unreadable(
                thrown.exception.map_or(thrown.text.0, |exception| exception.description.0),
            ));
        }
        let raw = evaluated.result.value.map_or("null", |value| value.get());
        serde_json::from_str(raw).map_err(|error| unreadable(error.to_string()))
    }

    /// Chromium's own accessibility tree of the main frame, raw.
    pub async fn accessibility_tree(&self, limit: &Limit) -> Result<Reply, BrowserError> {
        self.call(&accessibility::GetFullAxTree { frame_id: None }, "reading the accessibility tree", limit)
            .await
    }

    /// Whether the page answers at all: for use before work that relies on it.
    pub async fn check(&self, limit: &Limit) -> Result<(), BrowserError> {
        self.ready(limit).await?;
        self.call(&probe(), "checking the page", limit).await.map(drop)
    }

    /// Sends a command to the page's own session.
    pub(crate) async fn call<C: Command>(
        &self,
        command: &C,
        what: &'static str,
        limit: &Limit,
    ) -> Result<Reply, BrowserError> {
        let session = self.session();
        self.call_in(&session, command, what, limit).await
    }

    /// Sends a command to one of the tab's sessions. The one place where an answer that does not come is explained.
    pub(crate) async fn call_in<C: Command>(
        &self,
        session: &SessionId,
        command: &C,
        what: &'static str,
        limit: &Limit,
    ) -> Result<Reply, BrowserError> {
        if let Some(obstacle) = self.obstacle() {
            return Err(obstacle);
        }
        let posted = self.link.post(Some(session), command).map_err(|error| self.explain_now(error, what))?;
        let patience = limit.keeping(DIAGNOSIS);
        let reply = tokio::select! {
            biased;
            reply = posted.reply(&patience) => reply,
            obstacle = self.interrupted() => return Err(obstacle),
        };
        match reply {
            Ok(reply) => Ok(reply),
            Err(CdpError::Deadline { .. }) => Err(self.diagnose(what, limit).await),
            Err(CdpError::SessionGone { .. }) => Err(self.session_gone(session).await),
            Err(error) => Err(self.explain_now(error, what)),
        }
    }

    /// Waits for something that news will bring, and explains why it did not come.
    pub(crate) async fn until<T>(
        &self,
        limit: &Limit,
        what: &'static str,
        mut found: impl FnMut(&TabState) -> Option<T>,
    ) -> Result<T, BrowserError> {
        let mut state = self.state.clone();
        let patience = limit.keeping(DIAGNOSIS);
        let waited = patience.run(async {
            loop {
                if let Some(value) = found(&state.borrow_and_update()) {
                    return Ok(value);
                }
                if let Some(obstacle) = self.obstacle() {
                    return Err(obstacle);
                }
                if state.changed().await.is_err() {
                    return Err(self.obstacle().unwrap_or_else(|| self.lost(None)));
                }
            }
        });
        match waited.await {
            Ok(outcome) => outcome,
            Err(legwork_cdp::Expired::Cancelled) => Err(BrowserError::Cancelled { what }),
            Err(legwork_cdp::Expired::Deadline) => Err(self.diagnose(what, limit).await),
        }
    }

    pub(crate) fn target(&self) -> String {
        self.state.borrow().target.clone()
    }

    pub(crate) fn session(&self) -> SessionId {
        self.state.borrow().session.clone()
    }

    /// What stands in the way of any command to the page.
    fn obstacle(&self) -> Option<BrowserError> {
        let state = self.state.borrow();
        match (state.phase, &state.dialog) {
            (Phase::Gone(gone), _) => Some(BrowserError::TabGone { gone, url: state.url.clone() }),
            (_, Some(dialog)) => {
                Some(BrowserError::DialogOpen { kind: dialog.kind, message: dialog.message.clone() })
            }
            _ => None,
        }
    }

    /// Waits until something stands in the way.
    async fn interrupted(&self) -> BrowserError {
        let mut state = self.state.clone();
        loop {
            state.mark_unchanged();
            if let Some(obstacle) = self.obstacle() {
                return obstacle;
            }
            if state.changed().await.is_err() {
                return self.obstacle().unwrap_or_else(|| self.lost(None));
            }
        }
    }

    /// An answer did not come in time: is the page slow, is it hung, or is the browser gone?
    async fn diagnose(&self, what: &'static str, limit: &Limit) -> BrowserError {
        if let Some(obstacle) = self.obstacle() {
            return obstacle;
        }
        // A little is kept so that the verdict, too, comes within the limit.
        let patience = limit.keeping(Duration::from_millis(200));
        let session = self.session();
        // Chromium keeps back whatever is sent to a page while a navigation of it waits for its server: such a page
        // would look hung. What goes on loading after its time is over would disturb the next command anyway.
        let _ = self.link.post(Some(&session), &page::StopLoading {});
        let browser = self.link.call(None, &browser::GetVersion {}, &patience);
        let page_probe = probe();
        let page = self.link.call(Some(&session), &page_probe, &patience);
        let (browser, page) = tokio::join!(browser, page);
        match (browser, page) {
            (Err(CdpError::Cancelled { .. }), _) => BrowserError::Cancelled { what },
            (Err(CdpError::Lost(lost)), _) => self.lost(Some(lost)),
            (Err(_), _) => {
                self.link.give_up(Lost::Silent);
                self.lost(Some(Lost::Silent))
            }
            (Ok(_), Err(CdpError::Deadline { .. })) => {
                if let Some(obstacle) = self.obstacle() {
                    return obstacle;
                }
                let id = self.id;
                let end =
                    self.hub.ask(move |world| ((), world.end_tab(id, Gone::Unresponsive, "unresponsive")));
                end.await;
                self.ended()
            }
            (Ok(_), Err(CdpError::SessionGone { .. })) => self.session_gone(&session).await,
            (Ok(_), _) => BrowserError::Timeout { what, url: self.url() },
        }
    }

    /// The session is gone; the news that explain it may be a moment behind.
    async fn session_gone(&self, session: &SessionId) -> BrowserError {
        if *session != self.session() {
            return self.obstacle().unwrap_or(BrowserError::FrameGone);
        }
        let mut state = self.state.clone();
        let news = state.wait_for(|state| matches!(state.phase, Phase::Gone(_)));
        let _ = Limit::within(DIAGNOSIS).run(news).await;
        self.ended()
    }

    fn explain_now(&self, error: CdpError, what: &'static str) -> BrowserError {
        match error {
            CdpError::Lost(lost) => self.lost(Some(lost)),
            CdpError::Cancelled { .. } => BrowserError::Cancelled { what },
            error => BrowserError::Protocol(error),
        }
    }

    fn lost(&self, cause: Option<Lost>) -> BrowserError {
        let cause = cause.or_else(|| self.link.is_lost()).unwrap_or(Lost::Closed);
        BrowserError::Lost { cause, url: Some(self.url()) }
    }

    fn ended(&self) -> BrowserError {
        if let Some(lost) = self.link.is_lost() {
            return self.lost(Some(lost));
        }
        BrowserError::TabGone { gone: self.gone().unwrap_or(Gone::Closed), url: self.url() }
    }
}

/// The cheapest question that only a living renderer answers.
fn probe() -> runtime::Evaluate<'static> {
    runtime::Evaluate { expression: "0", context_id: None, return_by_value: true, await_promise: false }
}
