//! Opening the file: never a new one in the place of one that was there, never one that is damaged or of a later version.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::fs::{FlockOperation, flock};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions},
};

use super::{
    Check, Inner, Sqlite,
    look::look,
    read::number,
    schema::{APPLICATION, STEPS},
    trouble::{can_be_written, trouble, unfit},
    writer::Writer,
};
use crate::{StoreError, port::Backend as _};

#[cfg(test)]
mod tests;

/// The name of the file in its folder.
const FILE: &str = "legwork.db";
/// Says that there once was one.
const MADE: &str = "made";
/// Held by whoever makes the file, looks at it, brings it up to date or connects to it to write.
pub(super) const LOCK: &str = "lock";
/// How long others may use the file before one gives up.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many may read at once.
const READERS: u32 = 4;

/// From an empty file to a version: one step for each.
pub(super) type Steps = &'static [&'static str];

impl Sqlite {
    /// The database in a folder, which is made where there was none.
    pub async fn open(folder: &Path, check: Check) -> Result<Self, StoreError> {
        Self::open_at(folder, check, STEPS).await
    }

    pub(super) async fn open_at(folder: &Path, check: Check, steps: Steps) -> Result<Self, StoreError> {
        let place = folder.join(FILE);
        make_folder(folder)?;
        can_be_written(folder)?;
        let lock = locked(&place).await?;
        let version = match fs::metadata(&place) {
            Ok(_) => look(&place, check, steps).await?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => make(folder, &place, steps).await?,
            Err(error) => return Err(StoreError::of_file(&place, &error)),
        };
        let made = folder.join(MADE);
        if !made.exists() {
            File::create(&made).map_err(|error| StoreError::of_file(&made, &error))?;
        }
        let mut connection = options(&place).connect().await.map_err(|error| trouble(&place, &error))?;
        let is_current = bring_up(&mut connection, &place, steps).await;
        drop(lock);
        let writer = Writer::new(connection, last_of(steps));
        let readers = readers(options(&place).pragma("query_only", "1"));
        let database = Self::new(Inner::new(place, Some(writer), readers));
        let is_fine = match is_current {
            Ok(()) if check == Check::Whole && version < last_of(steps) => {
                database.inner.follows_from_logs().await
            }
            is_current => is_current,
        };
        if is_fine.is_err() {
            database.close().await;
        }
        is_fine.map(|()| database)
    }
}

/// What every connection has in common.
pub(super) fn plain() -> SqliteConnectOptions {
    SqliteConnectOptions::new().busy_timeout(PATIENCE).foreign_keys(false).disable_statement_logging()
}

/// A connection to a file that may be trusted.
pub(super) fn options(place: &Path) -> SqliteConnectOptions {
    plain().filename(place).create_if_missing(false).journal_mode(SqliteJournalMode::Wal)
}

/// Who reads, as soon as somebody wants to.
pub(super) fn readers(options: SqliteConnectOptions) -> SqlitePool {
    let readers = SqlitePoolOptions::new().max_connections(READERS).acquire_timeout(PATIENCE);
    // What was left in the middle would show the same moment for ever.
    let readers = readers.after_release(|reader, _| {
        Box::pin(async move {
            reader.ping().await?;
            Ok(!reader.is_in_transaction())
        })
    });
    readers.connect_lazy_with(options)
}

/// A file of SQLite's own beside the database.
pub(super) fn beside(place: &Path, end: &str) -> PathBuf {
    PathBuf::from(format!("{}{end}", place.display()))
}

/// The version that steps lead to.
pub(super) fn last_of(steps: &[&str]) -> i64 {
    i64::try_from(steps.len()).unwrap_or(i64::MAX)
}

fn make_folder(folder: &Path) -> Result<(), StoreError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| StoreError::of_file(folder, &error))
}

/// Nobody else makes the file, looks at it, brings it up to date or begins to write to it meanwhile.
pub(super) async fn locked(place: &Path) -> Result<File, StoreError> {
    let place = place.with_file_name(LOCK);
    let failed = |error: io::Error| StoreError::of_file(&place, &error);
    let file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&place);
    let file = file.map_err(failed)?;
    let patient = tokio::time::Instant::now() + PATIENCE;
    loop {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(file),
            Err(rustix::io::Errno::WOULDBLOCK) if tokio::time::Instant::now() < patient => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(StoreError::Busy { place }),
            Err(errno) => return Err(failed(errno.into())),
        }
    }
}

/// A new file, whole or not at all, where there never was one, and its version.
async fn make(folder: &Path, place: &Path, steps: Steps) -> Result<i64, StoreError> {
    if folder.join(MADE).exists() || beside(place, "-wal").exists() {
        return Err(StoreError::Missing { place: place.to_owned() });
    }
    clear(place)?;
    let new = beside(place, ".new");
    let failed = |error: io::Error| StoreError::of_file(&new, &error);
    if let Err(error) = make_new(&new, steps).await {
        // Half a database is none, and takes room. What stays all the same is removed by whoever comes next.
        let _ = clear(place);
        return Err(error);
    }
    fs::rename(&new, place).map_err(failed)?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    Ok(last_of(steps))
}

/// Removes what somebody left who could not make it to the end.
fn clear(place: &Path) -> Result<(), StoreError> {
    for end in [".new", ".new-wal", ".new-shm", ".new-journal"] {
        let left = beside(place, end);
        match fs::remove_file(&left) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::of_file(left, &error));
            }
            _ => {}
        }
    }
    Ok(())
}

async fn make_new(new: &Path, steps: Steps) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::of_file(new, &error);
    OpenOptions::new().create_new(true).write(true).mode(0o600).open(new).map_err(failed)?;
    let failed_there = |error: sqlx::Error| trouble(new, &error);
    let mut db = plain().filename(new).connect().await.map_err(failed_there)?;
    let made = async {
        let is_ours = format!("PRAGMA application_id = {APPLICATION}");
        sqlx::raw_sql(AssertSqlSafe(is_ours)).execute(&mut db).await.map_err(failed_there)?;
        bring_up(&mut db, new, steps).await?;
        // From now on it has a log beside it, which goes when it is closed: the file alone is all of it.
        sqlx::raw_sql("PRAGMA journal_mode = WAL").execute(&mut db).await.map_err(failed_there)
    };
    let made = made.await;
    db.close().await.map_err(failed_there)?;
    made?;
    File::open(new).and_then(|file| file.sync_all()).map_err(failed)
}

/// The steps that are missing, each with its number or not at all.
pub(super) async fn bring_up(
    db: &mut SqliteConnection,
    place: &Path,
    steps: &'static [&'static str],
) -> Result<(), StoreError> {
    let failed = |error: sqlx::Error| unfit(place, &error);
    let from = number(db, "PRAGMA user_version").await.map_err(failed)?;
    for (number, step) in steps.iter().enumerate().skip(usize::try_from(from).unwrap_or_default()) {
        let mut transaction = db.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        sqlx::raw_sql(*step).execute(&mut *transaction).await.map_err(failed)?;
        let done = format!("PRAGMA user_version = {}", number + 1);
        sqlx::raw_sql(AssertSqlSafe(done)).execute(&mut *transaction).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
    }
    Ok(())
}
