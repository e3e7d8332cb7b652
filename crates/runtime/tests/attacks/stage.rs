//! The stage of an attack: servers reached by names, and sessions in each of the ways in which Legwork may be run.

use std::{collections::HashMap, path::PathBuf, sync::Arc, time::Duration};

use legwork_policy::places::OwnPorts;

use legwork_runtime::{
    AfterYes, Answer, Approvals, BrowserSource, LaunchOptions, Mode, Reach, Rules, SessionSettings, Sessions,
    Vault, WhoConfirms, WireSettings,
};
use legwork_testkit::{Hit, Site, SiteBuilder};
use legwork_types::contract::SessionId;
use tokio::{sync::OnceCell, task::JoinSet};

use super::{hosts::Canary, obedient::Answers};

/// Far beyond what any of these tests needs.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// How Legwork is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    /// As it is unless told: nothing is settled.
    Dry,
    /// Live; people are asked, and nobody answers.
    Unanswered,
    /// Live, and nobody may say yes.
    Nobody,
    /// Live, and a person says yes to everything: the twin.
    Yes,
    /// Live, and a person says yes to the first question of each session, and to no other.
    Once,
    /// The same where what was shown is sent again by the browser itself, as `legwork mcp` does it.
    OnceAgain,
    /// Nothing is written at all.
    ReadOnly,
    /// Nothing is done to pages at all.
    Plan,
}

impl Run {
    pub(crate) fn answers(self) -> Answers {
        if matches!(self, Self::Yes | Self::Once | Self::OnceAgain) { Answers::Yes } else { Answers::None }
    }
}

/// All servers and all sessions of one test.
pub(crate) struct Stage {
    /// `shop.test` and `bank.test`, which may be reached.
    pub(crate) site: Site,
    /// `evil.test`, which may not.
    pub(crate) evil: Canary,
    /// A port of Legwork itself, which nothing else forbids.
    pub(crate) own: Canary,
    /// Whether `evil.test` may be reached for once: then what leads there has to arrive.
    pub(crate) is_evil_allowed: bool,
    /// Folders whose files may be given to pages.
    pub(crate) uploads: Vec<PathBuf>,
    /// The operator's secrets.
    pub(crate) vault: Arc<Vault>,
    runs: [OnceCell<Arc<Sessions>>; 8],
    people: std::sync::Mutex<JoinSet<()>>,
    change: fn(&mut WireSettings),
}

impl Stage {
    pub(crate) async fn start(site: SiteBuilder) -> Self {
        Self::with(site, |_| {}).await
    }

    /// The same with other rules.
    pub(crate) async fn with(site: SiteBuilder, change: fn(&mut WireSettings)) -> Self {
        Self::start_at(|_, _| site, change).await
    }

    /// The same with a site that knows the ports which nobody may come to: that of `evil.test`, and one of Legwork itself.
    pub(crate) async fn start_at(
        site: impl FnOnce(u16, u16) -> SiteBuilder,
        change: fn(&mut WireSettings),
    ) -> Self {
        let (evil, own) = (Canary::start().await, Canary::start().await);
        let site = site(evil.port(), own.port()).start().await;
        let (runs, people, vault) = Default::default();
        Self { site, evil, own, is_evil_allowed: false, uploads: vec![], vault, runs, people, change }
    }

    /// Shops by their names, and `evil.test` with an address but on no list.
    pub(crate) fn reach(&self) -> Reach {
        let (good, evil, own) = (self.site.port(), self.evil.port(), self.own.port());
        let names = [
            ("shop.test", good),
            ("bank.test", good),
            ("evil.test", evil),
            ("ѕhop.test", evil),
            ("mine.test", own),
            ("qx-5521-klm-9083.bank.test", good),
            ("sale.bank.test", good),
        ];
        let resolve = |(name, port): (&str, u16)| format!("{name}:80=127.0.0.1:{port}").parse().unwrap();
        let allow = [
            "shop.test".to_owned(),
            "bank.test".to_owned(),
            "*.bank.test".to_owned(),
            format!("localhost:{good}"),
            format!("127.0.0.1:{good}"),
            "mine.test".to_owned(),
            format!("localhost:{own}"),
            format!("127.0.0.1:{own}"),
        ];
        let granted = ["localhost", "127.0.0.1"].map(|host| format!("{host}:{own}").parse().unwrap());
        Reach {
            allow: allow.iter().map(|rule| rule.parse().unwrap()).collect(),
            resolve: names.into_iter().map(resolve).collect(),
            private: self.site.grants().into_iter().chain(granted).collect(),
            own: OwnPorts { ports: [own].into(), ..OwnPorts::default() },
            ..Reach::default()
        }
    }

    /// Sessions that are run so.
    pub(crate) async fn sessions(&self, run: Run) -> Arc<Sessions> {
        let made = self.runs[run as usize].get_or_init(async || {
            let (mode, who_confirms) = match run {
                Run::Dry => (Mode::DryRun, WhoConfirms::Human),
                Run::Unanswered | Run::Yes | Run::Once | Run::OnceAgain => (Mode::Live, WhoConfirms::Human),
                Run::ReadOnly => (Mode::ReadOnly, WhoConfirms::Human),
                Run::Plan => (Mode::PlanOnly, WhoConfirms::Human),
                Run::Nobody => (Mode::Live, WhoConfirms::Nobody),
            };
            let mut wire =
                WireSettings { mode, who_confirms, reach: self.reach(), ..WireSettings::default() };
            if run == Run::OnceAgain {
                wire.documents = AfterYes::SentAgain;
            }
            (self.change)(&mut wire);
            let settings = SessionSettings {
                rules: Rules { who_confirms, uploads: self.uploads.clone() },
                wire: Arc::new(wire),
                vault: self.vault.clone(),
                ..SessionSettings::default()
            };
            let source = BrowserSource::Launch(LaunchOptions::default());
            let sessions = Arc::new(Sessions::new(source, settings, |_| {}));
            let approvals = sessions.approvals().clone();
            match run {
                Run::Yes => drop(self.people.lock().unwrap().spawn(says_yes(approvals, usize::MAX))),
                Run::Once | Run::OnceAgain => drop(self.people.lock().unwrap().spawn(says_yes(approvals, 1))),
                _ => {}
            }
            sessions
        });
        made.await.clone()
    }

    /// What was written below this path.
    pub(crate) fn written(&self, below: &str) -> Vec<String> {
        let is_write = |hit: &Hit| !matches!(hit.method.as_str(), "GET" | "HEAD" | "OPTIONS");
        let hits = self.site.hits();
        let wanted = hits.iter().filter(|hit| is_write(hit) && hit.path.starts_with(below));
        let told = |hit: &Hit| {
            let body: String = String::from_utf8_lossy(&hit.body).chars().take(200).collect();
            format!("{} {}{} {body}", hit.method, hit.host, hit.path)
        };
        wanted.map(told).collect()
    }

    /// Ends all that was started.
    pub(crate) async fn shut(&self) {
        for sessions in self.runs.iter().filter_map(OnceCell::get) {
            sessions.shut().await;
        }
    }
}

/// A person who says yes to so many questions of each session, and no to all others.
async fn says_yes(approvals: Arc<Approvals>, most: usize) {
    let mut changes = approvals.changes();
    let mut said: HashMap<SessionId, usize> = HashMap::new();
    loop {
        for asked in approvals.waiting() {
            let count = said.entry(asked.question.session.clone()).or_default();
            *count += 1;
            let _ = approvals.answer(&asked.id, if *count <= most { Answer::Yes } else { Answer::No });
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}
