//! The proof that the flags of a browser do what they are for: an empty page tries every way past the proxy and the barrier that is
//! known, before anybody is served. Done once for a program, its flags and this version of Legwork.

#[cfg(test)]
mod tests;
mod traps;
mod verdicts;
mod ways;

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use legwork_browser::{Attempts, Barrier, BrowserError, Context, GivenUp, Limit, Ruling, Ticket};
use legwork_egress::Ledger;
use legwork_types::Outgoing;

pub(crate) use self::verdicts::{Subject, Verdicts};
use self::{
    traps::{Trap, own_address},
    ways::{Kind, Seen, Way, ways},
};

/// How long all of it may take.
const WHOLE: Duration = Duration::from_secs(20);
/// How long one way may take.
const ONE: Duration = Duration::from_secs(8);

/// Rules on what the page of the self-test sends: questions may leave, writes may not, and both are remembered.
#[derive(Debug, Default)]
pub(crate) struct Witness(Mutex<HashSet<String>>);

impl Witness {
    fn met(&self, address: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(address)
    }
}

impl Barrier for Witness {
    fn rule(&self, _: Ticket, outgoing: &Outgoing) -> Ruling {
        if outgoing.method == "GET" {
            return Ruling::Go;
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(outgoing.url.clone());
        Ruling::Stop
    }

    fn given_up(&self, _: Ticket, _: GivenUp) {}

    fn admits_unclaimed(&self, _: &Outgoing) -> bool {
        true
    }
}

/// Tries every way out of a context whose proxy has this ledger and lets nothing through, and whose barrier is this witness.
pub(crate) async fn try_every_way(
    context: &Context,
    ledger: &Ledger,
    witness: &Witness,
    limit: &Limit,
) -> Result<(), BrowserError> {
    let limit = limit.at_most(WHOLE);
    let no_trap = |error: std::io::Error| unproved(format!("no port of this machine is free: {error}"));
    let mut tried = vec![];
    for way in ways(own_address()) {
        let trap = Trap::set(&way).await.map_err(no_trap)?;
        tried.push((way, trap));
    }
    let mut attempts = Attempts { patience: ONE, ..Attempts::default() };
    tried.iter().for_each(|(way, trap)| way.enlist(trap.port, &mut attempts));
    let closing = tried.iter().find(|(way, _)| way.kind == Kind::LastWords);
    let closing = closing.map(|(way, trap)| way.address(trap.port)).unwrap_or_default();
    let (page, other) = (context.active_tab(&limit).await?, context.new_tab(&limit).await?);
    let at_most = limit.at_most(ONE);
    let (late, closed) = tokio::join!(
        page.try_ways_out(&attempts, &limit),
        context.close_with_last_words(&other, &closing, &at_most),
    );
    let late = late?;
    let turned_back = match closed {
        Ok(()) => true,
        Err(BrowserError::Timeout { .. }) => false,
        Err(error) => return Err(error),
    };
    let arrived = ledger.entries();
    let seen = |way: &Way, trap: &Trap| {
        let (address, port) = (way.address(trap.port), format!(":{}", trap.port));
        Seen {
            directly: trap.is_sprung(),
            by_proxy: arrived.iter().any(|entry| entry.place.ends_with(&port)),
            turned_back: witness.met(&address) || (way.kind == Kind::LastWords && turned_back),
            late: late.contains(&address),
        }
    };
    let faults: Vec<String> = tried.iter().filter_map(|(way, trap)| way.fault(seen(way, trap))).collect();
    match faults.is_empty() {
        true => Ok(()),
        false => Err(unproved(format!("the self-test of the browser failed: {}", listed(&faults)))),
    }
}

/// The first few of them, and how many more there are.
fn listed(faults: &[String]) -> String {
    const TOLD: usize = 4;
    let told = faults.iter().take(TOLD).cloned().collect::<Vec<_>>().join("; ");
    match faults.len().saturating_sub(TOLD) {
        0 => told,
        more => format!("{told}; and {more} more"),
    }
}

fn unproved(why: String) -> BrowserError {
    BrowserError::Unproved { why }
}
