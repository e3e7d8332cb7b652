//! One errand, from whichever command: its log goes to the screen and to a folder, people are asked in the terminal.

mod people;
mod progress;
mod trace;
mod verdict;

use self::progress::Progress;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use legwork_api::Newsroom;
use legwork_runtime::{
    Caller, Sessions,
    errands::{
        Asked, Entry, Event, Finished, ForeignBrowser, Journal, Outcome, People, Spec, World, run_errand,
        run_errand_elsewhere,
    },
};
use legwork_types::Problem;

pub(crate) use self::{
    people::{Terminal, Window},
    progress::Detail,
    trace::Trace,
    verdict::exit_code,
};
use crate::{model_args::Chosen, output::Output, passing::Passing, signals::Calls};

/// How what happens is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    /// Lines for whoever watches.
    Progress(Detail),
    /// Lines of JSON for programs.
    News,
    /// Not at all.
    Nothing,
}

/// What an errand is joined to.
pub(crate) struct Job<'a, P> {
    pub(crate) sessions: &'a Sessions,
    pub(crate) model: &'a Chosen,
    /// The one that goes on in its place.
    pub(crate) fallback: Option<&'a Chosen>,
    pub(crate) people: P,
    pub(crate) trace: Option<Trace>,
    pub(crate) report: Report,
    pub(crate) output: Output,
}

/// Runs an errand to its end, and tells how it ended. Whoever calls it off wants it to end after the present step, or at once.
pub(crate) async fn carry_out<P: People>(
    spec: Spec,
    job: Job<'_, P>,
    calls: &Calls,
) -> Result<Outcome, Problem> {
    carry_out_in(spec, job, calls, None::<legwork_mcp::toolbox::ToolboxBrowser>).await
}

/// The same in a browser of somebody else's, where one is given.
pub(crate) async fn carry_out_in<P: People, B: ForeignBrowser>(
    spec: Spec,
    job: Job<'_, P>,
    calls: &Calls,
    elsewhere: Option<B>,
) -> Result<Outcome, Problem> {
    let Job { sessions, model, fallback, people, trace, report, output } = job;
    let told = Arc::new(Mutex::new(Ok(())));
    let journal = Reporter {
        progress: match report {
            Report::Progress(detail) => Some(Progress::new(detail, output)),
            Report::News | Report::Nothing => None,
        },
        newsroom: (report == Report::News).then(|| Newsroom::new(&errand_name())),
        trace,
        shown: None,
        models: vec![model.clone()],
        fallback: fallback.cloned(),
        told: told.clone(),
        output,
    };
    let world = World {
        sessions,
        caller: Caller::new("run"),
        client: &model.client,
        price: model.price,
        fallback: fallback.map(|fallback| Asked { client: &fallback.client, price: fallback.price }),
        journal,
        people,
        stop: calls.off.clone(),
        cancel: calls.now.clone(),
    };
    let finished = match elsewhere {
        Some(browser) => run_errand_elsewhere(spec, world, browser).await,
        None => run_errand(spec, world).await,
    };
    let told = std::mem::replace(&mut *told.lock().unwrap_or_else(PoisonError::into_inner), Ok(()));
    finished.outcome.and_then(|outcome| told.map(|()| outcome))
}

/// A name for one errand, for whoever reads the news of several.
fn errand_name() -> String {
    format!("e{}", unix_millis())
}

fn unix_millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Tells everything that happens, and keeps it where that is wanted.
struct Reporter {
    progress: Option<Progress>,
    newsroom: Option<Newsroom>,
    trace: Option<Trace>,
    /// The picture of the latest question, where there is no trace.
    shown: Option<(String, Passing)>,
    /// Those that were asked.
    models: Vec<Chosen>,
    fallback: Option<Chosen>,
    /// Whether its end could be told.
    told: Arc<Mutex<Result<(), Problem>>>,
    output: Output,
}

impl Journal for Reporter {
    async fn record(&mut self, entries: &[Entry]) -> Result<(), Problem> {
        // What is kept is kept before it is told.
        if let Some(trace) = &mut self.trace {
            trace.record(entries)?;
        }
        for entry in entries {
            if matches!(entry.event, Event::ModelChanged { .. }) {
                self.models.extend(self.fallback.take());
            }
            if let Some(progress) = &mut self.progress {
                progress.tell(entry, Instant::now());
            }
            if let Some(newsroom) = &mut self.newsroom {
                for news in newsroom.tell(unix_millis(), entry) {
                    self.output.json(&news)?;
                }
            }
        }
        Ok(())
    }

    async fn keep_picture(&mut self, name: &str, bytes: &[u8]) {
        if let Some(trace) = &mut self.trace {
            trace.keep_picture(name, bytes);
        }
    }

    async fn show_picture(&mut self, name: &str, bytes: &[u8]) -> Option<PathBuf> {
        if let Some(trace) = &mut self.trace {
            return trace.keep_picture(name, bytes);
        }
        match &self.shown {
            Some((shown, passing)) if shown == name => return Some(passing.path().to_owned()),
            _ => {}
        }
        let passing = Passing::picture(name, bytes)
            .inspect_err(|error| tracing::warn!(%error, "a picture could not be kept"))
            .ok()?;
        let path = passing.path().to_owned();
        // The one of an earlier question goes: the page was another one.
        self.shown = Some((name.to_owned(), passing));
        Some(path)
    }

    fn over(&mut self, finished: &Finished) {
        let told = verdict::tell(finished, &self.models, self.output);
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = told;
    }
}
