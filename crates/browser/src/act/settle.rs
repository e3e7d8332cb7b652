//! When the effects of an act have settled: at once on a page that does nothing, later where something is on its way, and never
//! long after that.

use std::time::Duration;

use legwork_cdp::{Expired, Limit};
use tokio::time::{Instant, sleep};

use super::{
    After,
    watch::Watch,
    witness::{Aimed, Told, Witnesses},
};
use crate::{
    BrowserError,
    tab::Tab,
    world::{Gone, Phase, Progress, TabState, Traffic},
};

const WHAT: &str = "the effects of the act";

/// The longest that anything of one document is waited for.
const LONGEST: Duration = Duration::from_secs(5);
/// The longest that a page is waited for that only moves.
const LONGEST_MOVING: Duration = Duration::from_secs(1);
/// A document that did not change for so long, about two animation frames, is still.
const STILL: Duration = Duration::from_millis(20);
/// What comes of an answer has begun by now.
const QUIET: Duration = Duration::from_millis(50);
/// Between two questions to the page.
const PAUSE: Duration = Duration::from_millis(16);
/// The longest that a document's server is waited for.
const NAVIGATION: Duration = crate::NAVIGATION;
/// How long the browser may take to show its own page about a document that failed.
const ERROR_PAGE: Duration = Duration::from_secs(2);
/// The longest that a document that comes is waited for.
const PARSING: Duration = Duration::from_secs(10);
/// The longest that a tab which the page opened is waited for.
const NEW_TAB: Duration = Duration::from_secs(10);
/// What is kept of a limit so that its caller still has time to say what came of it.
const KEPT: Duration = Duration::from_millis(500);

/// How things are at one moment of settling.
#[derive(Debug, Clone, Copy)]
struct Moment {
    /// How long it has been waited.
    waited: Duration,
    /// Whether anything that the page needs was sent, and how much of it is on its way.
    begun: bool,
    pending: usize,
    /// How long ago any of it began or ended.
    quiet: Duration,
    /// Whether the document changed, and how long ago it last did.
    changed: bool,
    still: Duration,
}

/// Whether there is nothing more to wait for.
fn is_settled(moment: &Moment) -> bool {
    if moment.waited >= LONGEST {
        return true;
    }
    if moment.pending > 0 {
        return false;
    }
    if !moment.begun && !moment.changed {
        return true;
    }
    let still = !moment.changed || moment.still >= STILL;
    let quiet = !moment.begun || moment.quiet >= QUIET;
    let moves_only = moment.waited.min(moment.quiet) >= LONGEST_MOVING;
    (still && quiet) || moves_only
}

/// How patient somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// Until everything has settled.
    Usual,
    /// No longer than it takes to ask.
    None,
}

