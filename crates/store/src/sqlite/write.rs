//! Writing: one transaction at a time reads what is there, sees whether the facts may follow, and writes them with what follows from them.

use legwork_types::Timestamp;
use serde::Serialize;
use sqlx::{Connection as _, SqliteConnection};

use super::{
    Inner,
    read::{approvals_of, intents_of, number, task_of},
    rows::{kept, kept_line, signed},
    trouble::trouble,
    writer::{Lasting, Writer},
};
use crate::{
    Fact, Illegal, KeptBlob, Owner, StoreError, Submission, Task, TaskId, View, Writing, port::Submitted,
};

const PUT_APPROVAL: &str = "INSERT INTO approvals (id, task, standing, body, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) \
    DO UPDATE SET standing = excluded.standing, body = excluded.body, digest = excluded.digest WHERE task = excluded.task";
const PUT_INTENT: &str = "INSERT INTO intents (id, task, fate, body, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) \
    DO UPDATE SET fate = excluded.fate, body = excluded.body, digest = excluded.digest WHERE task = excluded.task";

/// What a transaction is about.
enum Matter {
    Submit(TaskId, Submission, Timestamp),
    Claim(Owner, Timestamp),
    Write(Writing),
}

/// What came of it.
enum Came {
    New(Box<Task>),
    Before(Box<Task>),
    Nothing,
}

impl Inner {
    pub(super) async fn submit(
        &self,
        id: TaskId,
        submission: Submission,
        at: Timestamp,
    ) -> Result<Submitted, StoreError> {
        match self.transact(Matter::Submit(id, submission, at)).await? {
            Came::New(task) => Ok(Submitted::New(*task)),
            Came::Before(task) => Ok(Submitted::Before(*task)),
            Came::Nothing => Err(self.failed("nothing came of a task that was handed in")),
        }
    }

    pub(super) async fn claim(&self, owner: Owner, at: Timestamp) -> Result<Option<Task>, StoreError> {
        match self.transact(Matter::Claim(owner, at)).await? {
            Came::New(task) | Came::Before(task) => Ok(Some(*task)),
            Came::Nothing => Ok(None),
        }
    }

    pub(super) async fn write(&self, writing: Writing) -> Result<Task, StoreError> {
        match self.transact(Matter::Write(writing)).await? {
            Came::New(task) | Came::Before(task) => Ok(*task),
            Came::Nothing => Err(self.failed("nothing came of what was written")),
        }
    }

    async fn transact(&self, matter: Matter) -> Result<Came, StoreError> {
        let mut writer = self.writer.lock().await;
        let writer = writer.as_mut().ok_or_else(|| self.failed("it was closed"))?;
        self.is_there()?;
        let came = self.attempt(writer, matter).await;
        if came.as_ref().is_err_and(StoreError::is_of_place) {
            writer.let_go().await;
        }
        came
    }

    async fn attempt(&self, writer: &mut Writer, matter: Matter) -> Result<Came, StoreError> {
        let lasting = match &matter {
            Matter::Write(writing) if !writing.facts.iter().any(Fact::is_decision) => Lasting::Soon,
            _ => Lasting::AtOnce,
        };
        let (known, failed) = (writer.version(), |error: sqlx::Error| self.trouble(&error));
        let connection = writer.connected(&self.place, lasting).await?;
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        // A later version of the program may have come meanwhile.
        let found = number(&mut transaction, "PRAGMA user_version").await.map_err(failed)?;
        if found != known {
            return Err(StoreError::Newer { place: self.place.clone(), found, known });
        }
        let came = match matter {
            Matter::Submit(id, submission, at) => self.hand_in(&mut transaction, id, submission, at).await?,
            Matter::Claim(owner, at) => self.take_next(&mut transaction, owner, at).await?,
            Matter::Write(writing) => Came::Before(Box::new(self.append(&mut transaction, &writing).await?)),
        };
        transaction.commit().await.map_err(failed)?;
        Ok(came)
    }

