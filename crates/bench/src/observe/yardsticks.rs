//! What an observation is measured by: Chromium's own answers about a page, and the bare walk over it.

use anyhow::{Context, ensure};
use legwork_browser::{Limit, Reply, Tab};
use legwork_cdp::{
    Command,
    protocol::{accessibility::GetFullAxTree, runtime},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A walk over every element that does nothing with what it finds. Its text is given; its sum is told with the figures.
const BARE_WALK: &str = include_str!("../bare-walk.js");

/// The SHA-256 of the bare walk's text.
pub(crate) fn bare_walk_sha256() -> String {
    Sha256::digest(BARE_WALK).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs the bare walk in the page's own world.
pub(crate) async fn bare_walk(tab: &Tab, limit: &Limit) -> anyhow::Result<Reply> {
    let walk = runtime::Evaluate {
        expression: BARE_WALK,
        context_id: None,
        return_by_value: true,
        await_promise: false,
    };
    Ok(tab.ask(&walk, limit).await?)
}

/// How many controls the bare walk found.
pub(crate) fn controls(walk: &Reply) -> anyhow::Result<usize> {
    #[derive(Deserialize)]
    struct Walked {
        interactive: usize,
    }
    let evaluated = walk.read::<runtime::Evaluated<'_>>()?;
    ensure!(evaluated.exception_details.is_none(), "the bare walk failed: {evaluated:?}");
    let value = evaluated.result.value.context("the bare walk gave nothing")?;
    let text: String = serde_json::from_str(value.get())?;
    Ok(serde_json::from_str::<Walked>(&text)?.interactive)
}

/// Chromium's snapshot of the document.
pub(crate) async fn dom_snapshot(tab: &Tab, limit: &Limit) -> anyhow::Result<Reply> {
    Ok(tab.ask(&CaptureSnapshot { computed_styles: [] }, limit).await?)
}

/// Chromium's accessibility tree of the main frame.
pub(crate) async fn accessibility_tree(tab: &Tab, limit: &Limit) -> anyhow::Result<Reply> {
    Ok(tab.ask(&GetFullAxTree { frame_id: None }, limit).await?)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CaptureSnapshot {
    computed_styles: [&'static str; 0],
}

impl Command for CaptureSnapshot {
    const METHOD: &'static str = "DOMSnapshot.captureSnapshot";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bare_walk_is_the_one_that_was_given() {
        assert_eq!(bare_walk_sha256(), "e954f3d8d9b44515e8b6f41d1103384aea8b47a5aec3407bf94e6602aba3cebf");
    }
}
