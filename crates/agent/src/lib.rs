//! The errand as a fold: what happened gives a state, the state says what is to be done next, and what is heard of that gives the next
//! events. It waits for nothing and knows no browser, vendor or clock.

mod budget;
mod call;
mod decide;
mod drive;
mod errand;
mod event;
mod loops;
mod mind;
mod next;
mod outcome;
mod prompt;
mod proof;
mod receipts;
pub mod service;
mod spec;
mod trouble;
mod words;

pub use budget::{Left, Reserve, Spent, extended, fits};
pub use call::{Act, Call, Claim, ClaimStatus, Look};
pub use decide::{Answered, HeardCall, Input, Resuming};
pub use drive::{AskFailure, Driven, Happened, Order, Ports, Seeing, drive, is_permitted_throughout, resume};
pub use errand::Errand;
pub use event::{
    ActNote, Answer, Caught, Commit, Entry, Event, Fate, Heard, Ignored, PageNote, Plan, Purpose, Question,
    Ruling, Thrift,
};
pub use mind::{Handover, Mind};
pub use next::{Effect, Manner, Picture};
pub use outcome::{Checkpoint, Declarer, Outcome, OutcomeKind, Reason};
pub use prompt::{HISTORY_TOKENS, VIEW_TOKENS, tokens_of};
pub use proof::fits_schema;
pub use receipts::foremost;
pub use spec::{Indicator, Limits, Mode, Preset, Proof, Someone, Spec, Vision};
pub use trouble::{Trouble, TroubleKind};
pub use words::deed;
