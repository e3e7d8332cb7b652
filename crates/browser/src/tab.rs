//! One tab: where it is, what is in it, and the one way in which commands reach its page.

use std::time::{Duration, Instant};

use legwork_cdp::{
    CdpError, Command, Limit, Link, Lost, Reply, SessionId,
    protocol::{accessibility, page, runtime},
};
use legwork_types::{FrameId, TabId};
use serde::Deserialize;
use tokio::sync::watch;

use crate::{
    BrowserError,
    diagnosis::{RESERVE, probe},
    hub::HubHandle,
    world::{Frame, Gone, OpenDialog, Phase, Progress, TabState},
};

/// The name of our world in every frame.
pub(crate) const WORLD: &str = "legwork";

/// An answer to a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DialogAnswer {
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

    /// Everything that holders can see of it, as it changes.
    pub(crate) fn news(&self) -> watch::Receiver<TabState> {
        self.state.clone()
    }

    /// Its frames now, parents before children.
    pub async fn frames(&self) -> Result<Vec<Frame>, BrowserError> {
        let id = self.id;
        let frames = self.hub.look(move |world| world.frames_of(id)).await;
        frames.map_err(|lost| self.lost(lost))?.ok_or_else(|| self.ended())
    }

    /// Dismisses the dialog that waits: a no is always safe. False if there is none (any more).
    pub async fn dismiss_dialog(&self) -> Result<bool, BrowserError> {
        self.answer_dialog(DialogAnswer::Dismiss).await
    }

    /// Answers the dialog that waits. False if there is none (any more).
    pub(crate) async fn answer_dialog(&self, answer: DialogAnswer) -> Result<bool, BrowserError> {
        match self.dialog() {
            Some(dialog) => self.answer_this_dialog(&dialog, answer).await,
            None => Ok(false),
        }
    }

    /// Answers this dialog and no other. False if it does not wait any more.
    pub(crate) async fn answer_this_dialog(
        &self,
        dialog: &OpenDialog,
        answer: DialogAnswer,
    ) -> Result<bool, BrowserError> {
        let (id, serial) = (self.id, dialog.serial);
        let (accept, text) = match answer {
            DialogAnswer::Accept(text) => (true, text),
            DialogAnswer::Dismiss => (false, None),
        };
        let answered = self.hub.ask(move |world| {
            let effects = world.answer_this_dialog(id, serial, accept, text);
            (effects.is_some(), effects.unwrap_or_default())
        });
        answered.await.map_err(|lost| self.lost(lost))
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

    /// How far the present document came; none if it was there before us.
    pub(crate) fn progress(&self) -> Option<Progress> {
        self.state.borrow().loads.latest()
    }

    /// Whether nothing of the page is loading now.
    pub(crate) fn is_idle(&self) -> bool {
        !self.state.borrow().loading
    }

    /// Evaluates our own expression in our own world of one frame, where the page can't patch anything.
    pub(crate) async fn evaluate(
        &self,
        frame: &FrameId,
        expression: &str,
        limit: &Limit,
    ) -> Result<Reply, BrowserError> {
        const WHAT: &str = "reading the page";
        let session = self.session_of(frame).await?;
        let world = page::CreateIsolatedWorld { frame_id: frame.as_str(), world_name: WORLD };
        let world = self.call_in(&session, &world, WHAT, limit).await.map_err(or_frame_gone)?;
        let world = world.read::<page::IsolatedWorld>().map_err(BrowserError::Protocol)?;
        self.call_in(&session, &evaluation(expression, &world), WHAT, limit).await.map_err(or_frame_gone)
    }

    /// The same for what is good to have: a page that does not answer is left in peace, and nothing is read.
    pub(crate) async fn evaluate_if_it_answers(
        &self,
        frame: &FrameId,
        expression: &str,
        limit: &Limit,
    ) -> Result<Option<Reply>, BrowserError> {
        let session = self.session_of(frame).await?;
        let reading = async {
            let world = page::CreateIsolatedWorld { frame_id: frame.as_str(), world_name: WORLD };
            let world = self.link.call(Some(&session), &world, limit).await?.read::<page::IsolatedWorld>()?;
            self.link.call(Some(&session), &evaluation(expression, &world), limit).await
        };
        let read = tokio::select! {
            biased;
            read = reading => read,
            obstacle = self.interrupted() => match obstacle {
                BrowserError::DialogOpen { .. } => return Ok(None),
                gone => return Err(gone),
            },
        };
        match read {
            Ok(reply) => Ok(Some(reply)),
            Err(CdpError::Lost(lost)) => Err(self.lost(lost)),
            Err(CdpError::Cancelled { .. }) => Err(BrowserError::Cancelled { what: "reading the page" }),
            Err(CdpError::SessionGone { .. }) => Err(self.session_gone(&session, limit).await),
            Err(error) => {
                tracing::debug!(?error, "the page did not tell about itself");
                Ok(None)
            }
        }
    }

    /// The session that holds a frame.
    pub(crate) async fn session_of(&self, frame: &FrameId) -> Result<SessionId, BrowserError> {
        let (id, wanted) = (self.id, frame.clone());
        let session = self.hub.look(move |world| world.session_of_frame(id, &wanted)).await;
        let gone = || self.gone().map_or(BrowserError::FrameGone, |_| self.ended());
        session.map_err(|lost| self.lost(lost))?.ok_or_else(gone)
    }

    /// The same, with the value read.
    pub(crate) async fn value<T: for<'a> Deserialize<'a>>(
        &self,
        frame: &FrameId,
        expression: &str,
        limit: &Limit,
    ) -> Result<T, BrowserError> {
        read_value(&self.evaluate(frame, expression, limit).await?)
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
        let began = Instant::now();
        let posted = self.link.post(Some(session), command).map_err(|error| self.explain_now(error, what))?;
        let patience = limit.keeping(RESERVE);
        let reply = tokio::select! {
            biased;
            reply = posted.reply(&patience) => reply,
            obstacle = self.interrupted() => return Err(obstacle),
        };
        match reply {
            Ok(reply) => Ok(reply),
            Err(CdpError::Deadline { .. }) => Err(self.diagnose(what, session, began, limit).await),
            Err(CdpError::SessionGone { .. }) => Err(self.session_gone(session, limit).await),
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
        let began = Instant::now();
        let mut state = self.state.clone();
        let patience = limit.keeping(RESERVE);
        let waited = patience.run(async {
            loop {
                if let Some(value) = found(&state.borrow_and_update()) {
                    return Ok(value);
                }
                if let Some(obstacle) = self.obstacle() {
                    return Err(obstacle);
                }
                if state.changed().await.is_err() {
                    return Err(self.obstacle().unwrap_or_else(|| self.ended()));
                }
            }
        });
        match waited.await {
            Ok(outcome) => outcome,
            Err(legwork_cdp::Expired::Cancelled) => Err(BrowserError::Cancelled { what }),
            Err(legwork_cdp::Expired::Deadline) => {
                Err(self.diagnose(what, &self.session(), began, limit).await)
            }
        }
    }

    pub(crate) fn target(&self) -> String {
        self.state.borrow().target.clone()
    }

    pub(crate) fn session(&self) -> SessionId {
        self.state.borrow().session.clone()
    }

    /// What stands in the way of any command to the page.
    pub(crate) fn obstacle(&self) -> Option<BrowserError> {
        let state = self.state.borrow();
        match (state.phase, &state.dialog) {
            (Phase::Gone(gone), _) => Some(BrowserError::TabGone { gone, url: state.url.clone() }),
            (_, Some(dialog)) => {
                Some(BrowserError::DialogOpen { kind: dialog.kind, message: dialog.message.clone() })
            }
            _ => None,
        }
    }

    /// Resolves once another document is under way. Until the server has answered, Chromium keeps back whatever is sent to the page.
    pub(crate) async fn leaves(&self) {
        // The tab's end is told by `interrupted`.
        if self.news().wait_for(|state| state.under_way.is_some()).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Waits until something stands in the way.
    pub(crate) async fn interrupted(&self) -> BrowserError {
        let mut state = self.state.clone();
        loop {
            state.mark_unchanged();
            if let Some(obstacle) = self.obstacle() {
                return obstacle;
            }
            if state.changed().await.is_err() {
                return self.obstacle().unwrap_or_else(|| self.ended());
            }
        }
    }

    /// The session is gone; the news that explain it may be a moment behind.
    pub(crate) async fn session_gone(&self, session: &SessionId, limit: &Limit) -> BrowserError {
        if *session != self.session() {
            return self.obstacle().unwrap_or(BrowserError::FrameGone);
        }
        let mut state = self.state.clone();
        let news = state.wait_for(|state| matches!(state.phase, Phase::Gone(_)));
        let _ = limit.at_most(Duration::from_secs(2)).run(news).await;
        self.ended()
    }

    fn explain_now(&self, error: CdpError, what: &'static str) -> BrowserError {
        match error {
            CdpError::Lost(lost) => self.lost(lost),
            CdpError::Cancelled { .. } => BrowserError::Cancelled { what },
            error => BrowserError::Protocol(error),
        }
    }

    /// The browser is gone, and this tab with it.
    pub(crate) fn lost(&self, cause: Lost) -> BrowserError {
        BrowserError::Lost { cause, url: Some(self.url()) }
    }

    /// How the tab ended, or the whole browser.
    pub(crate) fn ended(&self) -> BrowserError {
        match (self.gone(), self.link.is_lost()) {
            (_, Some(lost)) => self.lost(lost),
            (Some(gone), None) => BrowserError::TabGone { gone, url: self.url() },
            // The hub let go of it without a word: it ends with its browser only.
            (None, None) => self.lost(Lost::Ended),
        }
    }
}

fn evaluation<'a>(expression: &'a str, world: &page::IsolatedWorld) -> runtime::Evaluate<'a> {
    let context_id = Some(world.execution_context_id);
    runtime::Evaluate { expression, context_id, return_by_value: true, await_promise: false }
}

