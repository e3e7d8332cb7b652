//! The ways on which people answer: a page on this machine that wants a code, and a socket for the terminals of the same user. Both
//! show what would really leave the browser, and neither decides anything by itself. And the news of errands, for programs.

mod desk;
mod news;
mod page;
mod shown;
mod visible;

pub use desk::{Answered, DeskSocket, Desks, NoAnswer};
pub use news::{News, Newsroom, Topic};
pub use page::ApprovalPage;
pub use shown::{Shown, ShownField};
pub use visible::visible;
