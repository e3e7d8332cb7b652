//! One act with its receipt and the next observation, against raw input and one observation right after it, in the same rounds.

mod raw;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail, ensure};
use legwork_runtime::{
    Acted, BrowserSource, Caller, CancellationToken, LaunchOptions, OpenRequest, Reach, Seen,
    SessionSettings, Sessions, WireSettings, boundary,
};
use legwork_testkit::{Site, bench_pages};
use legwork_types::{
    PageUrl,
    contract::{
        ActRequest, Action, ActionId, Expect, FieldValue, MouseButton, ObserveOptions, SessionId, Target,
    },
};

use crate::{
    report::{ActFigures, Acts},
    start::milliseconds,
};

use raw::RawHand;

/// Rounds that are run and not counted.
const WARM_UP: usize = 2;
/// The pages to act on.
const PAGES: [&str; 3] = ["form", "shop150", "table10k"];
/// What every page has: a button that counts its clicks, and a field that echoes what is typed.
const BUTTON: &str = "Count this click";
const FIELD: &str = "Reviewer name";

/// Measures `runs` rounds of each deed on each page.
pub(crate) fn measure(runs: usize) -> anyhow::Result<Acts> {
    let site = Site::builder().bench_pages().start_blocking();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let subject = Subject::start(&site);
        let mut hand = RawHand::start().await?;
        let mut figures = Vec::new();
        for page in bench_pages().into_iter().filter(|page| PAGES.contains(&page.name)) {
            let url = site.url(page.path);
            for deed in [Deed::Click, Deed::Fill] {
                figures.push(measure_deed(&subject, &mut hand, page.name, &url, deed, runs).await?);
            }
        }
        let browser = hand.product();
        hand.end().await;
        subject.sessions.shut().await;
        Ok(Acts { browser, figures })
    })
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    /// A press on the button.
    Click,
    /// New words in the field.
    Fill,
}

impl Deed {
    fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::Fill => "fill",
        }
    }
}

async fn measure_deed(
    subject: &Subject,
    hand: &mut RawHand,
    page: &'static str,
    url: &str,
    deed: Deed,
    runs: usize,
) -> anyhow::Result<ActFigures> {
    hand.go(url).await?;
    let (session, mut seen) = subject.open(url).await?;
    let mut figures = ActFigures { page, deed: deed.name(), ..ActFigures::default() };
    for round in 0..WARM_UP + runs {
        let words = format!("Round {round}");
        // Who comes first changes: a busy moment of the machine strikes all alike.
        for turn in 0..3 {
            let (series, took) = match (round + turn) % 3 {
                0 => {
                    let began = Instant::now();
                    hand.does(deed, &words).await?;
                    let took = began.elapsed();
                    let began = Instant::now();
                    hand.observes().await?;
                    if round >= WARM_UP {
                        figures.observation.push(milliseconds(began.elapsed()));
                    }
                    hand.rests().await?;
                    (&mut figures.raw, took)
                }
                1 => {
                    let began = Instant::now();
                    seen = subject.observes(&session).await?;
                    (&mut figures.at_rest, began.elapsed())
                }
                _ => {
                    let (next, took) = subject.acts(&session, &seen, deed, &words).await?;
                    seen = next;
                    (&mut figures.legwork, took)
                }
            };
            if round >= WARM_UP {
                series.push(milliseconds(took));
            }
        }
    }
    subject.sessions.close(&subject.caller, &session).await?;
    Ok(figures)
}

/// The product: what a surface does when it is called.
struct Subject {
    sessions: Sessions,
    caller: Caller,
    cancel: CancellationToken,
}

impl Subject {
    fn start(site: &Site) -> Self {
        let source = BrowserSource::Launch(LaunchOptions::default());
        let reach = Reach { private: site.grants(), ..Reach::default() };
        let wire = Arc::new(WireSettings { reach, ..WireSettings::default() });
        let settings = SessionSettings { wire, ..SessionSettings::default() };
        let sessions = Sessions::new(source, settings, |_| {});
        Self { sessions, caller: Caller::new("bench"), cancel: CancellationToken::new() }
    }

    async fn open(&self, url: &str) -> anyhow::Result<(SessionId, Seen)> {
        let request = OpenRequest { url: Some(PageUrl::parse(url)?), ..OpenRequest::default() };
        let opened = self.sessions.open(&self.caller, request, &self.cancel).await?;
        Ok((opened.session, opened.seen))
    }

    async fn observes(&self, session: &SessionId) -> anyhow::Result<Seen> {
        let options = ObserveOptions::default();
        let seen = self.sessions.observe(&self.caller, session, &options, &self.cancel).await?;
        text_of(&seen)?;
        Ok(seen)
    }

    /// Acts, and reads what is there afterwards as a model would. Only that is on the clock.
    async fn acts(
        &self,
        session: &SessionId,
        seen: &Seen,
        deed: Deed,
        words: &str,
    ) -> anyhow::Result<(Seen, Duration)> {
        let (name, action) = match deed {
            Deed::Click => (BUTTON, Action::Click { button: MouseButton::Left, count: 1, modifiers: vec![] }),
            Deed::Fill => (FIELD, Action::Fill { value: FieldValue::Text(words.to_owned()) }),
        };
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
        let took = began.elapsed();
        ensure!(receipt.effects.dom_changed, "{name}: {receipt:?}");
        Ok((next, took))
    }
}

fn text_of(seen: &Seen) -> anyhow::Result<String> {
    Ok(seen.look.read(&ObserveOptions::default(), None, &boundary())?.text)
}

fn number_of(seen: &Seen, name: &str) -> anyhow::Result<ActionId> {
    let items = &seen.look.scene().items;
    let found = items.iter().find(|item| item.affordance.name.untrusted() == name);
    Ok(found.with_context(|| format!("the page has no {name}"))?.affordance.action_id)
}
