//! What the tests of the store share: a clock, tasks, and things that happen to them.
#![allow(dead_code, clippy::print_stdout)]

pub(crate) mod chance;
pub(crate) mod everything;
pub(crate) mod other;

use std::time::{Duration, UNIX_EPOCH};

use legwork_store::{
    ApprovalId, Asking, End, Fact, Fate, Fence, IntentId, Json, Owner, Says, Standing, Step, Store,
    Submission, Task, TaskId, TaskState, Used, Verdict, View, Wish,
};
use legwork_types::Timestamp;

/// A moment, in milliseconds.
pub(crate) fn at(millis: u64) -> Timestamp {
    Timestamp::of(UNIX_EPOCH + Duration::from_millis(millis))
}

/// When questions are over.
pub(crate) const OVER: u64 = 1_000_000;

pub(crate) fn id(name: &str) -> TaskId {
    TaskId(name.to_owned())
}

pub(crate) fn owner(name: &str) -> Owner {
    Owner(name.to_owned())
}

pub(crate) fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

pub(crate) fn submission(goal: &str) -> Submission {
    let (key, again) = (None, None);
    Submission { goal: goal.into(), caller: "ada".into(), key, order: json("{\"mode\": \"live\"}"), again }
}

pub(crate) fn entry(words: &str) -> Fact {
    Fact::Entry { entry: Json::of(&words).unwrap(), step: None, used: None }
}

pub(crate) fn step(number: u32) -> Fact {
    let step =
        Step { number, deed: format!("click {number}"), is_ok: true, brief: "done".into(), picture: None };
    let used = Used { calls: 1, input: 1_000, cached: 400, output: 50, micro_usd: 9_000 };
    Fact::Entry { entry: Json::of(&number).unwrap(), step: Some(step), used: Some(used) }
}

pub(crate) fn approval(name: &str) -> ApprovalId {
    ApprovalId(name.to_owned())
}

pub(crate) fn asked(name: &str) -> Fact {
    let question = json("{\"method\": \"POST\", \"path\": \"/order\"}");
    Fact::Asked { asking: Asking { id: approval(name), expires: at(OVER), question } }
}

pub(crate) fn parked(name: &str) -> Fact {
    Fact::Parked { approval: approval(name) }
}

pub(crate) fn verdict(says: Says) -> Verdict {
    Verdict { says, by: "ada".into(), way: "terminal".into() }
}

pub(crate) fn answered(name: &str, says: Says) -> Fact {
    Fact::Answered { approval: approval(name), verdict: verdict(says) }
}

pub(crate) fn intent(name: &str) -> IntentId {
    IntentId(name.to_owned())
}

pub(crate) fn committing(name: &str, yes: Option<&str>) -> Fact {
    Fact::Committing { intent: intent(name), approval: yes.map(approval), what: "POST /order".into() }
}

pub(crate) fn ended() -> Fact {
    Fact::Ended { end: End { kind: "verified".into(), words: "it is done".into(), outcome: json("{}") } }
}

/// A task that somebody does.
pub(crate) async fn under_way(store: &Store, name: &str) -> (Task, Fence) {
    store.submit(id(name), submission(name), at(1)).await.unwrap();
    let task = store.claim(&owner("me"), at(2)).await.unwrap().unwrap();
    let fence = task.fence().unwrap();
    (task, fence)
}

/// What is kept of a task is what its log leads to.
#[track_caller]
pub(crate) fn follows(view: &View, lines: &[legwork_store::Line]) {
    assert_eq!(View::replay(lines).as_ref(), Ok(view));
}

/// What can never be, whatever happened.
pub(crate) fn is_possible(view: &View) {
    let task = &view.task;
    assert_eq!(task.state == TaskState::Ended, task.end.is_some(), "{task:?}");
    assert!(task.state != TaskState::Running || task.owner.is_some(), "{task:?}");
    assert!(
        matches!(task.state, TaskState::Running | TaskState::Waiting) || task.owner.is_none(),
        "{task:?}"
    );
    assert!(task.state != TaskState::Waiting || task.waits_for.is_some(), "{task:?}");
    // Whoever waits and holds nothing hears of an answer that is yet to come, and of no other.
    let question = view.approvals.iter().find(|one| Some(&one.asking.id) == task.waits_for.as_ref());
    let is_told = task.owner.is_some() || question.is_some_and(|one| one.standing == Standing::Waiting);
    assert!(task.state != TaskState::Waiting || is_told, "{task:?} waits for {question:?}");
    assert!(task.wish == Wish::None || task.owner.is_some(), "{task:?}");
    for intent in &view.intents {
        assert!(intent.fate != Fate::Open || task.owner.is_some(), "{intent:?} of {task:?}");
        let yes = intent
            .approval
            .as_ref()
            .map(|id| view.approvals.iter().find(|one| one.asking.id == *id).unwrap());
        assert!(yes.is_none_or(|yes| yes.standing == Standing::Used), "{intent:?} without a yes");
    }
    for approval in &view.approvals {
        let uses =
            view.intents.iter().filter(|one| one.approval.as_ref() == Some(&approval.asking.id)).count();
        assert_eq!(uses, usize::from(approval.standing == Standing::Used), "{approval:?}");
        let is_yes = approval.verdict.as_ref().is_some_and(|verdict| verdict.says != Says::No);
        assert!(!matches!(approval.standing, Standing::Approved | Standing::Used) || is_yes, "{approval:?}");
        let is_open = matches!(approval.standing, Standing::Waiting | Standing::Approved);
        assert!(!is_open || !task.state.is_final(), "{approval:?} of {task:?}");
    }
}
