//! Whose task it is, and what may follow what.

use std::collections::BTreeSet;

use legwork_store::{Fact, Fence, Illegal, Says, Store, StoreError, TaskState, Wish};

use super::support::{
    answered, asked, at, committing, ended, entry, follows, id, owner, parked, step, submission, under_way,
};

pub(crate) async fn many_who_take_tasks_at_once_get_each_once(store: &Store) {
    const TASKS: usize = 200;
    for n in 0..TASKS {
        store.submit(id(&format!("t{n:03}")), submission("x"), at(1)).await.unwrap();
    }
    let workers: Vec<_> = (0..16)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut mine = vec![];
                while let Some(task) = store.claim(&owner(&format!("w{n}")), at(2)).await.unwrap() {
                    store.record(&task.id, &task.fence().unwrap(), vec![ended()], at(3)).await.unwrap();
                    mine.push(task.id);
                }
                mine
            })
        })
        .collect();
    let mut all = vec![];
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    let each: BTreeSet<_> = all.iter().cloned().collect();
    assert_eq!((all.len(), each.len()), (TASKS, TASKS));
    assert_eq!(store.counts().await.unwrap(), [(TaskState::Ended, 200)]);
}

pub(crate) async fn whoever_lost_a_task_writes_nothing_more(store: &Store) {
    let (task, old) = under_way(store, "a").await;
    store.record(&task.id, &old, vec![entry("one")], at(3)).await.unwrap();
    store.say(&task.id, Fact::Requeued { why: "its worker is gone".into() }, at(4)).await.unwrap();
    let nobodys = store.record(&task.id, &old, vec![entry("two")], at(5)).await;
    assert!(matches!(nobodys, Err(StoreError::Illegal { why: Illegal::NotTheDoer, .. })), "{nobodys:?}");
    // The same worker by its name, and another beginning.
    let again = store.claim(&old.owner, at(6)).await.unwrap().unwrap();
    let new = again.fence().unwrap();
    assert_eq!((new.epoch, again.requeued.as_deref()), (2, Some("its worker is gone")));
    let stranger = Fence { owner: owner("eve"), epoch: 2 };
    for fence in [&old, &stranger] {
        for fact in [entry("two"), committing("i", None), ended(), Fact::Cancelled, Fact::Paused] {
            let refused = store.record(&task.id, fence, vec![fact], at(7)).await;
            assert!(
                matches!(refused, Err(StoreError::Illegal { why: Illegal::NotTheDoer, .. })),
                "{refused:?}"
            );
        }
    }
    // And nobody without a right.
    let unfenced = store.say(&task.id, ended(), at(7)).await;
    assert!(matches!(unfenced, Err(StoreError::Illegal { why: Illegal::NotTheDoer, .. })), "{unfenced:?}");
    store.record(&task.id, &new, vec![entry("two"), ended()], at(8)).await.unwrap();
    let lines = store.lines(Some(&task.id), 0, 100).await.unwrap();
    let entries = lines.iter().filter(|line| matches!(line.fact, Fact::Entry { .. })).count();
    assert_eq!(entries, 2);
    follows(&store.view(&task.id).await.unwrap().unwrap(), &lines);
}

pub(crate) async fn what_can_not_follow_is_refused_and_leaves_no_trace(store: &Store) {
    let (task, fence) = under_way(store, "a").await;
    let before = (store.view(&task.id).await.unwrap(), store.last().await.unwrap());
    // The last of several spoils them all.
    let refused = store.record(&task.id, &fence, vec![step(1), asked("q"), parked("other")], at(3)).await;
    assert!(matches!(refused, Err(StoreError::Illegal { why: Illegal::NoQuestion, .. })), "{refused:?}");
    assert_eq!((store.view(&task.id).await.unwrap(), store.last().await.unwrap()), before);
    store.record(&task.id, &fence, vec![ended()], at(4)).await.unwrap();
    let over = store.view(&task.id).await.unwrap();
    let again = vec![
        Fact::Claimed { owner: owner("eve") },
        Fact::Requeued { why: "once more".into() },
        Fact::Resumed,
        Fact::PauseWanted,
        Fact::CancelWanted { by: "eve".into() },
        answered("q", Says::Yes),
        Fact::Submitted { submission: submission("a") },
    ];
    for fact in again {
        let refused = store.say(&task.id, fact.clone(), at(5)).await;
        let is_refused = matches!(
            refused,
            Err(StoreError::Illegal { why: Illegal::State(TaskState::Ended) | Illegal::NotTheDoer, .. })
        );
        assert!(is_refused, "{fact:?}: {refused:?}");
    }
    assert_eq!(store.view(&task.id).await.unwrap(), over, "what is done stays done");
    assert!(matches!(store.say(&id("nobody"), Fact::Resumed, at(6)).await, Err(StoreError::NoTask(_))));
}

