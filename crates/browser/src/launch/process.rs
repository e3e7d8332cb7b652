//! A running browser process: started in a group of its own, watched by one task, ended without leftovers.

use std::{
    ffi::OsString,
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::Arc,
    time::Duration,
};

use command_fds::CommandFdExt;
use tokio::{
    net::unix::pipe::{Receiver, Sender},
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
    task::JoinSet,
    time::{Instant, sleep, timeout},
};

use super::{
    environment,
    flags::Window,
    group::{Group, LOOK_EVERY},
    memory, pipes, programs,
    stderr::{self, StderrTail},
};

/// How long the others may go on after the leader's end: the network process still writes cookies then.
const LINGER: Duration = Duration::from_secs(2);
/// How long a dropped browser may take to write out a profile that is kept.
const FAREWELL: Duration = Duration::from_secs(3);
/// How long the system may take to bury what was killed.
const BURIAL: Duration = Duration::from_secs(5);

/// What to start and with which folders.
pub(super) struct Spawn<'a> {
    pub(super) binary: &'a Path,
    pub(super) flags: Vec<OsString>,
    /// Where the browser puts its scratch files, if not in the system's place.
    pub(super) scratch: Option<&'a Path>,
    pub(super) crashes: &'a Path,
    /// What comes first in its path.
    pub(super) programs: &'a Path,
    pub(super) window: Window,
    /// Whether the profile outlives the browser, which then gets the time to write it out.
    pub(super) keeps_profile: bool,
    pub(super) most_memory: Option<u64>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exit {
    /// Nothing where it could not be learned.
    pub(crate) status: Option<ExitStatus>,
}

/// Who brought the end about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndedBy {
    /// The browser ended by itself within the grace time.
    Itself,
    /// It was killed.
    Force,
}

/// A browser process with all its children. Dropping it kills them and waits until they are dead: at once, or, where
/// the profile is kept, after the browser had a moment to end in good order.
#[derive(Debug)]
pub(crate) struct BrowserProcess {
    group: Arc<Group>,
    exit: watch::Receiver<Option<Exit>>,
    tail: StderrTail,
    keeps_profile: bool,
    /// The watcher and the reader of standard error; they end with this.
    _tasks: JoinSet<()>,
}

/// Starts the program. Needs a runtime with IO, time and signals.
pub(super) fn spawn(what: Spawn<'_>) -> io::Result<(BrowserProcess, Sender, Receiver)> {
    // Listening begins before the child exists, so that its end can't be missed.
    let child_signals = signal(SignalKind::child())?;
    let pipes = pipes::make()?;

    let mut command = Command::new(what.binary);
    environment::dress(&mut command, what.window);
    command
        .args(&what.flags)
        .env(environment::CRASHES_VARIABLE, what.crashes)
        .env("PATH", programs::path(what.programs, std::env::var_os("PATH").as_deref()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0);
    if let Some(scratch) = what.scratch {
        command.env("TMPDIR", scratch);
    }
    command.fd_mappings(pipes.for_browser).map_err(io::Error::other)?;
    let mut child = command.spawn()?;
    // It has none of its own processes yet.
    memory::limit(&child, what.most_memory);
    // The command owns the browser's ends of the pipes; as long as it lives we would never see their end.
    drop(command);

    let stderr = child.stderr.take();
    let group = Arc::new(Group::led_by(child)?);
    let (sender, exit) = watch::channel(None);
    let mut tasks = JoinSet::new();
    tasks.spawn(watch_over(group.clone(), child_signals, sender));
    let stderr = stderr.ok_or_else(|| io::Error::other("standard error was not piped"));
    let stream = stderr.and_then(|stderr| Receiver::from_owned_fd(OwnedFd::from(stderr)));
    let stream = match stream {
        Ok(stream) => stream,
        Err(error) => {
            group.end_now(BURIAL);
            return Err(error);
        }
    };
    let (reader, tail) = stderr::tail_of(stream);
    tasks.spawn(reader.run());
    let process = BrowserProcess { group, exit, tail, keeps_profile: what.keeps_profile, _tasks: tasks };
    Ok((process, pipes.to_browser, pipes.from_browser))
}

/// Waits for the leader's end, lets the others follow, ends those that don't, and only then tells.
async fn watch_over(group: Arc<Group>, mut child_signals: Signal, exit: watch::Sender<Option<Exit>>) {
    while !group.leader_is_dead() {
        if child_signals.recv().await.is_none() {
            sleep(LOOK_EVERY).await;
        }
    }
    let died = Instant::now();
    while !group.is_over() && died.elapsed() < LINGER + BURIAL {
        if died.elapsed() >= LINGER {
            group.kill();
        }
        sleep(LOOK_EVERY).await;
    }
    exit.send_replace(Some(Exit { status: group.reap() }));
}

impl BrowserProcess {
    /// The process id, which is the id of its group too.
    pub(crate) fn pid(&self) -> u32 {
        self.group.id().unsigned_abs()
    }

    /// Resolves when the process and its children have ended. Any number may wait, and it outlives this value.
    pub(crate) fn exited(&self) -> impl Future<Output = Exit> + Send + 'static + use<> {
        let mut exit = self.exit.clone();
        async move {
            match exit.wait_for(Option::is_some).await {
                Ok(exit) => exit.unwrap_or(Exit { status: None }),
                // The watcher is gone: this value was dropped, which ends the process.
                Err(_) => Exit { status: None },
            }
        }
    }

    /// The last few kilobytes of standard error.
    pub(crate) fn stderr_tail(&self) -> String {
        self.tail.text()
    }

    /// The same, once no more can come or `limit` has passed.
    pub(crate) async fn last_words(&self, limit: Duration) -> String {
        // Late words are a comfort, not a need.
        let _ = timeout(limit, self.tail.drained()).await;
        self.tail.text()
    }

    /// Kills the group.
    pub(crate) fn kill(&self) {
        self.group.kill();
    }

    /// Waits up to `grace` for the process to end by itself (the caller has asked it to), then kills the group.
    /// Afterwards no member of the group is left.
    pub(crate) async fn end(&self, grace: Duration) -> (Exit, EndedBy) {
        if let Ok(exit) = timeout(grace, self.exited()).await {
            return (exit, EndedBy::Itself);
        }
        self.group.kill();
        let exit = timeout(BURIAL, self.exited()).await.unwrap_or(Exit { status: None });
        (exit, EndedBy::Force)
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        if self.exit.borrow().is_none() {
            // Its pipe can't be closed from here, a task owns it; killed, it would lose the cookies of half a minute.
            if self.keeps_profile {
                self.group.end_in_order(FAREWELL, LINGER);
            }
            self.group.end_now(BURIAL);
        }
    }
}
