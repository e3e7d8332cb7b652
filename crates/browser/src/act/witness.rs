//! The witnesses in the frames of a page: asked without ever harming a page that is busy, hung or on its way elsewhere.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use legwork_cdp::{
    CdpError, Limit, SessionId,
    protocol::{page, runtime},
};
use legwork_observe::ElementRef;
use serde::Deserialize;

use crate::{
    BrowserError, Epoch,
    capture::script::{VERSION, WALKER, with_walker},
    tab::{Tab, WORLD, read_value},
    world::Frame,
};

const WHAT: &str = "watching the page";

/// Frames beyond this many have no witness.
const FRAMES: usize = 50;
/// How long a frame in the page may keep the rest waiting: before the act, so that it has a witness at all, and after it.
const FRAME_BEGINS: Duration = Duration::from_secs(2);
const FRAME_PATIENCE: Duration = Duration::from_millis(500);
/// How long what the page said of itself counts while its frames are asked.
const PAGE_WAITS: Duration = Duration::from_millis(50);

/// Where a witness is: our world in one frame.
#[derive(Debug, Clone)]
struct Seat {
    session: SessionId,
    context: i64,
}

/// What the witness of one frame tells.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub(super) struct Told {
    /// Whether it was there from the beginning.
    pub(super) known: bool,
    /// Changes of the document.
    pub(super) changes: u64,
    /// How long ago the last of them was, in milliseconds.
    pub(super) still: f64,
    pub(super) value: bool,
    pub(super) focus: bool,
    pub(super) scrolled: bool,
    /// The look since which nothing is otherwise.
    pub(super) look: Option<Epoch>,
}

impl Told {
    /// The same for two frames together.
    fn and(self, other: Self) -> Self {
        let still = match (self.changes, other.changes) {
            (0, _) => other.still,
            (_, 0) => self.still,
            _ => self.still.min(other.still),
        };
        Self {
            known: self.known,
            changes: self.changes + other.changes,
            still,
            value: self.value || other.value,
            focus: self.focus || other.focus,
            scrolled: self.scrolled || other.scrolled,
            look: self.look.filter(|look| other.look.as_ref() == Some(look)),
        }
    }
}

/// What an act is aimed at, and what for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aimed<'a> {
    pub(super) target: Option<(&'a ElementRef, &'a Epoch)>,
    pub(super) wants_focus: bool,
}

impl Aimed<'_> {
    pub(super) const NOWHERE: Aimed<'static> = Aimed { target: None, wants_focus: false };

    fn begin_in(&self, frame: &Frame) -> String {
        let wants_focus = self.wants_focus;
        match self.target {
            Some((element, epoch)) if element.frame == frame.id && *element.loader == *frame.loader => {
                format!("legwork.witness.begin('{epoch}', {}, {wants_focus})", element.index)
            }
            _ => format!("legwork.witness.begin('', null, {wants_focus})"),
        }
    }
}

/// The witnesses of one page, the page's own first.
#[derive(Debug, Clone, Default)]
pub(super) struct Witnesses {
    seats: Vec<Seat>,
    /// Whether every frame has one.
    are_all: bool,
}

impl Witnesses {
    /// Puts a witness into every frame. None where the page itself does not answer in time.
    pub(super) async fn begin(
        tab: &Tab,
        frames: &[Frame],
        aimed: &Aimed<'_>,
        limit: &Limit,
    ) -> Result<Option<Self>, BrowserError> {
        let seated = frames.iter().take(FRAMES).enumerate().map(async |(place, frame)| {
            let limit = if place == 0 { limit.clone() } else { limit.at_most(FRAME_BEGINS) };
            let Some(seat) = sit(tab, frame, &limit).await? else { return Ok(None) };
            let begin = aimed.begin_in(frame);
            let begun: Option<bool> = match asked(tab, &seat, &guarded(&begin), &limit).await? {
                Some(begun) => Some(begun),
                None => asked(tab, &seat, &format!("{WALKER}{}", with_walker(&begin)), &limit).await?,
            };
            Ok::<_, BrowserError>(begun.map(|_| seat))
        });
        Self::of(frames, join_all(seated).await)
    }

    /// Finds the witnesses that may be there already.
    pub(super) async fn find(
        tab: &Tab,
        frames: &[Frame],
        limit: &Limit,
    ) -> Result<Option<Self>, BrowserError> {
        let seated = frames.iter().take(FRAMES).enumerate().map(async |(place, frame)| {
            let limit = if place == 0 { limit.clone() } else { limit.at_most(FRAME_BEGINS) };
            sit(tab, frame, &limit).await
        });
        Self::of(frames, join_all(seated).await)
    }

    fn of(
        frames: &[Frame],
        seats: Vec<Result<Option<Seat>, BrowserError>>,
    ) -> Result<Option<Self>, BrowserError> {
        let mut seated = Vec::with_capacity(seats.len());
        for (place, seat) in seats.into_iter().enumerate() {
            match seat? {
                Some(seat) => seated.push(seat),
                None if place == 0 => return Ok(None),
                None => {}
            }
        }
        let are_all = seated.len() == frames.len();
        Ok((!seated.is_empty()).then_some(Self { seats: seated, are_all }))
    }

