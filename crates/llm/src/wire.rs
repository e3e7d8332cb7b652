//! The vendors' wires side by side: everything that differs between them is chosen here.

use legwork_types::model::{ModelRequest, ModelTurn, Usage};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use serde_json::Value;

use crate::{
    anthropic,
    choice::{Model, Wire},
    error::VendorError,
    openai::{self, Dialect},
    stream::Fed,
};

/// As much of a vendor's words as is told.
const WORDS: usize = 400;

/// Where requests go, from the base of the vendor's addresses.
pub(crate) fn path(wire: Wire) -> &'static str {
    match wire {
        Wire::Anthropic => "v1/messages",
        Wire::OpenAi => "chat/completions",
    }
}

/// What a vendor wants to have beside the request.
pub(crate) fn headers(model: &Model) -> Result<HeaderMap, InvalidHeaderValue> {
    let mut headers = HeaderMap::new();
    if model.wire == Wire::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    if let Some(key) = &model.key {
        let (name, value) = match model.wire {
            Wire::Anthropic => (HeaderName::from_static("x-api-key"), key.0.clone()),
            Wire::OpenAi => (AUTHORIZATION, format!("Bearer {}", key.0)),
        };
        let mut value = HeaderValue::from_str(&value)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

/// A request as this model's vendor takes it.
pub(crate) fn body(model: &Model, request: &ModelRequest) -> serde_json::Result<Vec<u8>> {
    match model.wire {
        Wire::Anthropic => anthropic::body(&model.name, request),
        Wire::OpenAi => {
            let is_openai = model.base.host_str() == Some("api.openai.com");
            let dialect = if is_openai { Dialect::OpenAi } else { Dialect::Other };
            openai::body(&model.name, dialect, request)
        }
    }
}

/// What has come of an answer so far.
#[derive(Debug)]
pub(crate) enum Assembly {
    Anthropic(anthropic::Assembly),
    OpenAi(openai::Assembly),
}

impl Assembly {
    pub(crate) fn of(wire: Wire) -> Self {
        match wire {
            Wire::Anthropic => Self::Anthropic(anthropic::Assembly::default()),
            Wire::OpenAi => Self::OpenAi(openai::Assembly::default()),
        }
    }

    pub(crate) fn feed(&mut self, data: &str) -> Result<Fed, VendorError> {
        match self {
            Self::Anthropic(assembly) => assembly.feed(data),
            Self::OpenAi(assembly) => assembly.feed(data),
        }
    }

    pub(crate) fn usage(&self) -> Option<Usage> {
        match self {
            Self::Anthropic(assembly) => assembly.usage(),
            Self::OpenAi(assembly) => assembly.usage(),
        }
    }

    pub(crate) fn finish(self) -> Result<ModelTurn, VendorError> {
        match self {
            Self::Anthropic(assembly) => assembly.finish(),
            Self::OpenAi(assembly) => assembly.finish(),
        }
    }
}

/// What a vendor says of a refusal: both put it into `error.message`, some into `message` or `detail`, others say it plainly.
pub(crate) fn refusal(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let told = serde_json::from_str::<Value>(&text).ok().and_then(|value| {
        let places = ["/error/message", "/message", "/detail", "/error"];
        places.iter().find_map(|place| value.pointer(place)?.as_str().map(str::to_owned))
    });
    let words = told.unwrap_or_else(|| text.into_owned());
    let words: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(WORDS) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None if words.is_empty() => "nothing more was said".to_owned(),
        None => words,
    }
}
