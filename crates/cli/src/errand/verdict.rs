//! How an errand ended: for people, and as an exit code for scripts.

use legwork_runtime::errands::{Checkpoint, Finished, Outcome, OutcomeKind, PriceSource, Reason, foremost};
use legwork_types::Problem;

use crate::{
    exit,
    model_args::Chosen,
    output::{Form, Output},
    plain::plain,
};

/// The most lines of evidence that are told, besides those about a yes.
const MOST: usize = 12;

/// Tells how it ended. Programs have heard of it already.
pub(crate) fn tell(finished: &Finished, models: &[Chosen], output: Output) -> Result<(), Problem> {
    let Ok(outcome) = &finished.outcome else {
        // There is no outcome to tell, but what left has left.
        finished.evidence.iter().for_each(|line| output.note(&format!("evidence: {}", plain(line))));
        return Ok(());
    };
    if output.form == Form::Json {
        return Ok(());
    }
    output.line(&format!("{}: {}", output.strong(word(outcome)), plain(&outcome.words)))?;
    if let Some(answer) = &outcome.answer {
        let answer = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
        output.line(&format!("answer: {}", plain(&answer)))?;
    }
    let (untold, told) = foremost(&outcome.evidence, MOST);
    if untold > 0 {
        output.line(&format!("evidence: {untold} that needed no yes, and"))?;
    }
    for line in told {
        output.line(&format!("evidence: {}", plain(line)))?;
    }
    if let Some(Checkpoint { code: Some(code), trouble: Some(trouble), .. }) = &outcome.checkpoint
        && *trouble != outcome.words
    {
        output.line(&format!("went wrong last: {} {}", plain(code), plain(trouble)))?;
    }
    if let Some(page) = &finished.page {
        output.line(&format!("last page: {} {}", plain(&page.url), plain(&page.title)))?;
    }
    let spent = &finished.spent;
    let names: Vec<_> = models.iter().map(|model| plain(&model.client.model().name)).collect();
    let is_any = |source: PriceSource| models.iter().any(|model| model.source == source);
    let assumed = match () {
        () if is_any(PriceSource::Assumed) => ", at an assumed price: nobody knows what this model costs",
        () if is_any(PriceSource::Known) => "",
        () => ", a local model",
    };
    output.line(&format!(
        "took {} turns, {} calls of {}, {} tokens in, {} out, {}{assumed}",
        spent.turns,
        spent.calls,
        names.join(", then "),
        spent.usage.all_input(),
        spent.usage.output,
        spent.money,
    ))
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome.kind {
        OutcomeKind::Verified => "verified",
        OutcomeKind::Unverified => "unverified",
        OutcomeKind::Failed => "failed",
        OutcomeKind::Denied => "denied",
        OutcomeKind::Stopped => "stopped",
    }
}

/// The exit code of an errand that ended so.
pub(crate) fn exit_code(outcome: &Outcome) -> u8 {
    match (outcome.kind, outcome.reason) {
        (_, Reason::Interrupted) => exit::CALLED_OFF,
        (_, Reason::DryRun | Reason::PlanOnly) => exit::DRY_RUN,
        (OutcomeKind::Verified, _) => exit::DONE,
        (OutcomeKind::Unverified, _) => exit::UNVERIFIED,
        (OutcomeKind::Denied, _) | (_, Reason::NobodyAnswered | Reason::LoginRequired) => exit::DENIED,
        (_, Reason::BrowserError) => exit::NO_BROWSER,
        (OutcomeKind::Failed | OutcomeKind::Stopped, _) => exit::FAILED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_can_tell_how_it_ended() {
        use OutcomeKind::{Denied, Failed, Stopped, Unverified, Verified};
        for (kind, reason, code) in [
            (Verified, Reason::Completed, 0),
            (Failed, Reason::Completed, 1),
            (Stopped, Reason::BudgetExceeded, 1),
            (Stopped, Reason::BrowserError, 3),
            (Stopped, Reason::PageError, 1),
            (Unverified, Reason::VerificationFailed, 4),
            (Denied, Reason::HumanRejected, 5),
            (Stopped, Reason::NobodyAnswered, 5),
            (Stopped, Reason::LoginRequired, 5),
            (Unverified, Reason::DryRun, 6),
            (Stopped, Reason::PlanOnly, 6),
            (Stopped, Reason::Interrupted, 130),
        ] {
            let (words, evidence, answer, failure_declared_by) = Default::default();
            let checkpoint = None;
            let outcome = Outcome { kind, reason, words, evidence, answer, failure_declared_by, checkpoint };
            assert_eq!(exit_code(&outcome), code, "{kind:?} {reason:?}");
        }
    }
}
