//! Several processes that use one database at the same time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::{env, ffi::OsStr, path::Path};

use legwork_store::{Check, Store, TaskState};
use legwork_testkit::long_or_short;

use self::support::{
    at, ended, entry,
    everything::everything,
    id,
    other::{Other, may_go_on, tell},
    owner, step, submission, under_way,
};

const FOLDER: &str = "LEGWORK_TEST_FOLDER";
const NAME: &str = "LEGWORK_TEST_NAME";

/// Not a test by itself: two processes run this one at the same time, and take a task whenever they are told to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_who_takes_tasks() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let me = owner(&env::var(NAME).unwrap());
    let store = Store::open(Path::new(&folder), Check::Quick).await.unwrap();
    tell("ready");
    while may_go_on() {
        let task = store.claim(&me, at(2)).await.unwrap().unwrap();
        let fence = task.fence().unwrap();
        store.record(&task.id, &fence, vec![step(1)], at(3)).await.unwrap();
        store.record(&task.id, &fence, vec![ended()], at(4)).await.unwrap();
        tell(&task.id.0);
    }
    store.close().await;
}

fn another(name: &str, folder: &Path) -> Other {
    let variables: [(&str, &OsStr); 2] = [(FOLDER, folder.as_os_str()), (NAME, name.as_ref())];
    let mut other = Other::begin("somebody_who_takes_tasks", variables);
    assert_eq!(other.tells().as_deref(), Some("ready"));
    other
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_share_a_database_do_each_task_once() {
    let tasks: Vec<String> = (0..long_or_short(400, 60)).map(|n| format!("t{n:03}")).collect();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Check::Whole).await.unwrap();
    for name in &tasks {
        store.submit(id(name), submission("x"), at(1)).await.unwrap();
    }
    let mut others = ["a", "b"].map(|name| another(name, folder.path()));
    let mut taken = vec![];
    for _ in 0..tasks.len() / 2 {
        others.iter_mut().for_each(Other::go);
        taken.extend(others.each_mut().map(|other| other.tells().expect("it goes on")));
    }
    others.into_iter().for_each(|other| drop(other.end()));
    taken.sort();
    assert_eq!(taken, tasks);
    let now = everything(&store).await.unwrap();
    now.hangs_together();
    assert_eq!(now.counts, [(TaskState::Ended, tasks.len() as u64)]);
    assert!(now.tasks.iter().all(|task| task.epoch == 1));
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_reads_before_it_writes_waits_for_its_turn_and_is_not_turned_away() {
    let folder = tempfile::tempdir().unwrap();
    let first = Store::open(folder.path(), Check::Whole).await.unwrap();
    let second = Store::open(folder.path(), Check::Quick).await.unwrap();
    let writers: Vec<_> = [&first, &second, &first, &second]
        .into_iter()
        .cloned()
        .enumerate()
        .map(|(name, store)| {
            tokio::spawn(async move {
                for n in 0..25 {
                    store.submit(id(&format!("{name}-{n}")), submission("x"), at(1)).await.unwrap();
                    let task = store.claim(&owner(&name.to_string()), at(2)).await.unwrap().unwrap();
                    let facts = vec![entry("x"), ended()];
                    store.record(&task.id, &task.fence().unwrap(), facts, at(3)).await.unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let all = everything(&first).await.unwrap();
    all.hangs_together();
    assert_eq!(all.counts, [(TaskState::Ended, 100)]);
    first.close().await;
    second.close().await;
}

/// To close a file takes all locks of a process off it, also those that others in the process rely on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_opens_a_folder_twice_keeps_its_hold_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Check::Whole).await.unwrap();
    let (task, fence) = under_way(&store, "a").await;
    for check in [Check::Quick, Check::Whole] {
        Store::open(folder.path(), check).await.unwrap().close().await;
    }
    // Whoever believed to be the last one would clear away what the others have written.
    another("b", folder.path()).end();
    store.record(&task.id, &fence, vec![ended()], at(5)).await.unwrap();
    store.submit(id("b"), submission("b"), at(6)).await.unwrap();
    let mut other = another("c", folder.path());
    other.go();
    assert_eq!(other.tells().as_deref(), Some("b"), "what is written is seen by all");
    other.end();
    assert_eq!(store.counts().await.unwrap(), [(TaskState::Ended, 2)]);
    store.close().await;
}
