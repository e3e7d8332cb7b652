//! An answer of OpenAI's Chat, put together from its pieces.

use std::collections::BTreeMap;

use legwork_types::model::{ModelTurn, Said, ToolCall, TurnEnd, Usage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    called::{called_with, is_readable},
    error::{BadAnswer, VendorError},
    stream::Fed,
};

/// What ends a stream.
const DONE: &str = "[DONE]";

/// What has come so far.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    model: String,
    text: String,
    refusal: String,
    calls: BTreeMap<u32, Call>,
    /// What else the vendor says of its message: thoughts, for example, which it wants to have back.
    rest: Map<String, Value>,
    /// How much was written so far, in bytes.
    written: usize,
    usage: Option<Usage>,
    end: Option<String>,
    is_over: bool,
}

#[derive(Debug, Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct Chunk {
    model: Option<String>,
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Told>,
    error: Option<Wrong>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: u32,
    /// Whoever does not stream says everything at once.
    #[serde(default, alias = "message")]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Delta {
    content: Option<String>,
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<CallDelta>>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<u32>,
    id: Option<String>,
    function: Option<FunctionDelta>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Wrong {
    #[serde(default)]
    message: String,
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    code: Value,
}

impl Assembly {
    /// Takes the next piece in.
    pub(crate) fn feed(&mut self, data: &str) -> Result<Fed, VendorError> {
        if data.trim() == DONE {
            self.is_over = true;
            return Ok(Fed::Over);
        }
        let Chunk { model, choices, usage, error } =
            serde_json::from_str(data).map_err(|error| BadAnswer::of(&error))?;
        if let Some(Wrong { message, kind, code }) = error {
            let code = code.as_str().map_or_else(|| code.to_string(), str::to_owned);
            return Err(VendorError::told(&kind.unwrap_or(code), message));
        }
        self.model = model.unwrap_or_else(|| std::mem::take(&mut self.model));
        if let Some(told) = usage {
            self.usage = Some(told.read());
        }
        for choice in choices.into_iter().filter(|choice| choice.index == 0) {
            self.take(choice.delta);
            self.end = choice.finish_reason.or(self.end.take());
        }
        Ok(Fed::More)
    }

    fn take(&mut self, Delta { content, refusal, tool_calls, mut rest }: Delta) {
        let size = |words: &Option<String>| words.as_deref().map_or(0, str::len);
        self.written += size(&content) + size(&refusal);
        self.written += rest.values().filter_map(Value::as_str).map(str::len).sum::<usize>();
        self.text.push_str(&content.unwrap_or_default());
        self.refusal.push_str(&refusal.unwrap_or_default());
        for CallDelta { index, id, function, mut rest } in tool_calls.unwrap_or_default() {
            // Some do not count their calls: one with a name begins a new one.
            let begins = id.as_deref().is_some_and(|id| !id.is_empty());
            let last = self.calls.keys().next_back().copied();
            let index = index
                .or_else(|| if begins { last.map(|last| last.saturating_add(1)) } else { last })
                .unwrap_or(0);
            let call = self.calls.entry(index).or_default();
            if let Some(id) = id.filter(|id| !id.is_empty()) {
                call.id = id;
            }
            let FunctionDelta { name, arguments } =
                function.unwrap_or(FunctionDelta { name: None, arguments: None });
            self.written += size(&name) + size(&arguments);
            call.name.push_str(&name.unwrap_or_default());
            call.arguments.push_str(&arguments.unwrap_or_default());
            rest.remove("type");
            gather(&mut call.rest, rest);
        }
        rest.remove("role");
        gather(&mut self.rest, rest);
    }

    /// What was told of what it took so far.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// The whole answer, once it is over.
    pub(crate) fn finish(self) -> Result<ModelTurn, VendorError> {
        // Some leave the last word out, but all of them say why they end.
        if !self.is_over && self.end.is_none() {
            return Err(BadAnswer::Cut.into());
        }
        let end = match self.end.as_deref() {
            Some("length") => TurnEnd::CutShort,
            Some("content_filter") => TurnEnd::Declined,
            _ if !self.refusal.is_empty() => TurnEnd::Declined,
            _ => TurnEnd::Complete,
        };
        let thought =
            ["reasoning_content", "reasoning"].iter().find_map(|name| self.rest.get(*name)?.as_str());
        let thought = thought.unwrap_or_default().to_owned();
        let calls: Vec<ToolCall> = self.calls.iter().map(|(index, call)| call.read(*index)).collect();
        let said = self.sent_back()?;
        let text = if self.text.is_empty() { self.refusal } else { self.text };
        let model = self.model;
        Ok(ModelTurn { model, text, thought, calls, end, said, usage: self.usage.unwrap_or_default() })
    }

    /// How much was written so far, in bytes.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// The message as it goes back.
    fn sent_back(&self) -> Result<Said, BadAnswer> {
        let mut message = Map::new();
        message.insert("role".into(), "assistant".into());
        // Nothing at all is refused there, unless something is called.
        let has_words = !self.text.is_empty() || self.calls.is_empty();
        let content = if has_words { self.text.clone().into() } else { Value::Null };
        message.insert("content".into(), content);
        if !self.refusal.is_empty() {
            message.insert("refusal".into(), self.refusal.clone().into());
        }
        if !self.calls.is_empty() {
            let calls = self.calls.iter().map(|(index, call)| call.sent_back(*index));
            message.insert("tool_calls".into(), calls.collect());
        }
        message.extend(self.rest.clone());
        let raw = serde_json::value::to_raw_value(&message).map_err(|error| BadAnswer::of(&error))?;
        Ok(raw.into())
    }
}

impl Call {
    /// Some give their calls no names.
    fn name_of_call(&self, index: u32) -> String {
        if self.id.is_empty() { format!("call_{index}") } else { self.id.clone() }
    }

    fn read(&self, index: u32) -> ToolCall {
        let text = if self.arguments.trim().is_empty() { "{}" } else { &self.arguments };
        ToolCall {
            id: self.name_of_call(index),
            name: self.name.clone(),
            input: called_with(text.to_owned()),
        }
    }

    fn sent_back(&self, index: u32) -> Value {
        // Servers read this again: what can't be read would be refused there, in every call that follows.
        let arguments = if is_readable(&self.arguments) { self.arguments.as_str() } else { "{}" };
        let mut call = Map::new();
        call.insert("id".into(), self.name_of_call(index).into());
        call.insert("type".into(), "function".into());
        call.insert("function".into(), json!({ "name": self.name, "arguments": arguments }));
        call.extend(self.rest.clone());
        Value::Object(call)
    }
}

impl Told {
    fn read(&self) -> Usage {
        let details = self.prompt_tokens_details.as_ref();
        let cache_read = details.and_then(|details| details.cached_tokens).unwrap_or(0);
        let cache_write = details.and_then(|details| details.cache_write_tokens).unwrap_or(0);
        Usage {
            input: self.prompt_tokens.saturating_sub(cache_read).saturating_sub(cache_write),
            cache_write,
            cache_read,
            output: self.completion_tokens,
        }
    }
}

/// Puts pieces of what nobody here knows together: words and lists grow, the last of anything else counts.
fn gather(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (name, piece) in from {
        match (into.get_mut(&name), piece) {
            (_, Value::Null) => {}
            (Some(Value::String(words)), Value::String(more)) => words.push_str(&more),
            (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
            (_, piece) => {
                into.insert(name, piece);
            }
        }
    }
}
