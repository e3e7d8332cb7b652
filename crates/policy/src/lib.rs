//! What may be done: rules and facts in, a verdict out. The only maker of a [`Permit`], without which nothing is done to a page.
//! Pure: no browser, no clock, no waiting. What a page wrote can only add caution.

mod clip;
mod confirmation;
mod credentials;
pub mod examples;
mod facts;
mod judge;
mod keys;
pub mod logins;
mod permit;
pub mod places;
mod risk;
pub mod secrets;
mod uploads;
pub mod wire;

pub use confirmation::{confirmation_text, in_words};
pub use credentials::hide_credentials;
pub use facts::{Confirmation, Facts, FileFacts, TargetFacts, Wire};
pub use judge::{Rules, Verdict, WhoConfirms, judge, secrets_typed};
pub use permit::Permit;
pub use risk::danger_of;
