//! The loop's ports, joined to sessions, a model and people.

use std::{path::PathBuf, time::Duration};

use legwork_agent::{
    ActNote, Answer, AskFailure, Caught, Commit, Entry, Fate, Happened, Heard, HeardCall, Left, Look, Manner,
    Mind, Order, PageNote, Ports, Purpose, Question, Reserve, Ruling, Seeing, Trouble, TroubleKind,
    service::Wanted,
};
use legwork_types::{
    Code, PageUrl, Problem,
    contract::{
        ActRequest, Action, ActionId, Expect, ObservationId, ObserveOptions, SessionId, Target, Within,
    },
    model::{ModelRequest, Picture},
};
use tokio::time::Instant;

use super::{
    Finished, Journal, People, World, act_note,
    album::{Album, digest},
    asking, page_note,
    permits::LogClerk,
    trouble::{Memory, trouble, while_painting},
};
use crate::{ApprovalId, Besides, Decided, Doings, Hand, NotDecided, OpenRequest, Seen, Thrift, words};

/// As much of a page is read at once, in characters.
const READ: usize = 4_000;
/// As much of a page is searched for signs, in characters.
const ALL: usize = 200_000;
/// How long a page that does not change is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// An errand's world.
pub(super) struct Joined<'a, J, P> {
    pub(super) world: World<'a, J, P>,
    began: Instant,
    /// For how long people were waited for.
    waited: Duration,
    session: Option<SessionId>,
    doings: Option<Doings>,
    album: Album,
    /// The questions that came of its own acts.
    own: Vec<ApprovalId>,
    /// Whether somebody said yes to something else that an act of its own led to, and that was not told yet.
    again: bool,
    /// Where the latest page is, as the loop knows it and in full.
    address: (String, String),
    /// What happened in a session that was left, and was not told yet.
    late: (Vec<String>, Vec<Commit>),
    /// Whether the page was being painted when the browser was lost.
    was_painting: bool,
    /// The system's memory when the browser was got.
    memory: Memory,
}

impl<'a, J: Journal, P: People> Joined<'a, J, P> {
    pub(super) fn new(world: World<'a, J, P>) -> Self {
        let (session, doings, album, address, late) = Default::default();
        Self {
            world,
            began: Instant::now(),
            waited: Duration::ZERO,
            session,
            doings,
            album,
            own: vec![],
            again: false,
            address,
            late,
            was_painting: false,
            memory: Memory::default(),
        }
    }

    /// Says how it went to whoever keeps the log.
    pub(super) fn over(&mut self, finished: &Finished) {
        self.world.journal.over(finished);
    }

    /// Its session, if it has one.
    pub(super) fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    fn open_session(&self) -> Result<&SessionId, Problem> {
        self.session
            .as_ref()
            .ok_or_else(|| Problem::new(Code::SessionNotFound, "there is no page yet", "open one first"))
    }

    /// A look as the model is shown it, with a picture where one is wanted.
    async fn page(
        &mut self,
        seen: &Seen,
        options: &ObserveOptions,
        seeing: Seeing<'_>,
    ) -> Result<PageNote, Problem> {
        let mut note = page_note::note(seen, options, seeing.errand.spec().service.as_ref())?;
        self.address = (note.url.clone(), seen.look.scene().page.final_url.untrusted().to_owned());
        if seen.look.is_stale() || !seeing.wants(&note) {
            return Ok(note);
        }
        let World { sessions, caller, cancel, .. } = &self.world;
        let look = Some(seen.look.id());
        match sessions.screenshot(caller, self.open_session()?, look, cancel).await {
            Ok(jpeg) => {
                note.pixels = Some(digest(&jpeg));
                note.picture = Some(self.keep(&jpeg).await);
            }
            // Words alone are worth something; a browser that is gone is not hidden behind them.
            Err(problem) if trouble(&problem).kind.is_disconnect() => {
                self.was_painting = true;
                return Err(problem);
            }
            Err(problem) => tracing::info!(code = %problem.code, "there is no picture for a turn"),
        }
        Ok(note)
    }

    /// The name of a picture that was taken just now.
    pub(super) fn name(&mut self, bytes: &[u8]) -> String {
        self.album.name(bytes)
    }

