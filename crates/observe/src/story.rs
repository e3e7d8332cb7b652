//! What the texts of a page are worth to somebody who has to choose among its controls.

mod anchors;

use foldhash::{HashMap, HashMapExt};

use legwork_types::contract::{FrameNumber, Landmark};

use crate::{
    capture::GroupKind,
    scene::{GroupIndex, Line, Scene, is_masked},
    select::ancestors,
};
pub(crate) use anchors::anchors;

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
    /// A longer text.
    Long,
    /// Says in every card or row the same, or nothing.
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
    /// For each group the frame that everything in it belongs to.
    pub(crate) frame: Vec<Option<FrameNumber>>,
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
        Self {
            worth,
            card,
            frame: frames(scene),
            position: positions(scene),
            place: places(scene, &holds),
            landless,
        }
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
    let (mut texts, mut all_words) = (Tally::default(), Tally::default());
    let mut size: HashMap<GroupIndex, (u32, GroupIndex)> = HashMap::new();
    for line in &scene.outline {
        if let (Line::Text(text), Some((list, card))) = (&line.line, list_of(line.group)) {
            texts.count(list, text.untrusted(), card);
            words(text.untrusted()).for_each(|word| all_words.count(list, word, card));
            let (cards, last) = size.entry(list).or_insert((0, GroupIndex::MAX));
            if *last != card {
                *last = card;
                *cards += 1;
            }
        }
    }
    let repeats = |text: &str, group: GroupIndex| {
        let Some((list, _)) = list_of(group) else { return false };
        let cards = size.get(&list).map_or(0, |(cards, _)| *cards);
        if cards < ALIKE {
            return false;
        }
        let usual = words(text).filter(|word| all_words.of(list, word) * 2 > cards).count();
        let count = words(text).count();
        texts.of(list, text) * 2 > cards || count >= 5 && usual * 5 >= count * 3
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
            Line::Text(text) if repeats(text.untrusted(), line.group) => Worth::Noise,
            Line::Text(text) if text.untrusted().chars().nth(SHORT).is_none() => Worth::Near,
            Line::Text(_) => Worth::Long,
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

/// Whether a control beside it, or the group around it, is called the same.
fn is_echo(scene: &Scene, at: usize, text: &str) -> bool {
    let says_so = |index: usize| match scene.outline.get(index).map(|line| &line.line) {
        Some(Line::Control(item)) => {
            scene.items.get(*item).is_some_and(|item| item.affordance.name.untrusted().trim() == text)
        }
        _ => false,
    };
    let group = scene.outline.get(at).and_then(|line| scene.groups.get(line.group));
    let label =
        group.and_then(|group| group.label.as_ref()).is_some_and(|label| label.untrusted().trim() == text);
    label || says_so(at + 1) || at > 0 && says_so(at - 1)
}

/// Whether what stands in this group is a message: of a notice, an alert, a dialog.
pub(crate) fn is_message(scene: &Scene, group: GroupIndex) -> bool {
    let landmark = scene.groups.get(group).map(|group| group.landmark);
    matches!(landmark, Some(Landmark::Modal | Landmark::Banner))
        || ancestors(scene, group)
            .filter_map(|group| scene.groups.get(group))
            .any(|group| matches!(group.kind, GroupKind::Alert | GroupKind::Status))
}

/// A group is in a frame if everything in it is.
fn frames(scene: &Scene) -> Vec<Option<FrameNumber>> {
    let mut frames: Vec<Option<Option<FrameNumber>>> = vec![None; scene.groups.len()];
    for item in &scene.items {
        for group in ancestors(scene, item.group) {
            if let Some(frame) = frames.get_mut(group) {
                match frame {
                    None => *frame = Some(item.affordance.frame_id),
                    Some(known) if *known != item.affordance.frame_id => *frame = Some(None),
                    Some(_) => {}
                }
            }
        }
    }
    for index in 0..frames.len() {
        let parent = scene.groups.get(index).and_then(|group| group.parent).filter(|&parent| parent < index);
        if frames.get(index) == Some(&None) {
            let around = parent.and_then(|parent| frames.get(parent).copied().flatten());
            if let Some(frame) = frames.get_mut(index) {
                *frame = around;
            }
        }
    }
    frames.into_iter().map(Option::flatten).collect()
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
