//! Legwork's own memory while it observes: measured in a process that does nothing else.

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use legwork_testkit::{Site, rss_kb};
use serde::{Deserialize, Serialize};

use super::{Opened, open, subject};

/// What the process held, in megabytes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// After it observed the small form.
    pub(crate) form: f64,
    /// After it then observed the long table.
    pub(crate) table: f64,
}

/// Measures in a fresh process: this one holds the site, the figures and the tables of the tokens.
pub(crate) fn measure(site: &Site) -> anyhow::Result<Memory> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--memory", &site.url("/form"), &site.url("/table")])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("the process for the memory could not be started")?;
    ensure!(output.status.success(), "the process for the memory failed: {}", output.status);
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The fresh process's work: observes the two pages, one after the other, in one tab.
pub(crate) fn in_this_process(form: &str, table: &str) -> anyhow::Result<Memory> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let Opened { browser, context: _context, tab } = open().await?;
        let mut held = [0.0; 2];
        for (url, held) in [form, table].into_iter().zip(&mut held) {
            super::go(&tab, url).await?;
            subject::whole_observation(&tab, &super::patience()).await?;
            *held = rss_kb(std::process::id()) as f64 / 1024.0;
        }
        browser.close().await;
        Ok(Memory { form: held[0], table: held[1] })
    })
}
