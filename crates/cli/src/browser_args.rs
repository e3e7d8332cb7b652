//! The options that choose a browser, the same for every command that needs one.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use legwork_runtime::{
    BrowserSource, Confines, ConnectEvent, Endpoint, EndpointTrust, Endpoints, Keeper, KeeperEvent,
    LaunchOptions, NAVIGATION, PlaceRule, Profile, Reach, Resolution, Sandbox, SandboxChoice, SelfTest,
    SessionSettings, Sessions, Viewport, Window, WireSettings,
};
use legwork_types::{Code, HostPort, Problem};

use crate::{
    config::{ConfigArgs, FileRules, Loaded},
    output::Output,
    warnings::DEGRADED,
};

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

    /// How long each --cdp-endpoint may take to answer before the next one is tried [default: 5]
    #[arg(long, value_name = "SECONDS", requires = "cdp_endpoint", value_parser = clap::value_parser!(u64).range(1..=30))]
    endpoint_timeout: Option<u64>,

    /// Use browsers at --cdp-endpoint for everything: without this no secret is typed in them and nothing is done that can't be
    /// undone, because Legwork can't vouch for a browser that it did not start
    #[arg(long, requires = "cdp_endpoint")]
    trust_endpoint: bool,

    /// Grant the browser access to a private address, for example 127.0.0.1:8080; may be repeated
    #[arg(long, value_name = "HOST:PORT", env = "LEGWORK_ALLOW_PRIVATE", value_delimiter = ',')]
    allow_private: Vec<HostPort>,

    /// The only places that may be reached: shop.example, *.shop.example, https://shop.example:8443; may be repeated
    /// [default: every public host at ports 80 and 443]
    #[arg(long, value_name = "PLACE", env = "LEGWORK_ALLOW_HOST", value_delimiter = ',')]
    allow_host: Vec<PlaceRule>,

    /// A place that may not be reached, whatever else allows it; may be repeated; also by LEGWORK_DENY_HOST, with commas between
    /// several
    #[arg(long, value_name = "PLACE", value_delimiter = ',')]
    deny_host: Vec<PlaceRule>,

    /// Where a name is, instead of looking it up: shop.test=127.0.0.1:8080; grants it too; may be repeated
    #[arg(long, value_name = "NAME=ADDRESS:PORT")]
    resolve: Vec<Resolution>,

    /// A proxy of your own network that everything goes through, after Legwork has checked it: proxy.example:3128
    #[arg(long, value_name = "HOST:PORT", env = "LEGWORK_UPSTREAM_PROXY")]
    upstream_proxy: Option<HostPort>,

    /// The size of pages and of their pictures, from 800x600 to 1920x1080; at 1024x768 a picture costs the model fewer tokens
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = Viewport::USUAL)]
    viewport: Viewport,

    /// How long a page may take to open
    #[arg(long, value_name = "SECONDS", default_value_t = NAVIGATION.as_secs(), value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,

    #[command(flatten)]
    config: ConfigArgs,
}

/// The chosen browser where the rules of the file hold too. Whatever opens pages starts here: there is no way around the file.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    args: BrowserArgs,
    ports: Vec<u16>,
    confines: Option<Confines>,
}

impl BrowserArgs {
    /// The profile folder that stays.
    pub(crate) fn profile(&self) -> Option<&std::path::Path> {
        self.profile.as_deref()
    }

    /// The file of rules.
    pub(crate) fn config(&self) -> &ConfigArgs {
        &self.config
    }

    /// Reads the file of rules; the browser under these rules, and the rest of them.
    pub(crate) fn ruled(&self) -> Result<(Browser, FileRules), Problem> {
        let Loaded { file, rules } = self.config.load()?;
        if let Some(file) = &file {
            tracing::info!(file = %file.display(), "rules read");
        }
        Ok((self.beside(&rules)?, rules))
    }

