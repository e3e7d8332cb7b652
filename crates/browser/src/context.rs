//! An isolated place for one errand: its own cookies, storage, tabs and downloads.

use std::path::{Path, PathBuf};

use legwork_cdp::{
    CdpError, Limit, Link,
    protocol::{browser, target},
};
use legwork_types::TabId;
use serde::Serialize;

use crate::{
    BrowserError,
    hub::HubHandle,
    tab::Tab,
    world::{ContextKey, DownloadLimits, Recorded, clip},
};

/// A context and its tabs. Dropping it closes its tabs.
pub struct Context {
    key: ContextKey,
    hub: HubHandle,
    link: Link,
    downloads: PathBuf,
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
        downloads: PathBuf,
        limits: DownloadLimits,
        limit: &Limit,
    ) -> Result<Self, BrowserError> {
        let failed = |error| BrowserError::of_browser(error, WHAT);
        let key = match kind {
            ContextKind::Default => None,
            ContextKind::Isolated => {
                let create = target::CreateBrowserContext { dispose_on_detach: true };
                let created = link.call(None, &create, limit).await.map_err(failed)?;
                Some(created.read::<target::CreatedContext>().map_err(failed)?.browser_context_id)
            }
        };
        let context = Self { key, hub, link, downloads };
        let (key, folder) = (context.key.clone(), context.downloads.clone());
        context.hub.ask(move |world| (world.add_context(key, limits, folder), vec![])).await;
        let folder = context.downloads.to_string_lossy().into_owned();
        let id = context.key.as_deref();
        let refuse = browser::GrantPermissions { permissions: &[], browser_context_id: id };
        let contain = browser::SetDownloadBehavior {
            behavior: "allowAndName",
            browser_context_id: id,
            download_path: Some(&folder),
            events_enabled: true,
        };
        let refuse = context.link.post(None, &refuse).map_err(failed)?;
        let contain = context.link.post(None, &contain).map_err(failed)?;
        refuse.reply(limit).await.map_err(failed)?;
        contain.reply(limit).await.map_err(failed)?;
        Ok(context)
    }

    /// The tab in front; a new one if there is none (any more).
    pub async fn active_tab(&self, limit: &Limit) -> Result<Tab, BrowserError> {
        let (_, active) = self.roster().await?;
        match active {
            Some(id) => {
                let tab = self.tab(id).await?;
                match tab.ready(limit).await {
                    Ok(()) => Ok(tab),
                    // It ended while we looked.
                    Err(BrowserError::TabGone { .. }) => self.new_tab(limit).await,
                    // A question of the page does not stand in the way of having the tab.
                    Err(BrowserError::DialogOpen { .. }) => Ok(tab),
                    Err(error) => Err(error),
                }
            }
            None => self.new_tab(limit).await,
        }
    }

    /// A new tab at about:blank, in front.
    pub async fn new_tab(&self, limit: &Limit) -> Result<Tab, BrowserError> {
        let failed = |error| BrowserError::of_browser(error, "opening a tab");
        let create = target::CreateTarget { url: "about:blank", browser_context_id: self.key.as_deref() };
        let created = self.link.call(None, &create, limit).await.map_err(failed)?;
        let target = created.read::<target::CreatedTarget>().map_err(failed)?.target_id;
        let tab = self.tab_of_target(target, limit).await?;
        tab.ready(limit).await?;
        Ok(tab)
    }

    /// The attachment is usually announced before the creation is answered; if not, the next arrival brings it.
    async fn tab_of_target(&self, target: String, limit: &Limit) -> Result<Tab, BrowserError> {
        let waited = limit.run(async {
            let mut arrivals = self.hub.look(|world| world.arrivals()).await.ok_or_else(|| self.lost())?;
            loop {
                arrivals.mark_unchanged();
                let wanted = target.clone();
                match self.hub.look(move |world| world.watch_target(&wanted)).await {
                    Some(Some((id, state))) => {
                        return Ok(Tab::new(id, state, self.hub.clone(), self.link.clone()));
                    }
                    Some(None) => arrivals.changed().await.map_err(|_| self.lost())?,
                    None => return Err(self.lost()),
                }
            }
        });
        waited
            .await
            .unwrap_or(Err(BrowserError::Timeout { what: "opening a tab", url: "about:blank".into() }))
    }

    /// The tab of this id.
    pub async fn tab(&self, id: TabId) -> Result<Tab, BrowserError> {
        let (tabs, _) = self.roster().await?;
        if !tabs.contains(&id) {
            return Err(BrowserError::NoSuchTab);
        }
        let state = self.hub.look(move |world| world.watch(id)).await.ok_or_else(|| self.lost())?;
        let state = state.ok_or(BrowserError::NoSuchTab)?;
        Ok(Tab::new(id, state, self.hub.clone(), self.link.clone()))
    }

    /// All its tabs in order of appearance. Titles change without a word, so the browser is asked for them: it answers
    /// for a hung page too.
    pub async fn tabs(&self, limit: &Limit) -> Result<Vec<TabSummary>, BrowserError> {
        let failed = |error| BrowserError::of_browser(error, "listing the tabs");
        let targets = self.link.call(None, &target::GetTargets {}, limit).await.map_err(failed)?;
        let targets = targets.read::<target::Targets>().map_err(failed)?.target_infos;
        let (tabs, active) = self.roster().await?;
        let mut summaries = Vec::new();
        for id in tabs {
            let Ok(tab) = self.tab(id).await else { continue };
            let target = targets.iter().find(|target| target.target_id == tab.target());
            let title = target.map(|target| clip(&target.title.0)).unwrap_or_default();
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
        match fronted.await {
            Some(true) => Ok(()),
            Some(false) => Err(BrowserError::NoSuchTab),
            None => Err(self.lost()),
        }
    }

    /// Closes a tab; the one that was in front before it comes back.
    pub async fn close_tab(&self, id: TabId) -> Result<(), BrowserError> {
        self.tab(id).await?;
        let closed = self.hub.ask(move |world| ((), world.close_tab(id, "closed by us"))).await;
        closed.ok_or_else(|| self.lost())
    }

    /// What happened after the happening of the given number; 0 for everything that is remembered.
    pub async fn happenings(&self, since: u64) -> Result<Vec<Recorded>, BrowserError> {
        let key = self.key.clone();
        self.hub.look(move |world| world.happenings(&key, since)).await.ok_or_else(|| self.lost())
    }

    /// The folder that holds its finished downloads.
    pub fn downloads(&self) -> &Path {
        &self.downloads
    }

    /// Ends the context with everything in it.
    pub async fn close(self, limit: &Limit) -> Result<(), BrowserError> {
        let key = self.key.clone();
        let closed = self.hub.ask(move |world| ((), world.remove_context(&key))).await;
        closed.ok_or_else(|| self.lost())?;
        if let Some(id) = &self.key {
            let disposed =
                self.link.call(None, &target::DisposeBrowserContext { browser_context_id: id }, limit).await;
            disposed.map_err(|error: CdpError| BrowserError::of_browser(error, "closing a context"))?;
        }
        Ok(())
    }

    async fn roster(&self) -> Result<(Vec<TabId>, Option<TabId>), BrowserError> {
        let key = self.key.clone();
        self.hub.look(move |world| world.tabs_of(&key)).await.ok_or_else(|| self.lost())
    }

    fn lost(&self) -> BrowserError {
        let cause = self.link.is_lost().unwrap_or(legwork_cdp::Lost::Closed);
        BrowserError::Lost { cause, url: None }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let key = self.key.clone();
        self.hub.tell(move |world| world.remove_context(&key));
        if let Some(id) = &self.key {
            let _ = self.link.post(None, &target::DisposeBrowserContext { browser_context_id: id });
        }
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
