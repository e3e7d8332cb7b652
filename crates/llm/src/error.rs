//! What can go wrong with a model, and whether it is worth asking again.

use std::time::Duration;

use legwork_types::{Code, Problem, model::Usage};
use thiserror::Error;

/// Why there is no answer.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum VendorError {
    /// Something took too long.
    #[error("the model did not answer in time: {0}")]
    Timeout(Slow),
    /// The vendor could not be reached.
    #[error("the model could not be reached: {0}")]
    Unreachable(String),
    /// The connection broke before anything was answered: the vendor may have read the request.
    #[error("the connection to the model broke: {0}")]
    Broken(String),
    /// The vendor said no.
    #[error("the model's vendor refused ({status}): {}", if message.is_empty() { "nothing more was said" } else { message })]
    Refused {
        /// Its status.
        status: u16,
        /// Its name for it; nothing where it has none.
        kind: String,
        /// What it said of it.
        message: String,
        /// When it wants to be asked again.
        again_after: Option<Duration>,
    },
    /// The vendor broke off with an error of its own.
    #[error("the model's vendor failed: {kind}: {message}")]
    Failed {
        /// Its name for it.
        kind: String,
        /// What it said of it.
        message: String,
    },
    /// What came is no answer.
    #[error("the model's answer can't be read: {0}")]
    Unreadable(#[from] BadAnswer),
    /// Somebody called it off.
    #[error("the call was called off")]
    Cancelled,
}

/// What to do where a vendor does not know the model.
const WHICH_MODEL: &str = "check the name of the model and --base-url";

/// What took too long.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum Slow {
    /// To get a connection.
    #[error("no connection within {0:?}")]
    Connecting(Duration),
    /// Until the first byte of the answer.
    #[error("no first byte within {0:?}")]
    FirstByte(Duration),
    /// Between two pieces of the answer.
    #[error("nothing more for {0:?}")]
    Idle(Duration),
    /// The whole.
    #[error("not all of it within {0:?}")]
    Total(Duration),
}

/// Why an answer is none.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum BadAnswer {
    /// It ended too early.
    #[error("it was cut off")]
    Cut,
    /// It is not JSON, or not what was agreed on.
    #[error("{0}")]
    Shape(String),
    /// Its parts came in a wrong order.
    #[error("its parts came in a wrong order")]
    Order,
    /// It is larger than any answer.
    #[error("it is longer than any answer may be")]
    TooLarge,
    /// It is not text.
    #[error("it is not UTF-8")]
    NotText,
}

impl BadAnswer {
    pub(crate) fn of(error: &serde_json::Error) -> Self {
        Self::Shape(error.to_string())
    }
}

/// Whether it is worth asking again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It is, as soon as that.
    After(Option<Duration>),
    /// The answer would be the same.
    Never,
}

impl VendorError {
    /// What a vendor says in the middle of a stream.
    pub(crate) fn told(kind: &str, message: String) -> Self {
        Self::Failed { kind: kind.to_owned(), message }
    }

    /// Whether a vendor may have read the request, and charge for that.
    pub(crate) fn may_be_charged(&self) -> bool {
        match self {
            Self::Timeout(Slow::Connecting(_)) | Self::Unreachable(_) | Self::Refused { .. } => false,
            Self::Timeout(_)
            | Self::Broken(_)
            | Self::Failed { .. }
            | Self::Unreadable(_)
            | Self::Cancelled => true,
        }
    }

    /// Whether the vendor has no eyes for what it was shown.
    pub(crate) fn is_about_pictures(&self) -> bool {
        let Self::Refused { status: 400 | 404 | 415 | 422 | 500 | 501, message, .. } = self else {
            return false;
        };
        let message = message.to_lowercase();
        ["image", "vision", "multimodal"].iter().any(|word| message.contains(word))
    }

    /// The same with other words in the place of what the vendor said.
    pub(crate) fn in_words(self, words: impl Fn(String) -> String) -> Self {
        match self {
            Self::Refused { status, kind, message, again_after } => {
                Self::Refused { status, kind: words(kind), message: words(message), again_after }
            }
            Self::Failed { kind, message } => Self::Failed { kind: words(kind), message: words(message) },
            Self::Unreachable(why) => Self::Unreachable(words(why)),
            Self::Broken(why) => Self::Broken(words(why)),
            Self::Unreadable(BadAnswer::Shape(why)) => BadAnswer::Shape(words(why)).into(),
            Self::Timeout(_) | Self::Unreadable(_) | Self::Cancelled => self,
        }
    }

