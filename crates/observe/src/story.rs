//! What the texts of a page are worth to somebody who has to choose among its controls.

mod anchors;
mod running;

use foldhash::HashMap;

use legwork_types::contract::Landmark;

use crate::{
    capture::GroupKind,
    scene::{GroupIndex, Line, Scene, is_masked},
    select::ancestors,
};
pub(crate) use anchors::anchors;
use running::running;

/// As many alike make a list.
const ALIKE: u32 = 4;

/// Texts up to this many characters stand beside a control rather than for themselves.
const SHORT: usize = 80;

/// What a line of the outline is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    /// A heading, a message, a word in a dialog.
    Key,
    /// A short text by which a person tells controls apart.
    Near,
    /// A longer text, or a piece of running text.
    Long,
    /// A longer text that most cards or rows of its list repeat word for word.
    Again,
    /// A caption that says in every card or row the same, or nothing.
    Noise,
    /// A control, or what its name says already.
    None,
}

/// What the texts of a page are worth, and where things stand.
#[derive(Debug)]
pub(crate) struct Story {
    /// For each line of the outline.
    pub(crate) worth: Vec<Worth>,
    /// For each group the card, row or list entry that it is (in).
    pub(crate) card: Vec<Option<GroupIndex>>,
    /// For each item its place in the outline.
    pub(crate) position: Vec<usize>,
    /// For each group the one that its texts stand in. A status without controls speaks from where it is; it is no notice
    /// that comes before the page's matter.
    pub(crate) place: Vec<GroupIndex>,
    /// Whether no control stands in a part of the page that is known.
    pub(crate) landless: bool,
}

impl Story {
    pub(crate) fn of(scene: &Scene) -> Self {
        let holds = holds(scene);
        let card = cards(scene, &holds);
        let worth = worths(scene, &card);
        let landless = scene.items.iter().all(|item| item.affordance.landmark == Landmark::Unknown);
        Self { worth, card, position: positions(scene), place: places(scene, &holds), landless }
    }
}

/// Which groups have a control in them.
fn holds(scene: &Scene) -> Vec<bool> {
    let mut holds = vec![false; scene.groups.len()];
    for item in &scene.items {
        for group in ancestors(scene, item.group) {
            match holds.get_mut(group) {
                Some(held) if !*held => *held = true,
                _ => break,
            }
        }
    }
    holds
}

fn places(scene: &Scene, holds: &[bool]) -> Vec<GroupIndex> {
    let mut places: Vec<GroupIndex> = Vec::with_capacity(scene.groups.len());
    for (index, group) in scene.groups.iter().enumerate() {
        let around = group.parent.filter(|&parent| parent < index);
        let moved = around.and_then(|parent| places.get(parent).copied().filter(|&place| place != parent));
        let speaks =
            group.kind == GroupKind::Status && group.label.is_none() && holds.get(index) == Some(&false);
        places.push(moved.or(around.filter(|_| speaks)).unwrap_or(index));
    }
    places
}

/// Rows, list entries, and whatever stands beside at least three others that hold controls too.
fn cards(scene: &Scene, holds: &[bool]) -> Vec<Option<GroupIndex>> {
    let mut alike = vec![0_u32; scene.groups.len()];
    for (group, _) in scene.groups.iter().zip(holds).filter(|(_, holds)| **holds) {
        if let Some(count) = group.parent.and_then(|parent| alike.get_mut(parent)) {
            *count += 1;
        }
    }
    let mut card: Vec<Option<GroupIndex>> = Vec::with_capacity(scene.groups.len());
    for (index, group) in scene.groups.iter().enumerate() {
        let siblings = group.parent.and_then(|parent| alike.get(parent)).copied().unwrap_or_default();
        let is_card = holds.get(index) == Some(&true)
            && (matches!(group.kind, GroupKind::Row | GroupKind::Item)
                || matches!(group.kind, GroupKind::Generic | GroupKind::Region) && siblings >= ALIKE);
        let around = group.parent.and_then(|parent| card.get(parent).copied().flatten());
        card.push(if is_card { Some(index) } else { around });
    }
    card
}

/// In how many cards of one list something was seen.
#[derive(Default)]
struct Tally<'a>(HashMap<(GroupIndex, &'a str), (u32, GroupIndex)>);

impl<'a> Tally<'a> {
    fn count(&mut self, list: GroupIndex, what: &'a str, card: GroupIndex) {
        let (count, last) = self.0.entry((list, what)).or_insert((0, GroupIndex::MAX));
        if *last != card {
            *last = card;
            *count += 1;
        }
    }

    fn of(&self, list: GroupIndex, what: &str) -> u32 {
        self.0.get(&(list, what)).map_or(0, |(count, _)| *count)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphabetic()).filter(|word| !word.is_empty())
}

