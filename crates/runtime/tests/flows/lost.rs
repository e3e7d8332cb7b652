//! Browsers that are lost at every point of every turn of an errand: it goes on in another one and is done once, or ends and says what is not
//! known. The shop's ledger decides.

use std::{
    collections::BTreeMap,
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
};

use legwork_runtime::{
    Answer, BrowserSource, CancellationToken, Endpoints, KeeperEvent, LaunchOptions, Mode,
    errands::{
        Entry, Errand, Event, Finished, Journal, OutcomeKind, Reason, Spec, is_permitted_throughout, mode_of,
    },
};
use legwork_testkit::{
    Cable, Damage, long_or_short,
    sites::{
        brain::{self, Brain},
        vendor::{Asked, Reply, Vendor, VendorWire},
    },
};
use legwork_types::Problem;

use super::{
    joined::{Joined, Kept, Nobody},
    stage::{LONG, Run, Stage},
    thinking::{PASSWORD, READY, Visited, spec},
};

/// A moment of a turn, told by what is sent to the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    Navigation,
    Observation,
    Screenshot,
    Input,
    Settling,
    Wire,
}

/// Which moment a command belongs to, after the one before it.
fn moment(command: &str, before: Option<Moment>) -> Option<Moment> {
    Some(match command.split_once('.')? {
        ("Page", "navigate") => Moment::Navigation,
        ("Page", "captureScreenshot") => Moment::Screenshot,
        ("Fetch", "continueRequest" | "failRequest" | "fulfillRequest") => Moment::Wire,
        ("Input", _) => Moment::Input,
        _ if before == Some(Moment::Input) => Moment::Settling,
        ("Runtime", "callFunctionOn" | "evaluate") => Moment::Observation,
        _ => return None,
    })
}

/// The moments of each turn, as they were first seen, and where the cable is damaged.
#[derive(Default)]
struct Plot {
    turn: AtomicUsize,
    seen: Mutex<BTreeMap<(usize, Moment), usize>>,
    fired: AtomicUsize,
}

impl Plot {
    /// A cable that is damaged the first time that this moment comes.
    fn cable(self: &Arc<Self>, at: Option<((usize, Moment), Damage)>) -> Cable {
        let (plot, mut at, mut before) = (self.clone(), at, None);
        Cable::plug(move |command| {
            let turn = plot.turn.load(Ordering::SeqCst);
            let now = moment(command, before);
            before = now.or(before);
            let now = (turn, now?);
            *plot.seen.lock().unwrap().entry(now).or_default() += 1;
            let (_, damage) = at.take_if(|(when, _)| *when == now)?;
            plot.fired.fetch_add(1, Ordering::SeqCst);
            Some(damage)
        })
    }

    /// The brain, which counts its turns here.
    fn script(self: &Arc<Self>, brain: Brain) -> impl FnMut(&Asked) -> Reply + Send + 'static {
        let plot = self.clone();
        move |asked| {
            if asked.has_tool("act") || asked.has_tool("complete_task") {
                plot.turn.fetch_add(1, Ordering::SeqCst);
            }
            brain.reply(asked)
        }
    }
}

/// How an errand went.
struct Went {
    finished: Finished,
    log: Vec<Entry>,
    orders: usize,
    plans: usize,
}

impl Went {
    fn count(&self, is_it: impl Fn(&Event) -> bool) -> usize {
        self.log.iter().filter(|entry| is_it(&entry.event)).count()
    }

    fn reconnected(&self) -> usize {
        self.count(|event| matches!(event, Event::Reconnected { .. }))
    }

