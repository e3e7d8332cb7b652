//! Waiting for the answer to a question of a session.

use std::{fmt, sync::Arc};

use legwork_types::{Problem, contract::SessionId};
use tokio_util::sync::CancellationToken;

use super::{Caller, house::House, one::Session};
use crate::{
    Answer, Approval, ApprovalId, Approvals, NotDecided, Standing,
    gate::{AfterAnswer, Hand},
};

/// How a question was decided, and what is left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// Somebody said yes, and it was let go. Whether it was taken is for the page to tell.
    LetGo,
    /// Somebody said yes, and it leaves when the act is done again.
    ToBeDoneAgain,
    /// Somebody said yes, and it could not leave any more: its browser is gone.
    NotSent,
    /// Somebody said yes, and whether it left is not known.
    Unknown,
    /// Somebody said no.
    Denied,
    /// Nobody answered in time.
    Unanswered,
    /// The question was taken back: what it is about is gone, or nobody waits any more.
    Withdrawn,
}

impl Decided {
    fn of(standing: Standing, after: Option<AfterAnswer>) -> Self {
        match (standing, after) {
            (Standing::Approved, Some(AfterAnswer::LetGo)) => Self::LetGo,
            (Standing::Approved, Some(AfterAnswer::ToBeDoneAgain)) => Self::ToBeDoneAgain,
            (Standing::Approved, Some(AfterAnswer::NotSent)) => Self::NotSent,
            (Standing::Approved, Some(AfterAnswer::Unknown) | None) => Self::Unknown,
            (Standing::Denied, _) => Self::Denied,
            (Standing::Waiting | Standing::Expired, _) => Self::Unanswered,
            (Standing::Withdrawn, _) => Self::Withdrawn,
        }
    }
}

/// What happened in a session without being what a call was for: the page's own doings.
#[derive(Debug)]
pub enum Besides {
    /// A write left that needed no yes.
    Left {
        /// Its method.
        method: String,
        /// Where it went, without what was asked there.
        address: String,
    },
    /// So many more of them: more than are kept.
    Unlisted(u64),
    /// A question was decided.
    Decided(Arc<Approval>, Decided),
    /// Somebody said yes to this, and it left, or may have.
    Committed {
        /// Its method.
        method: String,
        /// Where it went, without what was asked there.
        address: String,
    },
}

impl House {
    /// Waits until a question is decided and what was decided is carried out. Whoever waits uses the session: it is not closed
    /// for being idle meanwhile.
    pub(crate) async fn decided(
        &self,
        caller: &Caller,
        session: &SessionId,
        approval: &ApprovalId,
        cancel: &CancellationToken,
    ) -> Result<Decided, Problem> {
        let in_use = match self.register.enter(caller, session, cancel) {
            Ok(in_use) => in_use,
            // The session is gone. A yes that was given by then may have let something go.
            Err(_) if self.desk.standing(approval) == Standing::Approved => return Ok(Decided::Unknown),
            Err(problem) => return Err(problem),
        };
        let standing = tokio::select! {
            biased;
            standing = self.desk.decided(approval) => standing,
            // Whoever does not wait any more takes the question back, unless it was answered by then.
            () = in_use.cancel.cancelled() => match self.desk.answer(approval, Answer::No) {
                Err(NotDecided::Already(standing)) => standing,
                Ok(()) | Err(NotDecided::Unknown | NotDecided::NotOffered) => Standing::Withdrawn,
            },
        };
        let after = match standing {
            Standing::Approved => tokio::select! {
                biased;
                after = in_use.session.gate.carried_out(approval) => after,
                // Whoever does not wait for that does not know it.
                () = in_use.cancel.cancelled() => None,
            },
            _ => None,
        };
        Ok(Decided::of(standing, after))
    }

    /// What happens in a session of this caller; none if there is no such session.
    pub(crate) fn doings(&self, caller: &Caller, session: &SessionId) -> Option<Doings> {
        let sessions = self.register.of(caller);
        let session = sessions.into_iter().find(|one| one.id == *session)?;
        Some(Doings { session, desk: self.desk.clone() })
    }
}

/// What happens in a session, also after it was closed or its browser is gone.
pub struct Doings {
    session: Arc<Session>,
    desk: Arc<Approvals>,
}

impl Doings {
    /// Everything that left or was decided since this was last asked, secrets hidden.
    pub fn take(&self) -> Vec<Besides> {
        let Session { gate, vault, .. } = &*self.session;
        let (left, unlisted) = gate.take_left();
        let unlisted = (unlisted > 0).then_some(Besides::Unlisted(unlisted));
        let left = left
            .into_iter()
            .map(|(method, address)| Besides::Left { method, address: vault.hidden(address) });
        let decided = gate.take_decided().into_iter().filter_map(|(id, after)| {
            let (approval, standing) = self.desk.find(&id)?;
            Some(Besides::Decided(approval, Decided::of(standing, Some(after))))
        });
        let committed = gate
            .take_commits()
            .into_iter()
            .map(|(method, address)| Besides::Committed { method, address: vault.hidden(address) });
        unlisted.into_iter().chain(left).chain(decided).chain(committed).collect()
    }

    /// These are not sent again in this session: methods and addresses, as [`Besides::Committed`] tells them.
    pub fn never_again(&self, sent: Vec<(String, String)>) {
        self.session.gate.never_again(sent);
    }

    /// Its page was lost, and the session is there still: what left because of it after a yes is not sent again.
    pub fn page_lost(&self) {
        self.session.gate.page_lost();
    }

    /// A person logs in or proves something at the origin of this address, in the browser itself: what that takes is not asked about until
    /// nobody is at work there any more.
    pub fn by_hand(&self, at: Option<(Hand, &str)>) {
        self.session.gate.by_hand(at);
    }

    /// Whether the session is there no more: closed, or gone with its browser.
    pub fn is_over(&self) -> bool {
        self.session.is_lost()
    }

    /// Takes back what nobody has answered, and waits until the answers that were given are carried out.
    pub async fn settle(&self) {
        self.session.gate.settle().await;
    }
}

impl fmt::Debug for Doings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Doings").field("session", &self.session.id).finish_non_exhaustive()
    }
}