fn worths(scene: &Scene, card: &[Option<GroupIndex>]) -> Vec<Worth> {
    let list_of = |group: GroupIndex| {
        let card = card.get(group).copied().flatten()?;
        Some((scene.groups.get(card)?.parent?, card))
    };
    let in_cards = || {
        scene.outline.iter().filter_map(|line| match &line.line {
            Line::Text(text) => list_of(line.group).map(|(list, card)| (text.untrusted(), list, card)),
            _ => None,
        })
    };
    let mut size = vec![(0, GroupIndex::MAX); scene.groups.len()];
    for (_, list, card) in in_cards() {
        if let Some((cards, last)) = size.get_mut(list).filter(|(_, last)| *last != card) {
            *last = card;
            *cards += 1;
        }
    }
    let cards_of = |list: GroupIndex| size.get(list).map(|(cards, _)| *cards).filter(|cards| *cards >= ALIKE);
    let (mut texts, mut all_words) = (Tally::default(), Tally::default());
    for (text, list, card) in in_cards().filter(|(_, list, _)| cards_of(*list).is_some()) {
        texts.count(list, text, card);
        words(text).for_each(|word| all_words.count(list, word, card));
    }
    let size_of_list = |group: GroupIndex| {
        let (list, _) = list_of(group)?;
        cards_of(list).map(|cards| (list, cards))
    };
    let repeats = |text: &str, group: GroupIndex| {
        size_of_list(group).is_some_and(|(list, cards)| texts.of(list, text) * 2 > cards)
    };
    // Captions are written after one pattern; sentences only share their common words.
    let is_usual = |text: &str, group: GroupIndex| {
        size_of_list(group).is_some_and(|(list, cards)| {
            let count = words(text).count();
            let usual = || words(text).filter(|word| all_words.of(list, word) * 2 > cards).count();
            count >= 5 && usual() * 5 >= count * 3
        })
    };
    let running = running(&scene.outline);
    let of_text = |at: usize, text: &str, group: GroupIndex| {
        let long = text.chars().nth(SHORT).is_some();
        let repeats = repeats(text, group);
        match running.get(at) == Some(&true) {
            _ if long && repeats => Worth::Again,
            _ if long => Worth::Long,
            true if repeats || is_usual(text, group) => Worth::Long,
            false if repeats || is_usual(text, group) => Worth::Noise,
            _ => Worth::Near,
        }
    };
    scene
        .outline
        .iter()
        .enumerate()
        .map(|(at, line)| match &line.line {
            Line::Control(_) => Worth::None,
            Line::Heading { text, .. } if text.is_blank() => Worth::None,
            Line::Heading { .. } => Worth::Key,
            Line::Text(text) if text.is_blank() || is_echo(scene, at, text.untrusted().trim()) => Worth::None,
            Line::Text(text) if !says_something(text.untrusted()) => {
                let is_mere_sign = text.untrusted().chars().all(is_punctuation);
                if is_mere_sign { Worth::None } else { Worth::Noise }
            }
            Line::Text(_) if is_message(scene, line.group) => Worth::Key,
            Line::Text(text) => of_text(at, text.untrusted(), line.group),
        })
        .collect()
}

/// Whether a text has words, or a mask in the place of some.
pub(crate) fn says_something(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric) || text.split_whitespace().any(is_masked)
}

/// Signs that only part or end what stands beside them. Money, stars, ticks and arrows mean something by themselves; so does
/// the asterisk of a field that must be filled in.
fn is_punctuation(character: char) -> bool {
    match character {
        '$' | '*' | '%' | '+' | '<' | '>' | '=' => false,
        '¡' | '¦' | '«' | '¬' | '¯' | '´' | '¶' | '·' | '¸' | '»' | '¿' => true,
        '\u{2010}'..='\u{2029}' | '\u{202f}' | '\u{2032}'..='\u{205e}' => true,
        '\u{2500}'..='\u{257f}'
        | '\u{3000}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}'
        | '\u{30fb}'
        | '\u{ff5c}' => true,
        _ => character.is_ascii_punctuation() || character.is_whitespace(),
    }
}

/// Whether a control beside it, or the group around it, is called the same, as far as names go.
fn is_echo(scene: &Scene, at: usize, text: &str) -> bool {
    let group = scene.outline.get(at).and_then(|line| scene.groups.get(line.group));
    let frame = group.and_then(|group| group.frame);
    let says_so = |index: usize| match scene.outline.get(index).map(|line| &line.line) {
        Some(Line::Control(item)) => scene.items.get(*item).is_some_and(|item| {
            let name = item.affordance.name.untrusted().trim();
            item.affordance.frame_id == frame && (name == text || index < at && goes_on_with(name, text))
        }),
        _ => false,
    };
    let label =
        group.and_then(|group| group.label.as_ref()).is_some_and(|label| label.untrusted().trim() == text);
    label || says_so(at + 1) || at > 0 && says_so(at - 1)
}

/// Whether a name was cut off in the middle of this text.
fn goes_on_with(name: &str, text: &str) -> bool {
    let Some(kept) = name.strip_suffix('…') else { return false };
    let begins = std::iter::once(0).chain(kept.match_indices(' ').map(|(space, _)| space + 1));
    begins.filter_map(|begin| kept.get(begin..)).any(|end| !end.is_empty() && text.starts_with(end))
}

/// Whether what stands in this group is a message: of a notice, an alert, a dialog.
pub(crate) fn is_message(scene: &Scene, group: GroupIndex) -> bool {
    let landmark = scene.groups.get(group).map(|group| group.landmark);
    matches!(landmark, Some(Landmark::Modal | Landmark::Banner))
        || ancestors(scene, group)
            .filter_map(|group| scene.groups.get(group))
            .any(|group| matches!(group.kind, GroupKind::Alert | GroupKind::Status))
}

/// Items that the outline does not show (hidden ones) stand where the item before them does.
fn positions(scene: &Scene) -> Vec<usize> {
    let mut positions: Vec<Option<usize>> = vec![None; scene.items.len()];
    for (at, line) in scene.outline.iter().enumerate() {
        if let Line::Control(item) = line.line
            && let Some(position) = positions.get_mut(item)
        {
            *position = Some(at);
        }
    }
    let mut last = 0;
    positions
        .into_iter()
        .map(|position| {
            last = position.unwrap_or(last);
            last
        })
        .collect()
}
