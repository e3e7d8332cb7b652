//! The proof that a browser's traffic comes here, that to loopback too: an address that only the door itself answers.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::oneshot;

/// How the canary came to the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flight {
    ThroughTheProxy,
    Directly,
}

/// An address that is to be opened in a browser, and whether that came here. Its port is the door's own, so a browser that goes
/// there without the proxy is noticed at once.
#[derive(Debug)]
pub struct Canary {
    url: String,
    seen: oneshot::Receiver<Flight>,
}

/// Why a browser can't be trusted to send its traffic here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CanaryLost {
    /// It went to the address itself.
    #[error("the browser goes to loopback without the proxy")]
    Bypassed,
    /// Nothing came.
    #[error("no request of the browser came to the proxy")]
    NotSeen,
}

impl Canary {
    /// The address to open; the answer is empty, with status 204.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until it came through the proxy.
    pub async fn arrived(self, within: Duration) -> Result<(), CanaryLost> {
        match tokio::time::timeout(within, self.seen).await {
            Ok(Ok(Flight::ThroughTheProxy)) => Ok(()),
            Ok(Ok(Flight::Directly)) => Err(CanaryLost::Bypassed),
            Ok(Err(_)) | Err(_) => Err(CanaryLost::NotSeen),
        }
    }
}

/// The canaries that a door waits for.
#[derive(Debug, Default)]
pub(crate) struct Canaries(Mutex<Vec<Awaited>>);

#[derive(Debug)]
struct Awaited {
    url: String,
    path: String,
    seen: oneshot::Sender<Flight>,
}

impl Canaries {
    pub(crate) fn expect(&self, port: u16, secret: &str) -> Canary {
        let path = format!("/{secret}");
        let url = format!("http://127.0.0.1:{port}{path}");
        let (tell, seen) = oneshot::channel();
        let mut awaited = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        awaited.retain(|canary| !canary.seen.is_closed());
        awaited.push(Awaited { url: url.clone(), path, seen: tell });
        Canary { url, seen }
    }

    /// Whether this address is one; whoever waits for it is told.
    pub(crate) fn noticed(&self, address: &str, flight: Flight) -> bool {
        let mut awaited = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |canary: &Awaited| match flight {
            Flight::ThroughTheProxy => canary.url == address,
            Flight::Directly => canary.path == address,
        };
        let found = awaited.iter().position(is_it).map(|at| awaited.swap_remove(at));
        found.is_some_and(|canary| canary.seen.send(flight).is_ok())
    }
}
