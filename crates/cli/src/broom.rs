//! A process beside this one that outlives it if it is killed, and clears away what it leaves behind.

use std::{
    io::{self, Read},
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use legwork_mcp::toolbox::end_toolboxes_of;

use crate::{exit, passing};

/// How the command is called. It is for this program itself.
const NAME: &str = "broom";
/// What decides where temporary folders are. Nothing else of the environment is any concern of a broom, keys least of all.
const PLACES: [&str; 2] = ["LEGWORK_TMPDIR", "TMPDIR"];
/// How long the end of the owner, and others who sweep, are waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the browser of a toolbox may take to end by itself once its server is gone.
const GRACE: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Clear away what a killed Legwork leaves behind
#[derive(Debug, Args)]
pub(crate) struct BroomArgs {
    /// The process whose end is waited for
    owner: i32,
    /// By what it is known in the names of what does not last
    mark: String,
}

/// The other process. It sweeps when this one ends, unless it was put away before.
#[derive(Debug)]
pub(crate) struct Broom(Child);

impl Broom {
    /// Puts one ready. Nobody depends on it: what it does not sweep, the next start does.
    pub(crate) fn ready() -> Option<Self> {
        match Self::start() {
            Ok(broom) => Some(broom),
            Err(error) => {
                tracing::debug!(%error, "nobody will clear away before the next start if this process is killed");
                None
            }
        }
    }

    fn start() -> io::Result<Self> {
        let places = PLACES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let child = Command::new(std::env::current_exe()?)
            .args([NAME, &std::process::id().to_string(), passing::mark()])
            .env_clear()
            .envs(places)
            // Its other end is closed by whatever ends this process.
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // What is typed at a terminal is not for it.
            .process_group(0)
            .spawn()?;
        Ok(Self(child))
    }

    /// Ends it: all is tidied up.
    pub(crate) fn put_away(mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until the owner has ended, and sweeps.
pub(crate) fn run(args: &BroomArgs) -> u8 {
    let _ = io::copy(&mut io::stdin().lock().by_ref(), &mut io::sink());
    // What it had locked is free once it is nobody's parent any more, a moment after its pipes are closed.
    let is_parent = || rustix::process::getppid().is_some_and(|parent| parent.as_raw_pid() == args.owner);
    let deadline = Instant::now() + PATIENCE;
    while is_parent() && Instant::now() < deadline {
        thread::sleep(LOOK_EVERY);
    }
    end_toolboxes_of(&args.mark, GRACE, PATIENCE);
    legwork_runtime::clear_leftovers(PATIENCE);
    passing::clear(&args.mark, PATIENCE);
    exit::DONE
}
