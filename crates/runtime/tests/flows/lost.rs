//! Browsers that are lost at every point of every turn of an errand: it goes on in another one and is done once, or ends and says what is not
//! known. The shop's ledger decides.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
};

use legwork_runtime::{
    Answer, BrowserSource, CancellationToken, Endpoints, KeeperEvent, LaunchOptions, Mode,
    errands::{
        ActNote, Entry, Errand, Event, Finished, Journal, OutcomeKind, Reason, Spec, is_permitted_throughout,
        mode_of,
    },
};
use legwork_testkit::{
    Break, Cable, CdpStub, Damage, long_or_short,
    sites::{
        Ledger,
        brain::{self, Brain},
        vendor::{Asked, Reply, Vendor, VendorWire},
    },
};
use legwork_types::Problem;
use tokio::sync::OnceCell;

use super::{
    joined::{Joined, Kept, Nobody},
    stage::{LONG, Run, Stage},
    thinking::{PASSWORD, READY, Ready, Visited, spec},
};

const ORDER: &str = "order-placed";

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
    /// Where it really was.
    fired: Mutex<Vec<(usize, Moment)>>,
    /// What has happened in the shop.
    ledger: OnceLock<Ledger>,
}

impl Plot {
    fn has_ordered(&self) -> bool {
        self.ledger.get().is_some_and(|ledger| ledger.count(ORDER) > 0)
    }

    fn whole(self: &Arc<Self>) -> Cable {
        self.damaged_at(|_, _| None)
    }

    /// A cable that is damaged the first time that this moment comes, or after the turn in which it did not come.
    fn cable(self: &Arc<Self>, at: (usize, Moment), damage: Damage) -> Cable {
        self.damaged_at(move |now, _| (now == at || now.0 > at.0).then_some(Break::Command(damage)))
    }

    fn fired(&self) -> usize {
        self.fired.lock().unwrap().len()
    }

