//! News from the browser, as values. An event that can't be read is no news: it is logged and passed over.

use legwork_cdp::{
    CdpError, Event, SessionId,
    protocol::{browser, inspector, network, page, target},
};
use legwork_types::FrameId;

use super::{Gone, Kind, Line, RequestNews};

#[derive(Debug, Clone)]
pub(crate) enum Fact {
    Attached { parent: Option<SessionId>, session: SessionId, info: target::TargetInfo },
    Detached { session: SessionId },
    TargetGone { target: String },
    TargetCrashed { target: String, gone: Gone },
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
    Request { session: SessionId, news: RequestNews },
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
    network::REQUEST_WILL_BE_SENT,
    network::RESPONSE_RECEIVED,
    network::LOADING_FINISHED,
    network::LOADING_FAILED,
    network::WEB_SOCKET_CREATED,
    network::WEB_SOCKET_ANSWERED,
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
                let crashed: target::Crashed = event.read()?;
                Self::TargetCrashed { gone: Gone::of_crash(&crashed), target: crashed.target_id }
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
            (_, Some(session)) => return Ok(request(event)?.map(|news| Self::Request { session, news })),
        };
        Ok(Some(fact))
    }
}

/// News of a request, without what it carries.
fn request(event: &Event) -> Result<Option<RequestNews>, CdpError> {
    Ok(Some(match event.method {
        network::REQUEST_WILL_BE_SENT => {
            let sent: network::RequestWillBeSent<'_> = event.read()?;
            // The icon of a site is the browser's own wish, and comes whenever it likes.
            if sent.kind == "Other" && sent.initiator.kind == "other" && sent.request.method == "GET" {
                return Ok(None);
            }
            let is_document = sent.kind == "Document" && sent.loader_id == sent.request_id;
            RequestNews::Began {
                line: Line::of(&sent.request.method, &sent.request.url),
                kind: Kind::of(&sent.kind),
                document_of: is_document.then(|| FrameId::new(&*sent.frame_id)),
                redirected: sent.redirect_response.map(|response| response.status),
                id: sent.request_id.into_owned(),
            }
        }
        network::RESPONSE_RECEIVED => {
            let network::ResponseReceived { request_id, response } = event.read()?;
            let endless = response.mime_type == "text/event-stream";
            let by_server = !response.from_service_worker;
            RequestNews::Answered { id: request_id.into_owned(), status: response.status, endless, by_server }
        }
        network::LOADING_FINISHED => {
            RequestNews::Ended { id: event.read::<network::LoadingFinished<'_>>()?.request_id.into_owned() }
        }
        network::LOADING_FAILED => {
            let failed: network::LoadingFailed<'_> = event.read()?;
            RequestNews::Failed { id: failed.request_id.into_owned(), called_off: failed.canceled }
        }
        network::WEB_SOCKET_CREATED => {
            let created: network::WebSocketCreated<'_> = event.read()?;
            RequestNews::Began {
                line: Line::of("GET", &created.url),
                kind: Kind::Beside,
                document_of: None,
                redirected: None,
                id: created.request_id.into_owned(),
            }
        }
        network::WEB_SOCKET_ANSWERED => {
            let answered: network::WebSocketAnswered<'_> = event.read()?;
            let id = answered.request_id.into_owned();
            RequestNews::Answered { id, status: answered.response.status, endless: true, by_server: true }
        }
        _ => return Ok(None),
    }))
}
