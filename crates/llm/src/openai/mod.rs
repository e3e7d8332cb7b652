//! OpenAI's Chat, as many others speak it too: what is sent, and what comes back as a stream of pieces. Pure.

mod answer;
mod ask;

pub(crate) use answer::Assembly;
pub(crate) use ask::{Dialect, body, calls_one_at_a_time};

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
