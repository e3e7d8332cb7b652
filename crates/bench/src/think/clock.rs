//! The log of an errand with a clock in it: what each turn took, and of it the model and the log. While the clock stands still before a
//! model is asked, the act of that turn is done beside the errand, so that a busy moment strikes both alike.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    time::{Duration, Instant},
};

use anyhow::ensure;
use legwork_runtime::{
    Seen,
    errands::{Entry, Event, Journal, Purpose},
};
use legwork_testkit::rss_kb;
use legwork_types::{Code, Problem, contract::SessionId};
use tempfile::TempDir;

use super::{TURNS, errand::Took, steps::Step};
use crate::{act::Subject, start::milliseconds};

/// The memory is looked at whenever so many more turns are over.
pub(crate) const EVERY: usize = 20;
/// The first look and the proof at the end: whatever else is looked at was waited for.
const LOOKS: usize = 2;

/// The log and the clock.
pub(super) struct Clock<'a> {
    subject: &'a Subject,
    /// The session beside the errand, and what was seen there last.
    session: SessionId,
    seen: Seen,
    folder: TempDir,
    log: File,
    /// When the turn began: nothing before the first.
    began: Option<Instant>,
    asking: Duration,
    writing: Duration,
    looks: usize,
    took: Took,
}

impl<'a> Clock<'a> {
    /// A clock for an errand on this page.
    pub(super) async fn start(subject: &'a Subject, page: &str) -> anyhow::Result<Self> {
        let (session, seen) = subject.open(page).await?;
        let folder = tempfile::tempdir()?;
        let log = File::create(folder.path().join("events.jsonl"))?;
        Ok(Self {
            subject,
            session,
            seen,
            folder,
            log,
            began: None,
            asking: Duration::ZERO,
            writing: Duration::ZERO,
            looks: 0,
            took: Took::default(),
        })
    }

    /// What it all took, in this browser.
    pub(super) fn took(self, browser: String) -> anyhow::Result<Took> {
        ensure!(self.looks == LOOKS, "{} looks: the page did not change, and was waited for", self.looks);
        Ok(Took { browser, ..self.took })
    }

    /// Writes lines that last when this returns, as those of a trace do.
    fn write(&mut self, entries: &[Entry]) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut lines, entry)?;
            lines.push(b'\n');
        }
        self.log.write_all(&lines)?;
        self.log.sync_data()
    }

    /// The turn before is over; the act of this one is done beside the errand before its model is asked.
    async fn begin_turn(&mut self, now: Instant) -> anyhow::Result<()> {
        if let Some(began) = self.began.take() {
            self.took.whole.push(milliseconds(now - began));
            self.took.asking.push(milliseconds(self.asking));
            self.took.log.push(milliseconds(self.writing));
            if self.took.whole.len().is_multiple_of(EVERY) {
                self.took.memory.push(rss_kb(std::process::id()) as f64 / 1024.0);
            }
        }
        let turn = self.took.whole.len() + 1;
        if turn <= TURNS {
            let (name, action) = Step::of_turn(turn).on();
            let done = self.subject.acts(&self.session, &self.seen, name, action).await?;
            ensure!(!done.receipt.is_nothing(), "{name}: nothing came of it");
            self.seen = done.seen;
            self.took.act.push(milliseconds(done.took));
        }
        self.writing = Duration::ZERO;
        self.began = Some(Instant::now());
        Ok(())
    }
}

impl Journal for &mut Clock<'_> {
    async fn record(&mut self, entries: &[Entry]) -> Result<(), Problem> {
        let came = Instant::now();
        self.write(entries).map_err(|error| failed(&error))?;
        let now = Instant::now();
        self.writing += now - came;
        for entry in entries {
            match &entry.event {
                Event::Reserved { purpose: Purpose::Turn, .. } => {
                    self.begin_turn(now).await.map_err(|error| failed(&error))?;
                }
                Event::Answered { purpose: Purpose::Turn, .. } => {
                    self.asking = self.began.map(|began| came - began).unwrap_or_default();
                }
                Event::Looked { .. } => self.looks += 1,
                _ => {}
            }
        }
        Ok(())
    }

    async fn keep_picture(&mut self, name: &str, jpeg: &[u8]) {
        let came = Instant::now();
        // One that is not kept would make the log look faster than it is; the next line fails then, too.
        let _ = fs::write(self.folder.path().join(name), jpeg);
        self.writing += came.elapsed();
    }
}

fn failed(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(Code::OutputFailed, "a turn could not be measured", "see the cause")
        .because(error.to_string())
}
