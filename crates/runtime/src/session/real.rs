//! The real browser behind sessions: one for all, started with the first place, replaced when it is found dead.

use std::sync::Arc;

use legwork_browser::{
    Aims, Blocked, Browser, BrowserError, Capture, CaptureOptions, ContextOptions, DialogKind, Done, Epoch,
    Expired, Landing, Limit, Lost, NotDone, Rect, Tab, TabSummary, Thrift,
};
use legwork_observe::Look;
use legwork_policy::{
    Permit, Wire,
    logins::{Cookie, SavedState, Storage},
};
use legwork_types::{
    HostPort, Intent, PageUrl,
    contract::{Dialog, Receipt, SentRequest},
};
use tokio::sync::Mutex;

use super::{
    one::locked,
    port::{Driver, Place, Work},
};
use crate::{
    BrowserSource, KeeperEvent,
    cover::covers,
    enclosure::Enclosure,
    gate::Gate,
    keeper::HEALTH,
    start::Starter,
    visit::{COMPLETE, complete},
};

/// The owner of at most one browser. Dropping it leaves no process behind.
pub(crate) struct RealDriver {
    /// Whether the browser is started here.
    is_ours: bool,
    state: Mutex<State>,
}

struct State {
    starter: Starter,
    browser: Option<Browser>,
    /// Held by every place that is open in the browser.
    in_use: Arc<()>,
}

impl RealDriver {
    /// Nothing is started yet.
    pub(crate) fn new(
        source: BrowserSource,
        upstream: Option<HostPort>,
        watch: impl FnMut(KeeperEvent) + Send + 'static,
    ) -> Self {
        let is_ours = matches!(source, BrowserSource::Launch(_));
        let starter = Starter::new(source, upstream, watch);
        Self { is_ours, state: Mutex::new(State { starter, browser: None, in_use: Arc::new(()) }) }
    }
}

impl Driver for RealDriver {
    fn open<'a>(
        &'a self,
        gate: Arc<Gate>,
        thrift: Thrift,
        limit: &'a Limit,
    ) -> Work<'a, Result<Box<dyn Place>, BrowserError>> {
        Box::pin(async move {
            const WHAT: &str = "waiting for the browser";
            // Held until the place is there: a browser that comes to rest meanwhile would take it along.
            let mut state = limit.run(self.state.lock()).await.map_err(|expired| match expired {
                Expired::Cancelled => BrowserError::Cancelled { what: WHAT },
                Expired::Deadline => BrowserError::Timeout { what: WHAT, url: String::new() },
            })?;
            let place: Box<dyn Place> = Box::new(state.open(gate, thrift, limit).await?);
            Ok(place)
        })
    }

    fn is_ours(&self) -> bool {
        self.is_ours
    }

    fn rest(&self) -> Work<'_, ()> {
        Box::pin(async {
            let mut state = self.state.lock().await;
            if Arc::strong_count(&state.in_use) == 1 {
                state.end().await;
            }
        })
    }

    fn shut(&self) -> Work<'_, ()> {
        Box::pin(async { self.state.lock().await.end().await })
    }
}

impl State {
    async fn open(
        &mut self,
        gate: Arc<Gate>,
        thrift: Thrift,
        limit: &Limit,
    ) -> Result<RealPlace, BrowserError> {
        if let Some(cause) = found_lost(self.browser.as_ref(), limit).await?
            && let Some(browser) = self.browser.take()
        {
            self.starter.bury(browser, cause, None).await;
        }
        if self.browser.is_none() {
            self.browser = Some(self.starter.start(limit).await?);
        }
        let Some(browser) = &self.browser else { return Err(Lost::Ended.into()) };
        if gate.has_secrets() {
            browser.watch_everything(limit).await?;
        }
        let enclosure = self
            .starter
            .enclose(browser, gate, &ContextOptions { thrift, ..ContextOptions::default() }, limit)
            .await?;
        Ok(RealPlace { enclosure, seen: std::sync::Mutex::default(), _in_use: self.in_use.clone() })
    }

