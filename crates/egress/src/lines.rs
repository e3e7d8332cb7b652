//! Tunnels that are open, and how to be rid of those that nobody waits on. A browser that sends something on a connection that it has
//! used before, and gets no answer, sends the same again on the next one, several times, and tells nobody.

use std::{
    collections::HashMap,
    os::fd::{AsFd, OwnedFd},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::net::TcpStream;

use crate::activity::Activity;

/// For how long nothing has moved on a line that is not in use.
const QUIET: Duration = Duration::from_millis(250);
/// How long the answer to what somebody said yes to may take.
const ANSWER: Duration = Duration::from_secs(120);

/// One tunnel, from the browser's side.
#[derive(Debug)]
pub(crate) struct Line {
    /// Host and port.
    to: String,
    browser: OwnedFd,
    activity: Activity,
    /// Whether the place was the last to say something: then nobody waits for it.
    answered: AtomicBool,
}

impl Line {
    /// Something came from the place.
    pub(crate) fn answered(&self) {
        self.answered.store(true, Ordering::Relaxed);
    }

    /// The browser said something.
    pub(crate) fn asked(&self) {
        self.answered.store(false, Ordering::Relaxed);
    }

    fn end(&self) {
        // One that is gone already is as good.
        let _ = rustix::net::shutdown(&self.browser, rustix::net::Shutdown::Both);
    }
}

/// All tunnels of a room.
#[derive(Debug, Default)]
pub(crate) struct Lines(Mutex<Book>);

#[derive(Debug, Default)]
struct Book {
    lines: Vec<Weak<Line>>,
    /// When somebody last said yes to something that goes there.
    said: HashMap<String, Instant>,
}

impl Lines {
    /// Keeps a tunnel in mind for as long as its line lives. None where the system has no more files.
    pub(crate) fn open(&self, to: String, browser: &TcpStream, activity: &Activity) -> Option<Arc<Line>> {
        let browser = browser.as_fd().try_clone_to_owned().ok()?;
        let (activity, answered) = (activity.clone(), AtomicBool::new(false));
        let line = Arc::new(Line { to, browser, activity, answered });
        let mut book = self.book();
        book.lines.retain(|line| line.strong_count() > 0);
        book.lines.push(Arc::downgrade(&line));
        Some(line)
    }

    /// Ends all tunnels to a place on which nobody waits for an answer, at once: what is sent next goes over a new one. One that is only
    /// quiet may be where the answer to an earlier yes is waited for.
    pub(crate) fn hang_up(&self, to: &str) {
        let mut book = self.book();
        let waits = book.said.insert(to.to_owned(), Instant::now()).is_some_and(|at| at.elapsed() < ANSWER);
        for line in book.lines.iter().filter_map(Weak::upgrade).filter(|line| line.to == to) {
            let is_quiet = line.activity.is_quiet_for(QUIET);
            if line.answered.load(Ordering::Relaxed) || (is_quiet && !waits) {
                line.end();
            }
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
