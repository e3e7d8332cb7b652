//! Who writes: one connection, and how what it commits lasts.

use std::path::Path;

use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::{
    open::{locked, options},
    trouble::trouble,
};
use crate::StoreError;

/// Who writes.
pub(super) struct Writer {
    /// None after something went wrong with the last one: nobody knows in the middle of what it was left.
    connection: Option<SqliteConnection>,
    /// How a commit outlasts a loss of power, as the connection was last told.
    lasting: Option<Lasting>,
    /// The version that it knows how to write.
    version: i64,
}

/// From when on a commit outlasts a loss of power. The end of a process it outlasts at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasting {
    /// From the next decision on.
    Soon,
    /// From this moment on.
    AtOnce,
}

impl Writer {
    pub(super) fn new(connection: SqliteConnection, version: i64) -> Self {
        Self { connection: Some(connection), lasting: None, version }
    }

    /// The version that it knows how to write.
    pub(super) fn version(&self) -> i64 {
        self.version
    }

    /// The connection, a new one where there is none, told how what it commits has to last.
    pub(super) async fn connected(
        &mut self,
        place: &Path,
        lasting: Lasting,
    ) -> Result<&mut SqliteConnection, StoreError> {
        let failed = |error: sqlx::Error| trouble(place, &error);
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                // Somebody may look at the file just now and believe that nobody uses it.
                let _lock = locked(place).await?;
                options(place).connect().await.map_err(failed)?
            }
        };
        let connection = self.connection.insert(connection);
        if self.lasting != Some(lasting) {
            let pragma = match lasting {
                Lasting::Soon => "PRAGMA synchronous = NORMAL",
                Lasting::AtOnce => "PRAGMA synchronous = FULL",
            };
            sqlx::raw_sql(pragma).execute(&mut *connection).await.map_err(failed)?;
            self.lasting = Some(lasting);
        }
        Ok(connection)
    }

    /// Closes the connection; whoever writes next gets another one. What is in the log of the database itself stays there.
    pub(super) async fn let_go(&mut self) {
        self.lasting = None;
        let Some(connection) = self.connection.take() else { return };
        if let Err(error) = connection.close().await {
            tracing::warn!(%error, "the database could not be closed in good order");
        }
    }
}

#[cfg(test)]
mod tests {
    use legwork_types::Timestamp;

    use crate::{
        Check, Fact, Fence, Json, Owner, Sqlite, StoreError, Submission, TaskId, Writing, port::Backend as _,
    };

    /// How the connection commits now: 1 is for soon, 2 is for at once.
    async fn lasts(database: &Sqlite) -> i64 {
        let mut writer = database.inner.writer.lock().await;
        let connection = writer.as_mut().unwrap().connection.as_mut().unwrap();
        let mode: String =
            sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *connection).await.unwrap();
        assert_eq!(mode, "wal");
        sqlx::query_scalar("PRAGMA synchronous").fetch_one(connection).await.unwrap()
    }

    #[tokio::test]
    async fn a_decision_lasts_at_once_and_all_else_from_the_next_one_on() {
        let folder = tempfile::tempdir().unwrap();
        let database = Sqlite::open(folder.path(), Check::Whole).await.unwrap();
        let (task, owner, at) = (TaskId("a".into()), Owner("me".into()), Timestamp::default());
        let order = Json::of(&"order").unwrap();
        let submission = Submission { goal: "x".into(), caller: "ada".into(), key: None, order, again: None };
        database.submit(task.clone(), submission, at).await.unwrap();
        assert_eq!(lasts(&database).await, 2);
        database.claim(owner.clone(), at).await.unwrap();
        assert_eq!(lasts(&database).await, 2);
        let write = async |facts| {
            let fence = Some(Fence { owner: owner.clone(), epoch: 1 });
            database.write(Writing { task: task.clone(), at, fence, facts }).await
        };
        let entry = || Fact::Entry { entry: Json::of(&"x").unwrap(), step: None, used: None };
        let wanted = || Fact::CancelWanted { by: "ada".into() };
        for (facts, lasting) in
            [(vec![entry()], 1), (vec![entry(), wanted()], 2), (vec![entry(), entry()], 1)]
        {
            write(facts).await.unwrap();
            assert_eq!(lasts(&database).await, lasting);
        }
        // Also if nothing comes of it, and after a connection that was of no use any more.
        let refused = write(vec![wanted()]).await;
        assert!(matches!(refused, Err(StoreError::Illegal { .. })), "{refused:?}");
        assert_eq!(lasts(&database).await, 2);
        database.inner.writer.lock().await.as_mut().unwrap().let_go().await;
        write(vec![entry()]).await.unwrap();
        assert_eq!(lasts(&database).await, 1);
        database.inner.writer.lock().await.as_mut().unwrap().let_go().await;
        write(vec![Fact::Cancelled]).await.unwrap();
        assert_eq!(lasts(&database).await, 2);
        database.close().await;
    }
}
