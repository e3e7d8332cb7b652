//! Our world in one frame, and the walker in it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use legwork_cdp::{
    CdpError, Command, Limit, Reply, SessionId,
    protocol::{page, runtime},
};
use legwork_observe::capture::FrameLook;
use legwork_types::FrameId;
use serde::Deserialize;

use super::{
    CaptureOptions, Epoch, HiddenControls,
    script::{VERSION, WALKER, with_walker},
};
use crate::{
    BrowserError,
    tab::{Tab, WORLD, or_frame_gone, read_value},
    world::Frame,
};

pub(crate) const WHAT: &str = "looking at the page";

/// Our world in one frame.
pub(crate) struct Eye<'a> {
    tab: &'a Tab,
    /// The frame.
    pub(crate) frame: FrameId,
    session: SessionId,
    /// The number of our world in it.
    pub(crate) context: i64,
    is_page: bool,
    limit: Limit,
    handles: HandleGroup,
}

/// The handles that one eye asks for. Frames of one process share a session: in a group with those of others, each would
/// let go what the others still need.
struct HandleGroup {
    name: String,
    is_used: AtomicBool,
}

impl HandleGroup {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { name: format!("legwork-look-{number}"), is_used: AtomicBool::new(false) }
    }
}

impl<'a> Eye<'a> {
    /// Goes into a frame.
    pub(crate) async fn open(
        tab: &'a Tab,
        frame: &Frame,
        is_page: bool,
        limit: &Limit,
    ) -> Result<Self, BrowserError> {
        let session = tab.session_of(&frame.id).await?;
        let mut eye = Self {
            tab,
            frame: frame.id.clone(),
            session,
            context: 0,
            is_page,
            limit: limit.clone(),
            handles: HandleGroup::new(),
        };
        let world = page::CreateIsolatedWorld { frame_id: frame.id.as_str(), world_name: WORLD };
        let world = eye.call(&world).await?.read::<page::IsolatedWorld>().map_err(BrowserError::Protocol)?;
        eye.context = world.execution_context_id;
        Ok(eye)
    }

    /// One walk over the frame.
    pub(crate) async fn look(
        &self,
        epoch: &Epoch,
        options: &CaptureOptions,
    ) -> Result<FrameLook, BrowserError> {
        let hidden = options.hidden == HiddenControls::Listed;
        let pinned = options.pinned.as_ref().map_or_else(String::new, Epoch::to_string);
        let written: String = self.walker(&format!("legwork.look('{epoch}', {hidden}, '{pinned}')")).await?;
        FrameLook::read(&written).map_err(|error| {
            let detail = format!("what the walker wrote: {error}");
            BrowserError::Protocol(CdpError::Unreadable { method: "Runtime.evaluate", detail })
        })
    }

    /// The value of an expression that asks the walker; it is put in place where it is missing.
    pub(crate) async fn walker<T: for<'d> Deserialize<'d>>(&self, asks: &str) -> Result<T, BrowserError> {
        let guarded = with_walker(&format!("legwork?.version === '{VERSION}' ? {asks} : null"));
        let answer: Option<T> = self.value(&guarded).await?;
        match answer {
            Some(answer) => Ok(answer),
            None => self.value(&format!("{WALKER}{}", with_walker(asks))).await,
        }
    }

    /// Gives it another limit from now on.
    pub(crate) fn renew(&mut self, limit: &Limit) {
        self.limit = limit.clone();
    }

    /// The value of an expression, or what it promises.
    pub(crate) async fn value<T: for<'d> Deserialize<'d>>(
        &self,
        expression: &str,
    ) -> Result<T, BrowserError> {
        let evaluate = runtime::Evaluate {
            expression,
            context_id: Some(self.context),
            return_by_value: true,
            await_promise: true,
        };
        read_value(&self.call(&evaluate).await?)
    }

    /// Has an expression evaluated; nobody waits for it.
    pub(crate) fn tell(&self, expression: &str) {
        let evaluate = runtime::Evaluate {
            expression,
            context_id: Some(self.context),
            return_by_value: true,
            await_promise: false,
        };
        let _ = self.tab.link.post(Some(&self.session), &evaluate);
    }

    /// Whatever goes into this group is let go with the eye.
    pub(crate) fn handle_group(&self) -> &str {
        self.handles.is_used.store(true, Ordering::Relaxed);
        &self.handles.name
    }

    /// The handles of an array that the walker keeps, with their places in it.
    pub(crate) async fn handles(&self, array: &str) -> Result<Vec<(usize, String)>, BrowserError> {
        let kept = runtime::EvaluateToHandle {
            expression: &with_walker(array),
            context_id: self.context,
            object_group: self.handle_group(),
        };
        let kept = self.call(&kept).await?;
        let kept = kept.read::<runtime::Evaluated<'_>>().map_err(BrowserError::Protocol)?;
        let Some(object_id) = kept.result.object_id else { return Ok(Vec::new()) };
        let properties = self.call(&runtime::GetProperties { object_id, own_properties: true }).await?;
        let properties = properties.read::<runtime::Properties<'_>>().map_err(BrowserError::Protocol)?;
        let numbered = properties.result.iter().filter_map(|property| {
            let number = property.name.parse().ok()?;
            Some((number, property.value.as_ref()?.object_id?.to_owned()))
        });
        Ok(numbered.collect())
    }

    /// A handle to what an expression that asks the walker gives, if that is an object.
    pub(crate) async fn handle(&self, asks: &str) -> Result<Option<String>, BrowserError> {
        let kept = runtime::EvaluateToHandle {
            expression: &with_walker(asks),
            context_id: self.context,
            object_group: self.handle_group(),
        };
        let kept = self.call(&kept).await?;
        let kept = kept.read::<runtime::Evaluated<'_>>().map_err(BrowserError::Protocol)?;
        Ok(kept.result.object_id.map(str::to_owned))
    }

    /// Lets the handles go that it asked for; nobody waits for it.
    pub(crate) fn let_go(&self) {
        if self.handles.is_used.swap(false, Ordering::Relaxed) {
            let group = runtime::ReleaseObjectGroup { object_group: &self.handles.name };
            let _ = self.tab.link.post(Some(&self.session), &group);
        }
    }

    /// Sends a command to the frame's session. Silence of the page itself is explained; that of a frame in it costs only
    /// that frame.
    pub(crate) async fn call<C: Command>(&self, command: &C) -> Result<Reply, BrowserError> {
        if self.is_page {
            return self.tab.call_in(&self.session, command, WHAT, &self.limit).await.map_err(or_frame_gone);
        }
        if let Some(obstacle) = self.tab.obstacle() {
            return Err(obstacle);
        }
        let reply = tokio::select! {
            biased;
            reply = self.tab.link.call(Some(&self.session), command, &self.limit) => reply,
            obstacle = self.tab.interrupted() => return Err(obstacle),
        };
        reply.map_err(|error| match error {
            CdpError::Lost(lost) => self.tab.lost(lost),
            CdpError::Cancelled { .. } => BrowserError::Cancelled { what: WHAT },
            CdpError::Deadline { .. } => BrowserError::Timeout { what: WHAT, url: self.tab.url() },
            CdpError::SessionGone { .. } => BrowserError::FrameGone,
            error => or_frame_gone(BrowserError::Protocol(error)),
        })
    }
}

impl Drop for Eye<'_> {
    fn drop(&mut self) {
        self.let_go();
    }
}
