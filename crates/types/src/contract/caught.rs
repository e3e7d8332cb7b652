//! A request that was caught on the wire, as callers and people get to see it.

use serde::Serialize;

use crate::PageText;

/// A request that was caught before it left, taken apart. Values of secrets are masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CaughtRequest {
    /// What it does: `session`, `prepare`, `commit`, `unknown`, ….
    pub class: &'static str,
    /// Its method.
    pub method: String,
    /// Where to: scheme, host and port, names in punycode.
    pub origin: PageText,
    /// Its path.
    pub path: PageText,
    /// Sums of money, as `total: 10.00`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amounts: Vec<PageText>,
    /// What it asks of a GraphQL server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<PageText>,
    /// What it carries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<CaughtField>,
    /// How many fields more.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_fields: usize,
    /// Fields that may still change: tokens and times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<PageText>,
    /// Files in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PageText>,
    /// Why it can't be inspected, if it can't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_inspected: Option<String>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What a request carries under one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaughtField {
    /// The name.
    pub name: PageText,
    /// The value; dots stand for what is not shown.
    pub value: PageText,
}
