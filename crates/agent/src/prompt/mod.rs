//! What models are told. Nothing of it is written anywhere else.

mod judge;
mod plan;
mod tools;
mod turn;

use legwork_types::model::{ModelRequest, Picture};

use crate::{errand::Errand, event::Purpose};

pub use turn::{HISTORY_TOKENS, VIEW_TOKENS};

/// What a model is told that called nothing.
pub(crate) const NUDGE: &str = "You called no tool. Call one tool now: the next step, or complete_task if the errand is over or can't be done.";

/// The most that a model may answer, in tokens.
const MOST_OUTPUT: [(Purpose, u32); 3] =
    [(Purpose::Plan, 1_500), (Purpose::Turn, 2_000), (Purpose::Judge, 1_000)];

impl Errand {
    /// The request for this purpose. The picture is the one that belongs to the page.
    pub fn request(&self, purpose: Purpose, picture: Option<Picture>) -> ModelRequest {
        let most_output =
            MOST_OUTPUT.iter().find(|(known, _)| *known == purpose).map_or(1_000, |(_, most)| *most);
        match purpose {
            Purpose::Plan => plan::request(self, most_output),
            Purpose::Turn => turn::request(self, picture, most_output),
            Purpose::Judge => judge::request(self, most_output),
        }
    }
}
