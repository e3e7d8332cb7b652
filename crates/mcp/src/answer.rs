//! What a tool answers, before it is put into the words of the protocol.

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};
use legwork_runtime::Mask;
use legwork_types::Code;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

/// What a tool answers.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// For the model. Whatever a page wrote stands in a fence.
    pub(crate) text: String,
    /// A picture.
    pub(crate) jpeg: Option<Vec<u8>>,
    /// The same for programs, where it was asked for.
    pub(crate) structured: Option<Value>,
    /// Why it was not done.
    pub(crate) failed: Option<Code>,
    /// Whether a failure is told as one. Some callers want nothing but texts.
    pub(crate) quiet: bool,
}

impl Answer {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(crate) fn picture(jpeg: Vec<u8>) -> Self {
        Self { jpeg: Some(jpeg), ..Self::default() }
    }

    /// The last line of defence: whatever a tool says, no secret of the operator is in it.
    #[must_use]
    pub(crate) fn hiding(mut self, mask: &Mask) -> Self {
        if !mask.is_empty() {
            if let Cow::Owned(hidden) = mask.over(&self.text) {
                self.text = hidden;
            }
            self.structured.iter_mut().for_each(|value| hide(value, mask));
        }
        self
    }

    pub(crate) fn into_result(self) -> CallToolResult {
        let mut blocks = Vec::new();
        if !self.text.is_empty() {
            blocks.push(ContentBlock::text(self.text.trim_end()));
        }
        if let Some(jpeg) = self.jpeg {
            blocks.push(ContentBlock::image(STANDARD.encode(jpeg), "image/jpeg"));
        }
        let mut result = match self.failed {
            Some(_) if !self.quiet => CallToolResult::error(blocks),
            _ => CallToolResult::success(blocks),
        };
        result.structured_content = self.structured;
        result
    }
}

fn hide(value: &mut Value, mask: &Mask) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(hidden) = mask.over(text) {
                *text = hidden;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| hide(value, mask)),
        Value::Object(fields) => fields.values_mut().for_each(|value| hide(value, mask)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_answer_holds_a_secret() {
        let answer = Answer {
            structured: Some(serde_json::json!({"a": ["my Hunter-22x", {"b": "aHVudGVyLTIyeA=="}], "c": 5})),
            ..Answer::text("see h u n t e r - 2 2 x")
        };
        let told = answer.hiding(&Mask::of(["hunter-22x"]));
        assert_eq!(told.text, "see •••");
        let structured = told.structured.unwrap();
        assert_eq!(structured["a"][0], "my •••");
        assert!(!structured["a"][1]["b"].as_str().unwrap().contains("aHVudGVy"));
        assert_eq!(structured["c"], 5);
    }
}