impl Watch<'_> {
    /// Waits until the page can be looked at. What the witnesses told is kept as it comes.
    pub(super) async fn rest(&mut self, patience: Patience, limit: &Limit) -> Result<After, BrowserError> {
        let limit = limit.at_most(NAVIGATION + LONGEST).keeping(KEPT);
        let mut began = Instant::now();
        loop {
            let (phase, dialog, under_way, moves) = {
                let news = self.tab.news();
                let state = news.borrow();
                (state.phase, state.dialog.is_some(), state.under_way.is_some(), state.moves)
            };
            match phase {
                // Its own end is an effect like any other.
                Phase::Gone(Gone::Closed) if self.tab.link.is_lost().is_none() => return Ok(After::Quiet),
                Phase::Gone(_) => return Err(self.tab.ended()),
                Phase::Preparing | Phase::Ready => {}
            }
            if dialog {
                return Ok(After::DialogOpen);
            }
            if patience == Patience::None && under_way {
                return Ok(After::Leaving);
            }
            if under_way || (patience == Patience::Usual && self.is_coming()) {
                match arrive(self.tab, &limit).await? {
                    After::Quiet => {}
                    other => return Ok(other),
                }
                began = Instant::now();
                continue;
            }
            if moves != self.seen_moves {
                self.seen_moves = moves;
                self.witnesses = None;
            }
            let for_document = limit.at_most(LONGEST.saturating_sub(began.elapsed()));
            let told = self.told(&for_document).await;
            match told {
                Err(BrowserError::TabGone { .. } | BrowserError::FrameGone) => continue,
                Err(error) => return Err(error),
                Ok(None) => {
                    // It says nothing: it is about to be left, asks something, or is busy.
                    let is_over = for_document.remaining() == Duration::ZERO;
                    if is_over || patience == Patience::None {
                        return Ok(self.last_word());
                    }
                    self.pause(&for_document).await?;
                    continue;
                }
                Ok(Some(told)) => {
                    let mut traffic = self.traffic().await?;
                    if told.changes == 0 && !traffic.begun {
                        // What workers answer may change the page after it was looked at.
                        if self.catch_up(&for_document).await? {
                            self.told.look = None;
                        }
                        traffic = self.traffic().await?;
                    }
                    let moment = moment(began.elapsed(), &told, &traffic);
                    if patience == Patience::None || is_settled(&moment) {
                        if self.is_leaving() {
                            continue;
                        }
                        return Ok(self.last_word());
                    }
                }
            }
            self.pause(&for_document).await?;
        }
    }

    /// What the witnesses say. A document that came up after the act gets new ones, who know of no effects: the document is one.
    async fn told(&mut self, limit: &Limit) -> Result<Option<Told>, BrowserError> {
        self.told.look = None;
        if self.witnesses.is_none() {
            let frames = self.tab.frames().await?;
            let found = Witnesses::find(self.tab, &frames, limit).await?;
            let known = match &found {
                Some(found) => found.tell(self.tab, false, limit).await?.is_some_and(|told| told.known),
                None => return Ok(None),
            };
            self.witnesses = match known {
                true => found,
                false => {
                    self.are_late = true;
                    Witnesses::begin(self.tab, &frames, &Aimed::NOWHERE, limit).await?
                }
            };
        }
        let Some(witnesses) = &self.witnesses else { return Ok(None) };
        // Only a page that is still at once is not about to do what nobody is told of.
        let awaits_look = std::mem::take(&mut self.awaits_look);
        let told = witnesses.tell(self.tab, awaits_look, limit).await?;
        if let Some(told) = told.as_ref().filter(|_| !self.are_late) {
            self.told = told.clone();
        }
        Ok(told)
    }

    /// Until something happens, or a moment has passed.
    async fn pause(&mut self, limit: &Limit) -> Result<(), BrowserError> {
        let mut news = self.tab.news();
        news.mark_unchanged();
        let waited = limit.run(async {
            // A flood of news is no reason to ask without a pause.
            sleep(PAUSE / 4).await;
            tokio::select! {
                () = sleep(PAUSE) => {}
                _ = news.changed() => {}
                _ = self.pulses.changed() => {}
            }
        });
        match waited.await {
            Err(Expired::Cancelled) => Err(BrowserError::Cancelled { what: WHAT }),
            Ok(()) | Err(Expired::Deadline) => Ok(()),
        }
    }

    fn is_leaving(&self) -> bool {
        self.tab.news().borrow().under_way.is_some()
    }

    /// Whether a document that came up since the act is still being parsed, and nobody has waited for it yet.
    fn is_coming(&mut self) -> bool {
        let (moves, latest) = {
            let news = self.tab.news();
            let state = news.borrow();
            (state.moves, state.loads.latest())
        };
        let waits =
            moves != self.waited_moves && moves != self.first_moves && latest == Some(Progress::Coming);
        if waits {
            self.waited_moves = moves;
        }
        waits
    }

    fn last_word(&self) -> After {
        let news = self.tab.news();
        let state = news.borrow();
        match (&state.dialog, &state.under_way) {
            (Some(_), _) => After::DialogOpen,
            (None, Some(_)) => After::Leaving,
            (None, None) => After::Quiet,
        }
    }
}

fn moment(waited: Duration, told: &Told, traffic: &Traffic) -> Moment {
    Moment {
        waited,
        begun: traffic.begun,
        pending: traffic.pending,
        quiet: traffic.changed.map_or(waited, |at| at.elapsed()),
        changed: told.changes > 0,
        still: Duration::from_secs_f64(told.still.clamp(0.0, 3.6e6) / 1000.0),
    }
}

