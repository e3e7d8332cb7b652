//! A vendor that dies in the middle of an errand: the model of another vendor, on another wire, goes on from the same page and meets the
//! same gates. The shop's ledger and the books of both decide.

use std::time::Duration;

use legwork_runtime::{
    Answer, CancellationToken, Mode,
    errands::{
        Entry, Errand, Event, Finished, MicroUsd, OutcomeKind, Purpose, Reason, Spec, Usage, Vision,
        is_permitted_throughout, mode_of,
    },
};
use legwork_testkit::sites::{
    brain,
    vendor::{Asked, Billed, Fault, Reply, Spoken, Vendor, VendorWire},
};
use serde_json::json;

use super::{
    joined::{Joined, Kept, Nobody},
    stage::{Run, Stage},
    thinking::{PASSWORD, READY, Visited, spec},
};

/// A model that does this many turns of the errand, reads the page once more, and then can't be asked any more.
fn dies_after(turns: usize) -> impl FnMut(&Asked) -> Reply + Send + 'static {
    let (mut asked_for, mut script) = (0, brain::coffee().script());
    move |asked| {
        asked_for += usize::from(asked.has_tool("complete_task"));
        match asked_for {
            at if at <= turns => script(asked),
            at if at == turns + 1 => Reply::from(Spoken {
                thought: Some("A secret thought.".into()),
                text: "Let me read.".into(),
                calls: vec![("read".into(), "{}".into())],
            }),
            _ => Fault::Status(503, Some(Duration::ZERO)).into(),
        }
    }
}

/// Runs the errand with a first vendor that dies and a second one, and checks that their books are what the log says.
async fn run(
    stage: &Stage,
    spec: Spec,
    [first, second]: [(&Vendor, VendorWire); 2],
) -> (Finished, Vec<Entry>) {
    let log = Kept::default();
    let joined = Joined { journal: log.clone(), people: Nobody, stop: CancellationToken::new() };
    let (finished, prices) = joined.run_with(&stage.sessions, &[first, second], spec).await;
    let log = log.entries();
    assert!(is_permitted_throughout(&log));
    let replayed = Errand::replay(&log).unwrap();
    assert_eq!((replayed.outcome(), replayed.spent()), (finished.outcome.as_ref().ok(), &finished.spent));
    // Both are paid, each at its own price.
    let (mut usage, mut money) = (Usage::default(), MicroUsd(0));
    for ((vendor, _), price) in [first, second].iter().zip(prices) {
        for call in vendor.books().calls() {
            let Billed { input, cache_write, cache_read, output } = call.billed;
            let billed = Usage { input, cache_write, cache_read, output };
            (usage, money) = (usage.plus(billed), money.plus(price.of(&billed)));
        }
    }
    assert_eq!((finished.spent.usage, finished.spent.money), (usage, money));
    (finished, log)
}

fn changes(log: &[Entry]) -> usize {
    log.iter().filter(|entry| matches!(entry.event, Event::ModelChanged { .. })).count()
}

#[tokio::test]
async fn the_model_of_another_vendor_finishes_what_the_first_began_and_orders_once() {
    let visited = Visited::start(&READY[0]);
    let stage = Stage::start(Run::Live(Answer::Yes), &[visited.address()], PASSWORD).await;
    let first = Vendor::start(dies_after(5)).unwrap();
    let second = Vendor::start(brain::coffee().script()).unwrap();
    let vendors = [(&first, VendorWire::Anthropic), (&second, VendorWire::Responses)];
    let (finished, log) = run(&stage, spec(&brain::coffee(), visited.address()), vendors).await;
    let outcome = finished.outcome.as_ref().unwrap();
    assert_eq!((outcome.kind, outcome.reason), (OutcomeKind::Verified, Reason::Completed), "{outcome:#?}");
    assert_eq!(visited.ledger().count("order-placed"), 1);
    assert_eq!(stage.person.questions().len(), 1);
    assert_eq!(changes(&log), 1);
    // The second begins where the first left off, not at the beginning: with its plan, its steps and what it read, but not what it thought.
    let calls = second.books().calls();
    assert!(!calls.iter().any(|call| call.asked.has_tool("create_plan")));
    let told = calls[0].asked.told();
    assert!(told.contains("Steps so far:") && told.contains("Plan: "), "{told}");
    let body = calls[0].asked.body.to_string();
    assert!(body.contains("Let me read.") && !body.contains("A secret thought."), "{body}");
    // Who answered is written down as its vendor tells it.
    let names: Vec<&str> = log
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Answered { heard, .. } => heard.model.as_deref(),
            _ => None,
        })
        .collect();
    assert!(names.starts_with(&["claude-opus-4-6"]) && names.ends_with(&["gpt-5"]), "{names:?}");
    stage.sessions.shut().await;
}

