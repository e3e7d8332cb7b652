//! OpenAI's Responses: what is sent, and what comes back as a stream of events. Pure.

mod answer;
mod ask;

pub(crate) use answer::Assembly;
pub(crate) use ask::body;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
