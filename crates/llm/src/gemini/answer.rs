//! An answer of Gemini, put together from its pieces.

use std::collections::BTreeMap;

use legwork_types::model::{ModelTurn, ToolCall, TurnEnd, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::calls::{Call, named};
use crate::{
    called::{called_with, is_readable, nothing},
    error::{BadAnswer, VendorError},
    stream::Fed,
};

/// What has come so far.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    model: String,
    /// Its parts, exactly as they came: a signature belongs to the part that it came with.
    parts: Vec<Box<RawValue>>,
    /// The vendor's name for the answer.
    id: String,
    written: usize,
    usage: Option<Usage>,
    end: Option<String>,
    /// What is said of the end.
    why: String,
    /// Whether the vendor did not want to read what it was asked.
    is_blocked: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    model_version: Option<String>,
    #[serde(default)]
    candidates: Vec<Candidate>,
    usage_metadata: Option<Told>,
    prompt_feedback: Option<Feedback>,
    response_id: Option<String>,
    error: Option<Wrong>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(default)]
    index: u32,
    content: Option<Content>,
    finish_reason: Option<String>,
    finish_message: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

#[derive(Deserialize)]
struct Wrong {
    #[serde(default)]
    code: Value,
    #[serde(default)]
    message: String,
    status: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Told {
    prompt_token_count: u64,
    cached_content_token_count: u64,
    tool_use_prompt_token_count: u64,
    candidates_token_count: u64,
    thoughts_token_count: u64,
}

/// What is read of a part. All of it goes back.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
    thought_signature: Option<String>,
    function_call: Option<Call>,
}

#[derive(Serialize)]
struct Again<'a> {
    role: &'static str,
    parts: &'a [Box<RawValue>],
}

impl Assembly {
    /// Takes the next piece in. Nothing marks the last one but the end of the stream.
    pub(crate) fn feed(&mut self, data: &str) -> Result<Fed, VendorError> {
        let Chunk { model_version, candidates, usage_metadata, prompt_feedback, response_id, error } =
            read(data)?;
        if let Some(Wrong { code, message, status }) = error {
            return Err(VendorError::told(&status.unwrap_or_else(|| code.to_string()), message));
        }
        self.model = model_version.unwrap_or_else(|| std::mem::take(&mut self.model));
        self.id = response_id.unwrap_or_else(|| std::mem::take(&mut self.id));
        if let Some(told) = usage_metadata {
            self.usage = Some(told.read());
        }
        self.is_blocked |= prompt_feedback.is_some_and(|feedback| feedback.block_reason.is_some());
        for candidate in candidates.into_iter().filter(|candidate| candidate.index == 0) {
            for raw in candidate.content.map(|content| content.parts).unwrap_or_default() {
                self.written += read::<Part>(raw.get())?.size();
                self.parts.push(raw);
            }
            self.end = candidate.finish_reason.or(self.end.take());
            self.why = candidate.finish_message.unwrap_or_else(|| std::mem::take(&mut self.why));
        }
        Ok(Fed::More)
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
        let end = match self.end.as_deref() {
            _ if self.is_blocked => TurnEnd::Declined,
            None => return Err(BadAnswer::Cut.into()),
            Some(reason) => ended(reason, &self.why)?,
        };
        let (mut text, mut thought, mut calls, mut again) = (String::new(), String::new(), vec![], vec![]);
        for raw in self.parts {
            let part: Part = read(raw.get())?;
            if !part.says_nothing() {
                again.push(sent_back(raw, &part)?);
            }
            let words = part.text.unwrap_or_default();
            if part.thought { &mut thought } else { &mut text }.push_str(&words);
            if let Some(call) = part.function_call {
                calls.push(called(call, &self.id, calls.len()));
            }
        }
        let said = serde_json::value::to_raw_value(&Again { role: "model", parts: &again });
        let said = said.map_err(|error| BadAnswer::of(&error))?.into();
        let model = self.model;
        Ok(ModelTurn { model, text, thought, calls, end, said, usage: self.usage.unwrap_or_default() })
    }
}

/// What a reason to end means. A call that the vendor itself could not read is no answer.
fn ended(reason: &str, why: &str) -> Result<TurnEnd, BadAnswer> {
    match reason {
        "MAX_TOKENS" => Ok(TurnEnd::CutShort),
        "SAFETY"
        | "RECITATION"
        | "LANGUAGE"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "MODEL_ARMOR" => Ok(TurnEnd::Declined),
        "MALFORMED_FUNCTION_CALL"
        | "MALFORMED_RESPONSE"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS"
        | "MISSING_THOUGHT_SIGNATURE" => Err(BadAnswer::Shape(format!("{reason} {why}").trim().to_owned())),
        _ => Ok(TurnEnd::Complete),
    }
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Result<T, BadAnswer> {
    serde_json::from_str(data).map_err(|error| BadAnswer::of(&error))
}

fn called(Call { id, name, args }: Call, answer: &str, index: usize) -> ToolCall {
    let input = called_with(args.map_or_else(|| "{}".to_owned(), |args| args.get().to_owned()));
    ToolCall { id: id.unwrap_or_else(|| named(answer, index)), name, input }
}

/// A part as it goes back: as it came, unless something was called with what would be refused there.
fn sent_back(raw: Box<RawValue>, part: &Part) -> Result<Box<RawValue>, BadAnswer> {
    let args = part.function_call.as_ref().and_then(|call| call.args.as_ref());
    if args.is_none_or(|args| args.get().starts_with('{') && is_readable(args.get())) {
        return Ok(raw);
    }
    let mut part: Fields = read(raw.get())?;
    if let Some(call) = part.get_mut("functionCall") {
        let mut fields: Fields = read(call.get())?;
        fields.insert("args".to_owned(), nothing()?);
        *call = raw_of(&fields)?;
    }
    raw_of(&part)
}

/// An object whose fields are not read.
type Fields = BTreeMap<String, Box<RawValue>>;

fn raw_of(fields: &Fields) -> Result<Box<RawValue>, BadAnswer> {
    serde_json::value::to_raw_value(fields).map_err(|error| BadAnswer::of(&error))
}

impl Part {
    fn size(&self) -> usize {
        let called = |call: &Call| call.name.len() + call.args.as_ref().map_or(0, |args| args.get().len());
        self.text.as_deref().map_or(0, str::len) + self.function_call.as_ref().map_or(0, called)
    }

    /// Words without a letter are refused there, unless a signature came with them.
    fn says_nothing(&self) -> bool {
        self.text.as_deref() == Some("") && self.thought_signature.is_none() && self.function_call.is_none()
    }
}

impl Told {
    /// Thoughts are not part of what is told as written, but cost the same.
    fn read(&self) -> Usage {
        let read = self.prompt_token_count.saturating_add(self.tool_use_prompt_token_count);
        Usage {
            input: read.saturating_sub(self.cached_content_token_count),
            cache_write: 0,
            cache_read: self.cached_content_token_count,
            output: self.candidates_token_count.saturating_add(self.thoughts_token_count),
        }
    }
}
