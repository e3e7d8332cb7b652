//! Tunnels that are open, and how something goes to a place alone: over one tunnel that nobody used before, besides which there is no
//! other way there until its answer has come. A browser that sent something on a connection that it had used before, and gets no answer,
//! or one of two answers that it takes for leave, sends the same again on the next connection, several times, and tells nobody. Where no
//! other connection is to be had it can't.

use std::{
    collections::HashMap,
    os::fd::{AsFd, OwnedFd},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::net::TcpStream;

use crate::activity::Activity;

/// How long the answer to what goes alone may take.
const ANSWER: Duration = Duration::from_secs(120);
/// How long a way stays shut after the one line there has ended. Whoever sends something again does so at once.
const SHUT: Duration = Duration::from_secs(2);
/// For how long nothing has moved on a line that is at rest.
const REST: Duration = Duration::from_millis(500);
/// How often whoever waits looks again.
const LOOK: Duration = Duration::from_millis(5);
/// The turn of the browser in which it says at the earliest something on a connection that it has used: in the first it begins TLS, in the
/// second it ends that and asks for the first time.
const USED: u32 = 3;

/// One tunnel, from the browser's side.
#[derive(Debug)]
pub(crate) struct Line {
    /// Host and port.
    to: String,
    /// There once it is open.
    browser: OnceLock<(OwnedFd, Activity)>,
    /// Whether the place was the last to say something.
    answered: AtomicBool,
    /// How often the browser began to speak.
    turns: AtomicU32,
    /// Whether it is the way of what goes alone.
    is_the_one: AtomicBool,
}

impl Line {
    /// The browser has its tunnel. Where the system has no more files it can't be ended by others, and that is all.
    pub(crate) fn opened(&self, browser: &TcpStream, activity: &Activity) {
        if let Ok(browser) = browser.as_fd().try_clone_to_owned() {
            let _ = self.browser.set((browser, activity.clone()));
        }
    }

    /// Something came from the place.
    pub(crate) fn answered(&self) {
        self.answered.store(true, Ordering::Relaxed);
    }

    /// The browser said something.
    pub(crate) fn asked(&self) {
        if self.answered.swap(false, Ordering::Relaxed) {
            self.turns.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn turns(&self) -> u32 {
        self.turns.load(Ordering::Relaxed)
    }

    /// Whether it has been used, and nobody waits for anything. In its second turn nobody can tell: a place may say something of its own
    /// before it answers.
    fn is_idle(&self) -> bool {
        self.turns() >= USED && self.answered.load(Ordering::Relaxed)
    }

    fn is_at_rest(&self) -> bool {
        self.is_idle() && self.browser.get().is_some_and(|(_, activity)| activity.is_quiet_for(REST))
    }

    fn end(&self) {
        if let Some((browser, _)) = self.browser.get() {
            // One that is gone already is as good.
            let _ = rustix::net::shutdown(browser, rustix::net::Shutdown::Both);
        }
    }
}

/// All tunnels of a room.
#[derive(Debug)]
pub(crate) struct Lines {
    book: Mutex<Book>,
    /// How long others wait for the one line.
    patience: Duration,
}

#[derive(Debug, Default)]
struct Book {
    lines: Vec<Weak<Line>>,
    /// Where something goes alone.
    alone: HashMap<String, Alone>,
    serials: u64,
}

/// Something goes to a place alone.
#[derive(Debug)]
struct Alone {
    /// Who wants that. Two share the one line.
    wanted_by: Vec<u64>,
    until: Instant,
    /// When the one line ended.
    ended: Option<Instant>,
}

/// Whether a line may be spoken on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leave {
    Speak,
    Wait,
    End,
}

impl Lines {
    pub(crate) fn new(patience: Duration) -> Self {
        Self { book: Mutex::default(), patience }
    }

    /// A tunnel that is asked for, as soon as there may be one. None where there may be none.
    pub(crate) async fn enter(&self, to: String) -> Option<Arc<Line>> {
        let line = Arc::new(Line {
            to,
            browser: OnceLock::new(),
            answered: AtomicBool::new(true),
            turns: AtomicU32::new(0),
            is_the_one: AtomicBool::new(false),
        });
        {
            let mut book = self.book();
            book.lines.retain(|line| line.strong_count() > 0);
            book.lines.push(Arc::downgrade(&line));
        }
        self.may_speak(&line).await.then_some(line)
    }

    /// Whether what the browser says may be passed on, as soon as that is known. Where it may not, the line has to end, and nothing of it
    /// has arrived.
    pub(crate) async fn may_speak(&self, line: &Line) -> bool {
        let since = Instant::now();
        loop {
            let leave = self.book().leave(line, since.elapsed() >= self.patience);
            match leave {
                Leave::Speak => return true,
                Leave::End => return false,
                Leave::Wait => tokio::time::sleep(LOOK).await,
            }
        }
    }

    /// A line ends, from whichever side. Said before the other side hears of it.
    pub(crate) fn over(&self, line: &Line) {
        let mut book = self.book();
        // What ends before the browser has asked for anything has carried nothing away.
        if line.is_the_one.swap(false, Ordering::Relaxed)
            && line.turns() > 1
            && let Some(alone) = book.alone_at(&line.to)
        {
            alone.ended = Some(Instant::now());
            for other in book.lines_to(&line.to) {
                other.is_the_one.store(false, Ordering::Relaxed);
            }
        }
    }

    /// What is sent there next goes alone: those who said something there before say nothing more, and there is one new line. For as long
    /// as its answer may take, or until [`Lines::no_longer_alone`] is told this number.
    pub(crate) fn alone(&self, to: &str) -> u64 {
        let mut book = self.book();
        book.serials += 1;
        let number = book.serials;
        let until = Instant::now() + ANSWER;
        if let Some(alone) = book.alone_at(to) {
            alone.wanted_by.push(number);
            alone.until = until;
            return number;
        }
        for line in book.lines_to(to) {
            line.is_the_one.store(false, Ordering::Relaxed);
            if line.is_idle() {
                line.end();
            }
        }
        book.alone.insert(to.to_owned(), Alone { wanted_by: vec![number], until, ended: None });
        number
    }

    pub(crate) fn no_longer_alone(&self, to: &str, number: u64) {
        let mut book = self.book();
        if let Some(alone) = book.alone.get_mut(to) {
            alone.wanted_by.retain(|wants| *wants != number);
            if alone.wanted_by.is_empty() {
                book.alone.remove(to);
            }
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Book {
    fn alone_at(&mut self, to: &str) -> Option<&mut Alone> {
        if self.alone.get(to).is_some_and(|alone| alone.until <= Instant::now()) {
            self.alone.remove(to);
        }
        self.alone.get_mut(to)
    }

    fn lines_to(&self, to: &str) -> impl Iterator<Item = Arc<Line>> {
        self.lines.iter().filter_map(Weak::upgrade).filter(move |line| line.to == to)
    }

    fn leave(&mut self, line: &Line, has_waited: bool) -> Leave {
        let Some(alone) = self.alone_at(&line.to) else { return Leave::Speak };
        if line.is_the_one.load(Ordering::Relaxed) {
            return Leave::Speak;
        }
        // A browser takes the end of a line that it has used for no answer at all, and goes to another one.
        if line.turns() >= USED || alone.ended.is_some_and(|at| at.elapsed() < SHUT) {
            return Leave::End;
        }
        let taken: Vec<_> =
            self.lines_to(&line.to).filter(|line| line.is_the_one.load(Ordering::Relaxed)).collect();
        if !has_waited && !taken.iter().all(|line| line.is_at_rest()) {
            return Leave::Wait;
        }
        for rests in taken.iter().filter(|line| line.is_at_rest()) {
            rests.is_the_one.store(false, Ordering::Relaxed);
            rests.end();
        }
        line.is_the_one.store(true, Ordering::Relaxed);
        Leave::Speak
    }
}
