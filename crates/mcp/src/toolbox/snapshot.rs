//! A look at a page, however the server tells of it: as Playwright's Markdown with a tree, as an object, as JSON in a text, or as
//! plain words. Pure.

use legwork_types::PageText;
use serde_json::Value;
use thiserror::Error;

use super::{Outcome, ToolAnswer, tree};

/// What stands for an address or a title that nobody told.
pub const UNKNOWN: &str = "unknown";
/// How much of a page is kept, in bytes.
const MOST_CONTENT: usize = 512 * 1024;
/// How long an address or a title may be, in characters.
const MOST_LABEL: usize = 2_000;
/// How many notes are kept, and how long one may be, in characters.
const MOST_NOTES: usize = 20;
const MOST_NOTE: usize = 300;
/// How many names of fields are told where the right ones are missing.
const MOST_FIELDS: usize = 20;

/// A page as its server tells of it. All of it is words of the page, or may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Its address.
    pub url: PageText,
    /// Its title.
    pub title: PageText,
    /// What is on it.
    pub content: PageText,
    /// What on it can be referred to.
    pub elements: Vec<Element>,
    /// What else is told of it: its status, other tabs.
    pub notes: Vec<PageText>,
    /// Whether something was left out because there was too much.
    pub cut: bool,
    /// Whether it says nothing of what is on the page, which is not the same as that nothing is there.
    pub is_unread: bool,
}

/// Something on a page that can be referred to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// What it is: `button`, `link`, `textbox`.
    pub role: String,
    /// Its name, or else its words.
    pub name: PageText,
    /// How the server's tools are told of it.
    pub reference: String,
}

impl Snapshot {
    /// The element that is meant by this reference. Nothing where two have the same: then nobody knows which is meant.
    pub fn element(&self, reference: &str) -> Option<&Element> {
        let mut found = self.elements.iter().filter(|element| element.reference == reference);
        found.next().filter(|_| found.next().is_none())
    }
}

/// Why there is no look.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum SnapshotError {
    /// The tool failed.
    #[error("the page could not be looked at: {0}")]
    Failed(String),
    /// The object lacks what it has to have.
    #[error("the look at the page lacks {missing}; it has {}", if available.is_empty() { "nothing" } else { available })]
    Fields {
        /// Which fields.
        missing: String,
        /// Which ones there are.
        available: String,
    },
    /// It is neither an object nor a text.
    #[error("the look at the page is {0}, neither an object nor a text")]
    Shape(&'static str),
}

/// The look that a tool answered with.
///
/// Of an answer that says that the tool failed nothing is believed: an open dialog's words stand in it, and a page writes those.
pub fn snapshot_of(answer: &ToolAnswer) -> Result<Snapshot, SnapshotError> {
    let joined = answer.joined();
    if answer.outcome == Outcome::Failed {
        return Err(SnapshotError::Failed(joined.chars().take(MOST_LABEL).collect()));
    }
    let mut snapshot = match &answer.structured {
        Some(object @ Value::Object(_)) if answer.text.is_empty() => normalise(object)?,
        _ => of_text(&joined)?,
    };
    snapshot.cut |= answer.cut;
    Ok(snapshot)
}

/// The look that a value tells of.
pub fn normalise(value: &Value) -> Result<Snapshot, SnapshotError> {
    match value {
        Value::Object(_) => of_object(value),
        Value::String(text) => of_text(text),
        Value::Null => Err(SnapshotError::Shape("nothing")),
        Value::Bool(_) => Err(SnapshotError::Shape("a yes or no")),
        Value::Number(_) => Err(SnapshotError::Shape("a number")),
        Value::Array(_) => Err(SnapshotError::Shape("a list")),
    }
}

