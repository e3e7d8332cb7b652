//! What a tool answers, before it is put into the words of the protocol.

use base64::{Engine, engine::general_purpose::STANDARD};
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
