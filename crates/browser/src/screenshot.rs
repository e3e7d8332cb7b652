//! Pictures of what a person would see: the viewport, JPEG of quality 80, 1280×720, one pixel per CSS pixel.

use base64::{Engine, engine::general_purpose::STANDARD};
use legwork_cdp::{Limit, protocol::page};

use crate::{BrowserError, tab::Tab};

/// JPEG quality: text stays readable, a page is about 150 KB.
const QUALITY: u8 = 80;

/// Without a clip it shows the viewport, never the whole page.
const VIEWPORT_JPEG: page::CaptureScreenshot<'static> =
    page::CaptureScreenshot { format: "jpeg", quality: Some(QUALITY), optimize_for_speed: false };

impl Tab {
    /// A JPEG of the viewport.
    pub async fn screenshot(&self, limit: &Limit) -> Result<Vec<u8>, BrowserError> {
        self.ready(limit).await?;
        let reply = self.call(&VIEWPORT_JPEG, "taking the picture", limit).await?;
        let picture = reply.read::<page::Screenshot<'_>>().map_err(BrowserError::Protocol)?;
        let decoded = STANDARD.decode(picture.data);
        decoded.map_err(|error| BrowserError::unreadable_picture(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_asked_for_as_agreed() {
        let asked = serde_json::to_value(VIEWPORT_JPEG).unwrap();
        assert_eq!(asked, serde_json::json!({"format": "jpeg", "quality": 80, "optimizeForSpeed": false}));
    }
}
