//! Whatever happens in whichever order: what is kept is what the log leads to, and nothing impossible comes of it.

use legwork_store::{Fact, Fate, Owner, Says, Store, StoreError, TaskId, TaskState};
use legwork_testkit::long_or_short;
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use super::support::{
    OVER, answered, approval, asked, at, committing, ended, follows, id, intent, is_possible, owner, parked,
    step, submission,
};

/// Something that somebody tries.
#[derive(Debug, Clone)]
enum Try {
    Claim,
    /// By whoever does it, as far as the one who tries knows.
    Record(Vec<Fact>),
    Say(Fact),
}

fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("p"), Just("q"), Just("r")]
}

fn by_the_doer() -> impl Strategy<Value = Fact> {
    let fate = prop_oneof![Just(Fate::Sent), Just(Fate::NotSent), Just(Fate::Unknown), Just(Fate::Open)];
    prop_oneof![
        3 => any::<u32>().prop_map(step),
        2 => name().prop_map(asked),
        2 => name().prop_map(parked),
        2 => Just(Fact::Woken),
        2 => (name(), prop::option::of(name())).prop_map(|(intent, yes)| committing(intent, yes)),
        2 => (name(), fate).prop_map(|(name, fate)| Fact::Committed { intent: intent(name), fate }),
        1 => Just(Fact::Paused),
        1 => Just(Fact::Cancelled),
        1 => Just(ended()),
    ]
}

fn by_anybody() -> impl Strategy<Value = Fact> {
    let says = prop_oneof![Just(Says::Yes), Just(Says::No), Just(Says::YesForErrand)];
    prop_oneof![
        4 => (name(), says).prop_map(|(name, says)| answered(name, says)),
        1 => name().prop_map(|name| Fact::Expired { approval: approval(name) }),
        1 => name().prop_map(|name| Fact::Withdrawn { approval: approval(name) }),
        2 => Just(Fact::Requeued { why: "gone".into() }),
        2 => Just(Fact::Released { why: "gone".into() }),
        1 => Just(Fact::PauseWanted),
        1 => Just(Fact::Resumed),
        1 => Just(Fact::CancelWanted { by: "ada".into() }),
        1 => Just(Fact::Dropped { name: "x".into() }),
    ]
}

fn tries() -> impl Strategy<Value = Vec<(u64, Try)>> {
    let one = prop_oneof![
        3 => Just(Try::Claim),
        6 => prop::collection::vec(by_the_doer(), 1..4).prop_map(Try::Record),
        5 => by_anybody().prop_map(Try::Say),
    ];
    let when = prop_oneof![9 => 1..OVER, 1 => OVER..2 * OVER];
    prop::collection::vec((when, one), 1..40)
}

async fn attempt(
    store: &Store,
    task: &TaskId,
    me: &Owner,
    (when, one): (u64, Try),
) -> Result<(), StoreError> {
    match one {
        // Nobody else is queued: it is this one, or none.
        Try::Claim => store.claim(me, at(when)).await.map(drop),
        Try::Say(fact) => store.say(task, fact, at(when)).await.map(drop),
        Try::Record(facts) => {
            let Some(fence) = store.task(task).await?.unwrap().fence() else { return Ok(()) };
            store.record(task, &fence, facts, at(when)).await.map(drop)
        }
    }
}

pub(crate) async fn whatever_happens_the_log_leads_to_what_is_kept(store: &Store) {
    let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), seed);
    let me = owner("me");
    let (mut taken, mut states) = (0, std::collections::BTreeMap::<&str, usize>::new());
    let rounds = long_or_short(1_000, 25);
    for round in 0..rounds {
        let task = id(&format!("t{round}"));
        store.submit(task.clone(), submission("x"), at(1)).await.unwrap();
        // Names of questions and intents are unique in all tasks.
        let tries = tries().new_tree(&mut runner).unwrap().current();
        for one in tries {
            let before = store.view(&task).await.unwrap().unwrap();
            let named = renamed(one, round);
            match attempt(store, &task, &me, named.clone()).await {
                Ok(()) => taken += 1,
                Err(StoreError::Illegal { .. }) => {
                    assert_eq!(store.view(&task).await.unwrap().unwrap(), before, "{named:?} left a trace");
                }
                Err(other) => panic!("{named:?}: {other}"),
            }
            let view = store.view(&task).await.unwrap().unwrap();
            is_possible(&view);
            assert!(!before.task.state.is_final() || view.task.state == before.task.state, "{named:?}");
            assert!(view.task.epoch >= before.task.epoch);
        }
        let view = store.view(&task).await.unwrap().unwrap();
        follows(&view, &store.lines(Some(&task), 0, 1_000).await.unwrap());
        *states.entry(view.task.state.word()).or_default() += 1;
        // The next round has the queue for itself.
        if !view.task.state.is_final() {
            let _ = store.say(&task, Fact::Requeued { why: "over".into() }, at(1)).await;
            let _ = store.say(&task, Fact::CancelWanted { by: "ada".into() }, at(1)).await;
            assert_eq!(store.task(&task).await.unwrap().unwrap().state, TaskState::Cancelled);
        }
    }
    assert!(taken > 4 * rounds && states.len() >= 4, "too little was tried: {taken}, {states:?}");
}

/// The same with names that only this round has.
fn renamed((when, one): (u64, Try), round: usize) -> (u64, Try) {
    let rename = |fact: Fact| {
        let text = serde_json::to_string(&fact).unwrap();
        let text = ["p", "q", "r"]
            .iter()
            .fold(text, |text, name| text.replace(&format!("\"{name}\""), &format!("\"{name}{round}\"")));
        serde_json::from_str(&text).unwrap()
    };
    let one = match one {
        Try::Claim => Try::Claim,
        Try::Record(facts) => Try::Record(facts.into_iter().map(rename).collect()),
        Try::Say(fact) => Try::Say(rename(fact)),
    };
    (when, one)
}
