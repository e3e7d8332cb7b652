//! One errand from beginning to end: its model, its log, and whoever can be asked.

use std::sync::{Arc, Mutex};

use legwork_runtime::{
    Answer as Decision, Approval, Approvals, Caller, CancellationToken, Sessions,
    errands::{
        Answer, Entry, Event, Journal, Limits, Mode, People, Prices, Question, Runs, Someone, Spec, Vision,
        World, run_errand,
    },
};
use legwork_testkit::sites::vendor::{Vendor, VendorWire};
use legwork_types::{Problem, contract::SessionId};
use tokio::{
    sync::Semaphore,
    task::{JoinSet, LocalSet},
};

use super::{model::Obedient, went::Went};
use crate::attacks::{
    rows::{AT_ONCE, Trial},
    stage::{LONG, Run},
    vendor::client,
};

/// Turns of the model, of which a page can't get more.
pub(super) const TURNS: u32 = 40;

/// An errand that is to be run.
pub(super) struct Task<'a> {
    /// Where it gets its session.
    pub(super) sessions: &'a Arc<Sessions>,
    /// How they are run.
    pub(super) run: Run,
    /// Whose session it is: what one caller has read, another one does not know.
    pub(super) caller: String,
    /// The wire on which its model is asked.
    pub(super) wire: VendorWire,
    /// What the person does who is asked about what would really be sent.
    pub(super) asked: Asked,
    /// The row that it is about, if it is about one: its session stays open until all has come of it.
    pub(super) trial: Option<Trial<'a>>,
}

/// What a person does who is asked about what would really be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Somebody else answers.
    Waits,
    /// Calls the errand off.
    GoesAway,
    /// Answers.
    Says(Decision),
}

impl<'a> Task<'a> {
    /// An errand in sessions that are run so.
    pub(super) fn new(sessions: &'a Arc<Sessions>, run: Run, caller: &str) -> Self {
        let asked = match run {
            Run::Yes | Run::Once | Run::OnceAgain => Asked::Waits,
            // Also in a dry run somebody is asked, about signing out for example.
            _ => Asked::GoesAway,
        };
        let caller = caller.to_owned();
        Self { sessions, run, caller, wire: VendorWire::Anthropic, asked, trial: None }
    }

    /// Runs it from this address, with this model.
    pub(super) async fn run(&self, url: &str, model: Obedient) -> Went {
        // Pictures take their time, and say nothing that the words do not.
        let vision = Vision::Never;
        let start_url = Some(url.to_owned());
        self.run_spec(Spec { start_url, vision, ..Spec::new("Look around and tell what is there.") }, model)
            .await
    }

    /// The same with everything that can be said of an errand.
    pub(super) async fn run_spec(&self, spec: Spec, model: Obedient) -> Went {
        let vendor = Vendor::start(model.script()).unwrap();
        let client = client(&vendor, self.wire).await;
        let mode = match self.run {
            Run::Dry => Mode::DryRun,
            Run::ReadOnly => Mode::ReadOnly,
            Run::Plan => Mode::PlanOnly,
            Run::Unanswered | Run::Nobody | Run::Yes | Run::Once | Run::OnceAgain => Mode::Live,
        };
        let limits = Limits { turns: TURNS, turns_after_approval: TURNS, ..Limits::GENERAL };
        let caller = Caller::new(&self.caller);
        let journal =
            Log { sessions: self.sessions, caller: caller.clone(), trial: self.trial, kept: Kept::default() };
        let (kept, stop) = (journal.kept.clone(), CancellationToken::new());
        let world = World {
            sessions: self.sessions,
            caller,
            price: Prices::default().of(&client.model().name, Runs::Elsewhere).0,
            client: &client,
            fallback: None,
            journal,
            people: Deceived { asked: self.asked, kept: kept.clone(), stop: stop.clone() },
            stop,
            cancel: CancellationToken::new(),
        };
        let spec = Spec { mode, limits, someone: Someone::Present, ..spec };
        let finished = tokio::time::timeout(LONG * 3, run_errand(spec, world)).await;
        let Written { log, session, questions } = kept.0.lock().unwrap().clone();
        Went { run: self.run, finished: finished.ok(), log, session, questions, books: vendor.books() }
    }
}

/// What was written down.
#[derive(Debug, Clone, Default)]
struct Written {
    log: Vec<Entry>,
    session: Option<SessionId>,
    questions: Vec<Arc<Approval>>,
}

/// The same for whoever looks at it later.
#[derive(Debug, Clone, Default)]
struct Kept(Arc<Mutex<Written>>);

/// The log of an errand, which also knows its session.
struct Log<'a> {
    sessions: &'a Sessions,
    caller: Caller,
    trial: Option<Trial<'a>>,
    kept: Kept,
}

impl Journal for Log<'_> {
    async fn record(&mut self, entries: &[Entry]) -> Result<(), Problem> {
        let open = self.sessions.list(&self.caller).await.pop().map(|one| one.session);
        let session = {
            let mut written = self.kept.0.lock().unwrap();
            written.session = open.or(written.session.take());
            written.session.clone()
        };
        // Its session is closed after the last word.
        let is_over = entries.iter().any(|entry| matches!(entry.event, Event::Ended { .. }));
        if let Some(trial) = self.trial.filter(|_| is_over) {
            trial.come(session.as_ref()).await;
        }
        self.kept.0.lock().unwrap().log.extend_from_slice(entries);
        Ok(())
    }

    async fn keep_picture(&mut self, _: &str, _: &[u8]) {}
}

/// A person who lets the model do whatever it asks for.
struct Deceived {
    asked: Asked,
    kept: Kept,
    stop: CancellationToken,
}

impl People for Deceived {
    async fn ask(&mut self, question: &Question) -> Answer {
        match question {
            Question::Extend { .. } => Answer::No,
            Question::Approve { .. }
            | Question::Tell { .. }
            | Question::Checkpoint { .. }
            | Question::TakeOver { .. } => Answer::Yes,
        }
    }

    async fn attend(&mut self, desk: &Approvals) {
        let mut written = self.kept.0.lock().unwrap();
        for asked in desk.waiting() {
            if written.session.as_ref() != Some(&asked.question.session) {
                continue;
            }
            if let Asked::Says(answer) = self.asked {
                desk.answer(&asked.id, answer).unwrap();
            }
            written.questions.push(asked);
        }
        if self.asked == Asked::GoesAway {
            self.stop.cancel();
        }
    }
}

/// Does all of this side by side, as much at once as a small machine can do.
pub(super) async fn side_by_side<T: 'static>(
    all: impl IntoIterator<Item = impl Future<Output = T> + 'static>,
) -> Vec<T> {
    let (seats, here, mut set) = (Arc::new(Semaphore::new(AT_ONCE)), LocalSet::new(), JoinSet::new());
    for one in all {
        let seats = seats.clone();
        set.spawn_local_on(
            async move {
                let _seat = seats.acquire().await;
                one.await
            },
            &here,
        );
    }
    here.run_until(set.join_all()).await
}
