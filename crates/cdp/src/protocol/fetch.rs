//! Requests that wait for us before they leave.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};

super::commands! {
    /// From now on requests of these kinds wait. On the browser's own session it is about everything that any target sends, also
    /// while it closes; on a target's session about that target alone, and what waits when the session ends is sent.
    Enable<'a> = "Fetch.enable" {
        /// Which requests.
        patterns: &'a [Pattern],
    }

    /// Lets a request go as it is.
    ContinueRequest<'a> = "Fetch.continueRequest" {
        /// Which.
        request_id: &'a str,
    }

    /// Lets a request go as another one to the same address.
    ContinueRequestAs<'a> = "Fetch.continueRequest" {
        /// Which.
        request_id: &'a str,
        /// The method.
        method: &'a str,
        /// What it carries, in base64.
        #[serde(skip_serializing_if = "Option::is_none")]
        post_data: Option<&'a str>,
        /// All its headers, but for those that only the network knows.
        headers: Vec<Header<'a>>,
    }

    /// Answers a request, so that it never leaves.
    FulfillRequest<'a> = "Fetch.fulfillRequest" {
        /// Which.
        request_id: &'a str,
        /// The status.
        response_code: u16,
        /// The headers.
        response_headers: &'a [Header<'a>],
        /// What the answer carries, in base64.
        body: &'a str,
    }

    /// Turns a request back.
    FailRequest<'a> = "Fetch.failRequest" {
        /// Which.
        request_id: &'a str,
        /// What the page is told.
        error_reason: &'static str,
    }
}

/// One header.
#[derive(Debug, Clone, Serialize)]
pub struct Header<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
}

/// Requests of one kind.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    /// `Document`, `XHR`, `Ping`, ….
    pub resource_type: &'static str,
}

/// A request waits.
pub const REQUEST_PAUSED: &str = "Fetch.requestPaused";

/// A request that waits.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPaused<'a> {
    /// Its name while it waits.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// What it is.
    #[serde(borrow)]
    pub request: PausedRequest<'a>,
    /// The frame that it is for, or the worker that sends it.
    #[serde(borrow, default)]
    pub frame_id: Cow<'a, str>,
    /// `Document`, `XHR`, `Ping`, …: an open list.
    #[serde(borrow, default)]
    pub resource_type: Cow<'a, str>,
    /// The request whose answer sent it on to here.
    #[serde(borrow, default)]
    pub redirected_request_id: Option<Cow<'a, str>>,
    /// The name that events of the network have for it.
    #[serde(borrow, default)]
    pub network_id: Option<Cow<'a, str>>,
}

/// What a request that waits is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PausedRequest<'a> {
    /// The address, without its fragment.
    #[serde(borrow)]
    pub url: Cow<'a, str>,
    /// The method.
    #[serde(borrow)]
    pub method: Cow<'a, str>,
    /// Its headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Whether it carries anything.
    #[serde(default)]
    pub has_post_data: bool,
    /// What it carries, piece by piece.
    #[serde(borrow, default)]
    pub post_data_entries: Vec<PostDataEntry<'a>>,
}

/// A piece of what a request carries.
#[derive(Debug, Deserialize)]
pub struct PostDataEntry<'a> {
    /// Its bytes in base64; none for a file and its like.
    #[serde(borrow, default)]
    pub bytes: Option<Cow<'a, str>>,
}
