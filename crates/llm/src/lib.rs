//! Models: what is asked of them and what they answer in words that no vendor owns, one pure mapping for each wire, and one HTTP
//! shell with deadlines, further attempts, usage and prices. It knows nothing of pages, errands or safety.

mod anthropic;
mod called;
mod choice;
mod client;
mod error;
mod gemini;
mod ollama;
mod openai;
mod price;
mod responses;
mod retold;
mod retry;
#[cfg(test)]
mod samples;
mod stream;
mod wire;

pub use choice::{Choice, DEFAULT_MODEL, Key, Model, Wire, Wishes, choose};
pub use client::{Answered, Client, NoClient, Patience};
pub use error::{BadAnswer, LlmError, Retry, Slow, VendorError};
pub use ollama::found;
pub use price::{PriceSource, Prices, Runs};
pub use retold::without_thoughts;
pub use retry::Attempts;
