//! The vendors' wires side by side: everything that differs between them is chosen here.

use legwork_types::model::{ModelRequest, ModelTurn, Usage};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use serde_json::Value;

use crate::{
    anthropic,
    choice::{Family, Model, Wire, is_of},
    error::VendorError,
    openai::{self, Dialect},
    stream::Fed,
};

/// As much of a vendor's words as is told.
const WORDS: usize = 400;

/// Where requests go, from the base of the vendor's addresses. Anthropic's own clients leave the version out of the base, others do not.
pub(crate) fn path(model: &Model) -> &'static str {
    match model.wire {
        Wire::Anthropic if model.base.path().ends_with("/v1/") => "messages",
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
            let is_openai = is_of(&model.base, "openai.com")
                || is_of(&model.base, "openai.azure.com")
                || Family::of(&model.name) == Family::OpenAi;
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

    /// What was told of what it took, with what has been written by now: vendors tell that at the end.
    pub(crate) fn usage_so_far(&self) -> Option<Usage> {
        /// So many bytes are a token at least.
        const BYTES: usize = 3;
        let written = match self {
            Self::Anthropic(assembly) => assembly.written(),
            Self::OpenAi(assembly) => assembly.written(),
        };
        let told = self.usage()?;
        Some(Usage { output: told.output.max(written.div_ceil(BYTES) as u64), ..told })
    }

    pub(crate) fn finish(self) -> Result<ModelTurn, VendorError> {
        match self {
            Self::Anthropic(assembly) => assembly.finish(),
            Self::OpenAi(assembly) => assembly.finish(),
        }
    }
}

/// What a vendor says of a refusal, and its name for it: both put it into `error.message`, some into `message` or `detail`, others say it
/// plainly.
pub(crate) fn refusal(body: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(body);
    let Ok(value) = serde_json::from_str::<Value>(&text) else { return (String::new(), text.into_owned()) };
    let at = |place: &&str| value.pointer(place)?.as_str().map(str::to_owned);
    let kinds: Vec<String> = ["/error/type", "/error/code"].iter().filter_map(at).collect();
    let told = ["/error/message", "/message", "/detail", "/error"].iter().find_map(at);
    (kinds.join(" "), told.unwrap_or_else(|| text.into_owned()))
}

/// Words of a vendor as they are told: on one line, and no more than is of use.
pub(crate) fn shortened(words: &str) -> String {
    let words: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(WORDS) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}
