//! What happens to an errand, one entry after the other. The whole state follows from these.

use legwork_types::model::{MicroUsd, TurnEnd, Usage};
use serde::{Deserialize, Serialize};

use crate::{
    budget::Reserve,
    call::{Act, Call},
    mind::Handover,
    outcome::{Outcome, Reason},
    service::{Signs, Wanted},
    spec::{Limits, Spec},
    trouble::Trouble,
};

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Milliseconds that the errand had taken. What people took to answer does not count.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Event {
    /// The errand began.
    Started {
        /// What it is.
        spec: Box<Spec>,
    },
    /// A call of a model was reserved; it has not been made yet.
    Reserved {
        /// What for.
        purpose: Purpose,
        /// What it may take.
        reserve: Reserve,
    },
    /// A model answered.
    Answered {
        /// What for it was asked.
        purpose: Purpose,
        /// What was heard of it.
        heard: Heard,
    },
    /// A model could not be asked.
    AskFailed {
        /// What for.
        purpose: Purpose,
        /// What went wrong.
        trouble: Trouble,
        /// What it took all the same.
        usage: Usage,
        /// What that cost.
        money: MicroUsd,
    },
    /// Another model goes on where this one could not be asked. All else stays as it is.
    ModelChanged {
        /// Who is asked from now on, and who was asked before.
        #[serde(flatten)]
        handover: Handover,
        /// Why.
        why: String,
    },
    /// There is a plan.
    Planned {
        /// The plan.
        plan: Plan,
    },
    /// What should have been a plan is none.
    PlanRefused {
        /// Why.
        why: String,
    },
    /// The page was looked at.
    Looked {
        /// What was seen.
        page: Box<PageNote>,
    },
    /// The page could not be looked at.
    LookFailed {
        /// What went wrong.
        trouble: Trouble,
    },
    /// The model called something.
    Called {
        /// What.
        call: Box<Call>,
        /// The vendor's name for the call.
        id: String,
        /// What else was called, and not done.
        ignored: Vec<Ignored>,
    },
    /// The model called something that can't be done.
    Misused {
        /// What it called.
        tool: String,
        /// The vendor's name for the call.
        id: String,
        /// What is wrong with it.
        why: String,
        /// What else was called, and not done.
        ignored: Vec<Ignored>,
    },
    /// The model called nothing.
    Silent,
    /// Something small is done before the model is asked, because the service says so.
    Prepares {
        /// Which of its rules.
        rule: usize,
        /// What.
        act: Box<Act>,
    },
    /// An act was permitted. It has not been done yet.
    Permitted {
        /// The number of the act.
        number: u32,
        /// The look that it was decided on.
        observation: String,
        /// What was permitted.
        verb: String,
    },
    /// An act was tried.
    Acted {
        /// Its number.
        number: u32,
        /// What came of it.
        done: Box<ActNote>,
    },
    /// The model is told something that it called for.
    Told {
        /// What.
        words: String,
    },
    /// Somebody is asked.
    Asked {
        /// What.
        question: Question,
    },
    /// Somebody answered.
    PersonSaid {
        /// What.
        answer: Answer,
    },
    /// The page did something by itself, or somebody answered what it asked by itself.
    Besides {
        /// What, a line each.
        happened: Vec<String>,
        /// Whether somebody said yes to something that an act led to, and that leaves when the act is done again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
        /// What of it somebody said yes to: it left, or may have.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        commits: Vec<Commit>,
    },
    /// A question on the wire was answered, or will not be.
    Ruled {
        /// How.
        ruling: Ruling,
    },
    /// The page's process is gone: the page is loaded again.
    PageLost {
        /// Where it was.
        url: String,
    },
    /// The browser is gone: a new one is wanted.
    Disconnected {
        /// What is known of it.
        why: String,
        /// What it painted, if it did.
        painting: Option<String>,
        /// How the next browser has to save memory, where this one may have run out of it.
        thrift: Thrift,
    },
    /// A new browser took the place of the one that is gone, and has opened the page where the errand began.
    Reconnected {
        /// Where it began; none where it began on an empty page.
        starting_url: Option<String>,
        /// Whether this page shows that nobody is logged in any more who was in the old browser. Where it does not show it, a later one
        /// may: the model is told then.
        logged_out: bool,
        /// What was seen.
        page: Box<PageNote>,
    },
    /// Another process goes on where one left the errand: its browser and its page are gone.
    Resumed {
        /// Why it was left.
        why: String,
        /// What left after a yes, or may have, and was not written down here.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        commits: Vec<Commit>,
    },
    /// The model goes round in circles, and is told so.
    Warned {
        /// What it is told.
        words: String,
    },
    /// There is more to take now.
    Extended {
        /// The new limits.
        limits: Limits,
    },
    /// What the model said to be done is not taken for done.
    Rejected {
        /// Why.
        why: String,
    },
    /// Somebody wants the errand to stop after this step.
    Interrupted,
    /// The errand is over.
    Ended {
        /// How.
        outcome: Box<Outcome>,
    },
}

/// A call that was not done, because it was not the first of its turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ignored {
    /// The vendor's name for it.
    pub id: String,
    /// What was called.
    pub tool: String,
}

/// What a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// A plan.
    Plan,
    /// The next thing to do.
    Turn,
    /// Whether it is done.
    Judge,
}

