//! The tool contract as JSON Schemas, for those who make calls or read answers in other languages. Only with the feature
//! `schema`.

use std::borrow::Cow;

use schemars::{
    JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema, transform::RecursiveTransform,
};
use serde_json::Value;

use crate::{
    Code, Problem, TabId, Timestamp,
    contract::{
        ActRequest, ActResponse, Effects, Fingerprint, FrameNumber, Observation, ObserveOptions, Receipt,
        Toggle,
    },
};

/// What [`crate::contract::Observation`] looks like on the wire.
pub fn observation() -> Value {
    told::<Observation>()
}

/// What may be asked of a look.
pub fn observe_options() -> Value {
    asked::<ObserveOptions>()
}

/// What a call to act looks like.
pub fn act_request() -> Value {
    asked::<ActRequest>()
}

/// What the answer to it looks like.
pub fn act_response() -> Value {
    told::<ActResponse>()
}

/// What an error looks like.
pub fn problem() -> Value {
    told::<Problem>()
}

/// Of what we write: what may be missing is left away, never `null`.
fn told<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    plain(settings.with_transform(RecursiveTransform(never_null))).into_root_schema_for::<T>().to_value()
}

/// Of what we read.
fn asked<T: JsonSchema>() -> Value {
    plain(SchemaSettings::draft2020_12().for_deserialize()).into_root_schema_for::<T>().to_value()
}

fn plain(settings: SchemaSettings) -> SchemaGenerator {
    settings.with_transform(RecursiveTransform(without_sizes)).into_generator()
}

/// Takes away how wide our integers are: that is no format that others know.
fn without_sizes(schema: &mut Schema) {
    if schema.get("format").and_then(Value::as_str).is_some_and(|format| format.contains("int")) {
        schema.remove("format");
    }
}

/// Takes `null` away from what may be missing.
fn never_null(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one.as_str() == Some(name)));
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
        let Some(property) = property.as_object_mut() else { continue };
        if let Some(Value::Array(kinds)) = property.get_mut("type") {
            kinds.retain(|kind| kind != "null");
            if let [kind] = kinds.as_slice() {
                let kind = kind.clone();
                property.insert("type".into(), kind);
            }
        }
        if let Some(Value::Array(kinds)) = property.get_mut("anyOf") {
            kinds.retain(|kind| kind.get("type").is_none_or(|kind| kind != "null"));
            if let [Value::Object(only)] = kinds.as_slice() {
                let only = only.clone();
                property.remove("anyOf");
                property.extend(only);
            }
        }
    }
}

/// The other name of a scope.
pub(crate) fn also_modal(scope: &mut Schema) {
    if let Some(names) = scope.get_mut("oneOf").and_then(Value::as_array_mut) {
        names.push(
            json_schema!({ "description": "The same.", "type": "string", "const": "modal" }).to_value(),
        );
    }
}

/// Schemas of what is not written as it is kept.
macro_rules! written_otherwise {
    ($($name:ident: $schema:tt)*) => {$(
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}

written_otherwise! {
    TabId: { "description": "A tab: `t1`, `t2`, … in order of appearance.", "type": "string", "pattern": "^t[0-9]+$" }
    FrameNumber: {
        "description": "The number of a frame within its observation: `f0` is the page itself.",
        "type": "string",
        "pattern": "^f[0-9]+$"
    }
    Fingerprint: {
        "description": "What an element is known by when the page is looked at again.",
        "type": "string",
        "pattern": "^[0-9a-f]{16}$"
    }
    Toggle: { "description": "Whether something is on.", "enum": [false, true, "mixed"] }
    Timestamp: { "description": "A moment in UTC.", "type": "string", "format": "date-time" }
}

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        json_schema!({
            "description": "What went wrong, in a word that scripts and models may rely on.",
            "type": "string",
            "enum": codes
        })
    }
}

impl JsonSchema for Receipt {
    fn schema_name() -> Cow<'static, str> {
        "Receipt".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        /// What an act really did.
        #[derive(JsonSchema)]
        #[allow(dead_code)]
        struct Wire {
            /// Whether input left for the page, or the browser was told to do it.
            dispatched: bool,
            /// Whether nothing at all came of it.
            nothing: bool,
            #[serde(flatten)]
            effects: Effects,
        }
        Wire::json_schema(generator)
    }
}