    /// The lock is held to the end: a new browser must not meet the old one in the same profile.
    async fn end(&mut self) {
        if let Some(browser) = self.browser.take() {
            browser.close().await;
        }
    }
}

/// Why the browser that is kept is of no use any more, if it is.
async fn found_lost(kept: Option<&Browser>, limit: &Limit) -> Result<Option<Lost>, BrowserError> {
    let Some(browser) = kept else { return Ok(None) };
    if let Some(cause) = browser.is_lost() {
        return Ok(Some(cause));
    }
    match browser.check(&limit.at_most(HEALTH)).await {
        // A browser that is only slow to answer is busy with its pages.
        Ok(()) | Err(BrowserError::Timeout { .. }) => Ok(None),
        Err(BrowserError::Lost { cause, .. }) => Ok(Some(cause)),
        Err(error) => Err(error),
    }
}

struct RealPlace {
    enclosure: Enclosure,
    /// The tab that was last looked at, until somebody was told that it is gone.
    seen: std::sync::Mutex<Option<Tab>>,
    _in_use: Arc<()>,
}

impl RealPlace {
    async fn tab(&self, limit: &Limit) -> Result<Tab, BrowserError> {
        self.has_not_crashed()?;
        self.enclosure.context.active_tab(limit).await
    }

    /// A page that crashes while nobody waits for it has another tab take its place. Whoever comes next is told, until one of those was told
    /// whose callers hear of it: who looks, goes or acts.
    fn has_not_crashed(&self) -> Result<(), BrowserError> {
        let seen = locked(&self.seen);
        let crashed =
            seen.as_ref().and_then(|tab| Some((tab.gone().filter(|gone| gone.has_crashed())?, tab.url())));
        crashed.map_or(Ok(()), |(gone, url)| Err(BrowserError::TabGone { gone, url }))
    }

    /// Whoever is told that the tab is gone need not be told again.
    fn told<T>(&self, outcome: Result<T, BrowserError>) -> Result<T, BrowserError> {
        if let Err(BrowserError::TabGone { .. }) = &outcome {
            *locked(&self.seen) = None;
        }
        outcome
    }
}

impl Place for RealPlace {
    fn wire(&self) -> Wire {
        self.enclosure.wire
    }

    fn is_lost(&self) -> Option<Lost> {
        self.enclosure.context.is_lost()
    }

