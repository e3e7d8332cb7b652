//! Finds, starts, owns and ends a Chromium process. What is said over its pipes is no concern of this module.

mod environment;
mod error;
mod find;
mod flags;
mod group;
mod lock;
mod memory;
mod persistent;
mod pipes;
mod preferences;
mod process;
mod procfs;
mod profile;
mod programs;
mod report;
mod running;
mod sandbox;
mod singleton;
mod stderr;
mod sweep;
mod temporary;
#[cfg(test)]
mod tests;
mod users;
mod version;

use std::{
    ffi::OsString,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

pub use error::{Holder, LaunchError};
pub use find::{Found, FoundBy, find_browser};
pub use flags::Window;
pub use profile::Profile;
pub use report::{TemporaryReport, profile_report, temporary_report};
pub use sandbox::{
    Sandbox, SandboxChoice, SandboxOff, SandboxRefusal, SandboxReport, UserNamespaces, sandbox_report,
};
pub use version::version;

#[allow(unused_imports)]
pub(crate) use process::{EndedBy, Exit};
pub(crate) use running::{Launched, Running};
pub(crate) use temporary::TemporaryFolder as Scratch;

use flags::FlagInputs;
use process::Spawn;
use profile::Folders;
use temporary::Base;

use crate::Viewport;

/// How a browser is to be started.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The program; searched for when none is named.
    pub binary: Option<PathBuf>,
    /// Whether there is a window.
    pub window: Window,
    /// The size of pages.
    pub viewport: Viewport,
    /// Which profile it uses.
    pub profile: Profile,
    /// What is wanted of the sandbox.
    pub sandbox: SandboxChoice,
    /// The only way to the network of whatever has no way of its own, the default context for one.
    pub proxy: Option<SocketAddr>,
    /// How long it may take until the first answer.
    pub startup: Duration,
    /// How many bytes each of its processes may take; half of what the machine has, within bounds, where nothing is said.
    pub most_memory: Option<u64>,
    /// More flags, for tests: each replaces ours of the same name, features to disable are added. Those that would
    /// undo a protection are refused.
    pub extra_flags: Vec<OsString>,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            binary: None,
            window: Window::default(),
            viewport: Viewport::default(),
            profile: Profile::default(),
            sandbox: SandboxChoice::default(),
            proxy: None,
            startup: Duration::from_secs(30),
            most_memory: None,
            extra_flags: Vec::new(),
        }
    }
}

/// What a start takes from the machine, so that tests can give it another one.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    /// The folder under which temporary ones are made.
    pub(crate) place: PathBuf,
    /// The effective user id, as far as the sandbox is concerned.
    pub(crate) euid: u32,
}

impl Surroundings {
    fn of_this_process() -> Self {
        Self { place: temporary::usual_place(), euid: rustix::process::geteuid().as_raw() }
    }
}

/// Starts a browser. Whether it came up is known only when it answers on its pipe; if it does not,
/// [`Running::why_no_answer`] tells the reason. Others that keep the place of temporary folders locked are waited for
/// up to `patience`. It may be dropped at any point: nothing stays then.
pub(crate) async fn start(options: &LaunchOptions, patience: Duration) -> Result<Launched, LaunchError> {
    start_in(options, Surroundings::of_this_process(), patience).await
}

/// For a caller who could not wait until the folders were ready.
pub(crate) fn not_ready() -> LaunchError {
    LaunchError::TemporaryBusy { path: temporary::usual_place() }
}

pub(crate) async fn start_in(
    options: &LaunchOptions,
    surroundings: Surroundings,
    patience: Duration,
) -> Result<Launched, LaunchError> {
    if let Some(flag) = flags::forbidden(&options.extra_flags) {
        return Err(LaunchError::FlagRefused { flag: flag.clone() });
    }
    let browser = find_browser(options.binary.as_deref())?;
    let sandbox = sandbox::decide(surroundings.euid, options.sandbox);
    if let Sandbox::Off { why } = sandbox {
        tracing::warn!(%why, "the browser's sandbox is off");
    }

    let choice = options.profile.clone();
    let folders = below(&surroundings.place, patience, move |base| Folders::prepare(&choice, base)).await?;

    let inputs = FlagInputs {
        profile: &folders.profile(),
        window: options.window,
        sandbox,
        proxy: options.proxy,
        extra: &options.extra_flags,
    };
    let flags = flags::flags(&inputs);
    let line = flags::line_of_its_kind(&flags, &options.profile);
    let spawned = process::spawn(Spawn {
        binary: &browser.path,
        flags,
        scratch: folders.scratch().as_deref(),
        crashes: &folders.crashes(),
        programs: &folders.programs(),
        window: options.window,
        keeps_profile: folders.profile_is_kept(),
        most_memory: options.most_memory,
    });
    let (process, to_browser, from_browser) =
        spawned.map_err(|source| LaunchError::Spawn { path: browser.path.clone(), source })?;
    Ok(Launched { running: Running::new(process, folders, browser, sandbox, line), to_browser, from_browser })
}

/// Clears away what killed processes of this user left behind. Others that are about the same place are waited for up to `patience`; a
/// place that can't be used is left alone.
pub fn clear_leftovers(patience: Duration) {
    let deadline = Instant::now() + patience;
    match Base::open(&temporary::usual_place()) {
        Ok(base) => while sweep::sweep(&base).is_none() && Instant::now() < deadline {},
        Err(error) => tracing::debug!(%error, "leftovers could not be looked for"),
    }
}

/// A temporary folder for the downloads of a browser that we did not start.
pub(crate) async fn scratch(patience: Duration) -> Result<Scratch, LaunchError> {
    below(&temporary::usual_place(), patience, Scratch::make).await
}

/// Opens the base below `place`, sweeps it and makes something in it, each on a thread that may block. A locked base
/// is tried again until `patience` has passed: no thread waits long, so that whoever drops this is rid of it.
async fn below<T: Send + 'static>(
    place: &Path,
    patience: Duration,
    make: impl Fn(&Base) -> Result<T, LaunchError> + Clone + Send + 'static,
) -> Result<T, LaunchError> {
    let deadline = Instant::now() + patience;
    loop {
        let (at, make) = (place.to_owned(), make.clone());
        let made = tokio::task::spawn_blocking(move || {
            let base = Base::open(&at)?;
            sweep::sweep(&base);
            make(&base)
        });
        match made.await {
            Ok(Err(LaunchError::TemporaryBusy { .. })) if Instant::now() < deadline => {}
            Ok(made) => return made,
            Err(error) => {
                let (path, reason) = (place.to_owned(), error.to_string());
                return Err(LaunchError::TemporaryUnusable { path, reason });
            }
        }
    }
}

/// The command line of a browser that nobody watches and that has no proxy: what benchmarks hold the product against.
#[cfg(feature = "yardsticks")]
pub fn unwatched_flags(profile: &Path) -> Vec<OsString> {
    let sandbox = sandbox::decide(rustix::process::geteuid().as_raw(), SandboxChoice::Auto);
    flags::flags(&FlagInputs { profile, window: Window::Headless, sandbox, proxy: None, extra: &[] })
}
