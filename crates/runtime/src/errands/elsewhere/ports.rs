//! The loop's ports over a browser of somebody else's. Whatever has nothing to do with a browser is done as everywhere.

use std::time::Duration;

use legwork_agent::{
    ActNote, Answer, AskFailure, Commit, Entry, Event, Happened, Heard, HeardCall, Left, Look, Manner, Mind,
    Order, PageNote, Ports, Purpose, Question, Reserve, Ruling, Seeing, Thrift, Trouble, VIEW_TOKENS,
};
use legwork_types::{
    Code, Problem,
    contract::ActionId,
    model::{ModelRequest, Picture},
};

use super::{
    super::{
        Finished, Journal, People, World, page_note,
        ports::{Joined, digest},
        trouble::trouble,
    },
    ForeignAct, ForeignBrowser, ForeignError, ForeignPage, UNSEEN, acts_of, may_commit,
    order::{Ordered, was_asked},
    places::{Bounds, bounded, leads_to},
    shown, view,
};
use crate::{boundary, harmless, random, words};

/// The longest address or title, in characters.
const LONGEST: usize = 300;
/// As much of a page is read at once, in characters.
const READ: usize = 4_000;
/// How long a page that does not change is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// An errand's world with somebody else's browser in it.
pub(super) struct Elsewhere<'a, J, P, B> {
    pub(super) joined: Joined<'a, J, P>,
    browser: B,
    bounds: Bounds,
    /// The latest look: its name, and what was seen.
    latest: Option<(String, ForeignPage)>,
    /// The name of the picture of it.
    pictured: Option<String>,
    /// What was approved and may have been done where nobody can tell any more: it is not done again.
    pub(super) never_again: Vec<Commit>,
    /// What has to be known of it, until it was told.
    untold: Option<&'static str>,
}

impl<'a, J: Journal, P: People, B: ForeignBrowser> Elsewhere<'a, J, P, B> {
    pub(super) fn new(world: World<'a, J, P>, browser: B, bounds: Bounds) -> Self {
        let (latest, pictured, never_again) = Default::default();
        let joined = Joined::new(world);
        Self { joined, browser, bounds, latest, pictured, never_again, untold: Some(UNSEEN) }
    }

    /// Says how it went to whoever keeps the log.
    pub(super) fn over(&mut self, finished: &Finished) {
        self.joined.over(finished);
    }

    /// Does it, unless somebody wants everything to stop at once.
    async fn perform(&mut self, act: &ForeignAct) -> Result<(), ForeignError> {
        let cancel = self.joined.world.cancel.clone();
        tokio::select! {
            biased;
            done = self.browser.act(act) => done,
            () = cancel.cancelled() => Err(ForeignError::BrokenOff),
        }
    }

    /// What is there now: nothing of it where the errand may not be, and with what has to be hidden hidden.
    pub(super) async fn see(&mut self) -> Result<ForeignPage, ForeignError> {
        let cancel = self.joined.world.cancel.clone();
        let seen = tokio::select! {
            biased;
            seen = self.browser.look() => seen?,
            () = cancel.cancelled() => return Err(ForeignError::BrokenOff),
        };
        let sessions = self.joined.world.sessions;
        let seen = bounded(seen, self.bounds, |address| sessions.admits(address));
        let mask = sessions.vault().mask();
        Ok(match mask.is_empty() {
            true => seen,
            false => seen.with_words(|text| mask.over(text).into_owned()),
        })
    }

