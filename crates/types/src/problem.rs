//! An error as people and programs get to see it: code, what happened, why, and what to do next.

use std::fmt;

use serde::Serialize;

use crate::Code;

/// The one shape in which errors leave Legwork.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Stable code.
    pub code: Code,
    /// What happened, in one sentence.
    pub message: String,
    /// Why, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// What the reader can do about it.
    pub hint: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
}

impl Problem {
    /// A problem without a known cause.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), cause: None, hint: hint.into(), retryable: code.retryable() }
    }

    /// The same problem with its cause.
    #[must_use]
    pub fn because(mut self, cause: impl Into<String>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        match &self.cause {
            Some(cause) => write!(f, " ({cause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}