    /// Keeps a picture for whoever is asked; where it is.
    pub(super) async fn show(&mut self, name: &str, bytes: &[u8]) -> Option<PathBuf> {
        self.world.journal.show_picture(name, bytes).await
    }

    /// Writes a picture that the model is shown beside the log, under a name.
    pub(super) async fn keep(&mut self, bytes: &[u8]) -> String {
        self.album.keep(&mut self.world.journal, bytes).await
    }

    async fn try_open(
        &mut self,
        url: Option<&str>,
        request: OpenRequest,
        seeing: Seeing<'_>,
    ) -> Result<PageNote, Problem> {
        let url = url.map(PageUrl::parse).transpose().map_err(|refusal| Problem::from(&refusal))?;
        let options = page_note::options(&Look::default());
        let request = OpenRequest { url, observe: options.clone(), ..request };
        let World { sessions, caller, stop, .. } = &self.world;
        self.memory = Memory::now();
        // Nothing is half done while a page is opened: whoever calls the errand off does not wait for it.
        let opened = sessions.open(caller, request, stop).await?;
        self.doings = sessions.doings(caller, &opened.session);
        self.session = Some(opened.session);
        self.page(&opened.seen, &options, seeing).await
    }

    async fn try_look(&mut self, part: &Look, seeing: Seeing<'_>) -> Result<PageNote, Problem> {
        let options = page_note::options(part);
        let World { sessions, caller, cancel, .. } = &self.world;
        let seen = sessions.observe(caller, self.open_session()?, &options, cancel).await?;
        self.page(&seen, &options, seeing).await
    }

    async fn try_read_all(&self) -> Result<(String, bool), Problem> {
        let World { sessions, caller, cancel, .. } = &self.world;
        sessions.read_all(caller, self.open_session()?, ALL, cancel).await
    }

    async fn try_read(&self, within: Option<ActionId>) -> Result<String, Problem> {
        let World { sessions, caller, cancel, .. } = &self.world;
        sessions.read(caller, self.open_session()?, within.map(Within::Action), READ, cancel).await
    }

    /// Waits until a question is decided, here or elsewhere.
    async fn decided(&mut self, approval: &ApprovalId) -> Result<Decided, Problem> {
        let World { sessions, caller, people, stop, cancel, .. } = &mut self.world;
        let desk = sessions.approvals().clone();
        let Some(session) = &self.session else { return Ok(Decided::Unanswered) };
        let attended = async {
            people.attend(&desk).await;
            // Somebody may still answer elsewhere.
            std::future::pending::<()>().await;
        };
        let mut decided = Box::pin(sessions.decided(caller, session, approval, cancel));
        tokio::select! {
            biased;
            decided = &mut decided => decided,
            () = attended => Ok(Decided::Unanswered),
            // Whoever calls it off takes the question back. What was answered by then is carried out, and told.
            () = stop.cancelled() => match desk.answer(approval, crate::Answer::No) {
                Ok(()) | Err(NotDecided::Unknown | NotDecided::NotOffered) => Ok(Decided::Denied),
                Err(NotDecided::Already(_)) => decided.await,
            },
        }
    }

    /// Loads a page again, in the tab that is in front now.
    async fn try_reload(
        &mut self,
        url: &str,
        commits: &[Commit],
        seeing: Seeing<'_>,
    ) -> Result<PageNote, Problem> {
        if let Some(doings) = &self.doings {
            doings.never_again(commits.iter().map(pair).collect());
        }
        let options = page_note::options(&Look::default());
        let World { sessions, caller, cancel, .. } = &self.world;
        let session = self.open_session()?.clone();
        let front = sessions.observe(caller, &session, &options, cancel).await?;
        // Another page has come to the front, such as the one that opened what crashed: it is left alone.
        if front.look.scene().page.final_url.untrusted() != "about:blank" {
            return self.page(&front, &options, seeing).await;
        }
        let request = ActRequest {
            session_id: session,
            observation_id: front.look.id().clone(),
            target: Target::Page {},
            action: Action::Navigate { url: self.in_full(url).to_owned() },
            expect: Expect::default(),
            reason: Some("the page crashed and is loaded again".to_owned()),
            confirm: false,
            confirmation_text: None,
            observe: options.clone(),
        };
        let at = self.at();
        let World { sessions, caller, journal, cancel, .. } = &mut self.world;
        // No step of the model has this number.
        let mut clerk = LogClerk { journal, at, number: 0, written: vec![] };
        let acted = sessions.act_on_record(caller, request, None, &mut clerk, cancel).await;
        match (acted.error, acted.next) {
            (Some(problem), _) => Err(problem),
            (None, Some(seen)) => self.page(&seen, &options, seeing).await,
            (None, None) => self.try_look(&Look::default(), seeing).await,
        }
    }

