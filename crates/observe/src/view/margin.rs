//! What stands around the controls: what is gone, the page's text, and what is not shown.

use legwork_types::contract::Omitted;

use super::escape::quoted;
use crate::{
    cursor,
    look::{Look, Question},
    part,
    prose::paragraphs,
    tokens,
};

/// How much of what is gone since an earlier look is named.
const GONE: usize = 10;

/// What was there at the earlier look and is not any more.
pub(super) fn gone(question: &Question<'_>, most: u32) -> Vec<String> {
    let (Some(delta), Some(earlier)) = (&question.delta, question.earlier) else { return Vec::new() };
    let mut lines: Vec<String> = Vec::new();
    let mut spent = 8;
    for affordance in delta.removed.iter().take(GONE).filter_map(|action| earlier.affordance(*action)) {
        let line = format!("gone {}\n", quoted(affordance.name.untrusted(), (most / 4).max(4)));
        spent += tokens::estimate(&line);
        if spent > most {
            break;
        }
        lines.push(line);
    }
    if delta.removed.len() > lines.len() {
        lines.push(format!("gone +{}\n", delta.removed.len() - lines.len()));
    }
    lines
}

/// The page's text in what is left of the budget.
pub(super) fn prose(look: &Look, most: u32) -> Vec<String> {
    let mut lines = vec!["text\n".to_owned()];
    let mut left = most.saturating_sub(4);
    for paragraph in paragraphs(look.scene()) {
        if left < 12 {
            break;
        }
        let line = format!("  {}\n", quoted(&paragraph, left - 8));
        left = left.saturating_sub(tokens::estimate(&line));
        lines.push(line);
    }
    if lines.len() > 1 && most > 12 { lines } else { Vec::new() }
}

/// What is not shown, and how to get it: our own words, outside of the fence.
pub(super) fn footer(look: &Look, question: &Question<'_>, shown: usize, texts: u32) -> String {
    let end = question.offset + shown;
    let more = question.selection.listed.len().saturating_sub(end);
    let mut footer = String::new();
    if more > 0 {
        let cursor = cursor::encode(look.id(), end, question.options);
        let texts = if texts > 0 && question.offset > 0 {
            format!(" +{}", counted(texts, "text", ""))
        } else {
            String::new()
        };
        footer.push_str(&format!("{more} more{texts}: cursor {}\n", cursor.0));
    }
    let mut omitted = part::omitted(look, question, shown, 0);
    if question.offset > 0 {
        omitted = Omitted::default();
    } else if question.selection.listed.is_empty() {
        footer.push_str("no controls to list\n");
    }
    let counts = [
        (if more > 0 && question.offset > 0 { 0 } else { texts }, "text", ""),
        (omitted.hidden, "", "hidden"),
        (omitted.disabled, "", "disabled"),
        (if question.offset > 0 { 0 } else { question.selection.outside }, "", "outside"),
        (omitted.over_budget, "", "over limits"),
        (omitted.hidden_text, "hidden text", ""),
        (omitted.unreachable_frames, "unreachable frame", ""),
        (omitted.closed_roots_unchecked, "closed root", " unchecked"),
    ];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, noun, more)| counted(*count, noun, more))
        .collect();
    if !counts.is_empty() {
        footer.push_str(&format!("not shown: {}\n", counts.join(", ")));
    }
    footer
}

/// `1 hidden text`, `2 closed roots unchecked`, `3 hidden`.
fn counted(count: u32, noun: &str, more: &str) -> String {
    let plural = if count == 1 || noun.is_empty() { "" } else { "s" };
    format!("{count} {noun}{plural}{more}")
}
