//! What is asked of a model, in words that no vendor owns.

use serde_json::{Value, value::RawValue};

/// One call of a model.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    /// What it is told before everything else. It stays the same from call to call, so that vendors can keep it.
    pub system: String,
    /// What was said so far, oldest first.
    pub messages: Vec<Message>,
    /// What it may call.
    pub tools: Vec<ToolSpec>,
    /// Whether it has to call something.
    pub choice: ToolChoice,
    /// The most that it may answer, in tokens.
    pub most_output: u32,
}

impl ModelRequest {
    /// Whether it shows anything.
    pub fn has_pictures(&self) -> bool {
        let shows = |parts: &[Part]| parts.iter().any(|part| matches!(part, Part::Image(_)));
        self.messages.iter().any(|message| match message {
            Message::User(parts) => shows(parts),
            Message::Assistant(_) => false,
            Message::Results(results) => results.iter().any(|result| shows(&result.parts)),
        })
    }

    /// The same in words alone.
    #[must_use]
    pub fn without_pictures(&self) -> Self {
        let mut same = self.clone();
        let blind = |parts: &mut Vec<Part>| parts.retain(|part| !matches!(part, Part::Image(_)));
        for message in &mut same.messages {
            match message {
                Message::User(parts) => blind(parts),
                Message::Assistant(_) => {}
                Message::Results(results) => results.iter_mut().for_each(|result| blind(&mut result.parts)),
            }
        }
        same
    }
}

/// Something that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of what it takes.
    pub schema: Value,
}

/// Whether the model has to call something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolChoice {
    /// As it likes.
    Auto,
    /// Whatever it likes, but something.
    Any,
    /// This one.
    Only(String),
}

/// One message.
#[derive(Debug, Clone)]
pub enum Message {
    /// What the model is told.
    User(Vec<Part>),
    /// What the model said, as its vendor wrote it.
    Assistant(Said),
    /// What came of what it called.
    Results(Vec<ToolResult>),
}

/// A part of what the model is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Text(String),
    /// A picture.
    Image(Picture),
    /// Everything up to here stays the same in the next call, so that vendors can keep it.
    Breakpoint,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// `image/jpeg` or `image/png`.
    pub media_type: &'static str,
    /// Its bytes in base64.
    pub base64: String,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// The call.
    pub call: String,
    /// What is told of it.
    pub parts: Vec<Part>,
    /// Whether it failed.
    pub outcome: ResultKind,
}

/// Whether a call did what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// It did.
    Done,
    /// It did not.
    Failed,
}

/// What a model said, exactly as its vendor wrote it: signatures of thoughts are only good for the bytes that they were made for.
#[derive(Debug, Clone)]
pub struct Said(Box<RawValue>);

impl Said {
    /// As it is kept and sent back.
    pub fn json(&self) -> &str {
        self.0.get()
    }

    /// The same as JSON that is not read again.
    pub fn raw(&self) -> &RawValue {
        &self.0
    }

    /// What was kept earlier. None if it is not JSON.
    pub fn of_json(text: String) -> Option<Self> {
        RawValue::from_string(text).ok().map(Self)
    }
}

impl From<Box<RawValue>> for Said {
    fn from(raw: Box<RawValue>) -> Self {
        Self(raw)
    }
}

impl PartialEq for Said {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl Eq for Said {}