    /// Whether the same call may succeed later.
    pub fn retry(&self) -> Retry {
        match self {
            // What is larger than any answer is not asked for again: it was paid for.
            Self::Unreadable(BadAnswer::TooLarge) => Retry::Never,
            Self::Timeout(_) | Self::Unreachable(_) | Self::Broken(_) | Self::Unreadable(_) => {
                Retry::After(None)
            }
            Self::Refused { kind, .. } | Self::Failed { kind, .. } if is_final(kind) => Retry::Never,
            Self::Refused { status, again_after, .. } if may_pass(*status) => Retry::After(*again_after),
            // Some give the number of a status for a name.
            Self::Failed { kind, .. } => match kind.parse() {
                Ok(status) if !may_pass(status) => Retry::Never,
                _ => Retry::After(None),
            },
            Self::Refused { .. } | Self::Cancelled => Retry::Never,
        }
    }
}

/// Whether a status may be another one later.
fn may_pass(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..=599)
}

/// Whether what a vendor calls so stays as it is, whatever its status.
fn is_final(kind: &str) -> bool {
    let words =
        ["invalid", "authenticat", "permission", "not_found", "precondition", "billing", "quota", "perday"];
    let kind = kind.to_lowercase();
    words.iter().any(|word| kind.contains(word))
}

/// Whether what a vendor says is about the key or the money that it wants to have, whatever its status: some call that a bad request.
fn is_about_account(kind: &str, message: &str) -> bool {
    let words = ["authenticat", "permission", "billing", "quota", "api_key", "api key", "credit balance"];
    let said = format!("{kind} {message}").to_lowercase();
    words.iter().any(|word| said.contains(word))
}

/// Whether a vendor says that it has no model of this name, whatever its status: some call that a bad request. Only its code counts, and
/// words that are all that it says: a refusal of something else may hold parts of the request.
fn is_about_name(kind: &str, message: &str) -> bool {
    let is_code = |word: &str| matches!(word, "model_not_found" | "invalid_model");
    let said = message.trim().trim_end_matches('.').to_lowercase();
    kind.split_whitespace().any(is_code)
        || said == "model not exist"
        || said.ends_with(" is not a valid model id")
}

/// Whether another model could do better with the same request, once this one is not asked again.
fn may_another_answer(last: &VendorError) -> bool {
    match last {
        VendorError::Timeout(_)
        | VendorError::Unreachable(_)
        | VendorError::Broken(_)
        | VendorError::Unreadable(_) => true,
        VendorError::Refused { kind, message, .. } | VendorError::Failed { kind, message }
            if is_about_account(kind, message) || is_about_name(kind, message) =>
        {
            true
        }
        VendorError::Refused { status, .. } => matches!(status, 401..=404) || may_pass(*status),
        VendorError::Failed { kind, .. } => !kind.to_lowercase().contains("invalid"),
        VendorError::Cancelled => false,
    }
}

/// Why a call failed after all its attempts, and what it took all the same.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
#[error("{last}")]
pub struct LlmError {
    /// What the last attempt came to.
    pub last: VendorError,
    /// How often it was tried.
    pub attempts: u32,
    /// What vendors told of attempts that came to nothing.
    pub usage: Usage,
    /// How many of them may have been charged for without anybody telling.
    pub untold: u32,
}

impl LlmError {
    /// Whether another model may answer where this one did not: its vendor is down, gone, slow, wants no more requests, or has no model
    /// of this name and no key or money for it. What was called off, and what is wrong with the request itself, stays as it is.
    pub fn another_may_answer(&self) -> bool {
        // Without an attempt nobody was asked: the request could not be written.
        self.attempts > 0 && may_another_answer(&self.last)
    }

    /// Whether the model did answer, and at greater length than anybody reads.
    pub fn is_too_long(&self) -> bool {
        self.last == VendorError::Unreadable(BadAnswer::TooLarge)
    }
}

