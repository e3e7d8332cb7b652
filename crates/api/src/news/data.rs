//! What news hold of the parts of an errand.

use legwork_runtime::errands::{
    Act, ActNote, Call, Caught, Fate, Ignored, Limits, Outcome, PageNote, Question, Spec, Trouble,
};
use legwork_types::contract::{Action, Target};
use serde_json::{Value, json};

use super::metrics::dollars;

/// An errand as it was given. Of what the user gave along and of secrets only the names.
pub(super) fn spec(spec: &Spec) -> Value {
    json!({
        "task": spec.goal,
        "url": spec.start_url,
        "mode": spec.mode,
        "vision": spec.vision,
        "someone": spec.someone,
        "limits": limits(&spec.limits),
        "given": spec.data.keys().collect::<Vec<_>>(),
        "secrets": spec.secrets,
        "service": spec.service.as_ref().map(|rules| &rules.service),
    })
}

/// What an errand may take.
pub(super) fn limits(limits: &Limits) -> Value {
    json!({
        "turns": limits.turns,
        "turnsAfterApproval": limits.turns_after_approval,
        "tokens": limits.tokens,
        "millis": limits.millis,
        "usd": dollars(limits.money),
        "microUsd": limits.money,
    })
}

/// Where a page is, what it is called, and the look at it.
pub(super) fn page(page: &PageNote) -> Value {
    json!({"url": page.url, "title": page.title, "observationId": page.observation})
}

/// What the model called. What it types stays out.
pub(super) fn action(call: &Call) -> Value {
    match call {
        Call::Act(act) => act_data(act),
        Call::Observe(look) => json!({
            "tool": "observe", "action": "observe", "find": look.find, "cursor": look.cursor,
            "element": look.within.map(|within| within.0),
        }),
        Call::Read { within } => {
            json!({"tool": "read", "action": "read", "element": within.map(|within| within.0)})
        }
        Call::CompleteTask(claim) => json!({
            "tool": "complete_task", "action": "complete_task", "status": claim.status, "why": claim.reason,
            "evidence": claim.evidence, "answer": claim.answer,
        }),
        Call::RequestHumanApproval { action, reason } => json!({
            "tool": "request_human_approval", "action": "request_human_approval", "asks": action, "why": reason,
        }),
        Call::SubmitForApproval { summary, amount } => json!({
            "tool": "submit_for_approval", "action": "submit_for_approval", "summary": summary, "amount": amount,
        }),
        Call::AskUser { question } => {
            json!({"tool": "ask_user", "action": "ask_user", "asks": question})
        }
    }
}

/// What is done to a page.
pub(super) fn act_data(act: &Act) -> Value {
    let element = match act.target {
        Target::Element { action_id } => Some(action_id.0),
        Target::Page {} => None,
    };
    let url = match &act.action {
        Action::Navigate { url } => Some(url),
        _ => None,
    };
    json!({"tool": "act", "action": act.action.verb(), "element": element, "url": url, "why": act.why})
}

/// The names of what was called and not done.
pub(super) fn ignored(ignored: &[Ignored]) -> Option<Vec<&str>> {
    (!ignored.is_empty()).then(|| ignored.iter().map(|one| one.tool.as_str()).collect())
}

/// What came of an act.
pub(super) fn act(number: u32, done: &ActNote) -> Value {
    let trouble = done.trouble.as_ref();
    json!({
        "number": number,
        "success": trouble.is_none(),
        "dispatched": done.dispatched,
        "changedNothing": done.nothing,
        "cameOfIt": done.brief,
        "requests": done.sent,
        "code": trouble.map(|trouble| &trouble.code),
        "error": trouble.map(|trouble| &trouble.words),
        "caught": done.caught.as_ref().map(caught),
        "observationId": done.page.as_ref().map(|page| &page.observation),
    })
}

fn caught(caught: &Caught) -> Value {
    let (fate, approval) = match &caught.fate {
        Fate::DryRun => ("dry-run", None),
        Fate::NobodyToAsk => ("nobody-to-ask", None),
        Fate::Held(approval) => ("held", Some(approval)),
        Fate::ToBeRepeated(approval) => ("to-be-repeated", Some(approval)),
        Fate::Stopped => ("stopped", None),
    };
    match approval {
        Some(approval) => json!({"fate": fate, "request": caught.request, "approvalId": approval}),
        None => json!({"fate": fate, "request": caught.request}),
    }
}

/// What went wrong, with what it is about.
pub(super) fn trouble(about: &str, trouble: &Trouble) -> Value {
    json!({"message": about, "code": trouble.code, "error": trouble.words, "kind": trouble.kind})
}

/// What somebody is asked.
pub(super) fn question(question: &Question) -> Value {
    match question {
        Question::Approve { action, reason } => {
            json!({"for": "person", "ask": "approve", "asks": action, "why": reason})
        }
        Question::Checkpoint { action, why, url } => {
            json!({"for": "person", "ask": "checkpoint", "asks": action, "why": why, "url": url})
        }
        Question::TakeOver { wants, url } => {
            json!({"for": "person", "ask": "take-over", "wants": wants, "url": url})
        }
        Question::Tell { question } => json!({"for": "person", "ask": "tell", "asks": question}),
        Question::Extend { out_of } => json!({"for": "person", "ask": "extend", "outOf": out_of}),
    }
}

/// How it ended.
pub(super) fn outcome(outcome: &Outcome) -> Value {
    json!({
        "success": outcome.kind.is_verified(),
        "verified": outcome.kind.is_verified(),
        "kind": outcome.kind,
        "reason": outcome.reason,
        "words": outcome.words,
        "evidence": outcome.evidence,
        "answer": outcome.answer,
        "failureDeclaredBy": outcome.failure_declared_by,
        "checkpoint": outcome.checkpoint,
    })
}
