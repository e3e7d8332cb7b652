//! What callers and the log are told of an act. The log learns what was decided and done, never what a page or a caller wrote.

use legwork_browser::{BrowserError, Gone};
use legwork_policy::{Facts, Verdict};
use legwork_types::{
    Code, Details, Intent, Mismatch, Problem,
    contract::{ObserveOptions, Receipt, RiskLevel, SessionId, Verification},
};

use super::{Acted, Seen};

/// A call that was refused before anything was done.
pub(super) fn refused(problem: Problem, next: Option<Seen>, observe: &ObserveOptions) -> Acted {
    Acted {
        error: Some(problem),
        receipt: Receipt::default(),
        verification: not_checked(),
        next,
        observe: observe.clone(),
        decided_on: None,
    }
}

/// Nothing was done that could be checked.
pub(super) fn not_checked() -> Verification {
    Verification { matched: false, reason: "not checked: it was not done".into(), observed: None }
}

/// It was done, and nobody could look what came of it.
pub(super) fn unchecked() -> Verification {
    let reason = "not checked: the page could not be looked at afterwards".into();
    Verification { matched: false, reason, observed: None }
}

/// The call does not follow the contract.
pub(super) fn mismatch(mismatch: Mismatch) -> Problem {
    let Mismatch { path, why } = mismatch;
    Problem::new(Code::ContractMismatch, format!("{path}: {why}"), "mend the call and make it again")
        .with(Details::Contract { path: path.into() })
}

/// It was under way when page or browser were lost.
pub(super) fn unknown_outcome(error: &BrowserError) -> Problem {
    let cause = Problem::from(error);
    let problem = Problem::new(
        Code::UnknownOutcome,
        match error {
            BrowserError::Cancelled { .. } => {
                "it was under way when it was broken off: whether it was done is not known"
            }
            _ => "it was under way when the page was lost: whether it was done is not known",
        },
        "find out before you do it again: open the page anew and see whether it happened",
    )
    .because(cause.to_string());
    Problem { details: cause.details, ..problem }
}

/// Whether nothing is left of the page.
pub(super) fn ends_page(error: &BrowserError) -> bool {
    match error {
        BrowserError::Lost { .. } => true,
        BrowserError::TabGone { gone, .. } => *gone != Gone::Closed,
        _ => false,
    }
}

/// What the gate decided.
pub(super) fn log_verdict(verdict: &Verdict, intent: &Intent, facts: &Facts) {
    let (word, problem) = match verdict {
        Verdict::Go(_) => ("go", None),
        Verdict::Ask(problem) => ("ask", Some(problem)),
        Verdict::Stop(problem) => ("stop", Some(problem)),
    };
    let worst = facts.targets.iter().max_by_key(|target| target.risk.level);
    let (risk, reasons) =
        worst.map_or((RiskLevel::Safe, 0), |target| (target.risk.level, target.risk.reasons.len()));
    let code = problem.map(|problem| problem.code.as_str());
    tracing::info!(
        session = facts.session.0,
        verdict = word,
        code,
        verb = intent.verb(),
        ?risk,
        reasons,
        "gate"
    );
}

/// What was done.
pub(super) fn log_receipt(session: &SessionId, intent: &Intent, receipt: &Receipt) {
    tracing::info!(
        session = session.0,
        verb = intent.verb(),
        dispatched = receipt.dispatched,
        nothing = receipt.is_nothing(),
        requests = receipt.effects.requests.len(),
        navigated = receipt.effects.navigated.is_some(),
        "acted"
    );
}

/// Which expectation does not hold. Its words are the caller's, what is there instead the page's: only lengths are told.
pub(super) fn log_unmet(session: &SessionId, verification: &Verification) {
    let expectation = verification.reason.split(' ').next().unwrap_or_default();
    let observed = verification.observed.as_ref().map_or(0, |observed| observed.untrusted().len());
    tracing::info!(
        session = session.0,
        expectation,
        told = verification.reason.len(),
        observed,
        "verification failed"
    );
}
