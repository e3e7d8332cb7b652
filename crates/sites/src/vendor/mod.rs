//! A vendor of models whose model is a script: it speaks the wires of the real ones, as strictly as they do, and writes down all
//! that it was asked and what it charged. Nothing in it thinks.

mod anthropic;
mod asked;
mod books;
mod gemini;
mod line;
mod openai;
mod reply;
mod responses;
mod served;
mod wire;

pub use asked::{Asked, Exchange};
pub use books::{Billed, Books, Call};
pub use reply::{Fault, Reply, Spoken};
pub use served::Vendor;
pub use wire::VendorWire;
