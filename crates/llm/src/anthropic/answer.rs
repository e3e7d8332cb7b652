//! An answer of Anthropic's Messages, put together from its events.

use std::collections::BTreeMap;

use legwork_types::model::{ModelTurn, ToolCall, TurnEnd, Usage};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{
    called::{called_with, nothing},
    error::{BadAnswer, VendorError},
    stream::Fed,
};

/// What has come so far.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    model: String,
    blocks: BTreeMap<u32, Block>,
    /// How much was written so far, in bytes.
    written: usize,
    usage: Option<Usage>,
    end: Option<String>,
    is_over: bool,
}

#[derive(Debug)]
enum Block {
    Text(String),
    Thinking {
        thinking: String,
        signature: String,
    },
    ToolUse {
        id: String,
        name: String,
        input: String,
        given: Box<RawValue>,
    },
    /// Whatever else there is goes back as it came.
    Other(Box<RawValue>),
}

/// Raw parts can't be read through a tag, so the kind comes first and the rest by it.
#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct MessageStart {
    message: Start,
}

#[derive(Deserialize)]
struct BlockStart {
    index: u32,
    content_block: Box<RawValue>,
}

#[derive(Deserialize)]
struct BlockDelta {
    index: u32,
    delta: Delta,
}

#[derive(Deserialize)]
struct MessageDelta {
    delta: Ending,
    usage: Option<Told>,
}

#[derive(Deserialize)]
struct ErrorEvent {
    error: Wrong,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    model: String,
    usage: Option<Told>,
}

