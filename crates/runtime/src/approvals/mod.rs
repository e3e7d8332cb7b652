//! Questions to people: one object, whatever the way on which it is asked and answered.

mod book;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use legwork_policy::wire::Card;
use legwork_types::{Timestamp, contract::SessionId};
use tokio::sync::watch;

pub use book::{Answer, NotDecided, Standing};

use crate::{observe::now, random};
use book::Book;

/// The name of a question.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ApprovalId(pub String);

impl fmt::Display for ApprovalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is asked. Everything but `said` is written by us, from what would really leave the browser.
#[derive(Debug, Clone)]
pub struct Question {
    /// Whose session.
    pub session: SessionId,
    /// What was done to which element: `click button "Place order"`; none where the page did it by itself.
    pub act: Option<String>,
    /// The address of the page, without its query.
    pub page: String,
    /// The request, taken apart for a person.
    pub card: Card,
    /// What the caller says it is for. Its own words, and shown as such.
    pub said: Option<String>,
    /// Whether a yes may hold for whatever else of the kind goes to the same place in this errand.
    pub offers_errand: bool,
}

/// A question that was asked.
#[derive(Debug)]
pub struct Approval {
    /// Its name.
    pub id: ApprovalId,
    /// What is asked.
    pub question: Question,
    /// When.
    pub asked: Timestamp,
    /// When it is too late for a yes.
    pub expires: Timestamp,
    /// Where a person can answer it, if there is such a place. Whoever goes there has to know the code.
    pub url: Option<String>,
    /// What has to be known to answer there. Never told to a caller.
    pub code: String,
    picture: Mutex<Option<Arc<[u8]>>>,
}

impl Approval {
    /// Where it can be answered, with the code: for the person alone.
    pub fn url_with_code(&self) -> Option<String> {
        self.url.as_ref().map(|url| format!("{url}?code={}", self.code))
    }

    /// The page as it was when the question was asked, secrets painted over.
    pub fn picture(&self) -> Option<Arc<[u8]>> {
        self.picture.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts the picture beside the question.
    pub fn show(&self, jpeg: Vec<u8>) {
        *self.picture.lock().unwrap_or_else(PoisonError::into_inner) = Some(jpeg.into());
    }
}

/// Told that a question is decided, once.
type Hear = Box<dyn FnOnce() + Send>;

/// Where a question can be answered.
type Place = Box<dyn Fn(&ApprovalId) -> String + Send + Sync>;

/// All questions, and whoever waits for an answer.
pub struct Approvals {
    book: Mutex<Book>,
    hearers: Mutex<Vec<(ApprovalId, Hear)>>,
    /// Counts up with every question and every answer.
    changes: watch::Sender<u64>,
    life: Duration,
    place: OnceLock<Place>,
}

/// How long a question waits unless told.
pub const USUAL_LIFE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long it may be told to wait.
pub const LONGEST_LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

impl Approvals {
    /// Questions that wait for so long, at most for [`LONGEST_LIFE`].
    pub fn new(life: Duration) -> Self {
        Self {
            book: Mutex::default(),
            hearers: Mutex::default(),
            changes: watch::Sender::new(0),
            life: life.min(LONGEST_LIFE),
            place: OnceLock::new(),
        }
    }

    /// From now on questions can be answered at an address, which is told to callers. The first word counts.
    pub fn answered_at(&self, place: impl Fn(&ApprovalId) -> String + Send + Sync + 'static) {
        let _ = self.place.set(Box::new(place));
    }

    /// Asks. `hear` is told when it is answered, or will not be.
    pub fn ask(&self, question: Question, hear: impl FnOnce() + Send + 'static) -> Arc<Approval> {
        let asked = now();
        let id = ApprovalId(random::name("a"));
        let approval = Arc::new(Approval {
            url: self.place.get().map(|place| place(&id)),
            id,
            question,
            asked,
            expires: asked.after(self.life),
            code: random::code(),
            picture: Mutex::default(),
        });
        tracing::info!(approval = %approval.id, session = approval.question.session.0, "a yes is needed");
        {
            // Under one lock: somebody who waits for a question that is not there yet would be told that it was withdrawn.
            let mut book = self.book();
            book.ask(approval.clone());
            self.hearers().push((approval.id.clone(), Box::new(hear)));
        }
        self.changed();
        approval
    }

