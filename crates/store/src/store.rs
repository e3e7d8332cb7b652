//! What others use: the database and the files beside it, as one.

use std::{path::Path, sync::Arc, time::SystemTime};

use legwork_types::Timestamp;
use tokio::sync::watch;

use crate::{
    Approval, ApprovalId, Blob, Fact, Fate, Fence, Illegal, Intent, Line, Owner, Room, Standing, StoreError,
    Submission, Task, TaskId, TaskState, Tier, Verdict, View, Writing,
    folder::{Folder, Swept, file_of},
    port::{Backend, Page, Submitted},
    sqlite::{Check, Sqlite},
};

/// Beside the database: the files that are kept.
const BLOBS: &str = "blobs";

/// All that is remembered.
#[derive(Debug, Clone)]
pub struct Store {
    backend: Arc<dyn Backend>,
    folder: Folder,
    /// Counts up with whatever this process writes.
    written: Arc<watch::Sender<u64>>,
}

impl Store {
    /// What is remembered in a folder.
    pub async fn open(folder: &Path, check: Check) -> Result<Self, StoreError> {
        Ok(Self::over(Arc::new(Sqlite::open(folder, check).await?), folder))
    }

    /// The same over any database, with its files in a folder.
    pub fn over(backend: Arc<dyn Backend>, folder: &Path) -> Self {
        Self { backend, folder: Folder(folder.join(BLOBS)), written: Arc::default() }
    }

    /// Counts up with whatever this process writes. What others write is seen by asking.
    pub fn written(&self) -> watch::Receiver<u64> {
        self.written.subscribe()
    }

    /// Hands a task in. The same key of the same caller is the same task; with another order it is refused.
    pub async fn submit(
        &self,
        id: TaskId,
        submission: Submission,
        at: Timestamp,
    ) -> Result<Submitted, StoreError> {
        let submitted = self.backend.submit(id, submission, at).await?;
        self.tell();
        Ok(submitted)
    }

    /// The task that waits longest for its turn, for whoever does it from now on.
    pub async fn claim(&self, owner: &Owner, at: Timestamp) -> Result<Option<Task>, StoreError> {
        let claimed = self.backend.claim(owner.clone(), at).await?;
        self.tell();
        Ok(claimed)
    }

    /// What happened to a task, told by whoever does it.
    pub async fn record(
        &self,
        task: &TaskId,
        fence: &Fence,
        facts: Vec<Fact>,
        at: Timestamp,
    ) -> Result<Task, StoreError> {
        self.write(Writing { task: task.clone(), at, fence: Some(fence.clone()), facts }).await
    }

    /// What somebody else says of a task.
    pub async fn say(&self, task: &TaskId, fact: Fact, at: Timestamp) -> Result<Task, StoreError> {
        self.write(Writing { task: task.clone(), at, fence: None, facts: vec![fact] }).await
    }

    /// An answer to a question; the first one counts, if it comes in time.
    pub async fn answer(
        &self,
        approval: &ApprovalId,
        verdict: Verdict,
        at: Timestamp,
    ) -> Result<Task, StoreError> {
        let asked = self.approval(approval).await?.ok_or_else(|| StoreError::NoApproval(approval.clone()))?;
        let answered =
            self.say(&asked.task, Fact::Answered { approval: approval.clone(), verdict }, at).await;
        match answered {
            Err(StoreError::Illegal { why: Illegal::TooLate, task }) => {
                self.expire_one(&asked, at).await?;
                Err(StoreError::Illegal { task, why: Illegal::Decided(Standing::Expired) })
            }
            answered => answered,
        }
    }

    /// Denies what has waited for too long, and takes back a yes by which nothing was done in time.
    pub async fn expire(&self, at: Timestamp) -> Result<Vec<Approval>, StoreError> {
        let mut over = self.approvals(Standing::Waiting).await?;
        over.extend(self.approvals(Standing::Approved).await?);
        over.retain(|one| one.asking.expires <= at);
        for approval in &over {
            self.expire_one(approval, at).await?;
        }
        Ok(over)
    }

