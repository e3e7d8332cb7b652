//! The text of a page, so that it reads like the page: headings, paragraphs, the names of controls in their place.

use legwork_types::contract::Landmark;

use crate::scene::{GroupIndex, Line, Scene};

/// How many characters of a page's text are given.
pub(crate) const LIMIT: usize = 6_000;

/// The paragraphs of a page without its navigation and foot.
pub(crate) fn paragraphs(scene: &Scene) -> impl Iterator<Item = String> + '_ {
    let mut lines = scene.outline.iter().filter(move |line| {
        let landmark = scene.groups.get(line.group).map(|group| group.landmark);
        !matches!(landmark, Some(Landmark::Nav | Landmark::Footer))
    });
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
    let mut text = String::new();
    let mut left = LIMIT;
    for paragraph in paragraphs(scene) {
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
