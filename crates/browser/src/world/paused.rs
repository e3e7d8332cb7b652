//! A request that waits on the wire, as the browser tells of it.

use std::{borrow::Cow, collections::BTreeMap};

use base64::{Engine, engine::general_purpose::STANDARD};
use legwork_cdp::{CdpError, Event, SessionId, protocol::fetch};
use legwork_types::{OutgoingBody, OutgoingKind};
use serde::Deserialize;

/// As much of what a request carries as is kept. Nobody could make sense of more.
const LARGEST: usize = 8 << 20;

/// A request that waits. Who sends it is for the world to find out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paused {
    pub(crate) place: WaitingPlace,
    /// The frame that it is for, or the worker that sends it.
    pub(crate) frame: String,
    pub(crate) what: What,
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: OutgoingBody,
    /// The request whose answer sends it on to here.
    pub(crate) sent_on_from: Option<String>,
}

/// Where a request waits: with the browser as a whole, or with one session; and its name there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WaitingPlace {
    pub(crate) session: Option<SessionId>,
    pub(crate) id: String,
    /// The name that events of the network have for it.
    pub(crate) network: Option<String>,
}

/// What a request is for, before its frame is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Document,
    Other(OutgoingKind),
}

impl What {
    fn of(protocol: &str) -> Self {
        match protocol {
            "Document" => Self::Document,
            "XHR" | "Fetch" | "EventSource" => Self::Other(OutgoingKind::Script),
            "Ping" | "CSPViolationReport" => Self::Other(OutgoingKind::Beacon),
            "Image" | "Script" | "Stylesheet" | "Font" | "Media" | "TextTrack" | "Manifest" => {
                Self::Other(OutgoingKind::Piece)
            }
            _ => Self::Other(OutgoingKind::Other),
        }
    }
}

impl Paused {
    /// What an event tells; at least which request it is about.
    pub(crate) fn read(event: &Event) -> Result<Self, Unreadable> {
        match event.read::<fetch::RequestPaused<'_>>() {
            Ok(paused) => Ok(Self::of(event.session.clone(), paused)),
            Err(error) => Err(Unreadable::of(event, error)),
        }
    }

    pub(super) fn of(session: Option<SessionId>, paused: fetch::RequestPaused<'_>) -> Self {
        let fetch::RequestPaused { request, frame_id, resource_type, redirected_request_id, .. } = paused;
        let network = paused.network_id.map(Cow::into_owned);
        Self {
            place: WaitingPlace { session, id: paused.request_id.into_owned(), network },
            frame: frame_id.into_owned(),
            what: What::of(&resource_type),
            body: body(request.has_post_data, &request.post_data_entries),
            method: request.method.into_owned(),
            url: request.url.into_owned(),
            headers: request.headers,
            sent_on_from: redirected_request_id.map(Into::into),
        }
    }
}

fn body(has_any: bool, entries: &[fetch::PostDataEntry<'_>]) -> OutgoingBody {
    if !has_any && entries.is_empty() {
        return OutgoingBody::None;
    }
    let mut bytes = Vec::new();
    for entry in entries {
        let Some(read) = entry.bytes.as_deref().and_then(|text| STANDARD.decode(text).ok()) else {
            return OutgoingBody::Unread;
        };
        bytes.extend(read);
        if bytes.len() > LARGEST {
            return OutgoingBody::Unread;
        }
    }
    // Told to carry something that is not told.
    if entries.is_empty() { OutgoingBody::Unread } else { OutgoingBody::Bytes(bytes) }
}

/// An event that could not be read, and the request that it is about, if that much could be.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) error: CdpError,
    pub(crate) place: Option<WaitingPlace>,
}

impl Unreadable {
    fn of(event: &Event, error: CdpError) -> Self {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Name {
            request_id: String,
        }
        let name = event.read::<Name>().ok();
        let session = event.session.clone();
        let place = name.map(|name| WaitingPlace { session, id: name.request_id, network: None });
        Self { error, place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(bytes: Option<&'static str>) -> fetch::PostDataEntry<'static> {
        fetch::PostDataEntry { bytes: bytes.map(Into::into) }
    }

    #[test]
    fn what_is_not_told_whole_is_not_told() {
        assert_eq!(body(false, &[]), OutgoingBody::None);
        assert_eq!(body(true, &[]), OutgoingBody::Unread);
        assert_eq!(body(true, &[entry(Some("YQ==")), entry(None)]), OutgoingBody::Unread);
        assert_eq!(body(true, &[entry(Some("no base"))]), OutgoingBody::Unread);
        assert_eq!(
            body(true, &[entry(Some("YQ==")), entry(Some("Yg=="))]),
            OutgoingBody::Bytes(b"ab".into())
        );
    }
}
