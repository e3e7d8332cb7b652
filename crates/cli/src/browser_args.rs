//! The options that choose a browser, the same for every command that needs one.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use legwork_runtime::{
    BrowserSource, ConnectEvent, ContextOptions, Endpoint, Endpoints, Keeper, KeeperEvent, LaunchOptions,
    NAVIGATION, Profile, Sandbox, SandboxChoice, SessionSettings, Sessions, Window,
};
use legwork_types::{HostPort, Problem};

use crate::output::Output;

/// Which browser, and what it may do.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Browser options")]
pub(crate) struct BrowserArgs {
    /// The Chrome, Chromium or Edge to run [env: LEGWORK_BROWSER; default: searched on PATH and in the usual places]
    #[arg(long, value_name = "PATH")]
    browser: Option<PathBuf>,

    /// Show the browser's window
    #[arg(long)]
    headed: bool,

    /// Run the browser without its sandbox; only for pages that you trust
    #[arg(long)]
    no_sandbox: bool,

    /// A profile folder that stays: cookies and logins are kept in it [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    profile: Option<PathBuf>,

    /// Use a browser that is running already: http://HOST:PORT or ws://HOST:PORT/…; may be repeated,
    /// each is tried in its turn
    #[arg(long, value_name = "URL", conflicts_with_all = ["browser", "headed", "no_sandbox", "profile"])]
    cdp_endpoint: Vec<String>,

    /// Grant the browser access to a private address, for example 127.0.0.1:8080; may be repeated.
    /// Accepted from the start, takes effect with the gate
    #[arg(long, value_name = "HOST:PORT", env = "LEGWORK_ALLOW_PRIVATE", value_delimiter = ',')]
    allow_private: Vec<HostPort>,

    /// How long a page may take to open
    #[arg(long, value_name = "SECONDS", default_value_t = NAVIGATION.as_secs(), value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

impl BrowserArgs {
    /// How long a page may take to open.
    pub(crate) fn navigation(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// The endpoints. They may hold tokens, so that the parser of the command line, which quotes, is not asked.
    pub(crate) fn endpoints(&self) -> Result<Vec<Endpoint>, Problem> {
        let read = |text: &String| text.parse::<Endpoint>().map_err(|error| Problem::from(&error));
        self.cdp_endpoint.iter().map(read).collect()
    }

    /// How a browser is to be started here.
    pub(crate) fn launch(&self) -> LaunchOptions {
        LaunchOptions {
            binary: self.browser.clone(),
            window: if self.headed { Window::Headed } else { Window::Headless },
            profile: self.profile.clone().map_or(Profile::Temporary, Profile::Persistent),
            sandbox: if self.no_sandbox { SandboxChoice::Off } else { SandboxChoice::Auto },
            ..LaunchOptions::default()
        }
    }

    /// A keeper of the chosen browser, not started yet.
    pub(crate) fn keeper(&self, output: Output) -> Result<Keeper, Problem> {
        let (source, options) = self.source()?;
        Ok(Keeper::new(source, options, move |event| tell(output, &event)))
    }

    /// Sessions in the chosen browser, not started yet.
    pub(crate) fn sessions(&self, settings: SessionSettings, output: Output) -> Result<Sessions, Problem> {
        let (source, options) = self.source()?;
        let settings = SessionSettings { navigation: self.navigation(), ..settings };
        Ok(Sessions::new(source, options, settings, move |event| tell(output, &event)))
    }

    fn source(&self) -> Result<(BrowserSource, ContextOptions), Problem> {
        for grant in &self.allow_private {
            tracing::info!(%grant, "private address granted");
        }
        let endpoints = self.endpoints()?;
        let source = match endpoints.is_empty() {
            true => BrowserSource::Launch(self.launch()),
            false => BrowserSource::Endpoints(Endpoints::new(endpoints)),
        };
        let options =
            ContextOptions { allow_private: self.allow_private.clone(), ..ContextOptions::default() };
        Ok((source, options))
    }

    /// The same with one more private address granted: that of a server of our own.
    pub(crate) fn granting(&self, address: HostPort) -> Self {
        let mut granting = self.clone();
        granting.allow_private.push(address);
        granting
    }
}

fn tell(output: Output, event: &KeeperEvent) {
    match event {
        KeeperEvent::Started { product, pid, sandbox } => {
            tracing::info!(product, pid, "browser ready");
            if let Some(Sandbox::Off { why }) = sandbox {
                output.warn(&format!("the browser's sandbox is off ({why})"));
            }
        }
        KeeperEvent::Replaced { cause, .. } => output.warn(&format!("the browser was replaced: {cause}")),
        KeeperEvent::Endpoint(ConnectEvent::EndpointConnected { endpoint_index, total }) => {
            tracing::info!(endpoint_index, total, "cdp:endpoint_connected");
        }
        KeeperEvent::Endpoint(ConnectEvent::EndpointCycle { attempt, total, error }) => {
            tracing::info!(attempt, total, error, "cdp:endpoint_cycle");
        }
    }
}
