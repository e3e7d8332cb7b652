//! One look at a tab: the walker in every frame side by side, and what it saw put together.

pub(crate) mod accessible;
pub(crate) mod closed_roots;
mod element;
pub(crate) mod eye;
pub(crate) mod owners;
pub(crate) mod script;
mod unlisted;

use std::{
    collections::HashMap,
    fmt, process,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use futures_util::future::join_all;
use legwork_cdp::{Limit, SessionId};
use legwork_observe::capture::{FrameCapture, FrameFacts, PageCapture};
use legwork_types::{FrameId, PageText, Problem};
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::{BrowserError, tab::Tab, world::Frame};

pub use element::Located;
use eye::Eye;

/// Frames beyond this many are counted, not looked at: a page of 500 would cost seconds.
const FRAMES: usize = 100;

/// How long a frame may keep the rest waiting.
const FRAME_PATIENCE: Duration = Duration::from_secs(4);

/// How many frames of one process are looked at side by side.
const FRAMES_AT_ONCE: usize = 4;

/// A page that moves on while it is looked at is looked at again, this many times.
const ATTEMPTS: usize = 4;

/// Shadow roots in shadow roots that are found in one look.
const ROUNDS: usize = 4;

/// Names one look in the pages that it was taken of. A page keeps the elements of its last two looks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
pub struct Epoch(String);

impl Epoch {
    /// A name that no other look has, also of another process on the same browser.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{:x}-{:x}-{number:x}", process::id(), now.as_nanos()))
    }
}

/// A new name.
impl Default for Epoch {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is done about controls that nobody can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HiddenControls {
    /// They are counted.
    #[default]
    Counted,
    /// They are listed like the others.
    Listed,
}

/// Where roles and names come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// The walker.
    #[default]
    Walker,
    /// Chromium's accessibility tree: many times slower.
    AccessibilityTree,
}

/// How to look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CaptureOptions {
    /// What is done about controls that nobody can see.
    pub hidden: HiddenControls,
    /// Where roles and names come from.
    pub source: Source,
    /// A look whose elements the pages must still know afterwards. Without one they know those of the look before.
    pub pinned: Option<Epoch>,
}

/// What was seen, and under which name the pages remember it.
#[derive(Debug, Clone)]
pub struct Capture {
    /// What was seen. The tabs beside it and the address that was asked for are for others to fill in.
    pub page: PageCapture,
    /// The name of the look.
    pub epoch: Epoch,
}

impl Tab {
    /// Looks at the page and at all frames in it.
    pub async fn capture(&self, options: &CaptureOptions, limit: &Limit) -> Result<Capture, BrowserError> {
        self.ready(limit).await?;
        let mut attempt = 1;
        loop {
            match self.capture_once(options, limit).await {
                Err(BrowserError::FrameGone) if attempt < ATTEMPTS => attempt += 1,
                outcome => return outcome,
            }
        }
    }

    /// Frames of one process take turns: side by side all of a hundred would be late, one after the other only the last.
    async fn turns(&self, frames: &[Frame]) -> Result<Vec<Arc<Semaphore>>, BrowserError> {
        let mut of_process: HashMap<SessionId, Arc<Semaphore>> = HashMap::new();
        let mut turns = Vec::with_capacity(frames.len());
        for frame in frames {
            let turn = || Arc::new(Semaphore::new(FRAMES_AT_ONCE));
            turns.push(match self.session_of(&frame.id).await {
                Ok(session) => of_process.entry(session).or_insert_with(turn).clone(),
                // Gone by now; the look at it will say so.
                Err(BrowserError::FrameGone) => turn(),
                Err(error) => return Err(error),
            });
        }
        Ok(turns)
    }

