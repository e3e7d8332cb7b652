//! News from the browser, as values. An event that can't be read is no news: it is logged and passed over.

use legwork_cdp::{
    CdpError, Event, SessionId,
    protocol::{browser, inspector, page, target},
};
use legwork_types::FrameId;

#[derive(Debug, Clone)]
pub(crate) enum Fact {
    Attached { parent: Option<SessionId>, session: SessionId, info: target::TargetInfo },
    Detached { session: SessionId },
    TargetGone { target: String },
    TargetCrashed { target: String },
    SessionCrashed { session: SessionId },
    FrameAttached { session: SessionId, frame: FrameId, parent: FrameId },
    FrameNavigated { session: SessionId, frame: page::Frame },
    MovedWithin { session: SessionId, frame: FrameId, url: String },
    FrameDetached { session: SessionId, frame: FrameId, moves: bool },
    Loading { session: SessionId, frame: FrameId, now: bool },
    Lifecycle { session: SessionId, event: page::LifecycleEvent },
    DialogOpened { session: SessionId, dialog: page::DialogOpening },
    DialogClosed { session: SessionId },
    DownloadBegan { download: browser::DownloadWillBegin },
    DownloadWent { progress: browser::DownloadProgress },
}

/// The events that facts are made of.
pub(crate) const EVENTS: &[&str] = &[
    target::ATTACHED,
    target::DETACHED,
    target::DESTROYED,
    target::CRASHED,
    inspector::TARGET_CRASHED,
    page::FRAME_ATTACHED,
    page::FRAME_NAVIGATED,
    page::NAVIGATED_WITHIN,
    page::FRAME_DETACHED,
    page::STARTED_LOADING,
    page::STOPPED_LOADING,
    page::LIFECYCLE,
    page::DIALOG_OPENING,
    page::DIALOG_CLOSED,
    browser::DOWNLOAD_WILL_BEGIN,
    browser::DOWNLOAD_PROGRESS,
];

impl Fact {
    pub(crate) fn of(event: &Event) -> Option<Self> {
        match Self::read(event) {
            Ok(fact) => fact,
            Err(error) => {
                tracing::debug!(%error, "passed over an event");
                None
            }
        }
    }

    fn read(event: &Event) -> Result<Option<Self>, CdpError> {
        let fact = match (event.method, event.session.clone()) {
            (target::ATTACHED, parent) => {
                let attached: target::Attached = event.read()?;
                Self::Attached { parent, session: attached.session_id, info: attached.target_info }
            }
            (target::DETACHED, _) => Self::Detached { session: event.read::<target::Detached>()?.session_id },
            (target::DESTROYED, _) => {
                Self::TargetGone { target: event.read::<target::Destroyed>()?.target_id }
            }
            (target::CRASHED, _) => {
                Self::TargetCrashed { target: event.read::<target::Crashed>()?.target_id }
            }
            (browser::DOWNLOAD_WILL_BEGIN, _) => Self::DownloadBegan { download: event.read()? },
            (browser::DOWNLOAD_PROGRESS, _) => Self::DownloadWent { progress: event.read()? },
            (_, None) => return Ok(None),
            (inspector::TARGET_CRASHED, Some(session)) => Self::SessionCrashed { session },
            (page::FRAME_ATTACHED, Some(session)) => {
                let event: page::FrameAttached = event.read()?;
                let (frame, parent) = (FrameId::new(event.frame_id), FrameId::new(event.parent_frame_id));
                Self::FrameAttached { session, frame, parent }
            }
            (page::FRAME_NAVIGATED, Some(session)) => {
                Self::FrameNavigated { session, frame: event.read::<page::FrameNavigated>()?.frame }
            }
            (page::NAVIGATED_WITHIN, Some(session)) => {
                let event: page::NavigatedWithin = event.read()?;
                Self::MovedWithin { session, frame: FrameId::new(event.frame_id), url: event.url.0 }
            }
            (page::FRAME_DETACHED, Some(session)) => {
                let event: page::FrameDetached = event.read()?;
                Self::FrameDetached {
                    session,
                    frame: FrameId::new(event.frame_id),
                    moves: event.reason == "swap",
                }
            }
            (page::STARTED_LOADING | page::STOPPED_LOADING, Some(session)) => {
                let frame = FrameId::new(event.read::<page::FrameLoading>()?.frame_id);
                Self::Loading { session, frame, now: event.method == page::STARTED_LOADING }
            }
            (page::LIFECYCLE, Some(session)) => Self::Lifecycle { session, event: event.read()? },
            (page::DIALOG_OPENING, Some(session)) => Self::DialogOpened { session, dialog: event.read()? },
            (page::DIALOG_CLOSED, Some(session)) => Self::DialogClosed { session },
            _ => return Ok(None),
        };
        Ok(Some(fact))
    }
}