    /// Lists are joined, so that no option loses what the file denies.
    pub(crate) fn beside(&self, file: &FileRules) -> Result<Browser, Problem> {
        let mut args = self.clone();
        let Reach { allow, deny, ports, private, resolve, upstream, .. } = file.reach();
        args.allow_host.extend(allow);
        args.deny_host.extend(deny);
        args.deny_host.extend(denied_by_environment()?);
        args.upstream_proxy = args.upstream_proxy.or(upstream);
        args.allow_private.extend(private);
        // The first one of a name counts: options before the file.
        args.resolve.extend(resolve);
        let joined = Browser { args, ports, confines: None };
        file.examples.stay_denied(&joined.reach())?;
        Ok(joined)
    }

    /// The endpoints, if any are named. They may hold tokens, so that the parser of the command line, which quotes, is not asked.
    pub(crate) fn endpoints(&self) -> Result<Option<Endpoints>, Problem> {
        let read = |text: &String| text.parse::<Endpoint>().map_err(|error| Problem::from(&error));
        let list = self.cdp_endpoint.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if list.is_empty() {
            return Ok(None);
        }
        let mut endpoints = Endpoints::new(list);
        endpoints.viewport = self.viewport;
        if let Some(seconds) = self.endpoint_timeout {
            endpoints.connect_timeout = Duration::from_secs(seconds);
        }
        Ok(Some(endpoints))
    }

    /// How a browser is to be started here.
    pub(crate) fn launch(&self) -> LaunchOptions {
        LaunchOptions {
            binary: self.browser.clone(),
            window: if self.headed { Window::Headed } else { Window::Headless },
            viewport: self.viewport,
            profile: self.profile.clone().map_or(Profile::Temporary, Profile::Persistent),
            sandbox: if self.no_sandbox { SandboxChoice::Off } else { SandboxChoice::Auto },
            ..LaunchOptions::default()
        }
    }

    fn source(&self) -> Result<BrowserSource, Problem> {
        let launch = || BrowserSource::Launch(self.launch());
        Ok(self.endpoints()?.map_or_else(launch, BrowserSource::Endpoints))
    }
}

impl Browser {
    /// How long a page may take to open.
    pub(crate) fn navigation(&self) -> Duration {
        Duration::from_secs(self.args.timeout)
    }

    /// A keeper of the chosen browser, not started yet.
    pub(crate) fn keeper(&self, output: Output) -> Result<Keeper, Problem> {
        let source = self.args.source()?;
        let trust = self.trust();
        Ok(Keeper::new(source, self.told_reach(output), move |event| tell(output, trust, &event)))
    }

    /// Sessions in the chosen browser, not started yet.
    pub(crate) fn sessions(&self, settings: SessionSettings, output: Output) -> Result<Sessions, Problem> {
        let source = self.args.source()?;
        let reach = Reach { own: settings.wire.reach.own.clone(), ..self.told_reach(output) };
        let trust = self.trust();
        let wire = WireSettings { reach, endpoints: trust, ..(*settings.wire).clone() };
        let settings = SessionSettings { navigation: self.navigation(), wire: Arc::new(wire), ..settings };
        Ok(Sessions::new(source, settings, move |event| tell(output, trust, &event)))
    }

    /// What browsers that somebody else started are good for.
    fn trust(&self) -> EndpointTrust {
        if self.args.trust_endpoint { EndpointTrust::Trusted } else { EndpointTrust::Degraded }
    }

    /// Where traffic may go.
    pub(crate) fn reach(&self) -> Reach {
        Reach {
            allow: self.args.allow_host.clone(),
            deny: self.args.deny_host.clone(),
            ports: self.ports.clone(),
            private: self.args.allow_private.clone(),
            resolve: self.args.resolve.clone(),
            upstream: self.args.upstream_proxy.clone(),
            confines: self.confines.clone(),
            ..Reach::default()
        }
    }