    /// What a failure means.
    async fn lost(&mut self, problem: &Problem) -> Trouble {
        let trouble = trouble(problem);
        self.parted(trouble, problem).await
    }

    /// The same, and what has to be done about it: where the browser is gone, what was answered by then is carried out before anything
    /// else is done; where the page is, what left because of it is not sent again.
    async fn parted(&mut self, trouble: Trouble, problem: &Problem) -> Trouble {
        // Of a browser that runs elsewhere the memory here says nothing.
        let ran_out = self.world.sessions.starts_browsers() && self.memory.ran_out();
        let trouble = match std::mem::take(&mut self.was_painting) || ran_out {
            true => while_painting(trouble, problem, ran_out),
            false => trouble,
        };
        if trouble.kind.is_disconnect() {
            self.settle().await;
        }
        if trouble.kind == TroubleKind::PageClosed {
            self.doings.iter().for_each(Doings::page_lost);
        }
        trouble
    }

    /// A page that was to be painted.
    async fn painted(&mut self, opened: Result<PageNote, Problem>) -> Result<PageNote, Trouble> {
        match opened {
            Ok(page) => Ok(page),
            Err(problem) => {
                self.was_painting = true;
                Err(self.lost(&problem).await)
            }
        }
    }

    /// An address that the loop knows, which has the beginning of long ones alone.
    fn in_full<'u>(&'u self, url: &'u str) -> &'u str {
        let (known, in_full) = &self.address;
        if url == known { in_full } else { url }
    }

    /// A session whose page was too heavy is there still. What was answered in it by now is carried out, and told with what comes next.
    async fn leave_session(&mut self) {
        let Some(session) = self.session.take() else { return };
        if self.doings.as_ref().is_some_and(|doings| !doings.is_over()) {
            self.settle().await;
            self.late = self.happened();
            let World { sessions, caller, .. } = &self.world;
            if let Err(problem) = sessions.close(caller, &session).await {
                tracing::info!(code = %problem.code, "a session was over already");
            }
        }
    }

    async fn settle(&self) {
        if let Some(doings) = &self.doings {
            doings.settle().await;
        }
    }

    /// What happened since this was last asked: a line each, and what of it somebody said yes to.
    fn happened(&mut self) -> (Vec<String>, Vec<Commit>) {
        let happened = self.doings.as_ref().map(Doings::take).unwrap_or_default();
        // What the errand itself asked and waits for is told as that.
        let is_own =
            |one: &Besides| matches!(one, Besides::Decided(approval, _) if self.own.contains(&approval.id));
        let others: Vec<&Besides> = happened.iter().filter(|one| !is_own(one)).collect();
        let has_to_be_repeated = |one: &&Besides| match one {
            Besides::Decided(approval, decided) => {
                *decided == Decided::ToBeDoneAgain && approval.question.act.is_some()
            }
            Besides::Left { .. } | Besides::Unlisted(_) | Besides::Committed { .. } => false,
        };
        self.again |= others.iter().any(has_to_be_repeated);
        let (mut lines, mut commits) = std::mem::take(&mut self.late);
        lines.extend(others.into_iter().filter_map(act_note::besides));
        commits.extend(happened.iter().filter_map(act_note::commit));
        (lines, commits)
    }

    /// Waits for people: their time is not the errand's.
    fn was_waiting(&mut self, since: Instant) {
        self.waited += since.elapsed();
    }
}

