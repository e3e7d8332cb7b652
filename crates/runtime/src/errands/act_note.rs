//! What came of an act, as the loop knows it.

use legwork_agent::{ActNote, Caught, Commit, Fate, PageNote, Trouble, TroubleKind};
use legwork_types::{
    Code, Details, Problem,
    contract::{CaughtRequest, Receipt, RequestVerdict},
};

use super::trouble::{crash, trouble};
use crate::{Acted, Besides, Decided, harmless, words};

/// What stands between a request and what became of it.
const ANSWERED: &str = ": ";
/// The longest line about a request, in characters.
const LONGEST: usize = 300;

/// What came of an act.
pub(super) fn note(
    deed: &str,
    acted: &Acted,
    trouble: Option<Trouble>,
    caught: Option<Caught>,
    page: Option<PageNote>,
    besides: (Vec<String>, Vec<Commit>),
) -> ActNote {
    let (besides, commits) = besides;
    ActNote {
        trouble,
        dispatched: acted.receipt.dispatched,
        nothing: acted.receipt.is_nothing(),
        brief: brief(acted),
        words: words::came_of_it(deed, acted),
        sent: sent(&acted.receipt, besides),
        commits,
        caught,
        page,
    }
}

/// What went wrong. Where it is not known whether it was done, it matters what was lost: the page, or the browser.
pub(super) fn trouble_of(problem: &Problem, page: Option<&PageNote>, is_session_over: bool) -> Trouble {
    let trouble = trouble(problem);
    if problem.code != Code::UnknownOutcome || page.is_some() {
        return trouble;
    }
    // The rest of it may be the page's.
    let cause = problem.cause.as_deref().unwrap_or_default().split(':').next().unwrap_or_default();
    let kind = match is_session_over {
        true => TroubleKind::Disconnect,
        false if cause == Code::PageCrashed.as_str() => crash(problem),
        // It was closed because it hung, or attacked: to load it again would be the same.
        false if [Code::PageUnresponsive, Code::PageHostile].iter().any(|code| cause == code.as_str()) => {
            TroubleKind::PageClosed
        }
        false => TroubleKind::Told,
    };
    let is_code = Code::ALL.iter().any(|code| code.as_str() == cause);
    let words = if is_code { format!("{} ({cause})", trouble.words) } else { trouble.words };
    Trouble { kind, words, ..trouble }
}

/// In few words of ours.
fn brief(acted: &Acted) -> String {
    let (happened, _) = words::receipt(&acted.receipt);
    match (&acted.error, happened.is_empty()) {
        (Some(problem), true) => problem.code.as_str().to_owned(),
        (Some(problem), false) => format!("{}, yet {happened}", problem.code),
        (None, true) => "nothing changed".to_owned(),
        (None, false) => happened,
    }
}

/// What left the browser and could have changed something, a line each: by the receipt, which knows how it was answered, and whatever else
/// the gate let go meanwhile.
fn sent(receipt: &Receipt, besides: Vec<String>) -> Vec<String> {
    let requests = receipt.effects.requests.iter();
    let writes = requests.filter(|request| {
        !matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS")
            && matches!(request.verdict, RequestVerdict::Go | RequestVerdict::Failed)
    });
    let line = |request: &legwork_types::contract::SentRequest| {
        let answer = match (request.status, request.verdict) {
            (Some(status), _) => format!("answered with {status}"),
            (None, RequestVerdict::Failed) => "failed".to_owned(),
            (None, _) => "no answer yet".to_owned(),
        };
        let place = format!("{}{}", request.origin.untrusted(), request.path.untrusted());
        format!("{} {}{ANSWERED}{answer}", harmless(&request.method, 20), harmless(&place, LONGEST))
    };
    let mut lines: Vec<String> = writes.map(line).collect();
    let request = |line: &str| line.rsplit_once(ANSWERED).map_or(line, |(request, _)| request).to_owned();
    // Each that left is known from one line of the receipt, and from no other's.
    let mut known: Vec<String> = lines.iter().map(|line| request(line)).collect();
    for left in besides {
        match known.iter().position(|known| *known == request(&left)) {
            Some(at) => drop(known.swap_remove(at)),
            None => lines.push(left),
        }
    }
    lines
}

/// What happened that was not asked for, in a line; nothing where nothing came of it.
pub(super) fn besides(one: &Besides) -> Option<String> {
    match one {
        Besides::Left { method, address } => {
            Some(format!("{} {}{ANSWERED}left", harmless(method, 20), harmless(address, LONGEST)))
        }
        // What was asked about and left is told with its question.
        Besides::Committed { .. } => None,
        Besides::Unlisted(count) => Some(format!("{count} further writes that needed no yes: left")),
        Besides::Decided(approval, decided) => {
            let card = &approval.question.card;
            let request = harmless(&format!("{} {}{}", card.method, card.origin, card.path), LONGEST);
            let came = match decided {
                Decided::LetGo => "and it was let go",
                Decided::Unknown => "and whether it left is not known",
                Decided::ToBeDoneAgain => "and it leaves when it is tried again",
                Decided::NotSent => "and it could not leave any more",
                Decided::Denied | Decided::Unanswered | Decided::Withdrawn => return None,
            };
            // What an act asked about may be answered before the act is over.
            let what = match approval.question.act {
                Some(_) => "",
                None => " to what the page did by itself",
            };
            Some(format!("a person said yes{what}, {came}: {request}"))
        }
    }
}

/// What somebody said yes to, and that left, or may have.
pub(super) fn commit(one: &Besides) -> Option<Commit> {
    match one {
        Besides::Committed { method, address } => {
            Some(Commit { method: method.clone(), address: address.clone() })
        }
        Besides::Left { .. } | Besides::Unlisted(_) | Besides::Decided(..) => None,
    }
}

/// What was caught on the wire, if that is why it was not done.
pub(super) fn caught(problem: &Problem) -> Option<Caught> {
    let Some(Details::Caught { request, approval_id, held, .. }) = problem.details.as_deref() else {
        return None;
    };
    let fate = match (problem.code, approval_id) {
        (Code::SafetyConfirmationRequired, Some(id)) if *held => Fate::Held(id.clone()),
        (Code::SafetyConfirmationRequired, Some(id)) => Fate::ToBeRepeated(id.clone()),
        (Code::SafetyConfirmationRequired, None) => Fate::NobodyToAsk,
        // What nobody knows may be a step on the way: the model is told, and may find another one.
        (Code::DryRunBlocked, _) if request.class == "commit" => Fate::DryRun,
        _ => Fate::Stopped,
    };
    Some(Caught { fate, request: in_short(request), settles: request.class == "commit" })
}

/// `POST https://shop.example/order (total: 31.30 EUR)`
fn in_short(request: &CaughtRequest) -> String {
    let what = [&request.amounts, &request.operations].into_iter().flatten();
    let what: Vec<&str> = what.map(|text| text.untrusted()).collect();
    let place = format!("{} {}{}", request.method, request.origin.untrusted(), request.path.untrusted());
    match what.is_empty() {
        true => harmless(&place, LONGEST),
        false => harmless(&format!("{place} ({})", what.join(", ")), LONGEST),
    }
}
