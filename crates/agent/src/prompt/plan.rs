//! What the planner is told.

use legwork_types::model::{Message, ModelRequest, Part, ToolChoice};

use crate::{errand::Errand, proof, spec::Mode};

const SYSTEM: &str = "You plan errands that an agent will do on the web, in a real browser, for a user. You see no page yet. Call \
create_plan once. The plan says what to do in which order, in at most five short sentences, and nothing that the user did not ask for. \
successCriteria says what a page, or the answer, must show at the end so that somebody who did not watch can tell that the errand is done. \
Give url only if the user named the site or it is well known. Do not make up data.";

pub(super) fn request(errand: &Errand, most_output: u32) -> ModelRequest {
    let spec = errand.spec();
    let mut words = format!("The errand: {}\n{}", spec.goal, super::of_service(spec));
    if let Some(url) = &spec.start_url {
        words.push_str(&format!("It begins at {url}\n"));
    }
    for (name, value) in &spec.data {
        words.push_str(&format!("Given: {name} = {value}\n"));
    }
    if spec.mode == Mode::ReadOnly {
        words.push_str("Nothing may be changed anywhere: it is for reading alone.\n");
    }
    if errand.counts.plans_refused > 0 {
        words.push_str("What you gave before was no plan. Call create_plan with plan and successCriteria.\n");
    }
    ModelRequest {
        system: SYSTEM.to_owned(),
        messages: vec![Message::User(vec![Part::Text(words)])],
        tools: vec![proof::plan_tool()],
        choice: ToolChoice::Only("create_plan".to_owned()),
        most_output,
    }
}