    async fn hand_in(
        &self,
        db: &mut SqliteConnection,
        id: TaskId,
        submission: Submission,
        at: Timestamp,
    ) -> Result<Came, StoreError> {
        if let Some(key) = &submission.key {
            let before = sqlx::query(
                "SELECT id || ' ' || state AS word, body, digest FROM tasks WHERE caller = ? AND key = ?",
            );
            let before = before.bind(&submission.caller).bind(key).fetch_optional(&mut *db).await;
            let before = before.map_err(|error| self.trouble(&error))?;
            if let Some(row) = before {
                let task: Task = self.held(&row)?;
                return match task.submission == submission {
                    true => Ok(Came::Before(Box::new(task))),
                    false => Err(StoreError::KeyUsed(task.id)),
                };
            }
        }
        if task_of(self, &mut *db, &id).await?.is_some() {
            return Err(StoreError::Illegal { task: id, why: Illegal::Twice });
        }
        let view = View::begin(id, submission.clone(), at);
        self.put_line(db, &view.task.id, 1, at, &Fact::Submitted { submission }).await?;
        self.put_task(db, &view.task).await?;
        Ok(Came::New(Box::new(view.task)))
    }

    async fn take_next(
        &self,
        db: &mut SqliteConnection,
        owner: Owner,
        at: Timestamp,
    ) -> Result<Came, StoreError> {
        let next: Option<String> =
            sqlx::query_scalar("SELECT id FROM tasks WHERE state = 'queued' ORDER BY created, id LIMIT 1")
                .fetch_optional(&mut *db)
                .await
                .map_err(|error| self.trouble(&error))?;
        let Some(id) = next else { return Ok(Came::Nothing) };
        let writing = Writing { task: TaskId(id), at, fence: None, facts: vec![Fact::Claimed { owner }] };
        self.append(db, &writing).await.map(|task| Came::Before(Box::new(task)))
    }

    /// Facts, if they may follow, and what follows from them.
    async fn append(&self, db: &mut SqliteConnection, writing: &Writing) -> Result<Task, StoreError> {
        let Writing { task: id, at, fence, facts } = writing;
        let task = task_of(self, &mut *db, id).await?.ok_or_else(|| StoreError::NoTask(id.clone()))?;
        let (approvals, intents) =
            (approvals_of(self, &mut *db, id).await?, intents_of(self, &mut *db, id).await?);
        // Steps and what is kept only grow here: nothing that may follow depends on them.
        let mut view = View { task, approvals, intents, steps: vec![], blobs: vec![] };
        let before = view.clone();
        for fact in facts {
            view.take(fact, *at, fence.as_ref())
                .map_err(|why| StoreError::Illegal { task: id.clone(), why })?;
            let number = signed(view.task.events);
            self.put_line(db, id, number, *at, fact).await?;
            self.put_besides(db, id, number, *at, fact).await?;
        }
        self.put_task(db, &view.task).await?;
        for one in view.approvals.iter().filter(|one| !before.approvals.contains(one)) {
            self.put_named(db, PUT_APPROVAL, (&one.asking.id.0, id), one.standing.word(), one).await?;
        }
        for one in view.intents.iter().filter(|one| !before.intents.contains(one)) {
            self.put_named(db, PUT_INTENT, (&one.id.0, id), one.fate.word(), one).await?;
        }
        Ok(view.task)
    }

    /// A row with a name of its own, which no other task may have.
    async fn put_named(
        &self,
        db: &mut SqliteConnection,
        put: &'static str,
        (name, task): (&str, &TaskId),
        word: &str,
        value: &impl Serialize,
    ) -> Result<(), StoreError> {
        let (body, digest) = kept(&self.place, &format!("{name} {task} {word}"), value)?;
        let put = sqlx::query(put).bind(name).bind(&task.0).bind(word).bind(body).bind(digest);
        let put = put.execute(&mut *db).await.map_err(|error| self.trouble(&error))?;
        match put.rows_affected() {
            1 => Ok(()),
            _ => Err(StoreError::Illegal { task: task.clone(), why: Illegal::Twice }),
        }
    }