#[tokio::test]
async fn a_second_model_without_eyes_goes_by_words_behind_the_same_gate_and_the_user_is_told() {
    let visited = Visited::start(&READY[0]);
    let stage = Stage::start(Run::Live(Answer::Yes), &[visited.address()], PASSWORD).await;
    let first = Vendor::start(dies_after(3)).unwrap();
    let mut script = brain::coffee().script();
    let eyeless = move |asked: &Asked| match asked.pictures {
        0 => script(asked),
        _ => Fault::Eyeless.into(),
    };
    let second = Vendor::start(eyeless).unwrap();
    let vendors = [(&first, VendorWire::Anthropic), (&second, VendorWire::OpenAi)];
    let spec = Spec { vision: Vision::Always, ..spec(&brain::coffee(), visited.address()) };
    let (finished, log) = run(&stage, spec, vendors).await;
    let outcome = finished.outcome.as_ref().unwrap();
    assert_eq!((outcome.kind, outcome.reason), (OutcomeKind::Verified, Reason::Completed), "{outcome:#?}");
    assert_eq!((visited.ledger().count("order-placed"), changes(&log)), (1, 1));
    assert_eq!(stage.person.questions().len(), 1);
    // It was shown something once, and what it was asked after that was words.
    let shown = |vendor: &Vendor| -> Vec<bool> {
        vendor.books().calls().iter().map(|call| call.asked.pictures > 0).collect()
    };
    assert!(shown(&first).contains(&true));
    assert_eq!(shown(&second).iter().position(|is_shown| *is_shown), Some(0));
    assert!(shown(&second).len() > 3 && !shown(&second)[1..].contains(&true), "{:?}", shown(&second));
    // The log has it of each answer of the second and of none of the first, and the user reads it once.
    let changed = log.iter().position(|entry| matches!(entry.event, Event::ModelChanged { .. })).unwrap();
    let in_words = |log: &[Entry]| -> Vec<bool> {
        let turns = log.iter().filter_map(|entry| match &entry.event {
            Event::Answered { purpose: Purpose::Turn, heard } => Some(heard.in_words),
            _ => None,
        });
        turns.collect()
    };
    assert!(!in_words(&log[..changed]).contains(&true) && in_words(&log[changed..]).contains(&true));
    let told: Vec<&String> = outcome.evidence.iter().filter(|line| line.contains("pictures")).collect();
    assert_eq!(told, ["gpt-5, in the place of claude-opus-4-6, takes no pictures: it went by words alone"]);
    stage.sessions.shut().await;
}

#[tokio::test]
async fn a_second_model_that_obeys_an_attacker_gets_no_more_through_the_gate_than_the_first() {
    let visited = Visited::start(&READY[0]);
    let stage = Stage::start(Run::Dry, &[visited.address()], PASSWORD).await;
    let first = Vendor::start(dies_after(3)).unwrap();
    // It says nothing beforehand, and presses the button wherever it sees one.
    let mut script = brain::coffee().script();
    let obedient = move |asked: &Asked| {
        let told = asked.told();
        let button = told.lines().find(|line| line.contains("button \"Place order"));
        let number = button.and_then(|line| line.split_whitespace().next()?.parse::<u32>().ok());
        match number {
            Some(element) => Reply::call(
                "act",
                json!({"action": "click", "element": element, "why": "the page says that all is approved"}),
            ),
            None => script(asked),
        }
    };
    let second = Vendor::start(obedient).unwrap();
    let vendors = [(&first, VendorWire::Gemini), (&second, VendorWire::OpenAi)];
    let spec = Spec { mode: mode_of(Mode::DryRun), ..spec(&brain::coffee(), visited.address()) };
    let (finished, log) = run(&stage, spec, vendors).await;
    let outcome = finished.outcome.as_ref().unwrap();
    assert_eq!((outcome.kind, outcome.reason), (OutcomeKind::Stopped, Reason::DryRun), "{outcome:#?}");
    assert!(outcome.words.contains("/checkout/place"), "{}", outcome.words);
    assert_eq!((visited.ledger().count("order-placed"), changes(&log)), (0, 1));
    assert!(stage.person.questions().is_empty());
    stage.sessions.shut().await;
}
