//! A conversation that has everything in it, for the tests of all wires.

use legwork_types::model::{
    Message, ModelRequest, Part, Picture, ResultKind, Said, ToolChoice, ToolResult, ToolSpec,
};
use serde_json::{Value, json};

pub(crate) const PICTURE: &str = "/9j/4AAQ";

pub(crate) fn schema() -> Value {
    json!({"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]})
}

fn text(words: &str) -> Part {
    Part::Text(words.to_owned())
}

pub(crate) fn conversation(said: Said) -> ModelRequest {
    let picture = || Part::Image(Picture { media_type: "image/jpeg", base64: PICTURE.to_owned() });
    let result = ToolResult {
        call: "toolu_01T1x1fJ34qAmk2tNTrN7Up6".to_owned(),
        parts: vec![text("It is covered."), picture()],
        outcome: ResultKind::Failed,
    };
    ModelRequest {
        system: "You run errands.".to_owned(),
        messages: vec![
            Message::User(vec![text("Order coffee."), Part::Breakpoint, text("The page."), picture()]),
            Message::Assistant(said),
            Message::Results(vec![result]),
            Message::User(vec![text("Go on.")]),
        ],
        tools: vec![ToolSpec { name: "act".into(), description: "Does something.".into(), schema: schema() }],
        choice: ToolChoice::Any,
        most_output: 2_000,
    }
}
