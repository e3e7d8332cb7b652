//! One tab as everybody who holds it sees it.

use legwork_cdp::{SessionId, protocol::target::Crashed};

use super::{dialogs::OpenDialog, loads::Loads};

/// Why a tab is no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// Closed by us, by the page or by a person.
    Closed,
    /// Its renderer died.
    Crashed,
    /// The same, and it gave up by itself, as it does where it gets no more memory.
    GaveUp,
    /// Its renderer answered nothing any more, so we closed it.
    Unresponsive,
    /// The page attacked the browser, so we closed it.
    Hostile(&'static str),
}

impl Gone {
    /// Whether its renderer died.
    pub fn has_crashed(self) -> bool {
        matches!(self, Self::Crashed | Self::GaveUp)
    }

    /// How a renderer died, by what the browser says of it.
    pub(crate) fn of_crash(crash: &Crashed) -> Self {
        /// Scripts, layout and whatever else gets no memory end the process by a trap on Linux. So does a mistake of Chromium that it
        /// notices itself; one that it does not notice, and whoever kills a process, end it by other signals.
        const TRAP: i64 = 5;
        match (crash.status.as_str(), crash.error_code) {
            ("oom", _) | (_, TRAP) => Self::GaveUp,
            _ => Self::Crashed,
        }
    }
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
