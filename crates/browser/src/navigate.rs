//! Going somewhere: until the document is parsed, not until every picture is there, and not for ever.

use std::time::Duration;

use legwork_cdp::{
    Limit, Lossy,
    protocol::page::{self, Navigated},
};
use legwork_types::{PageUrl, without_credentials};
use serde::{Deserialize, Serialize};

use crate::{
    BrowserError,
    diagnosis::probe,
    error::DOWNLOAD,
    tab::{Tab, read_value},
    world::Progress,
};

/// How long a navigation may take by default.
pub const NAVIGATION: Duration = Duration::from_secs(30);

/// What is waited for on the way to a page: first the server, then its document.
pub(crate) const ANSWER: &str = "the answer of the server";
pub(crate) const OPENING: &str = "opening the page";

/// A document that is still coming after this part of a navigation's time is taken as far as it came: a server that
/// holds back the end of its answer would otherwise cost all of it, for nothing.
const PARSING: u32 = 3;

/// The network's words for an answer that is an error and has no body: Chromium shows a page of its own instead.
const NO_BODY: [&str; 2] = ["net::ERR_HTTP_RESPONSE_CODE_FAILURE", "net::ERR_INVALID_AUTH_CREDENTIALS"];

/// How much of a server's answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Body {
    /// All of it.
    #[default]
    Whole,
    /// Some of it; more is on its way, or would be.
    Coming,
    /// Some of it, and there will be no more.
    BrokenOff,
    /// There is none: the answer is a status alone.
    Empty,
}

impl Body {
    fn is_whole(&self) -> bool {
        *self == Self::Whole
    }
}

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
    /// What kind of content it is, `text/html` for one; untrusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// How much of it there is.
    #[serde(skip_serializing_if = "Body::is_whole")]
    pub body: Body,
}

impl Landing {
    /// The same for the browser's own page about an answer without a body, if there was an answer.
    fn of_status_alone(self) -> Option<Self> {
        let status = self.status.filter(|status| *status >= 400)?;
        let title = String::new();
        Some(Self { url: self.url, title, status: Some(status), content_type: None, body: Body::Empty })
    }
}

/// What a navigation came to.
enum Went {
    /// The document that was asked for.
    There,
    /// A page of the browser's own, for this reason.
    ToAnErrorPage(String),
}

impl Tab {
    /// Sends the tab to an address that has nothing to show, so that it stays where it is: whoever listens there knows that it came
    /// by.
    pub async fn knock(&self, address: &str, limit: &Limit) -> Result<(), BrowserError> {
        let navigate = page::Navigate { url: address };
        self.call(&navigate, "knocking", limit).await.map(drop)
    }

    /// Goes to `url` and waits for its DOMContentLoaded. After a failure the tab can be used again, unless it is gone.
    pub async fn navigate(&self, url: &PageUrl, limit: &Limit) -> Result<Landing, BrowserError> {
        let _leaving = self.leave().await?;
        self.ready(limit).await?;
        let arrived = self.go(url, limit).await;
        if let Err(BrowserError::Cancelled { .. }) = &arrived {
            // What goes on loading would disturb whatever comes next.
            let _ = self.link.post(Some(&self.session()), &page::StopLoading {});
        }
        let went = arrived?;
        let landing = self.landing(limit).await?;
        match went {
            Went::There => Ok(landing),
            Went::ToAnErrorPage(net) => landing
                .of_status_alone()
                .ok_or_else(|| BrowserError::Navigation { url: url.to_string(), net }),
        }
    }

    async fn go(&self, url: &PageUrl, limit: &Limit) -> Result<Went, BrowserError> {
        let asked = self.call(&page::Navigate { url: url.as_str() }, ANSWER, limit).await;
        let reply = asked.map_err(|error| error.on_the_way_to(url))?;
        let navigated = reply.read::<Navigated>().map_err(BrowserError::Protocol)?;
        if navigated.is_download == Some(true) {
            return Err(BrowserError::Navigation { url: url.to_string(), net: DOWNLOAD.into() });
        }
        let went = match navigated.error_text.filter(|text| !text.is_empty()) {
            None => Went::There,
            Some(net) if NO_BODY.contains(&net.as_str()) => Went::ToAnErrorPage(net),
            Some(net) => return Err(BrowserError::Navigation { url: url.to_string(), net }),
        };
        // Without a loader the document stayed: only the fragment changed.
        if let Some(loader) = navigated.loader_id {
            self.arrive(&loader, limit).await?;
        }
        Ok(went)
    }

    /// Waits until the document of `loader` has come as far as it will, or has had its time: then it is enough that its
    /// page answers.
    async fn arrive(&self, loader: &str, limit: &Limit) -> Result<(), BrowserError> {
        let session = self.session();
        let has_had_its_time = async {
            tokio::time::sleep(limit.remaining() / PARSING).await;
            // Why a page does not answer is for the wait beside this one to find out.
            if self.link.call(Some(&session), &probe(), limit).await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            arrived = self.until(limit, OPENING, |state| state.loads.arrived(loader).then_some(())) => arrived,
            () = has_had_its_time => Ok(()),
        }
    }

    /// As long as the guard lives, the page's own objections to being left don't count.
    pub(crate) async fn leave(&self) -> Result<Leaving<'_>, BrowserError> {
        let id = self.id();
        let told = self.hub.ask(move |world| ((), world.leaving(id))).await;
        told.map_err(|lost| self.lost(lost))?;
        match self.gone() {
            Some(_) => Err(self.ended()),
            None => Ok(Leaving(self)),
        }
    }

    /// Where the tab is now, and what came of the way there. A page that does not answer is told by its address alone.
    pub async fn landing(&self, limit: &Limit) -> Result<Landing, BrowserError> {
        #[derive(Deserialize, Default)]
        struct Facts {
            title: Lossy,
            kind: Lossy,
            status: u16,
        }
        const FACTS: &str = "({title: document.title.slice(0, 500), \
            kind: document.contentType.slice(0, 100), \
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
        let body = match self.progress() {
            Some(Progress::Coming) => Body::Coming,
            Some(Progress::BrokenOff) => Body::BrokenOff,
            Some(Progress::Parsed) | None => Body::Whole,
        };
        let content_type = Some(facts.kind.0).filter(|kind| !kind.is_empty());
        let url = without_credentials(&self.url()).into_owned();
        Ok(Landing { url, title: facts.title.0, status, content_type, body })
    }
}

/// We are about to leave the page of this tab. Whatever becomes of it, the page has its say again afterwards.
pub(crate) struct Leaving<'a>(&'a Tab);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let id = self.0.id();
        self.0.hub.tell(move |world| {
            world.stays(id);
            vec![]
        });
    }
}