/// The value of an evaluation.
pub(crate) fn read_value<T: for<'a> Deserialize<'a>>(reply: &Reply) -> Result<T, BrowserError> {
    let unreadable =
        |detail: String| BrowserError::Protocol(CdpError::Unreadable { method: "Runtime.evaluate", detail });
    let evaluated = reply.read::<runtime::Evaluated<'_>>().map_err(BrowserError::Protocol)?;
    if let Some(thrown) = evaluated.exception_details {
        return Err(unreadable(thrown.exception.map_or(thrown.text.0, |exception| exception.description.0)));
    }
    let raw = evaluated.result.value.map_or("null", |value| value.get());
    serde_json::from_str(raw).map_err(|error| unreadable(error.to_string()))
}

/// A document that changes between two commands is no defect. Chromium tells of it in these words only.
pub(crate) fn or_frame_gone(error: BrowserError) -> BrowserError {
    const WORDS: [&str; 5] = [
        "Cannot find context with specified id",
        "No frame for given id found",
        "No frame with given id found",
        "Execution context was destroyed",
        "Inspected target navigated or closed",
    ];
    match &error {
        BrowserError::Protocol(CdpError::Refused { message, .. })
            if WORDS.iter().any(|words| message.contains(words)) =>
        {
            BrowserError::FrameGone
        }
        _ => error,
    }
}
