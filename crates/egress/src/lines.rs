//! Tunnels that are open, and how to be rid of those that nobody uses just now. A browser that sends something on a connection that it has
//! used before, and gets no answer, sends the same again on the next one, several times, and tells nobody.

use std::{
    os::fd::{AsFd, OwnedFd},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::net::TcpStream;

use crate::activity::Activity;

/// For how long nothing has moved on a line that is not in use.
const QUIET: Duration = Duration::from_millis(250);

/// One tunnel, from the browser's side.
#[derive(Debug)]
pub(crate) struct Line {
    /// Host and port.
    to: String,
    browser: OwnedFd,
    activity: Activity,
}

/// All tunnels of a room.
#[derive(Debug, Default)]
pub(crate) struct Lines(Mutex<Vec<Weak<Line>>>);

impl Lines {
    /// Keeps a tunnel in mind for as long as its line lives. None where the system has no more files.
    pub(crate) fn open(&self, to: String, browser: &TcpStream, activity: &Activity) -> Option<Arc<Line>> {
        let browser = browser.as_fd().try_clone_to_owned().ok()?;
        let line = Arc::new(Line { to, browser, activity: activity.clone() });
        let mut lines = self.lines();
        lines.retain(|line| line.strong_count() > 0);
        lines.push(Arc::downgrade(&line));
        Some(line)
    }

    /// Ends all quiet tunnels to a place, at once: what is sent next goes over a new one.
    pub(crate) fn hang_up(&self, to: &str) {
        for line in self.lines().iter().filter_map(Weak::upgrade) {
            if line.to == to && line.activity.is_quiet_for(QUIET) {
                // One that is gone already is as good.
                let _ = rustix::net::shutdown(&line.browser, rustix::net::Shutdown::Both);
            }
        }
    }

    fn lines(&self) -> MutexGuard<'_, Vec<Weak<Line>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
