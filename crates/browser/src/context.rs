//! An isolated place for one errand: its own cookies, storage, tabs and downloads.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use legwork_cdp::{
    Expired, Limit, Link,
    protocol::{browser, target},
};
use legwork_types::TabId;
use serde::Serialize;

use crate::{
    Barrier, BrowserError, ReadsOnly, Thrift,
    barrier::SharedBarrier,
    diagnosis::ask_browser,
    held::HeldRequests,
    hub::HubHandle,
    tab::Tab,
    watch::Watch,
    world::{ContextKey, DownloadLimits, Effect, Gone, Keeping, MESSAGE, Recorded, Sought, clip},
};

/// How long a request is held for a decision, unless told.
const HOLD: Duration = Duration::from_secs(120);

/// What a context is given.
#[derive(Debug, Clone)]
pub struct ContextOptions {
    /// What its pages may put on the disk.
    pub downloads: DownloadLimits,
    /// What rules on everything that is about to leave it.
    pub barrier: Arc<dyn Barrier>,
    /// The only way to the network; that of the browser as a whole if none.
    pub proxy: Option<SocketAddr>,
    /// The origins whose pages may open sockets, through which nobody can see what is sent.
    pub sockets: Vec<String>,
    /// How its pages save memory.
    pub thrift: Thrift,
    /// How long a request is held for a decision.
    pub hold: Duration,
}

impl Default for ContextOptions {
    /// Nothing may write.
    fn default() -> Self {
        Self {
            downloads: DownloadLimits::default(),
            barrier: Arc::new(ReadsOnly),
            proxy: None,
            sockets: vec![],
            thrift: Thrift::None,
            hold: HOLD,
        }
    }
}

/// A context and its tabs. Dropping it closes its tabs.
pub struct Context {
    key: ContextKey,
    hub: HubHandle,
    link: Link,
    watch: Watch,
    downloads: PathBuf,
    open: bool,
}

/// One line of a list of tabs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TabSummary {
    /// Its id.
    pub id: TabId,
    /// Where it is.
    pub url: String,
    /// What the page calls itself; untrusted.
    pub title: String,
    /// Whether it is in front.
    pub active: bool,
}

const WHAT: &str = "opening a context";

impl Context {
    /// A fresh context, or the default one of a persistent profile, with downloads contained and permissions refused.
    pub(crate) async fn open(
        kind: ContextKind,
        hub: HubHandle,
        link: Link,
        watch: Watch,
        downloads: PathBuf,
        options: &ContextOptions,
        limit: &Limit,
    ) -> Result<Self, BrowserError> {
        let key = match kind {
            ContextKind::Default => None,
            ContextKind::Isolated => {
                let proxy = options.proxy.map(|proxy| format!("http://{proxy}"));
                let create = target::CreateBrowserContext {
                    dispose_on_detach: true,
                    proxy_server: proxy.as_deref(),
                    // Without this, whatever is on this machine is reached past the proxy.
                    proxy_bypass_list: proxy.as_ref().map(|_| "<-loopback>"),
                };
                let created = ask_browser(&link, &create, WHAT, limit).await?;
                let created = created.read::<target::CreatedContext>().map_err(BrowserError::Protocol)?;
                Some(created.browser_context_id)
            }
        };
        let keeping = Keeping {
            downloads: options.downloads,
            folder: downloads.clone(),
            barrier: SharedBarrier(options.barrier.clone()),
            sockets: options.sockets.clone(),
            thrift: options.thrift,
            hold: options.hold,
        };
        let added = key.clone();
        let fresh = hub.ask(move |world| (world.add_context(added, keeping), vec![])).await?;
        if !fresh {
            return Err(BrowserError::ContextInUse);
        }
        let context = Self { key, hub, link, watch, downloads, open: true };
        let folder = context.downloads.to_string_lossy().into_owned();
        let browser_context_id = context.key.as_deref();
        let refuse = browser::GrantPermissions { permissions: &[], browser_context_id };
        let contain = browser::SetDownloadBehavior {
            behavior: "allowAndName",
            browser_context_id,
            download_path: Some(&folder),
            events_enabled: true,
        };
        tokio::try_join!(
            ask_browser(&context.link, &refuse, WHAT, limit),
            ask_browser(&context.link, &contain, WHAT, limit),
        )?;
        Ok(context)
    }

