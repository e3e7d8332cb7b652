//! The vendors' wires side by side: everything that differs between them is chosen here.

use std::time::{Duration, SystemTime};

use legwork_types::model::{ModelRequest, ModelTurn, Usage};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use serde_json::Value;
use url::{ParseError, Url};

use crate::{
    anthropic,
    choice::{Family, Model, Wire, is_of},
    error::{BadAnswer, VendorError},
    gemini,
    openai::{self, Dialect},
    responses, retold, retry,
    stream::Fed,
};

/// The most that a model may write in one answer: thoughts, words, and what it calls with what, in bytes. No errand asks for more than
/// 8,000 tokens, so that this is 32 bytes for each of them, which no model writes; whoever writes more does not keep to what it was
/// asked for. It is counted as it comes, and no more of it is read.
const MOST_WRITTEN: usize = 256 << 10;
/// As much of a vendor's words as is told.
const WORDS: usize = 400;

/// Where requests go, from the base of the vendor's addresses. The own clients of Anthropic and Gemini leave the version out of the
/// base, others do not.
pub(crate) fn address(model: &Model) -> Result<Url, ParseError> {
    let has = |version: &str| model.base.path().ends_with(version);
    match model.wire {
        Wire::Anthropic if has("/v1/") => model.base.join("messages"),
        Wire::Anthropic => model.base.join("v1/messages"),
        Wire::OpenAi => model.base.join("chat/completions"),
        Wire::Responses => model.base.join("responses"),
        Wire::Gemini => {
            let versioned = has("/v1beta/") || has("/v1/") || has("/v1alpha/");
            let mut url = if versioned { model.base.clone() } else { model.base.join("v1beta/")? };
            let name = model.name.strip_prefix("models/").unwrap_or(&model.name);
            if let Ok(mut path) = url.path_segments_mut() {
                path.pop_if_empty().extend(["models", &format!("{name}:streamGenerateContent")]);
            }
            url.set_query(Some("alt=sse"));
            Ok(url)
        }
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
            Wire::OpenAi | Wire::Responses => (AUTHORIZATION, format!("Bearer {}", key.0)),
            Wire::Gemini => (HeaderName::from_static("x-goog-api-key"), key.0.clone()),
        };
        let mut value = HeaderValue::from_str(&value)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

/// A request as this model's vendor takes it. What a model of another wire said is told in the words of this one.
pub(crate) fn body(model: &Model, request: &ModelRequest) -> serde_json::Result<Vec<u8>> {
    let request = &*retold::request(request, model.wire);
    match model.wire {
        Wire::Anthropic => anthropic::body(&model.name, request),
        Wire::OpenAi => {
            let is_openai = is_of(&model.base, "openai.com")
                || is_of(&model.base, "openai.azure.com")
                || Family::of(&model.name) == Family::OpenAi;
            let dialect = if is_openai { Dialect::OpenAi } else { Dialect::Other };
            openai::body(&model.name, dialect, request)
        }
        Wire::Responses => responses::body(&model.name, request),
        Wire::Gemini => gemini::body(request),
    }
}

/// What has come of an answer so far.
#[derive(Debug)]
pub(crate) enum Assembly {
    Anthropic(anthropic::Assembly),
    OpenAi(openai::Assembly),
    Responses(responses::Assembly),
    Gemini(gemini::Assembly),
}

impl Assembly {
    pub(crate) fn of(wire: Wire) -> Self {
        match wire {
            Wire::Anthropic => Self::Anthropic(anthropic::Assembly::default()),
            Wire::OpenAi => Self::OpenAi(openai::Assembly::default()),
            Wire::Responses => Self::Responses(responses::Assembly::default()),
            Wire::Gemini => Self::Gemini(gemini::Assembly::default()),
        }
    }

    pub(crate) fn feed(&mut self, data: &str) -> Result<Fed, VendorError> {
        let fed = match self {
            Self::Anthropic(assembly) => assembly.feed(data),
            Self::OpenAi(assembly) => assembly.feed(data),
            Self::Responses(assembly) => assembly.feed(data),
            Self::Gemini(assembly) => assembly.feed(data),
        }?;
        if self.written() > MOST_WRITTEN {
            return Err(BadAnswer::TooLarge.into());
        }
        Ok(fed)
    }

    /// How much the model has written by now, in bytes.
    fn written(&self) -> usize {
        match self {
            Self::Anthropic(assembly) => assembly.written(),
            Self::OpenAi(assembly) => assembly.written(),
            Self::Responses(assembly) => assembly.written(),
            Self::Gemini(assembly) => assembly.written(),
        }
    }

    pub(crate) fn usage(&self) -> Option<Usage> {
        match self {
            Self::Anthropic(assembly) => assembly.usage(),
            Self::OpenAi(assembly) => assembly.usage(),
            Self::Responses(assembly) => assembly.usage(),
            Self::Gemini(assembly) => assembly.usage(),
        }
    }

    /// What was told of what it took, with what has been written by now: vendors tell that at the end.
    pub(crate) fn usage_so_far(&self) -> Option<Usage> {
        /// So many bytes are a token at least.
        const BYTES: usize = 3;
        let told = self.usage()?;
        Some(Usage { output: told.output.max(self.written().div_ceil(BYTES) as u64), ..told })
    }

    pub(crate) fn finish(self) -> Result<ModelTurn, VendorError> {
        match self {
            Self::Anthropic(assembly) => assembly.finish(),
            Self::OpenAi(assembly) => assembly.finish(),
            Self::Responses(assembly) => assembly.finish(),
            Self::Gemini(assembly) => assembly.finish(),
        }
    }
}

/// What a vendor says of a refusal.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Its names for it.
    pub(crate) kind: String,
    /// Its words.
    pub(crate) message: String,
    /// When it wants to be asked again, where it does not say so in a header.
    pub(crate) again_after: Option<Duration>,
}

