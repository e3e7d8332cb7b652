//! The verdict on one intent.

use std::path::PathBuf;

use legwork_types::{
    Code, Deed, Details, Intent, Problem,
    contract::{ActionId, Dialog, FieldValue, Risk, RiskLevel},
};

use crate::{
    Confirmation, Facts, Permit, TargetFacts, Wire,
    clip::beginning,
    confirmation_text,
    keys::{Stroke, stroke},
    permit::Bounds,
    risk::risk_of,
    secrets::{FieldFacts, refusal},
    uploads,
};

/// The most characters of a wrong text that are told again.
const LONGEST_ECHO: usize = 300;

/// Who may say yes to what is dangerous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhoConfirms {
    /// Nobody: it is not done.
    #[default]
    Nobody,
    /// A person, asked apart from whoever makes the call.
    Human,
    /// Whoever makes the call, by echoing the words that are asked for. A program can do that: only for callers that the
    /// operator trusts.
    Caller,
}

/// What the operator allows.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Who may say yes to what is dangerous.
    pub who_confirms: WhoConfirms,
    /// Folders that files may be uploaded from, links followed. None unless the operator names some.
    pub uploads: Vec<PathBuf>,
}

/// What comes of an intent.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may be done.
    Go(Permit),
    /// It may be done if somebody says yes.
    Ask(Problem),
    /// It may not be done.
    Stop(Problem),
}

/// Judges an intent. Whatever can't be judged is stopped.
pub fn judge(intent: Intent, facts: &Facts, rules: &Rules, confirmation: &Confirmation) -> Verdict {
    match allowed(&intent, facts, rules, confirmation) {
        Ok(bounds) => Verdict::Go(Permit::new(intent, bounds)),
        Err(Refusal::Ask(problem)) => Verdict::Ask(problem),
        Err(Refusal::Stop(problem)) => Verdict::Stop(problem),
    }
}

/// Why there is no permit.
enum Refusal {
    Ask(Problem),
    Stop(Problem),
}

/// What a permit for it is bound to, or why there is none.
fn allowed(
    intent: &Intent,
    facts: &Facts,
    rules: &Rules,
    confirmation: &Confirmation,
) -> Result<Bounds, Refusal> {
    let targets = targets_of(intent, facts).map_err(Refusal::Stop)?;
    let focus = focus_of(intent, facts);
    let dialog = dialog_of(intent, facts).map_err(Refusal::Stop)?;
    let touched: Vec<&TargetFacts> = targets.iter().copied().chain(focus).collect();
    if let Some(problem) = forbidden(intent, &touched, facts) {
        return Err(Refusal::Stop(problem));
    }
    let files = uploads::files(intent, facts, rules).map_err(Refusal::Stop)?;
    let risk = risk_of(intent, facts, &targets);
    if risk.level == RiskLevel::Danger && facts.wire == Wire::Degraded {
        return Err(Refusal::Stop(not_vouched_for()));
    }
    // One question, and the better one: behind a guarded wire it is asked about what would really be sent.
    if risk.level == RiskLevel::Danger && facts.wire == Wire::Open {
        let text = confirmation_text(intent, facts);
        if let Some(problem) = unconfirmed(&risk, text, rules, confirmation) {
            return Err(Refusal::Ask(problem));
        }
    }
    let targets = touched.iter().map(|target| (target.action, target.fingerprint)).collect();
    let (session, observation) = (facts.session.clone(), facts.observation.clone());
    Ok(Bounds { session, observation, targets, dialog, files })
}

/// Everything that it names, each known.
fn targets_of<'f>(intent: &Intent, facts: &'f Facts) -> Result<Vec<&'f TargetFacts>, Problem> {
    let known = |action| {
        facts.targets.iter().find(|target| target.action == action).ok_or_else(|| {
            Problem::new(
                Code::ActionNotFound,
                format!("the observation has nothing with number {action}"),
                "use a number of the latest observation",
            )
        })
    };
    intent.targets().into_iter().map(known).collect()
}

/// What a key on the page goes to.
fn focus_of<'f>(intent: &Intent, facts: &'f Facts) -> Option<&'f TargetFacts> {
    matches!(intent, Intent::PressKeyOnPage(_)).then_some(facts.focused.as_ref()).flatten()
}

/// The dialog that is answered.
fn dialog_of(intent: &Intent, facts: &Facts) -> Result<Option<Dialog>, Problem> {
    match (intent, &facts.dialog) {
        (Intent::HandleDialog { .. }, None) => Err(Problem::new(
            Code::ActionNotApplicable,
            "no dialog of the browser waits for an answer",
            "look at the page again; a dialog that the page draws itself is answered by a click",
        )),
        (Intent::HandleDialog { .. }, Some(dialog)) => Ok(Some(dialog.clone())),
        _ => Ok(None),
    }
}

