//! What was asked for at a door and what became of it, in order and bounded.

use std::{
    collections::{BTreeMap, VecDeque},
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use legwork_policy::places::DenialReason;

const LONGEST_METHOD: usize = 20;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from 1 on.
    pub number: u64,
    /// `GET`, `CONNECT` …; `SOCKET` where a tunnel turned out to be one without TLS.
    pub method: String,
    /// Where to: scheme, host in punycode, port where it is not the usual one. As it was written where it could not be read.
    pub place: String,
    /// What became of it.
    pub decision: Decision,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It went to this address.
    Allowed {
        /// Which was checked.
        address: SocketAddr,
    },
    /// It went nowhere.
    Denied {
        /// Why.
        reason: DenialReason,
    },
    /// It was allowed and did not arrive, or got no answer. A request that was sent has an entry of its own before this one.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// It was the proof that traffic comes here; it went nowhere.
    Canary,
}

/// Why an allowed request got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Failure {
    /// Nobody took the connection.
    Unreachable,
    /// Nothing came in time.
    Timeout,
    /// The connection broke, or what came could not be understood.
    Broken,
    /// The operator's own proxy refused.
    UpstreamRefused,
    /// The place asked for credentials as only a proxy may.
    ProxyChallenge,
    /// The browser went away before a connection was there.
    Abandoned,
}

impl Failure {
    /// A stable word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Timeout => "timeout",
            Self::Broken => "broken",
            Self::UpstreamRefused => "upstream-refused",
            Self::ProxyChallenge => "proxy-challenge",
            Self::Abandoned => "abandoned",
        }
    }
}

impl Decision {
    /// A stable word for it: `allowed`, `canary`, or the reason.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Allowed { .. } => "allowed",
            Self::Denied { reason } => reason.as_str(),
            Self::Failed { failure } => failure.as_str(),
            Self::Canary => "canary",
        }
    }
}

impl Entry {
    /// Whether the browser called its maker: nobody asked for that.
    pub fn is_vendor(&self) -> bool {
        matches!(self.decision, Decision::Denied { reason: DenialReason::VendorHost })
    }
}

/// What was asked for at a door. Can be read while it is written, and after the door is closed.
#[derive(Debug, Clone)]
pub struct Ledger(Arc<Mutex<Book>>);

#[derive(Debug)]
struct Book {
    entries: VecDeque<Entry>,
    most: usize,
    written: u64,
    counts: BTreeMap<&'static str, u64>,
}

impl Ledger {
    pub(crate) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Book {
            entries: VecDeque::new(),
            most,
            written: 0,
            counts: BTreeMap::new(),
        })))
    }

    pub(crate) fn write(&self, method: &str, place: String, decision: Decision) {
        let mut book = self.book();
        book.written += 1;
        let number = book.written;
        *book.counts.entry(decision.as_str()).or_default() += 1;
        if book.entries.len() >= book.most {
            book.entries.pop_front();
        }
        let method = method.chars().take(LONGEST_METHOD).collect();
        book.entries.push_back(Entry { number, method, place, decision });
    }

    /// The entries after this number, as far as they are kept; 0 for all. Old ones go first.
    pub fn after(&self, number: u64) -> Vec<Entry> {
        self.book().entries.iter().filter(|entry| entry.number > number).cloned().collect()
    }

    /// All entries that are kept.
    pub fn entries(&self) -> Vec<Entry> {
        self.after(0)
    }

    /// How many requests there were, kept or not.
    pub fn written(&self) -> u64 {
        self.book().written
    }

    /// How many requests there were of each kind (see [`Decision::as_str`]), kept or not.
    pub fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.book().counts.clone()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_entries_go_and_stay_counted() {
        let ledger = Ledger::new(3);
        for number in 0..5 {
            ledger.write("GET", format!("http://{number}.test"), Decision::Canary);
        }
        ledger.write(
            &"X".repeat(99),
            "http://x.test".into(),
            Decision::Denied { reason: DenialReason::VendorHost },
        );
        let kept = ledger.entries();
        assert_eq!(kept.iter().map(|entry| entry.number).collect::<Vec<_>>(), [4, 5, 6]);
        assert!(kept[2].is_vendor() && kept[2].method.len() == LONGEST_METHOD);
        assert_eq!(ledger.after(5).len(), 1);
        assert_eq!(ledger.written(), 6);
        assert_eq!(ledger.counts(), BTreeMap::from([("canary", 5), ("vendor-host", 1)]));
    }
}
