//! The state of an errand: what follows from its events, and nothing else.

mod acts;
mod apply;
mod logins;
mod lost;
mod resumed;
mod service;

use legwork_types::contract::ActionId;
use serde::Serialize;

use self::logins::Logins;

use crate::{
    budget::{Reserve, Spent},
    call::{Act, Claim},
    event::{Caught, Commit, Entry, Event, Ignored, PageNote, Plan, Purpose, Question, Thrift},
    loops::Ways,
    mind::{Handover, Mind},
    outcome::Outcome,
    receipts::Receipts,
    spec::{Limits, Spec},
};

/// An errand under way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Errand {
    pub(crate) spec: Spec,
    pub(crate) limits: Limits,
    pub(crate) spent: Spent,
    pub(crate) reserved: Option<(Purpose, Reserve)>,
    pub(crate) plan: Option<Plan>,
    pub(crate) phase: Phase,
    pub(crate) talk: Talk,
    pub(crate) work: Work,
    pub(crate) counts: Counts,
    /// Which model went on in the place of which, and why.
    pub(crate) handover: Option<(Handover, String)>,
    /// How the browser saves memory.
    pub(crate) thrift: Thrift,
    pub(crate) is_interrupted: bool,
    pub(crate) outcome: Option<Outcome>,
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) enum Phase {
    Planning,
    Looking(LookFor),
    Thinking,
    Acting(u32, Act),
    Reading { within: Option<ActionId> },
    AwaitingRuling { approval: String },
    AskingPerson { question: Question, then: Box<Phase> },
    Reconnecting,
    Judging,
    Ended,
}

/// Why the page is looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) enum LookFor {
    /// It is opened.
    First,
    /// The last look is out of date.
    Fresh,
    /// Nothing has changed so far.
    Change,
    /// The model wants to see this part.
    Part(crate::call::Look),
    /// The model says that it is done.
    Proof,
    /// The page crashed, and is loaded again.
    Again(String),
}

/// What the model sees and has heard since it last saw the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Talk {
    pub(crate) page: Option<PageNote>,
    /// What the model was last shown: state and picture.
    pub(crate) shown: Option<(u64, Option<u64>)>,
    /// What the model said last, until it is told what came of it.
    pub(crate) said: Option<String>,
    /// What it said and was told since it was shown the page.
    pub(crate) tail: Vec<Exchange>,
    /// How much of that, from its beginning, was said by a model that is not asked any more.
    pub(crate) of_first: usize,
    /// What it has to know besides, told once.
    pub(crate) notices: Vec<String>,
    /// Whether the last act has to be done again: somebody said yes to what it led to.
    pub(crate) again: bool,
    /// Places that were seen before.
    pub(crate) visited: Vec<String>,
}

impl Talk {
    /// Whether the model was last shown a page like this one. Where one of the two has no picture, words have to do.
    fn has_shown(&self, page: &PageNote) -> bool {
        self.shown.is_some_and(|(digest, pixels)| {
            digest == page.digest && (pixels == page.pixels || pixels.is_none() || page.pixels.is_none())
        })
    }
}

