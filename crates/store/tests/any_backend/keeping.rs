//! What is kept beside tasks.

use std::time::Duration;

use legwork_store::{Room, Store, Tier};

use super::support::{at, follows, id, under_way};

pub(crate) async fn pictures_are_kept_found_and_swept(store: &Store) {
    let (task, fence) = under_way(store, "a").await;
    let mine = (&task.id, &fence);
    for n in 1..=12_u8 {
        let name = format!("ota-{n:04}.jpg");
        store.keep(mine, &name, vec![n; 100], Tier::Hot, at(u64::from(n))).await.unwrap();
    }
    store.keep(mine, "ota-0003.jpg", vec![99; 50], Tier::Hot, at(20)).await.unwrap();
    store.keep(mine, "why.jpg", vec![7; 10], Tier::Audit, at(1)).await.unwrap();
    assert_eq!(store.kept(&task.id, "ota-0003.jpg").await.unwrap(), Some(vec![99; 50]), "the latest");
    assert_eq!(store.kept(&task.id, "none.jpg").await.unwrap(), None);
    assert_eq!(store.kept(&id("nobody"), "why.jpg").await.unwrap(), None);
    assert!(store.keep(mine, "../out.jpg", vec![], Tier::Hot, at(21)).await.is_err());

    let room =
        Room { most_of_task: 10, at_once: 3, most_bytes: 1_000_000, audit: Duration::from_millis(100) };
    let swept = store.sweep(&room, at(50)).await.unwrap();
    assert_eq!((swept.files, swept.bytes), (3, 300));
    for (name, is_there) in
        [("ota-0001.jpg", false), ("ota-0002.jpg", false), ("ota-0004.jpg", false), ("ota-0003.jpg", true)]
    {
        assert_eq!(store.kept(&task.id, name).await.unwrap().is_some(), is_there, "{name}");
    }
    let little = Room { most_bytes: 120, ..room };
    assert_eq!(store.sweep(&little, at(50)).await.unwrap().files, 8, "only the newest fits");
    assert_eq!(store.sweep(&little, at(101)).await.unwrap().files, 1, "its days are over");
    assert_eq!(store.kept(&task.id, "why.jpg").await.unwrap(), None);
    follows(
        &store.view(&task.id).await.unwrap().unwrap(),
        &store.lines(Some(&task.id), 0, 100).await.unwrap(),
    );
}
