//! What is behind a door: its rules, its ledger, its connections, its tasks.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use legwork_policy::places::{Denial, Place, PlaceRefusal, Reach};
use tokio::sync::watch;

use crate::{
    canary::Canaries,
    ledger::{Decision, Failure, Ledger},
    lines::Lines,
    pool::Pool,
    resolver::Resolver,
    settings::Settings,
    tasks::Tasks,
};

/// A request before its decision.
pub(crate) struct UnderWay<'a> {
    room: &'a Room,
    method: &'a str,
    place: &'a Place,
    is_over: bool,
}

impl UnderWay<'_> {
    /// What became of it is written down by others.
    pub(crate) fn over(mut self) {
        self.is_over = true;
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.room.write_failure(self.method, self.place, Failure::Abandoned);
        }
    }
}

/// What the rules of a room are made of.
struct MadeOf {
    /// As the owner gave it.
    given: Reach,
    /// The ports of all doors.
    doors: Vec<u16>,
    /// Ports that come and go.
    beside: Arc<BTreeSet<u16>>,
}

impl MadeOf {
    fn reach(&self) -> Arc<Reach> {
        let mut reach = self.given.clone();
        reach.own.ports.extend(self.doors.iter().chain(self.beside.iter()));
        Arc::new(reach)
    }
}

/// Behind one door.
pub(crate) struct Room {
    pub(crate) port: u16,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) ledger: Ledger,
    pub(crate) canaries: Canaries,
    pub(crate) pool: Pool,
    pub(crate) lines: Lines,
    pub(crate) tasks: Tasks,
    made_of: Mutex<MadeOf>,
    /// All of that together.
    reach: watch::Sender<Arc<Reach>>,
}

impl Room {
    pub(crate) fn new(port: u16, given: Reach, resolver: Arc<dyn Resolver>, settings: Arc<Settings>) -> Self {
        Self {
            port,
            resolver,
            ledger: Ledger::new(settings.limits.entries),
            lines: Lines::new(settings.limits.alone),
            settings,
            canaries: Canaries::default(),
            pool: Pool::default(),
            tasks: Tasks::new(),
            reach: watch::Sender::new(Arc::new(given.clone())),
            made_of: Mutex::new(MadeOf { given, doors: vec![], beside: Arc::default() }),
        }
    }

    /// The rules of this moment, and news of every change.
    pub(crate) fn rules(&self) -> watch::Receiver<Arc<Reach>> {
        if let Some(beside) = &self.settings.beside {
            let ports = beside.ports();
            let mut made_of = self.made_of.lock().unwrap_or_else(PoisonError::into_inner);
            if made_of.beside != ports {
                made_of.beside = ports;
                self.reach.send_replace(made_of.reach());
            }
        }
        self.reach.subscribe()
    }

    /// Other rules of the owner, or other ports of ours: everything is judged by them from now on, open tunnels too.
    pub(crate) fn update(&self, given: Option<Reach>, doors: impl IntoIterator<Item = u16>) {
        let mut made_of = self.made_of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(given) = given {
            made_of.given = given;
        }
        made_of.doors = doors.into_iter().collect();
        self.reach.send_replace(made_of.reach());
    }

    pub(crate) fn write(&self, method: &str, place: &Place, decision: Decision) {
        self.ledger.write(method, place.to_string(), decision);
    }

    pub(crate) fn write_denial(&self, method: &str, denial: &Denial) {
        self.ledger.write(method, denial.place.clone(), Decision::Denied { reason: denial.reason.clone() });
    }

    pub(crate) fn write_failure(&self, method: &str, place: &Place, failure: Failure) {
        self.write(method, place, Decision::Failed { failure });
    }

    /// A request that is being looked up and dialled: it is written down even if the browser does not wait for that.
    pub(crate) fn under_way<'a>(&'a self, method: &'a str, place: &'a Place) -> UnderWay<'a> {
        UnderWay { room: self, method, place, is_over: false }
    }

    /// What was asked for could not be read.
    pub(crate) fn refuse_text(&self, method: &str, refusal: &PlaceRefusal, text: &str) -> Denial {
        let denial = Denial::of_text(refusal, text);
        self.write_denial(method, &denial);
        denial
    }
}
