//! Why a look can't answer what it was asked.

use legwork_types::{
    Code, Problem,
    contract::{ActionId, ObservationId},
};

/// Why a look can't answer what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObserveError {
    /// The cursor is of another look, or none of ours.
    #[error("the cursor {provided:?} does not belong to observation {current}")]
    StaleCursor {
        /// The look that was asked.
        current: ObservationId,
        /// What was given as a cursor, shortened.
        provided: String,
    },
    /// The cursor was made with another scope, find, within, includeHidden or includeDisabled.
    #[error("the cursor was made for other options than these")]
    OtherOptions,
    /// The earlier look is not kept any more.
    #[error("observation {provided} is not kept any more; the current one is {current}")]
    UnknownEarlier {
        /// The look that was asked.
        current: ObservationId,
        /// The look to compare with.
        provided: ObservationId,
    },
    /// There is nothing with this number.
    #[error("observation {current} has no number {action}")]
    UnknownAction {
        /// The look that was asked.
        current: ObservationId,
        /// The number.
        action: ActionId,
    },
}

impl ObserveError {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::StaleCursor { .. } | Self::UnknownEarlier { .. } => Code::StaleObservation,
            Self::OtherOptions => Code::ContractMismatch,
            Self::UnknownAction { .. } => Code::ActionNotFound,
        }
    }

    /// The error as people and programs get to see it.
    pub fn problem(&self) -> Problem {
        let hint = match self {
            Self::StaleCursor { .. } => "observe again without a cursor",
            Self::OtherOptions => "give the cursor together with the options of the call that it came from",
            Self::UnknownEarlier { .. } => "observe again without since",
            Self::UnknownAction { .. } => "use a number that the current observation shows",
        };
        Problem::new(self.code(), self.to_string(), hint)
    }
}
