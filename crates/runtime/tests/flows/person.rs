//! Somebody who is asked, answers always the same, and remembers every question.

use std::sync::{Arc, Mutex};

use legwork_runtime::{Answer, Approval, Approvals};
use legwork_types::contract::SessionId;
use tokio::task::JoinHandle;

/// Somebody who is asked.
pub(crate) struct Person {
    asked: Arc<Mutex<Vec<Arc<Approval>>>>,
    task: JoinHandle<()>,
}

impl Person {
    /// Somebody who gives this answer to all that is asked here.
    pub(crate) fn who_says(answer: Answer, approvals: Arc<Approvals>) -> Self {
        let asked: Arc<Mutex<Vec<Arc<Approval>>>> = Arc::default();
        let heard = asked.clone();
        let task = tokio::spawn(async move {
            let mut changes = approvals.changes();
            loop {
                changes.mark_unchanged();
                for question in approvals.waiting() {
                    heard.lock().unwrap().push(question.clone());
                    approvals.answer(&question.id, answer).unwrap();
                }
                if changes.changed().await.is_err() {
                    return;
                }
            }
        });
        Self { asked, task }
    }

    /// Everything that was asked.
    pub(crate) fn questions(&self) -> Vec<Arc<Approval>> {
        self.asked.lock().unwrap().clone()
    }

    /// What was asked about this session.
    pub(crate) fn was_asked(&self, session: &SessionId) -> Vec<Arc<Approval>> {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|one| one.question.session == *session).cloned().collect()
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.task.abort();
    }
}
