//! What models are told. Nothing of it is written anywhere else.

mod judge;
mod plan;
mod tools;
mod turn;

use legwork_observe::tokens::estimate;
use legwork_types::model::{Message, ModelRequest, Part, Picture};

use crate::{errand::Errand, event::Purpose, spec::Spec};

pub(crate) use turn::may_call;
pub use turn::{HISTORY_TOKENS, VIEW_TOKENS};

/// What a model is told that called nothing.
pub(crate) const NUDGE: &str = "You called no tool. Call one tool now: the next step, or complete_task if the errand is over or can't be done.";

/// What a model is told whose answer was too long to be read.
pub(crate) const TOO_LONG: &str =
    "your last answer was too long and was not read. Call one tool, in few words: nothing of it was done";

/// The most that a model may answer, in tokens.
const MOST_OUTPUT: [(Purpose, u32); 3] =
    [(Purpose::Plan, 1_500), (Purpose::Turn, 2_000), (Purpose::Judge, 1_000)];

/// What a picture of the usual size costs a model, in tokens.
const PICTURE: u64 = 1_300;

/// The longest description of a service, in characters.
const LONGEST_SERVICE: usize = 4_000;

/// What the operator says of the service, where the errand is one of a service.
fn of_service(spec: &Spec) -> String {
    let prompt = spec.service.as_ref().map(|service| service.prompt.trim()).unwrap_or_default();
    let prompt: String = prompt.chars().take(LONGEST_SERVICE).collect();
    if prompt.is_empty() { String::new() } else { format!("About the service: {prompt}\n") }
}

/// What a model reads of a request, in tokens, as far as it can be told before.
pub fn tokens_of(request: &ModelRequest) -> u64 {
    let words = |text: &str| u64::from(estimate(text));
    let part = |part: &Part| match part {
        Part::Text(text) => words(text),
        Part::Image(_) => PICTURE,
        Part::Breakpoint => 0,
    };
    let parts = |parts: &[Part]| parts.iter().map(part).sum::<u64>();
    let message = |message: &Message| match message {
        Message::User(said) => parts(said),
        Message::Assistant(said) => words(said.json()),
        Message::Results(results) => results.iter().map(|result| parts(&result.parts)).sum(),
    };
    let tools = request
        .tools
        .iter()
        .map(|tool| words(&tool.name) + words(&tool.description) + words(&tool.schema.to_string()));
    words(&request.system) + tools.sum::<u64>() + request.messages.iter().map(message).sum::<u64>()
}

impl Errand {
    /// The request for this purpose. The picture is the one that belongs to the page.
    pub fn request(&self, purpose: Purpose, picture: Option<Picture>) -> ModelRequest {
        /// So many times as much room has a model whose last answer was cut short.
        const MORE_ROOM: u32 = 4;
        let most_output =
            MOST_OUTPUT.iter().find(|(known, _)| *known == purpose).map_or(1_000, |(_, most)| *most);
        let most_output = most_output * MORE_ROOM.pow(self.counts.cut_short.min(1));
        match purpose {
            Purpose::Plan => plan::request(self, most_output),
            Purpose::Turn => turn::request(self, picture, most_output),
            Purpose::Judge => judge::request(self, most_output),
        }
    }
}