/// What was heard of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Heard {
    /// The name by which its vendor calls it, which may be another than was asked for. None where it told none. Nothing follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it said in words.
    pub text: String,
    /// All of it, as its vendor wrote it.
    pub said: String,
    /// Why it ended.
    #[serde(default)]
    pub end: TurnEnd,
    /// Whether it was not shown what it should have been, because it takes no pictures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_words: bool,
    /// What it took, with attempts that came to nothing.
    pub usage: Usage,
    /// What that cost.
    pub money: MicroUsd,
    /// How often it was asked.
    pub attempts: u32,
    /// How long it took.
    pub millis: u64,
}

/// How a browser saves memory: one step after the other, where the one before was not enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thrift {
    /// Not at all.
    #[default]
    None,
    /// Pages run no scripts.
    NoScripts,
    /// Nor do they, and they are small.
    NoScriptsAndSmall,
}

impl Thrift {
    /// The next step; none after the last.
    pub(crate) fn next(self) -> Option<Self> {
        match self {
            Self::None => Some(Self::NoScripts),
            Self::NoScripts => Some(Self::NoScriptsAndSmall),
            Self::NoScriptsAndSmall => None,
        }
    }
}

/// Something that somebody said yes to and that left, or may have: it is not sent a second time after the browser was lost.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Commit {
    /// Its method.
    pub method: String,
    /// Where to, without what was asked there.
    pub address: String,
}

/// A plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// What is to be done, in order.
    pub plan: String,
    /// How one will see that it is done.
    pub success_criteria: String,
    /// Where to begin.
    pub url: Option<String>,
    /// The same in a few words each.
    pub action_items: Vec<String>,
}

/// What was seen of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageNote {
    /// The name of the look.
    pub observation: String,
    /// Where the page is.
    pub url: String,
    /// What it is called.
    pub title: String,
    /// The page in words, inside of its fence.
    pub view: String,
    /// All its words, where signs are looked for. Nobody is told them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Whether these are not really all of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// Tells this state of the page from another.
    pub digest: u64,
    /// Tells how it is painted; none where no picture was taken, and nothing is known of that.
    pub pixels: Option<u64>,
    /// The name of the picture that belongs to it.
    pub picture: Option<String>,
    /// Whether words may not be enough: something is drawn, or has no name.
    pub is_drawn: bool,
    /// Whether it shows that somebody is logged in, or that nobody is; none where it shows neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_in: Option<bool>,
    /// What it shows of the conditions of a service; none where there is none, and where the page could not be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signs: Option<Signs>,
    /// What its elements are, by their numbers, where somebody may be asked about one that the view does not show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<(u32, String)>,
    /// What an open dialog says, in quotes, where somebody may be asked about that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<String>,
}

impl PageNote {
    /// Its address without what is asked of it.
    pub fn place(&self) -> &str {
        self.url.split(['?', '#']).next().unwrap_or_default()
    }
}

/// What came of an act.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActNote {
    /// What went wrong.
    pub trouble: Option<Trouble>,
    /// Whether anything left for the page.
    pub dispatched: bool,
    /// Whether nothing came of it.
    pub nothing: bool,
    /// What came of it, in few words of ours.
    pub brief: String,
    /// The same at length; what the page had a part in stands in a fence.
    pub words: String,
    /// What left the browser because of it, a line each.
    pub sent: Vec<String>,
    /// What of that somebody said yes to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<Commit>,
    /// What was caught on the wire.
    pub caught: Option<Caught>,
    /// The page afterwards.
    pub page: Option<PageNote>,
}

/// What was caught on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Caught {
    /// What became of it.
    pub fate: Fate,
    /// What it was, in words.
    pub request: String,
    /// Whether it is known to settle something.
    #[serde(default)]
    pub settles: bool,
}

/// What became of a request that was caught.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It was stopped: nothing is done for real.
    DryRun,
    /// It was stopped: there is nobody to ask.
    NobodyToAsk,
    /// Somebody is asked, and it leaves by itself after a yes.
    Held(String),
    /// Somebody is asked, and the act has to be done again after a yes.
    ToBeRepeated(String),
    /// It was stopped.
    Stopped,
}

/// What somebody is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Question {
    /// Whether the model may do something.
    Approve {
        /// What.
        action: String,
        /// Why.
        reason: String,
    },
    /// Something that only the user knows.
    Tell {
        /// What.
        question: String,
    },
    /// Whether this may be done, where a service says that somebody is asked before.
    Checkpoint {
        /// What.
        action: String,
        /// Why somebody is asked.
        why: String,
        /// Where.
        url: String,
    },
    /// That somebody does in the browser what only a person can, and says when it is done.
    TakeOver {
        /// What the page wants.
        wants: Wanted,
        /// Where.
        url: String,
    },
    /// Whether the errand may take as much again.
    Extend {
        /// What has run out.
        out_of: Reason,
    },
}

/// What somebody answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Yes.
    Yes,
    /// No.
    No,
    /// These words.
    Words(String),
    /// Nothing, for as long as was waited.
    Nothing,
}

/// What became of a question on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// Yes, and it was let go. Whether it was taken is for the page to tell.
    LetGo,
    /// Yes, and the act has to be done again.
    ToBeRepeated,
    /// Yes, and its page is gone by now: it leaves when somebody has made the way there again.
    ToBeReached,
    /// Yes, and it could not leave any more.
    NotSent,
    /// Yes, and whether it left is not known.
    Unknown,
    /// No.
    Denied,
    /// Nobody answered in time.
    Expired,
    /// The question was taken back: nobody waits for an answer any more.
    Withdrawn,
}
