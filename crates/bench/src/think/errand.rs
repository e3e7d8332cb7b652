//! One whole errand in a process that does nothing else, as `legwork run --trace` would run it.

use anyhow::{bail, ensure};
use legwork_runtime::{
    Approvals, CancellationToken,
    errands::{
        Answer, Attempts, Client, DEFAULT_MODEL, Limits, Mode, OutcomeKind, Patience, People, Prices,
        Question, Reason, Runs, Spec, Vision, Wishes, World, choose, found, run_errand,
    },
};
use legwork_types::PageUrl;
use serde::{Deserialize, Serialize};

use super::{TURNS, clock::Clock, steps::shows};
use crate::act::Subject;

/// What everything took, turn by turn, in milliseconds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Took {
    /// The browser that was used.
    pub(crate) browser: String,
    /// The whole turn.
    pub(crate) whole: Vec<f64>,
    /// Of it asking the model, from the request to the last of its answer.
    pub(crate) asking: Vec<f64>,
    /// Of it writing the log.
    pub(crate) log: Vec<f64>,
    /// The same act alone, done beside the errand.
    pub(crate) act: Vec<f64>,
    /// What this process held as the errand went on, in megabytes.
    pub(crate) memory: Vec<f64>,
}

/// Whether the model is shown pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pictures {
    /// It never is.
    Never,
    /// It is at every turn.
    Always,
}

impl Pictures {
    /// Its name, in figures and between the two processes.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Always => "always",
        }
    }

    fn vision(name: &str) -> anyhow::Result<Vision> {
        match name {
            "never" => Ok(Vision::Never),
            "always" => Ok(Vision::Always),
            _ => bail!("pictures are shown never or always"),
        }
    }
}

/// Runs the errand on this page, with or without pictures, by the model that is served there.
pub(crate) fn in_this_process(pictures: &str, page: &str, model: &str) -> anyhow::Result<Took> {
    let vision = Pictures::vision(pictures)?;
    let url = PageUrl::parse(page)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let authority = url.as_str().split('/').nth(2).unwrap_or_default();
        let subject = Subject::start(vec![authority.parse()?]);
        let wishes = Wishes {
            model: Some(DEFAULT_MODEL.to_owned()),
            base_url: Some(model.to_owned()),
            ..Wishes::default()
        };
        let client = Client::new(found(choose(&wishes)?).await?, Patience::USUAL, Attempts::default())?;
        let mut clock = Clock::start(&subject, page).await?;
        let world = World {
            sessions: &subject.sessions,
            caller: subject.caller.clone(),
            client: &client,
            price: Prices::default().of(DEFAULT_MODEL, Runs::Elsewhere).0,
            fallback: None,
            journal: &mut clock,
            people: Nobody,
            stop: CancellationToken::new(),
            cancel: CancellationToken::new(),
        };
        let finished = run_errand(spec(page, vision), world).await;
        let outcome = finished.outcome?;
        // As a dry run, which is how it is run here, nothing is ever taken for proved: the last page has to show it.
        let is_told = (outcome.kind, outcome.reason) == (OutcomeKind::Stopped, Reason::DryRun);
        ensure!(is_told, "the errand ended otherwise: {outcome:?}");
        let view = finished.page.map(|page| page.view).unwrap_or_default();
        for words in shows() {
            ensure!(view.contains(&words), "the last page does not say {words:?}: {view}");
        }
        let took = clock.took(subject.product())?;
        subject.sessions.shut().await;
        Ok(took)
    })
}

fn spec(page: &str, vision: Vision) -> Spec {
    let limits = Limits { turns: TURNS as u32 + 10, tokens: u64::MAX, ..Limits::GENERAL };
    Spec {
        start_url: Some(page.to_owned()),
        mode: Mode::DryRun,
        limits,
        vision,
        ..Spec::new(
            "Tick all boxes of the filter, untick them, sort the list in between, and end with all of them ticked.",
        )
    }
}

/// Nobody is there to be asked.
struct Nobody;

impl People for Nobody {
    async fn ask(&mut self, _: &Question) -> Answer {
        Answer::Nothing
    }

    async fn attend(&mut self, _: &Approvals) {}
}
