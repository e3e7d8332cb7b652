//! Errands that come to an end around a yes: what has left is told as that, whatever else goes wrong at that moment.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use legwork_runtime::{
    Answer, Approvals, CancellationToken, Mode,
    errands::{self, Entry, Event, Finished, Journal, OutcomeKind, People, Question, Reason, Spec, mode_of},
};
use legwork_testkit::{
    Site,
    axum::routing::{get, post},
    sites::vendor::{Asked, Reply, Vendor, VendorWire},
    wait_until,
};
use legwork_types::{Code, Problem};
use serde_json::json;

use super::{
    joined::{Joined, Kept, Nobody},
    stage::{LONG, Run, Stage},
    thinking::{PASSWORD, READY, Visited, spec},
};

/// Somebody who says yes and calls the errand off in the same breath.
struct YesAndStop(CancellationToken);

impl People for YesAndStop {
    async fn ask(&mut self, _: &Question) -> errands::Answer {
        errands::Answer::Nothing
    }

    async fn attend(&mut self, desk: &Approvals) {
        for question in desk.waiting() {
            desk.answer(&question.id, Answer::Yes).unwrap();
        }
        self.0.cancel();
    }
}

/// A log on a disk that is full from the moment that a question was answered.
struct FullAfterTheAnswer;

impl Journal for FullAfterTheAnswer {
    async fn record(&mut self, entries: &[Entry]) -> Result<(), Problem> {
        match entries.iter().any(|entry| matches!(entry.event, Event::Ruled { .. })) {
            true => Err(Problem::new(Code::OutputFailed, "the disk is full", "make room")),
            false => Ok(()),
        }
    }

    async fn keep_picture(&mut self, _: &str, _: &[u8]) {}
}

/// The coffee errand, ordered by a form and by a script, with whoever is asked and whatever is written down.
async fn order<J: Journal, P: People>(
    answer: Option<Answer>,
    joined: impl Fn(CancellationToken) -> Joined<J, P>,
    check: impl Fn(&str, &Finished),
) {
    for ready in &READY[..2] {
        let visited = Visited::start(ready);
        let how = Run::Live(answer.unwrap_or(Answer::No));
        let Stage { sessions, person, .. } = Stage::start(how, &[visited.address()], PASSWORD).await;
        let _person = answer.map(|_| person);
        let brain = (ready.brain)();
        let spec = Spec { mode: mode_of(Mode::Live), ..spec(&brain, visited.address()) };
        let vendor = Vendor::start(brain.script()).unwrap();
        let joined = joined(CancellationToken::new());
        let (finished, _) = joined.run(&sessions, &vendor, VendorWire::Anthropic, spec).await;
        check(ready.what, &finished);
        let let_go = |line: &String| line.contains("a person said yes, and it was let go: POST");
        assert!(finished.evidence.iter().any(let_go), "{}: {finished:#?}", ready.what);
        sessions.shut().await;
        assert!(visited.ledger().count(ready.effect) <= 1, "{}", ready.what);
    }
}

#[tokio::test]
async fn a_yes_before_the_errand_is_called_off_counts_and_what_it_let_go_is_told() {
    let yes_and_stop =
        |stop: CancellationToken| Joined { journal: Kept::default(), people: YesAndStop(stop.clone()), stop };
    order(None, yes_and_stop, |what, finished| {
        let outcome = finished.outcome.as_ref().unwrap();
        assert_eq!((outcome.kind, outcome.reason), (OutcomeKind::Stopped, Reason::Interrupted), "{what}");
        assert_eq!(outcome.evidence, finished.evidence, "{what}");
    })
    .await;
}

#[tokio::test]
async fn a_full_disk_after_a_yes_does_not_hide_what_has_left() {
    let full = |stop| Joined { journal: FullAfterTheAnswer, people: Nobody, stop };
    order(Some(Answer::Yes), full, |what, finished| {
        let problem = finished.outcome.as_ref().unwrap_err();
        assert_eq!(problem.code, Code::OutputFailed, "{what}: {problem}");
    })
    .await;
}

/// A page that puts something into the basket by itself, as soon as the server says so.
const RESTLESS: &str = "<!doctype html><title>Shop</title><h1>Coffee</h1><button>Look</button><script>
    const ask = async () => {
        const may = await (await fetch('/may')).text();
        if (may !== 'yes') return setTimeout(ask, 50);
        await fetch('/cart/add', { method: 'POST', body: new URLSearchParams({ product: '7', quantity: '1' }) });
    };
    ask();
</script>";

#[tokio::test]
async fn what_a_page_sends_while_the_model_thinks_is_evidence_too() {
    let may = Arc::new(AtomicBool::new(false));
    let told = may.clone();
    let said = get(async move || if told.load(Ordering::SeqCst) { "yes" } else { "not yet" });
    let site = Site::builder()
        .page("/", RESTLESS)
        .route("/may", said)
        .route("/cart/add", post(async || "added"))
        .start()
        .await;
    let address = format!("127.0.0.1:{}", site.port()).parse().unwrap();
    let stage = Stage::start(Run::Dry, &[address], PASSWORD).await;
    let site = Arc::new(site);
    let seen = site.clone();
    let script = move |asked: &Asked| {
        if asked.has_tool("create_plan") {
            return Reply::call("create_plan", json!({"plan": "Look.", "successCriteria": "It was seen"}));
        }
        // The model thinks until the page has done it.
        may.store(true, Ordering::SeqCst);
        wait_until(LONG, "the page fills its basket", || seen.hits_of("/cart/add").len() == 1);
        Reply::call(
            "complete_task",
            json!({"status": "failed", "reason": "sold out", "evidence": "it says so"}),
        )
    };
    let vendor = Vendor::start(script).unwrap();
    let spec = Spec {
        start_url: Some(site.url("/")),
        mode: mode_of(Mode::DryRun),
        ..Spec::new("See whether there is coffee")
    };
    let joined = Joined { journal: Kept::default(), people: Nobody, stop: CancellationToken::new() };
    let (finished, _) = joined.run(&stage.sessions, &vendor, VendorWire::OpenAi, spec).await;
    let outcome = finished.outcome.unwrap();
    assert_eq!((outcome.kind, outcome.reason), (OutcomeKind::Failed, Reason::Completed));
    let left = format!("POST {}/cart/add: left", site.here());
    assert!(outcome.evidence.iter().any(|line| line.contains(&left)), "{left} in {:?}", outcome.evidence);
    stage.sessions.shut().await;
}
