//! Rows: what is kept is JSON with a digest, so that whatever is read is what was written.

use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};
use sqlx::{Row as _, sqlite::SqliteRow};

use super::trouble::trouble;
use crate::{Fact, Line, StoreError, TaskId, moment};

/// The digest of what stands in a row.
fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        // With its length, so that nothing moves from one part to the next unseen.
        hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A value as it is kept: its text, and the digest of that and of the words that its row is found by.
pub(super) fn kept(place: &Path, word: &str, value: &impl Serialize) -> Result<(String, String), StoreError> {
    let text = serde_json::to_string(value)
        .map_err(|error| StoreError::Failed { place: place.to_owned(), why: error.to_string() })?;
    let digest = digest(&[word, &text]);
    Ok((text, digest))
}

/// The value that a row holds, in its columns `word` (all that the row is found by), `body` and `digest`.
pub(super) fn held<T: DeserializeOwned>(place: &Path, row: &SqliteRow) -> Result<T, StoreError> {
    let [word, body, sum] = ["word", "body", "digest"].map(|column| text(place, row, column));
    let (word, body, sum) = (word?, body?, sum?);
    if digest(&[&word, &body]) != sum {
        return Err(damaged(place, "a row is not what was written"));
    }
    serde_json::from_str(&body).map_err(|error| damaged(place, &format!("a row can't be read: {error}")))
}

/// A line of the log as it is kept: its text and the digest of that and of its place.
pub(super) fn kept_line(
    place: &Path,
    task: &TaskId,
    number: i64,
    at: i64,
    fact: &Fact,
) -> Result<(String, String), StoreError> {
    let word = place_in_log(task, number, at);
    kept(place, &word, fact)
}

/// The line of the log that a row holds.
pub(super) fn held_line(place: &Path, row: &SqliteRow) -> Result<Line, StoreError> {
    let task = TaskId(text(place, row, "task")?);
    let [seq, number, at] = ["seq", "number", "at"].map(|column| integer(place, row, column));
    let (seq, number, at) = (seq?, number?, at?);
    let (fact, sum) = (text(place, row, "fact")?, text(place, row, "digest")?);
    if digest(&[&place_in_log(&task, number, at), &fact]) != sum {
        return Err(damaged(place, &format!("line {number} of {task} is not what was written")));
    }
    let fact = serde_json::from_str(&fact)
        .map_err(|error| damaged(place, &format!("line {number} of {task} can't be read: {error}")))?;
    Ok(Line { seq: unsigned(seq), task, number: unsigned(number), at: moment::of_millis(unsigned(at)), fact })
}

fn place_in_log(task: &TaskId, number: i64, at: i64) -> String {
    format!("{task} {number} {at}")
}

pub(super) fn text(place: &Path, row: &SqliteRow, column: &str) -> Result<String, StoreError> {
    row.try_get(column).map_err(|error| unreadable(place, &error))
}

pub(super) fn integer(place: &Path, row: &SqliteRow, column: &str) -> Result<i64, StoreError> {
    row.try_get(column).map_err(|error| unreadable(place, &error))
}

/// A column that is not what it has to be was changed by somebody else.
fn unreadable(place: &Path, error: &sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::ColumnDecode { .. } => damaged(place, &error.to_string()),
        error => trouble(place, error),
    }
}

pub(super) fn damaged(place: &Path, why: &str) -> StoreError {
    StoreError::Damaged { place: place.to_owned(), why: why.to_owned() }
}

/// A number as the database has it.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number that the database has, and that is never below zero.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
