//! The loop's ports over a browser of somebody else's. Whatever has nothing to do with a browser is done as everywhere.

use std::time::Duration;

use legwork_agent::{
    ActNote, Answer, AskFailure, Caught, Commit, Entry, Event, Fate, Happened, Heard, HeardCall, Left, Look,
    Manner, Mind, Order, PageNote, Ports, Purpose, Question, Reserve, Ruling, Seeing, Someone, Thrift,
    Trouble, VIEW_TOKENS, service::Asked,
};
use legwork_types::{
    Code, Problem,
    contract::ActionId,
    model::{ModelRequest, Picture},
};

use super::{
    super::{
        Finished, Journal, People, World, page_note,
        ports::{Joined, digest, said},
        trouble::trouble,
    },
    ForeignAct, ForeignBrowser, ForeignError, ForeignPage, ForeignPart, UNSEEN, acts_of, may_commit, shown,
    view,
};
use crate::{boundary, harmless, random, words};

/// The longest address or title, in characters.
const LONGEST: usize = 300;
/// As much of a page is read at once, in characters.
const READ: usize = 4_000;
/// How long a page that does not change is left alone.
const PAUSE: Duration = Duration::from_secs(1);
/// What stands for the method where an act was approved, and nobody saw what it sent.
const ACT: &str = "ACT";

/// An errand's world with somebody else's browser in it.
pub(super) struct Elsewhere<'a, J, P, B> {
    joined: Joined<'a, J, P>,
    browser: B,
    /// The latest look: its name, and what was seen.
    latest: Option<(String, ForeignPage)>,
    /// What was approved and may have been done where nobody can tell any more: it is not done again.
    never_again: Vec<Commit>,
    /// What has to be known of it, until it was told.
    untold: Option<&'static str>,
}

impl<'a, J: Journal, P: People, B: ForeignBrowser> Elsewhere<'a, J, P, B> {
    pub(super) fn new(world: World<'a, J, P>, browser: B) -> Self {
        let (latest, never_again) = Default::default();
        Self { joined: Joined::new(world), browser, latest, never_again, untold: Some(UNSEEN) }
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

    /// What is there now, with what has to be hidden hidden.
    async fn see(&mut self) -> Result<ForeignPage, ForeignError> {
        let cancel = self.joined.world.cancel.clone();
        let seen = tokio::select! {
            biased;
            seen = self.browser.look() => seen?,
            () = cancel.cancelled() => return Err(ForeignError::BrokenOff),
        };
        let mask = self.joined.world.sessions.vault().mask();
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
        // What has to be hidden can't be covered in a picture of somebody else's.
        let hides = !self.joined.world.sessions.vault().mask().is_empty();
        let may_be_painted = page.dialog.is_none() && !hides;
        self.latest = Some((observation, page));
        if may_be_painted && seeing.wants(&note) {
            match self.browser.picture().await {
                Ok(jpeg) => {
                    note.pixels = Some(digest(&jpeg));
                    note.picture = Some(self.joined.keep(&jpeg).await);
                }
                // Words alone are worth something; that a browser is gone shows at the next look.
                Err(error) => tracing::info!(%error, "there is no picture for a turn"),
            }
        }
        Ok(note)
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
            if let ForeignAct::Go(url) = act {
                self.joined.world.sessions.admits(url)?;
            }
        }
        let announced = order.seeing.errand.prepared().map(|(summary, _)| summary.as_str());
        let why: Vec<String> = acts.iter().filter_map(|act| may_commit(act, page, announced)).collect();
        let touched = match order.act.target {
            legwork_types::contract::Target::Element { action_id } => page.control(action_id.0).cloned(),
            legwork_types::contract::Target::Page {} => None,
        };
        let place = harmless(page.url.untrusted(), LONGEST);
        let dialog = page.dialog.clone();
        let deed = deed(order, touched.as_ref(), page);
        let commit = Commit { method: ACT.to_owned(), address: address(&place, order, touched.as_ref()) };
        if self.never_again.contains(&commit) {
            let hint = "find out whether it was done, such as in a list of orders";
            return Err(Problem::new(
                Code::UnknownOutcome,
                "this was approved before and may have been done: it is not done again",
                hint,
            ));
        }
        Ok(Ordered {
            acts,
            why: (!why.is_empty()).then(|| why.join("; ")),
            touched,
            dialog,
            place,
            deed,
            commit,
        })
    }

    /// Asks somebody; whether it may be done, and if not, why.
    async fn approved(&mut self, ordered: &Ordered, why: &str, order: &Order<'_>) -> Result<(), Problem> {
        let action = format!("{} at {}", ordered.deed, ordered.place);
        let reason = format!(
            "{}; asked because {why}. {}",
            harmless(&said(&order.act.why, order.seeing), LONGEST),
            "Legwork does not see what it sends"
        );
        let asked = Question::Approve { action, reason };
        if self.joined.ask_person(&asked).await != Answer::Yes {
            let message = format!("nobody said yes, this was not done: {}", ordered.deed);
            return Err(Problem::new(Code::ApprovalDenied, message, "nothing was done"));
        }
        Ok(())
    }

