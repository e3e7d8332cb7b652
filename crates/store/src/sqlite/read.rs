//! Reading: whatever is given out was checked against its digest.

use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, Executor, Row as _, Sqlite, SqliteConnection, sqlite::SqliteRow};

use super::{
    Inner,
    rows::{damaged, held, held_line, integer, signed, text, unsigned},
};
use crate::{
    Approval, ApprovalId, Fate, Intent, KeptBlob, Line, Standing, Step, StoreError, Task, TaskId, TaskState,
    View, port::Page,
};

/// One task.
pub(super) async fn task_of(
    inner: &Inner,
    db: impl Executor<'_, Database = Sqlite>,
    id: &TaskId,
) -> Result<Option<Task>, StoreError> {
    let row =
        sqlx::query("SELECT id || ' ' || state AS word, body, digest FROM tasks WHERE id = ?").bind(&id.0);
    let row = row.fetch_optional(db).await.map_err(|error| inner.trouble(&error))?;
    row.map(|row| inner.held(&row)).transpose()
}

/// What was asked because of a task.
pub(super) async fn approvals_of(
    inner: &Inner,
    db: impl Executor<'_, Database = Sqlite>,
    id: &TaskId,
) -> Result<Vec<Approval>, StoreError> {
    let rows = sqlx::query(
        "SELECT id || ' ' || task || ' ' || standing AS word, body, digest FROM approvals WHERE task = ? ORDER BY place",
    );
    inner.all(rows.bind(&id.0).fetch_all(db).await)
}

/// What was about to be sent because of a task.
pub(super) async fn intents_of(
    inner: &Inner,
    db: impl Executor<'_, Database = Sqlite>,
    id: &TaskId,
) -> Result<Vec<Intent>, StoreError> {
    let rows = sqlx::query(
        "SELECT id || ' ' || task || ' ' || fate AS word, body, digest FROM intents WHERE task = ? ORDER BY place",
    );
    inner.all(rows.bind(&id.0).fetch_all(db).await)
}

/// A task with all that belongs to it.
pub(super) async fn view_of(
    inner: &Inner,
    db: &mut SqliteConnection,
    id: &TaskId,
) -> Result<Option<View>, StoreError> {
    let Some(task) = task_of(inner, &mut *db, id).await? else { return Ok(None) };
    let approvals = approvals_of(inner, &mut *db, id).await?;
    let intents = intents_of(inner, &mut *db, id).await?;
    let steps = sqlx::query(
        "SELECT task || ' ' || line AS word, body, digest FROM steps WHERE task = ? ORDER BY line",
    );
    let steps: Vec<Step> = inner.all(steps.bind(&id.0).fetch_all(&mut *db).await)?;
    let blobs = sqlx::query(
        "SELECT task || ' ' || name AS word, body, digest FROM blobs WHERE task = ? ORDER BY name",
    );
    let blobs: Vec<KeptBlob> = inner.all(blobs.bind(&id.0).fetch_all(&mut *db).await)?;
    Ok(Some(View { task, approvals, intents, steps, blobs }))
}

/// All lines of a task's log.
pub(super) async fn lines_of(
    inner: &Inner,
    db: impl Executor<'_, Database = Sqlite>,
    id: &TaskId,
) -> Result<Vec<Line>, StoreError> {
    let rows =
        sqlx::query("SELECT seq, task, number, at, fact, digest FROM events WHERE task = ? ORDER BY number");
    inner.all_lines(rows.bind(&id.0).fetch_all(db).await)
}

impl Inner {
    pub(super) async fn task(&self, id: &TaskId) -> Result<Option<Task>, StoreError> {
        task_of(self, &self.readers, id).await
    }

    pub(super) async fn view(&self, id: &TaskId) -> Result<Option<View>, StoreError> {
        // One moment for all of it.
        let mut moment = self.readers.begin().await.map_err(|error| self.trouble(&error))?;
        view_of(self, &mut moment, id).await
    }

    pub(super) async fn tasks(&self, page: &Page) -> Result<Vec<Task>, StoreError> {
        let before = match &page.before {
            Some(id) => {
                let before = self.task(id).await?.ok_or_else(|| StoreError::NoTask(id.clone()))?;
                Some((signed(before.created.millis()), before.id.0))
            }
            None => None,
        };
        // Words of our own alone.
        let states: Vec<String> = page.states.iter().map(|state| format!("'{}'", state.word())).collect();
        let of_states = match states.is_empty() {
            true => String::new(),
            false => format!(" AND state IN ({})", states.join(", ")),
        };
        let query = format!(
            "SELECT id || ' ' || state AS word, body, digest FROM tasks WHERE (created, id) < (?, ?){of_states} \
             ORDER BY created DESC, id DESC LIMIT ?"
        );
        let (created, id) = before.unwrap_or((i64::MAX, String::new()));
        let rows = sqlx::query(AssertSqlSafe(query)).bind(created).bind(id);
        let most = i64::try_from(page.most).unwrap_or(i64::MAX);
        self.all(rows.bind(most).fetch_all(&self.readers).await)
    }

