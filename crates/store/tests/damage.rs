//! Files that are not what was written: they are refused and left as they are, and nothing is ever told that was not so.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use legwork_store::{Check, Fact, Fate, Says, Store, StoreError, Tier};
use legwork_testkit::long_or_short;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use self::support::{
    answered, approval, asked, at,
    chance::Chance,
    committing, ended, entry,
    everything::{Everything, everything},
    id, intent, owner, parked, step, submission, verdict,
};

const FILE: &str = "legwork.db";
const WAL: &str = "legwork.db-wal";
const SHARED: &str = "legwork.db-shm";
/// Where a file of SQLite says of which version it is.
const VERSION: std::ops::Range<usize> = 60..64;

/// Much has happened here, and tasks stand in every way.
async fn fill(store: &Store) {
    for n in 0..24_u32 {
        let name = format!("t{n:02}");
        store.submit(id(&name), submission(&name), at(u64::from(n))).await.unwrap();
    }
    for n in 0..20_u32 {
        let task = store.claim(&owner("me"), at(30)).await.unwrap().unwrap();
        let (name, mine) = (task.id.0.clone(), task.fence().unwrap());
        let record = async |facts| store.record(&task.id, &mine, facts, at(31)).await.unwrap();
        record(vec![step(n), entry(&"word ".repeat(n as usize * 40)), step(n + 1)]).await;
        store.keep((&task.id, &mine), "ota-1.jpg", vec![7; 500], Tier::Hot, at(32)).await.unwrap();
        record(vec![asked(&name)]).await;
        if n % 5 == 0 {
            store.say(&task.id, Fact::Withdrawn { approval: approval(&name) }, at(33)).await.unwrap();
        } else {
            let says = if n % 5 == 1 { Says::No } else { Says::Yes };
            store.answer(&approval(&name), verdict(says), at(33)).await.unwrap();
        }
        if n % 5 > 2 {
            record(vec![committing(&name, Some(&name))]).await;
        }
        if n % 5 == 4 {
            record(vec![Fact::Committed { intent: intent(&name), fate: Fate::Sent }]).await;
        }
        match n % 4 {
            0 => {}
            1 => {
                let more = format!("{name}-more");
                drop(record(vec![asked(&more), parked(&more)]).await);
            }
            _ => drop(record(vec![ended()]).await),
        }
    }
    store.say(&id("t21"), Fact::PauseWanted, at(34)).await.unwrap();
    store.say(&id("t22"), Fact::CancelWanted { by: "ada".into() }, at(34)).await.unwrap();
    let refused = store.say(&id("t23"), answered("none", Says::Yes), at(34)).await;
    assert!(matches!(refused, Err(StoreError::Illegal { .. })));
}

/// A folder that was closed in good order, and all that can be read of it.
async fn closed() -> (TempDir, Everything) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Check::Whole).await.unwrap();
    fill(&store).await;
    let all = everything(&store).await.unwrap();
    all.hangs_together();
    store.close().await;
    (folder, all)
}

/// What of the log of the database is in the database as well.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Moved {
    Nothing,
    Everything,
}

/// A folder as somebody leaves it who is killed: the latest of it is in the log of the database.
async fn left(moved: Moved) -> (TempDir, Everything) {
    let (folder, _) = closed().await;
    let store = Store::open(folder.path(), Check::Whole).await.unwrap();
    for n in 0..10 {
        store.submit(id(&format!("later{n}")), submission("later"), at(40)).await.unwrap();
        store.say(&id("t21"), [Fact::Resumed, Fact::PauseWanted][n % 2].clone(), at(41)).await.unwrap();
    }
    let all = everything(&store).await.unwrap();
    if moved == Moved::Everything {
        told(&folder.path().join(FILE), "PRAGMA wal_checkpoint(PASSIVE)").await;
    }
    let copy = copied(folder.path());
    store.close().await;
    (copy, all)
}

/// The same files elsewhere.
fn copied(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for (name, bytes) in files(folder) {
        fs::create_dir_all(copy.path().join(&name).parent().unwrap()).unwrap();
        fs::write(copy.path().join(name), bytes).unwrap();
    }
    copy
}

/// All files of a folder but the one that is made anew whenever the database is used.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut folders, mut files) = (vec![folder.to_owned()], BTreeMap::new());
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(next).unwrap().map(Result::unwrap);
        for entry in entries.filter(|entry| entry.file_name() != SHARED) {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => {
                    let name = entry.path().strip_prefix(folder).unwrap().to_owned();
                    files.insert(name, fs::read(entry.path()).unwrap());
                }
            }
        }
    }
    files
}

