//! Going somewhere: until the document is parsed, not until every picture is there.

use std::time::Duration;

use legwork_cdp::{
    Limit,
    protocol::page::{self, Navigated},
};
use legwork_types::{FrameId, PageUrl};
use serde::{Deserialize, Serialize};

use crate::{BrowserError, tab::Tab};

/// How long a navigation may take by default.
pub const NAVIGATION: Duration = Duration::from_secs(30);

/// Where a navigation ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Landing {
    /// The address, after all redirects so far.
    pub url: String,
    /// The page's title; untrusted.
    pub title: String,
    /// The HTTP status, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl Tab {
    /// Goes to `url` and waits for its DOMContentLoaded. After a failure the tab can be used again, unless it is gone.
    pub async fn navigate(&self, url: &PageUrl, limit: &Limit) -> Result<Landing, BrowserError> {
        self.leave().await?;
        self.ready(limit).await?;
        let arrived = self.go(url, limit).await;
        let id = self.id();
        self.hub.ask(move |world| (world.stays(id), vec![])).await;
        if let Err(BrowserError::Cancelled { .. }) = &arrived {
            // What goes on loading would disturb whatever comes next.
            let _ = self.link.post(Some(&self.session()), &page::StopLoading {});
        }
        arrived?;
        Ok(self.landing(limit).await)
    }

    async fn go(&self, url: &PageUrl, limit: &Limit) -> Result<(), BrowserError> {
        const WHAT: &str = "opening the page";
        let reply = self.call(&page::Navigate { url: url.as_str() }, WHAT, limit).await?;
        let navigated = reply.read::<Navigated>().map_err(BrowserError::Protocol)?;
        if navigated.is_download == Some(true) {
            return Err(BrowserError::Navigation { url: url.to_string(), net: "download".into() });
        }
        if let Some(net) = navigated.error_text.filter(|text| !text.is_empty()) {
            return Err(BrowserError::Navigation { url: url.to_string(), net });
        }
        match navigated.loader_id {
            Some(loader) => self.until(limit, WHAT, |state| state.loads.arrived(&loader).then_some(())).await,
            // The document stayed: only the fragment changed.
            None => Ok(()),
        }
    }

    /// From now on the page's own objections to being left don't count.
    async fn leave(&self) -> Result<(), BrowserError> {
        let id = self.id();
        let told = self.hub.ask(move |world| ((), world.leaving(id))).await;
        match (told, self.gone()) {
            (Some(()), None) => Ok(()),
            _ => self.frames().await.map(drop),
        }
    }

    async fn landing(&self, limit: &Limit) -> Landing {
        #[derive(Deserialize, Default)]
        struct Facts {
            title: legwork_cdp::Lossy,
            status: u16,
        }
        const FACTS: &str = "({title: document.title.slice(0, 500), \
            status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0})";
        let limit = limit.at_most(Duration::from_secs(2));
        let main = self.frames().await.ok().and_then(|frames| Some(frames.first()?.id.clone()));
        let facts = match main {
            Some(main) => self.facts::<Facts>(&main, FACTS, &limit).await,
            None => Facts::default(),
        };
        Landing { url: self.url(), title: facts.title.0, status: (facts.status != 0).then_some(facts.status) }
    }

    /// Facts that are good to have; a page that blocks right after its arrival keeps them to itself.
    async fn facts<T: Default + for<'a> Deserialize<'a>>(
        &self,
        main: &FrameId,
        script: &str,
        limit: &Limit,
    ) -> T {
        match self.value(main, script, limit).await {
            Ok(facts) => facts,
            Err(error) => {
                tracing::debug!(%error, "the page did not tell about itself");
                T::default()
            }
        }
    }
}