    /// Whether what somebody said yes to is still there: people take their time, and pages do not wait.
    async fn is_still_there(&mut self, ordered: &Ordered) -> Result<(), Problem> {
        let now = self.see().await.map_err(|error| error.problem())?;
        let is_there = match &ordered.touched {
            Some(touched) => now.parts.iter().any(|part| part.is_same(touched)),
            None => true,
        };
        let asks_the_same = now.dialog == ordered.dialog;
        if !is_there || !asks_the_same || harmless(now.url.untrusted(), LONGEST) != ordered.place {
            let hint = "look at the page, and do it again if it is still right: somebody is asked again";
            return Err(Problem::new(
                Code::StaleObservation,
                "the page changed while somebody was asked, so it was not done",
                hint,
            ));
        }
        Ok(())
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

/// What is to be done.
struct Ordered {
    acts: Vec<ForeignAct>,
    /// Why somebody has to say yes.
    why: Option<String>,
    touched: Option<ForeignPart>,
    /// The dialog that waits for an answer.
    dialog: Option<legwork_types::PageText>,
    /// Where.
    place: String,
    /// In words; some of them are the page's.
    deed: String,
    commit: Commit,
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
        if let Some(why) = ordered.why.as_ref().filter(|_| !was_asked) {
            if seeing.errand.spec().someone == Someone::Absent {
                let request = format!("{} at {}", ordered.deed, ordered.place);
                let caught = Some(Caught { fate: Fate::NobodyToAsk, request, settles: true });
                let problem = Problem::new(
                    Code::SafetyConfirmationRequired,
                    "nobody is there to say yes, so it was not done",
                    "run it where somebody can be asked",
                );
                return (vec![], ActNote { caught, ..self.undone(trouble(&problem), seeing).await });
            }
            if let Err(problem) = self.approved(&ordered, why, &order).await {
                return (vec![], self.undone(trouble(&problem), seeing).await);
            }
        }
        if (was_asked || ordered.why.is_some())
            && let Err(problem) = self.is_still_there(&ordered).await
        {
            return (vec![], self.undone(trouble(&problem), seeing).await);
        }
        let before = self.latest.as_ref().map(|(_, page)| view::digest(page));
        let permit = match self.permit(&order).await {
            Ok(permit) => permit,
            Err(trouble) => return (vec![], self.undone(trouble, seeing).await),
        };
        let mut done = Ok(());
        for act in &ordered.acts {
            done = self.perform(act).await;
            if done.is_err() {
                break;
            }
        }
        let trouble = done.as_ref().err().map(ForeignError::trouble_of_act);
        let is_unknown = done.as_ref().is_err_and(ForeignError::is_unknown);
        let was_tried = !matches!(done, Err(ForeignError::NotOffered(_)));
        let (mut sent, mut commits) = (vec![], vec![]);
        if (was_asked || ordered.why.is_some()) && was_tried {
            // A browser that says that it failed may have got as far as the click.
            let came = match &done {
                Ok(()) => "and it was done",
                Err(_) if is_unknown => "and whether it was done is not known",
                Err(_) => "and the browser says that it failed; whether it was done is not known",
            };
            sent.push(format!("a person said yes, {came}: {} at {}", ordered.deed, ordered.place));
            commits.push(ordered.commit.clone());
            if is_unknown {
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
            trouble: trouble.or(unseen),
            dispatched: was_tried && !ordered.acts.is_empty(),
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
        self.joined.ask_person(question).await
    }
}

/// An act with what the page calls its element, and with what is done there: `click button "Place order"`.
fn deed(order: &Order<'_>, touched: Option<&ForeignPart>, page: &ForeignPage) -> String {
    let quoted = |text: &str| legwork_observe::on_one_line(text, 100);
    let mut words = match touched {
        Some(part) => {
            let pressed =
                format!("{} {} {}", order.act.action.verb(), part.role, quoted(part.name.untrusted()));
            match &order.act.action {
                legwork_types::contract::Action::Click { .. } => pressed,
                _ => format!("{pressed}: {}", harmless(&legwork_agent::deed(order.act, None), LONGEST)),
            }
        }
        None => legwork_agent::deed(order.act, None),
    };
    if let Some(dialog) = &page.dialog {
        words.push_str(&format!(", which says {}", quoted(dialog.untrusted())));
    }
    words
}

/// The same as an address that tells one such act from another: no words of a page but those that an address may have.
fn address(place: &str, order: &Order<'_>, touched: Option<&ForeignPart>) -> String {
    const SLUG: usize = 40;
    let place = place.split(['?', '#']).next().unwrap_or_default();
    let what = match touched {
        Some(part) => format!("{}-{}", part.role, part.name.untrusted()),
        None => legwork_agent::deed(order.act, None),
    };
    let slug: String =
        what.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(SLUG).collect();
    format!("{place}#{}-{slug}", order.act.action.verb())
}

/// Whether the loop has asked somebody about this already.
fn was_asked(order: &Order<'_>) -> bool {
    let errand = order.seeing.errand;
    let signs = errand.page().and_then(|page| page.signs.as_ref());
    let rules = errand.spec().service.as_ref().filter(|rules| rules.asked == Asked::BeforeTheAct);
    rules.is_some_and(|rules| rules.checkpoint_of(order.act, signs).is_some())
}
