//! Lets an empty page try to get past its proxy and its barrier. Who listens at the addresses, and what to make of it, is the caller's.

use std::time::Duration;

use legwork_cdp::{Expired, Limit, protocol::runtime};
use serde::Serialize;

use crate::{
    BrowserError,
    context::Context,
    tab::{Tab, read_value},
};

const SCRIPT: &str = include_str!("injected/self_test.js");
const WHAT: &str = "trying the browser's flags";

/// What a page is to try. Every address is tried once.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempts {
    /// Asked for.
    pub reads: Vec<String>,
    /// Written to.
    pub writes: Vec<String>,
    /// Written to by a worker of the page.
    pub worker_writes: Vec<String>,
    /// Opened as sockets.
    pub sockets: Vec<String>,
    /// Named as helpers of a connection between browsers: `stun:…`, `turn:…`.
    pub peers: Vec<String>,
    /// How long each may take, in milliseconds.
    #[serde(serialize_with = "in_milliseconds")]
    pub patience: Duration,
}

fn in_milliseconds<S: serde::Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

impl Tab {
    /// Lets the page try all of these. The addresses that had not come to an end in time. For a page of ours in a context that may
    /// open sockets.
    pub async fn try_ways_out(
        &self,
        attempts: &Attempts,
        limit: &Limit,
    ) -> Result<Vec<String>, BrowserError> {
        self.ready(limit).await?;
        let attempts = serde_json::to_string(attempts).unwrap_or_default();
        let expression = format!("{}({attempts})", SCRIPT.trim_end());
        let evaluate = runtime::Evaluate {
            expression: &expression,
            context_id: None,
            return_by_value: true,
            await_promise: true,
        };
        read_value(&self.call(&evaluate, WHAT, limit).await?)
    }
}

impl Context {
    /// Closes a tab whose page writes to this address as its last words, and waits until they were turned back: nobody knows the tab any
    /// more when they come, so that no barrier of a context is asked.
    pub async fn close_with_last_words(
        &self,
        tab: &Tab,
        address: &str,
        limit: &Limit,
    ) -> Result<(), BrowserError> {
        tab.ready(limit).await?;
        let quoted = serde_json::Value::from(address);
        let expression =
            format!(r#"addEventListener("pagehide", () => navigator.sendBeacon({quoted}, "x"))"#);
        let evaluate = runtime::Evaluate {
            expression: &expression,
            context_id: None,
            return_by_value: false,
            await_promise: false,
        };
        tab.call(&evaluate, WHAT, limit).await?;
        let wanted = address.to_owned();
        let turned_back = self.hub().ask(move |world| (world.expect_stray(wanted), vec![])).await?;
        self.close_tab(tab.id()).await?;
        match limit.run(turned_back).await {
            Ok(Ok(())) => Ok(()),
            // Only another one that waits for the same address, or the end of the browser, takes its place.
            Ok(Err(_)) => Err(BrowserError::Timeout { what: WHAT, url: String::new() }),
            Err(Expired::Deadline) => Err(BrowserError::Timeout { what: WHAT, url: String::new() }),
            Err(Expired::Cancelled) => Err(BrowserError::Cancelled { what: WHAT }),
        }
    }
}
