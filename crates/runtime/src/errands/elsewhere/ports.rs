//! The loop's ports over a browser of somebody else's. Whatever has nothing to do with a browser is done as everywhere.

use std::{path::PathBuf, time::Duration};

use legwork_agent::{
    ActNote, Answer, AskFailure, Commit, Entry, Happened, Heard, HeardCall, Left, Look, Manner, Mind, Order,
    PageNote, Ports, Purpose, Question, Reserve, Ruling, Seeing, Thrift, Trouble, VIEW_TOKENS,
};
use legwork_types::{
    Code, Problem,
    contract::ActionId,
    model::{ModelRequest, Picture},
};

use super::{
    super::{Finished, Journal, People, World, album::digest, page_note, ports::Joined, trouble::trouble},
    ForeignAct, ForeignBrowser, ForeignError, ForeignPage, LONGEST, UNSEEN,
    places::{Bounds, bounded},
    shown,
    trail::Trail,
    view,
};
use crate::{boundary, harmless, random, words};

/// As much of a page is read at once, in characters.
const READ: usize = 4_000;
/// How long a page that does not change is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// An errand's world with somebody else's browser in it.
pub(super) struct Elsewhere<'a, J, P, B> {
    pub(super) joined: Joined<'a, J, P>,
    pub(super) browser: B,
    bounds: Bounds,
    /// The latest look: its name, and what was seen.
    pub(super) latest: Option<(String, ForeignPage)>,
    /// By what another browser in its place is known.
    pub(super) trail: Trail,
    /// The picture of it, and its name.
    pictured: Option<(String, Vec<u8>)>,
    /// What was approved and may have been done where nobody can tell any more: it is not done again.
    pub(super) never_again: Vec<Commit>,
    /// What has to be known of it, until it was told.
    untold: Option<&'static str>,
}

impl<'a, J: Journal, P: People, B: ForeignBrowser> Elsewhere<'a, J, P, B> {
    pub(super) fn new(world: World<'a, J, P>, browser: B, bounds: Bounds) -> Self {
        let (latest, trail, pictured, never_again) = Default::default();
        let joined = Joined::new(world);
        Self { joined, browser, bounds, latest, trail, pictured, never_again, untold: Some(UNSEEN) }
    }

    /// Says how it went to whoever keeps the log.
    pub(super) fn over(&mut self, finished: &Finished) {
        self.joined.over(finished);
    }

    /// What is there now: nothing of it where the errand may not be, and with what has to be hidden hidden.
    pub(super) async fn see(&mut self) -> Result<ForeignPage, ForeignError> {
        let cancel = self.joined.world.cancel.clone();
        let seen = tokio::select! {
            biased;
            seen = self.browser.look() => seen?,
            () = cancel.cancelled() => return Err(ForeignError::BrokenOff),
        };
        self.trail.sees(&seen)?;
        let sessions = self.joined.world.sessions;
        let seen = bounded(seen, self.bounds, |address| sessions.admits(address));
        let mask = sessions.vault().mask();
        Ok(match mask.is_empty() {
            true => seen,
            false => seen.with_words(|text| mask.over(text).into_owned()),
        })
    }

    /// A look as the model is shown it.
    pub(super) async fn note(&mut self, part: &Look, seeing: Seeing<'_>) -> Result<PageNote, Trouble> {
        let page = self.see().await.map_err(|error| error.trouble())?;
        let Some(text) = view::view(&page, part, boundary(), VIEW_TOKENS) else {
            let hint = "take a number that the page shows now";
            return Err(trouble(&Problem::new(Code::ActionNotFound, "there is no such element", hint)));
        };
        let observation = random::name("o");
        let mut note = PageNote {
            observation: observation.clone(),
            url: harmless(page.url.untrusted(), LONGEST),
            title: harmless(page.title.untrusted(), LONGEST),
            view: text,
            digest: view::digest(&page),
            logged_in: page_note::logged_in(page.controls().map(|(_, part)| part.name.untrusted()), false),
            signs: seeing.errand.spec().service.as_ref().and_then(|rules| shown::signs(&page, rules)),
            named: shown::named(&page, seeing),
            dialog: shown::dialog(&page, seeing),
            ..PageNote::default()
        };
        self.latest = Some((observation, page));
        self.pictured = None;
        if seeing.wants(&note) {
            let painted = self.painted().await.map_err(|error| error.trouble())?;
            if let Some(bytes) = painted {
                note.pixels = Some(digest(&bytes));
                note.picture = Some(self.joined.keep(&bytes).await);
                self.pictured = note.picture.clone().map(|name| (name, bytes));
            }
        }
        Ok(note)
    }

    /// A picture of the latest look; none where there may be none, and where it could not be taken: words alone are worth something. A
    /// browser that is gone is not hidden behind them.
    async fn painted(&mut self) -> Result<Option<Vec<u8>>, ForeignError> {
        // What has to be hidden can't be covered in a picture of somebody else's.
        let hides = !self.joined.world.sessions.vault().mask().is_empty();
        if hides || self.latest.as_ref().is_none_or(|(_, page)| page.is_unread) {
            return Ok(None);
        }
        let cancel = self.joined.world.cancel.clone();
        let painted = tokio::select! {
            biased;
            painted = self.browser.picture() => painted,
            () = cancel.cancelled() => Err(ForeignError::BrokenOff),
        };
        match painted {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.is_loss() => Err(error),
            Err(error) => {
                tracing::info!(%error, "there is no picture");
                Ok(None)
            }
        }
    }

