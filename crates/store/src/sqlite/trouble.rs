//! What the database says went wrong, as we know it.

use std::{fs::OpenOptions, path::Path};

use rustix::fs::{Access, access, statvfs};

use super::{open::LOCK, rows::damaged};
use crate::StoreError;

const ERROR: u32 = 1;
const BUSY: u32 = 5;
const LOCKED: u32 = 6;
const READ_ONLY: u32 = 8;
const IO: u32 = 10;
const CORRUPT: u32 = 11;
const FULL: u32 = 13;
const CAN_NOT_OPEN: u32 = 14;
const PROTOCOL: u32 = 15;
const NOT_A_DATABASE: u32 = 26;

/// What an error of the database means.
pub(super) fn trouble(place: &Path, error: &sqlx::Error) -> StoreError {
    let place_of = || place.to_owned();
    let why = || error.to_string();
    match code(error) {
        Some(FULL) => StoreError::Full { place: place_of() },
        // Only a file itself can say so where the system lets us write.
        Some(READ_ONLY) if lets_write(place).is_ok() => damaged(place, &why()),
        Some(READ_ONLY) => StoreError::ReadOnly { place: place_of() },
        Some(CORRUPT | NOT_A_DATABASE) => damaged(place, &why()),
        Some(BUSY | LOCKED | PROTOCOL) => StoreError::Busy { place: place_of() },
        Some(CAN_NOT_OPEN) if !place.exists() => StoreError::Missing { place: place_of() },
        // Of whatever it does besides writing to the file itself it says only that something failed.
        Some(IO | CAN_NOT_OPEN) => match lets_write(place) {
            Err(told @ StoreError::ReadOnly { .. }) => told,
            _ if is_full(place) => StoreError::Full { place: place_of() },
            _ => StoreError::Failed { place: place_of(), why: why() },
        },
        _ if matches!(error, sqlx::Error::PoolTimedOut) => StoreError::Busy { place: place_of() },
        _ => StoreError::Failed { place: place_of(), why: why() },
    }
}

/// The same where all that is said to the database is known to be right: if it does not understand, it is not laid out as it has to be.
pub(super) fn unfit(place: &Path, error: &sqlx::Error) -> StoreError {
    match error {
        error if code(error) == Some(ERROR) => damaged(place, &error.to_string()),
        sqlx::Error::ColumnDecode { .. } => damaged(place, &error.to_string()),
        error => trouble(place, error),
    }
}

/// Which error it is. Extended codes say more of the same in their upper bits.
fn code(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error()?.code()?;
    code.parse().ok().map(|code: u32| code & 0xff)
}

fn is_full(place: &Path) -> bool {
    place.parent().and_then(|folder| statvfs(folder).ok()).is_some_and(|room| room.f_bavail == 0)
}

/// Whether the system lets us write to a file. A disk that has failed says so only when it is tried, and not on the file itself: to
/// close it would take the locks off that others in this process have on it.
fn lets_write(place: &Path) -> Result<(), StoreError> {
    can_be_written(place)?;
    let tried = OpenOptions::new().write(true).open(place.with_file_name(LOCK));
    tried.map(drop).map_err(|error| StoreError::of_file(place, &error))
}

/// Whether anything can be written there.
pub(super) fn can_be_written(place: &Path) -> Result<(), StoreError> {
    access(place, Access::WRITE_OK).map_err(|errno| StoreError::of_file(place, &errno.into()))
}
