//! What a script answers: something that a model would say, or something that goes wrong.

use std::time::Duration;

use serde_json::Value;

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Something that a model says.
    Spoken(Spoken),
    /// The same under the name of another model than the one that was asked.
    As(&'static str, Spoken),
    /// The same but for its last word: then the connection is reset.
    Torn(Spoken),
    /// Something that goes wrong.
    Fault(Fault),
}

/// Something that a model says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spoken {
    /// What it thought.
    pub thought: Option<String>,
    /// What it says.
    pub text: String,
    /// What it calls, and what with: JSON, or what is meant to be.
    pub calls: Vec<(String, String)>,
}

/// Something that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The vendor refuses, and may say when to come back.
    Status(u16, Option<Duration>),
    /// The vendor refuses with these words.
    Refuses(u16, &'static str),
    /// Nothing is answered, for as long as anybody waits.
    Silence,
    /// The answer begins and does not go on.
    Stall,
    /// The answer ends in the middle.
    Cut,
    /// The answer goes on and on.
    Giant,
    /// The connection is reset before anything is answered.
    Reset,
    /// The answer is not what was agreed on.
    Garbage,
    /// There is a byte in the answer that no text has.
    NotText,
    /// There is half a character in the answer, where JSON would have two halves.
    HalfCharacter,
    /// The vendor breaks off with an error of its own.
    Overloaded,
    /// The vendor refuses because there is no money left.
    Penniless,
    /// The vendor refuses, and repeats the key that it was given.
    Telltale,
    /// The same in an answer that looks like one.
    TelltaleStream,
    /// The vendor refuses because the model has no eyes.
    Eyeless,
    /// The answer begins, and its vendor does not want to go on with it.
    Declined,
}

impl Reply {
    /// Calls one tool.
    pub fn call(name: &str, input: Value) -> Self {
        Self::Spoken(Spoken { calls: vec![(name.to_owned(), input.to_string())], ..Spoken::default() })
    }

    /// Calls tools.
    pub fn calls(calls: &[(&str, Value)]) -> Self {
        let calls = calls.iter().map(|(name, input)| ((*name).to_owned(), input.to_string())).collect();
        Self::Spoken(Spoken { calls, ..Spoken::default() })
    }

    /// Says something and calls nothing.
    pub fn say(text: &str) -> Self {
        Self::Spoken(Spoken { text: text.to_owned(), ..Spoken::default() })
    }
}

impl From<Spoken> for Reply {
    fn from(spoken: Spoken) -> Self {
        Self::Spoken(spoken)
    }
}

impl From<Fault> for Reply {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A text in pieces, as models write: small ones, unless it is so long that there would be too many of them.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = String> + '_ {
    const PIECE: usize = 7;
    const MOST: usize = 2_000;
    let piece = PIECE.max(text.len() / MOST);
    let mut rest = text.chars().peekable();
    std::iter::from_fn(move || {
        rest.peek()?;
        Some(rest.by_ref().take(piece).collect())
    })
}