    pub(super) async fn counts(&self) -> Result<Vec<(TaskState, u64)>, StoreError> {
        let rows = sqlx::query("SELECT state AS word, COUNT(*) AS count FROM tasks GROUP BY state");
        let rows = rows.fetch_all(&self.readers).await.map_err(|error| self.trouble(&error))?;
        rows.iter()
            .map(|row| {
                let (word, count) = (text(&self.place, row, "word")?, integer(&self.place, row, "count")?);
                let state = TaskState::ALL.into_iter().find(|state| state.word() == word);
                let state = state.ok_or_else(|| damaged(&self.place, &format!("no task is {word}")))?;
                Ok((state, unsigned(count)))
            })
            .collect()
    }

    pub(super) async fn lines(
        &self,
        task: Option<&TaskId>,
        after: u64,
        most: usize,
    ) -> Result<Vec<Line>, StoreError> {
        let (after, most) = (signed(after), i64::try_from(most).unwrap_or(i64::MAX));
        let rows = match task {
            Some(id) => sqlx::query(
                "SELECT seq, task, number, at, fact, digest FROM events WHERE task = ? AND seq > ? \
                 ORDER BY number LIMIT ?",
            )
            .bind(&id.0),
            None => sqlx::query(
                "SELECT seq, task, number, at, fact, digest FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
            ),
        };
        self.all_lines(rows.bind(after).bind(most).fetch_all(&self.readers).await)
    }

    pub(super) async fn last(&self) -> Result<u64, StoreError> {
        let last: Result<i64, _> =
            sqlx::query_scalar("SELECT COALESCE(MAX(seq), 0) FROM events").fetch_one(&self.readers).await;
        last.map(unsigned).map_err(|error| self.trouble(&error))
    }

    pub(super) async fn approval(&self, id: &ApprovalId) -> Result<Option<Approval>, StoreError> {
        let row = sqlx::query(
            "SELECT id || ' ' || task || ' ' || standing AS word, body, digest FROM approvals WHERE id = ?",
        )
        .bind(&id.0);
        let row = row.fetch_optional(&self.readers).await.map_err(|error| self.trouble(&error))?;
        row.map(|row| self.held(&row)).transpose()
    }

    pub(super) async fn approvals(&self, standing: Standing) -> Result<Vec<Approval>, StoreError> {
        let rows = sqlx::query(
            "SELECT id || ' ' || task || ' ' || standing AS word, body, digest FROM approvals WHERE standing = ? ORDER BY place",
        );
        self.all(rows.bind(standing.word()).fetch_all(&self.readers).await)
    }

    pub(super) async fn intents(&self, fate: Fate) -> Result<Vec<Intent>, StoreError> {
        let rows = sqlx::query(
            "SELECT id || ' ' || task || ' ' || fate AS word, body, digest FROM intents WHERE fate = ? ORDER BY place",
        );
        self.all(rows.bind(fate.word()).fetch_all(&self.readers).await)
    }

    pub(super) async fn blobs(&self) -> Result<Vec<KeptBlob>, StoreError> {
        let rows =
            sqlx::query("SELECT task || ' ' || name AS word, body, digest FROM blobs ORDER BY task, name");
        self.all(rows.fetch_all(&self.readers).await)
    }

    pub(super) fn held<T: DeserializeOwned>(&self, row: &SqliteRow) -> Result<T, StoreError> {
        held(&self.place, row)
    }

    fn all<T: DeserializeOwned>(
        &self,
        rows: Result<Vec<SqliteRow>, sqlx::Error>,
    ) -> Result<Vec<T>, StoreError> {
        rows.map_err(|error| self.trouble(&error))?.iter().map(|row| self.held(row)).collect()
    }

    fn all_lines(&self, rows: Result<Vec<SqliteRow>, sqlx::Error>) -> Result<Vec<Line>, StoreError> {
        let rows = rows.map_err(|error| self.trouble(&error))?;
        rows.iter().map(|row| held_line(&self.place, row)).collect()
    }
}

/// The first number that a question about the file itself is answered with.
pub(super) async fn number(db: &mut SqliteConnection, question: &'static str) -> Result<i64, sqlx::Error> {
    sqlx::query(question).fetch_one(db).await?.try_get(0)
}
