//! The worst that an intent might do.

use std::borrow::Cow;

use legwork_types::{
    Deed, Intent,
    contract::{Dialog, FieldValue, Risk, RiskLevel},
};

use crate::{
    Facts, TargetFacts,
    keys::{Stroke, stroke, strokes},
};

type Risks<'f> = Vec<Cow<'f, Risk>>;

/// The worst that it might do, with every reason for that. Each intent is judged by name: a new one has to be thought about.
pub(crate) fn risk_of(intent: &Intent, facts: &Facts, targets: &[&TargetFacts]) -> Risk {
    let mut risks = match intent {
        Intent::Navigate(_) | Intent::Back | Intent::Forward | Intent::Reload => vec![],
        Intent::Wait(_) | Intent::ScrollPage(_) | Intent::SwitchTab(_) | Intent::CloseTab(_) => vec![],
        Intent::HandleDialog { accept: false, .. } => vec![],
        Intent::HandleDialog { accept: true, .. } => of_yes(facts.dialog.as_ref()),
        Intent::PressKeyOnPage(chord) => match &facts.focused {
            Some(focused) => of_stroke(stroke(chord, &focused.role), focused),
            None if stroke(chord, "") == Stroke::Elsewhere => vec![danger(ELSEWHERE)],
            None if stroke(chord, "") == Stroke::Presses => vec![danger(UNKNOWN_FOCUS)],
            None => vec![],
        },
        Intent::OnElement { deed, .. } => targets.iter().flat_map(|target| of_deed(deed, target)).collect(),
        Intent::FillForm(_) => targets.iter().map(|target| Cow::Borrowed(&target.risk)).collect(),
    };
    risks.extend(facts.caution.as_deref().map(danger));
    worst(&risks)
}

/// Why an intent might do what can't be undone; empty if it might not.
pub fn danger_of(intent: &Intent, facts: &Facts) -> Vec<String> {
    let targets: Vec<&TargetFacts> = facts.targets.iter().collect();
    let risk = risk_of(intent, facts, &targets);
    if risk.level == RiskLevel::Danger { risk.reasons } else { vec![] }
}

const ELSEWHERE: &str = "the key may press something else on the page";
const UNKNOWN_FOCUS: &str = "the key presses something, and it is not known what";

fn danger(reason: &str) -> Cow<'static, Risk> {
    Cow::Owned(Risk { level: RiskLevel::Danger, reasons: vec![reason.into()] })
}

/// A yes to a dialog: of all kinds only one asks nothing.
fn of_yes(dialog: Option<&Dialog>) -> Risks<'static> {
    match dialog.map(|dialog| dialog.kind.as_str()) {
        Some("alert") => vec![],
        Some("confirm") => vec![danger("says yes to a question of the page")],
        Some("prompt") => vec![danger("gives the page an answer that it asked for")],
        Some("beforeunload") => vec![danger("leaves the page, and what was not saved is lost")],
        _ => vec![danger("says yes to a dialog of an unknown kind")],
    }
}

fn of_deed<'f>(deed: &Deed, target: &'f TargetFacts) -> Risks<'f> {
    match deed {
        Deed::Hover | Deed::Focus | Deed::ScrollIntoView | Deed::Scroll(_) => vec![],
        Deed::PressKey(chord) => of_stroke(stroke(chord, &target.role), target),
        Deed::Type { text: FieldValue::Text(text), .. } => of_stroke(strokes(text, &target.role), target),
        // A secret holds letters alone: what presses something is refused when it is loaded.
        Deed::Type { text: FieldValue::Secret { .. }, .. } => of_stroke(Stroke::Writes, target),
        Deed::Click(_)
        | Deed::Fill(_)
        | Deed::Clear
        | Deed::Select(_)
        | Deed::Tick(_)
        | Deed::Upload(_)
        | Deed::DragTo(_) => vec![Cow::Borrowed(&target.risk)],
    }
}

fn of_stroke(stroke: Stroke, target: &TargetFacts) -> Risks<'_> {
    let own = Cow::Borrowed(&target.risk);
    match stroke {
        Stroke::Harmless => vec![],
        Stroke::Writes => vec![own],
        Stroke::Presses => vec![own].into_iter().chain(target.sends.as_ref().map(Cow::Borrowed)).collect(),
        Stroke::Elsewhere => vec![own, danger(ELSEWHERE)],
    }
}

/// The highest level, with the reasons of all that reach it.
fn worst(risks: &[Cow<'_, Risk>]) -> Risk {
    let level = risks.iter().map(|risk| risk.level).max().unwrap_or(RiskLevel::Safe);
    let mut reasons: Vec<String> = Vec::new();
    for reason in risks.iter().filter(|risk| risk.level == level).flat_map(|risk| &risk.reasons) {
        if !reasons.contains(reason) {
            reasons.push(reason.clone());
        }
    }
    Risk { level, reasons }
}
