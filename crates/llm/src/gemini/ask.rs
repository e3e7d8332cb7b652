//! A request as Gemini takes it.

use legwork_types::model::{Message, ModelRequest, Part, Picture, ResultKind, Said, ToolChoice, ToolResult};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::calls::{self, Call};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    system_instruction: System<'a>,
    contents: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tools<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<ToolConfig<'a>>,
    generation_config: Generation,
}

#[derive(Serialize)]
struct System<'a> {
    parts: [Piece<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declared<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declared<'a> {
    name: &'a str,
    description: &'a str,
    /// The other field for it takes a part of what schemas can say alone.
    parameters_json_schema: &'a Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig<'a> {
    function_calling_config: Calling<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Calling<'a> {
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_function_names: Option<[&'a str; 1]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Generation {
    max_output_tokens: u32,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Turn<'a> {
    Told { role: &'static str, parts: Vec<Piece<'a>> },
    Said(&'a RawValue),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Piece<'a> {
    Text(&'a str),
    #[serde(rename_all = "camelCase")]
    InlineData {
        mime_type: &'static str,
        data: &'a str,
    },
    FunctionResponse {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        name: String,
        response: Outcome,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    Output(String),
    Error(String),
}

/// The body of a request. The model is named in the address.
pub(crate) fn body(request: &ModelRequest) -> serde_json::Result<Vec<u8>> {
    let declared = request.tools.iter().map(|tool| Declared {
        name: &tool.name,
        description: &tool.description,
        parameters_json_schema: &tool.schema,
    });
    let calling = |mode, name| Calling { mode, allowed_function_names: name };
    let calling = match &request.choice {
        ToolChoice::Auto => calling("AUTO", None),
        ToolChoice::Any => calling("ANY", None),
        ToolChoice::Only(name) => calling("ANY", Some([name.as_str()])),
    };
    let has_tools = !request.tools.is_empty();
    let tools = Tools { function_declarations: declared.collect() };
    serde_json::to_vec(&Body {
        system_instruction: System { parts: [Piece::Text(&request.system)] },
        contents: turns(&request.messages),
        tools: if has_tools { vec![tools] } else { vec![] },
        tool_config: has_tools.then_some(ToolConfig { function_calling_config: calling }),
        generation_config: Generation { max_output_tokens: request.most_output },
    })
}

/// Whatever is told without an answer in between is one turn there, except that what came of calls stands alone: each call has to have
/// one part, and nothing beside.
fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = vec![];
    let mut made: Vec<Call> = vec![];
    for message in messages {
        match message {
            Message::Assistant(said) => {
                made = calls::made(said);
                if !is_empty(said) {
                    turns.push(Turn::Said(said.raw()));
                }
            }
            Message::User(parts) => tell(&mut turns, pieces(parts)),
            Message::Results(results) => {
                turns.push(Turn::Told { role: "user", parts: answered(&made, results) });
                // Pictures follow as if the user showed them.
                let is_picture = |piece: &Piece<'_>| matches!(piece, Piece::InlineData { .. });
                let pictures = results.iter().flat_map(|result| pieces(&result.parts)).filter(is_picture);
                tell(&mut turns, pictures.collect());
            }
        }
    }
    turns
}

/// A turn without anything in it is refused there.
fn is_empty(said: &Said) -> bool {
    #[derive(Deserialize)]
    struct Content<'a> {
        #[serde(borrow)]
        parts: Vec<&'a RawValue>,
    }
    serde_json::from_str::<Content<'_>>(said.json()).is_ok_and(|content| content.parts.is_empty())
}

fn tell<'a>(turns: &mut Vec<Turn<'a>>, told: Vec<Piece<'a>>) {
    let stands_alone = |piece: &Piece<'_>| matches!(piece, Piece::FunctionResponse { .. });
    match turns.last_mut() {
        _ if told.is_empty() => {}
        Some(Turn::Told { parts, .. }) if !parts.iter().any(stands_alone) => parts.extend(told),
        _ => turns.push(Turn::Told { role: "user", parts: told }),
    }
}

fn pieces(parts: &[Part]) -> Vec<Piece<'_>> {
    parts.iter().filter_map(piece).collect()
}

fn piece(part: &Part) -> Option<Piece<'_>> {
    match part {
        Part::Text(text) => (!text.is_empty()).then_some(Piece::Text(text)),
        Part::Image(Picture { media_type, base64 }) => {
            Some(Piece::InlineData { mime_type: media_type, data: base64 })
        }
        Part::Breakpoint => None,
    }
}

/// What came of calls, in the order of the calls: those without names are told apart by it alone.
fn answered<'a>(made: &[Call], results: &[ToolResult]) -> Vec<Piece<'a>> {
    let mut placed: Vec<(Option<usize>, &ToolResult)> =
        results.iter().map(|result| (calls::place_of(made, &result.call), result)).collect();
    placed.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
    let answer = |(place, result): (Option<usize>, &ToolResult)| {
        let call = place.and_then(|place| made.get(place));
        let words: Vec<&str> = result
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Image(_) | Part::Breakpoint => None,
            })
            .collect();
        let words = words.join("\n\n");
        Piece::FunctionResponse {
            id: call.and_then(|call| call.id.clone()),
            name: call.map_or_else(|| result.call.clone(), |call| call.name.clone()),
            response: match result.outcome {
                ResultKind::Done => Outcome::Output(words),
                ResultKind::Failed => Outcome::Error(words),
            },
        }
    };
    placed.into_iter().map(answer).collect()
}