#[derive(Deserialize)]
struct Ending {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct Wrong {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Told {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: String },
    #[serde(rename = "signature_delta")]
    Signature { signature: String },
    #[serde(rename = "input_json_delta")]
    InputJson { partial_json: String },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Opening {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    thinking: String,
    #[serde(default)]
    signature: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    name: String,
    input: Option<Box<RawValue>>,
}

/// A block as it is sent back.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Again<'a> {
    Text { text: &'a str },
    Thinking { thinking: &'a str, signature: &'a str },
    ToolUse { id: &'a str, name: &'a str, input: &'a RawValue },
}

impl Assembly {
    /// Takes the next event in.
    pub(crate) fn feed(&mut self, data: &str) -> Result<Fed, VendorError> {
        match read::<Kind>(data)?.kind.as_str() {
            "message_start" => {
                let Start { model, usage } = read::<MessageStart>(data)?.message;
                self.model = model;
                self.take_usage(usage);
            }
            "content_block_start" => {
                let BlockStart { index, content_block } = read(data)?;
                let block = open(content_block)?;
                self.written += block.size();
                self.blocks.insert(index, block);
            }
            "content_block_delta" => {
                let BlockDelta { index, delta } = read(data)?;
                self.written += delta.size();
                extend(self.blocks.get_mut(&index).ok_or(BadAnswer::Order)?, delta);
            }
            "message_delta" => {
                let MessageDelta { delta, usage } = read(data)?;
                self.take_usage(usage);
                self.end = delta.stop_reason.or(self.end.take());
            }
            "message_stop" => self.is_over = true,
            "error" => {
                let Wrong { kind, message } = read::<ErrorEvent>(data)?.error;
                return Err(VendorError::told(&kind, message));
            }
            _ => {}
        }
        Ok(if self.is_over { Fed::Over } else { Fed::More })
    }

    fn take_usage(&mut self, told: Option<Told>) {
        let Some(told) = told else { return };
        let usage = self.usage.get_or_insert_default();
        usage.input = told.input_tokens.unwrap_or(usage.input);
        usage.cache_write = told.cache_creation_input_tokens.unwrap_or(usage.cache_write);
        usage.cache_read = told.cache_read_input_tokens.unwrap_or(usage.cache_read);
        usage.output = told.output_tokens.unwrap_or(usage.output);
    }

    /// What was told of what it took so far.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// How much was written so far, in bytes.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// The whole answer, once it is over.
    pub(crate) fn finish(self) -> Result<ModelTurn, VendorError> {
        if !self.is_over {
            return Err(BadAnswer::Cut.into());
        }
        let end = match self.end.as_deref() {
            Some("max_tokens" | "model_context_window_exceeded") => TurnEnd::CutShort,
            Some("refusal") => TurnEnd::Declined,
            _ => TurnEnd::Complete,
        };
        let (mut text, mut thought, mut calls, mut again) =
            (String::new(), String::new(), vec![], Vec::<Box<RawValue>>::new());
        // A thought that nothing follows is refused there.
        let is_followed = |block: &Block| !block.is_thought() && !block.is_blank();
        let last = self.blocks.iter().rev().find(|(_, block)| is_followed(block)).map(|(index, _)| *index);
        for (index, block) in self.blocks {
            if Some(index) <= last {
                again.extend(sent_back(&block)?);
            }
            match block {
                Block::Text(words) => text.push_str(&words),
                Block::Thinking { thinking, .. } => thought.push_str(&thinking),
                Block::ToolUse { id, name, input, given } => {
                    let input = called_with(given_or(input, &given));
                    calls.push(ToolCall { id, name, input });
                }
                Block::Other(_) => {}
            }
        }
        let said = serde_json::value::to_raw_value(&again).map_err(|error| BadAnswer::of(&error))?.into();
        let model = self.model;
        Ok(ModelTurn { model, text, thought, calls, end, said, usage: self.usage.unwrap_or_default() })
    }
}

impl Delta {
    /// Signatures are nobody's words.
    fn size(&self) -> usize {
        match self {
            Self::Text { text: words }
            | Self::Thinking { thinking: words }
            | Self::InputJson { partial_json: words } => words.len(),
            Self::Signature { .. } | Self::Other => 0,
        }
    }
}

impl Block {
    /// How much it says as it is opened.
    fn size(&self) -> usize {
        match self {
            Self::Text(words) | Self::Thinking { thinking: words, .. } => words.len(),
            Self::ToolUse { name, given, .. } => name.len() + given.get().len(),
            Self::Other(raw) => raw.get().len(),
        }
    }

    fn is_thought(&self) -> bool {
        match self {
            Self::Thinking { .. } => true,
            Self::Other(raw) => read::<Kind>(raw.get()).is_ok_and(|kind| kind.kind == "redacted_thinking"),
            Self::Text(_) | Self::ToolUse { .. } => false,
        }
    }

    /// A text of nothing but space is refused there.
    fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Result<T, BadAnswer> {
    serde_json::from_str(data).map_err(|error| BadAnswer::of(&error))
}

fn open(raw: Box<RawValue>) -> Result<Block, BadAnswer> {
    let Opening { kind, text, thinking, signature, id, name, input } = read(raw.get())?;
    Ok(match (kind.as_str(), input) {
        ("text", _) => Block::Text(text),
        ("thinking", _) => Block::Thinking { thinking, signature },
        ("tool_use", Some(given)) => Block::ToolUse { id, name, input: String::new(), given },
        _ => Block::Other(raw),
    })
}

fn extend(block: &mut Block, delta: Delta) {
    match (block, delta) {
        (Block::Text(text), Delta::Text { text: more }) => text.push_str(&more),
        (Block::Thinking { thinking, .. }, Delta::Thinking { thinking: more }) => {
            thinking.push_str(&more);
        }
        (Block::Thinking { signature, .. }, Delta::Signature { signature: more }) => {
            signature.push_str(&more);
        }
        (Block::ToolUse { input, .. }, Delta::InputJson { partial_json }) => {
            input.push_str(&partial_json);
        }
        _ => {}
    }
}

/// What a tool was called with: what came piece by piece, else what it was opened with.
fn given_or(input: String, given: &RawValue) -> String {
    if input.trim().is_empty() { given.get().to_owned() } else { input }
}

/// A block as it goes back, unless it is blank. What was called with something that can't be read is sent back without it.
fn sent_back(block: &Block) -> Result<Option<Box<RawValue>>, BadAnswer> {
    let raw = match block {
        _ if block.is_blank() => return Ok(None),
        Block::Text(text) => serde_json::value::to_raw_value(&Again::Text { text }),
        Block::Thinking { thinking, signature } => {
            serde_json::value::to_raw_value(&Again::Thinking { thinking, signature })
        }
        Block::ToolUse { id, name, input, given } => {
            let input = called_with(given_or(input.clone(), given)).ok();
            let input = input.filter(|raw| raw.get().starts_with('{')).map_or_else(nothing, Ok)?;
            serde_json::value::to_raw_value(&Again::ToolUse { id, name, input: &input })
        }
        Block::Other(raw) => Ok(raw.clone()),
    };
    raw.map(Some).map_err(|error| BadAnswer::of(&error))
}