fn of_object(object: &Value) -> Result<Snapshot, SnapshotError> {
    let text = |field: &str| object.get(field).and_then(Value::as_str);
    match (text("url"), text("title"), text("content")) {
        (Some(url), Some(title), Some(content)) => Ok(snapshot(url, title, content, Vec::new())),
        _ => {
            let missing: Vec<&str> =
                ["url", "title", "content"].into_iter().filter(|field| text(field).is_none()).collect();
            let names = object.as_object().into_iter().flat_map(|fields| fields.keys());
            let names = names.take(MOST_FIELDS).map(|name| name.chars().take(40).collect::<String>());
            let available = names.collect::<Vec<_>>().join(", ");
            Err(SnapshotError::Fields { missing: missing.join(", "), available })
        }
    }
}

fn of_text(text: &str) -> Result<Snapshot, SnapshotError> {
    if text.trim_start().starts_with('{')
        && let Ok(object @ Value::Object(_)) = serde_json::from_str(text)
    {
        return of_object(&object);
    }
    Ok(of_markdown(text).unwrap_or_else(|| snapshot(UNKNOWN, UNKNOWN, text, Vec::new())))
}

/// Playwright's Markdown: sections with a heading, the address and the title in the first one called `Page`, the tree in a fence.
/// Nothing where there is no such section with an address.
fn of_markdown(text: &str) -> Option<Snapshot> {
    let (mut url, mut title, mut tree) = (None, None, None);
    let mut notes = Vec::new();
    let mut section = "";
    let mut seen_page = false;
    let mut at = 0;
    while at < text.len() {
        let line = line_at(text, at);
        let next = at + line.len() + 1;
        if let Some(heading) = line.strip_prefix("### ") {
            section = heading.trim();
            // What calls itself the page once more was written by somebody else.
            if is_page(section) && std::mem::replace(&mut seen_page, true) {
                break;
            }
        } else if line.starts_with("```") {
            let rest = text.get(next..).unwrap_or_default();
            let end = end_of_fence(rest);
            let is_tree = section == "Snapshot" || is_page(section);
            if is_tree && url.is_some() {
                tree = Some(rest[..end].trim_end_matches('\n'));
                break;
            }
            at = next + end;
            at += line_at(text, at).len() + 1;
            continue;
        } else if is_page(section) {
            match (line.strip_prefix("- Page URL: "), line.strip_prefix("- Page Title: ")) {
                (Some(told), _) if url.is_none() => url = Some(told),
                (_, Some(told)) if title.is_none() => title = Some(told),
                _ => notes.push(line),
            }
        } else if section == "Snapshot" || section == "Open tabs" {
            notes.push(line);
        }
        at = next;
    }
    let notes = notes.into_iter().filter(|note| !note.trim().is_empty()).collect();
    let look = snapshot(url?, title.unwrap_or_default(), tree.unwrap_or_default(), notes);
    Some(Snapshot { is_unread: tree.is_none(), ..look })
}

fn is_page(section: &str) -> bool {
    // Older ones say "Page state".
    section == "Page" || section == "Page state"
}

fn line_at(text: &str, at: usize) -> &str {
    text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

/// Where the line begins that ends a fence.
fn end_of_fence(rest: &str) -> usize {
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "```" {
            break;
        }
        at += line.len();
    }
    at
}

fn snapshot(url: &str, title: &str, content: &str, notes: Vec<&str>) -> Snapshot {
    let label = |text: &str| PageText::new(text.trim()).clipped(MOST_LABEL);
    let kept = match content.len() <= MOST_CONTENT {
        true => content,
        // Whole lines, unless there is only one.
        false => {
            let most = &content[..content.floor_char_boundary(MOST_CONTENT)];
            most.rfind('\n').map_or(most, |end| &most[..end])
        }
    };
    let (elements, more) = tree::elements(kept);
    let cut = more || kept.len() < content.len() || notes.len() > MOST_NOTES;
    let notes =
        notes.into_iter().take(MOST_NOTES).map(|note| PageText::new(note).clipped(MOST_NOTE)).collect();
    let (url, title, content) = (label(url), label(title), kept.into());
    Snapshot { url, title, content, elements, notes, cut, is_unread: false }
}

#[cfg(test)]
mod tests;
