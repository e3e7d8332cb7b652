//! Which parts of a picture hold secrets: the boxes of their fields, and what of them is drawn beyond.

use legwork_browser::{BrowserError, Epoch, Limit, Reach, Rect, Tab};
use legwork_observe::{Item, Look};
use legwork_types::contract::ElementRect;

/// What must be painted over in a picture of what `look` saw.
pub(crate) async fn covers(
    tab: &Tab,
    look: &Look,
    epoch: &Epoch,
    limit: &Limit,
) -> Result<Vec<Rect>, BrowserError> {
    let (secrets, elements): (Vec<&Item>, Vec<_>) =
        secrets(look).filter_map(|item| Some((item, item.element.as_ref()?))).unzip();
    let reaches = if elements.is_empty() { vec![] } else { tab.reach(&elements, epoch, limit).await? };
    let beyond = secrets.into_iter().zip(reaches).filter_map(|(item, reach)| beyond(item, reach?));
    Ok(boxes(look).into_iter().chain(beyond).collect())
}

/// The boxes of what is secret and in sight.
fn boxes(look: &Look) -> Vec<Rect> {
    let in_sight = secrets(look).filter(|item| item.affordance.in_viewport);
    in_sight.filter_map(|item| item.affordance.rect.map(rect_of)).collect()
}

/// Where a secret is drawn that does not keep to its box. Its box itself may be out of sight.
fn beyond(item: &Item, reach: Reach) -> Option<Rect> {
    let shown = item.affordance.rect.map(rect_of)?;
    (!reach.is_none()).then(|| reach.around(shown))
}

fn secrets(look: &Look) -> impl Iterator<Item = &Item> {
    look.scene().items.iter().filter(|item| item.affordance.visible && item.affordance.has_value)
}

// A screen has far fewer pixels than a float has whole numbers.
#[expect(clippy::cast_precision_loss)]
pub(crate) fn rect_of(rect: ElementRect) -> Rect {
    Rect { x: rect.x as f32, y: rect.y as f32, width: rect.width as f32, height: rect.height as f32 }
}