    fn go<'a>(&'a self, url: &'a PageUrl, limit: &'a Limit) -> Work<'a, Result<Landing, BrowserError>> {
        Box::pin(async move {
            let tab = self.told(self.tab(limit).await)?;
            let mark = self.enclosure.mark();
            let landing = self.told(tab.navigate(url, &limit.keeping(2 * COMPLETE)).await);
            let status = landing.as_ref().ok().and_then(|landing| landing.status);
            if let Some(why) = self.enclosure.unreached(url.as_str(), mark, status) {
                return Err(why);
            }
            complete(&tab, landing?, limit).await
        })
    }

    fn landing<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Landing, BrowserError>> {
        Box::pin(async move { self.tab(limit).await?.landing(limit).await })
    }

    fn capture<'a>(
        &'a self,
        how: &'a CaptureOptions,
        limit: &'a Limit,
    ) -> Work<'a, Result<Capture, BrowserError>> {
        Box::pin(async move {
            let tab = self.told(self.tab(limit).await)?;
            *locked(&self.seen) = Some(tab.clone());
            self.told(tab.capture(how, limit).await)
        })
    }

    fn act<'a>(
        &'a self,
        permit: Permit,
        aims: &'a Aims,
        look: Option<Work<'a, ()>>,
        limit: &'a Limit,
    ) -> Work<'a, Result<Done, NotDone>> {
        Box::pin(async move {
            if let Err(crashed) = self.told(self.has_not_crashed()) {
                let why = Blocked::Browser(crashed);
                return Err(NotDone { why, permit: Some(permit), receipt: Receipt::default() });
            }
            let address = match permit.intent() {
                Intent::Navigate(url) => Some(url.to_string()),
                _ => None,
            };
            let mark = self.enclosure.mark();
            let outcome = self.enclosure.context.act_and_look(permit, aims, look, limit).await;
            if let Err(NotDone { why: Blocked::Browser(BrowserError::TabGone { .. }), .. }) = &outcome {
                *locked(&self.seen) = None;
            }
            let unreached = address.and_then(|address| {
                let status = outcome.as_ref().ok().and_then(|done| status_of(&address, &done.receipt));
                self.enclosure.unreached(&address, mark, status)
            });
            match (outcome, unreached) {
                (Ok(done), Some(why)) => {
                    Err(NotDone { why: Blocked::Browser(why), permit: None, receipt: done.receipt })
                }
                (Err(not_done), Some(why)) => Err(NotDone { why: Blocked::Browser(why), ..not_done }),
                (outcome, None) => outcome,
            }
        })
    }

    fn tabs<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Vec<TabSummary>, BrowserError>> {
        Box::pin(self.enclosure.context.tabs(limit))
    }

    fn dialog<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Option<Dialog>, BrowserError>> {
        Box::pin(async move {
            let open = self.tab(limit).await?.dialog();
            Ok(open.map(|dialog| Dialog {
                kind: dialog_word(dialog.kind).to_owned(),
                message: dialog.message.into(),
            }))
        })
    }

    fn picture<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Vec<u8>, BrowserError>> {
        Box::pin(async move { self.tab(limit).await?.screenshot(limit).await })
    }

    fn covers<'a>(
        &'a self,
        look: &'a Look,
        epoch: &'a Epoch,
        limit: &'a Limit,
    ) -> Work<'a, Result<Vec<Rect>, BrowserError>> {
        Box::pin(async move { covers(&self.tab(limit).await?, look, epoch, limit).await })
    }

    fn cookies<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Vec<Cookie>, BrowserError>> {
        Box::pin(self.enclosure.context.cookies(limit))
    }

    fn stored_in_front<'a>(
        &'a self,
        origins: &'a [String],
        limit: &'a Limit,
    ) -> Work<'a, Result<Vec<Storage>, BrowserError>> {
        Box::pin(self.enclosure.context.stored_in_front(origins, limit))
    }

    fn log_in<'a>(&'a self, saved: &'a SavedState, limit: &'a Limit) -> Work<'a, Result<(), BrowserError>> {
        Box::pin(async move {
            let context = &self.enclosure.context;
            context.set_cookies(&saved.cookies, limit).await?;
            context.store(&saved.storage, limit).await
        })
    }

    fn stored<'a>(
        &'a self,
        origins: &'a [String],
        limit: &'a Limit,
    ) -> Work<'a, Result<Vec<Storage>, BrowserError>> {
        Box::pin(self.enclosure.context.stored(origins, limit))
    }

    fn watch_everything<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<(), BrowserError>> {
        Box::pin(self.enclosure.context.watch_everything(limit))
    }

    fn close<'a>(self: Box<Self>, limit: &'a Limit) -> Work<'a, Result<(), BrowserError>>
    where
        Self: 'a,
    {
        Box::pin(async move { self.enclosure.close(limit).await })
    }
}

/// The kind of a dialog in the words of the contract.
pub(crate) fn dialog_word(kind: DialogKind) -> &'static str {
    match kind {
        DialogKind::Alert => "alert",
        DialogKind::Confirm => "confirm",
        DialogKind::Prompt => "prompt",
        DialogKind::BeforeUnload => "beforeunload",
    }
}

/// The status of the answer to this address, by the receipt.
fn status_of(address: &str, receipt: &Receipt) -> Option<u16> {
    let asked = address.split(['?', '#']).next()?;
    let is_it =
        |sent: &&SentRequest| asked == format!("{}{}", sent.origin.untrusted(), sent.path.untrusted());
    receipt.effects.requests.iter().find(is_it)?.status
}
