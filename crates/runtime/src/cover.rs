//! Which parts of a picture hold secrets: the boxes of their fields, and what of them is drawn beyond.

use legwork_browser::{BrowserError, Epoch, Limit, Reach, Rect, Tab};
use legwork_observe::{Item, Look, Veiled};
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
    let mut covers: Vec<Rect> = boxes(look).into_iter().chain(beyond).collect();
    covers.extend(veiled(tab, look, limit).await?);
    Ok(covers)
}

/// Where the page itself shows what nobody is told. A picture of what can't be found is not given away.
async fn veiled(tab: &Tab, look: &Look, limit: &Limit) -> Result<Vec<Rect>, BrowserError> {
    let Veiled { veil, texts, in_pieces, frames, unplaced } = &look.scene().veiled;
    let Some(veil) = veil else { return Ok(vec![]) };
    if *unplaced {
        return Err(BrowserError::PictureKeptBack);
    }
    let mut found: Vec<Rect> = frames.iter().map(|rect| rect_of(*rect)).collect();
    // All words count, also those that no look tells because there are too many.
    let written = tab.written(limit).await?;
    let places = veil.places(&written);
    let small = written.to_lowercase();
    let is_written = |text: &str| small.contains(&bare(text).to_lowercase());
    if !texts.iter().all(|text| is_written(text.untrusted())) || (*in_pieces && places.is_empty()) {
        return Err(BrowserError::PictureKeptBack);
    }
    if !places.is_empty() {
        let spots = tab.spots(&written, &places, limit).await?.ok_or(BrowserError::PictureKeptBack)?;
        found.extend(spots.into_iter().map(wider));
    }
    Ok(found)
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Letters stand out from their lines a little.
fn wider(rect: Rect) -> Rect {
    const OVERHANG: f32 = 4.0;
    Rect {
        x: rect.x - OVERHANG,
        y: rect.y - OVERHANG,
        width: rect.width + 2.0 * OVERHANG,
        height: rect.height + 2.0 * OVERHANG,
    }
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
    let items = look.scene().items.iter();
    items.filter(|item| item.affordance.visible && (item.affordance.has_value || item.veiled))
}

// A screen has far fewer pixels than a float has whole numbers.
#[expect(clippy::cast_precision_loss)]
pub(crate) fn rect_of(rect: ElementRect) -> Rect {
    Rect { x: rect.x as f32, y: rect.y as f32, width: rect.width as f32, height: rect.height as f32 }
}
