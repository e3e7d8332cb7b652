//! What is written in a page, and where it is drawn, so that words can be painted over in a picture.

use std::ops::Range;

use legwork_cdp::Limit;
use legwork_types::FrameId;

use crate::{BrowserError, Rect, tab::Tab};

/// Takes nothing, or how long the text was and places in it.
const SPOTS: &str = include_str!("spots.js");

impl Tab {
    /// All that is written in the page itself, without white space. Whoever asks keeps it.
    pub async fn written(&self, limit: &Limit) -> Result<String, BrowserError> {
        self.value(&self.page_itself().await?, &format!("{SPOTS}()"), limit).await
    }

    /// Where these bytes of what is written are drawn; none if it is not written there any more.
    pub async fn spots(
        &self,
        written: &str,
        places: &[Range<usize>],
        limit: &Limit,
    ) -> Result<Option<Vec<Rect>>, BrowserError> {
        let units = |bytes: usize| written.get(..bytes).unwrap_or(written).encode_utf16().count();
        let asked: Vec<[usize; 2]> =
            places.iter().map(|place| [units(place.start), units(place.end)]).collect();
        let asks = format!("{SPOTS}({}, {asked:?})", written.encode_utf16().count());
        let told: Option<Vec<[f32; 4]>> = self.value(&self.page_itself().await?, &asks, limit).await?;
        let rect = |[x, y, width, height]: [f32; 4]| Rect { x, y, width, height };
        Ok(told.map(|boxes| boxes.into_iter().map(rect).collect()))
    }

    async fn page_itself(&self) -> Result<FrameId, BrowserError> {
        let frames = self.frames().await?;
        let main = frames.into_iter().find(|frame| frame.parent.is_none());
        main.map(|frame| frame.id).ok_or(BrowserError::FrameGone)
    }
}
