//! Facts in a few words.

#![allow(dead_code, unused_imports, missing_docs, unreachable_pub)]

use std::path::PathBuf;

use legwork_policy::{
    Confirmation, Facts, Permit, Rules, TargetFacts, Verdict, WhoConfirms, Wire, judge, secrets::FieldFacts,
};
use legwork_types::{
    Chord, Click, Deed, Intent, Problem,
    contract::{ActionId, Dialog, FieldValue, Fingerprint, ObservationId, Risk, RiskLevel, SessionId},
};

pub use RiskLevel::{Caution, Danger, Safe};

pub fn risk(level: RiskLevel) -> Risk {
    Risk { level, reasons: if level == Safe { vec![] } else { vec![format!("{level:?} for a reason")] } }
}

pub fn target(action: u32, role: &str, level: RiskLevel) -> TargetFacts {
    TargetFacts {
        action: ActionId(action),
        fingerprint: Fingerprint(u64::from(action) * 1_000),
        role: role.into(),
        name: format!("Name {action}").as_str().into(),
        risk: risk(level),
        sends: None,
        in_captcha: false,
        field: FieldFacts::default(),
    }
}

pub fn sending(action: u32, role: &str, level: RiskLevel, sends: RiskLevel) -> TargetFacts {
    TargetFacts { sends: Some(risk(sends)), ..target(action, role, level) }
}

pub fn facts(targets: Vec<TargetFacts>) -> Facts {
    Facts {
        session: SessionId("s1".into()),
        observation: ObservationId("o1".into()),
        domain: "shop.example".into(),
        targets,
        focused: None,
        dialog: None,
        files: vec![],
        wire: Wire::Open,
        address: "https://shop.example/".into(),
        secrets: vec![],
        caution: None,
    }
}

pub fn with_focus(focused: TargetFacts) -> Facts {
    Facts { focused: Some(focused), ..facts(vec![]) }
}

pub fn with_dialog(kind: &str, message: &str) -> Facts {
    Facts { dialog: Some(Dialog { kind: kind.into(), message: message.into() }), ..facts(vec![]) }
}

pub fn on(target: u32, deed: Deed) -> Intent {
    Intent::OnElement { target: ActionId(target), deed }
}

pub fn click(target: u32) -> Intent {
    on(target, Deed::Click(Click::default()))
}

pub fn chord(text: &str) -> Chord {
    Chord::parse(text).unwrap_or_else(|| unreachable!("{text} is a chord"))
}

pub fn key(target: u32, text: &str) -> Intent {
    on(target, Deed::PressKey(chord(text)))
}

pub fn types(target: u32, text: &str) -> Intent {
    on(target, Deed::Type { text: FieldValue::Text(text.into()), delay_ms: 0 })
}

pub fn answer(accept: bool) -> Intent {
    Intent::HandleDialog { accept, text: None }
}

pub fn by_caller() -> Rules {
    Rules { who_confirms: WhoConfirms::Caller, uploads: vec![PathBuf::from("/home/ada/outbox")] }
}

pub fn echo(text: &str) -> Confirmation {
    Confirmation { confirm: true, text: Some(text.into()) }
}

/// What comes of it without a yes.
pub fn unasked(intent: Intent, facts: &Facts) -> Verdict {
    judge(intent, facts, &by_caller(), &Confirmation::default())
}

/// `go`, `ask` or `stop`.
pub fn kind(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Go(_) => "go",
        Verdict::Ask(_) => "ask",
        Verdict::Stop(_) => "stop",
    }
}

pub fn permit(verdict: Verdict) -> Option<Permit> {
    match verdict {
        Verdict::Go(permit) => Some(permit),
        _ => None,
    }
}

pub fn problem(verdict: Verdict) -> Option<Problem> {
    match verdict {
        Verdict::Go(_) => None,
        Verdict::Ask(problem) | Verdict::Stop(problem) => Some(problem),
    }
}
