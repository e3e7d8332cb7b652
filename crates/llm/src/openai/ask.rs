//! A request as OpenAI's Chat takes it.

use legwork_types::model::{Message, ModelRequest, Part, Picture, ResultKind, ToolChoice, ToolResult};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

/// What differs between those who speak it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// OpenAI itself.
    OpenAi,
    /// Everybody else.
    Other,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    stream: bool,
    stream_options: StreamOptions,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Only {
        #[serde(rename = "type")]
        kind: &'static str,
        function: Named<'a>,
    },
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Turn<'a> {
    Words { role: &'static str, content: String },
    Parts { role: &'static str, content: Vec<Piece<'a>> },
    Result { role: &'static str, tool_call_id: &'a str, content: String },
    Said(&'a RawValue),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Piece<'a> {
    Text { text: &'a str },
    ImageUrl { image_url: Image },
}

#[derive(Serialize)]
struct Image {
    url: String,
}

/// The body of a request for this model.
pub(crate) fn body(model: &str, dialect: Dialect, request: &ModelRequest) -> serde_json::Result<Vec<u8>> {
    let has_tools = !request.tools.is_empty();
    let tools = request.tools.iter().map(|tool| Tool {
        kind: "function",
        function: Function { name: &tool.name, description: &tool.description, parameters: &tool.schema },
    });
    let choice = match &request.choice {
        ToolChoice::Auto => Choice::Word("auto"),
        ToolChoice::Any => Choice::Word("required"),
        ToolChoice::Only(name) => Choice::Only { kind: "function", function: Named { name } },
    };
    let most = Some(request.most_output);
    let (max_completion_tokens, max_tokens) = match dialect {
        Dialect::OpenAi => (most, None),
        Dialect::Other => (None, most),
    };
    let mut messages = vec![Turn::Words { role: "system", content: request.system.clone() }];
    messages.extend(request.messages.iter().flat_map(turns));
    serde_json::to_vec(&Body {
        model,
        messages,
        tools: tools.collect(),
        tool_choice: has_tools.then_some(choice),
        parallel_tool_calls: (has_tools && !calls_one_at_a_time(model)).then_some(false),
        max_completion_tokens,
        max_tokens,
        stream: true,
        stream_options: StreamOptions { include_usage: true },
    })
}

/// Models that call one thing at a time by themselves refuse to be asked for it.
pub(crate) fn calls_one_at_a_time(model: &str) -> bool {
    let bare = model.rsplit('/').next().unwrap_or(model);
    ["o1", "o3", "o4"].iter().any(|family| bare.starts_with(family))
}

fn turns(message: &Message) -> Vec<Turn<'_>> {
    match message {
        Message::User(parts) => vec![told(parts)],
        Message::Assistant(said) => vec![Turn::Said(said.raw())],
        Message::Results(results) => {
            let mut turns: Vec<Turn<'_>> = results.iter().map(result).collect();
            // Results have no pictures there: they follow as if the user showed them.
            let pictures: Vec<Piece<'_>> =
                results.iter().flat_map(|result| &result.parts).filter_map(picture).collect();
            if !pictures.is_empty() {
                turns.push(Turn::Parts { role: "user", content: pictures });
            }
            turns
        }
    }
}

/// Words alone are sent as words alone: not everybody there takes parts.
fn told(parts: &[Part]) -> Turn<'_> {
    if parts.iter().any(|part| matches!(part, Part::Image(_))) {
        let pieces = parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(Piece::Text { text }),
            Part::Image(_) => picture(part),
            Part::Breakpoint => None,
        });
        return Turn::Parts { role: "user", content: pieces.collect() };
    }
    Turn::Words { role: "user", content: words(parts) }
}

fn result(result: &ToolResult) -> Turn<'_> {
    let words = words(&result.parts);
    let content = match result.outcome {
        ResultKind::Done => words,
        ResultKind::Failed => format!("ERROR: {words}"),
    };
    Turn::Result { role: "tool", tool_call_id: &result.call, content }
}

fn words(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        Part::Image(_) | Part::Breakpoint => None,
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

fn picture(part: &Part) -> Option<Piece<'_>> {
    let Part::Image(Picture { media_type, base64 }) = part else { return None };
    Some(Piece::ImageUrl { image_url: Image { url: format!("data:{media_type};base64,{base64}") } })
}
