//! Deciding on a request that is held.

use legwork_cdp::{
    CdpError, Limit, Link,
    protocol::{fetch, page},
};
use legwork_types::{Outgoing, OutgoingBody, OutgoingKind};

use crate::{
    BrowserError, Ticket,
    hub::HubHandle,
    world::{Effect, SentAgain},
};

/// A handle to the requests of a browser that are held. Whoever decides need not have the page.
#[derive(Clone)]
pub struct HeldRequests {
    pub(crate) hub: HubHandle,
    pub(crate) link: Link,
}

/// What came of a decision on a request that was held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Released {
    /// It is as was decided.
    AsDecided,
    /// It was held no more: it has come to nothing.
    TooLate,
    /// The browser was gone before it could be told: it has come to nothing, with everything else.
    NoBrowser,
}

impl HeldRequests {
    /// Lets a request leave.
    pub async fn release(&self, ticket: Ticket, limit: &Limit) -> Result<Released, BrowserError> {
        const WHAT: &str = "letting a request go";
        let Ok(held) = self.hub.ask(move |world| (world.take_released(ticket), vec![])).await else {
            return Ok(Released::NoBrowser);
        };
        let Some(place) = held else { return Ok(Released::TooLate) };
        let go = fetch::ContinueRequest { request_id: &place.id };
        match self.link.call(place.session.as_ref(), &go, limit).await {
            Ok(_) => Ok(Released::AsDecided),
            // The page gave it up itself.
            Err(CdpError::Refused { .. }) => Ok(Released::TooLate),
            Err(error) => Err(BrowserError::of_browser(error, WHAT)),
        }
    }

    /// Sends a request for the document of a tab again that was turned back: exactly as it was, by the browser itself, so that it does
    /// not matter what the page has done to its form since. It is told of by the ticket that it had. Too late if the tab shows another
    /// document, or what it carried is not known.
    pub async fn send_again(
        &self,
        ticket: Ticket,
        outgoing: Outgoing,
        limit: &Limit,
    ) -> Result<Released, BrowserError> {
        const WHAT: &str = "sending a request again";
        if outgoing.body == OutgoingBody::Unread || outgoing.kind != OutgoingKind::Page {
            return Ok(Released::TooLate);
        }
        let url = outgoing.url.clone();
        let ready = self.hub.ask(move |world| match world.send_again(ticket, outgoing) {
            Some((tab, session)) => (Some((tab, session)), world.leaving(tab)),
            None => (None, vec![]),
        });
        let Ok(ready) = ready.await else { return Ok(Released::NoBrowser) };
        let Some((tab, session)) = ready else { return Ok(Released::TooLate) };
        let went = self.link.call(Some(&session), &page::Navigate { url: &url }, limit).await;
        let sent = self.hub.ask(move |world| {
            world.stays(tab);
            (world.was_sent_again(tab), vec![])
        });
        match (sent.await?, went) {
            (SentAgain::Yes, Ok(_)) => Ok(Released::AsDecided),
            // It has left; whether it arrived nobody knows.
            (SentAgain::Yes, Err(error)) => Err(BrowserError::of_browser(error, WHAT)),
            (SentAgain::No, _) => Ok(Released::TooLate),
        }
    }

    /// Turns a request back.
    pub async fn turn_back(&self, ticket: Ticket) -> Result<Released, BrowserError> {
        let turned = self.hub.ask(move |world| match world.take_held(ticket) {
            Some(place) => {
                let turn_back = Effect::TurnBack { place, kind: OutgoingKind::Script };
                (Released::AsDecided, vec![turn_back])
            }
            None => (Released::TooLate, vec![]),
        });
        Ok(turned.await?)
    }
}
