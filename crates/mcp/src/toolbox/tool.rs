//! One tool as its server describes it, bounded.

use legwork_types::model::ToolSpec;
use rmcp::model::Tool as Described;
use serde_json::Value;

/// As many tools as are looked at.
pub(super) const MOST_TOOLS: usize = 200;
/// How long a name may be.
const MOST_NAME: usize = 64;
/// How much of a description is kept, in characters.
const MOST_DESCRIPTION: usize = 2_000;
/// How large a schema may be, in bytes.
const MOST_SCHEMA: usize = 32 * 1024;

/// Something that the server can do.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does, in the server's words.
    pub description: String,
    /// The JSON Schema of what it takes.
    pub schema: Value,
}

impl Tool {
    /// As a model is told of it.
    pub fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.clone(),
            description: self.description.clone(),
            schema: self.schema.clone(),
        }
    }

    /// Nothing where its name or its schema is no name or schema: such a tool can't be called, and none is offered.
    pub(super) fn of(described: &Described) -> Option<Self> {
        let name = described.name.as_ref();
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let named = !name.is_empty() && name.len() <= MOST_NAME && name.chars().all(plain);
        let schema = Value::Object((*described.input_schema).clone());
        let bounded = serde_json::to_vec(&schema).is_ok_and(|json| json.len() <= MOST_SCHEMA);
        let description = described.description.as_deref().unwrap_or_default();
        (named && bounded).then(|| Self {
            name: name.to_owned(),
            description: description.chars().take(MOST_DESCRIPTION).collect(),
            schema,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str, schema: Value) -> Option<Tool> {
        let described = json!({"name": name, "description": description, "inputSchema": schema});
        Tool::of(&serde_json::from_value(described).unwrap())
    }

    #[test]
    fn what_is_strange_or_too_large_is_left_out() {
        let small = json!({"type": "object"});
        assert!(tool("browser_click", "Clicks.", small.clone()).is_some());
        for name in ["", "a b", "x\ny", "<click>", "é", &"x".repeat(65)] {
            assert!(tool(name, "", small.clone()).is_none(), "{name:?}");
        }
        assert_eq!(
            tool("x", &"é".repeat(9_000), small).unwrap().description.chars().count(),
            MOST_DESCRIPTION
        );
        assert!(tool("x", "", json!({"description": "y".repeat(MOST_SCHEMA)})).is_none());
    }
}
