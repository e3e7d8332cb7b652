//! The ledger of a site: everything that really happened in it, in order. It is what tests believe.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// As many effects as a ledger keeps; later ones are counted and not kept.
const MOST: usize = 100_000;

/// One thing that a visitor brought about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Its place in the ledger, from 1.
    pub number: u64,
    /// What it was, for example `order-placed`.
    pub kind: &'static str,
    /// The e-mail address of the account, where somebody was logged in.
    pub account: Option<String>,
    /// The particulars. Never a password, and of a card the last four digits alone.
    pub details: BTreeMap<String, String>,
}

impl Effect {
    /// One of the particulars; empty where there is none of this name.
    pub fn detail(&self, name: &str) -> &str {
        self.details.get(name).map_or("", String::as_str)
    }
}

/// All effects of one site; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    pages: Arc<Mutex<Pages>>,
}

#[derive(Debug, Default)]
struct Pages {
    effects: Vec<Effect>,
    count: u64,
}

impl Ledger {
    /// A copy of all effects so far.
    pub fn effects(&self) -> Vec<Effect> {
        self.lock().effects.clone()
    }

    /// How many effects of this kind there were.
    pub fn count(&self, kind: &str) -> usize {
        self.lock().effects.iter().filter(|effect| effect.kind == kind).count()
    }

    /// The effects of this kind, in order.
    pub fn of_kind(&self, kind: &str) -> Vec<Effect> {
        self.lock().effects.iter().filter(|effect| effect.kind == kind).cloned().collect()
    }

    pub(crate) fn enter<const N: usize>(
        &self,
        kind: &'static str,
        account: Option<&str>,
        details: [(&str, String); N],
    ) {
        let mut pages = self.lock();
        pages.count += 1;
        if pages.effects.len() < MOST {
            let number = pages.count;
            let details = details.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            pages.effects.push(Effect { number, kind, account: account.map(str::to_owned), details });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