    async fn put_line(
        &self,
        db: &mut SqliteConnection,
        task: &TaskId,
        number: i64,
        at: Timestamp,
        fact: &Fact,
    ) -> Result<(), StoreError> {
        let at = signed(at.millis());
        let (text, digest) = kept_line(&self.place, task, number, at, fact)?;
        let put = sqlx::query("INSERT INTO events (task, number, at, fact, digest) VALUES (?, ?, ?, ?, ?)");
        let put = put.bind(&task.0).bind(number).bind(at).bind(text).bind(digest);
        put.execute(&mut *db).await.map_err(|error| self.trouble(&error))?;
        Ok(())
    }

    /// Rows that come and go with a single fact.
    async fn put_besides(
        &self,
        db: &mut SqliteConnection,
        task: &TaskId,
        number: i64,
        at: Timestamp,
        fact: &Fact,
    ) -> Result<(), StoreError> {
        let put = match fact {
            Fact::Entry { step: Some(step), .. } => {
                let (body, digest) = kept(&self.place, &format!("{task} {number}"), step)?;
                let put = sqlx::query("INSERT INTO steps (task, line, body, digest) VALUES (?, ?, ?, ?)");
                put.bind(&task.0).bind(number).bind(body).bind(digest).execute(&mut *db).await
            }
            Fact::Kept { blob } => {
                let kept_blob = KeptBlob { task: task.clone(), at, blob: blob.clone() };
                let (body, digest) = kept(&self.place, &format!("{task} {}", blob.name), &kept_blob)?;
                let put = sqlx::query(
                    "INSERT OR REPLACE INTO blobs (task, name, body, digest) VALUES (?, ?, ?, ?)",
                );
                put.bind(&task.0).bind(&blob.name).bind(body).bind(digest).execute(&mut *db).await
            }
            Fact::Dropped { name } => {
                let drop = sqlx::query("DELETE FROM blobs WHERE task = ? AND name = ?");
                drop.bind(&task.0).bind(name).execute(&mut *db).await
            }
            _ => return Ok(()),
        };
        put.map(|_| ()).map_err(|error| self.trouble(&error))
    }

    async fn put_task(&self, db: &mut SqliteConnection, task: &Task) -> Result<(), StoreError> {
        let (body, digest) = kept(&self.place, &format!("{} {}", task.id, task.state.word()), task)?;
        let put = sqlx::query(
            "INSERT INTO tasks (id, state, created, caller, key, body, digest) VALUES (?, ?, ?, ?, ?, ?, ?) \
             ON CONFLICT (id) DO UPDATE SET state = excluded.state, body = excluded.body, digest = excluded.digest",
        );
        let put = put.bind(&task.id.0).bind(task.state.word()).bind(signed(task.created.millis()));
        let put = put.bind(&task.submission.caller).bind(&task.submission.key).bind(body).bind(digest);
        put.execute(&mut *db).await.map_err(|error| self.trouble(&error))?;
        let used = task.used;
        let put = sqlx::query(
            "INSERT OR REPLACE INTO usage (task, calls, input, cached, output, micro_usd) VALUES (?, ?, ?, ?, ?, ?)",
        );
        let put =
            put.bind(&task.id.0).bind(signed(used.calls)).bind(signed(used.input)).bind(signed(used.cached));
        let put = put.bind(signed(used.output)).bind(signed(used.micro_usd));
        put.execute(&mut *db).await.map_err(|error| self.trouble(&error))?;
        Ok(())
    }

    pub(super) fn trouble(&self, error: &sqlx::Error) -> StoreError {
        trouble(&self.place, error)
    }

    fn failed(&self, why: &str) -> StoreError {
        StoreError::Failed { place: self.place.clone(), why: why.to_owned() }
    }
}