    /// A look as the model is shown it.
    async fn note(&mut self, part: &Look, seeing: Seeing<'_>) -> Result<PageNote, Trouble> {
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
                self.pictured.clone_from(&note.picture);
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
            Err(error @ (ForeignError::Lost(_) | ForeignError::Gone(_))) => Err(error),
            Err(error) => {
                tracing::info!(%error, "there is no picture");
                Ok(None)
            }
        }
    }

    /// The name of a picture of what somebody is asked about, which is kept beside the log.
    pub(super) async fn pictured(&mut self) -> Result<Option<String>, ForeignError> {
        if self.pictured.is_none()
            && let Some(bytes) = self.painted().await?
        {
            self.pictured = Some(self.joined.file(&bytes).await);
        }
        Ok(self.pictured.clone())
    }

    async fn go(&mut self, url: Option<&str>, seeing: Seeing<'_>) -> Result<PageNote, Trouble> {
        if let Some(url) = url {
            self.joined.world.sessions.admits(url).map_err(|problem| trouble(&problem))?;
            self.perform(&ForeignAct::Go(url.to_owned())).await.map_err(|error| error.trouble())?;
        }
        self.note(&Look::default(), seeing).await
    }

    /// What is to be done, and why somebody has to say yes to it. Nothing has been done yet.
    fn judged(&self, order: &Order<'_>) -> Result<Ordered, Problem> {
        let Some((_, page)) = self.latest.as_ref().filter(|(name, _)| name == order.observation) else {
            let hint = "take the numbers of the page that is shown now";
            return Err(Problem::new(Code::StaleObservation, "the page was looked at again since", hint));
        };
        let acts = acts_of(order.act, page)?;
        for act in &acts {
            if let Some(address) = leads_to(act, page) {
                self.joined.world.sessions.admits(&address)?;
            }
        }
        let announced = order.seeing.errand.prepared().map(|(summary, _)| summary.as_str());
        let why: Vec<String> = acts.iter().filter_map(|act| may_commit(act, page, announced)).collect();
        let ordered = Ordered::of(order, page, acts, why);
        if self.never_again.contains(&ordered.commit) {
            let hint = "find out whether it was done, such as in a list of orders";
            return Err(Problem::new(
                Code::UnknownOutcome,
                "this was approved before and may have been done: it is not done again",
                hint,
            ));
        }
        Ok(ordered)
    }

    /// That the page that was seen last is none for this errand, where it is so.
    fn barred(&self) -> Option<Trouble> {
        let why = self.latest.as_ref().and_then(|(_, page)| page.barred.clone())?;
        let hint = "go back, or to an address of the errand: nothing of this page is shown, and nothing is done here";
        Some(trouble(&Problem::new(Code::NavigationBlocked, why, hint)))
    }

    /// Writes down that it may be done.
    async fn permit(&mut self, order: &Order<'_>) -> Result<Entry, Trouble> {
        let event = Event::Permitted {
            number: order.number,
            observation: order.observation.to_owned(),
            verb: order.act.action.verb().to_owned(),
        };
        let entry = Entry { at: self.joined.at(), event };
        self.joined.record(std::slice::from_ref(&entry)).await?;
        Ok(entry)
    }

    /// The page after something that was not done.
    async fn undone(&mut self, trouble: Trouble, seeing: Seeing<'_>) -> ActNote {
        let page = self.note(&Look::default(), seeing.after_failure()).await.ok();
        ActNote {
            brief: trouble.code.clone(),
            words: trouble.words.clone(),
            trouble: Some(trouble),
            page,
            ..ActNote::default()
        }
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
        self.latest = None;
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

    async fn act(&mut self, order: Order<'_>) -> (Vec<Entry>, ActNote) {
        let seeing = order.seeing;
        let ordered = match self.judged(&order) {
            Ok(ordered) => ordered,
            Err(problem) => return (vec![], self.undone(trouble(&problem), seeing).await),
        };
        // What the service's own checkpoint is about was asked about by the loop, and is not asked about twice.
        let was_asked = was_asked(&order);
        if let Some(why) = ordered.why.as_ref().filter(|_| !was_asked)
            && let Err((trouble, caught)) = self.approved(&ordered, why, &order).await
        {
            return (vec![], ActNote { caught, ..self.undone(trouble, seeing).await });
        }
        let is_approved = was_asked || ordered.why.is_some();
        if (is_approved || ordered.presses())
            && let Err(trouble) = self.is_still_there(&ordered).await
        {
            return (vec![], self.undone(trouble, seeing).await);
        }
        let before = self.latest.as_ref().map(|(_, page)| view::digest(page));
        let permit = match self.permit(&order).await {
            Ok(permit) => permit,
            Err(trouble) => return (vec![], self.undone(trouble, seeing).await),
        };
        let (mut done, mut tried) = (Ok(()), 0_usize);
        for act in &ordered.acts {
            done = self.perform(act).await;
            // What is not offered was not begun, and that alone is certain.
            tried += usize::from(!matches!(done, Err(ForeignError::NotOffered(_))));
            if done.is_err() {
                break;
            }
        }
        let trouble = done.as_ref().err().map(ForeignError::trouble_of_act);
        let is_unknown = done.as_ref().is_err_and(ForeignError::is_unknown);
        let (mut sent, mut commits) = (vec![], vec![]);
        if is_approved && tried > 0 {
            // A browser that says that it failed may have got as far as the click.
            let came = match &done {
                Ok(()) => "and it was done",
                Err(_) if is_unknown => "and whether it was done is not known",
                Err(_) => "and the browser says that it failed; whether it was done is not known",
            };
            sent.push(format!("a person said yes, {came}: {} at {}", ordered.deed, ordered.place));
            commits.push(ordered.commit.clone());
            if done.is_err() {
                self.never_again.push(ordered.commit);
            }
        }
        let is_lost = trouble.as_ref().is_some_and(|trouble| trouble.kind.is_disconnect());
        let seeing = if trouble.is_some() { seeing.after_failure() } else { seeing };
        let (page, unseen) = match is_lost {
            true => (None, None),
            false => match self.note(&Look::default(), seeing).await {
                Ok(page) => (Some(page), None),
                Err(trouble) => (None, Some(trouble)),
            },
        };
        let barred = page.as_ref().and_then(|_| self.barred());
        let nothing = done.is_ok() && page.as_ref().is_some_and(|page| Some(page.digest) == before);
        let brief = match (&trouble, ordered.acts.is_empty(), nothing) {
            (Some(trouble), ..) => trouble.code.clone(),
            (None, true, _) => "was so already".to_owned(),
            (None, _, true) => "nothing changed".to_owned(),
            (None, ..) => "page changed".to_owned(),
        };
        let note = ActNote {
            words: format!("{brief}: {}\n", order.act.action.verb()),
            brief,
            trouble: trouble.or(unseen).or(barred),
            dispatched: tried > 0,
            nothing,
            sent,
            commits,
            caught: None,
            page,
        };
        (vec![permit], note)
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
