//! Running our own functions, and letting a paused target go.

use serde::Deserialize;

super::commands! {
    /// Lets a target run that waits for its debugger.
    RunIfWaitingForDebugger = "Runtime.runIfWaitingForDebugger" {}

    /// Evaluates our own expression in one world.
    Evaluate<'a> = "Runtime.evaluate" {
        /// The expression.
        expression: &'a str,
        /// The world; the page's own if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        context_id: Option<i64>,
        /// The value itself rather than a handle.
        return_by_value: bool,
        /// Whether a promise is waited for.
        await_promise: bool,
    }
}

/// What an evaluation gave.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated<'a> {
    /// The value.
    #[serde(borrow)]
    pub result: RemoteValue<'a>,
    /// What was thrown instead.
    pub exception_details: Option<ExceptionDetails>,
}

/// A value, still raw.
#[derive(Debug, Deserialize)]
pub struct RemoteValue<'a> {
    /// As JSON; absent for `undefined`.
    #[serde(borrow)]
    pub value: Option<&'a serde_json::value::RawValue>,
}

/// What was thrown.
#[derive(Debug, Deserialize)]
pub struct ExceptionDetails {
    /// In short.
    pub text: crate::Lossy,
    /// In long.
    pub exception: Option<Exception>,
}

/// The thrown object.
#[derive(Debug, Deserialize)]
pub struct Exception {
    /// Its message and stack.
    #[serde(default)]
    pub description: crate::Lossy,
}
