//! Disks without room, and disks that can't be written: real ones, in a place that only the test sees. Nothing that was told is lost, and
//! as soon as the disk lets it, writing goes on.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::{
    env,
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use legwork_store::{Check, Fact, Fence, Line, Store, StoreError, Task, TaskState, Tier};

use self::support::{
    at, ended, entry, everything::everything, other::Other, owner, step, submission, under_way,
};

/// Where the disk is, in the process that has one.
const PLACE: &str = "LEGWORK_TEST_DISK";
const CHECKS: [Check; 2] = [Check::Whole, Check::Quick];
const PAGE: u64 = 4096;

/// A small disk.
struct Disk(PathBuf);

impl Disk {
    /// The disk, in a process that sees it. The one that a test begins in starts that process, which runs the same test anew, waits
    /// for its good end, and gets none.
    fn small(test: &str) -> Option<Self> {
        let Some(place) = env::var_os(PLACE) else {
            let place = tempfile::tempdir().unwrap();
            let variables = [(PLACE, place.path().as_os_str())];
            Other::with(own_file_systems(), test, variables).end();
            return None;
        };
        let disk = Self(place.into());
        disk.mount(&["-t", "tmpfs", "-o", "size=2m,mode=0700", "small"]);
        Some(disk)
    }

    fn mount(&self, how: &[&str]) {
        let mounted = Command::new("mount").args(how).arg(&self.0).output().unwrap();
        assert!(mounted.status.success(), "{how:?}: {}", String::from_utf8_lossy(&mounted.stderr));
    }

    fn folder(&self) -> PathBuf {
        self.0.join("store")
    }

    /// Takes all the room but so much.
    fn fill(&self, but: u64) {
        let mut ballast = File::create(self.0.join("ballast")).unwrap();
        while ballast.write_all(&[0; PAGE as usize]).is_ok() {}
        let taken = ballast.metadata().unwrap().len();
        ballast.set_len(taken.saturating_sub(but)).unwrap();
    }

    fn make_room(&self) {
        fs::remove_file(self.0.join("ballast")).unwrap();
    }
}

/// A command that runs a program with file systems of its own, which nobody else sees.
fn own_file_systems() -> Command {
    let how = if rustix::process::geteuid().is_root() { "--mount" } else { "--map-root-user" };
    let command = || {
        let mut command = Command::new("unshare");
        command.args([how, "--mount", "--"]);
        command
    };
    let tried = command().arg("true").output();
    let is_let = tried.as_ref().is_ok_and(|tried| tried.status.success());
    assert!(is_let, "this test needs a small disk, and this machine lets nobody mount one: {tried:?}");
    let mut command = command();
    command.arg(env::current_exe().unwrap());
    command
}

/// Somebody who writes down what it was told is written.
struct Diary {
    store: Store,
    task: Task,
    fence: Fence,
    written: Vec<Fact>,
}

impl Diary {
    async fn begin(folder: &Path) -> Self {
        let store = Store::open(folder, Check::Whole).await.unwrap();
        let (task, fence) = under_way(&store, "a").await;
        let submitted = Fact::Submitted { submission: submission("a") };
        Self { store, task, fence, written: vec![submitted, Fact::Claimed { owner: owner("me") }] }
    }

    async fn record(&mut self, fact: Fact) -> Result<(), StoreError> {
        self.store.record(&self.task.id, &self.fence, vec![fact.clone()], at(3)).await?;
        self.written.push(fact);
        Ok(())
    }

    /// Large facts and small ones, decisions and others, until it does not go on.
    async fn until_full(&mut self) {
        for n in 0..10_000 {
            let told = match n % 3 {
                0 => self.record(entry(&"word ".repeat(1_000))).await,
                1 => self.record(step(n)).await,
                _ => self.say(Fact::PauseWanted).await,
            };
            match told {
                Ok(()) if n % 3 == 2 => self.say(Fact::Resumed).await.or_else(only_full).unwrap(),
                Ok(()) => {}
                full => return full.or_else(only_full).unwrap(),
            }
        }
        panic!("there is room without end");
    }

    async fn say(&mut self, fact: Fact) -> Result<(), StoreError> {
        self.store.say(&self.task.id, fact.clone(), at(3)).await?;
        self.written.push(fact);
        Ok(())
    }

    /// What was told to be written is what there is.
    async fn is_kept(&self) {
        let facts = |lines: Vec<Line>| lines.into_iter().map(|line| line.fact).collect::<Vec<_>>();
        let all = everything(&self.store).await.unwrap();
        all.hangs_together();
        let log = facts(all.logs().remove(&self.task.id).unwrap());
        assert!(log == self.written, "{} lines, and {} were told", log.len(), self.written.len());
    }
}

fn only_full(error: StoreError) -> Result<(), StoreError> {
    match error {
        StoreError::Full { .. } => Ok(()),
        other => Err(other),
    }
}

#[tokio::test]
async fn a_full_disk_costs_nothing_and_writing_goes_on_when_there_is_room() {
    let Some(disk) = Disk::small("a_full_disk_costs_nothing_and_writing_goes_on_when_there_is_room") else {
        return;
    };
    let mut diary = Diary::begin(&disk.folder()).await;
    for pages in [0, 1, 2, 3, 5, 8, 13, 21, 34] {
        disk.fill(pages * PAGE);
        // However often: what did not fit may leave room for something smaller.
        for _ in 0..3 {
            diary.until_full().await;
        }
        diary.is_kept().await;
        disk.make_room();
        diary.record(step(1)).await.unwrap();
        diary.is_kept().await;
    }
    // Whoever is started on a full disk may get nothing, and takes nothing away.
    disk.fill(0);
    diary.until_full().await;
    diary.store.close().await;
    for check in CHECKS {
        match Store::open(&disk.folder(), check).await {
            Ok(store) => store.close().await,
            Err(error) => only_full(error).unwrap(),
        }
    }
    disk.make_room();
    diary.store = Store::open(&disk.folder(), Check::Whole).await.unwrap();
    diary.is_kept().await;
    diary.record(ended()).await.unwrap();
    diary.is_kept().await;
    diary.store.close().await;
}

