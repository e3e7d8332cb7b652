//! Keeps one browser: started when it is first needed, replaced when it is found dead, ended in good order.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use legwork_browser::{
    Browser, BrowserError, ConnectEvent, ContextOptions, Endpoints, Expired, LaunchOptions, Limit, Lost,
    Recorded, Sandbox, Tab, TabSummary,
};
use legwork_policy::wire::Mode;
use legwork_types::{Problem, contract::SessionId};
use tokio::sync::Mutex;

use crate::{
    Approvals, Reach, USUAL_LIFE, WireSettings,
    enclosure::Enclosure,
    gate::{Gate, admits},
    start::{Starter, Testing},
};

/// How long a browser, and then its page, may take to show that it lives.
pub(crate) const HEALTH: Duration = Duration::from_secs(5);

/// How many tabs that are gone are passed over before the browser itself is doubted.
const TABS_TRIED: usize = 3;

/// Where the browser comes from.
#[derive(Debug, Clone)]
pub enum BrowserSource {
    /// It is started here.
    Launch(LaunchOptions),
    /// Somebody else started it; each start uses the next of these.
    Endpoints(Endpoints),
}

/// What happened to the browser without being asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeeperEvent {
    /// A browser is ready.
    Started {
        /// Its name and version.
        product: String,
        /// Its process, if we started it.
        pid: Option<u32>,
        /// Whether it runs in its sandbox, if we started it.
        sandbox: Option<Sandbox>,
    },
    /// The browser was found dead or deaf; a new one takes its place.
    Replaced {
        /// Why.
        cause: Lost,
        /// Where its page was.
        url: Option<String>,
    },
    /// Something on the way to an endpoint.
    Endpoint(ConnectEvent),
    /// The flags of a browser of ours were found to hold.
    SelfTest(SelfTest),
}

/// How it is known that pages can't get past the gate in a browser that was started with these flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelfTest {
    /// It was tried just now.
    PassedNow {
        /// How long that took.
        took: Duration,
    },
    /// It was tried before, with the same program, flags and version of Legwork.
    PassedEarlier {
        /// When.
        since: SystemTime,
    },
}

/// The owner of at most one browser and its context. Dropping it leaves no process behind.
pub struct Keeper {
    reach: Reach,
    state: Mutex<State>,
}

struct State {
    starter: Starter,
    settings: Arc<WireSettings>,
    kept: Option<Kept>,
}

struct Kept {
    // Dropped in this order: the context says goodbye to a living browser.
    enclosure: Enclosure,
    browser: Browser,
    /// The tab that was last handed out.
    last: Option<Tab>,
}

impl Keeper {
    /// Nothing is started yet. Pages are only looked at: nothing that they would write leaves the browser. `watch` is told what
    /// happens to it.
    pub fn new(source: BrowserSource, reach: Reach, watch: impl FnMut(KeeperEvent) + Send + 'static) -> Self {
        let settings = WireSettings { mode: Mode::ReadOnly, reach: reach.clone(), ..WireSettings::default() };
        let settings = Arc::new(settings);
        let starter = Starter::new(source, reach.upstream.clone(), watch);
        Self { reach, state: Mutex::new(State { starter, settings, kept: None }) }
    }

    /// The same, but flags are put to the test even if it is known that they passed.
    #[must_use]
    pub fn testing_again(mut self) -> Self {
        self.state.get_mut().starter.tests(Testing::Always);
        self
    }

    /// The tab in front of a browser that lives: the same as before where it does, else that of a new one.
    pub async fn page(&self, limit: &Limit) -> Result<Tab, BrowserError> {
        let mut state = self.locked(limit).await?;
        match state.living_tab(limit).await {
            Some(Ok(tab)) => return Ok(tab),
            Some(Err(BrowserError::Lost { cause, .. })) => state.bury(cause).await,
            // The call failed, not the browser.
            Some(Err(error)) => return Err(error),
            None => {}
        }
        let mut kept = state.start(limit).await?;
        let tab = kept.enclosure.context.active_tab(limit).await?;
        kept.last = Some(tab.clone());
        state.kept = Some(kept);
        Ok(tab)
    }

    /// Whether an address may be opened, as far as that can be told by its host.
    pub(crate) fn admits(&self, address: &str) -> Result<(), BrowserError> {
        admits(&self.reach, address).map_err(|denial| BrowserError::Denied(Box::new(denial)))
    }

    /// Where the ledger of its way stands.
    pub(crate) async fn mark(&self) -> u64 {
        self.state.lock().await.kept.as_ref().map_or(0, |kept| kept.enclosure.mark())
    }

