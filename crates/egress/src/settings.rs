//! How long anything may take and how much there may be of it.

use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

use legwork_types::HostPort;

/// What holds for all doors.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Bounds.
    pub limits: Limits,
    /// A proxy of the operator's network through which everything goes. It is asked for the address that was checked, by `CONNECT`,
    /// for pages without TLS too: asked for an address in any other way, proxies forget which host was meant.
    pub upstream: Option<HostPort>,
    /// Ports that no door leads to, besides those of the doors and of the rules.
    pub beside: Option<Arc<dyn PortsBeside>>,
}

/// Ports that come and go while doors are open. Asked for every decision, so it must not wait.
pub trait PortsBeside: fmt::Debug + Send + Sync {
    /// The ports as they are now.
    fn ports(&self) -> Arc<BTreeSet<u16>>;
}

/// Bounds. Every wait has one.
#[derive(Debug, Clone)]
pub struct Limits {
    /// For the address of a name.
    pub resolve: Duration,
    /// For a connection, over all addresses of a place.
    pub connect: Duration,
    /// For the head of a request, and for the next one on a connection that is kept.
    pub head: Duration,
    /// How long nothing may move while an answer is awaited; it ends within twice that time.
    pub answer: Duration,
    /// How long nothing may move on a connection or in a tunnel; it ends within twice that time.
    pub idle: Duration,
    /// How long others wait for the one connection beside which there is no other: it may be taken by what has no end.
    pub alone: Duration,
    /// The largest head, in bytes; up to twice as much may pass, by how it comes in.
    pub head_size: usize,
    /// How many connections of the browser one door serves at a time; more have to wait.
    pub connections: usize,
    /// How many entries a ledger keeps.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            resolve: Duration::from_secs(10),
            connect: Duration::from_secs(15),
            head: Duration::from_secs(60),
            answer: Duration::from_secs(150),
            idle: Duration::from_secs(300),
            alone: Duration::from_secs(10),
            head_size: 64 * 1024,
            connections: 512,
            entries: 10_000,
        }
    }
}
