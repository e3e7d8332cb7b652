//! Holding an element of a look: it is still what it was, it can be acted on, and a point at which a press goes to it.

use std::time::Duration;

use legwork_cdp::{CdpError, Limit};
use legwork_observe::{
    ElementRef,
    capture::{Attributes, Control, ControlState, Rect},
};
use legwork_types::PageText;
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    Blocked, Miss,
    aim::{Inner, outward},
};
use crate::{BrowserError, Epoch, capture::eye::Eye, diagnosis::RESERVE, tab::Tab};

/// How long an element may take until it can be acted on.
const PATIENCE: Duration = Duration::from_secs(10);

/// What an element has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Seen, still, switched on, and what a press at its point meets.
    Press,
    /// The same, at once where it is in the page itself and where it was at the look: then it holds still.
    PressAtOnce,
    /// Seen, still, and what the mouse at its point meets.
    Reach,
    /// Seen, switched on and not read-only.
    Write,
    /// Seen, after scrolling if need be.
    Sight,
    /// Seen and still where it is now: nothing is scrolled.
    Still,
    /// In the page.
    Presence,
}

impl Needs {
    fn word(self) -> &'static str {
        match self {
            Self::Press | Self::PressAtOnce => "press",
            Self::Reach => "reach",
            Self::Write => "write",
            Self::Sight => "sight",
            Self::Still => "still",
            Self::Presence => "presence",
        }
    }
}

/// An element that can be acted on.
pub(super) struct Grip<'a> {
    pub(super) tab: &'a Tab,
    pub(super) eye: Eye<'a>,
    pub(super) epoch: Epoch,
    pub(super) element: ElementRef,
    point: (f64, f64),
    is_in_frame: bool,
}

/// What our script in the page says.
#[derive(Debug, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub(super) enum Said {
    /// The look is no more.
    Forgotten,
    /// The element is in the page no more.
    Detached,
    /// Nobody can see it.
    Hidden,
    /// It is switched off.
    Disabled,
    /// Something lies over it.
    Covered { by: PageText },
    /// It does not hold still.
    Moving,
    /// It can be acted on at this point, in the frame's own pixels.
    Ready {
        x: f64,
        y: f64,
        /// Which of its parent's windows the frame is.
        #[serde(default)]
        window: Option<u32>,
        #[serde(default)]
        same: Option<bool>,
        #[serde(default)]
        tag: Box<str>,
        #[serde(default)]
        role: Box<str>,
        #[serde(default)]
        name: PageText,
        #[serde(default)]
        attributes: Box<Attributes>,
    },
}

impl Said {
    /// Why not, unless it can.
    pub(super) fn against(self) -> Result<Self, Blocked> {
        Err(match self {
            Self::Forgotten | Self::Detached => Blocked::Gone,
            Self::Hidden => Blocked::NotVisible,
            Self::Disabled => Blocked::Disabled,
            Self::Covered { by } => Blocked::Obscured { by },
            Self::Moving => Blocked::Moving,
            ready @ Self::Ready { .. } => return Ok(ready),
        })
    }
}

/// What a question about an element gave.
#[derive(Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
enum Told<T> {
    Forgotten,
    Detached,
    #[serde(rename = "told")]
    Answer {
        told: T,
    },
}

