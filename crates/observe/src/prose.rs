//! The text of a page, so that it reads like the page: headings, paragraphs, the names of controls in their place.

use legwork_types::contract::Landmark;

use crate::{
    scene::{GroupIndex, Line, OutlineLine, Scene},
    select::{Area, ancestors},
    view::escape::neutral,
};

/// How many characters of a page's text are given.
pub(crate) const LIMIT: usize = 6_000;

/// The paragraphs of a page without its navigation and foot.
pub(crate) fn paragraphs(scene: &Scene) -> impl Iterator<Item = String> + '_ {
    paragraphs_of(scene, |line| !matches!(landmark(scene, line), Some(Landmark::Nav | Landmark::Footer)))
}

fn landmark(scene: &Scene, line: &OutlineLine) -> Option<Landmark> {
    scene.groups.get(line.group).map(|group| group.landmark)
}

/// The paragraphs of some lines.
fn paragraphs_of<'s>(
    scene: &'s Scene,
    wanted: impl Fn(&OutlineLine) -> bool + 's,
) -> impl Iterator<Item = String> + 's {
    let mut lines = scene.outline.iter().filter(move |line| wanted(line));
    let mut open: Option<(GroupIndex, String)> = None;
    std::iter::from_fn(move || {
        loop {
            let Some(line) = lines.next() else {
                return open.take().map(|(_, paragraph)| paragraph);
            };
            let (words, alone) = match &line.line {
                Line::Heading { level, text } => (
                    format!("{} {}", "#".repeat(usize::from((*level).clamp(1, 6))), text.untrusted().trim()),
                    true,
                ),
                Line::Text(text) => (text.untrusted().trim().to_owned(), false),
                Line::Control(index) => match scene.items.get(*index) {
                    Some(item) if item.affordance.visible && !item.affordance.name.is_blank() => {
                        (format!("[{}]", item.affordance.name.untrusted().trim()), false)
                    }
                    _ => continue,
                },
            };
            match &mut open {
                Some((group, paragraph)) if *group == line.group && !alone => {
                    paragraph.push(' ');
                    paragraph.push_str(&words);
                }
                _ => {
                    // A heading closes what stood before it and is closed at once.
                    let group = if alone { GroupIndex::MAX } else { line.group };
                    if let Some((_, done)) = open.replace((group, words)) {
                        return Some(done);
                    }
                }
            }
        }
    })
}

/// The text of a page, one paragraph per line, bounded.
pub(crate) fn prose(scene: &Scene) -> String {
    bounded(paragraphs(scene), LIMIT)
}

/// The words of a page, or of a part of it, at most so many characters, without what is not to be seen.
pub(crate) fn words(scene: &Scene, area: Option<Area>, most: usize) -> String {
    let words = match area {
        None => bounded(paragraphs(scene), most),
        Some(Area::Landmark(part)) => {
            bounded(paragraphs_of(scene, |line| landmark(scene, line) == Some(part)), most)
        }
        Some(Area::Group(area)) => {
            let within = |line: &OutlineLine| ancestors(scene, line.group).any(|group| group == area);
            bounded(paragraphs_of(scene, within), most)
        }
    };
    let clean = neutral(&words);
    // What is spelt out instead of shown may be longer.
    if clean.chars().nth(most).is_some() { bounded(std::iter::once(clean), most) } else { clean }
}

/// All words of a page, its navigation and foot as well, at most so many characters; and whether something was cut off.
pub(crate) fn all_words(scene: &Scene, most: usize) -> (String, bool) {
    let mut text = String::new();
    for paragraph in paragraphs_of(scene, |_| true) {
        text.push_str(&paragraph);
        text.push('\n');
        // A character has four bytes at most.
        if text.len() > most.saturating_mul(4) {
            break;
        }
    }
    let clean = neutral(&text);
    match clean.char_indices().nth(most) {
        Some((end, _)) => (clean.get(..end).unwrap_or_default().to_owned(), true),
        None => (clean, false),
    }
}

fn bounded(paragraphs: impl Iterator<Item = String>, most: usize) -> String {
    let mut text = String::new();
    let mut left = most;
    for paragraph in paragraphs {
        let length = paragraph.chars().count() + 1;
        if length > left {
            text.extend(paragraph.chars().take(left.saturating_sub(2)));
            text.push('…');
            break;
        }
        left -= length;
        text.push_str(&paragraph);
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}
