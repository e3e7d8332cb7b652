//! An error as people and programs get to see it: code, what happened, why, and what to do next.

use std::fmt;

use serde::Serialize;

use crate::{
    Code, PageText,
    contract::{CaughtRequest, ObservationId},
};

/// The one shape in which errors leave Legwork.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// What a program needs to know of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<Details>>,
    /// Names this answer in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
}

/// What a program needs to know of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum Details {
    /// The look is not the latest.
    Stale {
        /// The latest; none where there is none yet.
        current: Option<ObservationId>,
        /// The one that was named.
        provided: ObservationId,
    },
    /// Something lies over it.
    Obscured {
        /// What.
        by: PageText,
    },
    /// There is no such option.
    Options {
        /// What can be chosen instead; the first ones where there are many.
        options: Vec<PageText>,
        /// How many there are.
        option_count: usize,
    },
    /// Somebody has to say yes.
    Confirmation {
        /// The words to echo; none where no echo helps.
        #[serde(skip_serializing_if = "Option::is_none")]
        required_confirmation_text: Option<String>,
        /// What was not given: `confirm` or `confirmationText`.
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<&'static str>,
        /// Whether other words were given.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        mismatch: bool,
        /// The words that were given.
        #[serde(skip_serializing_if = "Option::is_none")]
        provided: Option<String>,
        /// Why it is dangerous.
        reasons: Vec<String>,
    },
    /// A request was caught on the wire.
    Caught {
        /// What was done to which element, if it came of that.
        #[serde(skip_serializing_if = "Option::is_none")]
        act: Option<PageText>,
        /// The request.
        request: Box<CaughtRequest>,
        /// The question that waits for an answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        approval_id: Option<String>,
        /// Where a person can answer it.
        #[serde(skip_serializing_if = "Option::is_none")]
        approval_url: Option<String>,
        /// The words that the caller may echo instead, where the operator allows that.
        #[serde(skip_serializing_if = "Option::is_none")]
        required_confirmation_text: Option<String>,
        /// Whether it waits and leaves by itself after a yes. Otherwise the act has to be done again then.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        held: bool,
        /// Why it was caught.
        reasons: Vec<String>,
        /// What would let it pass.
        #[serde(skip_serializing_if = "Option::is_none")]
        allow_with: Option<String>,
    },
    /// Where the call does not follow the contract.
    Contract {
        /// The field.
        path: String,
    },
    /// What the network said.
    Network {
        /// `net::ERR_…`
        net: String,
    },
    /// A page is gone, or its browser.
    Gone {
        /// Where the page was.
        gone_at: PageText,
        /// Whether it ended as pages do that get no more memory.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        may_lack_memory: bool,
    },
    /// Which rule forbids it.
    Rule {
        /// Its name.
        rule: String,
    },
}

impl Problem {
    /// A problem without a known cause.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            cause: None,
            hint: hint.into(),
            retryable: code.retryable(),
            details: None,
            correlation_id: None,
        }
    }

    /// The same problem with its cause.
    #[must_use]
    pub fn because(mut self, cause: impl Into<String>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// The same problem with what a program needs to know of it.
    #[must_use]
    pub fn with(mut self, details: Details) -> Self {
        self.details = Some(Box::new(details));
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
