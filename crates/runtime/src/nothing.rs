//! The capture of an answer without a body. The browser shows a page of its own in its place, which nobody asked for.

use legwork_browser::{Landing, Viewport};
use legwork_observe::capture::{DocumentFacts, FrameCapture, FrameFacts, FrameLook, PageCapture};
use legwork_types::{FrameId, PageText};

/// A page with nothing on it, at the address that the browser came to.
pub(crate) fn nothing(landing: &Landing) -> PageCapture {
    let url = PageText::from(landing.url.as_str());
    let usual = [Viewport::USUAL.width(), Viewport::USUAL.height()];
    let [width, height] = usual.map(|side| i32::try_from(side).unwrap_or(i32::MAX));
    let document = DocumentFacts {
        url: url.clone(),
        base: url.clone(),
        ready_state: "complete".to_owned(),
        viewport: [width, height, 0, 0, width, height],
        ..DocumentFacts::default()
    };
    let facts = FrameFacts { id: FrameId::new(""), parent: None, loader: String::new(), url, name: None };
    let look = FrameLook { document, ..FrameLook::default() };
    let frames = vec![FrameCapture { facts, owner: None, look }];
    PageCapture { idle: true, frames, ..PageCapture::default() }
}
