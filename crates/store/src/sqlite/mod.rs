//! The log and what follows from it in one file of SQLite, with one writer and several readers.

mod look;
mod open;
mod read;
mod rows;
mod schema;
mod trouble;
mod write;
mod writer;

use std::{
    fmt, fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use futures_util::future::BoxFuture;
use legwork_types::Timestamp;
use sqlx::SqlitePool;
use tokio::sync::Mutex;

use crate::{
    Approval, ApprovalId, Fate, Intent, KeptBlob, Line, Owner, Standing, StoreError, Submission, Task,
    TaskId, TaskState, View, Writing,
    port::{Backend, Page, Submitted, Told},
};

pub use self::look::Check;
use self::writer::Writer;

/// A database in a file.
pub struct Sqlite {
    inner: Arc<Inner>,
}

struct Inner {
    /// The file.
    place: PathBuf,
    /// Which file that is, whatever may stand there later.
    identity: Option<(u64, u64)>,
    /// Who writes: one at a time. None once it is closed.
    writer: Mutex<Option<Writer>>,
    readers: SqlitePool,
}

impl Inner {
    fn new(place: PathBuf, writer: Option<Writer>, readers: SqlitePool) -> Self {
        let identity = identity(&place);
        Self { place, identity, writer: Mutex::new(writer), readers }
    }

    /// What is written to a file that is gone would be lost with it.
    fn is_there(&self) -> Result<(), StoreError> {
        match identity(&self.place) == self.identity {
            true => Ok(()),
            false => Err(StoreError::Missing { place: self.place.clone() }),
        }
    }
}

/// Which file stands at a place.
fn identity(place: &Path) -> Option<(u64, u64)> {
    fs::metadata(place).ok().map(|about| (about.dev(), about.ino()))
}

impl Sqlite {
    fn new(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    /// Writes to the end, whether or not somebody still waits for it: what was begun is not left half done.
    fn writing<'a, T: Send + 'static>(
        &'a self,
        write: impl FnOnce(Arc<Inner>) -> BoxFuture<'static, Result<T, StoreError>> + Send + 'static,
    ) -> Told<'a, T> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let place = inner.place.clone();
            let ended = tokio::spawn(write(inner)).await;
            ended.unwrap_or_else(|error| Err(StoreError::Failed { place, why: error.to_string() }))
        })
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("place", &self.inner.place).finish_non_exhaustive()
    }
}

impl Backend for Sqlite {
    fn submit(&self, id: TaskId, submission: Submission, at: Timestamp) -> Told<'_, Submitted> {
        self.writing(move |inner| Box::pin(async move { inner.submit(id, submission, at).await }))
    }

    fn claim(&self, owner: Owner, at: Timestamp) -> Told<'_, Option<Task>> {
        self.writing(move |inner| Box::pin(async move { inner.claim(owner, at).await }))
    }

    fn write(&self, writing: Writing) -> Told<'_, Task> {
        self.writing(move |inner| Box::pin(async move { inner.write(writing).await }))
    }

    fn task<'a>(&'a self, id: &'a TaskId) -> Told<'a, Option<Task>> {
        Box::pin(self.inner.task(id))
    }

    fn view<'a>(&'a self, id: &'a TaskId) -> Told<'a, Option<View>> {
        Box::pin(self.inner.view(id))
    }

    fn tasks<'a>(&'a self, page: &'a Page) -> Told<'a, Vec<Task>> {
        Box::pin(self.inner.tasks(page))
    }

    fn counts(&self) -> Told<'_, Vec<(TaskState, u64)>> {
        Box::pin(self.inner.counts())
    }

    fn lines<'a>(&'a self, task: Option<&'a TaskId>, after: u64, most: usize) -> Told<'a, Vec<Line>> {
        Box::pin(self.inner.lines(task, after, most))
    }

    fn last(&self) -> Told<'_, u64> {
        Box::pin(self.inner.last())
    }

    fn approval<'a>(&'a self, id: &'a ApprovalId) -> Told<'a, Option<Approval>> {
        Box::pin(self.inner.approval(id))
    }

    fn approvals(&self, standing: Standing) -> Told<'_, Vec<Approval>> {
        Box::pin(self.inner.approvals(standing))
    }

    fn intents(&self, fate: Fate) -> Told<'_, Vec<Intent>> {
        Box::pin(self.inner.intents(fate))
    }

    fn blobs(&self) -> Told<'_, Vec<KeptBlob>> {
        Box::pin(self.inner.blobs())
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.inner.readers.close().await;
            if let Some(mut writer) = self.inner.writer.lock().await.take() {
                writer.let_go().await;
            }
        })
    }
}