    /// What is so wherever it was lost: never two orders, never a success without one, and nothing is claimed that nobody knows.
    fn is_in_order(&self, what: &str) {
        let outcome = self.finished.outcome.as_ref().unwrap();
        assert!(self.orders <= 1, "{what}: {} orders", self.orders);
        match outcome.kind {
            OutcomeKind::Verified => assert_eq!(self.orders, 1, "{what}: {outcome:#?}"),
            // Something was approved and sent, or may have been, and what became of it could not be seen.
            _ => {
                let is_told = |line: &String| line.contains("a person said yes");
                assert!(outcome.evidence.iter().any(is_told), "{what}: {outcome:#?}\n{:#?}", self.log.last());
            }
        }
        assert!(is_permitted_throughout(&self.log), "{what}");
        assert_eq!(Errand::replay(&self.log).unwrap().outcome(), Some(outcome), "{what}");
        assert_eq!(self.plans, 1, "{what}: the plan is kept");
        // It goes on where it began, and whoever was logged in is not any more: the shop itself is as it was.
        let mut was_logged_in = false;
        for entry in &self.log {
            let page = match &entry.event {
                Event::Reconnected { starting_url, logged_out, .. } => {
                    assert!(starting_url.as_ref().unwrap().ends_with('/'), "{what}: {starting_url:?}");
                    assert_eq!(*logged_out, was_logged_in, "{what}");
                    was_logged_in = *logged_out;
                    None
                }
                Event::Looked { page } => Some(&**page),
                Event::Acted { done, .. } => done.page.as_ref(),
                _ => None,
            };
            was_logged_in |= page.is_some_and(|page| page.logged_in == Some(true));
        }
    }
}

/// The coffee errand, in browsers from there, with this log.
async fn order(
    source: BrowserSource,
    plot: &Arc<Plot>,
    watch: impl FnMut(KeeperEvent) + Send + 'static,
    journal: impl Journal,
    log: &Kept,
) -> Went {
    let visited = Visited::start(&READY[0]);
    let run = Run::Live(Answer::Yes);
    let stage = Stage::in_browsers_of(source, LONG, run, &[visited.address()], PASSWORD, watch).await;
    let brain = brain::coffee();
    let spec = Spec { mode: mode_of(Mode::Live), ..spec(&brain, visited.address()) };
    let vendor = Vendor::start(plot.script(brain)).unwrap();
    let joined = Joined { journal, people: Nobody, stop: CancellationToken::new() };
    let (finished, _) = joined.run(&stage.sessions, &vendor, VendorWire::Anthropic, spec).await;
    stage.sessions.shut().await;
    let plans = vendor.books().calls().iter().filter(|call| call.asked.has_tool("create_plan")).count();
    Went { finished, log: log.entries(), orders: visited.ledger().count("order-placed"), plans }
}

async fn order_by_cables(plot: &Arc<Plot>, cables: &[Cable]) -> Went {
    let endpoints = Endpoints::new(cables.iter().map(|cable| cable.ws_url().parse().unwrap()).collect());
    let log = Kept::default();
    order(BrowserSource::Endpoints(endpoints), plot, |_| {}, log.clone(), &log).await
}

#[tokio::test]
async fn wherever_a_cable_is_damaged_the_errand_is_done_once_or_says_what_is_not_known() {
    // As it is without any damage: which moments there are.
    let whole = Arc::new(Plot::default());
    let went = order_by_cables(&whole, &[whole.cable(None)]).await;
    went.is_in_order("undamaged");
    assert_eq!(went.reconnected(), 0);
    let seen: Vec<(usize, Moment)> = whole.seen.lock().unwrap().keys().copied().collect();
    for kind in [Moment::Navigation, Moment::Observation, Moment::Screenshot, Moment::Input, Moment::Settling]
    {
        assert!(seen.iter().any(|(_, moment)| *moment == kind), "{kind:?} in {seen:?}");
    }
    // All of them, or a few from everywhere and the ones around the order, which is pressed again after the yes.
    let (step, last) = (long_or_short(1, seen.len() / 2), seen.iter().map(|(turn, _)| *turn).max().unwrap());
    let is_order = |(turn, moment): &(usize, Moment)| {
        *turn + 1 >= last && matches!(moment, Moment::Input | Moment::Wire | Moment::Settling)
    };
    let chosen = seen.iter().enumerate().filter(|(number, at)| number % step == 2 || is_order(at));
    let damages = [Damage::Cut, Damage::Kill, Damage::HalfOpen];
    for (number, at) in chosen {
        let damage = damages[(number + at.0) % damages.len()];
        let what = format!("{damage:?} at {at:?}");
        let plot = Arc::new(Plot::default());
        let cables = [plot.cable(Some((*at, damage))), plot.cable(None)];
        let went = order_by_cables(&plot, &cables).await;
        went.is_in_order(&what);
        assert_eq!(
            went.reconnected(),
            plot.fired.load(Ordering::SeqCst),
            "{what}: {:#?}",
            went.finished.outcome
        );
    }
}

