//! A point in a frame as a point of the page: through every frame around it, in each of which nothing else may lie there.

use legwork_cdp::Limit;

use super::{
    Blocked,
    grip::{Said, milliseconds, or_gone, read_said},
};
use crate::{
    BrowserError, Epoch, Frame,
    capture::{eye::Eye, owners},
    tab::Tab,
};

/// A point of a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inner {
    pub(super) x: f64,
    pub(super) y: f64,
    /// Which of its parent's windows the frame is; none for one that isn't counted.
    pub(super) window: Option<u32>,
}

/// Frames in frames beyond this are no page that anybody uses.
const DEEPEST: usize = 50;

/// Where a point of a frame is in the viewport of the page, once it is seen there.
pub(super) async fn outward(
    tab: &Tab,
    frames: &[Frame],
    eye: &Eye<'_>,
    epoch: &Epoch,
    mut inner: Inner,
    patience: &Limit,
    limit: &Limit,
) -> Result<(f64, f64), Blocked> {
    let parent_of = |id: &legwork_types::FrameId| {
        let parent = frames.iter().find(|frame| frame.id == *id)?.parent.as_ref()?;
        frames.iter().find(|frame| frame.id == *parent)
    };
    let mut around: Option<Eye<'_>> = None;
    for _ in 0..DEEPEST {
        let child = around.as_ref().unwrap_or(eye);
        let Some(parent) = parent_of(&child.frame) else { return Ok((inner.x, inner.y)) };
        let parent = Eye::open(tab, parent, parent.parent.is_none(), limit).await.map_err(or_gone)?;
        let (window, owner) = match inner.window {
            Some(window) => (window.to_string(), "null".to_owned()),
            None => {
                let owner = owners::asked(&parent, child, epoch).await.map_err(or_gone)?;
                ("null".to_owned(), owner.ok_or(Blocked::Gone)?.to_string())
            }
        };
        let (x, y) = (inner.x, inner.y);
        let asks = format!(
            "legwork.through('{epoch}', {window}, {owner}, {x}, {y}, {})",
            milliseconds(patience, limit)
        );
        let said = parent.walker::<String>(&asks).await.map_err(or_gone)?;
        let Said::Ready { x, y, window, .. } = read_said(&said)?.against()? else {
            return Err(Blocked::Gone);
        };
        inner = Inner { x, y, window };
        around = Some(parent);
    }
    Err(Blocked::Browser(BrowserError::FrameGone))
}
