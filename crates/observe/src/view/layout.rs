//! Lines in their places: part of the page by part, in order of the document, under headers where a part has a name.

use std::cmp::Reverse;

use foldhash::{HashMap, HashMapExt};

use legwork_types::contract::Landmark;

use super::{
    block::{Block, Headers, block},
    escape::{quoted, without_rows},
    told::{Above, plain},
};
use crate::{
    look::Look,
    rank::weight,
    scene::{GroupIndex, ItemIndex, Line},
    tokens,
};

/// Something that stands on a line.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The weight of its part of the page.
    section: i32,
    position: usize,
    block: Block,
    /// Texts of one card share a line.
    card: Option<GroupIndex>,
    pub(super) kind: Kind,
    words: String,
    /// The words of a heading or text alone, to compare.
    pub(super) plain: String,
    /// About what its line costs.
    pub(super) cost: u32,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Control,
    Heading,
    Text,
}

/// A control's line in its place.
pub(super) fn control(look: &Look, index: ItemIndex, words: String) -> Option<Entry> {
    let item = look.scene().items.get(index)?;
    let landmark = item.affordance.landmark;
    let block = block(look, item.group, landmark, item.affordance.frame_id);
    Some(Entry {
        section: weight(landmark),
        position: look.story().position.get(index).copied().unwrap_or_default(),
        block,
        card: None,
        kind: Kind::Control,
        cost: block.line_cost(&words),
        words,
        plain: String::new(),
    })
}

/// A heading's or text's line in its place, for at most so many tokens.
pub(super) fn text(look: &Look, at: usize, most: u32) -> Option<Entry> {
    let line = look.scene().outline.get(at)?;
    let group = look.story().place.get(line.group).copied().unwrap_or(line.group);
    let stands_in = look.scene().groups.get(group);
    let landmark = stands_in.map_or(Landmark::Unknown, |group| group.landmark);
    let frame = stands_in.and_then(|group| group.frame);
    let (words, plain, kind) = match &line.line {
        Line::Heading { level, text } => (
            format!("{} {}", "#".repeat(usize::from((*level).clamp(1, 6))), quoted(text.untrusted(), most)),
            plain(text.untrusted()),
            Kind::Heading,
        ),
        Line::Text(text) => {
            (quoted(&without_rows(text.untrusted()), most), plain(text.untrusted()), Kind::Text)
        }
        Line::Control(_) => return None,
    };
    let block = block(look, group, landmark, frame);
    Some(Entry {
        section: weight(landmark),
        position: at,
        block,
        cost: block.line_cost(&words),
        card: look.story().card.get(group).copied().flatten(),
        kind,
        words,
        plain,
    })
}

/// The order of lines: part of the page by part. Within navigation and foot what stands under one header comes together;
/// elsewhere the order of the document says more than the headers.
fn sort(look: &Look, entries: &mut [&Entry]) {
    let together = |entry: &Entry| {
        entry.section == weight(Landmark::Nav)
            || entry.section == weight(Landmark::Footer)
            || entry.section == weight(Landmark::Unknown) && !look.story().landless
    };
    let mut first: HashMap<(i32, Block), usize> = HashMap::new();
    for entry in entries.iter().filter(|entry| together(entry)) {
        let first = first.entry((entry.section, entry.block)).or_insert(entry.position);
        *first = entry.position.min(*first);
    }
    entries.sort_by_key(|entry| {
        let begin = first.get(&(entry.section, entry.block)).copied().unwrap_or(entry.position);
        (Reverse(entry.section), begin, entry.position)
    });
}

/// About what these entries cost with their headers; `lines` may cost less, where texts share a line.
pub(super) fn weigh(look: &Look, entries: &[Entry]) -> u32 {
    let mut order: Vec<&Entry> = entries.iter().collect();
    sort(look, &mut order);
    let above = Above::default();
    let mut headers = Headers::new(look, &above);
    let mut weight = 0;
    for entry in order {
        let header = headers.open(entry.block);
        weight += header.map_or(0, |header| tokens::estimate(&header) + 1) + entry.cost;
    }
    weight
}

/// The lines of these entries, each with its end, below what is said above them.
pub(super) fn lines(look: &Look, above: &Above, entries: &[Entry]) -> Vec<String> {
    let mut order: Vec<&Entry> = entries.iter().collect();
    sort(look, &mut order);
    let mut lines: Vec<String> = Vec::new();
    let mut headers = Headers::new(look, above);
    let mut last: Option<&Entry> = None;
    for entry in order {
        if let Some(header) = headers.open(entry.block) {
            lines.push(header + "\n");
        }
        let before = last.filter(|last| last.block == entry.block);
        last = Some(entry);
        if headers.says(entry) || before.is_some_and(|before| before.is_repeated_by(entry)) {
            continue;
        }
        if before.is_some_and(|before| before.shares_a_line_with(entry))
            && let Some(line) = lines.last_mut()
        {
            line.truncate(line.trim_end().len());
            line.push(' ');
            line.push_str(&entry.words);
            line.push('\n');
            continue;
        }
        headers.note(entry);
        let indent = if entry.block.is_open() { "" } else { "  " };
        lines.push(format!("{indent}{}\n", entry.words));
    }
    lines
}

impl Entry {
    fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    fn shares_a_line_with(&self, next: &Entry) -> bool {
        self.is_text() && next.is_text() && self.card == next.card
    }

    /// Whether the next text, outside any card or row, says the same words again.
    fn is_repeated_by(&self, next: &Entry) -> bool {
        let of_words = || next.words.chars().filter(|character| character.is_alphabetic()).count() >= 4;
        let texts = self.kind != Kind::Control && next.is_text() && next.card.is_none();
        texts && self.plain == next.plain && of_words()
    }
}

/// What these lines cost together.
pub(super) fn cost(lines: &[String]) -> u32 {
    lines.iter().map(|line| tokens::estimate(line)).sum()
}
