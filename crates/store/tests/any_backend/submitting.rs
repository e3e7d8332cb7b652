//! Handing tasks in, and finding them.

use legwork_store::{Page, Store, StoreError, Submission, Submitted, TaskState};

use super::support::{at, id, json, owner, submission};

pub(crate) async fn what_is_handed_in_waits_for_its_turn_in_order(store: &Store) {
    assert_eq!(store.claim(&owner("me"), at(1)).await.unwrap(), None);
    for (name, when) in [("second", 20), ("first", 10), ("third", 30)] {
        let submitted = store.submit(id(name), submission(name), at(when)).await.unwrap();
        assert!(
            matches!(&submitted, Submitted::New(task) if task.state == TaskState::Queued),
            "{submitted:?}"
        );
    }
    let twice = store.submit(id("first"), submission("again"), at(40)).await;
    assert!(matches!(twice, Err(StoreError::Illegal { .. })), "{twice:?}");
    for name in ["first", "second", "third"] {
        let task = store.claim(&owner("me"), at(50)).await.unwrap().unwrap();
        assert_eq!((task.id, task.state, task.epoch), (id(name), TaskState::Running, 1));
    }
    assert_eq!(store.claim(&owner("me"), at(60)).await.unwrap(), None);
    assert_eq!(store.counts().await.unwrap(), [(TaskState::Running, 3)]);
}

pub(crate) async fn the_same_key_is_the_same_task_and_nothing_else(store: &Store) {
    let keyed = |goal: &str| Submission { key: Some("k".into()), ..submission(goal) };
    store.submit(id("a"), keyed("coffee"), at(1)).await.unwrap();
    let again = store.submit(id("b"), keyed("coffee"), at(2)).await.unwrap();
    assert!(matches!(&again, Submitted::Before(task) if task.id == id("a")), "{again:?}");
    let other = [keyed("tea"), Submission { order: json("{\"mode\": \"dry-run\"}"), ..keyed("coffee") }];
    for other in other {
        let refused = store.submit(id("c"), other, at(3)).await;
        assert!(matches!(&refused, Err(StoreError::KeyUsed(task)) if *task == id("a")), "{refused:?}");
    }
    let stranger = Submission { caller: "eve".into(), ..keyed("tea") };
    assert!(matches!(store.submit(id("d"), stranger, at(4)).await, Ok(Submitted::New(_))));
    // Also at the same moment.
    let racing = (0..20).map(|n| {
        let store = store.clone();
        let same = Submission { key: Some("race".into()), ..submission("coffee") };
        tokio::spawn(async move { store.submit(id(&format!("r{n}")), same, at(5)).await.unwrap() })
    });
    let mut new = 0;
    for one in racing.collect::<Vec<_>>() {
        new += usize::from(matches!(one.await.unwrap(), Submitted::New(_)));
    }
    assert_eq!(new, 1);
}

pub(crate) async fn tasks_are_listed_in_parts_the_newest_first(store: &Store) {
    for n in 0..25_u64 {
        // Several of the same moment.
        store.submit(id(&format!("t{n:02}")), submission("x"), at(n / 3)).await.unwrap();
    }
    store.claim(&owner("me"), at(100)).await.unwrap();
    let (mut before, mut seen) = (None, vec![]);
    loop {
        let part = store.tasks(&Page { before, most: 7, ..Page::default() }).await.unwrap();
        let Some(last) = part.last() else { break };
        before = Some(last.id.clone());
        seen.extend(part.into_iter().map(|task| task.id.0));
    }
    let expected: Vec<String> = (0..25).rev().map(|n| format!("t{n:02}")).collect();
    assert_eq!(seen, expected);
    let running = Page { states: vec![TaskState::Running, TaskState::Ended], ..Page::default() };
    let running: Vec<_> = store.tasks(&running).await.unwrap().into_iter().map(|task| task.id.0).collect();
    assert_eq!(running, ["t00"]);
    let unknown = Page { before: Some(id("nobody")), ..Page::default() };
    assert!(matches!(store.tasks(&unknown).await, Err(StoreError::NoTask(_))));
}
