//! A way for benchmarks to ask a page what the product itself never asks. Only with the feature `yardsticks`.

use legwork_cdp::{Command, Limit, Reply, protocol::fetch};

use crate::{BrowserError, prepare::WRITING, tab::Tab};

impl Tab {
    /// Sends any command to the page's own session.
    pub async fn ask<C: Command>(&self, command: &C, limit: &Limit) -> Result<Reply, BrowserError> {
        self.ready(limit).await?;
        self.call(command, "measuring the page", limit).await
    }
}

/// The kinds of requests that wait at the barrier.
pub fn waiting_kinds() -> &'static [fetch::Pattern] {
    WRITING
}
