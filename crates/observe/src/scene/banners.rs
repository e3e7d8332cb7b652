//! Notices of the page.

use std::sync::LazyLock;

use legwork_types::contract::{Banner, Severity};

use super::{
    stage::{Standout, StandoutKind, hints_at},
    survey::Survey,
    words::{Lexicon, Words},
};
use crate::capture::GroupKind;

/// The most notices that are told of.
const MOST: usize = 5;

static TONES: LazyLock<Lexicon<Severity>> = LazyLock::new(|| {
    Lexicon::of(&[
        (
            Severity::Error,
            &[
                "error|errors|failed|failure|invalid|incorrect|wrong|denied|could not|unable to|not found|declined",
                "fehler|fehlgeschlagen|ungultig|falsch|erreur|echec|echoue|invalide|incorrecte|fallo|invalido|incorrecto",
                "errore|fallito|non valido|errato|fout|mislukt|ongeldig|erro|falhou|blad|nieprawidlowy|niepowodzenie",
            ],
        ),
        (
            Severity::Warning,
            &[
                "warning|attention|caution|expires|expired|expiring|unsaved|deprecated|limited|almost|must",
                "achtung|warnung|hinweis|avertissement|attention|advertencia|atencion|aviso|avviso|attenzione",
                "waarschuwing|let op|atencao|uwaga|ostrzezenie|maintenance|outage|wartung|storung",
            ],
        ),
    ])
});

/// The notices that have words, first ones first. One that asks something is told of as a blocker instead.
pub(super) fn banners(survey: &Survey<'_>, standouts: &[Standout]) -> Vec<Banner> {
    let mut banners: Vec<Banner> = Vec::new();
    let mut until = 0;
    for notice in standouts.iter().filter(|s| s.kind == StandoutKind::Notice && !s.consent) {
        if notice.node < until {
            continue;
        }
        until = survey.tree.nodes[notice.node].end;
        let name = survey.tree.group(notice.node).map_or("", |group| group.name.untrusted());
        let text = survey
            .pen
            .write_some(&survey.texts(notice.node, 400), 200)
            .or_else(|| survey.pen.write_some(name, 200));
        let Some(text) = text else { continue };
        let banner = Banner { severity: severity(survey, notice, text.untrusted()), text };
        if !banners.contains(&banner) {
            banners.push(banner);
        }
        if banners.len() == MOST {
            break;
        }
    }
    banners
}

/// What classes say counts first, then words; an alert without either is at least a warning.
fn severity(survey: &Survey<'_>, notice: &Standout, text: &str) -> Severity {
    let hinted = |names: &[&str]| hints_at(survey, notice.node, names);
    if hinted(&["error", "danger", "fail", "critical"]) {
        return Severity::Error;
    }
    if hinted(&["warning", "warn", "caution"]) {
        return Severity::Warning;
    }
    if hinted(&["success", "info", "confirmation"]) {
        return Severity::Info;
    }
    let words = Words::of(text);
    let by_words = TONES.hits(&words).map(|hit| hit.value).max();
    let is_alert = survey.tree.kind(notice.node) == GroupKind::Alert;
    match (by_words, is_alert) {
        (Some(severity), _) => severity,
        (None, true) => Severity::Warning,
        (None, false) => Severity::Info,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        TONES.assert_plain_letters();
    }
}
