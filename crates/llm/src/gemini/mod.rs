//! Gemini's own wire: what is sent, and what comes back as a stream of pieces. Pure.

mod answer;
mod ask;
mod calls;

pub(crate) use answer::Assembly;
pub(crate) use ask::body;
pub(crate) use calls::named;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
