//! The memory of errands: an append-only log of what happened to each, and what follows from it, in a database that survives whatever
//! ends the program. It decides nothing: which facts may follow which is all that it knows of them.

mod approval;
mod blob;
mod error;
mod fact;
mod folder;
mod intent;
mod json;
mod moment;
mod port;
mod sqlite;
mod store;
mod task;
mod view;

pub use approval::{Approval, ApprovalId, Asking, Says, Standing, Verdict};
pub use blob::{Blob, KeptBlob, Room, Tier};
pub use error::{Illegal, StoreError};
pub use fact::{Fact, Line, Step, Voice, Writing};
pub use folder::Swept;
pub use intent::{Fate, Intent, IntentId};
pub use json::Json;
pub use port::{Backend, Page, Submitted, Told};
pub use sqlite::{Check, Sqlite};
pub use store::Store;
pub use task::{End, Fence, Owner, Submission, Task, TaskId, TaskState, Used, Wish};
pub use view::View;