/// What is refused is left as it is, whatever it is.
async fn refused(folder: &Path, check: Check) -> StoreError {
    let before = files(folder);
    let error = match Store::open(folder, check).await {
        Ok(_) => panic!("it was opened"),
        Err(error) => error,
    };
    let after = files(folder);
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&after), names(&before), "{error}");
    assert!(after == before, "a file was changed: {error}");
    error
}

/// Says something to a file, as somebody else's program would.
async fn told(file: &Path, sql: &str) {
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let mut db = options.connect().await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
}

#[tokio::test]
async fn a_file_that_was_cut_off_is_refused_and_left_as_it_is() {
    let (folder, all) = closed().await;
    let file = folder.path().join(FILE);
    let whole = fs::read(&file).unwrap();
    let half = whole.len() / 2;
    for length in [0, 1, 15, 16, 68, 99, 100, 512, 4095, 4096, 4097, 8192, half, half + 1, whole.len() - 4096]
        .into_iter()
        .chain([whole.len() - 1])
    {
        fs::write(&file, &whole[..length]).unwrap();
        for check in [Check::Whole, Check::Quick] {
            let error = refused(folder.path(), check).await;
            assert!(matches!(&error, StoreError::Damaged { place, .. } if *place == file), "{error}");
        }
    }
    fs::write(&file, whole).unwrap();
    let store = Store::open(folder.path(), Check::Whole).await.unwrap();
    assert_eq!(everything(&store).await.unwrap(), all, "and as it was, it is as it was");
    store.close().await;
}

#[tokio::test]
async fn a_file_of_somebody_else_is_refused_and_left_as_it_is() {
    let (folder, _) = closed().await;
    let file = folder.path().join(FILE);
    let notes = "Buy milk.\n".repeat(1_000);
    let foreign = [
        "CREATE TABLE notes (text TEXT); PRAGMA user_version = 1",
        "CREATE TABLE notes (text TEXT); PRAGMA user_version = 1; PRAGMA application_id = 7",
        "PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT); PRAGMA user_version = 1",
        // Somebody else who has the same idea of who they are.
        "CREATE TABLE notes (text TEXT); PRAGMA user_version = 1; PRAGMA application_id = 0x4c47574b",
        "PRAGMA application_id = 0x4c47574b",
    ];
    for check in [Check::Whole, Check::Quick] {
        fs::write(&file, &notes).unwrap();
        let error = refused(folder.path(), check).await;
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        for sql in foreign {
            fs::remove_file(&file).unwrap();
            told(&file, sql).await;
            let error = refused(folder.path(), check).await;
            assert!(matches!(error, StoreError::Damaged { .. }), "{sql}: {error}");
        }
    }
}

#[tokio::test]
async fn a_file_of_a_later_version_is_refused_and_left_as_it_is() {
    let (folder, _) = closed().await;
    told(&folder.path().join(FILE), "PRAGMA user_version = 7").await;
    for check in [Check::Whole, Check::Quick] {
        let error = refused(folder.path(), check).await;
        assert!(matches!(error, StoreError::Newer { found: 7, known: 1, .. }), "{error}");
    }
}

#[tokio::test]
async fn no_new_file_takes_the_place_of_one_that_is_gone() {
    for (folder, stays) in [(closed().await.0, "made"), (left(Moved::Nothing).await.0, WAL)] {
        for name in [FILE, "made", WAL, SHARED].into_iter().filter(|name| *name != stays) {
            let _ = fs::remove_file(folder.path().join(name));
        }
        for check in [Check::Whole, Check::Quick] {
            let error = refused(folder.path(), check).await;
            assert!(matches!(error, StoreError::Missing { .. }), "{stays}: {error}");
        }
    }
}

/// What came of looking at a folder whose files were changed.
#[derive(Debug)]
enum Seen {
    Refused(StoreError),
    Unreadable(StoreError),
    Read(Box<Everything>),
}

async fn seen(folder: &Path) -> Seen {
    let store = match Store::open(folder, Check::Whole).await {
        Ok(store) => store,
        Err(error) => return Seen::Refused(error),
    };
    let all = everything(&store).await;
    store.close().await;
    all.map_or_else(Seen::Unreadable, |all| Seen::Read(Box::new(all)))
}

/// Turns one bit over.
fn flip(file: &Path, bit: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[bit / 8] ^= 1 << (bit % 8);
    fs::write(file, bytes).unwrap();
}

/// Some bits of a file of so many bytes: of its first hundred bytes, of what it says of its layout, and of all the rest.
fn some_bits(chance: &mut Chance, bytes: usize) -> Vec<usize> {
    let all = [(100, long_or_short(100, 8)), (8192, long_or_short(100, 6)), (bytes, long_or_short(300, 16))];
    let mut bit = |end: usize| usize::try_from(chance.below(end as u64 * 8)).unwrap();
    all.into_iter().flat_map(|(end, count)| (0..count).map(|_| bit(end)).collect::<Vec<_>>()).collect()
}