    /// What they tell after two animation frames of the page, and after a look that is to come. None where the page itself does
    /// not answer.
    pub(super) async fn tell(
        &self,
        tab: &Tab,
        awaits_look: bool,
        limit: &Limit,
    ) -> Result<Option<Told>, BrowserError> {
        let Some((page, frames)) = self.seats.split_first() else { return Ok(None) };
        let ask = guarded(&format!("legwork.witness.tellAfterFrames({awaits_look})"));
        let told = asked::<Told>(tab, page, &ask, limit).await?;
        let Some(told) = told else { return Ok(None) };
        let patience = limit.at_most(FRAME_PATIENCE);
        let ask = guarded(&format!("legwork.witness.tell({awaits_look})"));
        let others = frames.iter().map(|seat| asked::<Told>(tab, seat, &ask, &patience));
        let mut told = told;
        let asked = Instant::now();
        for other in join_all(others).await {
            told = told.and(other?.unwrap_or_default());
        }
        // Meanwhile the page may have gone on.
        told.look = told.look.filter(|_| self.are_all && asked.elapsed() < PAGE_WAITS);
        Ok(Some(told))
    }

    /// Lets them go; nobody waits for it.
    pub(super) fn end(&self, tab: &Tab) {
        for seat in &self.seats {
            let expression = guarded("legwork.witness.end()");
            let _ = tab.link.post(Some(&seat.session), &evaluation(&expression, seat));
        }
    }
}

fn guarded(asks: &str) -> String {
    with_walker(&format!("legwork?.version === '{VERSION}' ? {asks} : null"))
}

fn evaluation<'a>(expression: &'a str, seat: &Seat) -> runtime::Evaluate<'a> {
    runtime::Evaluate {
        expression,
        context_id: Some(seat.context),
        return_by_value: true,
        await_promise: true,
    }
}

async fn sit(tab: &Tab, frame: &Frame, limit: &Limit) -> Result<Option<Seat>, BrowserError> {
    let session = match tab.session_of(&frame.id).await {
        Err(BrowserError::FrameGone) => return Ok(None),
        session => session?,
    };
    let world = page::CreateIsolatedWorld { frame_id: frame.id.as_str(), world_name: WORLD };
    let Some(world) = answer(tab, &session, &world, limit).await? else { return Ok(None) };
    let world = world.read::<page::IsolatedWorld>().map_err(BrowserError::Protocol)?;
    Ok(Some(Seat { session, context: world.execution_context_id }))
}

/// What an expression in our world gives; none where it is `null`, or where nothing comes.
async fn asked<T: for<'d> Deserialize<'d>>(
    tab: &Tab,
    seat: &Seat,
    expression: &str,
    limit: &Limit,
) -> Result<Option<T>, BrowserError> {
    match answer(tab, &seat.session, &evaluation(expression, seat), limit).await? {
        Some(reply) => read_value(&reply),
        None => Ok(None),
    }
}

/// Asks one frame of a page; whether anything comes of it or not, the page is left in peace. A page that is about to be left
/// answers nothing until the server has, so nobody waits for that.
async fn answer<C: legwork_cdp::Command>(
    tab: &Tab,
    session: &SessionId,
    command: &C,
    limit: &Limit,
) -> Result<Option<legwork_cdp::Reply>, BrowserError> {
    let reply = tokio::select! {
        biased;
        reply = tab.link.call(Some(session), command, limit) => reply,
        obstacle = tab.interrupted() => return match obstacle {
            BrowserError::DialogOpen { .. } => Ok(None),
            gone => Err(gone),
        },
        () = tab.leaves() => return Ok(None),
    };
    match reply {
        Ok(reply) => Ok(Some(reply)),
        Err(CdpError::Lost(lost)) => Err(tab.lost(lost)),
        Err(CdpError::Cancelled { .. }) => Err(BrowserError::Cancelled { what: WHAT }),
        Err(CdpError::SessionGone { .. }) if *session == tab.session() => {
            Err(tab.session_gone(session, limit).await)
        }
        Err(error) => {
            tracing::debug!(?error, "a frame did not tell about itself");
            Ok(None)
        }
    }
}

/// What an expression about the walker gives in one frame, put in place where it is missing; none where nothing comes.
pub(super) async fn ask_walker<T: for<'d> Deserialize<'d>>(
    tab: &Tab,
    frame: &Frame,
    asks: &str,
    limit: &Limit,
) -> Result<Option<T>, BrowserError> {
    let Some(seat) = sit(tab, frame, limit).await? else { return Ok(None) };
    match asked(tab, &seat, &guarded(asks), limit).await? {
        Some(value) => Ok(Some(value)),
        None => asked(tab, &seat, &format!("{WALKER}{}", with_walker(asks)), limit).await,
    }
}
