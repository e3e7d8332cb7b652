//! The tools of the default set: what they are called, what they take, what they answer.

mod calls;
mod list;

pub(crate) use calls::{Call, Format, LONGEST_READ, Tool, USUAL_READ, told};
pub(crate) use list::{annotated, described, input};
