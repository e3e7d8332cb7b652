//! The hand at the keyboard: keys go to what is held and to nothing else, or they go nowhere.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use legwork_cdp::{Expired, Limit, protocol::keys::InsertText};

use crate::{
    BrowserError,
    act::{
        Blocked, Miss,
        grip::Grip,
        guard::{Guard, Input},
        keyboard::{KeyEvent, Stroke},
        pointer::settled,
    },
    tab::Tab,
};

const WHAT: &str = "pressing keys";
/// How long one guard is relied on: well below the time after which it lets everything through.
const TURN: Duration = Duration::from_secs(3);
/// How many events are on their way at once.
const AT_ONCE: usize = 24;
/// What keys begin with, as pages see it.
pub(super) const BEGINS: [&str; 3] = ["keydown", "beforeinput", "input"];

/// One thing to send.
enum Piece<'s> {
    Key(KeyEvent),
    Letters(&'s str),
}

/// Sends keys and letters to what is held, with a pause after each. Nothing goes anywhere else: as soon as something would, the
/// rest is held back.
pub(super) async fn strike(
    grip: &Grip<'_>,
    strokes: &[Stroke],
    pause: Duration,
    limit: &Limit,
) -> Result<(), Miss> {
    let mut rest = strokes;
    let mut has_sent = false;
    while !rest.is_empty() {
        let guard = Guard::arm(grip, None, Input::Keys, limit).await.map_err(|why| miss(why, has_sent))?;
        let sent = turn(grip.tab, rest, pause, limit).await;
        let report = guard.report(&BEGINS, limit).await;
        // What went wrong with sending says more than what came.
        rest = &rest[sent?..];
        report?.whole().map_err(|miss| if has_sent { miss.during() } else { miss })?;
        has_sent = true;
        // A dialog that a key has brought up takes the rest.
        if let Some(obstacle) = grip.tab.obstacle().filter(|_| !rest.is_empty()) {
            return Err(Miss::During(obstacle.into()));
        }
    }
    Ok(())
}

/// The same where keys were brought to it for this: that was done already, whatever comes of the rest.
pub(super) async fn strike_held(
    grip: &Grip<'_>,
    strokes: &[Stroke],
    pause: Duration,
    limit: &Limit,
) -> Result<(), Miss> {
    strike(grip, strokes, pause, limit).await.map_err(Miss::during)
}

/// Sends keys to whatever has opened over the page, as a list of options: the page itself hears nothing of them.
pub(super) async fn strike_beyond(grip: &Grip<'_>, strokes: &[Stroke], limit: &Limit) -> Result<(), Miss> {
    let guard = Guard::arm(grip, None, Input::Keys, limit).await.map_err(Miss::During)?;
    let mut rest = strokes;
    while !rest.is_empty() {
        rest = &rest[turn(grip.tab, rest, Duration::ZERO, limit).await?..];
    }
    let report = guard.report(&BEGINS, limit).await?;
    report.stopped.map_or(Ok(()), |why| Err(Miss::During(why)))
}

/// Sends as much as one guard can be relied on for. How many strokes that were.
pub(super) async fn turn(
    tab: &Tab,
    strokes: &[Stroke],
    pause: Duration,
    limit: &Limit,
) -> Result<usize, Miss> {
    let began = Instant::now();
    let mut sent = 0;
    while sent < strokes.len() && began.elapsed() < TURN && tab.dialog().is_none() {
        let mut pieces = Vec::new();
        while sent < strokes.len() && pieces.len() < AT_ONCE && (pieces.is_empty() || pause.is_zero()) {
            match &strokes[sent] {
                Stroke::Letters(letters) => pieces.push(Piece::Letters(letters)),
                stroke => pieces.extend(stroke.events().into_iter().map(Piece::Key)),
            }
            sent += 1;
        }
        for replied in join_all(pieces.iter().map(|piece| send(tab, piece, limit))).await {
            settled(replied)?;
        }
        if !pause.is_zero() && sent < strokes.len() {
            let rested = limit.run(tokio::time::sleep(pause)).await;
            rested.map_err(|expired| Miss::During(late(expired, tab).into()))?;
        }
    }
    Ok(sent)
}

async fn send(tab: &Tab, piece: &Piece<'_>, limit: &Limit) -> Result<(), BrowserError> {
    match piece {
        Piece::Key(event) => tab.call(&event.command(), WHAT, limit).await.map(drop),
        Piece::Letters(text) => tab.call(&InsertText { text }, WHAT, limit).await.map(drop),
    }
}

fn late(expired: Expired, tab: &Tab) -> BrowserError {
    match expired {
        Expired::Cancelled => BrowserError::Cancelled { what: WHAT },
        Expired::Deadline => BrowserError::Timeout { what: WHAT, url: tab.url() },
    }
}

fn miss(why: Blocked, has_sent: bool) -> Miss {
    if has_sent { Miss::During(why) } else { Miss::Before(why) }
}