#[tokio::test]
async fn endpoints_are_used_one_after_the_other_and_then_it_is_over() {
    for (count, is_done) in [(3, true), (2, false)] {
        let plot = Arc::new(Plot::default());
        let mut cables = vec![
            plot.cable(Some(((3, Moment::Input), Damage::Cut))),
            plot.cable(Some(((6, Moment::Input), Damage::Cut))),
            plot.cable(None),
        ];
        cables.truncate(count);
        let went = order_by_cables(&plot, &cables).await;
        let outcome = went.finished.outcome.as_ref().unwrap();
        assert_eq!(plot.fired.load(Ordering::SeqCst), 2);
        if is_done {
            assert_eq!(outcome.kind, OutcomeKind::Verified, "{outcome:#?}");
            assert_eq!((went.orders, went.reconnected()), (1, 2));
        } else {
            assert_eq!(
                (outcome.kind, outcome.reason),
                (OutcomeKind::Stopped, Reason::BrowserError),
                "{outcome:#?}"
            );
            let checkpoint = outcome.checkpoint.clone().unwrap();
            assert_eq!(checkpoint.code.as_deref(), Some("ENDPOINTS_EXHAUSTED"), "{checkpoint:#?}");
            assert_eq!((went.orders, went.reconnected()), (0, 1));
        }
    }
}

/// A log that has the browser killed once this many entries are written.
struct KillsAt {
    log: Kept,
    left: usize,
    browser: Arc<AtomicU32>,
}

impl Journal for KillsAt {
    async fn record(&mut self, entries: &[Entry]) -> Result<(), Problem> {
        self.log.record(entries).await?;
        let before = self.left;
        self.left = before.saturating_sub(entries.len());
        if before > 0 && self.left == 0 {
            let pid = self.browser.load(Ordering::SeqCst);
            // Before the first page there is none.
            if pid != 0 {
                assert!(Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap().success());
            }
        }
        Ok(())
    }

    async fn keep_picture(&mut self, _: &str, _: &[u8]) {}
}

async fn order_and_kill_at(entry: usize) -> Went {
    let (log, browser, plot) = (Kept::default(), Arc::new(AtomicU32::new(0)), Arc::new(Plot::default()));
    let started = browser.clone();
    let watch = move |event| {
        if let KeeperEvent::Started { pid: Some(pid), .. } = event {
            started.store(pid, Ordering::SeqCst);
        }
    };
    let journal = KillsAt { log: log.clone(), left: entry, browser };
    order(BrowserSource::Launch(LaunchOptions::default()), &plot, watch, journal, &log).await
}

#[tokio::test]
async fn a_browser_of_ours_that_is_killed_at_any_line_of_the_log_is_replaced() {
    let whole = order_and_kill_at(usize::MAX).await;
    whole.is_in_order("not killed");
    let last = whole.log.len();
    let is_ruled = whole.log.iter().position(|entry| matches!(entry.event, Event::Ruled { .. })).unwrap();
    // All of them, or a few, and those around the order.
    let step = long_or_short(1, last / 2);
    for entry in (6..last).filter(|entry| entry % step == 0 || entry.abs_diff(is_ruled) <= 1) {
        let went = order_and_kill_at(entry).await;
        went.is_in_order(&format!("killed at entry {entry} of {last}: {:?}", whole.log.get(entry - 1)));
    }
}
