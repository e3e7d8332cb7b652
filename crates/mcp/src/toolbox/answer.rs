//! What a tool answered, bounded. That it failed is part of the answer.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

/// How much text is kept of one answer, in bytes.
const MOST_TEXT: usize = 1024 * 1024;
/// How many parts are kept of each kind.
const MOST_PARTS: usize = 64;
/// How many pictures are kept.
const MOST_PICTURES: usize = 4;

/// Whether a tool did what it was called for, as it says itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It did.
    Done,
    /// It did not, or not all of it; the text says why.
    Failed,
}

/// A picture as it came: nobody has looked yet whether it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawPicture {
    /// What the server says that it is.
    pub media_type: String,
    /// Its bytes in base64.
    pub base64: String,
}

/// What a tool answered. All of it may be words of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    /// Whether it did it.
    pub outcome: Outcome,
    /// Its texts, in order.
    pub text: Vec<String>,
    /// Its pictures.
    pub pictures: Vec<RawPicture>,
    /// Its answer for programs.
    pub structured: Option<Value>,
    /// Whether something was left out because there was too much.
    pub cut: bool,
}

impl ToolAnswer {
    /// The texts one below the other.
    pub fn joined(&self) -> String {
        self.text.join("\n")
    }

    /// A failure in these words.
    pub(super) fn failed(words: &str) -> Self {
        let mut answer = Self {
            outcome: Outcome::Failed,
            text: Vec::new(),
            pictures: Vec::new(),
            structured: None,
            cut: false,
        };
        answer.keep_text(words, MOST_TEXT);
        answer
    }

    pub(super) fn of(result: CallToolResult) -> Self {
        let outcome = if result.is_error == Some(true) { Outcome::Failed } else { Outcome::Done };
        let mut answer = Self {
            outcome,
            text: Vec::new(),
            pictures: Vec::new(),
            structured: result.structured_content,
            cut: false,
        };
        let mut room = MOST_TEXT;
        for part in result.content {
            match part {
                ContentBlock::Text(text) => room = answer.keep_text(&text.text, room),
                ContentBlock::Image(image) if answer.pictures.len() < MOST_PICTURES => {
                    answer.pictures.push(RawPicture { media_type: image.mime_type, base64: image.data });
                }
                ContentBlock::Resource(resource) => match resource.resource {
                    ResourceContents::TextResourceContents { text, .. } => {
                        room = answer.keep_text(&text, room)
                    }
                    _ => answer.cut = true,
                },
                // Sounds, links and whatever comes to be.
                _ => answer.cut = true,
            }
        }
        answer
    }

    /// Keeps what there is room for; the room that is left.
    fn keep_text(&mut self, text: &str, room: usize) -> usize {
        if self.text.len() >= MOST_PARTS {
            self.cut = true;
            return 0;
        }
        let kept = &text[..text.floor_char_boundary(room)];
        self.cut |= kept.len() < text.len();
        if !kept.is_empty() {
            self.text.push(kept.to_owned());
        }
        room - kept.len()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(value: Value) -> ToolAnswer {
        ToolAnswer::of(serde_json::from_value(value).unwrap())
    }

    #[test]
    fn parts_are_told_apart_and_a_failure_is_an_answer() {
        let told = answer(json!({"isError": true, "structuredContent": {"a": 1}, "content": [
            {"type": "text", "text": "no"},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///x", "text": "yes"}},
            {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
        ]}));
        assert_eq!((told.outcome, told.joined().as_str()), (Outcome::Failed, "no\nyes"));
        assert_eq!(told.pictures, [RawPicture { media_type: "image/png".into(), base64: "AAAA".into() }]);
        assert_eq!(told.structured, Some(json!({"a": 1})));
        assert!(told.cut, "a sound is left out");
        assert_eq!(answer(json!({"content": []})).outcome, Outcome::Done);
    }

    #[test]
    fn too_much_is_cut_and_said_so() {
        let part = json!({"type": "text", "text": "é".repeat(400 * 1024)});
        let told = answer(json!({"content": [part, part, part]}));
        assert!(told.cut && told.joined().len() <= MOST_TEXT + 2, "{}", told.joined().len());
        let picture = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
        let told = answer(json!({"content": vec![picture; 100]}));
        assert!(told.cut && told.pictures.len() == MOST_PICTURES);
        let told = answer(json!({"content": vec![json!({"type": "text", "text": "x"}); 10_000]}));
        assert!(told.cut && told.text.len() == MOST_PARTS);
    }
}
