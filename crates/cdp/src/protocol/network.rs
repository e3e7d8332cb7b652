//! What targets send and get: who, where to and how it went, never what.

use std::borrow::Cow;

use serde::Deserialize;

super::commands! {
    /// Events of requests from now on.
    Enable = "Network.enable" {
        /// Bytes of answers that are kept in all.
        max_total_buffer_size: u32,
        /// Bytes of one answer that are kept.
        max_resource_buffer_size: u32,
        /// Bytes of what is sent that events tell; 0 for all of it. Not heeded for documents.
        max_post_data_size: u32,
    }

    /// How good the way to the network is.
    EmulateNetworkConditions = "Network.emulateNetworkConditions" {
        /// Whether there is none.
        offline: bool,
        /// Milliseconds that everything takes longer.
        latency: i32,
        /// Bytes in a second; -1 for as many as there are.
        download_throughput: i32,
        /// The same the other way.
        upload_throughput: i32,
    }

    /// Whether what a page asks for goes past its service worker.
    SetBypassServiceWorker = "Network.setBypassServiceWorker" {
        /// Past it.
        bypass: bool,
    }
}

/// A request is about to leave, or follows a redirect.
pub const REQUEST_WILL_BE_SENT: &str = "Network.requestWillBeSent";
/// An answer begins.
pub const RESPONSE_RECEIVED: &str = "Network.responseReceived";
/// An answer has come to its end.
pub const LOADING_FINISHED: &str = "Network.loadingFinished";
/// There will be no answer, or no more of it.
pub const LOADING_FAILED: &str = "Network.loadingFailed";
/// A WebSocket is opened.
pub const WEB_SOCKET_CREATED: &str = "Network.webSocketCreated";
/// A WebSocket's server has answered.
pub const WEB_SOCKET_ANSWERED: &str = "Network.webSocketHandshakeResponseReceived";

/// A request is about to leave. Everything is borrowed: its headers and its stack may be many times as large.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestWillBeSent<'a> {
    /// Its id; a redirect keeps it.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// The load that it belongs to; for a document's own request the same as its id.
    #[serde(borrow, default)]
    pub loader_id: Cow<'a, str>,
    /// What is asked for.
    #[serde(borrow)]
    pub request: Request<'a>,
    /// The answer that sent it on to here.
    #[serde(default)]
    pub redirect_response: Option<Redirect>,
    /// `Document`, `XHR`, `Fetch`, …: an open list.
    #[serde(rename = "type", borrow, default)]
    pub kind: Cow<'a, str>,
    /// The frame that it is for.
    #[serde(borrow, default)]
    pub frame_id: Cow<'a, str>,
    /// Who began it.
    #[serde(borrow, default)]
    pub initiator: Initiator<'a>,
}

/// Who began a request.
#[derive(Debug, Default, Deserialize)]
pub struct Initiator<'a> {
    /// `parser`, `script`, `preload`, …; `other` for the browser itself.
    #[serde(rename = "type", borrow, default)]
    pub kind: Cow<'a, str>,
}

/// What is asked for.
#[derive(Debug, Deserialize)]
pub struct Request<'a> {
    /// The address, without its fragment.
    #[serde(borrow)]
    pub url: Cow<'a, str>,
    /// The method.
    #[serde(borrow)]
    pub method: Cow<'a, str>,
}

/// An answer that sends on.
#[derive(Debug, Deserialize)]
pub struct Redirect {
    /// Its status.
    pub status: u16,
}

/// An answer begins.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseReceived<'a> {
    /// The request's id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// The answer.
    #[serde(borrow)]
    pub response: Response<'a>,
}

/// The head of an answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response<'a> {
    /// Its status.
    pub status: u16,
    /// What kind of content it is.
    #[serde(borrow, default)]
    pub mime_type: Cow<'a, str>,
    /// Whether no server was asked for it, but a service worker.
    #[serde(default)]
    pub from_service_worker: bool,
}

/// An answer has come to its end.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingFinished<'a> {
    /// The request's id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
}

/// There will be no answer, or no more of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingFailed<'a> {
    /// The request's id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// Whether the page or the browser wanted it no more.
    #[serde(default)]
    pub canceled: bool,
}

/// A WebSocket is opened.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketCreated<'a> {
    /// Its id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// Where to.
    #[serde(borrow)]
    pub url: Cow<'a, str>,
}

/// A WebSocket's server has answered.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketAnswered<'a> {
    /// Its id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// The answer.
    pub response: Redirect,
}
