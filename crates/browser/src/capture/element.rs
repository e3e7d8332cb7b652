//! Finding an element of an earlier look again, without touching it.

use legwork_cdp::Limit;
use legwork_observe::ElementRef;
use legwork_types::PageText;
use serde::Deserialize;

use super::{Epoch, eye::Eye};
use crate::{BrowserError, tab::Tab};

/// Where an element of an earlier look is now.
#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    /// It is in the page.
    Here {
        /// Its tag.
        tag: String,
        /// Its attributes, in their order.
        attributes: Vec<(PageText, PageText)>,
        /// Its box in the viewport of its frame: x, y, width, height.
        rect: [f32; 4],
    },
    /// It was taken out of the page.
    Detached,
    /// The frame, its document or the look is no more.
    Forgotten,
}

#[derive(Deserialize)]
struct Answer {
    state: String,
    #[serde(default)]
    tag: String,
    #[serde(default)]
    attributes: Vec<(PageText, PageText)>,
    #[serde(default)]
    rect: [f32; 4],
}

impl Tab {
    /// Where `element` of the look `epoch` is now.
    pub async fn locate(
        &self,
        element: &ElementRef,
        epoch: &Epoch,
        limit: &Limit,
    ) -> Result<Located, BrowserError> {
        let frames = self.frames().await?;
        let is_same = |frame: &&crate::Frame| frame.id == element.frame && *frame.loader == *element.loader;
        let Some(frame) = frames.iter().find(is_same) else { return Ok(Located::Forgotten) };
        let eye = match Eye::open(self, frame, frame.parent.is_none(), limit).await {
            Err(BrowserError::FrameGone) => return Ok(Located::Forgotten),
            eye => eye?,
        };
        let answer: String = eye.walker(&format!("legwork.locate('{epoch}', {})", element.index)).await?;
        let answer: Answer = serde_json::from_str(&answer).map_err(|error| {
            let detail = error.to_string();
            BrowserError::Protocol(legwork_cdp::CdpError::Unreadable { method: "Runtime.evaluate", detail })
        })?;
        Ok(match answer.state.as_str() {
            "here" => Located::Here { tag: answer.tag, attributes: answer.attributes, rect: answer.rect },
            "detached" => Located::Detached,
            _ => Located::Forgotten,
        })
    }
}
