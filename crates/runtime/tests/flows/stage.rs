//! Sessions as a user has them who said where errands begin and which secret logs in, and nothing else.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use legwork_runtime::{
    AfterYes, Answer, BrowserSource, EndpointTrust, KeeperEvent, LaunchOptions, Mode, Reach, Rules,
    SessionSettings, Sessions, Vault, WhoConfirms, WireSettings,
};

use super::person::Person;

/// Far beyond what any of these tests needs.
pub(crate) const LONG: Duration = Duration::from_secs(120);

/// How an errand is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    Dry,
    Live(Answer),
}

/// Sessions that are run in one way, and whoever is asked there.
pub(crate) struct Stage {
    pub(crate) run: Run,
    pub(crate) sessions: Sessions,
    pub(crate) person: Person,
}

impl Stage {
    /// Sessions that may reach these addresses of loopback, with this password for all of them.
    pub(crate) async fn start(run: Run, addresses: &[SocketAddr], password: &str) -> Self {
        let source = BrowserSource::Launch(LaunchOptions::default());
        Self::in_browsers_of(source, LONG, run, addresses, password, |_| {}).await
    }

    /// The same in browsers from elsewhere, which the operator vouches for. `watch` is told what happens to them.
    pub(crate) async fn in_browsers_of(
        source: BrowserSource,
        navigation: Duration,
        run: Run,
        addresses: &[SocketAddr],
        password: &str,
        watch: impl FnMut(KeeperEvent) + Send + 'static,
    ) -> Self {
        let settings = settings(navigation, run, addresses, password).await;
        Self::with(source, settings, run, watch)
    }

    /// Sessions that may reach this, with no secret at all.
    pub(crate) fn reaching(run: Run, reach: Reach) -> Self {
        let source = BrowserSource::Launch(LaunchOptions::default());
        Self::with(source, settings_with(LONG, run, reach, Arc::default()), run, |_| {})
    }

    fn with(
        source: BrowserSource,
        settings: SessionSettings,
        run: Run,
        watch: impl FnMut(KeeperEvent) + Send + 'static,
    ) -> Self {
        let sessions = Sessions::new(source, settings, watch);
        let answer = if let Run::Live(answer) = run { answer } else { Answer::Yes };
        let person = Person::who_says(answer, sessions.approvals().clone());
        Self { run, sessions, person }
    }
}

/// How such sessions are.
pub(crate) async fn settings(
    navigation: Duration,
    run: Run,
    addresses: &[SocketAddr],
    password: &str,
) -> SessionSettings {
    let private = addresses.iter().map(|address| address.to_string().parse().unwrap()).collect();
    let reach = Reach { private, ..Reach::default() };
    let origins: Vec<String> = addresses.iter().map(|address| format!("http://{address}")).collect();
    let secret = format!("password=cmd:echo {password}@{}", origins.join(",")).parse().unwrap();
    let vault = Arc::new(Vault::load(&[secret], &reach).await.unwrap());
    settings_with(navigation, run, reach, vault)
}

fn settings_with(navigation: Duration, run: Run, reach: Reach, vault: Arc<Vault>) -> SessionSettings {
    let mode = if run == Run::Dry { Mode::DryRun } else { Mode::Live };
    let who_confirms = WhoConfirms::Human;
    let documents = AfterYes::SentAgain;
    let endpoints = EndpointTrust::Trusted;
    let wire = WireSettings { mode, reach, who_confirms, documents, endpoints, ..WireSettings::default() };
    let wire = Arc::new(wire);
    let rules = Rules { who_confirms, ..Rules::default() };
    SessionSettings { navigation, rules, wire, vault, ..SessionSettings::default() }
}
