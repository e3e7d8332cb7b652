//! What may be done: rules and facts in, a verdict out. The only maker of a [`Permit`], without which nothing is done to a page.
//! Pure: no browser, no clock, no waiting. What a page wrote can only add caution.

mod clip;
mod confirmation;
mod facts;
mod judge;
mod keys;
mod permit;
mod risk;
mod uploads;

pub use confirmation::confirmation_text;
pub use facts::{Confirmation, Facts, FileFacts, TargetFacts};
pub use judge::{Rules, Verdict, WhoConfirms, judge};
pub use permit::Permit;
