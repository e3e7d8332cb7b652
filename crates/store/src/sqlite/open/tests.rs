//! Steps from version to version, with some that are yet to come: each as a whole or not at all, whoever ends in the middle of them.

use std::{
    env,
    ffi::OsStr,
    thread,
    time::{Duration, Instant},
};

use legwork_testkit::long_or_short;
use legwork_types::Timestamp;
use tempfile::TempDir;

use super::*;
use crate::{Json, Owner, Submission, TaskId, TaskState};

#[path = "../../../tests/support/chance.rs"]
#[allow(dead_code, clippy::print_stdout)]
mod chance;
#[path = "../../../tests/support/other.rs"]
#[allow(dead_code)]
mod other;

use chance::Chance;
use other::{Other, may_go_on, tell};

const FOLDER: &str = "LEGWORK_TEST_FOLDER";
/// How many rows a step has to do with.
const ROWS: i64 = 40_000;

/// What a later program may know.
const LATER: Steps = &[
    STEPS[0],
    "ALTER TABLE steps ADD COLUMN size INTEGER; UPDATE steps SET size = length(body)",
    "CREATE TABLE marks (mark TEXT NOT NULL); INSERT INTO marks VALUES ('third');
     CREATE INDEX steps_by_size ON steps (size, body)",
    "INSERT INTO marks VALUES ('fourth')",
];

async fn raw(folder: &Path) -> SqliteConnection {
    options(&folder.join(FILE)).connect().await.unwrap()
}

async fn told(db: &mut SqliteConnection, sql: &'static str) {
    sqlx::raw_sql(sql).execute(db).await.unwrap();
}

fn submission() -> Submission {
    let order = Json::of(&"order").unwrap();
    Submission { goal: "x".into(), caller: "ada".into(), key: None, order, again: None }
}

/// A folder of the first version in which much has happened.
async fn of_the_first_version() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let database = Sqlite::open(folder.path(), Check::Whole).await.unwrap();
    database.submit(TaskId("a".into()), submission(), Timestamp::default()).await.unwrap();
    database.close().await;
    let mut db = raw(folder.path()).await;
    told(
        &mut db,
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40000)
         INSERT INTO steps SELECT 'old', n, printf('%0100d', n), '' FROM numbers",
    )
    .await;
    db.close().await.unwrap();
    folder
}

/// Which version a file is of, and that it is all of that version and nothing of the next.
async fn whole_version(folder: &Path) -> i64 {
    let mut db = raw(folder).await;
    let mut count = async |question| number(&mut db, question).await.unwrap();
    let version = count("PRAGMA user_version").await;
    let is_there = |from: i64| i64::from(version >= from);
    let columns = "SELECT COUNT(*) FROM pragma_table_info('steps') WHERE name = 'size'";
    assert_eq!(count(columns).await, is_there(2), "of version {version}");
    if version >= 2 {
        let filled = count("SELECT COUNT(*) FROM steps WHERE size = length(body)").await;
        assert_eq!(filled, ROWS, "of version {version}");
    }
    let made = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('marks', 'steps_by_size')";
    assert_eq!(count(made).await, 2 * is_there(3), "of version {version}");
    if version >= 3 {
        assert_eq!(count("SELECT COUNT(*) FROM marks").await, is_there(3) + is_there(4));
    }
    assert_eq!(count("SELECT COUNT(*) FROM steps").await, ROWS);
    db.close().await.unwrap();
    version
}

/// Not a test by itself: a later program, in a process of its own.
#[tokio::test]
async fn somebody_later() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    tell("begins");
    may_go_on();
    let database = Sqlite::open_at(Path::new(&folder), Check::Quick, LATER).await.unwrap();
    tell("is done");
    may_go_on();
    database.close().await;
}

fn later(folder: &Path) -> Other {
    let variables: [(&str, &OsStr); 1] = [(FOLDER, folder.as_os_str())];
    let mut other = Other::begin("sqlite::open::tests::somebody_later", variables);
    assert_eq!(other.tells().as_deref(), Some("begins"));
    other
}

