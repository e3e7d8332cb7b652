//! A way for benchmarks to ask a page what the product itself never asks. Only with the feature `yardsticks`.

use legwork_cdp::{Command, Limit, Reply};

use crate::{BrowserError, tab::Tab};

impl Tab {
    /// Sends any command to the page's own session.
    pub async fn ask<C: Command>(&self, command: &C, limit: &Limit) -> Result<Reply, BrowserError> {
        self.ready(limit).await?;
        self.call(command, "measuring the page", limit).await
    }
}
