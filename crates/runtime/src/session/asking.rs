//! What can be asked of a session without doing anything to its page: looks, words, pictures, tabs.

use legwork_browser::BrowserError;
use legwork_observe::ObserveError;
use legwork_types::{
    PageText, Problem,
    contract::{ObservationId, ObserveOptions, SessionId, Tab, Within},
};
use tokio_util::sync::CancellationToken;

use super::{
    Caller, Seen,
    house::{House, Turn},
    looking::{dialog_in_the_way, dialog_waits, is_about_numbers, not_the_latest, unanswerable},
    register::not_found,
};
use crate::LOOK;

impl House {
    /// Looks at the page of a session, or answers from the current look what is about its numbers.
    pub(crate) async fn observe(
        &self,
        caller: &Caller,
        session: &SessionId,
        options: &ObserveOptions,
        cancel: &CancellationToken,
    ) -> Result<Seen, Problem> {
        let mut turn = self.enter(caller, session, cancel).await?;
        let earlier = turn.earlier(options.since.as_ref())?;
        if !is_about_numbers(options) {
            turn.look(options).await.map_err(|error| self.failed(&mut turn, &error))?;
            return turn.seen(earlier, &options.include).await.ok_or_else(not_found);
        }
        let provided =
            ObservationId(options.cursor.as_ref().map(|cursor| cursor.0.clone()).unwrap_or_default());
        let Some(current) = &turn.state.current else {
            return Err(not_the_latest(None, &provided, "observe without a cursor or a number first"));
        };
        // Asked for nothing but its refusal: whoever shows the look asks again.
        current.look.observe(options, earlier.as_deref()).map_err(|error| unanswerable(&error))?;
        turn.seen_before(earlier, &options.include).await.ok_or_else(not_found)
    }

    /// The words of the current look, or of a part of it. The page is looked at only where there is no look that saw it.
    pub(crate) async fn read(
        &self,
        caller: &Caller,
        session: &SessionId,
        within: Option<Within>,
        most: usize,
        cancel: &CancellationToken,
    ) -> Result<PageText, Problem> {
        let mut turn = self.enter(caller, session, cancel).await?;
        let look = self.readable(&mut turn).await?;
        look.words(within, most).map_err(|error: ObserveError| unanswerable(&error))
    }

    /// All words of the page, and whether these are really all.
    pub(crate) async fn read_all(
        &self,
        caller: &Caller,
        session: &SessionId,
        most: usize,
        cancel: &CancellationToken,
    ) -> Result<(PageText, bool), Problem> {
        let mut turn = self.enter(caller, session, cancel).await?;
        Ok(self.readable(&mut turn).await?.all_words(most))
    }

    /// The current look, or a new one where it saw nothing.
    async fn readable(&self, turn: &mut Turn) -> Result<std::sync::Arc<legwork_observe::Look>, Problem> {
        let kept = turn.state.current.as_ref().map(|current| current.look.clone());
        let look = match kept.filter(|look| !look.is_stale()) {
            Some(look) => look,
            None => {
                // A look that sees nothing would only make the caller's one out of date.
                self.without_dialog(turn).await?;
                self.look_for(turn).await?
            }
        };
        match dialog_in_the_way(&look) {
            Some(problem) => Err(problem),
            None => Ok(look),
        }
    }

    /// Refuses where a dialog waits.
    async fn without_dialog(&self, turn: &mut Turn) -> Result<(), Problem> {
        let limit = turn.within(LOOK);
        let waiting = match turn.place() {
            Ok(place) => place.dialog(&limit).await,
            Err(error) => Err(error),
        };
        match waiting.map_err(|error| self.failed(turn, &error))? {
            Some(dialog) => Err(dialog_waits(&dialog)),
            None => Ok(()),
        }
    }

    /// A look that sees the page; a dialog that waits is in the way of one.
    async fn look_for(&self, turn: &mut Turn) -> Result<std::sync::Arc<legwork_observe::Look>, Problem> {
        turn.look(&ObserveOptions::default()).await.map_err(|error| self.failed(turn, &error))
    }

    /// A picture of what is in sight, secrets covered.
    pub(crate) async fn screenshot(
        &self,
        caller: &Caller,
        session: &SessionId,
        marked: Option<&ObservationId>,
        cancel: &CancellationToken,
    ) -> Result<Vec<u8>, Problem> {
        let mut turn = self.enter(caller, session, cancel).await?;
        let look = turn.state.current.as_ref().map(|current| current.look.clone());
        if let Some(marked) = marked
            && look.as_ref().is_none_or(|look| look.id() != marked)
        {
            let current = look.map(|look| look.id().clone());
            return Err(not_the_latest(current, marked, "name the latest observation, or none"));
        }
        self.without_dialog(&mut turn).await?;
        let taken = turn.picture(look.as_deref().filter(|_| marked.is_some())).await;
        taken.map_err(|error: BrowserError| self.failed(&mut turn, &error))
    }

    /// The tabs of a session.
    pub(crate) async fn tabs(
        &self,
        caller: &Caller,
        session: &SessionId,
        cancel: &CancellationToken,
    ) -> Result<Vec<Tab>, Problem> {
        let mut turn = self.enter(caller, session, cancel).await?;
        let limit = turn.within(LOOK);
        let tabs = match turn.place() {
            Ok(place) => place.tabs(&limit).await,
            Err(error) => Err(error),
        };
        let tabs = tabs.map_err(|error| self.failed(&mut turn, &error))?;
        Ok(tabs
            .into_iter()
            .map(|tab| Tab {
                tab_id: tab.id,
                url: PageText::from(tab.url),
                title: PageText::from(tab.title),
                active: tab.active,
            })
            .collect())
    }
}