/// What no yes makes right.
fn forbidden(intent: &Intent, touched: &[&TargetFacts], facts: &Facts) -> Option<Problem> {
    if touched.iter().any(|target| target.in_captcha && acts_on(intent, target)) {
        return Some(Problem::new(
            Code::CaptchaBlocked,
            "this belongs to a proof of being human",
            "a person has to solve it in the browser; then look at the page again",
        ));
    }
    secrets_typed(intent).into_iter().find_map(|(action, name)| {
        if facts.wire == Wire::Degraded {
            return Some(no_secrets_here());
        }
        let unknown = FieldFacts::default();
        let target = touched.iter().find(|target| target.action == action);
        let field = target.map_or(&unknown, |target| &target.field);
        refusal(name, &facts.secrets, facts.address.untrusted(), field)
    })
}

/// The rule by which a browser that somebody else started is used for little.
const DEGRADED: &str = "degraded";

fn not_vouched_for() -> Problem {
    Problem::new(
        Code::BarrierUnproved,
        "this may do what can't be undone, and nobody vouches for this browser: it was not done",
        "let a person do this step; where the browser is known, the operator may start Legwork with --trust-endpoint",
    )
    .with(Details::Rule { rule: DEGRADED.into() })
}

fn no_secrets_here() -> Problem {
    Problem::new(
        Code::SecretRefused,
        "nobody vouches for this browser: no secret is typed in it",
        "let a person log in; where the browser is known, the operator may start Legwork with --trust-endpoint",
    )
    .with(Details::Rule { rule: DEGRADED.into() })
}

/// Whether it does more to this than look at it.
fn acts_on(intent: &Intent, target: &TargetFacts) -> bool {
    match intent {
        Intent::OnElement {
            deed: Deed::Hover | Deed::Focus | Deed::ScrollIntoView | Deed::Scroll(_),
            ..
        } => false,
        Intent::OnElement { deed: Deed::PressKey(chord), .. } | Intent::PressKeyOnPage(chord) => {
            stroke(chord, &target.role) != Stroke::Harmless
        }
        _ => true,
    }
}

/// The names of the secrets that an intent would type, and into what.
pub fn secrets_typed(intent: &Intent) -> Vec<(ActionId, &str)> {
    let values: Vec<(ActionId, &FieldValue)> = match intent {
        Intent::OnElement { target, deed: Deed::Fill(value) | Deed::Type { text: value, .. } } => {
            vec![(*target, value)]
        }
        Intent::FillForm(fields) => fields.iter().map(|field| (field.action_id, &field.value)).collect(),
        _ => vec![],
    };
    let named = values.into_iter().filter_map(|(action, value)| match value {
        FieldValue::Secret { secret } => Some((action, secret.as_str())),
        FieldValue::Text(_) => None,
    });
    named.collect()
}

/// Why what was said is no yes; none if it is one.
fn unconfirmed(risk: &Risk, text: String, rules: &Rules, confirmation: &Confirmation) -> Option<Problem> {
    let details = |text, missing, mismatch, provided| Details::Confirmation {
        required_confirmation_text: text,
        missing,
        mismatch,
        provided,
        reasons: risk.reasons.clone(),
    };
    let problem = |message: &str, hint: &str| {
        let reasons = risk.reasons.join("; ");
        Problem::new(Code::SafetyConfirmationRequired, message, hint).because(reasons)
    };
    let ask = "ask the user; on a yes call again with confirm: true and confirmationText as required";
    let undoable = "this may do what can't be undone";
    match (rules.who_confirms, confirmation.confirm, &confirmation.text) {
        // A person can only be asked about what is caught on the wire, and there is nothing that would catch it.
        (WhoConfirms::Nobody | WhoConfirms::Human, _, _) => Some(
            problem(
                "this may do what can't be undone, and nobody may confirm it here",
                "let a person do this step, or start Legwork with --confirm caller if you trust whoever makes the calls",
            )
            .with(details(None, None, false, None)),
        ),
        // Letter by letter: whoever echoes it must have read it.
        (WhoConfirms::Caller, true, Some(given)) if *given == text => None,
        (WhoConfirms::Caller, true, Some(given)) => {
            let given = beginning(given, LONGEST_ECHO);
            let hint = "ask the user, then echo requiredConfirmationText exactly";
            Some(
                problem("the confirmation text is another one", hint)
                    .with(details(Some(text), None, true, Some(given))),
            )
        }
        (WhoConfirms::Caller, true, None) => {
            Some(problem(undoable, ask).with(details(Some(text), Some("confirmationText"), false, None)))
        }
        (WhoConfirms::Caller, false, _) => {
            Some(problem(undoable, ask).with(details(Some(text), Some("confirm"), false, None)))
        }
    }
}
