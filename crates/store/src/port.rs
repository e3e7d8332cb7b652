//! What a database has to do for us. Whatever it is, the same tests hold it to the same behaviour.

use std::fmt;

use futures_util::future::BoxFuture;
use legwork_types::Timestamp;

use crate::{
    Approval, ApprovalId, Fate, Intent, KeptBlob, Line, Owner, Standing, StoreError, Submission, Task,
    TaskId, TaskState, View, Writing,
};

/// What comes of handing something in.
#[derive(Debug, Clone, PartialEq)]
pub enum Submitted {
    /// A new task.
    New(Task),
    /// The same was handed in before.
    Before(Task),
}

impl Submitted {
    /// The task, new or not.
    pub fn task(&self) -> &Task {
        match self {
            Self::New(task) | Self::Before(task) => task,
        }
    }
}

/// Which tasks are wanted, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// In one of these states; in any if none is named.
    pub states: Vec<TaskState>,
    /// Older than this one.
    pub before: Option<TaskId>,
    /// At most so many.
    pub most: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self { states: vec![], before: None, most: 50 }
    }
}

/// The answer of a database.
pub type Told<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A database. Each call is one transaction: all of it or nothing, and when it returns it lasts.
pub trait Backend: Send + Sync + fmt::Debug {
    /// Hands a task in. The same key of the same caller is the same task; with another order it is refused.
    fn submit(&self, id: TaskId, submission: Submission, at: Timestamp) -> Told<'_, Submitted>;

    /// The task that waits longest for its turn, for whoever does it from now on.
    fn claim(&self, owner: Owner, at: Timestamp) -> Told<'_, Option<Task>>;

    /// Writes facts down, if each may follow the one before it, and gives the task as it is then.
    fn write(&self, writing: Writing) -> Told<'_, Task>;

    /// One task.
    fn task<'a>(&'a self, id: &'a TaskId) -> Told<'a, Option<Task>>;

    /// One task with all that belongs to it.
    fn view<'a>(&'a self, id: &'a TaskId) -> Told<'a, Option<View>>;

    /// Tasks, the newest first.
    fn tasks<'a>(&'a self, page: &'a Page) -> Told<'a, Vec<Task>>;

    /// How many tasks stand how.
    fn counts(&self) -> Told<'_, Vec<(TaskState, u64)>>;

    /// Lines of the log, of one task or of all, after a place in the log of everything.
    fn lines<'a>(&'a self, task: Option<&'a TaskId>, after: u64, most: usize) -> Told<'a, Vec<Line>>;

    /// The last place in the log of everything.
    fn last(&self) -> Told<'_, u64>;

    /// One question.
    fn approval<'a>(&'a self, id: &'a ApprovalId) -> Told<'a, Option<Approval>>;

    /// All questions that stand like this, the oldest first.
    fn approvals(&self, standing: Standing) -> Told<'_, Vec<Approval>>;

    /// All intents with this fate.
    fn intents(&self, fate: Fate) -> Told<'_, Vec<Intent>>;

    /// All that is kept beside tasks.
    fn blobs(&self) -> Told<'_, Vec<KeptBlob>>;

    /// Ends all use of it in good order.
    fn close(&self) -> BoxFuture<'_, ()>;
}
