//! A request as OpenAI's Responses take it.

use legwork_types::model::{Message, ModelRequest, Part, Picture, ResultKind, ToolChoice, ToolResult};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

use crate::openai::calls_one_at_a_time;

/// Less room than this is refused.
const LEAST_OUTPUT: u32 = 16;

/// What the model thought, in a form that only its vendor can read, so that it can be sent back: nothing is kept there.
const THOUGHTS: &str = "reasoning.encrypted_content";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    instructions: &'a str,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    max_output_tokens: u32,
    store: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    include: Vec<&'static str>,
    stream: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
    strict: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Only {
        #[serde(rename = "type")]
        kind: &'static str,
        name: &'a str,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Told {
        #[serde(rename = "type")]
        kind: &'static str,
        role: &'static str,
        content: Vec<Piece<'a>>,
    },
    Result {
        #[serde(rename = "type")]
        kind: &'static str,
        call_id: &'a str,
        output: Output<'a>,
    },
    Said(&'a RawValue),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Output<'a> {
    Words(String),
    Parts(Vec<Piece<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Piece<'a> {
    InputText { text: &'a str },
    InputImage { image_url: String, detail: &'static str },
}

/// The body of a request for this model.
pub(crate) fn body(model: &str, request: &ModelRequest) -> serde_json::Result<Vec<u8>> {
    let has_tools = !request.tools.is_empty();
    let tools = request.tools.iter().map(|tool| Tool {
        kind: "function",
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.schema,
        strict: false,
    });
    let choice = match &request.choice {
        ToolChoice::Auto => Choice::Word("auto"),
        ToolChoice::Any => Choice::Word("required"),
        ToolChoice::Only(name) => Choice::Only { kind: "function", name },
    };
    let mut input = vec![];
    for message in &request.messages {
        match message {
            Message::User(parts) => {
                input.push(Item::Told { kind: "message", role: "user", content: pieces(parts) });
            }
            // What was said are several items there, and each goes back as it came.
            Message::Assistant(said) => {
                let items: Vec<&RawValue> = serde_json::from_str(said.json())?;
                input.extend(items.into_iter().map(Item::Said));
            }
            Message::Results(results) => input.extend(results.iter().map(result)),
        }
    }
    serde_json::to_vec(&Body {
        model,
        instructions: &request.system,
        input,
        tools: tools.collect(),
        tool_choice: has_tools.then_some(choice),
        parallel_tool_calls: (has_tools && !calls_one_at_a_time(model)).then_some(false),
        max_output_tokens: request.most_output.max(LEAST_OUTPUT),
        store: false,
        include: if reasons(model) { vec![THOUGHTS] } else { vec![] },
        stream: true,
    })
}

/// Whether a model thinks before it answers: the older ones do not, and refuse to be asked for their thoughts.
fn reasons(model: &str) -> bool {
    let bare = model.strip_prefix("ft:").unwrap_or(model);
    let is_older = ["gpt-3", "gpt-4", "chatgpt"].iter().any(|family| bare.starts_with(family));
    !is_older && !bare.ends_with("-chat-latest")
}

fn pieces(parts: &[Part]) -> Vec<Piece<'_>> {
    parts.iter().filter_map(piece).collect()
}

fn piece(part: &Part) -> Option<Piece<'_>> {
    match part {
        Part::Text(text) => Some(Piece::InputText { text }),
        Part::Image(Picture { media_type, base64 }) => Some(Piece::InputImage {
            image_url: format!("data:{media_type};base64,{base64}"),
            detail: "auto",
        }),
        Part::Breakpoint => None,
    }
}

/// What came of a call, with its pictures.
fn result(result: &ToolResult) -> Item<'_> {
    const FAILED: &str = "ERROR: ";
    let mut parts = pieces(&result.parts);
    let output = match parts.iter().any(|part| matches!(part, Piece::InputImage { .. })) {
        true => {
            if result.outcome == ResultKind::Failed {
                parts.insert(0, Piece::InputText { text: FAILED.trim_end() });
            }
            Output::Parts(parts)
        }
        false => {
            let words: Vec<&str> = parts
                .iter()
                .filter_map(|part| match part {
                    Piece::InputText { text } => Some(*text),
                    Piece::InputImage { .. } => None,
                })
                .collect();
            let mark = if result.outcome == ResultKind::Failed { FAILED } else { "" };
            Output::Words(format!("{mark}{}", words.join("\n\n")))
        }
    };
    Item::Result { kind: "function_call_output", call_id: &result.call, output }
}