    /// A cable that is damaged once, at the first moment of which this says so; the second number is how often there was one like it.
    fn damaged_at(
        self: &Arc<Self>,
        hit: impl Fn((usize, Moment), usize) -> Option<Break> + Send + 'static,
    ) -> Cable {
        let (plot, mut is_whole, mut before) = (self.clone(), true, None);
        Cable::plug(move |command| {
            let turn = plot.turn.load(Ordering::SeqCst);
            let now = moment(command, before);
            before = now.or(before);
            let now = (turn, now?);
            let count = {
                let mut seen = plot.seen.lock().unwrap();
                let count = seen.entry(now).or_default();
                *count += 1;
                *count
            };
            let hit = hit(now, count).filter(|_| is_whole)?;
            is_whole = false;
            plot.fired.lock().unwrap().push(now);
            Some(hit)
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

    fn kind(&self) -> OutcomeKind {
        self.finished.outcome.as_ref().unwrap().kind
    }

    fn is_told(&self, words: &str, what: &str) {
        let outcome = self.finished.outcome.as_ref().unwrap();
        assert!(outcome.evidence.iter().any(|line| line.contains(words)), "{what}: {outcome:#?}");
    }

    /// What is so wherever it was lost: never two orders, never a success without one, and nothing is claimed that nobody knows.
    fn is_in_order(&self, what: &str) {
        let outcome = self.finished.outcome.as_ref().unwrap();
        assert!(self.orders <= 1, "{what}: {} orders", self.orders);
        match outcome.kind {
            OutcomeKind::Verified => assert_eq!(self.orders, 1, "{what}: {outcome:#?}"),
            // Something was approved and sent, or may have been, and what became of it could not be seen.
            OutcomeKind::Unverified => self.is_told("a person said yes", what),
            // Whoever looks for it and finds nothing may give up over that.
            OutcomeKind::Stopped => {
                assert_eq!(outcome.reason, Reason::Stuck, "{what}: {outcome:#?}");
                self.is_told("whether this was taken is not known", what);
            }
            _ => panic!("{what}: {outcome:#?}"),
        }
        assert!(is_permitted_throughout(&self.log), "{what}");
        let errand = Errand::replay(&self.log).unwrap();
        assert_eq!(errand.outcome(), Some(outcome), "{what}");
        self.counts_no_loss(what);
        // Nothing goes wrong here but what is lost.
        if outcome.kind == OutcomeKind::Verified {
            let counts = serde_json::to_value(&errand).unwrap()["counts"].clone();
            assert_eq!(
                (&counts["troubles"], &counts["troubles_in_a_row"]),
                (&0.into(), &0.into()),
                "{what}: {counts}"
            );
        }
        assert_eq!(self.plans, 1, "{what}: the plan is kept");
        // It goes on where it began, and whoever was logged in is not any more: the shop itself is as it was.
        let mut was_logged_in = false;
        for entry in &self.log {
            let page = match &entry.event {
                Event::Reconnected { starting_url, logged_out, .. } => {
                    assert!(starting_url.as_ref().unwrap().ends_with('/'), "{what}: {starting_url:?}");
                    assert_eq!(*logged_out, was_logged_in, "{what}");
                    None
                }
                Event::Looked { page } => Some(&**page),
                Event::Acted { done, .. } => done.page.as_ref(),
                _ => None,
            };
            was_logged_in |= page.is_some_and(|page| page.logged_in == Some(true));
        }
    }

    /// To lose a browser is nobody's failure, and to get another one is one turn, however it ends.
    fn counts_no_loss(&self, what: &str) {
        let after = |entries: usize| {
            let errand = Errand::replay(&self.log[..entries]).unwrap();
            let counts = serde_json::to_value(&errand).unwrap()["counts"].take();
            (counts["troubles"].clone(), counts["troubles_in_a_row"].clone(), errand.spent().iterations())
        };
        for (at, entry) in self.log.iter().enumerate() {
            match entry.event {
                // The line before it says what was lost.
                Event::Disconnected { .. } => assert_eq!(after(at + 1), after(at - 1), "{what}: entry {at}"),
                Event::Reconnected { .. } => {
                    let (troubles, _, turns) = after(at);
                    assert_eq!(after(at + 1), (troubles, 0.into(), turns + 1), "{what}: entry {at}");
                }
                _ => {}
            }
        }
    }
}

/// The coffee errand, in browsers from there, with this log.
async fn order(
    source: BrowserSource,
    (ready, brain): (&Ready, Brain),
    plot: &Arc<Plot>,
    watch: impl FnMut(KeeperEvent) + Send + 'static,
    journal: impl Journal,
    log: &Kept,
) -> Went {
    let visited = Visited::start(ready);
    let _ = plot.ledger.set(visited.ledger());
    let run = Run::Live(Answer::Yes);
    let stage = Stage::in_browsers_of(source, LONG, run, &[visited.address()], PASSWORD, watch).await;
    let spec = Spec { mode: mode_of(Mode::Live), ..spec(&brain, visited.address()) };
    let vendor = Vendor::start(plot.script(brain)).unwrap();
    let joined = Joined { journal, people: Nobody, stop: CancellationToken::new() };
    let (finished, _) = joined.run(&stage.sessions, &vendor, VendorWire::Anthropic, spec).await;
    stage.sessions.shut().await;
    let plans = vendor.books().calls().iter().filter(|call| call.asked.has_tool("create_plan")).count();
    Went { finished, log: log.entries(), orders: visited.ledger().count(ORDER), plans }
}

async fn order_by_cables(plot: &Arc<Plot>, cables: &[Cable]) -> Went {
    order_by_cables_as(plot, brain::coffee(), cables).await
}

async fn order_by_cables_as(plot: &Arc<Plot>, brain: Brain, cables: &[Cable]) -> Went {
    order_at(plot, brain, cables.iter().map(Cable::ws_url)).await
}

async fn order_at(plot: &Arc<Plot>, brain: Brain, addresses: impl Iterator<Item = String>) -> Went {
    let endpoints = Endpoints::new(addresses.map(|address| address.parse().unwrap()).collect());
    let log = Kept::default();
    order(BrowserSource::Endpoints(endpoints), (&READY[0], brain), plot, |_| {}, log.clone(), &log).await
}

/// The moments of an errand whose cable is whole, with how often each comes in its turn.
async fn undamaged() -> &'static BTreeMap<(usize, Moment), usize> {
    static SEEN: OnceCell<BTreeMap<(usize, Moment), usize>> = OnceCell::const_new();
    SEEN.get_or_init(once_undamaged).await
}

async fn once_undamaged() -> BTreeMap<(usize, Moment), usize> {
    let whole = Arc::new(Plot::default());
    let went = order_by_cables(&whole, &[whole.whole()]).await;
    went.is_in_order("undamaged");
    assert_eq!((went.reconnected(), went.kind()), (0, OutcomeKind::Verified));
    std::mem::take(&mut *whole.seen.lock().unwrap())
}

/// The moments around the order, which is pressed again after the yes.
fn is_order(&(turn, moment): &(usize, Moment), last: usize) -> bool {
    turn + 1 >= last && matches!(moment, Moment::Input | Moment::Wire | Moment::Settling)
}

const DAMAGES: [Damage; 3] = [Damage::Cut, Damage::Kill, Damage::HalfOpen];

/// Damages the cable in one way: at every moment of every turn, or at a third of a few from everywhere and of all around the order.
async fn wherever_it_is(damage: Damage) {
    let seen: Vec<(usize, Moment)> = undamaged().await.keys().copied().collect();
    for kind in [
        Moment::Navigation,
        Moment::Observation,
        Moment::Screenshot,
        Moment::Input,
        Moment::Settling,
        Moment::Wire,
    ] {
        assert!(seen.iter().any(|(_, moment)| *moment == kind), "{kind:?} in {seen:?}");
    }
    let last = seen.iter().map(|(turn, _)| *turn).max().unwrap();
    let turns = DAMAGES.iter().position(|one| *one == damage).unwrap();
    let few = seen.len() / 2;
    let is_chosen = |number: usize, at: &(usize, Moment)| {
        (number % few == 2 || is_order(at, last)) && (number + at.0) % DAMAGES.len() == turns
    };
    let chosen = seen.iter().enumerate().filter(|(number, at)| is_long() || is_chosen(*number, at));
    let (mut hit, mut elsewhere) = (vec![], vec![]);
    for (_, at) in chosen {
        let plot = Arc::new(Plot::default());
        done_once(&plot, &[plot.cable(*at, damage), plot.whole()], &format!("{damage:?} at {at:?}")).await;
        let fired = plot.fired.lock().unwrap()[0];
        if fired == *at { hit.push(fired) } else { elsewhere.push((*at, fired)) }
    }
    // No run is quite like another, so a moment may not come. Then it was damaged a little later.
    assert!(elsewhere.len() <= (hit.len() + elsewhere.len()) / 10, "meant and hit: {elsewhere:?}");
    if is_long() {
        let kinds = |points: &[(usize, Moment)]| points.iter().map(|at| at.1).collect::<BTreeSet<_>>();
        let turns = |points: &[(usize, Moment)]| points.iter().map(|at| at.0).collect::<BTreeSet<_>>();
        assert_eq!((kinds(&hit), turns(&hit)), (kinds(&seen), turns(&seen)), "but for {elsewhere:?}");
    }
}

fn is_long() -> bool {
    long_or_short(1, 0) == 1
}

/// An errand by these cables, of which one is damaged, is in order and is told of the damage.
async fn done_once(plot: &Arc<Plot>, cables: &[Cable], what: &str) {
    let went = order_by_cables(plot, cables).await;
    assert_eq!((plot.fired(), went.reconnected()), (1, 1), "{what}: {:#?}", went.finished.outcome);
    went.is_in_order(what);
}

#[tokio::test]
async fn wherever_a_cable_is_cut_the_errand_is_done_once_or_says_what_is_not_known() {
    wherever_it_is(Damage::Cut).await;
}

#[tokio::test]
async fn wherever_the_browser_at_its_end_is_killed_the_errand_is_done_once_or_says_what_is_not_known() {
    wherever_it_is(Damage::Kill).await;
}

#[tokio::test]
async fn wherever_a_cable_falls_silent_the_errand_is_done_once_or_says_what_is_not_known() {
    wherever_it_is(Damage::HalfOpen).await;
}

/// What the browser was told is done then, and nobody here knows it.
#[tokio::test]
async fn wherever_the_answer_to_a_command_about_the_order_is_lost_it_is_done_once_or_not_known() {
    let seen = undamaged().await;
    let last = seen.keys().map(|(turn, _)| *turn).max().unwrap();
    let around = seen.iter().filter(|(at, _)| is_order(at, last));
    let each = around.flat_map(|(at, count)| (1..=*count).map(move |time| (*at, time)));
    // Every command in each way, or the last to the wire in one of them.
    let on_wire = each.clone().rfind(|((_, moment), _)| *moment == Moment::Wire);
    let chosen: Vec<_> = if is_long() { each.collect() } else { on_wire.into_iter().collect() };
    for (at, time) in chosen {
        for damage in DAMAGES.into_iter().take(long_or_short(3, 1)) {
            let plot = Arc::new(Plot::default());
            // One that does not come so often is followed by the next turn.
            let hit = move |now: (usize, Moment), times| {
                (now == at && times == time || now.0 > at.0).then_some(Break::Answer(damage))
            };
            let what = format!("{damage:?} over answer {time} at {at:?}");
            done_once(&plot, &[plot.damaged_at(hit), plot.whole()], &what).await;
        }
    }
}

#[tokio::test]
async fn a_model_that_orders_again_after_a_loss_is_stopped_at_the_wire() {
    // It believes nobody, begins the plan again, and presses whatever is there.
    let reckless = || Brain { checks: vec![], checked: vec![], ..brain::coffee() };
    type When = fn(&Plot, (usize, Moment)) -> bool;
    let cases: [(&str, When, bool); 2] = [
        ("before anything was approved", |_, now| now == (3, Moment::Input), false),
        ("when the shop has the order", |plot, _| plot.has_ordered(), true),
    ];
    for (what, when, is_kept_back) in cases {
        let plot = Arc::new(Plot::default());
        let watched = plot.clone();
        let cables = [
            plot.damaged_at(move |now, _| when(&watched, now).then_some(Break::Command(Damage::Cut))),
            plot.whole(),
        ];
        let went = order_by_cables_as(&plot, reckless(), &cables).await;
        let outcome = went.finished.outcome.as_ref().unwrap();
        assert_eq!((plot.fired(), went.reconnected()), (1, 1), "{what}");
        assert_eq!(went.orders, 1, "{what}: {outcome:#?}");
        let kept_back = went.count(|event| {
            let words = |done: &ActNote| done.trouble.as_ref().map(|trouble| trouble.words.clone());
            matches!(event, Event::Acted { done, .. } if words(done).is_some_and(|words| words.contains("it is not sent again")))
        });
        assert_eq!(kept_back > 0, is_kept_back, "{what}: {outcome:#?}");
        assert_eq!(outcome.kind == OutcomeKind::Verified, !is_kept_back, "{what}: {outcome:#?}");
    }
}

#[tokio::test]
async fn a_browser_that_is_lost_while_the_proof_is_read_proves_nothing_and_rejects_nothing() {
    let seen = undamaged().await;
    let last = seen.keys().map(|(turn, _)| *turn).max().unwrap();
    let looks = seen[&(last, Moment::Observation)];
    for count in (1..=looks).rev().take(long_or_short(looks, 1)) {
        let plot = Arc::new(Plot::default());
        let at = (last, Moment::Observation);
        let cables = [
            plot.damaged_at(move |now, times| {
                (now == at && times == count).then_some(Break::Command(Damage::Cut))
            }),
            plot.whole(),
        ];
        let went = order_by_cables(&plot, &cables).await;
        let what = format!("look {count} of {looks}");
        went.is_in_order(&what);
        assert_eq!((went.reconnected(), plot.fired()), (1, 1), "{what}");
        assert_eq!(went.kind(), OutcomeKind::Verified, "{what}: {:#?}", went.finished.outcome);
        assert_eq!(went.count(|event| matches!(event, Event::Rejected { .. })), 0, "{what}");
    }
}

#[tokio::test]
async fn endpoints_are_used_one_after_the_other_and_then_it_is_over() {
    let cases = [
        (3, Damage::HalfOpen, Damage::Cut),
        (2, Damage::Cut, Damage::Kill),
        (3, Damage::Cut, Damage::Kill),
        (2, Damage::Kill, Damage::HalfOpen),
    ];
    for (count, first, second) in cases.into_iter().take(long_or_short(4, 2)) {
        let plot = Arc::new(Plot::default());
        let mut cables =
            vec![plot.cable((3, Moment::Input), first), plot.cable((6, Moment::Input), second), plot.whole()];
        cables.truncate(count);
        // In the middle of it stands one whose token has expired: it is passed over.
        let expired = CdpStub::status(401);
        let mut addresses: Vec<_> = cables.iter().map(Cable::ws_url).collect();
        addresses.insert(1, expired.ws_url());
        let went = order_at(&plot, brain::coffee(), addresses.into_iter()).await;
        assert_eq!(expired.connections(), 1);
        let outcome = went.finished.outcome.as_ref().unwrap();
        assert_eq!(plot.fired(), 2);
        if count == 3 {
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

/// A log that has the browser sent a signal once this many entries are written.
struct KillsAt {
    log: Kept,
    left: usize,
    browser: Arc<AtomicU32>,
    signal: &'static str,
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
                assert!(
                    Command::new("kill").args([self.signal, &pid.to_string()]).status().unwrap().success()
                );
            }
        }
        Ok(())
    }

    async fn keep_picture(&mut self, _: &str, _: &[u8]) {}
}

async fn order_and_kill_at(ready: &Ready, entry: usize, signal: &'static str) -> Went {
    let (log, browser, plot) = (Kept::default(), Arc::new(AtomicU32::new(0)), Arc::new(Plot::default()));
    let started = browser.clone();
    let watch = move |event| {
        if let KeeperEvent::Started { pid: Some(pid), .. } = event {
            started.store(pid, Ordering::SeqCst);
        }
    };
    let journal = KillsAt { log: log.clone(), left: entry, browser, signal };
    let source = BrowserSource::Launch(LaunchOptions::default());
    order(source, (ready, brain::coffee()), &plot, watch, journal, &log).await
}

#[tokio::test]
async fn a_browser_of_ours_that_is_killed_at_any_line_of_the_log_is_replaced() {
    killed_at_lines(&READY[0], KILLED, |entry, last, is_ruled| {
        // All of them, or a few, and those around the order.
        entry % long_or_short(1, last / 2) == 0 || entry.abs_diff(is_ruled) <= 1
    })
    .await;
}

/// The request itself waits here, and leaves by the yes.
#[tokio::test]
async fn a_browser_that_is_killed_around_the_yes_to_what_a_script_sends_is_replaced_and_nothing_is_sent_twice()
 {
    killed_at_lines(&READY[1], KILLED, |entry, _, is_ruled| entry.abs_diff(is_ruled) <= long_or_short(4, 1))
        .await;
}

/// It lives and says nothing.
#[tokio::test]
async fn a_browser_of_ours_that_is_stopped_around_the_yes_is_replaced() {
    killed_at_lines(&READY[0], STOPPED, |entry, _, is_ruled| {
        entry.abs_diff(is_ruled + 1) <= long_or_short(4, 0)
    })
    .await;
}

const KILLED: &str = "-KILL";
const STOPPED: &str = "-STOP";

/// Sends the browser a signal at these lines of the log: each by its number, the number of all, and that of the answer to the question.
async fn killed_at_lines(ready: &Ready, signal: &'static str, chosen: impl Fn(usize, usize, usize) -> bool) {
    let whole = order_and_kill_at(ready, usize::MAX, signal).await;
    whole.is_in_order("not killed");
    let last = whole.log.len();
    let is_ruled = whole.log.iter().position(|entry| matches!(entry.event, Event::Ruled { .. })).unwrap();
    for entry in (6..last).filter(|entry| chosen(*entry, last, is_ruled)) {
        let went = order_and_kill_at(ready, entry, signal).await;
        let what = format!("{signal} at entry {entry} of {last}: {:?}", whole.log.get(entry - 1));
        went.is_in_order(&what);
        // Whoever looks or acts after that does so in another browser.
        let is_used = |entry: &Entry| matches!(entry.event, Event::Looked { .. } | Event::Acted { .. });
        let expected = usize::from(went.log.iter().skip(entry).any(is_used));
        assert_eq!(went.reconnected(), expected, "{what}");
    }
}
