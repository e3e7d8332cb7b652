//! How the file is laid out, version after version. A step is done as a whole, with its number, or not at all.
//!
//! Whatever a row is found by stands in an index and in the row: the database's own look at itself notices where they differ. Hence no
//! table is `WITHOUT ROWID`.

/// What every file of ours says that it is: `LGWK`.
pub(super) const APPLICATION: i64 = 0x4c47_574b;

/// The steps from an empty file to the present version. A step that was once published is never changed.
pub(super) const STEPS: &[&str] = &["
CREATE TABLE events (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    task   TEXT NOT NULL,
    number INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    fact   TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (task, number)
);
CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'what happened is not changed'); END;
CREATE TRIGGER events_are_not_removed BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'what happened is not removed'); END;

CREATE TABLE tasks (
    id      TEXT PRIMARY KEY NOT NULL,
    state   TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'paused', 'ended', 'cancelled')),
    created INTEGER NOT NULL,
    caller  TEXT NOT NULL,
    key     TEXT,
    body    TEXT NOT NULL,
    digest  TEXT NOT NULL
);
CREATE INDEX tasks_by_state ON tasks (state, created, id);
CREATE INDEX tasks_by_age ON tasks (created, id);
CREATE UNIQUE INDEX tasks_by_key ON tasks (caller, key) WHERE key IS NOT NULL;

CREATE TABLE usage (
    task      TEXT PRIMARY KEY NOT NULL,
    calls     INTEGER NOT NULL,
    input     INTEGER NOT NULL,
    cached    INTEGER NOT NULL,
    output    INTEGER NOT NULL,
    micro_usd INTEGER NOT NULL
);

CREATE TABLE approvals (
    place    INTEGER PRIMARY KEY AUTOINCREMENT,
    id       TEXT NOT NULL UNIQUE,
    task     TEXT NOT NULL,
    standing TEXT NOT NULL CHECK (standing IN ('waiting', 'approved', 'used', 'denied', 'expired', 'withdrawn')),
    body     TEXT NOT NULL,
    digest   TEXT NOT NULL
);
CREATE INDEX approvals_by_task ON approvals (task, place);
CREATE INDEX approvals_by_standing ON approvals (standing, place);

CREATE TABLE intents (
    place  INTEGER PRIMARY KEY AUTOINCREMENT,
    id     TEXT NOT NULL UNIQUE,
    task   TEXT NOT NULL,
    fate   TEXT NOT NULL CHECK (fate IN ('open', 'sent', 'not-sent', 'unknown')),
    body   TEXT NOT NULL,
    digest TEXT NOT NULL
);
CREATE INDEX intents_by_task ON intents (task, place);
CREATE INDEX intents_by_fate ON intents (fate, place);

CREATE TABLE steps (
    task   TEXT NOT NULL,
    line   INTEGER NOT NULL,
    body   TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (task, line)
);

CREATE TABLE blobs (
    task   TEXT NOT NULL,
    name   TEXT NOT NULL,
    body   TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (task, name)
);
"];