#[tokio::test]
async fn a_picture_for_which_there_is_no_room_is_not_kept_by_half() {
    let Some(disk) = Disk::small("a_picture_for_which_there_is_no_room_is_not_kept_by_half") else { return };
    let store = Store::open(&disk.folder(), Check::Whole).await.unwrap();
    let (task, fence) = under_way(&store, "a").await;
    let mine = (&task.id, &fence);
    store.keep(mine, "before.jpg", vec![1; 50_000], Tier::Hot, at(3)).await.unwrap();
    for pages in 0..30 {
        let name = format!("at-{pages}.jpg");
        disk.fill(pages * PAGE);
        let kept = store.keep(mine, &name, vec![7; 50_000], Tier::Audit, at(4)).await;
        let is_kept = kept.is_ok();
        kept.map(drop).or_else(only_full).unwrap();
        assert_eq!(store.kept(&task.id, &name).await.unwrap(), is_kept.then(|| vec![7; 50_000]));
        disk.make_room();
        for file in fs::read_dir(disk.folder().join("blobs/a")).unwrap() {
            assert_eq!(file.unwrap().metadata().unwrap().len(), 50_000, "half a picture");
        }
        store.keep(mine, &name, vec![8; 10], Tier::Audit, at(5)).await.unwrap();
        assert_eq!(store.kept(&task.id, &name).await.unwrap(), Some(vec![8; 10]));
        fs::remove_dir_all(disk.folder().join("blobs/a")).unwrap();
    }
    store.close().await;
}

#[tokio::test]
async fn where_there_is_no_room_for_a_database_there_is_none_until_there_is() {
    let Some(disk) = Disk::small("where_there_is_no_room_for_a_database_there_is_none_until_there_is") else {
        return;
    };
    let (mut made, mut refused) = (0, 0);
    for pages in 0..60 {
        disk.fill(pages * PAGE);
        match Store::open(&disk.folder(), Check::Whole).await {
            Ok(store) => {
                made += 1;
                store.close().await;
            }
            Err(error) => {
                refused += 1;
                only_full(error).unwrap();
                let names = fs::read_dir(disk.folder()).into_iter().flatten().flatten();
                let names: Vec<String> =
                    names.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
                assert!(!names.iter().any(|name| name.contains(".new")), "{pages}: {names:?}");
            }
        }
        disk.make_room();
        let store = Store::open(&disk.folder(), Check::Whole).await.unwrap();
        let (task, fence) = under_way(&store, "a").await;
        store.record(&task.id, &fence, vec![ended()], at(3)).await.unwrap();
        assert_eq!(store.counts().await.unwrap(), [(TaskState::Ended, 1)]);
        store.close().await;
        fs::remove_dir_all(disk.folder()).unwrap();
    }
    assert!(made > 5 && refused > 5, "{made} made, {refused} refused");
}

#[tokio::test]
async fn a_disk_that_can_not_be_written_is_told_as_that() {
    let Some(disk) = Disk::small("a_disk_that_can_not_be_written_is_told_as_that") else { return };
    let diary = Diary::begin(&disk.folder()).await;
    diary.store.close().await;
    let files = || {
        let names = fs::read_dir(disk.folder()).unwrap().map(|file| file.unwrap().path());
        names.map(|file| (file.clone(), fs::read(file).unwrap())).collect::<Vec<_>>()
    };
    let before = files();
    disk.mount(&["-o", "remount,bind,ro"]);
    for folder in [disk.folder(), disk.0.join("another")] {
        for check in CHECKS {
            let refused = Store::open(&folder, check).await;
            assert!(matches!(refused, Err(StoreError::ReadOnly { .. })), "{refused:?}");
        }
    }
    assert!(files() == before);
    disk.mount(&["-o", "remount,bind,rw"]);
    let store = Store::open(&disk.folder(), Check::Whole).await.unwrap();
    Diary { store, ..diary }.is_kept().await;
}

#[tokio::test]
async fn whoever_writes_while_the_disk_is_taken_away_is_never_told_that_it_is_written() {
    let Some(disk) =
        Disk::small("whoever_writes_while_the_disk_is_taken_away_is_never_told_that_it_is_written")
    else {
        return;
    };
    let mut diary = Diary::begin(&disk.folder()).await;
    // The system takes no right away from files that are open, and after a failure none are.
    disk.fill(0);
    diary.until_full().await;
    disk.mount(&["-o", "remount,bind,ro"]);
    for _ in 0..2 {
        let refused = diary.record(step(1)).await;
        assert!(matches!(refused, Err(StoreError::ReadOnly { .. })), "{refused:?}");
    }
    disk.mount(&["-o", "remount,bind,rw"]);
    disk.make_room();
    diary.record(step(2)).await.unwrap();
    diary.is_kept().await;
    // Another disk in its place, with nothing on it.
    disk.mount(&["-t", "tmpfs", "-o", "ro", "another"]);
    for _ in 0..2 {
        let refused = diary.record(step(3)).await;
        assert!(matches!(refused, Err(StoreError::Missing { .. })), "{refused:?}");
    }
    let gone = Command::new("umount").arg(&disk.0).status().unwrap();
    assert!(gone.success());
    diary.record(step(4)).await.unwrap();
    diary.is_kept().await;
    diary.store.close().await;
}
