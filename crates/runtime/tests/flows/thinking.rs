//! Whole errands by a model: planned, driven, asked about and proved, with a vendor whose model is a script. What the servers' ledgers
//! and the vendor's books say decides.

use std::{net::SocketAddr, rc::Rc, sync::Arc};

use legwork_runtime::{
    Answer, Approval, CancellationToken, Mode,
    errands::{
        self, Entry, Errand, Event, Finished, OutcomeKind, Price, Reason, Spec, is_permitted_throughout,
        mode_of,
    },
};
use legwork_testkit::sites::{
    Bundled, CoffeeOptions, Ledger, PayStep, StreamOptions,
    brain::{self, Brain},
    vendor::{Asked, Billed, Books, Reply, Vendor, VendorWire},
};
use serde_json::json;
use tokio::{
    sync::Semaphore,
    task::{LocalSet, spawn_local},
};

use super::{
    joined::{Joined, Kept, Nobody},
    stage::{Run, Stage},
};

pub(crate) const PASSWORD: &str = "oak-steam-and-glow-42";

/// How an errand went, and all that was written down about it.
pub(crate) struct Done {
    pub(crate) finished: Finished,
    pub(crate) log: Vec<Entry>,
    pub(crate) books: Books,
    price: Price,
}

impl Done {
    pub(crate) fn outcome(&self) -> (OutcomeKind, Reason) {
        let outcome = self.finished.outcome.as_ref().unwrap();
        (outcome.kind, outcome.reason)
    }

    /// What is so of every errand, however it ended.
    pub(crate) fn is_in_order(&self, what: &str) {
        assert!(is_permitted_throughout(&self.log), "{what}: nothing without a permit");
        let replayed = Errand::replay(&self.log).unwrap();
        assert_eq!(replayed.outcome(), self.finished.outcome.as_ref().ok(), "{what}");
        assert_eq!(replayed.spent(), &self.finished.spent, "{what}");
        // What the log says was spent is what the vendor charged.
        let Billed { input, cache_write, cache_read, output } = self.books.billed();
        let usage = errands::Usage { input, cache_write, cache_read, output };
        assert_eq!(self.finished.spent.usage, usage, "{what}");
        let charged = self.books.calls().iter().fold(errands::MicroUsd(0), |sum, call| {
            let Billed { input, cache_write, cache_read, output } = call.billed;
            sum.plus(self.price.of(&errands::Usage { input, cache_write, cache_read, output }))
        });
        assert_eq!(self.finished.spent.money, charged, "{what}");
    }
}

/// Runs an errand in sessions of this stage.
pub(crate) async fn run(
    stage: &Stage,
    wire: VendorWire,
    spec: Spec,
    script: impl FnMut(&Asked) -> Reply + Send + 'static,
) -> Done {
    let vendor = Vendor::start(script).unwrap();
    let log = Kept::default();
    let mode = match stage.run {
        Run::Dry => Mode::DryRun,
        Run::Live(_) => Mode::Live,
    };
    let spec = Spec { mode: mode_of(mode), ..spec };
    let joined = Joined { journal: log.clone(), people: Nobody, stop: CancellationToken::new() };
    let (finished, price) = joined.run(&stage.sessions, &vendor, wire, spec).await;
    Done { finished, log: log.entries(), books: vendor.books(), price }
}

/// One of the ready errands, and what the server calls its effect.
pub(crate) struct Ready {
    pub(crate) what: &'static str,
    pub(crate) brain: fn() -> Brain,
    pub(crate) is_stream: bool,
    pub(crate) pay: PayStep,
    pub(crate) effect: &'static str,
    /// What the request says that is asked about.
    shows: &'static [&'static str],
}

pub(crate) const READY: [Ready; 4] = [
    Ready {
        what: "coffee",
        brain: brain::coffee,
        is_stream: false,
        pay: PayStep::Form,
        effect: "order-placed",
        shows: &["/checkout/place", "total"],
    },
    Ready {
        what: "coffee that a script orders",
        brain: brain::coffee,
        is_stream: false,
        pay: PayStep::Script,
        effect: "order-placed",
        shows: &["/api/orders", "total"],
    },
    Ready {
        what: "the next instalment of a subscription",
        brain: brain::instalment,
        is_stream: false,
        pay: PayStep::Form,
        effect: "order-placed",
        shows: &["349.44"],
    },
    Ready {
        what: "a cancellation",
        brain: brain::cancellation,
        is_stream: true,
        pay: PayStep::Form,
        effect: "membership-cancelled",
        shows: &["/account/membership/cancel"],
    },
];

