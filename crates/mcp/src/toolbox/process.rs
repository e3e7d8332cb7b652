//! The process of a toolbox: in a group of its own, its last words kept, ended with all that it started, even when we are killed.

use std::{
    collections::VecDeque,
    io,
    os::{fd::OwnedFd, unix::process::CommandExt as _},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use command_fds::{CommandFdExt as _, FdMapping};
use rustix::{
    io::Errno,
    pipe::{PipeFlags, pipe_with},
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid},
};
use tokio::{
    io::AsyncReadExt as _,
    net::unix::pipe::{Receiver, Sender},
    task::JoinSet,
    time::sleep,
};

use super::{Start, strays};

/// How often the dying are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long the system may take to bury what was killed.
const BURIAL: Duration = Duration::from_secs(5);
/// How long a toolbox that nobody closed may take to end in good order.
const FAREWELL: Duration = Duration::from_secs(2);
/// How much of what it says is kept.
const KEPT_WORDS: usize = 8 * 1024;

/// Starts a watcher and becomes the server. The watcher waits for the end of the pipe at descriptor 3, whose other end is ours
/// alone: when we end, however that comes, it kills the group that it is in. The mark is set after it was started, so that it
/// is not taken for something that the server left behind.
const SCRIPT: &str = r#"(read -r _; kill -KILL 0) <&3 3<&- >/dev/null 2>&1 &
exec 3<&-
export LEGWORK_TOOLBOX="$1"
shift
exec "$@""#;

/// A server that runs. Dropping it ends it, and all that it has started.
#[derive(Debug)]
pub(super) struct ServerProcess {
    leader: Pid,
    mark: String,
    /// Not reaped before the group is over: as long as it is not, the group's number can't be a stranger's.
    child: Mutex<Option<Child>>,
    words: Arc<Mutex<VecDeque<u8>>>,
    /// The watcher ends the group when this is closed.
    _leash: OwnedFd,
    /// The reader of standard error.
    _tasks: JoinSet<()>,
}

/// Starts a program with its arguments. Needs a runtime with IO.
pub(super) fn start(start: &Start) -> io::Result<(ServerProcess, Sender, Receiver)> {
    let (watched, leash) = pipe_with(PipeFlags::CLOEXEC)?;
    let mark = strays::mark_of(&start.owner, &random()?);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", SCRIPT, "toolbox", &mark])
        .args(&start.words)
        .env_clear()
        .envs(start.environment.iter().cloned())
        .current_dir(&start.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    command.fd_mappings(vec![FdMapping { parent_fd: watched, child_fd: 3 }]).map_err(io::Error::other)?;
    let mut child = command.spawn()?;
    drop(command);

    let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let leader = leader.ok_or_else(|| io::Error::other("the system gave no process id"))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let mut process = ServerProcess {
        leader,
        mark,
        child: Mutex::new(Some(child)),
        words: Arc::default(),
        _leash: leash,
        _tasks: JoinSet::new(),
    };
    // From here on the process ends with the value, also where something below fails.
    let piped = |end: Option<OwnedFd>| end.ok_or_else(|| io::Error::other("a stream was not piped"));
    let input = Sender::from_owned_fd(piped(stdin.map(Into::into))?)?;
    let output = Receiver::from_owned_fd(piped(stdout.map(Into::into))?)?;
    let errors = Receiver::from_owned_fd(piped(stderr.map(Into::into))?)?;
    process._tasks.spawn(keep_last_words(errors, process.words.clone()));
    Ok((process, input, output))
}

/// A word that nobody else has.
fn random() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn keep_last_words(mut stream: Receiver, words: Arc<Mutex<VecDeque<u8>>>) {
    let mut chunk = vec![0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut chunk).await {
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend(&chunk[..count]);
        let surplus = words.len().saturating_sub(KEPT_WORDS);
        words.drain(..surplus);
    }
}

impl ServerProcess {
    /// The last kilobytes that it said on standard error.
    pub(super) fn last_words(&self) -> String {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, rest) = words.as_slices();
        String::from_utf8_lossy(&[head, rest].concat()).trim().to_owned()
    }

    /// The group's number, for tests and the log.
    pub(super) fn id(&self) -> u32 {
        self.leader.as_raw_nonzero().get().unsigned_abs()
    }

    /// Whether the server and all that it started have ended. The watcher does not count.
    fn is_over(&self) -> bool {
        self.leader_is_dead() && !strays::any(&self.mark)
    }

    /// Whether the watcher has ended, too.
    fn is_buried(&self) -> bool {
        self.is_over() && !strays::group_lives(self.leader)
    }

    fn leader_is_dead(&self) -> bool {
        let child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        child.is_none()
            || match waitid(WaitId::Pid(self.leader), options) {
                Ok(status) => status.is_some(),
                Err(Errno::INTR) => false,
                // Nobody else waits for our child; if it is not there any more it has ended.
                Err(_) => true,
            }
    }

    /// A signal to the group, unless its number may be another's by now.
    fn signal_group(&self, signal: Signal) {
        let child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        if child.is_some()
            && let Err(error) = kill_process_group(self.leader, signal)
            && error != Errno::SRCH
        {
            tracing::warn!(group = self.id(), %error, "the toolbox's processes could not be ended");
        }
    }

    fn kill(&self) {
        self.signal_group(Signal::KILL);
        strays::signal(&self.mark, Signal::KILL);
    }

    fn reap(&self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        if child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(Some(_)))) {
            *child = None;
        }
    }

    /// Ends it: it has been told that nobody speaks to it any more and gets a moment, then it is asked to end and gets `grace`,
    /// then it is killed. Afterwards nothing that it has started is left.
    pub(super) async fn end(&self, grace: Duration) {
        if !self.is_over_within(FAREWELL.min(grace)).await {
            self.signal_group(Signal::TERM);
            self.is_over_within(grace).await;
        }
        // The watcher at least is left.
        self.kill();
        let deadline = Instant::now() + BURIAL;
        while !self.is_buried() && Instant::now() < deadline {
            sleep(LOOK_EVERY).await;
            // Something may have been started in the meantime.
            self.kill();
        }
        if !self.is_buried() {
            tracing::warn!(group = self.id(), "processes of the toolbox are still dying");
        }
        self.reap();
    }

    async fn is_over_within(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            match self.is_over() {
                false if Instant::now() < deadline => sleep(LOOK_EVERY).await,
                over => return over,
            }
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let was_closed = self.child.get_mut().unwrap_or_else(PoisonError::into_inner).is_none();
        if was_closed {
            return;
        }
        self.signal_group(Signal::TERM);
        let asked = Instant::now();
        while !self.is_over() && asked.elapsed() < FAREWELL {
            thread::sleep(LOOK_EVERY);
        }
        self.kill();
        while !self.is_buried() && asked.elapsed() < FAREWELL + BURIAL {
            thread::sleep(LOOK_EVERY);
            self.kill();
        }
        self.reap();
    }
}
