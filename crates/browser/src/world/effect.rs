//! What the hub has to do after news came in.

use std::{path::PathBuf, time::Duration};

use legwork_cdp::SessionId;
use legwork_types::{Outgoing, OutgoingKind, TabId};

use super::{ContextKey, on_wire::Waiting, paused::WaitingPlace};
use crate::barrier::{GivenUp, SharedBarrier, Ticket};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Fail at a piece of work.
    #[cfg(test)]
    Fail,
    /// Put our settings in force on a page, then let it run.
    PreparePage {
        session: SessionId,
    },
    /// The same for an out-of-process frame.
    PrepareFrame {
        session: SessionId,
    },
    /// The same for a worker.
    PrepareWorker {
        session: SessionId,
    },
    /// Ask the barrier about a request; come back with `World::ruled`.
    Judge {
        barrier: SharedBarrier,
        waiting: Box<Waiting>,
    },
    /// A request that nobody can be named for: it leaves if every barrier admits it.
    JudgeUnclaimed {
        barriers: Vec<SharedBarrier>,
        place: WaitingPlace,
        outgoing: Box<Outgoing>,
    },
    /// Let a request that waits leave.
    LetGo {
        place: WaitingPlace,
    },
    /// Let it leave as another one to the same address.
    LetGoAs {
        place: WaitingPlace,
        outgoing: Box<Outgoing>,
    },
    /// Answer it with an empty document, so that it never leaves.
    AnswerWithNothing {
        place: WaitingPlace,
    },
    /// Let it come to nothing.
    TurnBack {
        place: WaitingPlace,
        kind: OutgoingKind,
    },
    /// Come back with `World::give_up` when the page freezes, or nobody decides.
    WatchHold {
        ticket: Ticket,
        page: Option<SessionId>,
        /// For how long it is held at most.
        hold: Duration,
    },
    TellGivenUp {
        barrier: SharedBarrier,
        ticket: Ticket,
        why: GivenUp,
    },
    TellAnswered {
        barrier: SharedBarrier,
        ticket: Ticket,
    },
    /// Let a page run that is not wanted, with every channel closed, and close it.
    Refuse {
        session: SessionId,
        target: String,
    },
    /// Not ours, or of a kind that we don't drive: let it run and let go of it.
    Release {
        session: SessionId,
    },
    /// Hear no more of a page that goes: Chromium dies when it has to tell us how a dialog ended whose frame is gone. Nothing stands in
    /// the way of the page's sockets then, so it is cut off from the network first.
    CutOff {
        session: SessionId,
    },
    /// Close a page.
    CloseTarget {
        target: String,
    },
    /// Fail what is pending on a dead session.
    Abandon {
        session: SessionId,
    },
    AnswerDialog {
        session: SessionId,
        accept: bool,
        text: Option<String>,
    },
    /// Come back with `World::dialog_expired` if nobody answers.
    ExpireDialog {
        tab: TabId,
        serial: u64,
    },
    /// Come back with `World::load_overdue`: a new tab must show something in time.
    WatchLoad {
        tab: TabId,
    },
    /// Come back with `World::followed`: a tab that a page opened is there, and its title is asked for.
    Introduce {
        tab: TabId,
        target: String,
    },
    BringToFront {
        session: SessionId,
    },
    /// Come back with `World::download_overdue`: a download must be over in time.
    WatchDownload {
        context: ContextKey,
        guid: String,
        /// How long it may take.
        most: Duration,
    },
    CancelDownload {
        context: ContextKey,
        guid: String,
    },
    /// Attach to a page whose own announcement was lost.
    Attach {
        target: String,
    },
    /// Remove a file that should not have been written.
    DiscardDownload {
        folder: PathBuf,
        guid: String,
    },
    /// End a context, after all that was done to its pages.
    DisposeContext {
        id: String,
    },
    /// The context is over: nothing more is downloaded, and what was goes.
    ForgetDownloads {
        context: ContextKey,
        folder: PathBuf,
    },
    /// Give a finished download its name.
    KeepDownload {
        context: ContextKey,
        folder: PathBuf,
        guid: String,
        name: String,
        bytes: u64,
    },
}
