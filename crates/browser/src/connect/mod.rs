//! Connects to a browser that somebody else started: the given endpoints in order, each at most once per start.
//!
//! Endpoints may hold tokens. No log line, event or error of this module has any part of one; they are named by
//! their position, counted from 1.

mod attempt;
mod discover;
mod endpoint;
mod error;
mod reason;

use std::time::Duration;

use legwork_cdp::{Connection, Limit};
use serde::Serialize;

use self::attempt::{Stopped, attempt};
pub use self::{
    endpoint::{Endpoint, EndpointError},
    error::ConnectError,
    reason::AttemptError,
};
use crate::Viewport;

/// How long one endpoint may take, unless it is set otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The given endpoints, and which of them the next start begins with.
#[derive(Debug, Clone)]
pub struct Endpoints {
    /// How long one endpoint may take from the first packet to its answer to `Browser.getVersion`.
    pub connect_timeout: Duration,
    /// The size of pages in their browsers.
    pub viewport: Viewport,
    list: Vec<Endpoint>,
    next_start: usize,
    /// Why endpoints failed in this start: one reason for each since it began.
    failed: Vec<AttemptError>,
}

/// What happened on the way to a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum ConnectEvent {
    /// An endpoint gave us its browser.
    #[serde(rename = "cdp:endpoint_connected")]
    EndpointConnected {
        /// Which one, counted from 1.
        endpoint_index: usize,
        /// How many there are.
        total: usize,
    },
    /// An endpoint failed and the next one is tried. Not told when there is no next one.
    #[serde(rename = "cdp:endpoint_cycle")]
    EndpointCycle {
        /// Which one failed, counted from 1.
        attempt: usize,
        /// How many there are.
        total: usize,
        /// Why.
        error: AttemptError,
    },
}

impl Endpoints {
    /// Endpoints in the order in which they are tried, 5 s each.
    pub fn new(list: Vec<Endpoint>) -> Self {
        Self {
            connect_timeout: CONNECT_TIMEOUT,
            viewport: Viewport::USUAL,
            list,
            next_start: 0,
            failed: vec![],
        }
    }

    /// Each of them by itself, with the same patience.
    pub fn each(&self) -> impl Iterator<Item = Self> + '_ {
        let Self { connect_timeout, viewport, .. } = *self;
        self.list.iter().map(move |one| Self {
            list: vec![one.clone()],
            connect_timeout,
            viewport,
            next_start: 0,
            failed: vec![],
        })
    }

    /// Connects to the first endpoint that answers as a browser, from the one after the last success on. There is no
    /// way back to an earlier endpoint: one that has just dropped us is not to be trusted, and two that flap are not to
    /// be played against each other. A failed start changes nothing.
    pub async fn connect(
        &mut self,
        limit: &Limit,
        watch: &mut (dyn FnMut(ConnectEvent) + Send),
    ) -> Result<Connection, ConnectError> {
        self.failed.clear();
        self.go_on(limit, watch).await
    }

    /// The same start goes on: the endpoint that was reached last was lost again before its browser could be used.
    pub(crate) async fn connect_after(
        &mut self,
        reason: AttemptError,
        limit: &Limit,
        watch: &mut (dyn FnMut(ConnectEvent) + Send),
    ) -> Result<Connection, ConnectError> {
        self.note(self.next_start, reason, watch);
        self.go_on(limit, watch).await
    }

    async fn go_on(
        &mut self,
        limit: &Limit,
        watch: &mut (dyn FnMut(ConnectEvent) + Send),
    ) -> Result<Connection, ConnectError> {
        let total = self.list.len();
        for index in self.next_start + 1..=total {
            let Some(endpoint) = self.list.get(index - 1) else { break };
            let reason = match attempt(endpoint, &limit.at_most(self.connect_timeout)).await {
                Ok(connection) => {
                    self.next_start = index;
                    tracing::info!(endpoint = index, total, "connected to an endpoint");
                    watch(ConnectEvent::EndpointConnected { endpoint_index: index, total });
                    return Ok(connection);
                }
                Err(Stopped::Cancelled) => return Err(ConnectError::Cancelled),
                Err(Stopped::Failed(reason)) => reason,
            };
            if limit.remaining().is_zero() {
                return Err(ConnectError::Deadline { index, total, reason });
            }
            self.note(index, reason, watch);
        }
        tracing::warn!(total, tried = self.failed.len(), "no endpoint is left");
        Err(ConnectError::Exhausted { total, reasons: self.failed.clone() })
    }

    /// An endpoint failed. Tells of it where another one is left to try.
    fn note(&mut self, attempt: usize, error: AttemptError, watch: &mut (dyn FnMut(ConnectEvent) + Send)) {
        let total = self.list.len();
        tracing::warn!(endpoint = attempt, total, error = error.name(), "an endpoint failed");
        self.failed.push(error);
        if attempt < total {
            watch(ConnectEvent::EndpointCycle { attempt, total, error });
        }
    }
}