    /// Somebody may have been quicker.
    async fn expire_one(&self, approval: &Approval, at: Timestamp) -> Result<(), StoreError> {
        let id = approval.asking.id.clone();
        match self.say(&approval.task, Fact::Expired { approval: id }, at).await {
            Ok(_) | Err(StoreError::Illegal { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Keeps something beside a task.
    pub async fn keep(
        &self,
        (task, fence): (&TaskId, &Fence),
        name: &str,
        bytes: Vec<u8>,
        tier: Tier,
        at: Timestamp,
    ) -> Result<Blob, StoreError> {
        let (folder, id, name) = (self.folder.clone(), task.clone(), name.to_owned());
        let blob = self.on_disk(move || folder.keep(&id, &name, &bytes, tier)).await?;
        self.record(task, fence, vec![Fact::Kept { blob: blob.clone() }], at).await?;
        Ok(blob)
    }

    /// What was kept beside a task under this name; none where there is nothing of the kind any more.
    pub async fn kept(&self, task: &TaskId, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(view) = self.view(task).await? else { return Ok(None) };
        let Some(kept) = view.blobs.into_iter().find(|one| one.blob.name == name) else { return Ok(None) };
        let (folder, id) = (self.folder.clone(), task.clone());
        self.on_disk(move || folder.read(&id, &kept.blob)).await.map(Some)
    }

    /// Removes what is kept beyond its time or its room, and files that nobody knows of.
    pub async fn sweep(&self, room: &Room, at: Timestamp) -> Result<Swept, StoreError> {
        let kept = self.backend.blobs().await?;
        let mut swept = Swept::default();
        for one in room.surplus(&kept, at) {
            let (folder, task, blob) = (self.folder.clone(), one.task.clone(), one.blob.clone());
            // First it is not known any more: a row without a file would promise something.
            self.say(&task, Fact::Dropped { name: blob.name.clone() }, at).await?;
            self.on_disk(move || folder.remove(&task, &blob)).await?;
            swept.files += 1;
            swept.bytes += one.blob.bytes;
        }
        let known = self.backend.blobs().await?;
        let known = known.into_iter().map(|one| (one.task, file_of(&one.blob))).collect();
        let folder = self.folder.clone();
        let unknown = self.on_disk(move || Ok(folder.sweep(&known, SystemTime::now()))).await?;
        Ok(Swept { files: swept.files + unknown.files, bytes: swept.bytes + unknown.bytes })
    }

    /// One task.
    pub async fn task(&self, id: &TaskId) -> Result<Option<Task>, StoreError> {
        self.backend.task(id).await
    }

    /// One task with all that belongs to it.
    pub async fn view(&self, id: &TaskId) -> Result<Option<View>, StoreError> {
        self.backend.view(id).await
    }

    /// Tasks, the newest first.
    pub async fn tasks(&self, page: &Page) -> Result<Vec<Task>, StoreError> {
        self.backend.tasks(page).await
    }

    /// How many tasks stand how.
    pub async fn counts(&self) -> Result<Vec<(TaskState, u64)>, StoreError> {
        self.backend.counts().await
    }

    /// Lines of the log, of one task or of all, after a place in the log of everything.
    pub async fn lines(
        &self,
        task: Option<&TaskId>,
        after: u64,
        most: usize,
    ) -> Result<Vec<Line>, StoreError> {
        self.backend.lines(task, after, most).await
    }

    /// The last place in the log of everything.
    pub async fn last(&self) -> Result<u64, StoreError> {
        self.backend.last().await
    }

    /// One question.
    pub async fn approval(&self, id: &ApprovalId) -> Result<Option<Approval>, StoreError> {
        self.backend.approval(id).await
    }

    /// All questions that stand like this, the oldest first.
    pub async fn approvals(&self, standing: Standing) -> Result<Vec<Approval>, StoreError> {
        self.backend.approvals(standing).await
    }

    /// All intents with this fate.
    pub async fn intents(&self, fate: Fate) -> Result<Vec<Intent>, StoreError> {
        self.backend.intents(fate).await
    }

    /// Ends all use of it in good order.
    pub async fn close(&self) {
        self.backend.close().await;
    }

    async fn write(&self, writing: Writing) -> Result<Task, StoreError> {
        let task = self.backend.write(writing).await?;
        self.tell();
        Ok(task)
    }

    fn tell(&self) {
        self.written.send_modify(|count| *count += 1);
    }

    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let place = self.folder.0.clone();
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|error| Err(StoreError::Failed { place, why: error.to_string() }))
    }
}