    /// The same, and what the operator should know about it.
    fn told_reach(&self, output: Output) -> Reach {
        let reach = self.reach();
        for grant in &reach.private {
            tracing::info!(%grant, "private address granted");
        }
        for warning in reach.warnings() {
            output.warn(&warning);
        }
        reach
    }

    /// The same for an errand that goes nowhere else.
    pub(crate) fn within(&self, confines: Option<Confines>) -> Self {
        Self { confines, ..self.clone() }
    }

    /// The same with one more private address granted: that of a server of our own.
    pub(crate) fn granting(&self, address: HostPort) -> Self {
        let mut granting = self.clone();
        // Where there is a list, a grant does not stand above it.
        if !granting.args.allow_host.is_empty() {
            granting.args.allow_host.extend(address.to_string().parse::<PlaceRule>().ok());
        }
        granting.args.allow_private.push(address);
        granting
    }
}

/// What the environment denies. An option would take the place of a variable that the parser of the command line reads, and what is
/// denied once must stay denied.
fn denied_by_environment() -> Result<Vec<PlaceRule>, Problem> {
    const NAME: &str = "LEGWORK_DENY_HOST";
    let text = match std::env::var(NAME) {
        Ok(text) => text,
        Err(std::env::VarError::NotPresent) => return Ok(vec![]),
        Err(std::env::VarError::NotUnicode(_)) => "\u{fffd}".to_owned(),
    };
    let rules = text.split(',').map(str::trim).filter(|rule| !rule.is_empty());
    rules
        .map(|rule| {
            rule.parse::<PlaceRule>().map_err(|error| {
                let hint = "write places such as shop.example or *.shop.example, with commas between several";
                Problem::new(Code::Usage, format!("{NAME} can't be used"), hint).because(error.to_string())
            })
        })
        .collect()
}

fn tell(output: Output, trust: EndpointTrust, event: &KeeperEvent) {
    match event {
        KeeperEvent::Started { product, pid, sandbox } => {
            tracing::info!(product, pid, "browser ready");
            if let Some(Sandbox::Off { why }) = sandbox {
                output.warn(&format!("the browser's sandbox is off ({why})"));
            }
            if pid.is_none() && trust == EndpointTrust::Degraded {
                output.warn(DEGRADED);
            }
        }
        KeeperEvent::SelfTest(SelfTest::PassedNow { took }) => {
            tracing::info!(took_ms = took.as_millis(), "self-test passed");
        }
        KeeperEvent::SelfTest(SelfTest::PassedEarlier { .. }) => tracing::debug!("self-test passed earlier"),
        KeeperEvent::Replaced { cause, .. } => output.warn(&format!("the browser was replaced: {cause}")),
        KeeperEvent::Endpoint(ConnectEvent::EndpointConnected { endpoint_index, total }) => {
            tracing::info!(endpoint_index, total, "cdp:endpoint_connected");
        }
        KeeperEvent::Endpoint(ConnectEvent::EndpointCycle { attempt, total, error }) => {
            tracing::info!(attempt, total, error = error.name(), "cdp:endpoint_cycle");
            // The errand goes on without it, so nobody would hear of it otherwise.
            if error.is_lasting() {
                output.warn(&format!(
                    "endpoint {attempt} of {total} can't be used, the next one is tried: {error}"
                ));
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Alone {
        #[command(flatten)]
        browser: BrowserArgs,
    }

    #[test]
    fn endpoints_get_as_long_as_somebody_says_and_else_five_seconds() {
        let patience = |words: &[&str]| {
            let words = ["x"].iter().chain(words);
            let endpoints = Alone::try_parse_from(words).unwrap().browser.endpoints().unwrap();
            endpoints.map(|endpoints| endpoints.connect_timeout.as_secs())
        };
        let one = ["--cdp-endpoint", "http://127.0.0.1:9222"];
        assert_eq!(patience(&[]), None);
        assert_eq!(patience(&one), Some(5));
        assert_eq!(patience(&[&one[..], &["--endpoint-timeout", "30"]].concat()), Some(30));
    }
}
