//! One browser that we own (started by us) or use (at an endpoint that we were given).

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use legwork_cdp::{
    CdpError, Connection, Expired, Limit, Lost, PipeTransport,
    protocol::{browser, fetch, target},
};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::{
    AttemptError, BrowserError, ConnectEvent, Endpoints, LaunchError, LaunchOptions, Profile, Sandbox,
    Viewport,
    context::{Context, ContextKind, ContextOptions},
    diagnosis::ask_browser,
    hub::{self, HubHandle},
    launch::{self, Launched, Running, Scratch},
    prepare::{AUTO_ATTACH, Hands, Settings, Standing, WRITING},
    watch::Watch,
};

/// How long a browser may take to end in good order before it is killed.
const GRACE: Duration = Duration::from_secs(5);
/// The same where the profile is kept: it is written out first, and what is cut off is lost.
const GRACE_FOR_PROFILE: Duration = Duration::from_secs(15);

/// Where a browser came from. One that we did not start can't be vouched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Started by us, with our flags.
    Launched,
    /// Found at a given endpoint.
    Endpoint,
}

/// A living browser. [`Browser::close`] ends it in good order. Dropping it ends it at once, save for one with a
/// persistent profile: it has a few seconds to write that out, and the drop waits for it.
pub struct Browser {
    // Dropped in this order: the line first, then the process with its folders.
    connection: Connection,
    hub: HubHandle,
    stop: CancellationToken,
    tasks: JoinSet<()>,
    home: Home,
    profile: Profile,
    version: browser::Version,
    contexts: AtomicU32,
    /// How much waits at the barrier.
    watch: Watch,
}

enum Home {
    Launched(Running),
    Endpoint(Scratch),
}

/// What a browser's pages are to be like.
struct Identity {
    profile: Profile,
    timezone: Option<&'static str>,
    viewport: Viewport,
}

impl Browser {
    /// Starts a browser and waits for its first answer.
    pub async fn launch(options: &LaunchOptions, limit: &Limit) -> Result<Self, BrowserError> {
        let limit = limit.at_most(options.startup);
        let waited = limit.remaining();
        let starting = launch::start(options, patience(&limit));
        let Launched { running, to_browser, from_browser } =
            prepared(starting, "starting the browser", &limit).await?;
        let connection = Connection::start(PipeTransport::new(from_browser, to_browser));
        let identity =
            Identity { profile: options.profile.clone(), timezone: None, viewport: options.viewport };
        match Self::greet(connection, Home::Launched(running), identity, &limit).await {
            Ok(browser) => Ok(browser),
            Err((CdpError::Cancelled { .. }, home)) => {
                // Nothing was visited yet that would have to be written out.
                if let Home::Launched(running) = home {
                    running.end(Duration::ZERO).await;
                }
                Err(BrowserError::Cancelled { what: "starting the browser" })
            }
            Err((_, Home::Launched(running))) => {
                let reason = running.why_no_answer(waited).await;
                running.end(Duration::ZERO).await;
                Err(BrowserError::Launch(Arc::new(reason)))
            }
            Err((error, Home::Endpoint(_))) => Err(BrowserError::of_browser(error, "starting the browser")),
        }
    }

    /// Connects to the next of the given endpoints.
    pub async fn connect(
        endpoints: &mut Endpoints,
        limit: &Limit,
        watch: &mut (dyn FnMut(ConnectEvent) + Send),
    ) -> Result<Self, BrowserError> {
        let making = launch::scratch(patience(limit));
        let mut home = Home::Endpoint(prepared(making, "making a folder for downloads", limit).await?);
        let mut connected = endpoints.connect(limit, watch).await;
        loop {
            let connection = connected.map_err(|error| BrowserError::Connect(Arc::new(error)))?;
            let greeting = limit.at_most(endpoints.connect_timeout);
            let viewport = endpoints.viewport;
            let identity = Identity { profile: Profile::Temporary, timezone: Some("UTC"), viewport };
            match Self::greet(connection, home, identity, &greeting).await {
                Ok(browser) => return Ok(browser),
                // It answered once, and no more or not as a browser: the next one is tried.
                Err((error, kept)) => match AttemptError::of_greeting(&error) {
                    Some(reason) if !limit.remaining().is_zero() => {
                        home = kept;
                        connected = endpoints.connect_after(reason, limit, watch).await;
                    }
                    _ => return Err(BrowserError::of_browser(error, "greeting the browser")),
                },
            }
        }
    }

