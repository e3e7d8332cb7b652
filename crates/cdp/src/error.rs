//! What can go wrong between a command and its reply.

use std::sync::Arc;

use crate::{Expired, SessionId};

/// Why the connection is gone. One value for everybody who was waiting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// The browser closed its end: it exited, crashed or was killed.
    #[error("the browser closed the connection")]
    Closed,
    /// Reading or writing failed.
    #[error("the connection broke: {0}")]
    Broken(Arc<str>),
    /// The browser holds the connection open but does not read it any more.
    #[error("the browser stopped reading")]
    Congested,
    /// The browser holds the connection open but answers nothing any more.
    #[error("the browser stopped answering")]
    Silent,
    /// A part of ours that attends to the browser has failed: nobody would hear its news or rule on what it sends any more.
    #[error("Legwork itself failed while it attended to the browser")]
    Unattended,
    /// We closed it.
    #[error("the connection was closed by us")]
    Ended,
}

/// The failure of one command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CdpError {
    /// The connection is gone, and every pending command with it.
    #[error("browser connection lost: {0}")]
    Lost(#[from] Lost),
    /// The session ended (target closed, crashed or was detached) before the answer came.
    #[error("the session of {method} is gone")]
    SessionGone {
        /// The command.
        method: &'static str,
    },
    /// No answer within the limit.
    #[error("no answer to {method} in time")]
    Deadline {
        /// The command.
        method: &'static str,
    },
    /// The caller called it off.
    #[error("{method} was called off")]
    Cancelled {
        /// The command.
        method: &'static str,
    },
    /// The browser answered with an error.
    #[error("{method} was refused: {message}")]
    Refused {
        /// The command.
        method: &'static str,
        /// The protocol's error code.
        code: i64,
        /// The protocol's words.
        message: String,
    },
    /// The answer does not have the shape that was expected.
    #[error("the answer to {method} can't be read: {detail}")]
    Unreadable {
        /// The command.
        method: &'static str,
        /// What the reader says.
        detail: String,
    },
    /// The answer was larger than a message may be; it was skipped.
    #[error("the answer to {method} is too large ({bytes} bytes)")]
    TooLarge {
        /// The command.
        method: &'static str,
        /// Its size.
        bytes: u64,
    },
}

impl CdpError {
    pub(crate) fn expired(method: &'static str, expired: Expired) -> Self {
        match expired {
            Expired::Deadline => Self::Deadline { method },
            Expired::Cancelled => Self::Cancelled { method },
        }
    }
}

/// Why a pending command failed before anybody read its answer; its waiter knows the method.
#[derive(Debug, Clone)]
pub(crate) enum Failure {
    Lost(Lost),
    SessionGone,
    TooLarge { bytes: u64 },
    Unreadable { detail: String },
    Refused { code: i64, message: String },
}

impl Failure {
    pub(crate) fn of(self, method: &'static str) -> CdpError {
        match self {
            Self::Lost(lost) => CdpError::Lost(lost),
            Self::SessionGone => CdpError::SessionGone { method },
            Self::TooLarge { bytes } => CdpError::TooLarge { method, bytes },
            Self::Unreadable { detail } => CdpError::Unreadable { method, detail },
            Self::Refused { code, message } => CdpError::Refused { method, code, message },
        }
    }
}

/// The session that a damaged message belonged to, as far as it could be told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Attribution {
    pub(crate) id: Option<u64>,
    pub(crate) session: Option<SessionId>,
}
