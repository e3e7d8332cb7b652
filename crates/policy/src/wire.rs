//! The gate on the wire: what a request says, what kind of thing it does, whether it may leave, and what a yes to it is good for.

mod address;
mod along;
mod body;
mod by_hand;
mod card;
mod classify;
mod codes;
mod decode;
mod decoded;
mod deeds;
mod evidence;
mod facts;
mod fields;
mod filter;
mod grant;
mod graphql;
mod json;
mod kinds;
mod learned;
mod lists;
mod logins;
mod memory;
mod multipart;
mod numbers;
mod opaque;
mod prepares;
mod rule;
mod searches;
mod secrets;
mod unfold;
mod unravel;
mod words;

pub use address::{Address, same_site, site_of};
pub use by_hand::{ByHand, Given, Proof};
pub use card::{Card, CardField, card};
pub use classify::{Class, Classed, SessionKind, classify};
pub use decode::decode;
pub use decoded::{Content, Decoded, Field, FilePart, Opaque, Operation, OperationKind, Place, Within};
pub use deeds::{is_deed, may_do_again, spot_of_deed};
pub use facts::{ActFacts, ActKind, BoundSecret, PrepareRule, WireFacts};
pub use grant::{Difference, Grant, Grants, Moment};
pub use learned::{Carried, Learned};
pub use memory::Memory;
pub use opaque::{OpaqueField, Why, opaque_fields};
pub use rule::{
    AskReason, ClassKind, Endpoint, Mode, Ruling, StopReason, TelemetryRule, WireRules, may_be_allowed, rule,
};
pub use unravel::unpercent_all;
