//! Waiting for the answer to a question of a session.

use std::sync::Arc;

use legwork_types::{Problem, contract::SessionId};
use tokio_util::sync::CancellationToken;

use super::{Caller, house::House};
use crate::{Approval, ApprovalId, Standing, gate::AfterAnswer};

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
    /// Nobody answered in time, or nobody waits any more.
    Unanswered,
}

impl Decided {
    fn of(standing: Standing, after: Option<AfterAnswer>) -> Self {
        match (standing, after) {
            (Standing::Approved, Some(AfterAnswer::LetGo)) => Self::LetGo,
            (Standing::Approved, Some(AfterAnswer::ToBeDoneAgain)) => Self::ToBeDoneAgain,
            (Standing::Approved, Some(AfterAnswer::NotSent)) => Self::NotSent,
            (Standing::Approved, Some(AfterAnswer::Unknown) | None) => Self::Unknown,
            (Standing::Denied, _) => Self::Denied,
            (Standing::Waiting | Standing::Expired | Standing::Withdrawn, _) => Self::Unanswered,
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
    /// A question was decided.
    Decided(Arc<Approval>, Decided),
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
        let in_use = self.register.enter(caller, session, cancel)?;
        let standing = tokio::select! {
            biased;
            standing = self.desk.decided(approval) => standing,
            () = in_use.cancel.cancelled() => Standing::Withdrawn,
        };
        let after = match standing {
            Standing::Approved => in_use.session.gate.carried_out(approval).await,
            _ => None,
        };
        Ok(Decided::of(standing, after))
    }

    /// Everything that left or was decided in a session since this was last asked. Nothing of a session that is gone.
    pub(crate) fn besides(&self, caller: &Caller, session: &SessionId) -> Vec<Besides> {
        let sessions = self.register.of(caller);
        let Some(session) = sessions.iter().find(|one| one.id == *session) else { return vec![] };
        let left = session.gate.take_left().into_iter();
        let left = left.map(|(method, address)| Besides::Left { method, address });
        let decided = session.gate.take_decided().into_iter().filter_map(|(id, after)| {
            let (approval, standing) = self.desk.find(&id)?;
            Some(Besides::Decided(approval, Decided::of(standing, Some(after))))
        });
        left.chain(decided).collect()
    }
}