/// The sites for one errand.
pub(crate) struct Visited {
    bundled: Bundled,
    is_stream: bool,
}

impl Visited {
    pub(crate) fn start(ready: &Ready) -> Self {
        let coffee = CoffeeOptions { pay: ready.pay, password: PASSWORD.into(), ..CoffeeOptions::default() };
        let stream = StreamOptions { password: PASSWORD.into(), ..StreamOptions::default() };
        Self { bundled: Bundled::start_with(coffee, stream).unwrap(), is_stream: ready.is_stream }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        if self.is_stream { self.bundled.stream_address() } else { self.bundled.coffee_address() }
    }

    pub(crate) fn ledger(&self) -> Ledger {
        if self.is_stream { self.bundled.stream_ledger() } else { self.bundled.coffee_ledger() }
    }
}

pub(crate) fn spec(brain: &Brain, address: SocketAddr) -> Spec {
    Spec { start_url: Some(format!("http://{address}{}", brain.begins)), ..Spec::new(&brain.goal) }
}

/// Each errand by one of the wires at least, and each wire by one of the errands; coffee and the cancellation by two.
const CASES: [(usize, VendorWire); 6] = [
    (0, VendorWire::Anthropic),
    (0, VendorWire::OpenAi),
    (1, VendorWire::Responses),
    (2, VendorWire::Gemini),
    (3, VendorWire::Anthropic),
    (3, VendorWire::Responses),
];

/// As many errands as are run side by side.
const AT_ONCE: usize = 3;

/// One errand that was run, and all that there is to tell of it.
struct Ran {
    what: String,
    ready: &'static Ready,
    done: Done,
    visited: Visited,
    asked: Vec<Arc<Approval>>,
}

/// Runs these errands, each on sites of its own, a few side by side in one browser.
async fn all(how: Run, cases: &'static [(usize, VendorWire)]) -> Vec<Ran> {
    let visited: Vec<Visited> = cases.iter().map(|(at, _)| Visited::start(&READY[*at])).collect();
    let addresses: Vec<SocketAddr> = visited.iter().map(Visited::address).collect();
    let stage = Rc::new(Stage::start(how, &addresses, PASSWORD).await);
    let room = Rc::new(Semaphore::new(AT_ONCE));
    let begin = |((at, wire), visited): (&'static (usize, VendorWire), Visited)| {
        let (stage, room, ready) = (stage.clone(), room.clone(), &READY[*at]);
        spawn_local(async move {
            let _room = room.acquire().await.unwrap();
            let (brain, what) = ((ready.brain)(), format!("{} by {wire:?}", ready.what));
            let done = run(&stage, *wire, spec(&brain, visited.address()), brain.script()).await;
            done.is_in_order(&what);
            let here = visited.address().to_string();
            let is_here = |one: &Arc<Approval>| one.question.card.origin.contains(&here);
            let asked = stage.person.questions().into_iter().filter(is_here).collect();
            Ran { what, ready, done, visited, asked }
        })
    };
    let ran = async {
        let mut all = vec![];
        for task in cases.iter().zip(visited).map(begin).collect::<Vec<_>>() {
            all.push(task.await.unwrap());
        }
        all
    };
    let ran = LocalSet::new().run_until(ran).await;
    stage.sessions.shut().await;
    ran
}

#[tokio::test]
async fn with_a_yes_each_errand_has_one_effect_and_is_proved() {
    for Ran { what, ready, done, visited, asked } in all(Run::Live(Answer::Yes), &CASES).await {
        let outcome = done.finished.outcome.as_ref().unwrap();
        assert_eq!(done.outcome(), (OutcomeKind::Verified, Reason::Completed), "{what}: {outcome:#?}");
        assert_eq!(visited.ledger().count(ready.effect), 1, "{what}");
        assert_eq!(asked.len(), 1, "{what}: {asked:#?}");
        let card = format!("{:?}", asked[0].question.card);
        for part in ready.shows {
            assert!(card.contains(part), "{what}: {part} in {card}");
        }
        let is_evidence = |line: &String| line.contains("a person said yes, and it was let go");
        assert!(outcome.evidence.iter().any(is_evidence), "{what}: {outcome:#?}");
    }
}