pub(crate) async fn people_pause_resume_and_call_off(store: &Store) {
    let cancel = || Fact::CancelWanted { by: "ada".into() };
    // One that nobody does yet.
    store.submit(id("idle"), submission("x"), at(1)).await.unwrap();
    assert_eq!(store.say(&id("idle"), Fact::PauseWanted, at(2)).await.unwrap().state, TaskState::Paused);
    assert_eq!(store.claim(&owner("me"), at(3)).await.unwrap(), None, "it rests");
    assert_eq!(store.say(&id("idle"), Fact::Resumed, at(4)).await.unwrap().state, TaskState::Queued);
    assert_eq!(store.say(&id("idle"), cancel(), at(5)).await.unwrap().state, TaskState::Cancelled);
    // One that somebody does: it rests or ends when that one says so.
    let (task, fence) = under_way(store, "busy").await;
    let told = store.say(&task.id, Fact::PauseWanted, at(6)).await.unwrap();
    assert_eq!((told.state, told.wish), (TaskState::Running, Wish::Pause));
    let told = store.say(&task.id, Fact::Resumed, at(7)).await.unwrap();
    assert_eq!((told.state, told.wish), (TaskState::Running, Wish::None), "before it rested");
    store.say(&task.id, Fact::PauseWanted, at(8)).await.unwrap();
    let rests = store.record(&task.id, &fence, vec![Fact::Paused], at(9)).await.unwrap();
    assert_eq!((rests.state, rests.wish, rests.owner), (TaskState::Paused, Wish::None, None));
    store.say(&task.id, Fact::Resumed, at(10)).await.unwrap();
    let again = store.claim(&owner("me"), at(11)).await.unwrap().unwrap();
    let told = store.say(&task.id, cancel(), at(12)).await.unwrap();
    assert_eq!((told.state, told.wish), (TaskState::Running, Wish::Cancel));
    let off = store.record(&task.id, &again.fence().unwrap(), vec![Fact::Cancelled], at(13)).await.unwrap();
    assert_eq!((off.state, off.owner), (TaskState::Cancelled, None));
    // One whose worker is gone before it heard of that.
    for (name, wish, state) in
        [("c", cancel(), TaskState::Cancelled), ("p", Fact::PauseWanted, TaskState::Paused)]
    {
        let (task, _) = under_way(store, name).await;
        store.say(&task.id, wish, at(14)).await.unwrap();
        let left = store.say(&task.id, Fact::Requeued { why: "a restart".into() }, at(15)).await.unwrap();
        assert_eq!((left.state, left.wish), (state, Wish::None), "{name}");
    }
}

pub(crate) async fn the_log_is_read_on_from_any_place(store: &Store) {
    let (task, fence) = under_way(store, "a").await;
    store.submit(id("b"), submission("b"), at(3)).await.unwrap();
    let mut written = store.written();
    written.mark_unchanged();
    for n in 0..30 {
        store.record(&task.id, &fence, vec![step(n)], at(4)).await.unwrap();
    }
    assert!(written.has_changed().unwrap());
    let (mut after, mut numbers) = (0, vec![]);
    loop {
        let part = store.lines(Some(&task.id), after, 7).await.unwrap();
        let Some(last) = part.last() else { break };
        after = last.seq;
        numbers.extend(part.iter().map(|line| line.number));
    }
    assert_eq!(numbers, (1..=32).collect::<Vec<u64>>());
    let all = store.lines(None, 0, 1_000).await.unwrap();
    assert_eq!(all.len(), 33);
    assert!(all.is_sorted_by_key(|line| line.seq));
    assert_eq!(all.last().unwrap().seq, store.last().await.unwrap());
    let view = store.view(&task.id).await.unwrap().unwrap();
    assert_eq!((view.steps.len(), view.task.used.calls, view.task.used.micro_usd), (30, 30, 270_000));
}