impl<J: Journal, P: People> Ports for Joined<'_, J, P> {
    fn at(&self) -> u64 {
        let taken = self.began.elapsed().saturating_sub(self.waited);
        u64::try_from(taken.as_millis()).unwrap_or(u64::MAX)
    }

    fn is_interrupted(&self) -> bool {
        self.world.stop.is_cancelled() || self.world.cancel.is_cancelled()
    }

    async fn record(&mut self, entries: &[Entry]) -> Result<(), Trouble> {
        self.world.journal.record(entries).await.map_err(|problem| trouble(&problem))
    }

    fn reserve(&self, mind: Mind, request: &ModelRequest) -> Reserve {
        asking::reserve(request, &asking::asked(&self.world, mind).price)
    }

    fn besides(&mut self) -> Happened {
        let (lines, commits) = self.happened();
        Happened { lines, again: std::mem::take(&mut self.again), commits }
    }

    async fn leave(&mut self) -> Happened {
        self.settle().await;
        self.besides()
    }

    async fn ask(
        &mut self,
        mind: Mind,
        _: Purpose,
        request: &ModelRequest,
        left: Left,
    ) -> Result<(Heard, Vec<HeardCall>), AskFailure> {
        asking::ask(&self.world, mind, request, left).await
    }

    fn picture(&self, name: &str) -> Option<Picture> {
        self.album.find(name)
    }

    async fn open(&mut self, url: Option<&str>, seeing: Seeing<'_>) -> Result<PageNote, Trouble> {
        let opened = self.try_open(url, OpenRequest::default(), seeing).await;
        self.painted(opened).await
    }

    async fn reload(
        &mut self,
        url: &str,
        commits: &[Commit],
        seeing: Seeing<'_>,
    ) -> Result<PageNote, Trouble> {
        let loaded = self.try_reload(url, commits, seeing).await;
        self.painted(loaded).await
    }

    async fn reconnect(
        &mut self,
        url: Option<&str>,
        commits: &[Commit],
        thrift: legwork_agent::Thrift,
        seeing: Seeing<'_>,
    ) -> Result<PageNote, Trouble> {
        self.leave_session().await;
        let request = OpenRequest {
            never_again: Some(commits.iter().chain(&self.late.1).map(pair).collect()),
            thrift: match thrift {
                legwork_agent::Thrift::None => Thrift::None,
                legwork_agent::Thrift::NoScripts => Thrift::NoScripts,
                legwork_agent::Thrift::NoScriptsAndSmall => Thrift::NoScriptsAndSmall,
            },
            ..OpenRequest::default()
        };
        let opened = self.try_open(url, request, seeing).await;
        self.painted(opened).await
    }

    async fn look(&mut self, part: &Look, seeing: Seeing<'_>, manner: Manner) -> Result<PageNote, Trouble> {
        if manner == Manner::AfterASecond {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = self.world.stop.cancelled() => {}
            }
        }
        let mut page = match self.try_look(part, seeing).await {
            Ok(page) => page,
            Err(problem) => return Err(self.lost(&problem).await),
        };
        if manner == Manner::WithAllWords {
            match self.try_read_all().await {
                Ok((words, is_whole)) => (page.words, page.is_cut) = (Some(words), !is_whole),
                // Whoever is gone has shown nothing; of a page that can't be read now nobody knows what it shows.
                Err(problem) if trouble(&problem).kind != TroubleKind::Told => {
                    return Err(self.lost(&problem).await);
                }
                Err(_) => {}
            }
        }
        Ok(page)
    }

    async fn read(&mut self, within: Option<ActionId>) -> Result<String, Trouble> {
        match self.try_read(within).await {
            Ok(text) => Ok(words::fenced_text(&text)),
            Err(problem) => Err(self.lost(&problem).await),
        }
    }

    async fn act(&mut self, order: Order<'_>) -> (Vec<Entry>, ActNote) {
        let at = self.at();
        let Order { number, act, observation, seeing, caution } = order;
        let options = page_note::options(&Look::default());
        let deed = words::deed(act.target, &act.action);
        let request = ActRequest {
            // Without a session it is refused as one that is not there.
            session_id: self.session.clone().unwrap_or_else(|| SessionId(String::new())),
            observation_id: ObservationId(observation.to_owned()),
            target: act.target,
            action: act.action.clone(),
            expect: Expect::default(),
            reason: Some(said(&act.why, seeing)),
            confirm: false,
            confirmation_text: None,
            observe: options.clone(),
        };
        let World { sessions, caller, journal, cancel, .. } = &mut self.world;
        let mut clerk = LogClerk { journal, at, number, written: vec![] };
        let mut acted = sessions.act_on_record(caller, request, caution.as_deref(), &mut clerk, cancel).await;
        let written = clerk.written;
        let caught = acted.error.as_ref().and_then(act_note::caught);
        // What is asked because of this act is this errand's own question, however soon it is answered.
        if let Some(Caught { fate: Fate::Held(id) | Fate::ToBeRepeated(id), .. }) = &caught {
            self.own.push(ApprovalId(id.clone()));
        }
        let has_failed = acted.error.is_some() && caught.is_none();
        let seeing = if has_failed { seeing.after_failure() } else { seeing };
        let page = match &acted.next {
            Some(next) => match self.page(next, &options, seeing).await {
                Ok(page) => Some(page),
                Err(problem) => {
                    acted.error.get_or_insert(problem);
                    None
                }
            },
            None => None,
        };
        let is_over = self.doings.as_ref().is_none_or(Doings::is_over);
        let mut trouble = None;
        if let Some(problem) = &acted.error {
            self.was_painting |= leads_elsewhere(&act.action, acted.receipt.dispatched);
            let found = act_note::trouble_of(problem, page.as_ref(), is_over);
            trouble = Some(self.parted(found, problem).await);
        }
        let besides = self.happened();
        (written, act_note::note(&deed, &acted, trouble, caught, page, besides))
    }

    async fn await_ruling(&mut self, approval: &str) -> Ruling {
        let since = Instant::now();
        let decided = self.decided(&ApprovalId(approval.to_owned())).await;
        self.was_waiting(since);
        if matches!(decided, Ok(Decided::Withdrawn) | Err(_)) {
            self.settle().await;
        }
        match decided {
            Ok(Decided::LetGo) => Ruling::LetGo,
            Ok(Decided::ToBeDoneAgain) => Ruling::ToBeRepeated,
            Ok(Decided::NotSent) => Ruling::NotSent,
            Ok(Decided::Unknown) => Ruling::Unknown,
            Ok(Decided::Denied) => Ruling::Denied,
            Ok(Decided::Unanswered) => Ruling::Expired,
            // The session is gone, and its questions with it.
            Ok(Decided::Withdrawn) | Err(_) => Ruling::Withdrawn,
        }
    }

    async fn ask_person(&mut self, question: &Question) -> Answer {
        let since = Instant::now();
        // Whoever logs in or proves something by hand says yes to that by doing it.
        let by_hand = |at: Option<(Hand, &str)>| self.doings.iter().for_each(|one| one.by_hand(at));
        if let Question::TakeOver { url, wants } = question {
            let hand = match wants {
                Wanted::Login => Hand::LogsIn,
                Wanted::Code => Hand::GivesCode,
                Wanted::Captcha => Hand::ProvesHuman,
            };
            by_hand(Some((hand, url)));
        }
        let World { people, stop, .. } = &mut self.world;
        let answer = tokio::select! {
            biased;
            answer = people.ask(question) => answer,
            () = stop.cancelled() => Answer::Nothing,
        };
        by_hand(None);
        self.was_waiting(since);
        answer
    }
}

/// Whether another page may have been painted because of an act.
fn leads_elsewhere(action: &Action, dispatched: bool) -> bool {
    match action {
        Action::Navigate { .. } => true,
        Action::Click { .. } | Action::PressKey { .. } => dispatched,
        _ => false,
    }
}

/// What the model says that an act is for: shown to whoever is asked about it, as its words.
pub(super) fn said(why: &str, seeing: Seeing<'_>) -> String {
    match seeing.errand.prepared() {
        Some((summary, Some(amount))) => format!("{summary} ({amount}); {why}"),
        Some((summary, None)) => format!("{summary}; {why}"),
        None => why.to_owned(),
    }
}

fn pair(commit: &Commit) -> (String, String) {
    (commit.method.clone(), commit.address.clone())
}
