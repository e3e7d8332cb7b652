//! Chromium's own lock on a profile: a link that names a host and a process. It stays when a browser is killed.

use std::{
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use rustix::{
    io::{Errno, FdFlags, fcntl_setfd, ioctl_fionbio},
    net::{AddressFamily, SocketAddrUnix, SocketType, connect, socket},
    process::{Pid, test_kill_process},
};

use super::procfs;

/// The lock: a link whose target reads `hostname-pid`.
const LOCK: &str = "SingletonLock";
/// A link to the socket on which the browser hears from others that want the same profile.
const SOCKET: &str = "SingletonSocket";

/// Who holds a profile by Chromium's lock.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Nobody, or a dead process: Chromium takes such a lock over.
    No,
    /// A dead browser whose number a process has that is no browser with this profile.
    Stale,
    /// A living browser on this machine.
    By(u32),
    /// Somebody on another machine, or nobody who could be asked.
    Elsewhere,
}

/// The process that a lock names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Process {
    Dead,
    Stranger,
    Browser,
}

/// Where the lock of a profile is.
pub(super) fn lock_in(profile: &Path) -> PathBuf {
    profile.join(LOCK)
}

/// Removes a lock.
pub(super) fn remove(profile: &Path) -> io::Result<()> {
    match fs::remove_file(lock_in(profile)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Looks who holds the profile.
pub(super) fn look(profile: &Path) -> io::Result<Held> {
    let target = match fs::read_link(lock_in(profile)) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Held::No),
        Err(error) => return Err(error),
    };
    let uname = rustix::system::uname();
    let who = |pid| who_is(pid, profile);
    Ok(judge(target.as_os_str().as_bytes(), uname.nodename().to_bytes(), &who))
}

/// A lock of a dead process on this machine is no obstacle; what can't be checked is one.
fn judge(target: &[u8], this_host: &[u8], who: &dyn Fn(u32) -> Process) -> Held {
    // The host's name may hold dashes itself.
    let parts = target.iter().rposition(|byte| *byte == b'-').map(|at| (&target[..at], &target[at + 1..]));
    let Some((host, pid)) = parts else { return Held::Elsewhere };
    let pid = std::str::from_utf8(pid).ok().and_then(|pid| pid.parse().ok());
    match pid {
        Some(pid) if host == this_host => match who(pid) {
            Process::Dead => Held::No,
            Process::Stranger => Held::Stale,
            Process::Browser => Held::By(pid),
        },
        _ => Held::Elsewhere,
    }
}

fn who_is(pid: u32, profile: &Path) -> Process {
    let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let Some(number) = number.filter(|number| is_alive(*number)) else { return Process::Dead };
    match procfs::command_line(number.as_raw_nonzero().get()) {
        Some(line) if !names(&line, profile) && !is_listened_on(profile) => Process::Stranger,
        // Where nothing more can be learned a living process is taken for what the lock says.
        _ => Process::Browser,
    }
}

fn is_alive(pid: Pid) -> bool {
    // A process of another user answers PERM: it lives.
    let exists = !matches!(test_kill_process(pid), Err(Errno::SRCH));
    exists && procfs::stat(pid.as_raw_nonzero().get()).is_none_or(procfs::Stat::is_alive)
}

/// Whether a command line is that of a browser with this profile, however the path is written.
fn names(command_line: &[u8], profile: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let ours = real(profile);
    command_line
        .split(|byte| *byte == 0)
        .filter_map(|argument| argument.strip_prefix(b"--user-data-dir="))
        .any(|path| real(Path::new(std::ffi::OsStr::from_bytes(path))) == ours)
}

/// Whether a browser answers for the profile: one with its usual profile does not name it on its command line.
fn is_listened_on(profile: &Path) -> bool {
    let Ok(target) = fs::read_link(profile.join(SOCKET)) else { return false };
    // Too many that wait to be heard are a sign of a listener too, if of a slow one.
    matches!(try_connect(&target), Ok(()) | Err(Errno::AGAIN))
}

fn try_connect(path: &Path) -> rustix::io::Result<()> {
    let address = SocketAddrUnix::new(path)?;
    let socket = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    ioctl_fionbio(&socket, true)?;
    connect(&socket, &address)
}

#[cfg(test)]
mod tests {
    use std::{
        os::unix::{fs::symlink, net::UnixListener},
        process::{Child, Command, Stdio},
    };

    use super::*;

    #[test]
    fn only_a_living_browser_or_another_machine_is_an_obstacle() {
        let who = |pid: u32| match pid {
            7 => Process::Browser,
            8 => Process::Stranger,
            _ => Process::Dead,
        };
        for (target, held) in [
            ("my-host-7", Held::By(7)),
            ("my-host-8", Held::Stale),
            ("my-host-9", Held::No),
            ("other-7", Held::Elsewhere),
            ("other-9", Held::Elsewhere),
            ("my-host", Held::Elsewhere),
            ("my-host-x", Held::Elsewhere),
            ("", Held::Elsewhere),
        ] {
            assert_eq!(judge(target.as_bytes(), b"my-host", &who), held, "{target}");
        }
    }

    fn waiting(argument: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", "read line", "sh", argument]).stdin(Stdio::piped()).spawn().unwrap()
    }

    fn lock(profile: &Path, pid: u32) {
        let host = rustix::system::uname().nodename().to_str().unwrap().to_owned();
        let _ = fs::remove_file(lock_in(profile));
        symlink(format!("{host}-{pid}"), lock_in(profile)).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_number_that_was_given_away_again_does_not_hold_a_profile() {
        let place = tempfile::tempdir().unwrap();
        let mut dead = Command::new("true").spawn().unwrap();
        dead.wait().unwrap();
        lock(place.path(), dead.id());
        assert_eq!(look(place.path()).unwrap(), Held::No);

        let mut stranger = waiting("--user-data-dir=/elsewhere");
        lock(place.path(), stranger.id());
        let runs = || procfs::command_line(stranger.id().cast_signed()).unwrap().starts_with(b"sh");
        legwork_testkit::wait_until(std::time::Duration::from_secs(10), "it runs", runs);
        assert_eq!(look(place.path()).unwrap(), Held::Stale);
        // One that listens for the profile is its browser, whatever its command line says.
        let socket = place.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        symlink(&socket, place.path().join(SOCKET)).unwrap();
        assert_eq!(look(place.path()).unwrap(), Held::By(stranger.id()));
        stranger.kill().unwrap();
        stranger.wait().unwrap();
    }

    #[test]
    fn a_browser_with_the_profile_holds_it_however_the_path_is_written() {
        let place = tempfile::tempdir().unwrap();
        let link = tempfile::tempdir().unwrap();
        symlink(place.path(), link.path().join("link")).unwrap();
        let mut browser = waiting(&format!("--user-data-dir={}/link", link.path().display()));
        lock(place.path(), browser.id());
        legwork_testkit::wait_until(std::time::Duration::from_secs(10), "it is known", || {
            look(place.path()).unwrap() == Held::By(browser.id())
        });
        browser.kill().unwrap();
        browser.wait().unwrap();
    }
}
