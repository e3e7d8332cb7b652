//! What the page sent.

use legwork_types::{
    PageText,
    contract::{RequestPattern, RequestVerdict, SentRequest},
};

use super::{Case, Outcome, listed, must, told};

/// One went out that has this method and this part in its path.
pub(super) fn sent(case: &Case<'_>, pattern: &RequestPattern) -> Outcome {
    let holds = case.requests.iter().any(|request| went_out(request) && fits(request, pattern));
    must(holds, || format!("expected a request {}", described(pattern)), || those_sent(case.requests))
}

/// What failed without an answer may never have left.
fn went_out(request: &SentRequest) -> bool {
    request.verdict == RequestVerdict::Go || request.status.is_some()
}

/// A pattern that says nothing, or something blank, fits nothing.
fn fits(request: &SentRequest, pattern: &RequestPattern) -> bool {
    let method = pattern.method.as_deref().map(str::trim);
    let path = pattern.path.as_deref();
    (method.is_some() || path.is_some())
        && method.is_none_or(|method| !method.is_empty() && request.method.eq_ignore_ascii_case(method))
        && path.is_none_or(|path| !path.trim().is_empty() && request.path.untrusted().contains(path))
}

fn described(pattern: &RequestPattern) -> String {
    let method = pattern.method.as_ref().map(|method| format!("by {}", told(method)));
    let path = pattern.path.as_ref().map(|path| format!("with {} in its path", told(path)));
    method.into_iter().chain(path).collect::<Vec<_>>().join(" ")
}

fn those_sent(requests: &[SentRequest]) -> Option<PageText> {
    let lines: Vec<String> = requests
        .iter()
        .filter(|request| went_out(request))
        .take(20)
        .map(|request| format!("{} {}", request.method, request.path.untrusted()))
        .collect();
    listed(lines.iter().map(String::as_str))
}
