//! Errands: the loop joined to a browser, a model and people.

mod act_note;
mod album;
mod asking;
mod elsewhere;
mod page_note;
mod permits;
mod ports;
mod signs;
mod trouble;

use std::path::PathBuf;

use legwork_types::Problem;
use tokio_util::sync::CancellationToken;

use crate::{Approvals, Caller, Sessions};

pub use elsewhere::{
    ForeignAct, ForeignBrowser, ForeignError, ForeignPage, ForeignPart, ForeignTab, On, UNSEEN, acts_of,
    may_commit, not_elsewhere, run_errand_elsewhere,
};
// What surfaces need to name of the errand itself, and of the model that is asked.
pub use legwork_agent::{
    Act, ActNote, Answer, Call, Caught, Checkpoint, Claim, ClaimStatus, Commit, Declarer, Entry, Errand,
    Event, Fate, Handover, Heard, Ignored, Indicator, Limits, Look, Mode, Outcome, OutcomeKind, PageNote,
    Plan, Preset, Proof, Purpose, Question, Reason, Reserve, Ruling, Someone, Spec, Spent, Thrift, Trouble,
    TroubleKind, Vision, deed, fits_schema, foremost, is_permitted_throughout, tokens_of,
};
pub use legwork_llm::{
    Attempts, Choice, Client, DEFAULT_MODEL, Key, Model, NoClient, Patience, PriceSource, Prices, Runs,
    Wishes, choose, found,
};
pub use legwork_types::model::{MicroUsd, Price, Usage};

/// How far an errand may go where its sessions are kept in this mode.
pub fn mode_of(wire: crate::Mode) -> Mode {
    match wire {
        crate::Mode::ReadOnly => Mode::ReadOnly,
        crate::Mode::DryRun => Mode::DryRun,
        crate::Mode::PlanOnly => Mode::PlanOnly,
        crate::Mode::Live => Mode::Live,
    }
}

/// Where the log of an errand is kept.
pub trait Journal: Send {
    /// Writes entries down. When this returns, they last.
    fn record(&mut self, entries: &[Entry]) -> impl Future<Output = Result<(), Problem>> + Send;

    /// Keeps a picture that the model was shown: JPEG or PNG, as its name ends. An errand goes on where it can't be kept.
    fn keep_picture(&mut self, name: &str, bytes: &[u8]) -> impl Future<Output = ()> + Send;

    /// Keeps a picture of what somebody is about to be asked, at least until the errand is over, and says where it is: none where it
    /// can't be kept, and the question is asked all the same. It may be one that the model was shown, under the same name.
    fn show_picture(&mut self, name: &str, bytes: &[u8]) -> impl Future<Output = Option<PathBuf>> + Send {
        let _ = (name, bytes);
        std::future::ready(None)
    }

    /// It is over. This is told before anything is closed: that may take a while, and not everybody waits.
    fn over(&mut self, finished: &Finished) {
        let _ = finished;
    }
}

/// Whoever can be asked while an errand runs.
pub trait People {
    /// Asks. Whoever does not want to answer says nothing.
    fn ask(&mut self, question: &Question) -> impl Future<Output = Answer>;

    /// Attends to questions about what would leave the browser, for as long as this is waited for. They may be answered elsewhere
    /// all the while.
    fn attend(&mut self, desk: &Approvals) -> impl Future<Output = ()>;
}

impl<P: People> People for &mut P {
    async fn ask(&mut self, question: &Question) -> Answer {
        (**self).ask(question).await
    }

    async fn attend(&mut self, desk: &Approvals) {
        (**self).attend(desk).await;
    }
}

/// All that an errand is joined to.
pub struct World<'a, J, P> {
    /// Where it gets its session.
    pub sessions: &'a Sessions,
    /// Whose session it is.
    pub caller: Caller,
    /// The model that is asked.
    pub client: &'a Client,
    /// What that costs.
    pub price: Price,
    /// The model that goes on where the first one can't be asked any more. It meets the same gates and takes of the same limits.
    pub fallback: Option<Asked<'a>>,
    /// Where its log is kept.
    pub journal: J,
    /// Whoever can be asked.
    pub people: P,
    /// Somebody wants it to stop after this step.
    pub stop: CancellationToken,
    /// Somebody wants it to stop at once.
    pub cancel: CancellationToken,
}

/// A model that can be asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// How.
    pub client: &'a Client,
    /// What that costs.
    pub price: Price,
}

/// How an errand went.
#[derive(Debug)]
pub struct Finished {
    /// How it ended; what went wrong where its log could not be written.
    pub outcome: Result<Outcome, Problem>,
    /// What really left the browser, and who said yes to it: also where there is no outcome.
    pub evidence: Vec<String>,
    /// What it took.
    pub spent: Spent,
    /// The page that was seen last.
    pub page: Option<PageNote>,
}

/// Runs an errand to its end, in a session of its own.
pub async fn run_errand<J: Journal, P: People>(spec: Spec, world: World<'_, J, P>) -> Finished {
    let (sessions, caller) = (world.sessions, world.caller.clone());
    let mut ports = ports::Joined::new(world);
    let driven = Box::pin(legwork_agent::drive(spec, &mut ports)).await;
    let finished = Finished {
        outcome: driven.outcome.map_err(|trouble| trouble::problem(&trouble)),
        evidence: driven.errand.receipts().to_vec(),
        spent: *driven.errand.spent(),
        page: driven.errand.page().cloned(),
    };
    ports.over(&finished);
    if let Some(session) = ports.session() {
        // A session that is gone is closed already.
        let _ = sessions.close(&caller, session).await;
    }
    finished
}
