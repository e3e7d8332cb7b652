//! The browser's process group: its leader is our child, and a signal is sent only while that pins the number.

use std::{
    io,
    process::{Child, ExitStatus},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    io::Errno,
    process::{
        Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, test_kill_process_group, waitid,
    },
};

use super::procfs;

/// How often a dying group is looked at; the system tells only about the leader's end.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A child that leads its own process group.
///
/// The leader stays a zombie until the group is over: as long as it is not reaped its number can't be given to
/// a stranger, so that a signal to the group never hits one. The lock exists because `Drop` must be able to act
/// without a runtime while a task watches.
#[derive(Debug)]
pub(super) struct Group {
    leader: Pid,
    child: Mutex<Option<Child>>,
}

impl Group {
    /// Takes over a child that was started with a process group of its own.
    pub(super) fn led_by(child: Child) -> io::Result<Self> {
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let leader = leader.ok_or_else(|| io::Error::other("the system gave no process id"))?;
        Ok(Self { leader, child: Mutex::new(Some(child)) })
    }

    /// The leader's process id, which is the group's too.
    pub(super) fn id(&self) -> i32 {
        self.leader.as_raw_nonzero().get()
    }

    /// Whether the leader has ended. It is not reaped by this.
    pub(super) fn leader_is_dead(&self) -> bool {
        let child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match &*child {
            None => true,
            Some(_) => match waitid(WaitId::Pid(self.leader), options) {
                Ok(status) => status.is_some(),
                Err(Errno::INTR) => false,
                // Nobody else waits for our child; if it is not there any more it has ended.
                Err(_) => true,
            },
        }
    }

    /// Whether no member of the group lives any more. Zombies count as dead.
    pub(super) fn is_over(&self) -> bool {
        match test_kill_process_group(self.leader) {
            Err(Errno::SRCH) => true,
            // macOS answers so when only zombies are left.
            Err(Errno::PERM) => cfg!(not(target_os = "linux")),
            _ => cfg!(target_os = "linux") && !procfs::group_has_living(self.id()),
        }
    }

    /// SIGKILL to every member, unless the leader was reaped and the number may be another's by now.
    pub(super) fn kill(&self) {
        let child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        if child.is_some()
            && let Err(error) = kill_process_group(self.leader, Signal::KILL)
            && error != Errno::SRCH
        {
            tracing::warn!(group = self.id(), %error, "the browser's processes could not be ended");
        }
    }

    /// SIGINT to the leader: Chromium writes out its profile on it and ends in good order. On SIGTERM it does not
    /// wait for its cookies to be written.
    fn ask_to_end(&self) {
        let child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        if child.is_some()
            && let Err(error) = kill_process(self.leader, Signal::INT)
        {
            tracing::debug!(group = self.id(), %error, "the browser could not be asked to end");
        }
    }

    /// Asks the leader to end and gives it `farewell`, and those that follow it `linger`, without a runtime.
    pub(super) fn end_in_order(&self, farewell: Duration, linger: Duration) {
        self.ask_to_end();
        wait(farewell, || self.leader_is_dead());
        if self.leader_is_dead() {
            wait(linger, || self.is_over());
        }
    }

    /// Collects the dead leader. Nothing when it still lives or was collected before.
    pub(super) fn reap(&self) -> Option<ExitStatus> {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let status = child.as_mut()?.try_wait().ok()??;
        *child = None;
        Some(status)
    }

    /// Ends every member and returns when none is left, without a runtime. Gives up after `limit`.
    pub(super) fn end_now(&self, limit: Duration) {
        self.kill();
        if !wait(limit, || self.leader_is_dead() && self.is_over()) {
            tracing::warn!(group = self.id(), "processes of the browser are still dying");
        }
        self.reap();
    }
}

/// Looks again and again until the condition holds or the time is up, and says which.
fn wait(limit: Duration, holds: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    loop {
        match holds() {
            false if Instant::now() < deadline => thread::sleep(LOOK_EVERY),
            held => return held,
        }
    }
}
