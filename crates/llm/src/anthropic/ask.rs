//! A request as Anthropic's Messages take it.

use legwork_types::model::{Message, ModelRequest, Part, Picture, ResultKind, ToolChoice, ToolResult};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    system: [Block<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    messages: Vec<Turn<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
}

#[derive(Serialize)]
struct Choice<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    disable_parallel_tool_use: bool,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Content<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Blocks(Vec<Block<'a>>),
    Said(&'a RawValue),
}

#[derive(Serialize)]
struct Block<'a> {
    #[serde(flatten)]
    kind: Kind<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Kept>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Kind<'a> {
    Text {
        text: &'a str,
    },
    Image {
        source: Source<'a>,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: Vec<Block<'a>>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

#[derive(Serialize)]
struct Source<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    media_type: &'static str,
    data: &'a str,
}

#[derive(Serialize)]
struct Kept {
    #[serde(rename = "type")]
    kind: &'static str,
}

const KEPT: Kept = Kept { kind: "ephemeral" };

/// The body of a request for this model.
pub(crate) fn body(model: &str, request: &ModelRequest) -> serde_json::Result<Vec<u8>> {
    let tools = request.tools.iter();
    let choice = |kind, name| Choice { kind, name, disable_parallel_tool_use: true };
    let tool_choice = match &request.choice {
        ToolChoice::Auto => choice("auto", None),
        ToolChoice::Any => choice("any", None),
        ToolChoice::Only(name) => choice("tool", Some(name)),
    };
    serde_json::to_vec(&Body {
        model,
        max_tokens: request.most_output,
        stream: true,
        // Tools come before the system's words at the vendor: what is kept up to here has both.
        system: [Block { kind: Kind::Text { text: &request.system }, cache_control: Some(KEPT) }],
        tools: tools
            .map(|tool| Tool { name: &tool.name, description: &tool.description, input_schema: &tool.schema })
            .collect(),
        tool_choice: (!request.tools.is_empty()).then_some(tool_choice),
        messages: turns(&request.messages),
    })
}

/// Turns of one side that follow one another are one turn there.
fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = vec![];
    for message in messages {
        let told = match message {
            // A turn without anything in it is refused there.
            Message::Assistant(said) if said.json().trim() == "[]" => continue,
            Message::Assistant(said) => {
                turns.push(Turn { role: "assistant", content: Content::Said(said.raw()) });
                continue;
            }
            Message::User(parts) => blocks(parts),
            Message::Results(results) => results.iter().map(result).collect(),
        };
        match turns.last_mut() {
            Some(Turn { content: Content::Blocks(before), .. }) => before.extend(told),
            _ => turns.push(Turn { role: "user", content: Content::Blocks(told) }),
        }
    }
    turns
}

fn blocks(parts: &[Part]) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = vec![];
    for part in parts {
        let kind = match part {
            Part::Text(text) => Kind::Text { text },
            Part::Image(Picture { media_type, base64 }) => {
                Kind::Image { source: Source { kind: "base64", media_type, data: base64 } }
            }
            Part::Breakpoint => {
                if let Some(last) = blocks.last_mut() {
                    last.cache_control = Some(KEPT);
                }
                continue;
            }
        };
        blocks.push(Block { kind, cache_control: None });
    }
    blocks
}

fn result(result: &ToolResult) -> Block<'_> {
    let kind = Kind::ToolResult {
        tool_use_id: &result.call,
        content: blocks(&result.parts),
        is_error: result.outcome == ResultKind::Failed,
    };
    Block { kind, cache_control: None }
}
