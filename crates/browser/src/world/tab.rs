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

/// What holders of a tab can see of it.
#[derive(Debug, Clone)]
pub(crate) struct TabState {
    pub(crate) phase: Phase,
    pub(crate) session: SessionId,
    pub(crate) target: String,
    pub(crate) url: String,
    pub(crate) loads: Loads,
    pub(crate) loading: bool,
    pub(crate) dialog: Option<OpenDialog>,
}
