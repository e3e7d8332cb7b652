//! One act with its receipt and the next observation, against raw input and one observation right after it, in the same rounds.

mod raw;
mod subject;

use std::time::Instant;

use anyhow::ensure;
use legwork_testkit::{Site, bench_pages};
use legwork_types::contract::{Action, FieldValue, MouseButton};

use crate::{
    report::{ActFigures, Acts},
    start::milliseconds,
};

use raw::RawHand;

pub(crate) use subject::Subject;

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
        let subject = Subject::start(site.grants());
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

    /// The control that it is done to, and what is done there.
    fn on(self, words: &str) -> (&'static str, Action) {
        match self {
            Self::Click => (BUTTON, Action::Click { button: MouseButton::Left, count: 1, modifiers: vec![] }),
            Self::Fill => (FIELD, Action::Fill { value: FieldValue::Text(words.to_owned()) }),
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
                    let (name, action) = deed.on(&words);
                    let done = subject.acts(&session, &seen, name, action).await?;
                    ensure!(done.receipt.effects.dom_changed, "{name}: {:?}", done.receipt);
                    seen = done.seen;
                    (&mut figures.legwork, done.took)
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
