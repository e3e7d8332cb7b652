//! A look at a file before it is trusted. Whatever the file is, nothing is changed by that.

use std::{fs, path::Path};

use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::{
    Inner,
    open::{Steps, beside, bring_up, last_of, plain, readers},
    read::{lines_of, number, view_of},
    rows::{damaged, unsigned},
    schema::APPLICATION,
    trouble::{trouble, unfit},
};
use crate::{StoreError, TaskId, View};

/// How much is looked at before the file is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// All of it, and that what is kept of unfinished tasks follows from their logs.
    Whole,
    /// That it is ours, laid out as ours is, and of a version that we know. Whatever is read is checked all the same; that something is
    /// missing is not noticed.
    Quick,
}

/// Of which version a file is that may be trusted.
pub(super) async fn look(place: &Path, check: Check, steps: Steps) -> Result<i64, StoreError> {
    let failed = |error: std::io::Error| StoreError::of_file(place, &error);
    let bytes = fs::metadata(place).map_err(failed)?.len();
    // SQLite would take it for a new one.
    if bytes == 0 {
        return Err(damaged(place, "it is empty"));
    }
    // Without a log beside it nobody uses it, and it is all there is.
    let is_alone = !fs::exists(beside(place, "-wal")).map_err(failed)?;
    let options = plain().filename(place).read_only(true).immutable(is_alone);
    let inner = Inner::new(place.to_owned(), None, readers(options));
    let seen = inner.seen(check, steps, is_alone.then_some(bytes)).await;
    inner.readers.close().await;
    seen
}

impl Inner {
    async fn seen(&self, check: Check, steps: Steps, bytes: Option<u64>) -> Result<i64, StoreError> {
        let unfit = |error: sqlx::Error| unfit(&self.place, &error);
        let mut reader = self.readers.acquire().await.map_err(unfit)?;
        let version = self.is_ours(&mut reader, steps).await?;
        let page = unsigned(number(&mut reader, "PRAGMA page_size").await.map_err(unfit)?);
        // SQLite would take what is missing of the last page for zeros.
        if bytes.is_some_and(|bytes| !bytes.is_multiple_of(page)) {
            return Err(damaged(&self.place, "it was cut off"));
        }
        self.is_laid_out(&mut reader, version, steps).await?;
        if check == Check::Whole {
            self.is_whole(&mut reader).await?;
        }
        drop(reader);
        // What is of an earlier version is read once it is brought up to date.
        if check == Check::Whole && version == last_of(steps) {
            self.follows_from_logs().await?;
        }
        Ok(version)
    }

    async fn is_ours(&self, db: &mut SqliteConnection, steps: Steps) -> Result<i64, StoreError> {
        let unfit = |error: sqlx::Error| unfit(&self.place, &error);
        if number(db, "PRAGMA application_id").await.map_err(unfit)? != APPLICATION {
            return Err(damaged(&self.place, "it is a database of something else"));
        }
        let (found, known) = (number(db, "PRAGMA user_version").await.map_err(unfit)?, last_of(steps));
        match found {
            ..1 => Err(damaged(&self.place, "there is nothing in it")),
            _ if found > known => Err(StoreError::Newer { place: self.place.clone(), found, known }),
            _ => Ok(found),
        }
    }

    /// That all that the steps so far lead to is there as they make it. What somebody else has added is none of our business.
    async fn is_laid_out(
        &self,
        db: &mut SqliteConnection,
        version: i64,
        steps: Steps,
    ) -> Result<(), StoreError> {
        let so_far = &steps[..usize::try_from(version).unwrap_or_default().min(steps.len())];
        let in_memory = Path::new(":memory:");
        let failed = |error: sqlx::Error| trouble(in_memory, &error);
        let mut ours = plain().filename(in_memory).connect().await.map_err(failed)?;
        bring_up(&mut ours, in_memory, so_far).await?;
        let expected = layout(&mut ours).await.map_err(failed)?;
        ours.close().await.map_err(failed)?;
        let found = layout(db).await.map_err(|error| unfit(&self.place, &error))?;
        match expected.iter().find(|part| !found.contains(part)) {
            None => Ok(()),
            Some((kind, name, ..)) => {
                Err(damaged(&self.place, &format!("the {kind} {name} is not there as it was made")))
            }
        }
    }

    /// The database's own look at itself.
    async fn is_whole(&self, db: &mut SqliteConnection) -> Result<(), StoreError> {
        let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(3)")
            .fetch_all(db)
            .await
            .map_err(|error| unfit(&self.place, &error))?;
        match found.as_slice() {
            [only] if only == "ok" => Ok(()),
            found => Err(damaged(&self.place, &found.join("; "))),
        }
    }

    /// That what is kept of unfinished tasks is what their logs lead to.
    pub(super) async fn follows_from_logs(&self) -> Result<(), StoreError> {
        let mut moment = self.readers.begin().await.map_err(|error| self.trouble(&error))?;
        let unfinished: Result<Vec<String>, _> =
            sqlx::query_scalar("SELECT id FROM tasks WHERE state NOT IN ('ended', 'cancelled')")
                .fetch_all(&mut *moment)
                .await;
        for id in unfinished.map_err(|error| self.trouble(&error))? {
            let id = TaskId(id);
            let lines = lines_of(self, &mut *moment, &id).await?;
            let kept = view_of(self, &mut moment, &id).await?;
            match View::replay(&lines) {
                Ok(view) if Some(&view) == kept.as_ref() => {}
                Ok(_) => return Err(damaged(&self.place, &format!("{id} is not what its log leads to"))),
                Err(why) => return Err(damaged(&self.place, &format!("the log of {id}: {why}"))),
            }
        }
        Ok(())
    }
}

/// Kind, name, table and text of all that a file is laid out as.
type Layout = Vec<(String, String, String, Option<String>)>;

async fn layout(db: &mut SqliteConnection) -> Result<Layout, sqlx::Error> {
    sqlx::query_as("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetch_all(db).await
}