#[tokio::test]
async fn whoever_is_killed_while_a_file_is_brought_up_to_date_leaves_a_whole_version() {
    let (mut chance, mut versions) = (Chance::new(), vec![]);
    let folder = of_the_first_version().await;
    let begun = Instant::now();
    let mut other = later(folder.path());
    other.go();
    assert_eq!(other.tells().as_deref(), Some("is done"));
    let takes = u64::try_from(begun.elapsed().as_micros()).unwrap();
    other.end();
    assert_eq!(whole_version(folder.path()).await, 4);
    for _ in 0..long_or_short(20, 2) {
        let folder = of_the_first_version().await;
        for _ in 0..5 {
            let mut other = later(folder.path());
            other.go();
            // Not to wait for anything: any moment has to do.
            thread::sleep(Duration::from_micros(chance.below(takes)));
            other.kill();
            versions.push(whole_version(folder.path()).await);
        }
        let database = Sqlite::open_at(folder.path(), Check::Whole, LATER).await.unwrap();
        let task = database.claim(Owner("me".into()), Timestamp::default()).await.unwrap().unwrap();
        assert_eq!((task.id.0.as_str(), task.state), ("a", TaskState::Running));
        database.close().await;
        assert_eq!(whole_version(folder.path()).await, 4);
    }
    println!("killed at version {versions:?}");
    assert!(versions.iter().any(|version| *version < 4), "nobody was killed in time: {versions:?}");
}

#[tokio::test]
async fn whoever_comes_at_the_same_time_finds_it_done() {
    let folder = of_the_first_version().await;
    let mut others = [later(folder.path()), later(folder.path()), later(folder.path())];
    others.iter_mut().for_each(Other::go);
    for other in &mut others {
        assert_eq!(other.tells().as_deref(), Some("is done"));
    }
    others.into_iter().for_each(|other| drop(other.end()));
    assert_eq!(whole_version(folder.path()).await, 4);
}

#[tokio::test]
async fn an_earlier_program_leaves_a_later_file_alone() {
    let folder = of_the_first_version().await;
    let earlier = Sqlite::open(folder.path(), Check::Quick).await.unwrap();
    let database = Sqlite::open_at(folder.path(), Check::Whole, LATER).await.unwrap();
    // Also one that runs already.
    let refused = earlier.submit(TaskId("b".into()), submission(), Timestamp::default()).await;
    assert!(matches!(refused, Err(StoreError::Newer { found: 4, known: 1, .. })), "{refused:?}");
    earlier.close().await;
    for check in [Check::Whole, Check::Quick] {
        let refused = Sqlite::open(folder.path(), check).await;
        assert!(matches!(refused, Err(StoreError::Newer { found: 4, known: 1, .. })), "{refused:?}");
    }
    database.submit(TaskId("b".into()), submission(), Timestamp::default()).await.unwrap();
    database.close().await;
    assert_eq!(whole_version(folder.path()).await, 4);
}

#[tokio::test]
async fn a_file_that_is_not_what_its_version_says_is_not_brought_up_to_date() {
    let folder = of_the_first_version().await;
    Sqlite::open_at(folder.path(), Check::Whole, LATER).await.unwrap().close().await;
    let mut db = raw(folder.path()).await;
    told(&mut db, "PRAGMA user_version = 1").await;
    db.close().await.unwrap();
    for check in [Check::Whole, Check::Quick] {
        let refused = Sqlite::open_at(folder.path(), check, LATER).await;
        assert!(matches!(refused, Err(StoreError::Damaged { .. })), "{refused:?}");
    }
    let mut db = raw(folder.path()).await;
    told(&mut db, "PRAGMA user_version = 4").await;
    db.close().await.unwrap();
    assert_eq!(whole_version(folder.path()).await, 4);
}
