//! The product's side of the benchmark: what a surface does when it is called to act.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use legwork_runtime::{
    Acted, BrowserSource, Caller, CancellationToken, KeeperEvent, LaunchOptions, OpenRequest, Reach, Seen,
    SessionSettings, Sessions, WireSettings, boundary,
};
use legwork_types::{
    HostPort, PageUrl,
    contract::{ActRequest, Action, ActionId, Expect, ObserveOptions, Receipt, SessionId, Target},
};

/// Sessions at their defaults.
pub(crate) struct Subject {
    pub(crate) sessions: Sessions,
    pub(crate) caller: Caller,
    cancel: CancellationToken,
    product: Arc<OnceLock<String>>,
}

impl Subject {
    /// Sessions that may reach these places on this machine.
    pub(crate) fn start(private: Vec<HostPort>) -> Self {
        let source = BrowserSource::Launch(LaunchOptions::default());
        let reach = Reach { private, ..Reach::default() };
        let wire = Arc::new(WireSettings { reach, ..WireSettings::default() });
        let settings = SessionSettings { wire, ..SessionSettings::default() };
        let product: Arc<OnceLock<String>> = Arc::default();
        let told = product.clone();
        let sessions = Sessions::new(source, settings, move |event| {
            if let KeeperEvent::Started { product, .. } = event {
                told.get_or_init(|| product);
            }
        });
        Self { sessions, caller: Caller::new("bench"), cancel: CancellationToken::new(), product }
    }

    /// The browser's name and version; nothing before there is one.
    pub(crate) fn product(&self) -> String {
        self.product.get().cloned().unwrap_or_default()
    }

    /// Opens a page in a session of its own.
    pub(crate) async fn open(&self, url: &str) -> anyhow::Result<(SessionId, Seen)> {
        let request = OpenRequest { url: Some(PageUrl::parse(url)?), ..OpenRequest::default() };
        let opened = self.sessions.open(&self.caller, request, &self.cancel).await?;
        Ok((opened.session, opened.seen))
    }

    /// Looks, and reads what is there as a model would.
    pub(crate) async fn observes(&self, session: &SessionId) -> anyhow::Result<Seen> {
        let options = ObserveOptions::default();
        let seen = self.sessions.observe(&self.caller, session, &options, &self.cancel).await?;
        text_of(&seen)?;
        Ok(seen)
    }

    /// Does this to the control of this name, and reads what is there afterwards as a model would. Only that is on the clock.
    pub(crate) async fn acts(
        &self,
        session: &SessionId,
        seen: &Seen,
        name: &str,
        action: Action,
    ) -> anyhow::Result<Done> {
        let request = ActRequest {
            session_id: session.clone(),
            observation_id: seen.look.id().clone(),
            target: Target::Element { action_id: number_of(seen, name)? },
            action,
            expect: Expect::default(),
            reason: None,
            confirm: false,
            confirmation_text: None,
            observe: ObserveOptions::default(),
        };
        let began = Instant::now();
        let Acted { error, receipt, next, .. } = self.sessions.act(&self.caller, request, &self.cancel).await;
        if let Some(problem) = error {
            bail!("{name}: {problem}");
        }
        let next = next.context("there is no next observation")?;
        text_of(&next)?;
        Ok(Done { took: began.elapsed(), seen: next, receipt })
    }
}

/// An act that is done.
pub(crate) struct Done {
    /// What is there afterwards.
    pub(crate) seen: Seen,
    /// What came of it.
    pub(crate) receipt: Receipt,
    /// How long it took.
    pub(crate) took: Duration,
}

fn text_of(seen: &Seen) -> anyhow::Result<String> {
    Ok(seen.look.read(&ObserveOptions::default(), None, &boundary())?.text)
}

fn number_of(seen: &Seen, name: &str) -> anyhow::Result<ActionId> {
    let items = &seen.look.scene().items;
    let found = items.iter().find(|item| item.affordance.name.untrusted() == name);
    Ok(found.with_context(|| format!("the page has no {name}"))?.affordance.action_id)
}
