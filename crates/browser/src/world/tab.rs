//! One tab as everybody who holds it sees it.

use legwork_cdp::SessionId;

use super::{dialogs::OpenDialog, loads::Loads};

/// Why a tab is no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// Closed by us, by the page or by a person.
    Closed,
    /// Its renderer died.
    Crashed,
    /// Its renderer answered nothing any more, so we closed it.
    Unresponsive,
    /// The page attacked the browser, so we closed it.
    Hostile(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Attached, but our settings are not in force yet.
    Preparing,
    Ready,
    Gone(Gone),
}

/// A document that was asked for and has not come up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnderWay {
    pub(crate) loader: String,
    /// The browser will show a page of its own instead.
    pub(crate) failed: bool,
    /// It is the answer to what was sent: a form, as a rule.
    pub(crate) is_answer: bool,
}

/// What holders of a tab can see of it.
#[derive(Debug, Clone)]
pub(crate) struct TabState {
    pub(crate) phase: Phase,
    pub(crate) session: SessionId,
    pub(crate) target: String,
    pub(crate) url: String,
    pub(crate) loads: Loads,
    pub(crate) loading: bool,
    /// Where it is on its way to. Meanwhile its page answers nothing.
    pub(crate) under_way: Option<UnderWay>,
    /// Whether the document is the answer to what was sent: to load it again is to send it again.
    pub(crate) is_answer: bool,
    /// How many documents have come up and addresses changed.
    pub(crate) moves: u64,
    pub(crate) dialog: Option<OpenDialog>,
}