    /// Why an address could not be reached, if the way there says so.
    pub(crate) async fn unreached(
        &self,
        address: &str,
        since: u64,
        status: Option<u16>,
    ) -> Option<BrowserError> {
        self.state.lock().await.kept.as_ref()?.enclosure.unreached(address, since, status)
    }

    /// What happened in the browser's context after the happening of the given number; nothing without a browser.
    pub async fn happenings(&self, since: u64) -> Result<Vec<Recorded>, BrowserError> {
        match &self.state.lock().await.kept {
            Some(kept) => kept.enclosure.context.happenings(since).await,
            None => Ok(vec![]),
        }
    }

    /// The tabs of the browser's context; none without a browser.
    pub async fn tabs(&self, limit: &Limit) -> Result<Vec<TabSummary>, BrowserError> {
        match &self.locked(limit).await?.kept {
            Some(kept) => kept.enclosure.context.tabs(limit).await,
            None => Ok(vec![]),
        }
    }

    /// The name and version of the browser that is kept now.
    pub async fn product(&self) -> Option<String> {
        self.state.lock().await.kept.as_ref().map(|kept| kept.browser.product().to_owned())
    }

    /// Ends the browser in good order. The next call of [`Keeper::page`] starts a new one.
    pub async fn close(&self) {
        let mut state = self.state.lock().await;
        // The lock is held to the end: a new browser must not meet the old one in the same profile.
        if let Some(Kept { enclosure, browser, .. }) = state.kept.take() {
            drop(enclosure);
            browser.close().await;
        }
    }

    async fn locked(&self, limit: &Limit) -> Result<tokio::sync::MutexGuard<'_, State>, BrowserError> {
        const WHAT: &str = "waiting for the browser";
        limit.run(self.state.lock()).await.map_err(|expired| match expired {
            Expired::Cancelled => BrowserError::Cancelled { what: WHAT },
            Expired::Deadline => BrowserError::Timeout { what: WHAT, url: "about:blank".into() },
        })
    }
}

impl State {
    /// The tab of the browser that is kept; none without a browser.
    async fn living_tab(&mut self, limit: &Limit) -> Option<Result<Tab, BrowserError>> {
        let kept = self.kept.as_mut()?;
        let found = kept.living_tab(limit).await;
        // Silence within a caller's short time says nothing about the browser.
        if limit.remaining().is_zero() && found.is_err() && kept.browser.is_lost().is_none() {
            let url = kept.last.as_ref().map(Tab::url).unwrap_or_default();
            return Some(Err(BrowserError::Timeout { what: "checking the browser", url }));
        }
        Some(found)
    }

    async fn bury(&mut self, cause: Lost) {
        let Some(Kept { enclosure, browser, last }) = self.kept.take() else { return };
        drop(enclosure);
        self.starter.bury(browser, cause, last.as_ref().map(Tab::url)).await;
    }

    async fn start(&mut self, limit: &Limit) -> Result<Kept, BrowserError> {
        let browser = self.starter.start(limit).await?;
        let desk = Arc::new(Approvals::new(USUAL_LIFE));
        let gate =
            Gate::new(SessionId("look".into()), desk, self.settings.clone(), Arc::default(), Arc::default());
        let enclosure = self.starter.enclose(&browser, gate, &ContextOptions::default(), limit).await?;
        Ok(Kept { enclosure, browser, last: None })
    }
}

impl Kept {
    /// Browser and page both answer. A page that does not is closed and another one takes its place.
    async fn living_tab(&mut self, limit: &Limit) -> Result<Tab, BrowserError> {
        if let Some(cause) = self.browser.is_lost() {
            return Err(BrowserError::Lost { cause, url: None });
        }
        self.browser.check(&limit.at_most(HEALTH)).await?;
        let mut tries = 0;
        loop {
            tries += 1;
            let tab = self.enclosure.context.active_tab(&limit.at_most(HEALTH)).await?;
            self.last = Some(tab.clone());
            match tab.check(&limit.at_most(HEALTH)).await {
                // A question of the page or a slow answer does not stand in the way of having the tab.
                Ok(()) | Err(BrowserError::DialogOpen { .. } | BrowserError::Timeout { .. }) => {
                    return Ok(tab);
                }
                Err(error @ BrowserError::TabGone { .. }) if tries < TABS_TRIED => {
                    // Not where it was: the log holds nothing that pages wrote.
                    tracing::warn!(code = %Problem::from(&error).code, "another tab takes its place");
                }
                Err(BrowserError::TabGone { url, .. }) => {
                    return Err(BrowserError::Lost { cause: Lost::Silent, url: Some(url) });
                }
                Err(error) => return Err(error),
            }
        }
    }
}