/// Waits for a document that is on its way: for its server, and then until it is parsed.
pub(super) async fn arrive(tab: &Tab, limit: &Limit) -> Result<After, BrowserError> {
    let server = limit.at_most(NAVIGATION);
    let is_over = |state: &TabState| state.under_way.as_ref().is_none_or(|under_way| under_way.failed);
    if !watched(tab, &server, is_over).await? {
        return Ok(if tab.dialog().is_some() { After::DialogOpen } else { After::Leaving });
    }
    let errs = limit.at_most(ERROR_PAGE);
    if !watched(tab, &errs, |state| state.under_way.is_none()).await? {
        // It failed, and nothing came in place of the old page: that one stays.
        let id = tab.id();
        let told = tab.hub.ask(move |world| ((), world.goes_nowhere(id))).await;
        told.map_err(|lost| tab.lost(lost))?;
    }
    let parsing = limit.at_most(PARSING);
    let is_parsed =
        |state: &TabState| state.under_way.is_some() || state.loads.latest() != Some(Progress::Coming);
    watched(tab, &parsing, is_parsed).await?;
    Ok(After::Quiet)
}

/// Waits for a tab that a page opened and that is in front, until it can be looked at.
pub(super) async fn follow(tab: &Tab, limit: &Limit) -> Result<After, BrowserError> {
    let limit = limit.at_most(NEW_TAB).keeping(KEPT);
    let has_come = |state: &TabState| {
        let is_blank = matches!(state.url.as_str(), "" | "about:blank");
        state.phase == Phase::Ready
            && state.under_way.is_none()
            && if is_blank { !state.loading } else { state.loads.latest() != Some(Progress::Coming) }
    };
    watched(tab, &limit, has_come).await?;
    let news = tab.news();
    let state = news.borrow();
    Ok(match (&state.dialog, &state.under_way) {
        (Some(_), _) => After::DialogOpen,
        (None, Some(_)) => After::Leaving,
        (None, None) => After::Quiet,
    })
}

/// Waits for news of a tab. False if they did not come in time, or a dialog or the tab's end came first.
pub(super) async fn watched(
    tab: &Tab,
    limit: &Limit,
    holds: impl Fn(&TabState) -> bool,
) -> Result<bool, BrowserError> {
    let mut news = tab.news();
    let over = |state: &TabState| matches!(state.phase, Phase::Gone(_)) || state.dialog.is_some();
    let waited = limit.run(news.wait_for(|state| over(state) || holds(state))).await;
    match waited {
        Ok(Ok(state)) => Ok(!over(&state) && holds(&state)),
        Ok(Err(_)) => Err(tab.ended()),
        Err(Expired::Deadline) => Ok(false),
        Err(Expired::Cancelled) => Err(BrowserError::Cancelled { what: WHAT }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_REST: Moment = Moment {
        waited: Duration::from_millis(33),
        begun: false,
        pending: 0,
        quiet: Duration::from_millis(33),
        changed: false,
        still: Duration::ZERO,
    };

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_page_that_does_nothing_is_settled_at_once() {
        assert!(is_settled(&AT_REST));
    }

    #[test]
    fn what_is_on_its_way_is_waited_for_but_not_for_ever() {
        let waiting = Moment { begun: true, pending: 1, ..AT_REST };
        assert!(!is_settled(&waiting));
        assert!(!is_settled(&Moment { waited: ms(4_900), ..waiting }));
        assert!(is_settled(&Moment { waited: ms(5_000), ..waiting }));
        let come = Moment { begun: true, ..AT_REST };
        assert!(!is_settled(&come), "what comes of an answer needs a moment");
        assert!(is_settled(&Moment { quiet: ms(60), waited: ms(400), ..come }));
    }

    #[test]
    fn a_page_that_never_holds_still_costs_a_second() {
        let moving = Moment { changed: true, still: ms(5), ..AT_REST };
        assert!(!is_settled(&moving));
        assert!(is_settled(&Moment { still: ms(120), ..moving }));
        assert!(is_settled(&Moment { waited: ms(1_000), quiet: ms(1_000), ..moving }));
        let after_an_answer = Moment { begun: true, waited: ms(3_000), quiet: ms(500), ..moving };
        assert!(!is_settled(&after_an_answer));
        assert!(is_settled(&Moment { quiet: ms(1_000), ..after_an_answer }));
    }
}
