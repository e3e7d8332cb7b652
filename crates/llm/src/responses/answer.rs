//! An answer of OpenAI's Responses, put together from its events.

use std::collections::BTreeMap;

use legwork_types::model::{ModelTurn, ToolCall, TurnEnd, Usage};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{
    called::{called_with, is_readable},
    error::{BadAnswer, VendorError},
    stream::Fed,
};

/// What has come so far.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    model: String,
    /// What is whole of it, exactly as it came.
    items: BTreeMap<u32, Box<RawValue>>,
    /// How much came in pieces, in bytes.
    pieces: usize,
    /// How much of it is whole, in bytes.
    whole: usize,
    usage: Option<Usage>,
    end: Option<End>,
}

/// How it ended.
#[derive(Debug, Default)]
struct End {
    /// Why it is not whole; nothing where it is.
    reason: Option<String>,
}

/// Raw parts can't be read through a tag, so the kind comes first and the rest by it.
#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: Option<String>,
    object: Option<String>,
}

#[derive(Deserialize)]
struct Piece {
    #[serde(default)]
    delta: String,
}

#[derive(Deserialize)]
struct ItemDone {
    output_index: u32,
    item: Box<RawValue>,
}

#[derive(Deserialize)]
struct Ending {
    response: Response,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    model: String,
    #[serde(default)]
    output: Vec<Box<RawValue>>,
    incomplete_details: Option<Incomplete>,
    error: Option<Wrong>,
    usage: Option<Told>,
}

#[derive(Deserialize)]
struct Incomplete {
    reason: Option<String>,
}

/// An error as an event of its own, flat or around an inner one.
#[derive(Deserialize)]
struct ErrorEvent {
    error: Option<Wrong>,
    #[serde(default)]
    code: Value,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Wrong {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    code: Value,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
    input_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
}

/// What is read of an item. All of it goes back.
#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    content: Option<Vec<Part>>,
    #[serde(default)]
    summary: Option<Vec<Part>>,
    #[serde(default)]
    call_id: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    arguments: String,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: String,
    #[serde(default)]
    refusal: String,
}

impl Assembly {
    /// Takes the next event in.
    pub(crate) fn feed(&mut self, data: &str) -> Result<Fed, VendorError> {
        let Kind { kind, object } = read(data)?;
        match (kind.as_deref(), object.as_deref()) {
            (Some("response.output_item.done"), _) => {
                let ItemDone { output_index, item } = read(data)?;
                self.whole += read::<Item>(item.get())?.size();
                self.items.insert(output_index, item);
            }
            (Some("response.completed" | "response.incomplete"), _) => {
                self.take(read::<Ending>(data)?.response)?;
            }
            (Some("response.failed"), _) => {
                self.take(read::<Ending>(data)?.response)?;
                return Err(VendorError::told("response.failed", String::new()));
            }
            (Some("error"), _) => {
                let ErrorEvent { error, code, message } = read(data)?;
                return Err(told(error.unwrap_or(Wrong { kind: None, code, message })));
            }
            // Whoever does not stream says everything at once.
            (_, Some("response")) => self.take(read(data)?)?,
            (Some(kind), _) if kind.ends_with(".delta") => self.pieces += read::<Piece>(data)?.delta.len(),
            (None, None) => return Err(BadAnswer::Shape("there is no kind of event".to_owned()).into()),
            _ => {}
        }
        Ok(if self.end.is_some() { Fed::Over } else { Fed::More })
    }

    /// What is told when it ends.
    fn take(&mut self, response: Response) -> Result<(), VendorError> {
        let Response { model, output, incomplete_details, error, usage } = response;
        self.model = model;
        if let Some(usage) = usage {
            self.usage = Some(usage.read());
        }
        if let Some(error) = error {
            return Err(told(error));
        }
        if self.items.is_empty() {
            for item in &output {
                self.whole += read::<Item>(item.get())?.size();
            }
            self.items = (0..).zip(output).collect();
        }
        self.end = Some(End { reason: incomplete_details.and_then(|details| details.reason) });
        Ok(())
    }