    /// From now on also what a page is made of waits at the barrier, here and in all other contexts.
    pub async fn watch_everything(&self, limit: &Limit) -> Result<(), BrowserError> {
        self.watch.everything(limit).await
    }

    /// The tab in front; a new one if there is none (any more).
    pub async fn active_tab(&self, limit: &Limit) -> Result<Tab, BrowserError> {
        let (_, active) = self.roster().await?;
        let Some(id) = active else { return self.new_tab(limit).await };
        let tab = match self.tab(id).await {
            Ok(tab) => tab,
            Err(BrowserError::NoSuchTab) => return self.new_tab(limit).await,
            Err(error) => return Err(error),
        };
        match tab.ready(limit).await {
            // A question of the page does not stand in the way of having the tab.
            Ok(()) | Err(BrowserError::DialogOpen { .. }) => Ok(tab),
            // It ended while we looked.
            Err(BrowserError::TabGone { .. }) => self.new_tab(limit).await,
            Err(error) => Err(error),
        }
    }

    /// A new tab at about:blank, in front. One that dies before it was anything (Chromium keeps a spare renderer, which may
    /// have been killed with its neighbours) is replaced.
    pub async fn new_tab(&self, limit: &Limit) -> Result<Tab, BrowserError> {
        const TRIES: u32 = 3;
        let mut tries = 1;
        loop {
            match self.try_new_tab(limit).await {
                Err(BrowserError::TabGone { gone, .. }) if gone.has_crashed() && tries < TRIES => tries += 1,
                outcome => return outcome,
            }
        }
    }

    async fn try_new_tab(&self, limit: &Limit) -> Result<Tab, BrowserError> {
        let create = target::CreateTarget { url: "about:blank", browser_context_id: self.key.as_deref() };
        let created = ask_browser(&self.link, &create, "opening a tab", limit).await?;
        let target = created.read::<target::CreatedTarget>().map_err(BrowserError::Protocol)?.target_id;
        let tab = self.tab_of_target(target, limit).await?;
        tab.ready(limit).await?;
        Ok(tab)
    }

    /// The attachment is usually announced before the creation is answered; if not, the next arrival brings it.
    async fn tab_of_target(&self, target: String, limit: &Limit) -> Result<Tab, BrowserError> {
        const WHAT: &str = "opening a tab";
        let blank = || "about:blank".to_owned();
        let waited = limit.run(async {
            let mut arrivals = self.hub.look(|world| world.arrivals()).await?;
            loop {
                arrivals.mark_unchanged();
                let wanted = target.clone();
                match self.hub.look(move |world| world.watch_target(&wanted)).await? {
                    Sought::Found(id, state) => {
                        return Ok(Tab::new(id, state, self.hub.clone(), self.link.clone()));
                    }
                    Sought::Ended => return Err(BrowserError::TabGone { gone: Gone::Closed, url: blank() }),
                    Sought::NotYet => arrivals.changed().await.map_err(|_| self.lost())?,
                }
            }
        });
        match waited.await {
            Ok(found) => found,
            Err(Expired::Cancelled) => Err(BrowserError::Cancelled { what: WHAT }),
            Err(Expired::Deadline) => Err(BrowserError::Timeout { what: WHAT, url: blank() }),
        }
    }

    /// The tab of this id.
    pub async fn tab(&self, id: TabId) -> Result<Tab, BrowserError> {
        let (tabs, _) = self.roster().await?;
        if !tabs.contains(&id) {
            return Err(BrowserError::NoSuchTab);
        }
        let state = self.hub.look(move |world| world.watch(id)).await?.ok_or(BrowserError::NoSuchTab)?;
        Ok(Tab::new(id, state, self.hub.clone(), self.link.clone()))
    }

