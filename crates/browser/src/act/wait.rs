//! Waiting for something of a page: words, an address, an element, rest, or time itself.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use legwork_cdp::{Expired, Limit};
use legwork_types::{Awaited, Wait};
use tokio::time::sleep;

use super::{
    Blocked,
    page::{Undone, not_applicable, told},
    selector,
    watch::{Purpose, Watch},
    witness::ask_walker,
};
use crate::{BrowserError, Context, act::Done, tab::Tab, world::Phase};

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// The network is idle when nothing was on its way for so long.
const IDLE: Duration = Duration::from_millis(500);
/// Frames beyond this many are not asked.
const FRAMES: usize = 50;
/// How long one look may take.
const LOOK: Duration = Duration::from_secs(2);
/// How long a page may take to be watched: who waits can do without.
const BRIEFLY: Duration = Duration::from_millis(500);
/// What is kept of a limit so that its caller still has time to say what came of it.
const KEPT: Duration = Duration::from_millis(500);

/// How it is at one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Yes,
    NotYet,
}

/// Waits until what is wanted is so. A question of the page ends every wait: only time passes all the same.
pub(super) async fn until(
    context: &Context,
    tab: &Tab,
    wanted: &Wait,
    limit: &Limit,
) -> Result<Done, Undone> {
    if let Awaited::Selector(selector) = &wanted.what
        && !selector::is_harmless(selector)
    {
        return Err(Undone::Before(not_applicable(selector::ALLOWED)));
    }
    let span = limit.keeping(KEPT).at_most(Duration::from_millis(wanted.ms));
    let watch = Watch::begin(context, tab, None, Purpose::Other, &span.at_most(BRIEFLY)).await?;
    let waited = span.run(wait(context, tab, &wanted.what, &span)).await;
    let waited = match (waited, &wanted.what) {
        (Ok(Err(Undone::Before(Blocked::Browser(error)))), _) => Err(error),
        (Ok(Err(undone)), _) => return Err(undone),
        (Ok(Ok(())), _) | (Err(Expired::Deadline), Awaited::Nothing) => Ok(()),
        (Err(Expired::Deadline), what) => {
            Err(BrowserError::Timeout { what: words_for(what), url: tab.url() })
        }
        (Err(Expired::Cancelled), what) => Err(BrowserError::Cancelled { what: words_for(what) }),
    };
    let (effects, after) = watch.tell(limit).await;
    match waited {
        Ok(()) => told(effects, after),
        Err(error) => told(effects, Err(error)),
    }
}

fn words_for(what: &Awaited) -> &'static str {
    match what {
        Awaited::Interactive => "the page to be usable",
        Awaited::NetworkIdle => "the network to be idle",
        Awaited::Text(_) => "the words to appear",
        Awaited::TextGone(_) => "the words to go",
        Awaited::Url(_) => "the address to change",
        Awaited::Selector(_) => "the element to appear",
        Awaited::Nothing => "the time to pass",
    }
}

async fn wait(context: &Context, tab: &Tab, what: &Awaited, limit: &Limit) -> Result<(), Undone> {
    let mut idle_since = None;
    let mut news = tab.news();
    loop {
        news.mark_unchanged();
        if let Some(obstacle) = tab.obstacle() {
            return match (obstacle, what) {
                (BrowserError::DialogOpen { .. }, Awaited::Nothing) => Ok(()),
                (obstacle, _) => Err(obstacle.into()),
            };
        }
        let found = match what {
            Awaited::Nothing => Found::NotYet,
            Awaited::Url(part) => yes_if(tab.url().contains(part)),
            Awaited::NetworkIdle => is_idle(context, tab, &mut idle_since).await?,
            _ => look(tab, what, limit).await?,
        };
        if found == Found::Yes {
            return Ok(());
        }
        tokio::select! {
            () = sleep(PAUSE) => {}
            // Nothing but the tab's end comes after the last news.
            changed = news.changed() => if changed.is_err() {
                return Err(tab.ended().into());
            }
        }
    }
}

fn yes_if(holds: bool) -> Found {
    if holds { Found::Yes } else { Found::NotYet }
}

/// Whether nothing that the page needs was on its way for a while.
async fn is_idle(context: &Context, tab: &Tab, since: &mut Option<Instant>) -> Result<Found, Undone> {
    let (key, id) = (context.key().clone(), tab.id());
    let busy = context.hub().look(move |world| world.busy(&key, id, Instant::now())).await;
    let busy = busy.map_err(|lost| tab.lost(lost))?;
    let leaves = tab.news().borrow().under_way.is_some();
    if busy > 0 || leaves {
        *since = None;
        return Ok(Found::NotYet);
    }
    Ok(yes_if(since.get_or_insert_with(Instant::now).elapsed() >= IDLE))
}

/// Asks the page. One that is on its way elsewhere has nothing to say yet.
async fn look(tab: &Tab, what: &Awaited, limit: &Limit) -> Result<Found, Undone> {
    let is_elsewhere = {
        let news = tab.news();
        let state = news.borrow();
        state.under_way.is_some() || state.phase != Phase::Ready
    };
    if is_elsewhere {
        return Ok(Found::NotYet);
    }
    let limit = limit.at_most(LOOK);
    let frames = tab.frames().await?;
    let Some(main) = frames.first() else { return Ok(Found::NotYet) };
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    match what {
        Awaited::Interactive => {
            let usable: Option<bool> = ask_walker(tab, main, "legwork.witness.isUsable()", &limit).await?;
            Ok(yes_if(usable == Some(true)))
        }
        Awaited::Selector(selector) => {
            let asks = format!("legwork.witness.hasShown({})", quoted(selector));
            let found: Option<String> = ask_walker(tab, main, &asks, &limit).await?;
            match found.as_deref() {
                Some("bad") => Err(Undone::Before(not_applicable("this is no CSS selector"))),
                found => Ok(yes_if(found == Some("shown"))),
            }
        }
        Awaited::Text(words) | Awaited::TextGone(words) => {
            let asks = format!("legwork.witness.hasWords({})", quoted(words));
            let asked = frames.iter().take(FRAMES);
            let answers = join_all(asked.map(|frame| ask_walker::<bool>(tab, frame, &asks, &limit))).await;
            let answers = answers.into_iter().collect::<Result<Vec<_>, _>>()?;
            Ok(match what {
                Awaited::Text(_) => yes_if(answers.contains(&Some(true))),
                // A frame that says nothing may well hold them.
                _ => yes_if(answers.iter().all(|answer| *answer == Some(false))),
            })
        }
        Awaited::NetworkIdle | Awaited::Url(_) | Awaited::Nothing => Ok(Found::NotYet),
    }
}