    /// What was told of what it took so far.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// How much was written so far, in bytes.
    pub(crate) fn written(&self) -> usize {
        // The same comes first in pieces and then as a whole, from most.
        self.pieces.max(self.whole)
    }

    /// The whole answer, once it is over.
    pub(crate) fn finish(self) -> Result<ModelTurn, VendorError> {
        let Some(End { reason }) = self.end else { return Err(BadAnswer::Cut.into()) };
        let (mut text, mut thought, mut refusal) = (String::new(), String::new(), String::new());
        let (mut calls, mut again) = (vec![], vec![]);
        for raw in self.items.into_values() {
            let item: Item = read(raw.get())?;
            let parts = |parts: &Option<Vec<Part>>| {
                parts.iter().flatten().map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n\n")
            };
            let is_reasoning = item.kind == "reasoning";
            match item.kind.as_str() {
                "message" => {
                    item.content.iter().flatten().for_each(|part| {
                        text.push_str(&part.text);
                        refusal.push_str(&part.refusal);
                    });
                    again.push((raw, is_reasoning));
                }
                "reasoning" => {
                    let (summary, content) = (parts(&item.summary), parts(&item.content));
                    thought.push_str(if content.is_empty() { &summary } else { &content });
                    again.push((raw, is_reasoning));
                }
                "function_call" => {
                    again.push((sent_back(raw, &item.arguments)?, is_reasoning));
                    calls.push(called(item));
                }
                _ => again.push((raw, is_reasoning)),
            }
        }
        // A thought that nothing follows is refused there.
        while again.last().is_some_and(|(_, is_reasoning)| *is_reasoning) {
            again.pop();
        }
        let end = match reason.as_deref() {
            Some("content_filter") => TurnEnd::Declined,
            Some(_) => TurnEnd::CutShort,
            None if !refusal.is_empty() => TurnEnd::Declined,
            None => TurnEnd::Complete,
        };
        let again: Vec<Box<RawValue>> = again.into_iter().map(|(raw, _)| raw).collect();
        let said = serde_json::value::to_raw_value(&again).map_err(|error| BadAnswer::of(&error))?.into();
        let text = if text.is_empty() { refusal } else { text };
        let model = self.model;
        Ok(ModelTurn { model, text, thought, calls, end, said, usage: self.usage.unwrap_or_default() })
    }
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Result<T, BadAnswer> {
    serde_json::from_str(data).map_err(|error| BadAnswer::of(&error))
}

fn told(Wrong { kind, code, message }: Wrong) -> VendorError {
    let code = match code {
        Value::Null => None,
        Value::String(code) => Some(code),
        other => Some(other.to_string()),
    };
    VendorError::told(&code.or(kind).unwrap_or_default(), message)
}

fn called(Item { call_id, name, arguments, .. }: Item) -> ToolCall {
    let text = if arguments.trim().is_empty() { "{}".to_owned() } else { arguments };
    ToolCall { id: call_id, name, input: called_with(text) }
}

impl Item {
    fn size(&self) -> usize {
        let parts = self.content.iter().chain(&self.summary).flatten();
        let words: usize = parts.map(|part| part.text.len() + part.refusal.len()).sum();
        words + self.name.len() + self.arguments.len()
    }
}

/// A call as it goes back: as it came, unless what it was called with can't be read.
fn sent_back(raw: Box<RawValue>, arguments: &str) -> Result<Box<RawValue>, BadAnswer> {
    if is_readable(arguments) {
        return Ok(raw);
    }
    let mut item: Value = read(raw.get())?;
    if let Some(item) = item.as_object_mut() {
        item.insert("arguments".into(), "{}".into());
    }
    serde_json::value::to_raw_value(&item).map_err(|error| BadAnswer::of(&error))
}

impl Told {
    /// Thoughts are part of what was written.
    fn read(&self) -> Usage {
        let details = self.input_tokens_details.as_ref();
        let cache_read = details.and_then(|details| details.cached_tokens).unwrap_or(0);
        let cache_write = details.and_then(|details| details.cache_write_tokens).unwrap_or(0);
        Usage {
            input: self.input_tokens.saturating_sub(cache_read).saturating_sub(cache_write),
            cache_write,
            cache_read,
            output: self.output_tokens,
        }
    }
}
