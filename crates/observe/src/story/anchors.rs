//! Which texts come with which control.

use foldhash::{HashMap, HashMapExt};

use super::Story;
use crate::scene::{ItemIndex, Line, OutlineLine, Scene};

/// Which control each line of the outline is shown with, among those that are `listed` at all.
pub(crate) fn anchors(
    scene: &Scene,
    story: &Story,
    listed: impl Fn(ItemIndex) -> bool,
) -> Vec<Option<ItemIndex>> {
    #[derive(Default, Clone, Copy)]
    struct Seen {
        card: Option<ItemIndex>,
        group: Option<ItemIndex>,
        landmark: Option<ItemIndex>,
        any: Option<ItemIndex>,
    }
    let scan = |order: &mut dyn Iterator<Item = usize>| {
        let mut seen = vec![Seen::default(); scene.outline.len()];
        let (mut cards, mut groups, mut landmarks) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut any = None;
        for at in order {
            let Some(line) = scene.outline.get(at) else { continue };
            let place = story.place.get(line.group).copied().unwrap_or(line.group);
            let card = story.card.get(place).copied().flatten();
            let landmark = scene.groups.get(place).map(|group| group.landmark);
            match line.line {
                Line::Control(item) if listed(item) => {
                    any = Some(item);
                    landmarks.insert(landmark, item);
                    groups.insert(place, item);
                    cards.insert(card, item);
                }
                _ => {}
            }
            if let Some(seen) = seen.get_mut(at) {
                *seen = Seen {
                    card: card.and_then(|_| cards.get(&card).copied()),
                    group: groups.get(&place).copied(),
                    landmark: landmarks.get(&landmark).copied(),
                    any,
                };
            }
        }
        seen
    };
    let before = scan(&mut (0..scene.outline.len()));
    let after = scan(&mut (0..scene.outline.len()).rev());
    let anchor = |((line, before), after): ((&OutlineLine, &Seen), &Seen)| {
        let beside = match line.line {
            // A text after a field in the same group is about that field.
            Line::Text(_) => before.group,
            _ => None,
        };
        let near = after.card.or(before.card).or(beside);
        near.or(after.landmark).or(before.landmark).or(after.any).or(before.any)
    };
    scene.outline.iter().zip(&before).zip(&after).map(anchor).collect()
}
