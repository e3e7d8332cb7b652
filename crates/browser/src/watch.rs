//! How much of what leaves a browser waits at the barrier.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use legwork_cdp::{Link, protocol::fetch};

use crate::{
    BrowserError, Limit,
    prepare::{EVERYTHING, Standing},
};

/// The barrier of one browser, as far as it can be widened.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(crate) link: Link,
    pub(crate) standing: Standing,
    /// Whether also what a page is made of waits.
    pub(crate) everything: Arc<AtomicBool>,
}

impl Watch {
    /// From now on everything waits.
    pub(crate) async fn everything(&self, limit: &Limit) -> Result<(), BrowserError> {
        if self.everything.swap(true, Relaxed) || self.standing == Standing::Targets {
            return Ok(());
        }
        let enable = fetch::Enable { patterns: EVERYTHING };
        let failed = |error| {
            // Whoever asks next tries again.
            self.everything.store(false, Relaxed);
            BrowserError::of_browser(error, "watching what leaves the browser")
        };
        let posted = self.link.post(None, &enable).map_err(&failed)?;
        posted.reply(limit).await.map(drop).map_err(failed)
    }
}
