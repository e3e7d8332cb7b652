//! Going somewhere: until the document is parsed, not until every picture is there.

use std::time::Duration;

use legwork_cdp::{
    Limit, Lossy,
    protocol::page::{self, Navigated},
};
use legwork_types::{PageUrl, without_credentials};
use serde::{Deserialize, Serialize};

use crate::{
    BrowserError,
    tab::{Tab, read_value},
};

/// How long a navigation may take by default.
pub const NAVIGATION: Duration = Duration::from_secs(30);

/// Where a navigation ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Landing {
    /// The address, after all redirects so far, without the name and password that may be in it.
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
        let _leaving = self.leave().await?;
        self.ready(limit).await?;
        let arrived = self.go(url, limit).await;
        if let Err(BrowserError::Cancelled { .. }) = &arrived {
            // What goes on loading would disturb whatever comes next.
            let _ = self.link.post(Some(&self.session()), &page::StopLoading {});
        }
        arrived?;
        self.landing(limit).await
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

    /// As long as the guard lives, the page's own objections to being left don't count.
    async fn leave(&self) -> Result<Leaving<'_>, BrowserError> {
        let id = self.id();
        let told = self.hub.ask(move |world| ((), world.leaving(id))).await;
        told.map_err(|lost| self.lost(lost))?;
        match self.gone() {
            Some(_) => Err(self.ended()),
            None => Ok(Leaving(self)),
        }
    }

    async fn landing(&self, limit: &Limit) -> Result<Landing, BrowserError> {
        #[derive(Deserialize, Default)]
        struct Facts {
            title: Lossy,
            status: u16,
        }
        const FACTS: &str = "({title: document.title.slice(0, 500), \
            status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0})";
        let limit = limit.at_most(Duration::from_secs(2));
        let main = self.frames().await?.into_iter().next();
        let told = match main {
            Some(main) => match self.evaluate_if_it_answers(&main.id, FACTS, &limit).await {
                // The page has moved on meanwhile.
                Err(BrowserError::FrameGone) => None,
                told => told?,
            },
            None => None,
        };
        let facts: Facts = told.and_then(|reply| read_value(&reply).ok()).unwrap_or_default();
        let status = (facts.status != 0).then_some(facts.status);
        Ok(Landing { url: without_credentials(&self.url()).into_owned(), title: facts.title.0, status })
    }
}

/// We are about to leave the page of this tab. Whatever becomes of it, the page has its say again afterwards.
struct Leaving<'a>(&'a Tab);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let id = self.0.id();
        self.0.hub.tell(move |world| {
            world.stays(id);
            vec![]
        });
    }
}