    /// Everything that must be in force before the first page: who is there, and that nothing runs unattended.
    async fn greet(
        connection: Connection,
        home: Home,
        identity: Identity,
        limit: &Limit,
    ) -> Result<Self, (CdpError, Home)> {
        let Identity { profile, timezone, viewport } = identity;
        let link = connection.link().clone();
        let events = hub::subscribe(&link);
        // A browser that we started is ours as a whole.
        let barrier = match home {
            Home::Launched(_) => Standing::Browser,
            Home::Endpoint(_) => Standing::Targets,
        };
        let greeting = async {
            // All in one go: each answer on its own would cost a round trip of every start.
            let version = link.post(None, &browser::GetVersion {})?;
            let pages = vec![
                target::FilterEntry { kind: Some("page"), exclude: false },
                target::FilterEntry { kind: None, exclude: true },
            ];
            let discover = link.post(None, &target::SetDiscoverTargets { discover: true, filter: pages })?;
            let attach = link.post(None, &AUTO_ATTACH)?;
            if barrier == Standing::Browser {
                link.post(None, &fetch::Enable { patterns: WRITING })?.reply(limit).await?;
            }
            let version = version.reply(limit).await?.read::<browser::Version>()?;
            discover.reply(limit).await?;
            attach.reply(limit).await?;
            Ok(version)
        };
        let version = match greeting.await {
            Ok(version) => version,
            Err(error) => return Err((error, home)),
        };
        let (stop, mut tasks) = (CancellationToken::new(), JoinSet::new());
        let user_agent = plain_user_agent(&version.user_agent);
        let hands = match home {
            Home::Launched(_) if user_agent.is_some() => Hands::None,
            _ => Hands::Persons,
        };
        let everything = Arc::new(AtomicBool::new(false));
        let settings =
            Settings { user_agent, timezone, viewport, hands, barrier, everything: everything.clone() };
        let hub = hub::start(&link, events, settings, stop.clone(), &mut tasks);
        let watch = Watch { link: link.clone(), standing: barrier, everything };
        let contexts = AtomicU32::new(0);
        Ok(Self { connection, hub, stop, tasks, home, profile, version, contexts, watch })
    }

    /// A place for one errand: the profile's own where it is a persistent one, else a fresh isolated one.
    pub async fn new_context(
        &self,
        options: &ContextOptions,
        limit: &Limit,
    ) -> Result<Context, BrowserError> {
        let kind = match self.profile {
            Profile::Persistent(_) => ContextKind::Default,
            Profile::Temporary => ContextKind::Isolated,
        };
        let number = self.contexts.fetch_add(1, Relaxed);
        let downloads = self.downloads().join(number.to_string());
        let made = tokio::fs::create_dir_all(&downloads).await;
        made.map_err(|error| {
            let reason = error.to_string();
            BrowserError::Launch(Arc::new(LaunchError::TemporaryUnusable { path: downloads.clone(), reason }))
        })?;
        let link = self.connection.link().clone();
        let watch = self.watch.clone();
        Context::open(kind, self.hub.clone(), link, watch, downloads, options, limit).await
    }

    /// From now on also what a page is made of waits at the barrier: pictures, scripts, styles, whose addresses can carry something
    /// away. In a browser of somebody else that holds for pages that are opened afterwards.
    pub async fn watch_everything(&self, limit: &Limit) -> Result<(), BrowserError> {
        self.watch.everything(limit).await
    }

    fn downloads(&self) -> PathBuf {
        match &self.home {
            Home::Launched(running) => running.downloads(),
            Home::Endpoint(scratch) => scratch.downloads(),
        }
    }

    /// The browser's name and version, `Chrome/156.0.…`.
    pub fn product(&self) -> &str {
        &self.version.product
    }

    /// Where it came from.
    pub fn origin(&self) -> Origin {
        match self.home {
            Home::Launched(_) => Origin::Launched,
            Home::Endpoint(_) => Origin::Endpoint,
        }
    }

