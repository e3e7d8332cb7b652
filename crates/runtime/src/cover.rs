//! Which parts of a picture hold secrets: the boxes of their fields, and what of them is drawn beyond.

mod words;

use legwork_browser::{BrowserError, Epoch, Limit, PaintedFrame, Reach, Rect, Tab};
use legwork_observe::{Item, Look, Veil, Veiled};
use legwork_types::{PageText, contract::ElementRect};

/// More places than this in one picture are no page that anybody reads.
const MOST: usize = 5_000;

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

/// Where the tab shows what nobody is told. A picture of what can't be found is not given away.
async fn veiled(tab: &Tab, look: &Look, limit: &Limit) -> Result<Vec<Rect>, BrowserError> {
    let Veiled { veil, texts, in_pieces, frames: places, unplaced } = &look.scene().veiled;
    let Some(veil) = veil.as_deref() else { return Ok(vec![]) };
    if *unplaced {
        return Err(BrowserError::PictureKeptBack);
    }
    let painted = tab.painted(limit).await?;
    let (page, frames) = painted.split_first().ok_or(BrowserError::PictureKeptBack)?;
    let mut found = words::places(veil, page).ok_or(BrowserError::PictureKeptBack)?;
    // What was seen has to be among what is painted, or it is not known where it is.
    let is_missing = |text: &PageText| !is_painted(page, veil, text.untrusted());
    if texts.iter().any(is_missing) || (*in_pieces && found.is_empty()) {
        return Err(BrowserError::PictureKeptBack);
    }
    for place in places.iter().filter(|place| place.is_veiled) {
        found.extend(place.rect.map(rect_of));
    }
    let showing: Vec<&PaintedFrame> = frames.iter().filter(|frame| words::shows(veil, frame)).collect();
    for frame in &showing {
        let place = places.iter().find(|place| place.frame == frame.frame);
        let rect = place.and_then(|place| place.rect).ok_or(BrowserError::PictureKeptBack)?;
        found.push(rect_of(rect));
    }
    let is_repeated = painted.iter().any(|frame| frame.repeats_frames);
    if (!showing.is_empty() && is_repeated) || found.len() > MOST {
        return Err(BrowserError::PictureKeptBack);
    }
    Ok(found.into_iter().map(wider).collect())
}

/// Whether what is hidden in this text is painted in the page.
fn is_painted(page: &PaintedFrame, veil: &dyn Veil, text: &str) -> bool {
    let all: String = page.texts.iter().map(|text| text.text.as_str()).collect();
    let all = bare(&all);
    let mut hidden: Vec<&str> = veil.places(text).into_iter().filter_map(|part| text.get(part)).collect();
    if hidden.is_empty() {
        hidden.push(text);
    }
    let is_there = |part: &str| {
        let part = bare(part);
        all.contains(&part) || page.labels.iter().any(|label| bare(&label.text).contains(&part))
    };
    hidden.into_iter().all(is_there)
}

/// Without what layout changes in texts.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
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
