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

    /// Evaluates our own expression in one world and keeps what comes of it in the page, behind a handle.
    EvaluateToHandle<'a> = "Runtime.evaluate" {
        /// The expression.
        expression: &'a str,
        /// The world.
        context_id: i64,
        /// The group with which the handle is let go.
        object_group: &'a str,
    }

    /// Calls our own function on what is behind a handle.
    CallFunctionOn<'a> = "Runtime.callFunctionOn" {
        /// The function.
        function_declaration: &'a str,
        /// What `this` is.
        object_id: &'a str,
        /// What it is called with.
        arguments: &'a [CallArgument<'a>],
        /// The value itself rather than a handle.
        return_by_value: bool,
    }

    /// Lets a group of handles go.
    ReleaseObjectGroup<'a> = "Runtime.releaseObjectGroup" {
        /// Its name.
        object_group: &'a str,
    }

    /// The properties of the object behind a handle.
    GetProperties<'a> = "Runtime.getProperties" {
        /// The handle.
        object_id: &'a str,
        /// Its own alone.
        own_properties: bool,
    }
}

/// What a function is called with.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CallArgument<'a> {
    /// What is behind a handle.
    ObjectId(&'a str),
    /// A text.
    Value(&'a str),
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
    /// The handle, where not the value was asked for.
    #[serde(rename = "objectId")]
    pub object_id: Option<&'a str>,
}

/// The properties of an object.
#[derive(Debug, Deserialize)]
pub struct Properties<'a> {
    /// In their order.
    #[serde(borrow)]
    pub result: Vec<Property<'a>>,
}

/// One property.
#[derive(Debug, Deserialize)]
pub struct Property<'a> {
    /// Its name.
    pub name: &'a str,
    /// Absent for what is computed.
    #[serde(borrow)]
    pub value: Option<RemoteValue<'a>>,
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
