//! Pictures of what a person would see: the viewport, JPEG of quality 80, 1280×720, one pixel per CSS pixel.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use legwork_cdp::{CdpError, Expired, Limit, Reply, protocol::page};

use crate::{BrowserError, tab::Tab};

/// JPEG quality: text stays readable, a page is about 150 KB.
const QUALITY: u8 = 80;

/// Without a clip it shows the viewport, never the whole page.
const VIEWPORT_JPEG: page::CaptureScreenshot<'static> =
    page::CaptureScreenshot { format: "jpeg", quality: Some(QUALITY), optimize_for_speed: false };

/// While one document takes the place of another Chromium shows neither of them. It is asked again at such intervals, for so long.
const BETWEEN: Duration = Duration::from_millis(50);
const BETWEEN_AT_MOST: Duration = Duration::from_secs(2);

impl Tab {
    /// A JPEG of the viewport.
    pub async fn screenshot(&self, limit: &Limit) -> Result<Vec<u8>, BrowserError> {
        self.ready(limit).await?;
        let reply = self.pictured(limit).await?;
        let picture = reply.read::<page::Screenshot<'_>>().map_err(BrowserError::Protocol)?;
        let decoded = STANDARD.decode(picture.data);
        decoded.map_err(|error| BrowserError::unreadable_picture(error.to_string()))
    }

    async fn pictured(&self, limit: &Limit) -> Result<Reply, BrowserError> {
        const WHAT: &str = "taking the picture";
        let patience = limit.at_most(BETWEEN_AT_MOST);
        loop {
            let reply = self.call(&VIEWPORT_JPEG, WHAT, limit).await;
            if !reply.as_ref().is_err_and(is_between_documents) {
                return reply;
            }
            match patience.run(tokio::time::sleep(BETWEEN)).await {
                Ok(()) => {}
                Err(Expired::Cancelled) => return Err(BrowserError::Cancelled { what: WHAT }),
                Err(Expired::Deadline) => return reply,
            }
        }
    }
}

fn is_between_documents(error: &BrowserError) -> bool {
    let refused = |message: &str| message == "Not attached to an active page";
    matches!(error, BrowserError::Protocol(CdpError::Refused { message, .. }) if refused(message))
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