    /// Answers a question; the first answer counts.
    pub fn answer(&self, id: &ApprovalId, answer: Answer) -> Result<(), NotDecided> {
        let decided = self.book().decide(id, answer, now());
        tracing::info!(approval = %id, ?answer, counts = decided.is_ok(), "an answer came");
        self.changed();
        decided
    }

    /// Those that wait for an answer, the oldest first.
    pub fn waiting(&self) -> Vec<Arc<Approval>> {
        self.expire();
        let book = self.book();
        let waiting = book.rows().filter(|row| row.standing == Standing::Waiting);
        waiting.map(|row| row.approval.clone()).collect()
    }

    /// One question, and where it stands.
    pub fn find(&self, id: &ApprovalId) -> Option<(Arc<Approval>, Standing)> {
        self.expire();
        self.book().row(id).map(|row| (row.approval.clone(), row.standing))
    }

    /// Where a question stands.
    pub fn standing(&self, id: &ApprovalId) -> Standing {
        self.find(id).map_or(Standing::Withdrawn, |(_, standing)| standing)
    }

    /// Whether somebody said yes for the rest of the errand.
    pub(crate) fn is_for_errand(&self, id: &ApprovalId) -> bool {
        self.book().row(id).is_some_and(|row| row.is_for_errand)
    }

    /// Where a question stands once it is decided, be it by time.
    pub async fn decided(&self, id: &ApprovalId) -> Standing {
        let mut changes = self.changes();
        loop {
            changes.mark_unchanged();
            let Some((approval, standing)) = self.find(id) else { return Standing::Withdrawn };
            if standing != Standing::Waiting {
                return standing;
            }
            let left = approval.expires.millis().saturating_sub(now().millis());
            let over = tokio::time::sleep(Duration::from_millis(left.max(1)));
            tokio::select! {
                _ = changes.changed() => {}
                () = over => {}
            }
        }
    }

    /// Counts up with every question and every answer.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Takes back the questions of a session that is over.
    pub(crate) fn withdraw(&self, session: &SessionId) {
        self.book().withdraw(|approval| approval.question.session == *session);
        self.changed();
    }

    fn expire(&self) {
        self.book().expire(now());
        self.tell();
    }

    fn changed(&self) {
        self.tell();
        self.changes.send_modify(|count| *count += 1);
    }

    /// Tells those whose question is decided, outside of all locks.
    fn tell(&self) {
        let decided: Vec<Hear> = {
            let book = self.book();
            let mut hearers = self.hearers();
            let standing = |id: &ApprovalId| book.row(id).map_or(Standing::Withdrawn, |row| row.standing);
            let is_over = |(id, _): &mut (ApprovalId, Hear)| standing(id) != Standing::Waiting;
            hearers.extract_if(.., is_over).map(|(_, hear)| hear).collect()
        };
        for hear in decided {
            hear();
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hearers(&self) -> MutexGuard<'_, Vec<(ApprovalId, Hear)>> {
        self.hearers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Approvals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approvals").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn question() -> Question {
        let session = SessionId("s".into());
        let (act, said, page, card) = (None, None, String::new(), Card::default());
        Question { session, act, page, card, said, offers_errand: false }
    }

    #[test]
    fn nobody_is_told_before_there_is_an_answer_however_many_look() {
        let (desk, is_over) = (Approvals::new(USUAL_LIFE), AtomicBool::new(false));
        let told_early = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    desk.waiting();
                }
            });
            let early = (0..2_000).filter(|_| {
                let heard = Arc::new(AtomicBool::new(false));
                let hear = heard.clone();
                let approval = desk.ask(question(), move || hear.store(true, Ordering::SeqCst));
                let early = heard.load(Ordering::SeqCst);
                desk.answer(&approval.id, Answer::No).unwrap();
                early
            });
            let early = early.count();
            is_over.store(true, Ordering::Relaxed);
            early
        });
        assert_eq!(told_early, 0);
    }
}
