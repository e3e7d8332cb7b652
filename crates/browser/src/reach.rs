//! How far elements of a look reach beyond their boxes: words that overflow are drawn too, and may be secret.

use std::collections::HashMap;

use legwork_cdp::Limit;
use legwork_observe::ElementRef;
use legwork_types::FrameId;

use crate::{BrowserError, Rect, capture::Epoch, tab::Tab};

/// Takes the elements of a look and the places of those in question.
const REACH: &str = include_str!("reach.js");

/// The elements of a look in the world that this is evaluated in. What the page calls by the same name is only inherited.
fn elements(epoch: &Epoch) -> String {
    format!("Object.getOwnPropertyDescriptor(globalThis, 'legwork')?.value.elements('{epoch}') ?? []")
}

/// How far what is drawn of an element reaches beyond its box, in CSS pixels of its frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// To the left, up, to the right and down.
    beyond: [f32; 4],
    /// Width and height of its box.
    size: [f32; 2],
}

impl Reach {
    /// Whether nothing of it lies beyond its box.
    pub fn is_none(&self) -> bool {
        self.beyond.iter().all(|length| *length <= 0.0)
    }

    /// Where all of it is drawn, given where its box is in the viewport of the page. The frames around it may be scaled.
    pub fn around(&self, shown: Rect) -> Rect {
        let scale = |shown: f32, own: f32| if own > 0.0 && shown > 0.0 { shown / own } else { 1.0 };
        let (across, down) = (scale(shown.width, self.size[0]), scale(shown.height, self.size[1]));
        let [left, up, right, below] = self.beyond;
        Rect {
            x: shown.x - left * across,
            y: shown.y - up * down,
            width: shown.width + (left + right) * across,
            height: shown.height + (up + below) * down,
        }
    }
}

impl Tab {
    /// How far each of these elements of the look `epoch` reaches; none for one that is gone, or of which nothing is seen.
    pub async fn reach(
        &self,
        elements_asked: &[&ElementRef],
        epoch: &Epoch,
        limit: &Limit,
    ) -> Result<Vec<Option<Reach>>, BrowserError> {
        let mut reaches = vec![None; elements_asked.len()];
        for (frame, places) in self.places_by_frame(elements_asked).await? {
            let indexes: Vec<u32> = places.iter().map(|&place| elements_asked[place].index).collect();
            let asks = format!("{REACH}({}, {indexes:?})", elements(epoch));
            let told: Vec<Option<[f32; 6]>> = match self.value(&frame, &asks, limit).await {
                // What was in it is not drawn any more.
                Err(BrowserError::FrameGone) => continue,
                told => told?,
            };
            for (place, told) in places.into_iter().zip(told) {
                reaches[place] = told.map(|[left, up, right, below, width, height]| Reach {
                    beyond: [left, up, right, below],
                    size: [width, height],
                });
            }
        }
        Ok(reaches)
    }

    /// The places of the elements in the list, by the frames that still show the same document.
    async fn places_by_frame(
        &self,
        elements: &[&ElementRef],
    ) -> Result<HashMap<FrameId, Vec<usize>>, BrowserError> {
        let frames = self.frames().await?;
        let mut places: HashMap<FrameId, Vec<usize>> = HashMap::new();
        for (place, element) in elements.iter().enumerate() {
            if frames.iter().any(|frame| frame.id == element.frame && *frame.loader == *element.loader) {
                places.entry(element.frame.clone()).or_default().push(place);
            }
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_grows_by_what_lies_beyond_it_as_large_as_it_is_shown() {
        let reach = Reach { beyond: [0.0, 10.0, 40.0, 0.0], size: [200.0, 20.0] };
        let shown = Rect { x: 100.0, y: 50.0, width: 100.0, height: 20.0 };
        assert_eq!(reach.around(shown), Rect { x: 100.0, y: 40.0, width: 120.0, height: 30.0 });
        let flat = Reach { beyond: [0.0, 0.0, 40.0, 30.0], size: [0.0, 0.0] };
        let shown = Rect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 };
        assert_eq!(flat.around(shown), Rect { x: 0.0, y: 0.0, width: 40.0, height: 30.0 });
        assert!(!flat.is_none() && Reach { beyond: [0.0; 4], size: [1.0; 2] }.is_none());
    }
}
