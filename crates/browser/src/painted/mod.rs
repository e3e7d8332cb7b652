//! All that is written in a tab as it is painted, and where, so that words can be painted over in a picture: texts, what styles put before
//! and after them, words in fields and in the place of pictures. The browser says so itself, after its layout; pages can't hide any.

mod document;
mod effects;

use std::ops::Range;

use legwork_cdp::{
    Limit,
    protocol::dom_snapshot::{CaptureSnapshot, Snapshot},
};
use legwork_types::FrameId;

use crate::{BrowserError, Rect, tab::Tab};

/// One frame as it is painted.
#[derive(Debug)]
pub struct PaintedFrame {
    /// Which.
    pub frame: FrameId,
    /// Its texts, as they are read one after another.
    pub texts: Vec<PaintedText>,
    /// What is painted from something else than texts.
    pub labels: Vec<PaintedLabel>,
    /// Whether frames within it may be painted somewhere else as well.
    pub repeats_frames: bool,
}

/// One text.
#[derive(Debug, PartialEq)]
pub struct PaintedText {
    /// What is painted.
    pub text: String,
    /// Its lines, in pixels of the frame's own viewport; none if nobody can tell where all of it is painted.
    pub lines: Option<Vec<PaintedLine>>,
}

/// A part of a text.
#[derive(Debug, PartialEq)]
pub struct PaintedLine {
    /// Which bytes of it.
    pub part: Range<usize>,
    /// Where they are.
    pub rect: Rect,
}

/// Words that an element paints although they are no text of the page, or that a picture may be made of.
#[derive(Debug, PartialEq)]
pub struct PaintedLabel {
    /// The words.
    pub text: String,
    /// Where, as with texts.
    pub rects: Option<Vec<Rect>>,
}

impl Tab {
    /// Everything that is written in its frames, the page itself first. Whoever asks keeps it.
    pub async fn painted(&self, limit: &Limit) -> Result<Vec<PaintedFrame>, BrowserError> {
        let mut sessions = vec![self.session()];
        for frame in self.frames().await?.iter().filter(|frame| frame.out_of_process) {
            match self.session_of(&frame.id).await {
                Ok(session) if !sessions.contains(&session) => sessions.push(session),
                // What was in it is not painted any more.
                Ok(_) | Err(BrowserError::FrameGone) => {}
                Err(error) => return Err(error),
            }
        }
        let mut painted = Vec::new();
        for (at, session) in sessions.iter().enumerate() {
            let asks = CaptureSnapshot { computed_styles: effects::PROPERTIES };
            let reply = match self.call_in(session, &asks, "reading the page", limit).await {
                Err(BrowserError::FrameGone) if at > 0 => continue,
                reply => reply?,
            };
            let snapshot = reply.read::<Snapshot>().map_err(BrowserError::Protocol)?;
            painted.extend(frames(&snapshot));
        }
        Ok(painted)
    }
}

/// The frames of one session, its own first.
fn frames(snapshot: &Snapshot) -> impl Iterator<Item = PaintedFrame> {
    snapshot.documents.iter().map(|document| document::painted(document, &snapshot.strings))
}