/// Reads a refusal: all put it into `error.message`, some into `message` or `detail`, others say it plainly. Gemini puts beside it
/// what exactly is used up and when to come back.
pub(crate) fn refusal(body: &[u8]) -> Refusal {
    let text = String::from_utf8_lossy(body);
    let Ok(value) = serde_json::from_str::<Value>(&text) else {
        return Refusal { message: text.into_owned(), ..Refusal::default() };
    };
    let value = value.get(0).unwrap_or(&value);
    let at = |place: &&str| value.pointer(place)?.as_str().map(str::to_owned);
    let mut kinds: Vec<String> =
        ["/error/type", "/error/code", "/error/status"].iter().filter_map(at).collect();
    let details = value.pointer("/error/details").and_then(Value::as_array).map(Vec::as_slice);
    let mut again_after = None;
    for detail in details.unwrap_or_default() {
        let violations = detail["violations"].as_array().map(Vec::as_slice).unwrap_or_default();
        let quotas = violations.iter().filter_map(|violation| violation["quotaId"].as_str());
        kinds.extend(detail["reason"].as_str().into_iter().chain(quotas).map(str::to_owned));
        let delay = detail["retryDelay"].as_str().and_then(|delay| delay.strip_suffix('s'));
        again_after = delay.and_then(|delay| retry::wish(delay, SystemTime::UNIX_EPOCH)).or(again_after);
    }
    let told = ["/error/message", "/message", "/detail", "/error"].iter().find_map(at);
    Refusal { kind: kinds.join(" "), message: told.unwrap_or_else(|| text.into_owned()), again_after }
}

/// Words of a vendor as they are told: on one line, and no more than is of use.
pub(crate) fn shortened(words: &str) -> String {
    let words: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(WORDS) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price::Runs;

    fn address_of(name: &str, wire: Wire, base: &str) -> String {
        let base = base.parse().unwrap();
        address(&Model { name: name.into(), wire, base, key: None, runs: Runs::Elsewhere }).unwrap().into()
    }

    #[test]
    fn every_wire_has_its_address() {
        let openai = "https://api.openai.com/v1/";
        for (name, wire, base, expected) in [
            ("m", Wire::Anthropic, "https://api.anthropic.com/", "https://api.anthropic.com/v1/messages"),
            ("m", Wire::Anthropic, "https://gate.example/v1/", "https://gate.example/v1/messages"),
            ("m", Wire::OpenAi, openai, "https://api.openai.com/v1/chat/completions"),
            ("m", Wire::Responses, openai, "https://api.openai.com/v1/responses"),
            (
                "m",
                Wire::Gemini,
                "https://g.example/",
                "https://g.example/v1beta/models/m:streamGenerateContent?alt=sse",
            ),
            (
                "models/gemini-2.5-pro",
                Wire::Gemini,
                "https://g.example/v1beta/",
                "https://g.example/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
            ),
            // A name stays where a name belongs.
            (
                "../x?y#z",
                Wire::Gemini,
                "https://g.example/v1/",
                "https://g.example/v1/models/..%2Fx%3Fy%23z:streamGenerateContent?alt=sse",
            ),
        ] {
            assert_eq!(address_of(name, wire, base), expected);
        }
    }

    #[test]
    fn an_answer_in_one_piece_may_be_as_long_as_one_in_many() {
        let chat = |text: &str| format!(r#"{{"choices":[{{"message":{{"content":"{text}"}}}}]}}"#);
        let item = |text: &str| format!(r#"{{"type":"message","content":[{{"text":"{text}"}}]}}"#);
        let response = |text: &str| format!(r#"{{"object":"response","output":[{}]}}"#, item(text));
        let gemini =
            |text: &str| format!(r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}]}}}}]}}"#);
        let (long, too_long) = ("x".repeat(MOST_WRITTEN), "x".repeat(MOST_WRITTEN + 1));
        for (wire, long, too_long) in [
            (Wire::OpenAi, chat(&long), chat(&too_long)),
            (Wire::Responses, response(&long), response(&too_long)),
            (Wire::Gemini, gemini(&long), gemini(&too_long)),
        ] {
            assert!(Assembly::of(wire).feed(&long).is_ok(), "{wire:?}");
            let error = Assembly::of(wire).feed(&too_long).unwrap_err();
            assert_eq!(error, BadAnswer::TooLarge.into(), "{wire:?}");
        }
    }

    #[test]
    fn a_refusal_is_read_whoever_says_it() {
        let read = |body: &str| refusal(body.as_bytes());
        let Refusal { kind, message, again_after } = read(
            r#"[{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[
                {"@type":"QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDay"}]},
                {"@type":"ErrorInfo","reason":"RATE_LIMIT_EXCEEDED"},{"@type":"RetryInfo","retryDelay":"34.5s"}]}}]"#,
        );
        assert_eq!(kind, "RESOURCE_EXHAUSTED GenerateRequestsPerDay RATE_LIMIT_EXCEEDED");
        assert_eq!((message.as_str(), again_after), ("quota", Some(Duration::from_millis(34_500))));
        let plain = read("Bad Gateway");
        assert_eq!(
            (plain.kind.as_str(), plain.message.as_str(), plain.again_after),
            ("", "Bad Gateway", None)
        );
        let openai = read(r#"{"error":{"message":"no","type":"a","code":"b"}}"#);
        assert_eq!((openai.kind.as_str(), openai.message.as_str()), ("a b", "no"));
    }
}