    /// All its tabs in order of appearance. Titles change without a word, so the browser is asked for them: it answers
    /// for a hung page too.
    pub async fn tabs(&self, limit: &Limit) -> Result<Vec<TabSummary>, BrowserError> {
        let targets = ask_browser(&self.link, &target::GetTargets {}, "listing the tabs", limit).await?;
        let targets = targets.read::<target::Targets>().map_err(BrowserError::Protocol)?.target_infos;
        let (tabs, active) = self.roster().await?;
        let mut summaries = Vec::new();
        for id in tabs {
            let Ok(tab) = self.tab(id).await else { continue };
            let target = targets.iter().find(|target| target.target_id == tab.target());
            let title = target.map(|target| clip(&target.title.0, MESSAGE)).unwrap_or_default();
            summaries.push(TabSummary { id, url: tab.url(), title, active: active == Some(id) });
        }
        Ok(summaries)
    }

    /// Brings a tab to the front.
    pub async fn switch_to(&self, id: TabId) -> Result<(), BrowserError> {
        self.tab(id).await?;
        let fronted = self.hub.ask(move |world| {
            let effects = world.front(id);
            (effects.is_some(), effects.unwrap_or_default())
        });
        if fronted.await? { Ok(()) } else { Err(BrowserError::NoSuchTab) }
    }

    /// Closes a tab; the one that was in front before it comes back.
    pub async fn close_tab(&self, id: TabId) -> Result<(), BrowserError> {
        self.tab(id).await?;
        Ok(self.hub.ask(move |world| ((), world.close_tab(id, "closed by us"))).await?)
    }

    /// What happened after the happening of the given number; 0 for everything that is remembered.
    pub async fn happenings(&self, since: u64) -> Result<Vec<Recorded>, BrowserError> {
        let key = self.key.clone();
        Ok(self.hub.look(move |world| world.happenings(&key, since)).await?)
    }

    /// A handle to the requests that are held.
    pub fn held(&self) -> HeldRequests {
        HeldRequests { hub: self.hub.clone(), link: self.link.clone() }
    }

    /// Why its browser is gone, if it is.
    pub fn is_lost(&self) -> Option<legwork_cdp::Lost> {
        self.link.is_lost()
    }

    /// Waits until its browser is gone.
    pub fn loss(&self) -> impl Future<Output = legwork_cdp::Lost> + Send + use<> {
        let link = self.link.clone();
        async move { link.lost().await }
    }

    /// The folder that holds its finished downloads.
    pub fn downloads(&self) -> &Path {
        &self.downloads
    }

    /// Ends the context with everything in it.
    pub async fn close(mut self, limit: &Limit) -> Result<(), BrowserError> {
        self.open = false;
        let key = self.key.clone();
        self.hub.have_done(move |world| ((), world.remove_context(&key))).await?;
        if let Some(id) = &self.key {
            let dispose = target::DisposeBrowserContext { browser_context_id: id };
            ask_browser(&self.link, &dispose, "closing a context", limit).await?;
        }
        Ok(())
    }

    /// The browser's own name for it.
    pub(crate) fn key(&self) -> &ContextKey {
        &self.key
    }

    /// The way to its browser.
    pub(crate) fn link(&self) -> &Link {
        &self.link
    }

    /// The hub that keeps it.
    pub(crate) fn hub(&self) -> &HubHandle {
        &self.hub
    }

    async fn roster(&self) -> Result<(Vec<TabId>, Option<TabId>), BrowserError> {
        let key = self.key.clone();
        Ok(self.hub.look(move |world| world.tabs_of(&key)).await?)
    }

    fn lost(&self) -> BrowserError {
        let cause = self.link.is_lost().unwrap_or(legwork_cdp::Lost::Closed);
        BrowserError::Lost { cause, url: None }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        let key = self.key.clone();
        self.hub.tell(move |world| {
            let mut effects = world.remove_context(&key);
            effects.extend(key.map(|id| Effect::DisposeContext { id }));
            effects
        });
    }
}

/// Which context to open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContextKind {
    /// A fresh one.
    Isolated,
    /// The one of a persistent profile.
    Default,
}