    /// The process, if we started it.
    pub fn pid(&self) -> Option<u32> {
        match &self.home {
            Home::Launched(running) => Some(running.pid()),
            Home::Endpoint(_) => None,
        }
    }

    /// The program, if we started it.
    pub fn binary(&self) -> Option<&Path> {
        match &self.home {
            Home::Launched(running) => Some(running.binary()),
            Home::Endpoint(_) => None,
        }
    }

    /// The flags that it was started with, if we started it: without what is another one each time, the port of its proxy and the
    /// folder of its profile.
    pub fn flag_line(&self) -> Option<&[OsString]> {
        match &self.home {
            Home::Launched(running) => Some(running.line()),
            Home::Endpoint(_) => None,
        }
    }

    /// Whether it runs in its sandbox, if we started it.
    pub fn sandbox(&self) -> Option<Sandbox> {
        match &self.home {
            Home::Launched(running) => Some(running.sandbox()),
            Home::Endpoint(_) => None,
        }
    }

    /// The profile folder, if we started it.
    pub fn profile(&self) -> Option<PathBuf> {
        match &self.home {
            Home::Launched(running) => Some(running.profile()),
            Home::Endpoint(_) => None,
        }
    }

    /// Whether it has a persistent profile, whose context is the only one.
    pub fn keeps_profile(&self) -> bool {
        matches!(self.profile, Profile::Persistent(_))
    }

    /// Why it is gone, if it is.
    pub fn is_lost(&self) -> Option<Lost> {
        self.connection.link().is_lost()
    }

    /// Waits until it is gone.
    pub async fn lost(&self) -> Lost {
        self.connection.link().lost().await
    }

    /// Whether it answers at all.
    pub async fn check(&self, limit: &Limit) -> Result<(), BrowserError> {
        ask_browser(self.connection.link(), &browser::GetVersion {}, "checking the browser", limit)
            .await
            .map(drop)
    }

    /// Kills a browser of ours while its line still stands: one that only fell silent must not wake up without anybody to rule on what it sends.
    pub fn kill(&self) {
        if let Home::Launched(running) = &self.home {
            running.kill();
        }
    }

    /// Ends it in good order: a browser of ours is asked to close and killed if it does not; one that we were given goes
    /// on without us. Afterwards no process and no temporary folder of it is left.
    pub async fn close(mut self) {
        let grace = match self.profile {
            // It can't be asked, and has nothing to write out.
            Profile::Temporary if self.is_lost().is_some() => Duration::ZERO,
            Profile::Temporary => GRACE,
            Profile::Persistent(_) => GRACE_FOR_PROFILE,
        };
        let _ = self.hub.have_done(|world| ((), world.dismiss_all())).await;
        if matches!(self.home, Home::Launched(_)) {
            let _ = self.connection.link().call(None, &browser::Close {}, &Limit::within(GRACE)).await;
        }
        self.stop.cancel();
        while self.tasks.join_next().await.is_some() {}
        match self.home {
            Home::Launched(running) => {
                running.end(grace).await;
                self.connection.close().await;
            }
            // The contexts that we made end with the connection.
            Home::Endpoint(scratch) => {
                self.connection.close().await;
                let _ = tokio::task::spawn_blocking(move || drop(scratch)).await;
            }
        }
    }
}

/// How long locked folders are waited for: not to the very end, so that there is time to say what was wrong.
fn patience(limit: &Limit) -> Duration {
    limit.keeping(Duration::from_millis(500)).remaining()
}

/// Prepares something on this machine, no longer than the caller wants to wait.
async fn prepared<T>(
    preparing: impl Future<Output = Result<T, LaunchError>>,
    what: &'static str,
    limit: &Limit,
) -> Result<T, BrowserError> {
    let error = match limit.run(preparing).await {
        Ok(Ok(prepared)) => return Ok(prepared),
        Ok(Err(error)) => error,
        Err(Expired::Deadline) => launch::not_ready(),
        Err(Expired::Cancelled) => return Err(BrowserError::Cancelled { what }),
    };
    Err(BrowserError::Launch(Arc::new(error)))
}

/// Sites treat the headless mode's own name as a reason to show something else than to a person.
fn plain_user_agent(user_agent: &str) -> Option<String> {
    user_agent.contains("HeadlessChrome").then(|| user_agent.replace("HeadlessChrome", "Chrome"))
}