impl From<&LlmError> for Problem {
    fn from(error: &LlmError) -> Self {
        let LlmError { last, attempts, .. } = error;
        let times = if *attempts == 1 { "once".to_owned() } else { format!("{attempts} times") };
        let hint = match last {
            VendorError::Timeout(_) => "try again, or choose another model with --model",
            VendorError::Unreachable(_) | VendorError::Broken(_) => "check the network and --base-url",
            VendorError::Refused { kind, message, .. } if is_about_name(kind, message) => WHICH_MODEL,
            VendorError::Refused { status: 401 | 403, .. } => "check the key of this vendor",
            VendorError::Refused { status: 404, .. } => WHICH_MODEL,
            VendorError::Refused { status: 429, .. } => "wait a while, or choose another model with --model",
            VendorError::Refused { status: 400 | 413 | 422, .. } => {
                "choose another model with --model; this one does not take what Legwork sends"
            }
            VendorError::Unreadable(BadAnswer::TooLarge) => {
                "choose another model with --model; this one does not keep to the length it is given"
            }
            VendorError::Refused { .. } | VendorError::Failed { .. } | VendorError::Unreadable(_) => {
                "try again later, or choose another model with --model"
            }
            VendorError::Cancelled => "run it again when you like",
        };
        let code = if *last == VendorError::Cancelled { Code::Cancelled } else { Code::ModelFailed };
        Problem::new(code, format!("{last} (asked {times})"), hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn another_may_answer(last: VendorError) -> bool {
        LlmError { last, attempts: 3, usage: Usage::default(), untold: 0 }.another_may_answer()
    }

    fn refused(status: u16, kind: &str, message: &str) -> VendorError {
        VendorError::Refused { status, kind: kind.into(), message: message.into(), again_after: None }
    }

    #[test]
    fn another_model_may_answer_where_a_vendor_does_not() {
        for status in [401, 402, 403, 404, 408, 429, 500, 502, 503, 529] {
            assert!(another_may_answer(refused(status, "", "")), "{status}");
        }
        for other in [
            VendorError::Timeout(Slow::Connecting(Duration::ZERO)),
            VendorError::Timeout(Slow::Idle(Duration::ZERO)),
            VendorError::Unreachable(String::new()),
            VendorError::Broken(String::new()),
            BadAnswer::Cut.into(),
            BadAnswer::TooLarge.into(),
            VendorError::told("overloaded_error", String::new()),
            VendorError::told("insufficient_quota", String::new()),
            // Some call it a bad request that there is no key or no money.
            refused(
                400,
                "INVALID_ARGUMENT API_KEY_INVALID",
                "API key not valid. Please pass a valid API key.",
            ),
            refused(400, "invalid_request_error", "Your credit balance is too low to access the API."),
            // Or that there is no such model.
            refused(400, "", "kimi/none is not a valid model ID"),
            refused(400, "invalid_request_error", "Model Not Exist"),
            refused(400, "invalid_request_error model_not_found", "The model `none` does not exist."),
            refused(400, "invalid_model 1500", "Invalid model: none"),
            VendorError::told("invalid_request_error model_not_found", String::new()),
        ] {
            assert!(another_may_answer(other.clone()), "{other:?}");
        }
    }

    #[test]
    fn no_other_model_is_asked_for_what_is_wrong_here() {
        for other in [
            VendorError::Cancelled,
            refused(400, "invalid_request_error", "messages.1: roles must alternate"),
            refused(400, "invalid_request_error", "messages.1: 'x is not a valid model ID' is no content"),
            refused(400, "invalid_request_error", "tool model_not_found: Model Not Exist is no name"),
            refused(413, "", ""),
            refused(422, "", ""),
            refused(302, "", ""),
            VendorError::told("invalid_request_error", String::new()),
        ] {
            assert!(!another_may_answer(other.clone()), "{other:?}");
        }
        // A request that could not be written was never asked.
        let last = BadAnswer::Shape(String::new()).into();
        assert!(!LlmError { last, attempts: 0, usage: Usage::default(), untold: 0 }.another_may_answer());
    }
}