#[tokio::test]
async fn a_bit_that_was_turned_over_is_noticed_or_makes_no_difference() {
    let mut chance = Chance::new();
    let (mut refused, mut unreadable, mut same) = (0, 0, 0);
    for (folder, all) in [closed().await, left(Moved::Nothing).await] {
        let bytes = fs::metadata(folder.path().join(FILE)).unwrap().len();
        for bit in some_bits(&mut chance, usize::try_from(bytes).unwrap()) {
            let copy = copied(folder.path());
            flip(&copy.path().join(FILE), bit);
            let before = files(copy.path());
            match seen(copy.path()).await {
                Seen::Refused(error) => {
                    let is_newer = matches!(error, StoreError::Newer { .. }) && VERSION.contains(&(bit / 8));
                    assert!(matches!(error, StoreError::Damaged { .. }) || is_newer, "bit {bit}: {error}");
                    assert!(files(copy.path()) == before, "bit {bit}: what is damaged was changed");
                    refused += 1;
                }
                Seen::Unreadable(error) => {
                    assert!(matches!(error, StoreError::Damaged { .. }), "bit {bit}: {error}");
                    unreadable += 1;
                }
                Seen::Read(read) => {
                    assert!(*read == all, "bit {bit} makes a difference that is not told");
                    same += 1;
                }
            }
        }
    }
    println!("{refused} refused, {unreadable} unreadable, {same} the same");
    assert!(refused > 0 && unreadable > 0 && same > 0);
}

#[tokio::test]
async fn a_damaged_log_of_the_database_costs_the_end_and_nothing_else() {
    let mut chance = Chance::new();
    for moved in [Moved::Nothing, Moved::Everything] {
        let (folder, all) = left(moved).await;
        let (mut noticed, mut shorter) = (0, 0);
        for _ in 0..long_or_short(200, 12) {
            let copy = copied(folder.path());
            let file = copy.path().join(WAL);
            let bits = fs::metadata(&file).unwrap().len() * 8;
            flip(&file, usize::try_from(chance.below(bits)).unwrap());
            match seen(copy.path()).await {
                Seen::Refused(StoreError::Damaged { .. }) | Seen::Unreadable(StoreError::Damaged { .. }) => {
                    noticed += 1;
                }
                Seen::Read(read) => {
                    read.hangs_together();
                    assert!(all.lines.starts_with(&read.lines), "something else is told");
                    shorter += usize::from(read.lines.len() < all.lines.len());
                }
                other => panic!("{other:?}"),
            }
        }
        println!("{moved:?}: {noticed} noticed, {shorter} shorter");
        assert!(noticed + shorter > 0);
    }
}

#[tokio::test]
async fn a_picture_that_was_changed_is_no_picture() {
    let (folder, all) = closed().await;
    let pictures: Vec<PathBuf> =
        files(folder.path()).into_keys().filter(|name| name.starts_with("blobs")).collect();
    assert_eq!(pictures.len(), all.pictures.len());
    let store = Store::open(folder.path(), Check::Whole).await.unwrap();
    for (picture, (task, name)) in pictures.iter().zip(all.pictures.keys()) {
        let file = folder.path().join(picture);
        flip(&file, 77);
        let changed = store.kept(task, name).await;
        assert!(matches!(&changed, Err(StoreError::Damaged { place, .. }) if *place == file), "{changed:?}");
        flip(&file, 77);
        assert_eq!(
            store.kept(task, name).await.unwrap(),
            all.pictures.get(&(task.clone(), name.clone())).cloned()
        );
        fs::remove_file(&file).unwrap();
        let gone = store.kept(task, name).await;
        assert!(matches!(gone, Err(StoreError::Missing { .. })), "{gone:?}");
    }
    store.close().await;
}

#[tokio::test]
async fn nothing_is_written_to_a_file_that_is_gone() {
    let (folder, _) = closed().await;
    let file = folder.path().join(FILE);
    let elsewhere = folder.path().join("elsewhere.db");
    let store = Store::open(folder.path(), Check::Quick).await.unwrap();
    fs::rename(&file, &elsewhere).unwrap();
    let lost = store.submit(id("new"), submission("x"), at(50)).await;
    assert!(matches!(lost, Err(StoreError::Missing { .. })), "{lost:?}");
    assert!(!file.exists(), "no new one");
    fs::copy(&elsewhere, &file).unwrap();
    let lost = store.claim(&owner("me"), at(50)).await;
    assert!(matches!(lost, Err(StoreError::Missing { .. })), "another one is not the same: {lost:?}");
    fs::rename(&elsewhere, &file).unwrap();
    store.submit(id("new"), submission("x"), at(50)).await.unwrap();
    store.close().await;
}