/// What the model said, and was told of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Exchange {
    pub(crate) said: String,
    /// The call that is answered; none where nothing was called.
    pub(crate) call: Option<String>,
    pub(crate) told: String,
    pub(crate) is_error: bool,
    /// Further calls, which are answered by this.
    pub(crate) ignored: Vec<Ignored>,
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Work {
    pub(crate) steps: Vec<Step>,
    /// What really left the browser, and who said yes to it.
    pub(crate) receipts: Receipts,
    pub(crate) claim: Option<Claim>,
    /// What the model says that it has prepared.
    pub(crate) prepared: Option<(String, Option<String>)>,
    /// The last thing that was caught on the wire.
    pub(crate) caught: Option<Caught>,
    /// What somebody said yes to and that left, or may have.
    pub(crate) commits: Vec<Commit>,
    /// What somebody said yes to when its page was gone already.
    pub(crate) approved: Option<String>,
    /// How many of these are from a page or a browser that is gone.
    pub(crate) lost_commits: usize,
    /// Where pages crashed.
    pub(crate) crashed: Vec<String>,
    /// Where browsers were lost while they painted.
    pub(crate) painted_last: Vec<String>,
    /// What was called on which page, the latest last.
    pub(crate) ways: Ways,
    /// Steps before this one were done in a browser that is gone: nobody is told of them any more.
    pub(crate) told_from: usize,
    /// Where somebody was seen to be logged in.
    pub(crate) logins: Logins,
    /// What was done before the model was asked: which rule of the service, and where.
    pub(crate) readied: Vec<(usize, String)>,
    /// Where somebody was asked to take over.
    pub(crate) taken_over: Vec<String>,
    /// What went wrong last.
    pub(crate) last_trouble: Option<(String, String)>,
    /// What the models that were asked can't do, a line each.
    pub(crate) lacks: Vec<String>,
}

impl Work {
    /// The steps in the browser that is there now.
    pub(crate) fn steps_here(&self) -> &[Step] {
        self.steps.get(self.told_from..).unwrap_or_default()
    }
}

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Step {
    pub(crate) number: u32,
    /// What, on what.
    pub(crate) deed: String,
    pub(crate) why: String,
    pub(crate) came_of_it: String,
    pub(crate) is_ok: bool,
}

/// How often something happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    pub(crate) plans_refused: u32,
    pub(crate) silent: u32,
    pub(crate) quiet: u32,
    pub(crate) rejected: u32,
    /// Answers of a judge to what is claimed now.
    pub(crate) judged: u32,
    /// Answers in a row that would have been longer than was allowed.
    pub(crate) cut_short: u32,
    pub(crate) troubles: u32,
    pub(crate) troubles_in_a_row: u32,
    pub(crate) look_failures: u32,
    /// Browsers that were lost one after the other before a model was asked again.
    pub(crate) losses: u32,
    pub(crate) same_again: u32,
    pub(crate) since_approval: Option<u32>,
    /// Small things that were done before the model was asked.
    pub(crate) readied: u32,
}

impl Errand {
    /// An errand that has just begun, and the first line of its log.
    pub fn begin(spec: Spec) -> (Self, Entry) {
        let started = Entry { at: 0, event: Event::Started { spec: Box::new(spec.clone()) } };
        (Self::fresh(spec), started)
    }

    fn fresh(spec: Spec) -> Self {
        Self {
            limits: spec.limits,
            spec,
            spent: Spent::default(),
            reserved: None,
            plan: None,
            phase: Phase::Planning,
            talk: Talk::default(),
            work: Work::default(),
            counts: Counts::default(),
            handover: None,
            thrift: Thrift::None,
            is_interrupted: false,
            outcome: None,
        }
    }

    /// The state that a log leads to. None if it does not begin with a beginning.
    pub fn replay<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Option<Self> {
        let mut entries = entries.into_iter();
        let Event::Started { spec } = &entries.next()?.event else { return None };
        let mut errand = Self::fresh((**spec).clone());
        for entry in entries {
            errand.apply(&entry.event);
        }
        Some(errand)
    }

    /// What it is.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What it has taken so far.
    pub fn spent(&self) -> &Spent {
        &self.spent
    }

    /// The model that is asked now.
    pub fn mind(&self) -> Mind {
        match self.handover {
            None => Mind::First,
            Some(_) => Mind::Second { of_first: self.talk.of_first },
        }
    }

    /// The page that was seen last.
    pub fn page(&self) -> Option<&PageNote> {
        self.talk.page.as_ref()
    }

    /// What really left the browser so far, and who said yes to it.
    pub fn receipts(&self) -> &[String] {
        self.work.receipts.lines()
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// What it says that it has prepared: shown to whoever is asked, as the model's words.
    pub fn prepared(&self) -> Option<&(String, Option<String>)> {
        self.work.prepared.as_ref()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExchangeKind {
    Result,
    Error,
}