#[tokio::test]
async fn as_a_dry_run_each_errand_comes_to_the_last_step_and_changes_nothing() {
    for Ran { what, ready, done, visited, asked } in all(Run::Dry, &CASES).await {
        let outcome = done.finished.outcome.as_ref().unwrap();
        assert_eq!(done.outcome(), (OutcomeKind::Stopped, Reason::DryRun), "{what}: {outcome:#?}");
        assert!(ready.shows.iter().any(|part| outcome.words.contains(part)), "{what}: {}", outcome.words);
        assert_eq!(visited.ledger().count(ready.effect), 0, "{what}");
        assert!(asked.is_empty(), "{what}");
    }
}

#[tokio::test]
async fn after_a_no_nothing_has_happened_and_the_errand_says_so() {
    for Ran { what, ready, done, visited, .. } in all(Run::Live(Answer::No), &CASES[2..5]).await {
        assert_eq!(done.outcome(), (OutcomeKind::Denied, Reason::HumanRejected), "{what}");
        assert_eq!(visited.ledger().count(ready.effect), 0, "{what}");
    }
}

#[tokio::test]
async fn what_is_said_to_be_done_on_a_wrong_page_is_not_taken_for_done() {
    let one = &READY[0];
    // A model that does nothing and says that all is done, and a judge that looks.
    let liar = |asked: &Asked| match (asked.has_tool("create_plan"), asked.has_tool("validate_task")) {
        (false, false) => Reply::call(
            "complete_task",
            json!({
                "status": "success", "reason": "I ordered it!", "evidence": "trust me",
                "answer": "Order QX-4711 is confirmed",
            }),
        ),
        _ => brain::coffee().reply(asked),
    };
    let visited = Visited::start(one);
    let stage = Stage::start(Run::Live(Answer::Yes), &[visited.address()], PASSWORD).await;
    let done = run(&stage, VendorWire::Anthropic, spec(&brain::coffee(), visited.address()), liar).await;
    done.is_in_order("a liar");
    assert_eq!(done.outcome(), (OutcomeKind::Unverified, Reason::VerificationFailed));
    let rejected = done.log.iter().filter(|entry| matches!(entry.event, Event::Rejected { .. })).count();
    assert_eq!(rejected, 2, "it goes back with the reason, and ends the third time");
    // The judge is not told what the model says of its own work.
    let judged = done.books.calls().into_iter().filter(|call| call.asked.has_tool("validate_task"));
    for call in judged {
        for praise in ["trust me", "I ordered it", "QX-4711"] {
            assert!(!call.asked.told().contains(praise), "{praise}");
        }
    }
    // Signs on the page outrank whatever a judge says: here one that is never there, and one that always is.
    let yes = move |asked: &Asked| match asked.has_tool("validate_task") {
        true => Reply::call(
            "validate_task",
            json!({"taskAssessment": "splendid", "completionQuality": "excellent"}),
        ),
        false => liar(asked),
    };
    let signs = |failure: &[&str], success: &[&str]| {
        let texts = |all: &[&str]| all.iter().map(|text| errands::Indicator::Text((*text).into())).collect();
        errands::Proof { failure: texts(failure), success: texts(success) }
    };
    for (proof, outcome) in [
        (signs(&[], &["Thank you for your order"]), OutcomeKind::Unverified),
        (signs(&["Harbour Light"], &["Harbour Light"]), OutcomeKind::Failed),
        (signs(&["Something went wrong"], &["Harbour Light"]), OutcomeKind::Verified),
    ] {
        let spec = Spec { proof: proof.clone(), ..spec(&brain::coffee(), visited.address()) };
        let done = run(&stage, VendorWire::OpenAi, spec, yes).await;
        assert_eq!(done.outcome().0, outcome, "{proof:?}");
        done.is_in_order("signs");
    }
    stage.sessions.shut().await;
    assert_eq!(visited.ledger().count("order-placed"), 0);
}