    /// Where there is a picture of what somebody is asked about.
    pub(super) async fn pictured(&mut self) -> Result<Option<PathBuf>, ForeignError> {
        if self.pictured.is_none()
            && let Some(bytes) = self.painted().await?
        {
            self.pictured = Some((self.joined.name(&bytes), bytes));
        }
        let Some((name, bytes)) = &self.pictured else { return Ok(None) };
        Ok(self.joined.show(name, bytes).await)
    }

    async fn go(&mut self, url: Option<&str>, seeing: Seeing<'_>) -> Result<PageNote, Trouble> {
        if let Some(url) = url {
            self.joined.world.sessions.admits(url).map_err(|problem| trouble(&problem))?;
            self.perform(&ForeignAct::Go(url.to_owned())).await.map_err(|error| error.trouble())?;
        }
        self.note(&Look::default(), seeing).await
    }
}

impl<J: Journal, P: People, B: ForeignBrowser> Ports for Elsewhere<'_, J, P, B> {
    fn at(&self) -> u64 {
        self.joined.at()
    }

    fn is_interrupted(&self) -> bool {
        self.joined.is_interrupted()
    }

    async fn record(&mut self, entries: &[Entry]) -> Result<(), Trouble> {
        self.joined.record(entries).await
    }

    fn reserve(&self, mind: Mind, request: &ModelRequest) -> Reserve {
        self.joined.reserve(mind, request)
    }

    fn besides(&mut self) -> Happened {
        let lines = match self.latest {
            Some(_) => self.untold.take().map(str::to_owned).into_iter().collect(),
            None => vec![],
        };
        Happened { lines, ..Happened::default() }
    }

    async fn leave(&mut self) -> Happened {
        Happened::default()
    }

    async fn ask(
        &mut self,
        mind: Mind,
        purpose: Purpose,
        request: &ModelRequest,
        left: Left,
    ) -> Result<(Heard, Vec<HeardCall>), AskFailure> {
        self.joined.ask(mind, purpose, request, left).await
    }

    fn picture(&self, name: &str) -> Option<Picture> {
        self.joined.picture(name)
    }

    async fn open(&mut self, url: Option<&str>, seeing: Seeing<'_>) -> Result<PageNote, Trouble> {
        self.go(url, seeing).await
    }

    async fn reload(
        &mut self,
        url: &str,
        commits: &[Commit],
        seeing: Seeing<'_>,
    ) -> Result<PageNote, Trouble> {
        self.never_again = commits.to_vec();
        self.go(Some(url), seeing).await
    }

    async fn reconnect(
        &mut self,
        url: Option<&str>,
        commits: &[Commit],
        _: Thrift,
        seeing: Seeing<'_>,
    ) -> Result<PageNote, Trouble> {
        self.never_again = commits.to_vec();
        (self.latest, self.trail) = Default::default();
        self.browser.restart().await.map_err(|error| error.trouble())?;
        self.go(url, seeing).await
    }

    async fn look(&mut self, part: &Look, seeing: Seeing<'_>, manner: Manner) -> Result<PageNote, Trouble> {
        if manner == Manner::AfterASecond {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = self.joined.world.stop.cancelled() => {}
            }
        }
        let mut note = self.note(part, seeing).await?;
        if let (Manner::WithAllWords, Some((_, page))) = (manner, &self.latest) {
            (note.words, note.is_cut) = shown::all_words(page);
        }
        Ok(note)
    }

    async fn read(&mut self, within: Option<ActionId>) -> Result<String, Trouble> {
        if self.latest.as_ref().is_some_and(|(_, page)| page.is_unread) {
            let hint = "answer the dialog if one is open, or look at the page again";
            return Err(trouble(&Problem::new(Code::DialogOpen, "nothing could be read of the page", hint)));
        }
        // The numbers are those of the page that the model was shown.
        let words =
            self.latest.as_ref().and_then(|(_, page)| view::words(page, within.map(|number| number.0)));
        match words {
            Some(text) => Ok(words::fenced_text(&harmless(&text, READ))),
            None => {
                let hint = "take a number that the page shows now";
                Err(trouble(&Problem::new(Code::ActionNotFound, "there is no such element", hint)))
            }
        }
    }

    async fn refused(&mut self, order: &Order<'_>) -> Option<ActNote> {
        let problem = self.judged(order).err()?;
        Some(self.undone(trouble(&problem), order.seeing).await)
    }

    async fn act(&mut self, order: Order<'_>) -> (Vec<Entry>, ActNote) {
        self.try_act(&order).await
    }

    async fn await_ruling(&mut self, _: &str) -> Ruling {
        // Nothing is held on a wire that nobody sees.
        Ruling::Withdrawn
    }

    async fn ask_person(&mut self, question: &Question) -> Answer {
        match question {
            Question::Checkpoint { action, why, url } => {
                let (action, url) = (action.clone(), url.clone());
                // That the browser is gone shows before the act: the page is looked at again.
                let picture = self.pictured().await.unwrap_or_default();
                let why = format!("{why}{}", self.beside(picture.as_deref()));
                self.joined.ask_person(&Question::Checkpoint { action, why, url }).await
            }
            _ => self.joined.ask_person(question).await,
        }
    }
}