impl<'a> Grip<'a> {
    /// Waits until an element of a look can be acted on, and takes hold of it.
    pub(super) async fn take(
        tab: &'a Tab,
        element: &ElementRef,
        epoch: &Epoch,
        needs: Needs,
        limit: &Limit,
    ) -> Result<Grip<'a>, Blocked> {
        let frames = tab.frames().await?;
        let is_same = |frame: &&crate::Frame| frame.id == element.frame && *frame.loader == *element.loader;
        let frame = frames.iter().find(is_same).ok_or(Blocked::Gone)?;
        let eye = Eye::open(tab, frame, frame.parent.is_none(), limit).await.map_err(or_gone)?;
        let patience = limit.at_most(PATIENCE);
        let asks = format!(
            "legwork.aim('{epoch}', {}, '{}', {}, {})",
            element.index,
            needs.word(),
            needs == Needs::PressAtOnce,
            milliseconds(&patience, limit)
        );
        let ready = read_said(&eye.walker::<String>(&asks).await.map_err(or_gone)?)?.against()?;
        let Said::Ready { x, y, window, same, tag, role, name, attributes } = ready else {
            return Err(Blocked::Gone);
        };
        let now = Control {
            index: element.index,
            tag,
            role,
            name,
            state: ControlState::default(),
            rect: Rect::default(),
            attributes,
            children: Vec::new(),
        };
        // The page's own memory of the look knows best; without it, the digest has to do.
        if !same.unwrap_or_else(|| now.identity(&[]) == element.identity) {
            return Err(Blocked::Changed);
        }
        let point = match needs {
            Needs::Presence | Needs::Write | Needs::Sight => (x, y),
            Needs::Press | Needs::PressAtOnce | Needs::Reach | Needs::Still => {
                outward(tab, &frames, &eye, epoch, Inner { x, y, window }, &patience, limit).await?
            }
        };
        Ok(Self {
            tab,
            eye,
            epoch: epoch.clone(),
            element: element.clone(),
            point,
            is_in_frame: frame.parent.is_some(),
        })
    }

    /// Calls `legwork.<function>(el, args)` on the element in our world, and waits for what it promises.
    pub(super) async fn ask<T: DeserializeOwned>(
        &self,
        function: &str,
        args: &serde_json::Value,
    ) -> Result<T, Blocked> {
        match self.told(function, args).await? {
            Told::Answer { told } => Ok(told),
            Told::Forgotten | Told::Detached => Err(Blocked::Gone),
        }
    }

    async fn told<T: DeserializeOwned>(
        &self,
        function: &str,
        args: &serde_json::Value,
    ) -> Result<Told<T>, Blocked> {
        let (epoch, index) = (&self.epoch, self.element.index);
        let asks = format!("legwork.on('{epoch}', {index}, (el) => legwork.{function}(el, {args}))");
        let told: String = self.eye.walker(&asks).await.map_err(or_gone)?;
        Ok(serde_json::from_str(&told).map_err(|error| unreadable(&error))?)
    }

    /// The same for what does something to the page: whoever gets no answer does not know whether it was done.
    pub(super) async fn bid<T: DeserializeOwned>(
        &self,
        function: &str,
        args: &serde_json::Value,
    ) -> Result<T, Miss> {
        match self.told(function, args).await {
            Ok(Told::Answer { told }) => Ok(told),
            Ok(Told::Forgotten | Told::Detached) => Err(Miss::Before(Blocked::Gone)),
            Err(why) => Err(Miss::During(why)),
        }
    }

    /// Whether it is in a frame of the page.
    pub(super) fn is_in_frame(&self) -> bool {
        self.is_in_frame
    }

    /// Where to press, in CSS pixels of the page's viewport.
    pub(super) fn point(&self) -> (f64, f64) {
        self.point
    }
}

/// How long the page may try by itself, so that its answer still comes in time.
pub(super) fn milliseconds(patience: &Limit, limit: &Limit) -> u128 {
    patience.remaining().min(limit.keeping(RESERVE).remaining().mul_f64(0.8)).as_millis()
}

pub(super) fn read_said(said: &str) -> Result<Said, Blocked> {
    serde_json::from_str(said).map_err(|error| unreadable(&error).into())
}

pub(super) fn unreadable(error: &serde_json::Error) -> BrowserError {
    let detail = error.to_string();
    BrowserError::Protocol(CdpError::Unreadable { method: "Runtime.evaluate", detail })
}

/// An element whose frame is gone is gone.
pub(super) fn or_gone(error: BrowserError) -> Blocked {
    match error {
        BrowserError::FrameGone => Blocked::Gone,
        error => Blocked::Browser(error),
    }
}
