//! A page of somebody else's browser in words, as the model is used to them: a line each, in a fence, bounded. Pure.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use legwork_agent::Look;
use legwork_observe::{Boundary, on_one_line, tokens::estimate};

use super::{ForeignPage, ForeignPart};
use crate::harmless;

/// The longest name or text on a line, in characters.
const LONGEST: usize = 200;
/// The longest value.
const VALUE: usize = 80;
/// The most options of a list that are told.
const OPTIONS: usize = 12;
/// The most tabs that are told.
const TABS: usize = 6;

/// One line of a page, and where on it.
struct Line {
    at: usize,
    text: String,
    /// All the words in it, in small letters: what is looked for is looked for there.
    words: String,
}

/// The page in words of at most so many tokens; nothing where the element that is to be looked into is not there.
pub(super) fn view(page: &ForeignPage, part: &Look, boundary: Boundary, most: u32) -> Option<String> {
    let lines = lines(page);
    let all = lines.len();
    let from = part.cursor.as_deref().map_or(0, cursor);
    let within = match part.within {
        Some(number) => Some(inside(page, number.0)?),
        None => None,
    };
    let wanted = part.find.as_deref().map(str::to_lowercase).filter(|find| !find.trim().is_empty());
    let is_asked = |line: &Line| {
        line.at >= from
            && within.as_ref().is_none_or(|within| within.contains(&line.at))
            && wanted
                .as_deref()
                .is_none_or(|find| find.split_whitespace().all(|word| line.words.contains(word)))
    };
    let lines: Vec<Line> = lines.into_iter().filter(is_asked).collect();
    let outside = if wanted.is_some() || within.is_some() { all - lines.len() } else { 0 };
    let mut text = boundary.opening();
    header(page).iter().for_each(|line| text.push_str(&format!("{line}\n")));
    let mut left = most.saturating_sub(estimate(&text)).saturating_sub(60);
    let mut next = None;
    for line in &lines {
        let cost = estimate(&line.text) + 1;
        if cost > left {
            next = Some(line.at);
            break;
        }
        left -= cost;
        text.push_str(&line.text);
        text.push('\n');
    }
    text.push_str(&boundary.closing());
    if let Some(next) = next {
        let more = lines.iter().filter(|line| line.at >= next).count();
        text.push_str(&format!("{more} more: cursor c{next}\n"));
    }
    if lines.is_empty() {
        text.push_str(if page.is_unread { "nothing could be read of it\n" } else { "nothing to list\n" });
    }
    if let Some(why) = &page.barred {
        text.push_str(&format!(
            "nothing of this page is shown: {why}; go back, or to an address of the errand\n"
        ));
    }
    if page.is_unlisted {
        text.push_str("these are its words alone: the toolbox lists nothing that could be acted on\n");
    }
    if outside > 0 {
        text.push_str(&format!("not shown: {outside} outside\n"));
    }
    if page.cut {
        text.push_str("the page is larger than the toolbox tells\n");
    }
    Some(text)
}

/// The words of a page, or of what is in an element; none where that is not there, and where nothing is known of the page.
pub(super) fn words(page: &ForeignPage, within: Option<u32>) -> Option<String> {
    let within = match within {
        Some(number) => inside(page, number)?,
        None => 0..page.parts.len(),
    };
    if page.is_unread {
        return None;
    }
    let mut words = String::new();
    for part in page.parts.get(within)? {
        let value = part.shown_value().filter(|_| !part.is_written_in());
        for text in
            [Some(part.name.untrusted()), value].into_iter().flatten().filter(|text| !text.trim().is_empty())
        {
            words.push_str(&harmless(text, usize::MAX));
            words.push('\n');
        }
    }
    Some(words)
}

/// Tells this state of a page from another. References may be new at each look.
pub(super) fn digest(page: &ForeignPage) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&page.url, &page.title, &page.dialog).hash(&mut hasher);
    for part in &page.parts {
        (&part.role, &part.name, &part.value, &part.states).hash(&mut hasher);
    }
    hasher.finish()
}

fn header(page: &ForeignPage) -> Vec<String> {
    let quoted = |text: &legwork_types::PageText| on_one_line(text.untrusted(), LONGEST);
    let mut lines = vec![format!("page {} {}", quoted(&page.title), quoted(&page.url))];
    lines.extend(page.dialog.as_ref().map(|words| format!("browser dialog {}", quoted(words))));
    lines.extend(
        page.tabs.iter().take(TABS).map(|tab| format!("tab t{} {}", tab.index + 1, quoted(&tab.title))),
    );
    lines
}

fn lines(page: &ForeignPage) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut number = 0;
    // The control that we are in, and its name: what it says once it need not say twice.
    let mut outer: Option<(usize, &str)> = None;
    for (at, part) in page.parts.iter().enumerate() {
        outer = outer.filter(|(depth, _)| part.depth > *depth);
        let name = part.name.untrusted();
        let text = if part.is_control() {
            number += 1;
            outer = outer.or(Some((part.depth, name)));
            control(number, part)
        } else if name.trim().is_empty() || outer.is_some_and(|(_, said)| said.contains(name.trim())) {
            continue;
        } else if part.role == "heading" {
            format!("# {}", on_one_line(name, LONGEST))
        } else {
            on_one_line(name, LONGEST)
        };
        let words = text.to_lowercase();
        lines.push(Line { at, text, words });
    }
    lines
}

/// `12 textbox "E-mail address" ="ada@example.com" disabled`
fn control(number: u32, part: &ForeignPart) -> String {
    let mut line = format!("{number} {} {}", part.role, on_one_line(part.name.untrusted(), LONGEST));
    if let Some(value) = part.shown_value() {
        line.push_str(&format!(" ={}", on_one_line(value, VALUE)));
    }
    for state in &part.states {
        line.push_str(&format!(" {state}"));
    }
    if !part.options.is_empty() {
        line.push_str(" of");
        for option in part.options.iter().take(OPTIONS) {
            line.push_str(&format!(" {}", on_one_line(option.untrusted(), VALUE)));
        }
        let more = part.options.len().saturating_sub(OPTIONS);
        if more > 0 {
            line.push_str(&format!(" +{more}"));
        }
    }
    line
}

/// The parts that are this control, or stand in it.
fn inside(page: &ForeignPage, number: u32) -> Option<std::ops::Range<usize>> {
    let mut controls = page.parts.iter().enumerate().filter(|(_, part)| part.is_control());
    let (at, part) = controls.nth(usize::try_from(number).ok()?.checked_sub(1)?)?;
    let after = page.parts.iter().skip(at + 1).take_while(|inner| inner.depth > part.depth).count();
    Some(at..at + 1 + after)
}

fn cursor(name: &str) -> usize {
    name.strip_prefix('c').and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
