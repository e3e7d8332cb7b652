//! The tasks of one door: all of them end with it.

use std::sync::{Mutex, PoisonError};

use tokio::task::JoinSet;

/// A set of tasks that can be ended once and for all.
#[derive(Debug)]
pub(crate) struct Tasks(Mutex<Option<JoinSet<()>>>);

impl Tasks {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Some(JoinSet::new())))
    }

    /// Starts a task, unless the end has come.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tasks) = tasks.as_mut() {
            while tasks.try_join_next().is_some() {}
            tasks.spawn(task);
        }
    }

    /// Calls all tasks off and lets no other begin. Who wants to wait for their end shuts down what comes back.
    pub(crate) fn end(&self) -> Option<JoinSet<()>> {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(tasks) = tasks.as_mut() {
            tasks.abort_all();
        }
        tasks
    }
}
