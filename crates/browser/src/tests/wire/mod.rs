//! The barrier on the wire: whoever sends something, it is ruled on before it leaves.

mod holds;
mod past;
mod senders;
mod sockets;
mod stops;

use std::sync::{Mutex, PoisonError};

use legwork_types::Outgoing;

use super::*;

/// Lets what only reads go, rules alike on everything else, and writes it down.
#[derive(Debug)]
struct Scribe {
    ruling: Ruling,
    seen: Mutex<Vec<(Ticket, Outgoing)>>,
    given_up: Mutex<Vec<(Ticket, GivenUp)>>,
}

impl Scribe {
    fn new(ruling: Ruling) -> Arc<Self> {
        Arc::new(Self { ruling, seen: Mutex::default(), given_up: Mutex::default() })
    }

    /// Everything that would have written, in order.
    fn writes(&self) -> Vec<(Ticket, Outgoing)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn saw(&self, path: &str) -> bool {
        self.writes().iter().any(|(_, outgoing)| outgoing.url.ends_with(path))
    }

    /// The one that goes to this path.
    async fn met(&self, path: &str) -> (Ticket, Outgoing) {
        until(&format!("{path} comes to the barrier"), async || self.saw(path)).await;
        self.writes().into_iter().find(|(_, outgoing)| outgoing.url.ends_with(path)).expect("it was seen")
    }

    fn given_up(&self) -> Vec<(Ticket, GivenUp)> {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Barrier for Scribe {
    fn rule(&self, ticket: Ticket, outgoing: &Outgoing) -> Ruling {
        if crate::barrier::is_reading(outgoing) {
            return Ruling::Go;
        }
        self.seen.lock().unwrap().push((ticket, outgoing.clone()));
        self.ruling
    }

    fn given_up(&self, ticket: Ticket, why: GivenUp) {
        self.given_up.lock().unwrap().push((ticket, why));
    }

    fn admits_unclaimed(&self, _: &Outgoing) -> bool {
        true
    }
}

impl Stage {
    /// A context of its own in the shared browser, behind this barrier.
    async fn behind(site: Site, barrier: Arc<dyn Barrier>) -> Self {
        Self::given(site, ContextOptions { barrier, ..ContextOptions::default() }).await
    }

    async fn given(site: Site, options: ContextOptions) -> Self {
        let browser = Lent::shared().await;
        let context = browser.new_context(&options, &soon()).await.unwrap();
        Self { site, context, browser }
    }
}

/// What reached the server of what would write.
fn written(site: &Site) -> Vec<String> {
    let writes = site.hits().into_iter().filter(|hit| !["GET", "HEAD", "OPTIONS"].contains(&&*hit.method));
    writes.map(|hit| hit.path).collect()
}