    async fn capture_once(&self, options: &CaptureOptions, limit: &Limit) -> Result<Capture, BrowserError> {
        let epoch = Epoch::new();
        let mut frames = self.frames().await?;
        let beyond = frames.split_off(frames.len().min(FRAMES));
        let turns = self.turns(&frames).await?;
        let page_is_seen = CancellationToken::new();
        let looks = frames.iter().zip(&turns).enumerate().map(async |(place, (frame, turn))| {
            if place == 0 {
                let _seen = page_is_seen.clone().drop_guard();
                return look_in(self, frame, true, &epoch, options, limit).await;
            }
            let look = async {
                let _turn = turn.acquire().await;
                look_in(self, frame, false, &epoch, options, limit).await
            };
            let too_late = async {
                // A frame in the page's own process can't answer while the page is at work: that is not its fault.
                if Arc::ptr_eq(turn, &turns[0]) {
                    page_is_seen.cancelled().await;
                }
                tokio::time::sleep(FRAME_PATIENCE).await;
            };
            tokio::select! {
                biased;
                look = look => look,
                () = too_late => Err(BrowserError::Timeout { what: eye::WHAT, url: self.url() }),
            }
        });
        let looks = join_all(looks).await;
        let mut seen: Vec<(Eye<'_>, FrameCapture)> = Vec::with_capacity(frames.len());
        let mut unreachable: Vec<FrameFacts> = Vec::new();
        for (place, (frame, look)) in frames.iter().zip(looks).enumerate() {
            match look {
                Ok((eye, look)) => seen.push((eye, FrameCapture { facts: facts(frame), owner: None, look })),
                // A frame may be gone, hung or unreadable without costing the rest of the look.
                Err(error) if place > 0 && concerns_frame_alone(&error) => {
                    tracing::debug!(code = %Problem::from(&error).code, "a frame could not be looked at");
                    unreachable.push(facts(frame));
                }
                Err(error) => return Err(error),
            }
        }
        owners::find(&mut seen, &epoch).await;
        unreachable.extend(beyond.iter().map(facts));
        let page = PageCapture {
            requested_url: PageText::from(self.url()),
            idle: self.is_idle(),
            frames: seen.into_iter().map(|(_, capture)| capture).collect(),
            unreachable,
            tabs: Vec::new(),
            dialogs: Vec::new(),
        };
        Ok(Capture { page, epoch })
    }
}

/// Looks at one frame.
async fn look_in<'a>(
    tab: &'a Tab,
    frame: &Frame,
    is_page: bool,
    epoch: &Epoch,
    options: &CaptureOptions,
    limit: &Limit,
) -> Result<(Eye<'a>, legwork_observe::capture::FrameLook), BrowserError> {
    let eye = Eye::open(tab, frame, is_page, limit).await?;
    let mut look = eye.look(epoch, options).await?;
    for _ in 0..ROUNDS {
        if look.candidates == 0 {
            break;
        }
        let shown = closed_roots::show(&eye, epoch, look.candidates).await?;
        if shown.found == 0 {
            look.candidates = shown.unanswered;
            break;
        }
        look = eye.look(epoch, options).await?;
    }
    look.left_out.closed_roots_unchecked += std::mem::take(&mut look.candidates);
    if options.source == Source::AccessibilityTree {
        accessible::rename(&eye, epoch, &mut look).await?;
    }
    Ok((eye, look))
}

fn facts(frame: &Frame) -> FrameFacts {
    FrameFacts {
        id: frame.id.clone(),
        parent: frame.parent.clone(),
        loader: frame.loader.clone(),
        url: PageText::from(frame.url.as_str()),
        name: frame.name.as_deref().filter(|name| !name.is_empty()).map(PageText::from),
    }
}

fn concerns_frame_alone(error: &BrowserError) -> bool {
    use BrowserError as E;
    matches!(error, E::FrameGone | E::FrameHung { .. } | E::Timeout { .. } | E::Protocol(_))
}

/// Places of frames by their ids.
fn places(seen: &[(Eye<'_>, FrameCapture)]) -> HashMap<FrameId, usize> {
    seen.iter().enumerate().map(|(place, (_, capture))| (capture.facts.id.clone(), place)).collect()
}
